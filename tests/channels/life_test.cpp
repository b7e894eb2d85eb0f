// SPDX-License-Identifier: MIT
// Tests of channels that end: what is given back when, and what stays for those who still use it.
#include "lines.hpp"

#include "saguaro/channel.h"
#include "saguaro/channel.hpp"
#include "saguaro/detail/sanitizers.h"
#include "saguaro/space.hpp"
#include "support/job.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <new>
#include <pthread.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace saguaro {

namespace {

using test_support::job_memory;
using test_support::outcome;
using test_support::run_job;

constexpr std::size_t large = 100'000;

// What all use whatever they do is a page or two for each kind of object.
constexpr std::size_t slack = 512 * 1024;

// Runs `once` so often, and returns whether the job's memory has grown with the times.
template <class Once>
bool grows(int times, Once once) {
    std::size_t before = 0;
    for (int i = 0; i < times; ++i) {
        if (i == times / 10)
            before = job_memory();
        once();
    }
    return job_memory() > before + slack;
}

TEST(channels_life, memory_for_many_channels_of_threads_of_one_space) {
    expect_success(run_job([] {
        return static_cast<int>(grows(1000, [] {
            const owned_channel<std::array<char, 5000>> own;
            own.send(std::array<char, 5000>{});
            own.receive();
        }));
    }));
}

TEST(channels_life, memory_for_the_replies_of_many_children) {
    expect_success(run_job([] {
        return static_cast<int>(grows(100, [] {
            const owned_channel<char> reply;
            const space child([&] { reply.send(std::vector<char>(large, 'r')); });
            reply.receive_all();
            child.wait();
        }));
    }));
}

// The parent knows them from a message only.
TEST(channels_life, memory_for_channels_that_children_make) {
    expect_success(run_job([] {
        return static_cast<int>(grows(100, [] {
            const owned_channel<char> done; // each child is another producer
            const owned_channel<sg_channel> names_of_one;
            const space child([&] {
                const channel<char> reply;
                names_of_one.send(reply.name());
                reply.send(std::vector<char>(large, 'r'));
                done.receive();
            });
            const sg_channel reply = names_of_one.receive();
            std::size_t bytes = 0;
            if (*static_cast<const char *>(sg_channel_view(reply, 0, &bytes)) != 'r')
                _exit(3);
            done.send('d');
            child.wait();
            sg_channel_free(reply);
        }));
    }));
}

TEST(channels_life, memory_of_children_that_were_killed) {
    expect_success(run_job([] {
        return static_cast<int>(grows(100, [] {
            const owned_channel<char> reply;
            const space child([&] {
                reply.send(std::vector<char>(large, 'r'));
                raise(SIGKILL);
            });
            if (!WIFSIGNALED(child.wait_for_status()))
                _exit(3);
            reply.receive_all(); // what it had sent is there
        }));
    }));
}

TEST(channels_life, messages_larger_than_usual_are_given_back_while_it_lives) {
    expect_success(run_job([] {
        const owned_channel<char> own(1, 1);
        return static_cast<int>(grows(100, [&] {
            own.send(std::vector<char>(1'000'000, 'l'));
            own.receive_all();
        }));
    }));
}

// The next one is in the same place, and knows nothing of the former one: threads, too.
TEST(channels_life, a_place_serves_the_next_channel_of_a_thread) {
    expect_success(run_job([] {
        sg_channel places[2] = {};
        for (int life = 0; life < 2; ++life) {
            const owned_channel<int> own(2);
            places[life] = own.name();
            for (int i = 0; i < 600; ++i) { // more than twice its cells
                own.send(1000 * life + i);
                if (own.receive(0) != 1000 * life + i || own.receive(1) != 1000 * life + i)
                    return 1;
            }
            own.send(-1); // never received
        }
        return places[0] == places[1] ? 0 : 2;
    }));
}

TEST(channels_life, a_channel_has_no_message_of_the_former_one) {
    expect_success(run_job([] {
        const channel<int> asks;
        {
            const owned_channel<int> former;
            for (int i = 0; i < 10; ++i)
                former.send(1);
        }
        const owned_channel<int> own;
        const space child([&] {
            asks.send(0);
            return own.receive() == 2 ? 0 : 4;
        });
        asks.receive();
        own.send(2);
        child.wait();
        return 0;
    }));
}

// Else a producer would overwrite what nobody has received.
TEST(channels_life, a_channel_is_full_whatever_the_former_one_received) {
#ifdef SG_TEST_EMULATED
    GTEST_SKIP() << "qemu's own threads look like those of the space";
#endif
    const outcome seen = run_job([] {
        {
            const owned_channel<int> former;
            for (int i = 0; i < 600; ++i) {
                former.send(i);
                former.receive();
            }
        }
        const owned_channel<int> own;
        for (int i = 0; i < 256 + 1; ++i)
            own.send(i);
        return 0;
    });
    test_support::expect_line(seen, "and no other space is left");
}

// A thread remembers the end that it used last, by the channel's place.
TEST(channels_life, a_thread_forgets_the_end_of_a_former_channel) {
    expect_success(run_job([] {
        const channel<sg_channel> orders;
        const channel<int> answers;
        std::thread sends([&] {
            while (const sg_channel to = orders.receive()) {
                const int n = 5;
                sg_channel_send(to, &n, sizeof(n));
                answers.send(0); // the other frees the channel
            }
        });
        int bad = 0;
        for (int life = 0; life < 3; ++life) {
            const owned_channel<int> own;
            orders.send(own.name());
            bad += own.receive() != 5;
            answers.receive();
        }
        orders.send(0);
        sends.join();
        return bad;
    }));
}

// Two children, neither of which has used it before the parent frees it.
TEST(channels_life, children_use_what_their_parent_has_freed) {
    expect_success(run_job([] {
        const owned_channel<int> go(2);
        auto own = std::make_unique<owned_channel<char>>();
        const channel<char> it = *own;
        const sg_channel place = it.name();
        const space from([&] {
            go.receive(0);
            it.send(std::vector<char>(large, 'f'));
        });
        const space to([&] {
            go.receive(1);
            const auto got = it.receive_all();
            return got.size() == large && got.back() == 'f' ? 0 : 4;
        });
        own.reset();
        const owned_channel<char> next;
        if (next.name() == place)
            return 5;
        go.send(1);
        from.wait();
        to.wait();
        // Both have ended, and the last end of them gives it back.
        const owned_channel<char> third;
        return third.name() == place ? 0 : 6;
    }));
}

std::atomic<bool> is_forking{false};
std::atomic<sg_channel> made_meanwhile{0};

// In a thread that begins a child: gives another one the time to make a channel, if it can.
void waits_before_a_fork() {
    is_forking = true;
    for (int i = 0; i < 100 && made_meanwhile == 0; ++i)
        usleep(1000);
}

// By another thread: the child is counted already, and may get a copy of the handle.
TEST(channels_life, a_channel_that_is_made_while_a_child_begins) {
    expect_success(run_job([] {
        const channel<bool> answers;
        const channel<int> go;
        pthread_atfork(waits_before_a_fork, nullptr, nullptr);
        std::thread makes([] {
            while (!is_forking)
                std::this_thread::yield();
            made_meanwhile = sg_channel_create(1, 0);
        });
        const space child([&] {
            answers.send(made_meanwhile != 0);
            go.receive();
        });
        makes.join();
        const sg_channel made = made_meanwhile;
        sg_channel_free(made);
        const owned_channel<int> next;
        const bool is_in_use = answers.receive() && next.name() == made;
        go.send(1);
        child.wait();
        return is_in_use ? 5 : 0;
    }));
}

// What is buffered is written before the child is counted: here by a thread that waits for another
// one, which makes a channel first.
TEST(channels_life, a_channel_that_is_made_while_what_is_buffered_is_written) {
    expect_success(run_job([] {
        static char page[4096];
        static int ends[2];
        if (pipe(ends) != 0 || fcntl(ends[1], F_SETPIPE_SZ, sizeof(page)) != sizeof(page) ||
            write(ends[1], page, sizeof(page)) != sizeof(page) || dup2(ends[1], 1) != 1)
            return 1;
        std::printf("buffered");
        std::thread reads([] {
            usleep(30'000); // usually the other one is about to write by now
            const owned_channel<int> own;
            if (read(ends[0], page, sizeof(page)) <= 0)
                _exit(2);
        });
        const space child([] {});
        reads.join();
        child.wait();
        return 0;
    }));
}

// The one of them that has the end is the older one.
TEST(channels_life, the_oldest_child_uses_what_was_kept_for_the_youngest) {
    expect_success(run_job([] {
        const owned_channel<int> go_younger;
        const owned_channel<int> go_older;
        auto own = std::make_unique<owned_channel<int>>();
        const channel<int> it = *own;
        const space older([&] {
            go_older.receive();
            it.send(7);
            return it.receive() == 7 ? 0 : 4;
        });
        const space younger([&] { go_younger.receive(); });
        own.reset();
        go_younger.send(1);
        younger.wait();
        const owned_channel<int> next;
        if (next.name() == it.name())
            return 5;
        go_older.send(1);
        older.wait();
        return 0;
    }));
}

TEST(channels_life, a_message_stays_while_a_consumer_reads_it) {
    expect_success(run_job([] {
        const owned_channel<int> tells;
        const owned_channel<int> go;
        auto own = std::make_unique<owned_channel<char>>();
        const channel<char> it = *own;
        const space reads([&] {
            const auto seen = it.view();
            tells.send(0);
            go.receive();
            return std::all_of(seen.begin(), seen.end(), [](char c) { return c == 'm'; }) ? 0 : 4;
        });
        it.send(std::vector<char>(large, 'm'));
        tells.receive();
        own.reset(); // also its producer's end
        for (int i = 0; i < 10; ++i) {
            const owned_channel<char> other;
            other.send(std::vector<char>(large, 'o'));
        }
        go.send(1);
        reads.wait();
        return 0;
    }));
}

// A space that was killed takes its children along, but they may run for a moment.
TEST(channels_life, what_descendants_of_a_killed_space_may_use_stays) {
#ifdef SG_TEST_EMULATED
    GTEST_SKIP() << "the space's child does not go on in qemu when the space is killed";
#endif
    expect_success(run_job([] {
        auto own = std::make_unique<owned_channel<int>>();
        const channel<int> it = *own;
        const space child([&] {
            const space grandchild([] {
                for (;;)
                    pause();
            });
            it.send(1);
            raise(SIGKILL);
        });
        it.receive();
        child.wait_for_status();
        own.reset();
        const owned_channel<int> next;
        return next.name() == it.name() ? 5 : 0;
    }));
}

// The copy of the owner that a child has is not the parent's.
TEST(channels_life, a_child_that_destroys_its_copy) {
    expect_success(run_job([] {
        static std::unique_ptr<owned_channel<int>> own;
        own = std::make_unique<owned_channel<int>>();
        const owned_channel<int> done;
        const space child([&] {
            own.reset();
            done.send(1);
            pause();
        });
        done.receive();
        own->send(5);
        if (own->receive() != 5)
            return 1;
        own.reset();
        _exit(0); // the child has not ended
    }));
}

TEST(channels_life, an_owner_that_is_moved) {
    expect_success(run_job([] {
        owned_channel<int> first;
        const sg_channel name = first.name();
        owned_channel<int> second = std::move(first);
        second.send(3);
        first = std::move(second);
        if (first.name() != name || second.name() != 0 || first.receive() != 3)
            return 1;
        first.reset();
        first.reset();
        return first.name() == 0 ? 0 : 2;
    }));
}

void limit_memory(rlim_t bytes) {
    rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_AS, &limit);
}

// All that the heap has, but for blocks of `but_for` bytes.
void use_up_the_heap(std::size_t but_for) {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    void *volatile stays = std::malloc(but_for); // not left out together with its end
    limit_memory(pages * 4096);
    // Small blocks that are free serve only those of the same size.
    for (std::size_t bytes = std::size_t{1} << 24; bytes != 0;
         bytes = bytes > 4096 ? bytes / 2 : bytes - 8)
        while (void *const used = std::malloc(bytes))
            asm volatile("" : : "r"(used));
    std::free(stays);
}

// Its place in the list of ends still finds memory. The free looks at all that are in the list.
TEST(channels_life, an_end_for_which_there_is_no_memory) {
#ifdef SG_TEST_EMULATED
    GTEST_SKIP() << "the emulator does not limit the memory";
#endif
    if (SG_ADDRESS_SANITIZER || SG_THREAD_SANITIZER)
        GTEST_SKIP() << "a sanitizer has a heap of its own";
    expect_success(run_job([] {
        const sg_channel made = sg_channel_create(1, 0);
        sg_channel_send(made, "m", 1);
        rlimit before;
        getrlimit(RLIMIT_AS, &before);
        use_up_the_heap(48);
        std::size_t bytes = 0;
        try {
            sg_channel_view(made, 0, &bytes);
            return 1;
        } catch (const std::bad_alloc &) {
        }
        limit_memory(before.rlim_cur);
        sg_channel_free(made);
        return 0;
    }));
}

// With no job, freed before, or in a process that fork has made.
TEST(channels_life, to_free_nothing) {
    expect_success(run_job([] {
        sg_channel_free(0);
        sg_channel_free(5);
        const sg_channel gone = sg_channel_create(1, 0);
        sg_channel_free(gone);
        sg_channel_free(gone);
        const owned_channel<int> own;
        own.send(2);
        if (const pid_t other = fork(); other == 0) {
            sg_channel_free(own.name());
            _exit(0);
        }
        return own.receive() - 2;
    }));
}

TEST(channels_life, messages_of_a_producer_that_has_freed_it) {
    const outcome seen = run_job([] {
        const channel<int> it;
        const space child([&] {
            for (int i = 0; i < 100; ++i)
                it.send(i);
            sg_channel_free(it.name());
            pause(); // until the root has ended
        });
        for (int i = 0; i < 100; ++i)
            if (it.receive() != i)
                return 1;
        it.receive();
        return 0;
    });
    test_support::expect_line(seen, "but space 0.1 has freed its end");
}

TEST(channels_life, a_full_channel_whose_consumer_has_freed_it) {
    const outcome seen = run_job([] {
        const channel<int> it;
        const space child([&] {
            it.receive();
            sg_channel_free(it.name());
            pause(); // until the root has ended
        });
        for (int i = 0; i < 1000; ++i)
            it.send(i);
        return 0;
    });
    test_support::expect_line(seen, "but space 0.1 has freed its end");
}

TEST(channels_life, an_end_that_nobody_had_when_the_channel_was_freed) {
    const outcome seen = run_job([] {
        const channel<sg_channel> names;
        const channel<int> answers;
        const space child([&] {
            const sg_channel it = names.receive();
            int n = 0;
            sg_channel_receive(it, 0, &n, sizeof(n));
            answers.send(n);
            names.receive(); // it has been freed
            sg_channel_receive(it, 1, &n, sizeof(n));
        });
        auto own = std::make_unique<owned_channel<int>>(2);
        names.send(own->name());
        own->send(1);
        answers.receive();
        own.reset();
        names.send(0);
        child.wait();
        return 0;
    });
    test_support::expect_line(seen, "was freed by the space that made it");
}

// An older child got the name by a message, and comes late.
TEST(channels_life, an_end_of_a_channel_that_was_freed) {
    const outcome seen = run_job([] {
        const channel<sg_channel> names;
        const channel<int> stays;
        const space child([&] {
            const sg_channel it = names.receive();
            const int n = 1;
            sg_channel_send(it, &n, sizeof(n));
        });
        const space keeps([&] { stays.receive(); });
        auto own = std::make_unique<owned_channel<int>>();
        const space younger([it = channel<int>(*own)] { it.receive(); });
        const sg_channel name = own->name();
        own->send(1); // it is the producer
        younger.wait();
        own.reset();
        const channel<int> other(3); // does not take the place
        names.send(name);
        child.wait();
        return 0;
    });
    test_support::expect_line(seen, "space 0.1: there is no channel 0x");
}

} // namespace

} // namespace saguaro
