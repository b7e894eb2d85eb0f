// SPDX-License-Identifier: MIT
// The program of flows_test.py: reducers in virtual processors and in nano-threads. PROGRAM MODE
// PROCESSORS.
#include "process/modes.hpp"
#include "saguaro/detail/c_reducer.h"
#include "saguaro/nanothreads.hpp"
#include "saguaro/vthread.h"

#include <functional>
#include <memory>
#include <thread>

namespace {

using namespace process;

using sum = saguaro::reducer<saguaro::add<long>>;
using body = std::function<void()>;

constexpr long many = 20'000;

// ---- Two flows of either kind that run f() ----

void two_nanothreads(const body &f) {
    saguaro::nt::run({.processors = static_cast<unsigned>(number)}, [&] {
        for (int i = 0; i < 2; ++i)
            saguaro::nt::fork([&] { f(); });
        saguaro::nt::join();
    });
}

void *call_body(void *argument, sg_vp *) {
    (*static_cast<const body *>(argument))();
    return nullptr;
}

void create_two(void *argument, sg_vp *me) {
    sg_vthread threads[2];
    for (sg_vthread &each : threads)
        each = sg_vthread_create(call_body, argument, me);
    for (const sg_vthread &each : threads)
        sg_vthread_join(each, me);
}

void two_vps(const body &f) {
    sg_vms_options options{};
    options.cores = static_cast<unsigned>(number);
    check(sg_vthread_run(&options, create_two, const_cast<body *>(&f)) == 0, "sg_vthread_run");
}

using flows = void (*)(const body &);

// ---- What is refused ----

void share(flows two) {
    sum shared;
    two([&] {
        for (long i = 0; i < many; ++i)
            ++*shared;
    });
    std::printf("%ld\n", shared.get());
}

// A run that it has made and that is over changes nothing.
void share_after_a_run(flows two) {
    sum shared;
    two([&] {
        saguaro::run([&] { ++*shared; });
        ++*shared;
    });
}

// Made by one, used by the other.
void pass_on(flows two) {
    std::atomic<sum *> first{nullptr};
    two([&] {
        auto mine = std::make_unique<sum>();
        sum *of_the_first = nullptr;
        if (first.compare_exchange_strong(of_the_first, mine.get()))
            mine.release(); // for the other one
        else
            ++**of_the_first;
    });
}

const sg_monoid hits_monoid{[](void *view, void *) { *static_cast<long *>(view) = 0; },
                            [](void *left, void *right, void *) {
                                *static_cast<long *>(left) += *static_cast<long *>(right);
                            },
                            nullptr,
                            sizeof(long),
                            alignof(long),
                            nullptr,
                            "hits"};

void share_of_c(flows two) {
    sg_reducer hits;
    check(sg_reducer_create(&hits, &hits_monoid) == 0, "create");
    two([&] { ++*static_cast<long *>(sg_reducer_view(&hits)); });
}

// ---- What is not ----

// Each its own, also for runs of its own; and one for all in these runs.
void own(flows two) {
    sum shared;
    std::atomic<long> of_each{0};
    two([&] {
        sum mine;
        for (long i = 0; i < many; ++i)
            ++*mine;
        saguaro::run([&] {
            saguaro::parallel_for(0L, many, [&](long) {
                ++*mine;
                ++*shared;
            });
        });
        of_each += mine.get();
    });
    // The caller's thread, which may have been a processor, is outside again.
    ++*shared;
    std::printf("%ld %ld\n", of_each.load(), shared.get());
}

// Serial recursion, a thread of one's own, loops: as on any thread outside.
void as_outside(flows two) {
    std::atomic<long> right{0};
    two([&] {
        bool in_a_thread = false;
        std::thread([&] {
            sum of_the_thread;
            ++*of_the_thread;
            in_a_thread = of_the_thread.get() == 1 && saguaro::worker_id() == -1;
        }).join();
        right += in_a_thread && saguaro::worker_id() == -1 && fib_scope(12) == 144 &&
                 fib_invoke(12) == 144 && computes();
    });
    std::printf("%ld\n", right.load());
}

template <void (*what)(flows), flows two>
void with() {
    what(two);
}

constexpr mode modes[] = {{"share-nanothreads", with<share, two_nanothreads>},
                          {"share-vps", with<share, two_vps>},
                          {"after-a-run-nanothreads", with<share_after_a_run, two_nanothreads>},
                          {"after-a-run-vps", with<share_after_a_run, two_vps>},
                          {"pass-on-nanothreads", with<pass_on, two_nanothreads>},
                          {"pass-on-vps", with<pass_on, two_vps>},
                          {"c-nanothreads", with<share_of_c, two_nanothreads>},
                          {"c-vps", with<share_of_c, two_vps>},
                          {"own-nanothreads", with<own, two_nanothreads>},
                          {"own-vps", with<own, two_vps>},
                          {"as-outside-nanothreads", with<as_outside, two_nanothreads>},
                          {"as-outside-vps", with<as_outside, two_vps>}};

} // namespace

int main(int argc, char **argv) {
    return run_mode(modes, argc, argv);
}
