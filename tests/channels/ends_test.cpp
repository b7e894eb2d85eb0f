// SPDX-License-Identifier: MIT
// Tests of who may use an end of a channel, and of waits for a peer that is gone.
#include "lines.hpp"

#include "saguaro/channel.h"
#include "saguaro/channel.hpp"
#include "saguaro/nanothreads.hpp"
#include "saguaro/space.hpp"
#include "saguaro/spmc.h"
#include "saguaro/vthread.h"
#include "support/job.hpp"

#include <csignal>
#include <cstdio>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace saguaro {

namespace {

using test_support::outcome;
using test_support::run_job;

// The channels of a test, copied into each space by its fork.
sg_channel first = 0;
sg_channel second = 0;

int sends_one(void *) {
    sg_channel_send(first, "x", 1);
    return 0;
}

TEST(channels_ends, a_second_producer_is_refused) {
    expect_line(run_job([] {
                    first = sg_channel_create(1, 0);
                    sg_channel_send(first, "x", 1);
                    spmc_space other;
                    spmc_space_create(&other, sends_one, nullptr);
                    spmc_space_wait(other, nullptr);
                    return 0;
                }),
                "space 0.1: channel 0x");
}

TEST(channels_ends, a_second_thread_is_no_producer) {
    expect_line(run_job([] {
                    first = sg_channel_create(1, 0);
                    sg_channel_send(first, "x", 1);
                    std::thread([] { sends_one(nullptr); }).join();
                    return 0;
                }),
                "has its producer: another thread of this space");
}

TEST(channels_ends, a_consumer_that_there_is_not) {
    expect_line(run_job([] {
                    first = sg_channel_create(2, 0);
                    char c;
                    sg_channel_receive(first, 2, &c, 1);
                    return 0;
                }),
                "has 2 consumers, from 0; there is no consumer 2");
}

TEST(channels_ends, a_channel_that_there_is_not) {
    expect_line(run_job([] {
                    spmc_space_self();
                    sg_channel_send(0, "x", 1);
                    return 0;
                }),
                "there is no channel 0x0");
}

TEST(channels_ends, consumers_out_of_range) {
    const outcome seen = run_job([] { return sg_channel_create(0, 0) == 0 && errno == EINVAL; });
    EXPECT_TRUE(seen.exited_with(1));
    EXPECT_NE(seen.err.find("was given 0 consumers: 1 to 4096"), std::string::npos) << seen.err;
}

TEST(channels_ends, a_message_larger_than_the_buffer) {
    expect_line(run_job([] {
                    first = sg_channel_create(1, 0);
                    sg_channel_send(first, "hello", 5);
                    char c;
                    sg_channel_receive(first, 0, &c, 1);
                    return 0;
                }),
                "a message of 5 bytes on channel");
}

TEST(channels_ends, a_publish_without_a_message) {
    expect_line(run_job([] {
                    first = sg_channel_create(1, 0);
                    sg_channel_publish(first);
                    return 0;
                }),
                "without sg_channel_reserve");
}

TEST(channels_ends, a_producer_that_was_killed) {
    expect_line(run_job([] {
                    first = sg_channel_create(1, 0);
                    spmc_space other;
                    spmc_space_create(
                        &other,
                        [](void *) {
                            sends_one(nullptr);
                            return raise(SIGKILL);
                        },
                        nullptr);
                    char c;
                    sg_channel_receive(first, 0, &c, 1);
                    sg_channel_receive(first, 0, &c, 1);
                    return 0;
                }),
                "but space 0.1 has ended: signal 9 (Killed)");
}

// The producer has filled the channel, and its consumer is gone.
TEST(channels_ends, a_consumer_that_has_ended) {
    expect_line(run_job([] {
                    first = sg_channel_create(1, 0);
                    spmc_space other;
                    spmc_space_create(
                        &other,
                        [](void *) {
                            char c;
                            sg_channel_receive(first, 0, &c, 1);
                            return 5;
                        },
                        nullptr);
                    for (int i = 0; i < 1000; ++i)
                        sg_channel_send(first, "x", 1);
                    return 0;
                }),
                "but space 0.1 has ended: exit code 5");
}

TEST(channels_ends, two_that_wait_for_each_other) {
#ifdef SG_TEST_EMULATED
    GTEST_SKIP() << "qemu's own threads look like those of the space";
#endif
    expect_line(run_job([] {
                    first = sg_channel_create(1, 0);
                    second = sg_channel_create(1, 0);
                    spmc_space other;
                    spmc_space_create(
                        &other,
                        [](void *) {
                            char c;
                            sg_channel_send(second, "x", 1);
                            sg_channel_receive(first, 0, &c, 1);
                            return 0;
                        },
                        nullptr);
                    char c;
                    sg_channel_receive(second, 0, &c, 1);
                    sg_channel_receive(second, 0, &c, 1);
                    sg_channel_send(first, "x", 1);
                    return 0;
                }),
                "deadlock");
}

// Both ends of two channels belong to threads of one space: this one, and one that answers. It
// thinks for a while before its second answer; and waits for a third question that never comes.
void answers_twice(unsigned thinks) {
    char c;
    sg_channel_receive(first, 0, &c, 1);
    sg_channel_send(second, "x", 1);
    usleep(thinks);
    sg_channel_send(second, "y", 1);
    sg_channel_receive(first, 0, &c, 1);
}

int asks(int answers, unsigned thinks) {
    first = sg_channel_create(1, 0);
    second = sg_channel_create(1, 0);
    std::thread other(answers_twice, thinks);
    sg_channel_send(first, "x", 1);
    char c = 0;
    for (int i = 0; i < answers; ++i)
        sg_channel_receive(second, 0, &c, 1);
    sg_channel_send(first, "x", 1);
    other.join();
    return c;
}

TEST(channels_ends, two_of_one_space_that_wait_for_each_other) {
#ifdef SG_TEST_EMULATED
    GTEST_SKIP() << "qemu's own threads look like those of the space";
#endif
    expect_line(run_job([] { return asks(3, 0); }),
                "deadlock, each of these waits for the next: 0 -> 0");
}

TEST(channels_ends, a_thread_that_another_waits_for_takes_its_time) {
    const outcome seen = run_job([] { return asks(2, 500'000); });
    EXPECT_TRUE(seen.exited_with('y')) << seen.status << seen.err;
}

// ---- Virtual processors ----

void *receives_one(void *, sg_vp *) {
    char c;
    sg_channel_receive(first, 0, &c, 1);
    return nullptr;
}

void *sends_as_well(void *, sg_vp *) {
    sends_one(nullptr);
    return nullptr;
}

void *receives_on_the_second(void *, sg_vp *) {
    char c;
    sg_channel_receive(second, 0, &c, 1);
    return nullptr;
}

// A VP that receives, and then another one, on so many cores.
template <void *(*beside)(void *, sg_vp *)>
int receives_on_a_core(unsigned cores) {
    first = sg_channel_create(1, 0);
    second = sg_channel_create(1, 0);
    sg_vms_options options{};
    options.cores = cores;
    return sg_vthread_run(
        &options,
        [](void *, sg_vp *me) {
            sg_vthread_create(receives_one, nullptr, me);
            sg_vthread_create(beside, nullptr, me);
        },
        nullptr);
}

// The thread that runs the instance waits for its cores, and sends nothing.
TEST(channels_ends, a_receiver_on_the_only_core) {
#ifdef SG_TEST_EMULATED
    GTEST_SKIP() << "qemu's own threads look like those of the space";
#endif
    expect_line(run_job([] { return receives_on_a_core<sends_as_well>(1); }),
                "and no other space is left");
}

TEST(channels_ends, receivers_on_all_cores) {
#ifdef SG_TEST_EMULATED
    GTEST_SKIP() << "qemu's own threads look like those of the space";
#endif
    expect_line(run_job([] { return receives_on_a_core<receives_on_the_second>(2); }),
                "deadlock, every space of the job waits");
}

TEST(channels_ends, a_receiver_on_a_core_whose_sender_is_on_another_thread) {
    const outcome seen = run_job([] { return receives_on_a_core<sends_as_well>(2); });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// Cores that find nothing to animate sleep: only the receiver could wake them.
TEST(channels_ends, a_receiver_beside_cores_that_sleep) {
#ifdef SG_TEST_EMULATED
    GTEST_SKIP() << "qemu's own threads look like those of the space";
#endif
    for (const unsigned cores : {2U, 8U})
        expect_line(run_job([cores] {
                        first = sg_channel_create(1, 0);
                        sg_vms_options options{};
                        options.cores = cores;
                        return sg_vthread_run(
                            &options, [](void *, sg_vp *me) { receives_one(nullptr, me); },
                            nullptr);
                    }),
                    "and no other space is left");
}

void *sends_late(void *, sg_vp *) {
    usleep(300'000);
    sends_one(nullptr);
    return nullptr;
}

// The other core slept, and was woken for the sender.
TEST(channels_ends, a_receiver_whose_sender_is_on_a_core_that_slept) {
    const outcome seen = run_job([] {
        first = sg_channel_create(1, 0);
        sg_vms_options options{};
        options.cores = 2;
        return sg_vthread_run(
            &options,
            [](void *, sg_vp *me) {
                usleep(100'000);
                sg_vthread_create(sends_late, nullptr, me);
                receives_one(nullptr, me);
            },
            nullptr);
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// ---- Nano-threads ----

TEST(channels_ends, a_receiver_beside_processors_that_sleep) {
#ifdef SG_TEST_EMULATED
    GTEST_SKIP() << "qemu's own threads look like those of the space";
#endif
    for (const unsigned processors : {1U, 2U, 8U})
        expect_line(run_job([processors] {
                        first = sg_channel_create(1, 0);
                        nt::options options{};
                        options.processors = processors;
                        nt::run(options, [] { receives_one(nullptr, nullptr); });
                        return 0;
                    }),
                    "and no other space is left");
}

// The other processor slept, and was woken for the sender.
TEST(channels_ends, a_receiver_whose_sender_is_on_a_processor_that_slept) {
    const outcome seen = run_job([] {
        first = sg_channel_create(1, 0);
        nt::options options{};
        options.processors = 2;
        nt::run(options, [] {
            usleep(100'000);
            nt::fork([] { sends_late(nullptr, nullptr); });
            receives_one(nullptr, nullptr);
            nt::join();
        });
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// When a run is over its processors sleep no more: a thread that came later is not taken for one.
TEST(channels_ends, a_receiver_after_a_run_whose_processor_slept) {
    const outcome seen = run_job([] {
        first = sg_channel_create(1, 0);
        nt::options options{};
        options.processors = 2;
        nt::run(options, [] { usleep(50'000); });
        std::thread late([] { sends_late(nullptr, nullptr); });
        receives_one(nullptr, nullptr);
        late.join();
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// ---- Signals ----

const volatile char *late_page = nullptr;

// A thread that waits in a signal handler, on top of a wait, is one thread that waits: the other
// one computes.
TEST(channels_ends, a_wait_on_top_of_another_is_no_deadlock) {
#ifdef SG_TEST_EMULATED
    GTEST_SKIP() << "in qemu's user mode a process that fork has made cannot begin a thread";
#endif
    const outcome seen = run_job([] {
        char *const page = static_cast<char *>(spmc_alloc(nullptr, SPMC_PAGE));
        late_page = page;
        const channel<int> there;
        const channel<int> back;
        const space other([=] {
            std::signal(SIGUSR1, [](int) { static_cast<void>(late_page[0]); });
            const pthread_t waits = pthread_self();
            std::thread computes([=] {
                usleep(300'000);
                pthread_kill(waits, SIGUSR1);
                usleep(1'000'000);
                back.send(1);
            });
            there.receive();
            computes.join();
        });
        spmc_copy_consumer(other.name(), page, page, SPMC_PAGE);
        back.receive();
        spmc_fix(page, SPMC_PAGE);
        there.send(1);
        other.wait();
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
    EXPECT_EQ(seen.err, "");
}

} // namespace

} // namespace saguaro
