// SPDX-License-Identifier: MIT
// Buffered streams: each text is written once, each line is read once, and a thread that waits for
// input holds up no space.
#include "pages.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <iostream>
#include <string>
#include <thread>
#include <unistd.h>

namespace saguaro::spmc_test {

namespace {

TEST(spmc_streams, of_cxx_are_written_once_and_whole) {
    const outcome seen = run_job([] {
        std::ios::sync_with_stdio(false);
        std::cout << "parent before\n";
        const auto writes = [](void *) {
            std::cout << "child\n";
            return 0;
        };
        MUST(spmc_space_wait(begin(writes), nullptr));
        std::cout << "parent after\n";
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
    EXPECT_EQ(seen.out, "parent before\nchild\nparent after\n");
}

TEST(spmc_streams, a_file_on_standard_input_is_read_once) {
    const outcome seen = run_job([] {
        char name[] = "/tmp/saguaro-input-XXXXXX";
        const int file = mkstemp(name);
        unlink(name);
        const std::string lines = "1\n2\n3\n4\n5\n";
        if (write(file, lines.data(), lines.size()) != static_cast<ssize_t>(lines.size()) ||
            lseek(file, 0, SEEK_SET) != 0 || dup2(file, STDIN_FILENO) < 0)
            return 90;
        char line[16];
        int count = 0;
        while (count < 20 && std::fgets(line, sizeof(line), stdin) != nullptr) {
            ++count;
            const auto exits = [](void *) -> int { std::exit(0); };
            MUST(spmc_space_wait(begin(exits), nullptr));
        }
        return count;
    });
    EXPECT_TRUE(seen.exited_with(5)) << seen.status << seen.err;
}

TEST(spmc_streams, a_thread_that_waits_for_input_holds_up_no_space) {
    const outcome seen = run_job([] {
        int ends[2];
        if (pipe(ends) != 0 || dup2(ends[0], STDIN_FILENO) < 0)
            return 90;
        std::thread reads([] { std::getchar(); });
        // Until it has the stream.
        for (int left = 60'000; ftrylockfile(stdin) == 0; --left) {
            funlockfile(stdin);
            if (left == 0)
                return 91;
            usleep(1000);
        }
        const auto nothing = [](void *) { return 0; };
        MUST(spmc_space_wait(begin(nothing), nullptr));
        const bool is_written = write(ends[1], "x", 1) == 1;
        reads.join();
        return is_written ? 0 : 1;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

} // namespace

} // namespace saguaro::spmc_test
