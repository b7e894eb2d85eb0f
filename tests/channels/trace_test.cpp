// SPDX-License-Identifier: MIT
// SAGUARO_TRACE: what its file has, that it is the same in each run but for times, and that it is
// written whatever ends the job.
#include "saguaro/channel.hpp"
#include "saguaro/space.hpp"
#include "saguaro/spmc.h"
#include "support/job.hpp"
#include "support/kernel_calls.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <regex>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace saguaro {

namespace {

using test_support::content_of;
using test_support::outcome;
using test_support::run_job;

constexpr std::size_t page_bytes = SPMC_PAGE;

// A job with a trace, and its file. The writer puts each event into a line of its own.
struct traced {
    outcome seen;
    std::string file;

    std::size_t count(const std::string &words) const {
        std::size_t found = 0;
        for (auto at = file.find(words); at != file.npos; at = file.find(words, at + 1))
            ++found;
        return found;
    }
    bool has(const std::string &words) const { return count(words) != 0; }

    // The line with these words; empty if there is none.
    std::string line(const std::string &words) const {
        const auto at = file.find(words);
        if (at == file.npos)
            return {};
        const auto begin = file.rfind('\n', at) + 1;
        return file.substr(begin, file.find('\n', at) - begin);
    }

    bool is_complete() const {
        return file.starts_with("{") ? file.ends_with("]}\n") : file.ends_with("</svg>\n");
    }
};

traced trace_job(const std::function<int()> &root, const std::string &ending = ".json") {
    const std::string path =
        testing::TempDir() + "/saguaro-trace-" + std::to_string(getpid()) + ending;
    traced made{run_job([&] {
                    setenv("SAGUARO_TRACE", path.c_str(), 1);
                    return root();
                }),
                content_of(path)};
    unlink(path.c_str());
    return made;
}

double number_in(const std::string &line, const std::string &name) {
    const auto at = line.find("\"" + name + "\":");
    return at == line.npos ? -1 : std::atof(line.c_str() + at + name.size() + 3);
}

// What is the same in each run: docs/channels.md.
std::string without_times(const std::string &file) {
    static const std::regex wait("\n[^\n]*\"cat\":\"wait\"[^\n]*");
    static const std::regex times("\"(ts|dur)\":[0-9.]+,?");
    return std::regex_replace(std::regex_replace(file, wait, ""), times, "");
}

void pause_at_random() {
    static std::random_device delays;
    if (delays() % 3 == 0)
        usleep(delays() % 500);
}

// A tree of spaces, which make channels and fix pages at the same time, and add up their leaves.
void add_up(channel<int> result, int depth) {
    char *const page = static_cast<char *>(spmc_alloc(nullptr, page_bytes));
    pause_at_random();
    spmc_fix(page, page_bytes);
    std::vector<channel<int>> parts;
    std::vector<space> children;
    for (int i = 0; i < 2 && depth > 0; ++i) {
        parts.emplace_back();
        children.emplace_back([=, part = parts.back()] { add_up(part, depth - 1); });
        pause_at_random();
    }
    int sum = depth == 0 ? 1 : 0;
    for (const channel<int> &each : parts)
        sum += each.receive();
    pause_at_random();
    result.send(sum);
    result.send(std::vector<int>(static_cast<std::size_t>(100 * depth)));
    result.close();
    for (const space &each : children)
        each.wait();
}

int add_up_all() {
    const channel<int> result;
    const space first([=] { add_up(result, 3); });
    if (result.receive() != 8 || result.receive_all().size() != 300 || result.next())
        return 3;
    first.wait();
    return 0;
}

TEST(channels_trace, is_the_same_in_each_run_but_for_times) {
    const traced first = trace_job(add_up_all);
    ASSERT_TRUE(first.seen.exited_with(0)) << first.seen.err;
    ASSERT_TRUE(first.is_complete());
    EXPECT_TRUE(first.has("\"name\":\"fix\"")) << first.file;
    EXPECT_TRUE(first.has("channel 2 of space 0.1.2"));
    for (int run = 0; run < 10; ++run) {
        const traced again = trace_job(add_up_all);
        ASSERT_TRUE(again.seen.exited_with(0)) << again.seen.err;
        EXPECT_NE(again.file, first.file);
        EXPECT_EQ(without_times(again.file), without_times(first.file));
    }
}

TEST(channels_trace, has_an_arrow_for_each_message_of_each_consumer) {
    const traced made = trace_job([] {
        const channel<char> text(2);
        std::vector<space> others;
        for (unsigned k = 0; k < 2; ++k)
            others.emplace_back([=] {
                for (int i = 0; i < 300; ++i)
                    text.receive_all(k);
            });
        for (std::size_t i = 0; i < 300; ++i)
            text.send(std::vector<char>(i));
        text.close();
        for (const space &each : others)
            each.wait();
        return 0;
    });
    ASSERT_TRUE(made.seen.exited_with(0)) << made.seen.err;
    EXPECT_EQ(made.count("\"name\":\"send\""), 300);
    EXPECT_EQ(made.count("\"name\":\"receive\""), 600);
    EXPECT_EQ(made.count("{\"ph\":\"s\",\"name\":\"message\""), 600);
    EXPECT_EQ(made.count("{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"message\""), 600);
    EXPECT_EQ(made.count("{\"ph\":\"s\",\"name\":\"create\""), 2);
    EXPECT_EQ(made.count("\"id\":17,"), 2) << "a flow has two ends";
    for (const char *number : {"0", "55", "57", "299"}) // in cells, and elsewhere
        EXPECT_EQ(made.count(std::string("\"message\":") + number + ",\"bytes\":" + number + ","),
                  3)
            << number;
    EXPECT_EQ(made.count("\"name\":\"close\""), 1);
    EXPECT_EQ(made.count("\"consumer\":1,"), 300);
}

// A message is received behind its sending.
TEST(channels_trace, times_go_forward) {
    const traced made = trace_job([] {
        const channel<int> there;
        const channel<int> back;
        const space other([=] {
            for (int i = 0; i < 100; ++i)
                back.send(there.receive());
        });
        for (int i = 0; i < 100; ++i) {
            there.send(i);
            back.receive();
        }
        other.wait();
        return 0;
    });
    for (int id = 1; id <= 200; ++id) {
        const std::string end = "\"id\":" + std::to_string(id) + ",";
        const std::string sent =
            made.line("\"ph\":\"s\",\"name\":\"message\",\"cat\":\"channel\"," + end);
        const std::string got =
            made.line("\"ph\":\"f\",\"bp\":\"e\",\"name\":\"message\",\"cat\":\"channel\"," + end);
        ASSERT_LE(number_in(sent, "ts"), number_in(got, "ts")) << sent << got;
        ASSERT_GE(number_in(sent, "ts"), 0);
    }
}

TEST(channels_trace, shows_who_waits_for_what) {
    const traced made = trace_job([] {
        const channel<int> late;
        const channel<int> full;
        char *const page = static_cast<char *>(spmc_alloc(nullptr, page_bytes));
        static test_support::shared_count step;
        static test_support::shared_count its_sleeps;
        static test_support::shared_count sleeps_of_root;
        test_support::sleeps.count_in = &sleeps_of_root;
        const space other([=] {
            test_support::sleeps.count_in = &its_sleeps;
            full.send(1);
            step.add();
            late.receive();
            for (int i = 0; i < 255; ++i)
                full.send(i);
            step.add();
            full.send(255); // has no room at first
            step.add();
            const char read = page[0];
            step.add();
            const int before = sleeps_of_root.value();
            sleeps_of_root.await(before + 2); // it waits for the end
            return read;
        });
        spmc_copy_consumer(other.name(), page, page, page_bytes);
        const auto sleep_beside = [&](int number) {
            step.await(number);
            its_sleeps.await(its_sleeps.value() + 1); // it waits
            usleep(20'000);
        };
        sleep_beside(1);
        late.send(1);
        sleep_beside(2);
        for (int i = 0; i < 257; ++i)
            full.receive();
        sleep_beside(3);
        spmc_fix(page, page_bytes);
        other.wait();
        return 0;
    });
    ASSERT_TRUE(made.seen.exited_with(0)) << made.seen.err;
    const std::string message = "\"channel 1 of space 0\",\"message\":0,\"space\":\"0.1\"";
    const std::string room = "\"channel 2 of space 0\",\"message\":256,\"space\":\"0.1\"";
    for (const auto &[name, what] :
         {std::pair<std::string, std::string>("wait for a message", message),
          {"wait for room", room},
          {"wait for a page", "\"address\":\"0x2"}}) {
        const std::string line = made.line("\"" + name + "\",\"cat\":\"wait\",\"pid\":1,\"tid\":1");
        EXPECT_NE(line.find(what), line.npos) << name << line;
        EXPECT_GT(number_in(line, "dur"), 5'000) << name << line;
    }
    EXPECT_TRUE(made.has("\"name\":\"wait for an end\""));
}

TEST(channels_trace, is_drawn) {
    const traced made = trace_job(
        [] {
            const channel<int> late;
            static test_support::shared_count its_sleeps;
            const space other([=] {
                test_support::sleeps.count_in = &its_sleeps;
                late.receive();
            });
            its_sleeps.await(1);
            usleep(20'000);
            late.send(1);
            other.wait();
            return 0;
        },
        ".svg");
    ASSERT_TRUE(made.seen.exited_with(0)) << made.seen.err;
    ASSERT_TRUE(made.is_complete());
    EXPECT_TRUE(made.has("2 spaces, 1 channels, 1 messages received"));
    EXPECT_TRUE(made.has("message 0 of channel 1 of space 0, from space 0 to 0.1, 4 bytes: "));
    const std::regex wait("waits for message 0 of channel 1 of space 0: [0-9.]+ m?s<");
    EXPECT_TRUE(std::regex_search(made.file, wait)) << made.file;
    EXPECT_TRUE(made.has("space 0 begins space 0.1: "));
    const std::regex axis(">0 m?s</text>"); // seconds on a busy machine
    EXPECT_TRUE(std::regex_search(made.file, axis)) << made.file;
}

// What lies on the same pixels is drawn once.
TEST(channels_trace, a_picture_of_many_messages_is_small) {
    const traced made = trace_job(
        [] {
            const channel<int> numbers;
            for (int i = 0; i < 100'000; ++i) {
                numbers.send(i);
                numbers.receive();
            }
            return 0;
        },
        ".svg");
    ASSERT_TRUE(made.is_complete());
    EXPECT_TRUE(made.has("1 spaces, 1 channels, 100000 messages received"));
    EXPECT_LT(made.file.size(), 1'000'000);
    EXPECT_TRUE(made.has(" messages from space 0 to 0, "));
}

TEST(channels_trace, says_what_it_dropped) {
    const auto many = [] {
        const channel<int> numbers;
        for (int i = 0; i < 150'000; ++i) {
            numbers.send(i);
            numbers.receive();
        }
        return 0;
    };
    for (const char *ending : {".json", ".svg"}) {
        const traced made = trace_job(many, ending);
        EXPECT_TRUE(made.seen.exited_with(0));
        EXPECT_TRUE(made.is_complete());
        // Of 300,000, and the begin, the end and the channel.
        EXPECT_NE(made.seen.err.find("SAGUARO_TRACE: 37859 events were dropped"), std::string::npos)
            << made.seen.err;
        EXPECT_TRUE(
            made.has(ending[1] == 'j' ? "\"dropped\":37859}" : "37859 events were dropped"));
    }
}

// ---- Ends ----

TEST(channels_trace, is_written_at_an_exit) {
    const traced made = trace_job([]() -> int {
        const channel<int> numbers;
        numbers.send(1);
        std::exit(7);
    });
    EXPECT_TRUE(made.seen.exited_with(7));
    EXPECT_TRUE(made.is_complete() && made.has("\"name\":\"send\""));
}

TEST(channels_trace, is_written_when_a_child_breaks_a_rule) {
    const traced made = trace_job([] {
        const space other([] {
            char *const page = static_cast<char *>(spmc_alloc(nullptr, page_bytes));
            spmc_fix(page, page_bytes);
            spmc_fix(page, page_bytes);
        });
        other.wait();
        return 0;
    });
    EXPECT_TRUE(made.seen.exited_with(2));
    EXPECT_TRUE(made.is_complete());
    EXPECT_TRUE(made.has("{\"space\":\"0.1\",\"end\":\"it broke a rule, which it has named\"}"));
}

// In a signal handler.
TEST(channels_trace, is_written_when_the_root_breaks_a_rule) {
    const traced made = trace_job([] {
        char *const page = static_cast<char *>(spmc_alloc(nullptr, page_bytes));
        spmc_fix(page, page_bytes);
        page[0] = 1;
        return 0;
    });
    EXPECT_TRUE(made.seen.exited_with(2));
    EXPECT_TRUE(made.is_complete() && made.has("\"name\":\"fix\""));
}

// In a signal handler whose stack has little room.
TEST(channels_trace, is_written_on_a_small_stack) {
    const traced made = trace_job([] {
        const auto room = static_cast<std::size_t>(sysconf(_SC_MINSIGSTKSZ)) + 8192;
        const std::size_t bytes = (room + page_bytes - 1) / page_bytes * page_bytes;
        char *const memory =
            static_cast<char *>(mmap(nullptr, bytes + page_bytes, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        mprotect(memory, page_bytes, PROT_NONE);
        stack_t stack{};
        stack.ss_sp = memory + page_bytes;
        stack.ss_size = bytes;
        if (sigaltstack(&stack, nullptr) != 0)
            return 3;
        char *const page = static_cast<char *>(spmc_alloc(nullptr, page_bytes));
        spmc_fix(page, page_bytes);
        page[0] = 1;
        return 0;
    });
    EXPECT_TRUE(made.seen.exited_with(2)) << made.seen.status;
    EXPECT_TRUE(made.is_complete() && made.has("\"name\":\"fix\""));
}

// The wait that is not over is there too.
TEST(channels_trace, is_written_when_a_child_was_killed) {
    const traced made = trace_job([] {
        const channel<int> numbers;
        const space other([=] {
            numbers.send(1);
            raise(SIGKILL);
        });
        numbers.receive();
        return numbers.receive();
    });
    EXPECT_TRUE(made.seen.exited_with(2));
    EXPECT_TRUE(made.is_complete());
    EXPECT_TRUE(made.has("{\"space\":\"0.1\",\"end\":\"signal 9 (Killed)\"}"));
    EXPECT_NE(
        made.file.find("\"message\":1,\"space\":\"0\"}}", made.file.find("wait for a message")),
        std::string::npos);
}

#ifdef SG_TEST_EXEC_HELPER
TEST(channels_trace, goes_on_in_a_program) {
    const traced made = trace_job([] {
        char *const pages = reinterpret_cast<char *>((SPMC_BEGIN + SPMC_END) / 2);
        if (spmc_alloc(pages, 2 * page_bytes) == nullptr)
            return 3;
        spmc_space child;
        char name[] = SG_TEST_EXEC_HELPER;
        char *arguments[] = {name, nullptr};
        if (spmc_space_exec(&child, name, arguments) != 0)
            return 4;
        spmc_copy_consumer(child, pages, pages, page_bytes);
        spmc_transfer_ownership(child, pages + page_bytes, pages + page_bytes, page_bytes);
        usleep(20'000);
        spmc_fix(pages, page_bytes);
        return spmc_space_wait(child, nullptr);
    });
    const std::string line = made.line("\"name\":\"fix\"");
    EXPECT_TRUE(made.is_complete()) << made.seen.err;
    EXPECT_EQ(made.count("\"name\":\"fix\""), 2) << made.seen.err;
    EXPECT_TRUE(made.has("{\"space\":\"0.1\",\"end\":\"exit code 5\"}"));
}
#endif

// Its number may be that of the file by the time that it begins a space.
TEST(channels_trace, leaves_a_programs_own_files_open) {
    const traced made = trace_job([] {
        const space child([] {
            const int own = open("/dev/null", O_WRONLY);
            const space grandchild([own] {
                if (write(own, "x", 1) != 1)
                    std::_Exit(3);
            });
            grandchild.wait();
        });
        child.wait();
        return 0;
    });
    EXPECT_TRUE(made.seen.exited_with(0)) << made.seen.err;
}

TEST(channels_trace, has_no_space_that_never_began) {
    const traced made = trace_job([] {
        spmc_space child;
        char name[] = "/nowhere/program";
        char *arguments[] = {name, nullptr};
        if (spmc_space_exec(&child, name, arguments) == 0)
            return 3;
        const space other([] {});
        other.wait();
        return 0;
    });
    EXPECT_TRUE(made.seen.exited_with(0)) << made.seen.err;
    EXPECT_EQ(made.count("{\"name\":\"space 0.1\"}"), 1U) << made.file;
}

// ---- What is refused ----

outcome with_setting(const char *value) {
    return run_job([=] {
        setenv("SAGUARO_TRACE", value, 1);
        return static_cast<int>(spmc_space_self());
    });
}

TEST(channels_trace, of_another_kind_is_refused) {
    const outcome seen = with_setting("a.png");
    EXPECT_TRUE(seen.exited_with(2));
    EXPECT_EQ(seen.err, "saguaro: spmc: SAGUARO_TRACE=a.png is not accepted: one of none, "
                        "FILE.svg, FILE.json\n");
    EXPECT_TRUE(with_setting("none").exited_with(0));
}

TEST(channels_trace, a_file_that_cannot_be_written) {
    const outcome seen = with_setting("/nowhere/a.svg");
    EXPECT_TRUE(seen.exited_with(2));
    EXPECT_EQ(seen.err, "saguaro: spmc: SAGUARO_TRACE=/nowhere/a.svg: the file cannot be written: "
                        "No such file or directory\n");
}

TEST(channels_trace, a_file_that_is_another_one_meanwhile) {
    const std::string path = testing::TempDir() + "/saguaro-other";
    const outcome seen = run_job([&] {
        setenv("SAGUARO_TRACE", (path + ".json").c_str(), 1);
        spmc_space_self();
        const int other = open((path + ".txt").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        for (int fd = 3; fd < other; ++fd)
            dup2(other, fd);
        return 0;
    });
    EXPECT_EQ(content_of(path + ".txt"), "");
    EXPECT_NE(seen.err.find("the program has closed the file"), std::string::npos) << seen.err;
    unlink((path + ".txt").c_str());
    unlink((path + ".json").c_str());
}

} // namespace

} // namespace saguaro
