// SPDX-License-Identifier: MIT
// Tests of the process's end after misuse, or where no thread can go on. One line each.
#include "saguaro/detail/sanitizers.h"
#include "saguaro/nanothreads.hpp"
#include "saguaro/run.hpp"
#include "stacks/sanitizers.hpp"
#include "support/long_frame.hpp"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <thread>

namespace saguaro::nt {

namespace {

void no_work(void *) {}

std::string satisfied_too_often(int times) {
    return "^saguaro: nano-threads: nano-thread 0x[0-9a-f]+ was satisfied " +
           std::to_string(times) + (times == 1 ? " time" : " times") +
           " more often than it has dependences or expects \\(sg_nt_expect\\)\n$";
}

TEST(nanothreads_death, callers_that_are_no_nano_threads) {
    const auto by_nobody = [](const char *name) {
        return std::string("^saguaro: nano-threads: ") + name +
               " was called by a thread that is no nano-thread\n$";
    };
    const auto two = testing::ExitedWithCode(2);
    EXPECT_EXIT(sg_nt_fork(no_work, nullptr), two, by_nobody("sg_nt_fork"));
    EXPECT_EXIT(sg_nt_create(no_work, nullptr, 0, nullptr, 0), two, by_nobody("sg_nt_create"));
    EXPECT_EXIT(sg_nt_join(), two, by_nobody("sg_nt_join"));
    EXPECT_EXIT(sg_nt_block(), two, by_nobody("sg_nt_block"));
    EXPECT_EXIT(sg_nt_yield(), two, by_nobody("sg_nt_yield"));
    EXPECT_EXIT(sg_nt_expect(1), two, by_nobody("sg_nt_expect"));
    EXPECT_EXIT(sg_nt_satisfy(nullptr), two, by_nobody("sg_nt_satisfy"));
    EXPECT_EXIT(sg_nt_hold(), two, by_nobody("sg_nt_hold"));
    EXPECT_EXIT(sg_nt_unblock(nullptr), two,
                "^saguaro: nano-threads: sg_nt_unblock was given a null nano-thread\n$");
}

TEST(nanothreads_death, unblocks_from_outside_without_a_hold) {
    const auto two = testing::ExitedWithCode(2);
    const std::string line =
        "^saguaro: nano-threads: sg_nt_unblock was called from outside for 0x[0-9a-f]+, ";
    EXPECT_EXIT(run([] { std::thread([me = self()] { unblock(me); }).join(); }), two,
                line + "and its run has no hold for that \\(sg_nt_hold\\)\n$");
    EXPECT_EXIT(run([] { saguaro::run([me = self()] { unblock(me); }); }), two,
                line + "and its run has no hold for that \\(sg_nt_hold\\)\n$");
    EXPECT_EXIT(
        {
            thread *ended = nullptr;
            run({.processors = 1}, [&] { ended = self(); });
            unblock(ended);
        },
        two, line + "which is no nano-thread of a run\n$");
}

TEST(nanothreads_death, a_setting_that_is_not_accepted) {
    const auto with_design = [](const char *value) {
        setenv("SAGUARO_NANOTHREADS_DESIGN", value, 1);
        sg_nt_run(nullptr, no_work, nullptr, nullptr);
    };
    EXPECT_EXIT(with_design("many"), testing::ExitedWithCode(2),
                "^saguaro: nano-threads: SAGUARO_NANOTHREADS_DESIGN=many is not accepted: one of "
                "dsr, lsa, dos\n$");
}

#if !SG_THREAD_SANITIZER // it looks at the stack of the thread that ends
TEST(nanothreads_death, a_nano_thread_that_ends_its_system_thread) {
    EXPECT_EXIT(run([] { pthread_exit(nullptr); }), testing::KilledBySignal(SIGABRT),
                "^saguaro: a nano-thread ends the thread that it runs on \\(pthread_exit, "
                "pthread_cancel\\); return from the nano-thread instead\n");
}
#endif

TEST(nanothreads_death, more_satisfied_than_there_are_dependences) {
    const auto misuse = [] {
        run([] {
            expect(1);
            satisfy(self());
            satisfy(self());
            join();
        });
    };
    EXPECT_EXIT(misuse(), testing::ExitedWithCode(2), satisfied_too_often(1));
}

// A successor that expects nothing: its join would wait for one of its threads less.
TEST(nanothreads_death, a_successor_that_expects_nothing) {
    const auto two = testing::ExitedWithCode(2);
    const auto joins = [](auto then) {
        run({.processors = 1}, [&] {
            create([] {}, 0, {self()});
            yield();
            then();
        });
    };
    EXPECT_EXIT(joins([] { fork([] {}); }), two, satisfied_too_often(1));
    EXPECT_EXIT(joins([] { join(); }), two, satisfied_too_often(1));
    EXPECT_EXIT(joins([] {}), two, satisfied_too_often(1));
}

TEST(nanothreads_death, satisfied_more_often_than_it_depends) {
    const auto two = testing::ExitedWithCode(2);
    const auto in_a_run = [](auto misuse) { run({.processors = 1}, misuse); };
    // Before it begins.
    EXPECT_EXIT(in_a_run([] {
                    thread *const t = create([] {}, 1);
                    satisfy(t);
                    satisfy(t);
                    satisfy(t);
                }),
                two, satisfied_too_often(2));
    // By one thread that names it twice.
    EXPECT_EXIT(in_a_run([] {
                    thread *const t = create([] {}, 1);
                    create([] {}, 0, {t, t});
                }),
                two, satisfied_too_often(1));
    // After it has ended, and before another thread has its descriptor.
    EXPECT_EXIT(in_a_run([] {
                    thread *const t = create([] {});
                    yield();
                    satisfy(t);
                }),
                two, satisfied_too_often(1));
}

TEST(nanothreads_death, null_arguments) {
    const auto two = testing::ExitedWithCode(2);
    const auto given_null = [](const std::string &what) {
        return "^saguaro: nano-threads: " + what + "\n$";
    };
    thread *const none = nullptr;
    EXPECT_EXIT(run([] { sg_nt_fork(nullptr, nullptr); }), two,
                given_null("sg_nt_fork was given a null function"));
    EXPECT_EXIT(run([] { sg_nt_create(nullptr, nullptr, 0, nullptr, 0); }), two,
                given_null("sg_nt_create was given a null function"));
    EXPECT_EXIT(run([&] { create([] {}, 0, {none}); }), two,
                given_null("sg_nt_create was given a null successor"));
    EXPECT_EXIT(run([&] {
                    thread *const t = create([] {}, 1);
                    create([] {}, 0, {t, none});
                }),
                two, given_null("sg_nt_create was given a null successor"));
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}})
        EXPECT_EXIT(run([&] { sg_nt_create(no_work, nullptr, 0, nullptr, count); }), two,
                    given_null("sg_nt_create was given a null array of successors"));
    EXPECT_EXIT(run([] { satisfy(nullptr); }), two,
                given_null("sg_nt_satisfy was given a null nano-thread"));
    EXPECT_EXIT(run([] { unblock(nullptr); }), two,
                given_null("sg_nt_unblock was given a null nano-thread"));
}

TEST(nanothreads_death, more_dependences_than_can_be_counted) {
    const auto two = testing::ExitedWithCode(2);
    const auto too_many = [](const char *function, const char *count) {
        return std::string("^saguaro: nano-threads: ") + function + ": " + count +
               " dependences are outstanding: less than 2147483648 are accepted\n$";
    };
    EXPECT_EXIT(run([] { create([] {}, 1U << 31); }), two, too_many("sg_nt_create", "2147483648"));
    EXPECT_EXIT(run([] {
                    expect((1U << 31) - 1);
                    expect(2);
                }),
                two, too_many("sg_nt_expect", "2147483649"));
}

// Its worker may be another thread's a moment later.
TEST(nanothreads_death, calls_inside_a_run_that_a_nano_thread_has_started) {
    const auto inside = [](auto f) { run({.processors = 1}, [&] { saguaro::run(f); }); };
    const auto two = testing::ExitedWithCode(2);
    EXPECT_EXIT(inside([] { yield(); }), two, "sg_nt_yield was called by a thread that is no nano");
    EXPECT_EXIT(inside([] { join(); }), two, "sg_nt_join was called by a thread that is no nano");
    EXPECT_EXIT(inside([] { block(); }), two, "sg_nt_block was called by a thread that is no nano");
    EXPECT_EXIT(inside([] { fork([] {}); }), two,
                "sg_nt_fork was called by a thread that is no nano");
}

TEST(nanothreads_death, an_exception_that_leaves_a_function) {
    const auto threw = [](const char *what) {
        return std::string("^saguaro: nano-threads: the function 0x[0-9a-f]+ of nano-thread "
                           "0x[0-9a-f]+ threw ") +
               what + "\n"; // no $: an emulator says more about the signal
    };
    const testing::KilledBySignal aborts(SIGABRT);
    EXPECT_EXIT(run([] { fork([] { throw std::runtime_error("no file"); }); }), aborts,
                threw("std::runtime_error: no file"));
    EXPECT_EXIT(run([] { throw 7; }), aborts, threw("int"));
    // After a wait, on any processor.
    EXPECT_EXIT(run({.processors = 2},
                    [] {
                        for (int i = 0; i < 10; ++i)
                            fork([i] {
                                yield();
                                if (i == 3)
                                    throw std::runtime_error("no file");
                            });
                    }),
                aborts, threw("std::runtime_error: no file"));
}

std::string of_another_run(const char *function) {
    return std::string("^saguaro: nano-threads: ") + function +
           " was given 0x[0-9a-f]+, which is no nano-thread of its run\n$";
}

TEST(nanothreads_death, handles_of_a_run_around) {
    const auto two = testing::ExitedWithCode(2);
    for (const char *design : {"dsr", "lsa", "dos"}) {
        const options one{.processors = 1, .design = design};
        const auto inside = [&](auto misuse) {
            run(one, [&] {
                thread *const outer = create([] {}, 1);
                run(one, [&] { misuse(outer); });
            });
        };
        EXPECT_EXIT(inside([](thread *t) { satisfy(t); }), two, of_another_run("sg_nt_satisfy"));
        EXPECT_EXIT(inside([](thread *t) { unblock(t); }), two, "and its run has no hold for that");
        EXPECT_EXIT(inside([](thread *t) { create([] {}, 0, {t}); }), two,
                    of_another_run("sg_nt_create"));
        EXPECT_EXIT(inside([](thread *t) { create([] {}, 0, {self(), t}); }), two,
                    of_another_run("sg_nt_create"));
    }
}

// With 100,000 nano-threads there are several areas of descriptors.
TEST(nanothreads_death, handles_of_a_run_that_has_ended) {
    const auto two = testing::ExitedWithCode(2);
    for (const char *design : {"dsr", "lsa"})
        for (const int others : {0, 100'000}) {
            const options one{.processors = 1, .design = design};
            const auto afterwards = [&](auto misuse) {
                thread *ended = nullptr;
                run(one, [&] {
                    for (int i = 0; i < others; ++i)
                        create([] {});
                    ended = create([] {});
                });
                run(one, [&] { misuse(ended); });
            };
            EXPECT_EXIT(afterwards([](thread *t) { satisfy(t); }), two,
                        of_another_run("sg_nt_satisfy"));
            EXPECT_EXIT(afterwards([](thread *t) { unblock(t); }), two,
                        "which is no nano-thread of a run");
            EXPECT_EXIT(afterwards([](thread *t) { create([] {}, 0, {t}); }), two,
                        of_another_run("sg_nt_create"));
        }
}

#if !SG_ANNOTATE_STACKS
// Deeper than its stack; the frames may not be one.
[[gnu::noinline]] int deeper(int depth) {
    volatile char frame[512] = {};
    frame[0] = static_cast<char>(depth);
    return depth == 0 ? 0 : deeper(depth - 1) + frame[0];
}

// The first line is a handle, and the second says whose it is.
class says_who : public testing::MatcherInterface<const std::string &> {
public:
    bool MatchAndExplain(const std::string &said, testing::MatchResultListener *) const override {
        const std::string handle = said.substr(0, said.find('\n'));
        return said.find("\nsaguaro: nano-thread " + handle + " overflowed ") != said.npos;
    }
    void DescribeTo(std::ostream *out) const override { *out << "names the thread"; }
};

TEST(nanothreads_death, a_stack_that_is_too_small) {
    const auto too_deep = [] {
        std::fprintf(stderr, "%p\n", static_cast<void *>(self()));
        deeper(100'000);
    };
    EXPECT_EXIT(run([&] { fork(too_deep); }), testing::KilledBySignal(SIGSEGV),
                testing::Matcher<const std::string &>(new says_who));
    EXPECT_EXIT(run([&] { fork(too_deep); }), testing::KilledBySignal(SIGSEGV),
                " overflowed its stack of [0-9]* bytes; "
                "SAGUARO_NANOTHREADS_STACK_SIZE=BYTES makes it larger\n");
}

TEST(nanothreads_death, a_frame_larger_than_the_guard) {
    EXPECT_EXIT(run([] {
                    fork([] {
                        std::fprintf(stderr, "%p\n", static_cast<void *>(self()));
                        saguaro::test_support::step_over_the_guard();
                    });
                }),
                testing::KilledBySignal(SIGSEGV),
                testing::Matcher<const std::string &>(new says_who));
}

#if !defined(SG_TEST_EMULATED) // the limit would be the emulator's
// Address space of a gigabyte, and stacks that need more of it.
TEST(nanothreads_death, no_memory) {
    const auto with_little = [](const char *design, auto f) {
        const rlimit little{std::size_t{1} << 30, std::size_t{1} << 30};
        if (setrlimit(RLIMIT_AS, &little) != 0)
            std::exit(1);
        options chosen{};
        chosen.design = design;
        chosen.processors = 1;
        chosen.stack_bytes = 1 << 24;
        f(chosen);
    };
    const auto create_many = [](const options &chosen) {
        run(chosen, [] {
            for (int i = 0; i < 1000; ++i)
                if (sg_nt_fork(no_work, nullptr) == nullptr)
                    std::exit(errno == ENOMEM ? 3 : 1);
        });
    };
    const auto begin_many = [](const options &chosen) {
        run(chosen, [] {
            for (int i = 0; i < 1000; ++i)
                fork([] { block(); });
            join();
        });
    };
    EXPECT_EXIT(with_little("dos", create_many), testing::ExitedWithCode(3), "");
    EXPECT_EXIT(with_little("dsr", begin_many), testing::ExitedWithCode(2),
                "^saguaro: nano-threads: no memory for the stack of a nano-thread that is to "
                "begin: too many others have begun and wait\n$");
}
#endif
#endif

} // namespace

} // namespace saguaro::nt
