// SPDX-License-Identifier: MIT
// Tests of SAGUARO_SPMC_ENFORCE=1: a space that touches a message when it is not its own ends with
// one line.
#include "saguaro/channel.hpp"
#include "saguaro/space.hpp"
#include "support/job.hpp"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace saguaro {

namespace {

using test_support::outcome;
using test_support::run_job;

outcome run_enforced(const std::function<int()> &root) {
    return run_job([&] {
        setenv("SAGUARO_SPMC_ENFORCE", "1", 1);
        return root();
    });
}

// Small ones, which stand in a cell otherwise, and large ones: of a part of a page, of some pages,
// and of a table of its own.
class channels_protection : public testing::TestWithParam<std::size_t> {
protected:
    // Runs root(bytes), which must end with a line that has these words, the space and the channel.
    void expect_trap(const std::function<int(std::size_t)> &root, const char *words) {
        const outcome seen = run_enforced([&] { return root(GetParam()); });
        EXPECT_TRUE(seen.exited_with(2)) << seen.status << seen.err;
        EXPECT_NE(seen.err.find(words), std::string::npos) << seen.err;
        EXPECT_NE(seen.err.find(", channel 0x"), std::string::npos) << seen.err;
        EXPECT_EQ(std::count(seen.err.begin(), seen.err.end(), '\n'), 1) << seen.err;
    }
};

constexpr std::size_t capacity = 16 << 20; // two of the largest

INSTANTIATE_TEST_SUITE_P(sizes, channels_protection, testing::Values(1, 56, 57, 5000, 3'000'000));

char *reserve(sg_channel to, std::size_t bytes) {
    return static_cast<char *>(sg_channel_reserve(to, bytes));
}

const char *view(sg_channel from, unsigned consumer = 0) {
    std::size_t bytes = 0;
    return static_cast<const char *>(sg_channel_view(from, consumer, &bytes));
}

TEST_P(channels_protection, a_producer_writes_no_published_message) {
    expect_trap(
        [](std::size_t bytes) {
            const sg_channel text = sg_channel_create(1, capacity);
            char *const message = reserve(text, bytes);
            message[0] = 'x';
            sg_channel_publish(text);
            if (message[0] != 'x') // it may read it
                return 3;
            message[bytes - 1] = 'y';
            return 4;
        },
        "space 0: a write to a message that it has published: 0x");
}

TEST_P(channels_protection, a_producer_has_only_its_last_message) {
    expect_trap(
        [](std::size_t bytes) {
            const sg_channel text = sg_channel_create(1, capacity);
            const volatile char *const message = reserve(text, bytes);
            sg_channel_publish(text);
            reserve(text, bytes);
            return message[0] * 0 + 4;
        },
        "space 0: an access to a message that is not the one which it reserved last: 0x");
}

TEST_P(channels_protection, a_consumer_writes_nothing) {
    expect_trap(
        [](std::size_t bytes) {
            const sg_channel text = sg_channel_create(1, capacity);
            sg_channel_send(text, std::vector<char>(bytes, 'x').data(), bytes);
            char *const message = const_cast<char *>(view(text));
            if (message[bytes - 1] != 'x')
                return 3;
            message[bytes - 1] = 'y';
            return 4;
        },
        "space 0: a write by a consumer: 0x");
}

TEST_P(channels_protection, a_consumer_reads_nothing_with_which_it_is_done) {
    for (const bool receives_next : {false, true})
        expect_trap(
            [=](std::size_t bytes) {
                const sg_channel text = sg_channel_create(2, capacity);
                const std::vector<char> message(bytes, 'x');
                const space other([=] {
                    const volatile char *const first = view(text, 1);
                    if (receives_next)
                        view(text, 1);
                    else
                        sg_channel_done(text, 1);
                    return first[bytes - 1] * 0 + 4;
                });
                // The other consumer views the same pages, and may.
                sg_channel_send(text, message.data(), bytes);
                sg_channel_send(text, message.data(), bytes);
                const char *const mine = view(text);
                int status = other.wait_for_status();
                if (mine[bytes - 1] != 'x')
                    return 3;
                return WIFEXITED(status) ? WEXITSTATUS(status) : 5;
            },
            "space 0.1: an access to a message with which it is done, or that it has not received");
}

// What a producer finds in a message that it has not written is the same in each run, also where
// other messages were before. The largest ones have a table of their own each.
TEST_P(channels_protection, a_message_begins_with_a_pattern) {
    const outcome seen = run_enforced([largest = GetParam()] {
        const sg_channel text = sg_channel_create(1, 0);
        for (std::size_t i = 0; i < 300; ++i) {
            const std::size_t bytes = i % 2 == 0 ? largest : (largest + 1) / 2;
            const char content = static_cast<char>(i);
            char *const message = reserve(text, bytes);
            if (message[0] != '\xa5' || message[bytes - 1] != '\xa5')
                return 3;
            message[0] = message[bytes - 1] = content;
            sg_channel_publish(text);
            const char *const got = view(text);
            if (got[0] != content || got[bytes - 1] != content)
                return 4;
            sg_channel_done(text, 0);
        }
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// As many messages have room as without protection, whatever they take with it.
TEST(channels_protection, a_channel_holds_what_it_holds_without) {
    for (const std::size_t room : {1U, 1U << 20}) {
        const outcome seen = run_enforced([=] {
            const channel<char> small(1, room);
            const channel<char> large(1, room);
            for (int i = 0; i < 256; ++i)
                small.send('x');
            for (std::size_t i = 0; i < room / 100'000 + 1; ++i)
                large.send(std::vector<char>(99'000));
            return 0;
        });
        EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    }
}

// A page without access, above a message.
char *page_above(const char *message) {
    constexpr std::uintptr_t step = 1 << 26;
    const std::uintptr_t page = reinterpret_cast<std::uintptr_t>(message) / 4096 * 4096;
    void *got = MAP_FAILED;
    for (std::uintptr_t i = 1; got == MAP_FAILED && i < 1000; ++i)
        got = mmap(reinterpret_cast<void *>(page + i * step), 4096, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    return static_cast<char *>(got);
}

// An address that no channel knows is nobody's business here.
TEST(channels_protection, other_faults_are_signals) {
    for (const bool is_above : {false, true}) {
        const outcome seen = run_enforced([=] {
            const channel<char> text;
            text.send('x');
            const char *const message = text.view().data();
            volatile std::uintptr_t address = 64;
            if (is_above)
                address = reinterpret_cast<std::uintptr_t>(page_above(message));
            *reinterpret_cast<volatile char *>(address) = 1;
            return 0;
        });
        // By a signal, or by what a sanitizer makes of it.
        const bool was_refused = WIFSIGNALED(seen.status)
                                     ? WTERMSIG(seen.status) == SIGSEGV
                                     : seen.err.find("SEGV") != std::string::npos;
        EXPECT_TRUE(was_refused) << seen.status << seen.err;
        EXPECT_EQ(seen.err.find("saguaro: spmc"), std::string::npos) << seen.err;
    }
}

} // namespace

} // namespace saguaro
