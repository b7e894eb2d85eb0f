// SPDX-License-Identifier: MIT
// The program of failures_test.py: instances that cannot go on, in every way there is. Prints what
// the run returned.
#include "saguaro/ssr.h"
#include "support/kernel_calls.hpp"
#include "support/long_frame.hpp"
#include "vms/bare.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <pthread.h>
#include <unistd.h>

namespace {

using namespace saguaro::vms;
namespace test_support = saguaro::test_support;

unsigned cores = 1;
unsigned slots = 1;

void print(int error) {
    std::printf("%s\n", error == 0 ? "0" : strerrorname_np(error));
}

// ---- SSR ----

// Codes of VPs live here: the first VP, which alone makes them, may be gone before others begin.
const vp_code &keep(vp_code code) {
    static std::deque<vp_code> all;
    return all.emplace_back(std::move(code));
}

sg_vp *create(vp_code code, sg_vp *me) {
    return sg_ssr_create(run_code, const_cast<vp_code *>(&keep(std::move(code))), me);
}

void run_ssr(const vp_code &code) {
    const sg_vms_options options = with_cores(cores, slots);
    print(sg_ssr_run(&options, run_code, const_cast<vp_code *>(&code)));
}

void deadlock() {
    run_ssr([](sg_vp *me) {
        create([me](sg_vp *other) { sg_ssr_receive_from_to(me, other); }, me);
        sg_ssr_receive_of_type(7, me);
    });
}

void deadlock_of_one() {
    run_ssr([](sg_vp *me) { sg_ssr_send_from_to(nullptr, me, me); });
}

void deadlock_of_many() {
    run_ssr([](sg_vp *me) {
        for (int i = 0; i < 20; ++i)
            create([](sg_vp *other) { sg_ssr_receive_of_type(1, other); }, me);
    });
}

// Each has a fork and wants the other's.
void philosophers() {
    run_ssr([](sg_vp *me) {
        static int forks[2];
        sg_vp *const other = create(
            [me](sg_vp *v) {
                sg_ssr_begin_transaction(&forks[1], v);
                sg_ssr_send_from_to(nullptr, v, me);
                sg_ssr_begin_transaction(&forks[0], v);
            },
            me);
        sg_ssr_begin_transaction(&forks[0], me);
        sg_ssr_receive_from_to(other, me);
        sg_ssr_begin_transaction(&forks[1], me);
    });
}

void returns_while_received_from() {
    run_ssr([](sg_vp *me) {
        sg_vp *const other = create([](sg_vp *v) { sg_ssr_receive_of_type(1, v); }, me);
        create([other](sg_vp *v) { sg_ssr_send_of_type_to(nullptr, v, 1, other); }, me);
        sg_ssr_receive_from_to(other, me);
    });
}

void returns_while_sent_to() {
    run_ssr([](sg_vp *me) {
        sg_vp *const other = create([](sg_vp *v) { sg_ssr_receive_of_type(1, v); }, me);
        create([other](sg_vp *v) { sg_ssr_send_of_type_to(nullptr, v, 1, other); }, me);
        sg_ssr_send_from_to(nullptr, me, other);
    });
}

void message_to_the_dissipated() {
    run_ssr([](sg_vp *me) {
        sg_vp *const other = create([me](sg_vp *v) { sg_ssr_send_from_to(nullptr, v, me); }, me);
        sg_ssr_receive_from_to(other, me);
        // It may run on another core still.
        const auto lives = [](void *v) {
            return sg_vms_is_live(static_cast<sg_vp *>(v)) != 0 ? v : nullptr;
        };
        while (sg_ssr_atomically(lives, other, me) != nullptr) {
        }
        sg_ssr_send_from_to(nullptr, me, other);
    });
}

void ends_in_a_transaction() {
    run_ssr([](sg_vp *me) { sg_ssr_begin_transaction(nullptr, me); });
}

void ends_another_transaction() {
    run_ssr([](sg_vp *me) {
        sg_ssr_begin_transaction(nullptr, me);
        sg_ssr_end_transaction(reinterpret_cast<void *>(16), me);
    });
}

void begins_twice() {
    run_ssr([](sg_vp *me) {
        sg_ssr_begin_transaction(nullptr, me);
        sg_ssr_begin_transaction(nullptr, me);
    });
}

void singleton_of_itself() {
    run_ssr([](sg_vp *me) {
        sg_ssr_singleton(
            nullptr,
            [](void *v) {
                return sg_ssr_singleton(
                    nullptr, [](void *) -> void * { return nullptr; }, nullptr,
                    static_cast<sg_vp *>(v));
            },
            me, me);
    });
}

void no_such_core() {
    run_ssr([](sg_vp *me) {
        sg_ssr_create_on(cores, run_code, const_cast<vp_code *>(&keep([](sg_vp *) {})), me);
    });
}

// ---- Any plug-in ----

void run_any(const vp_code &code, bare state = {}) {
    print(run_bare(with_cores(cores, slots), code, std::move(state)));
}

void resumed_twice() {
    run_any([](sg_vp *me) {
        ask(me, [](sg_vp *v) {
            sg_vms_resume(v);
            sg_vms_resume(v);
        });
    });
}

void resumed_while_animated() {
    run_any([](sg_vp *me) { tell(me, sg_vms_resume); });
}

void resumed_when_dissipated() {
    run_any([](sg_vp *me) {
        ask(me, [](sg_vp *v) {
            sg_vms_dissipate(v);
            sg_vms_resume(v);
        });
    });
}

void resumed_after_its_return() {
    bare state;
    state.when_returned = sg_vms_resume;
    run_any([](sg_vp *) {}, state);
}

void dissipated_while_animated() {
    run_any([](sg_vp *me) { tell(me, sg_vms_dissipate); });
}

void scheduled_while_blocked() {
    bare state;
    static sg_vp *blocked;
    state.scheduler = [](sg_vms *in, unsigned core) {
        return blocked != nullptr ? blocked : sg_vms_first_come(nullptr, in, core);
    };
    run_any(
        [](sg_vp *me) {
            tell(me, [](sg_vp *v) { blocked = sg_vms_create(v->instance, run_code, nullptr); });
            pause(me);
        },
        state);
}

void never_scheduled() {
    bare state;
    static bool refuses = false;
    state.scheduler = [](sg_vms *in, unsigned core) {
        return refuses ? nullptr : sg_vms_first_come(nullptr, in, core);
    };
    run_any(
        [](sg_vp *me) {
            refuses = true;
            pause(me);
        },
        state);
}

void plugin_fails() {
    run_any([](sg_vp *me) {
        ask(me, [](sg_vp *v) {
            sg_vms_fail(v->instance, EBUSY, "%s %d", "number", 1);
            sg_vms_fail(v->instance, EINVAL, "number 2");
        });
        std::puts("went on");
    });
}

// What the scheduler gives afterwards does not count.
void scheduler_fails() {
    bare state;
    static bool fails = false;
    state.scheduler = [](sg_vms *in, unsigned core) {
        if (fails)
            sg_vms_fail(in, EBUSY, "no more");
        return sg_vms_first_come(nullptr, in, core);
    };
    run_any(
        [](sg_vp *me) {
            fails = true;
            make(me, keep([](sg_vp *v) { pause(v); }));
            pause(me);
        },
        state);
}

// Others run when one fails: they stop at their next request, or send.
void fails_beside_others() {
    run_any([](sg_vp *me) {
        for (int i = 0; i < 10; ++i)
            make(me, keep([i](sg_vp *v) {
                     for (;;)
                         if (i % 2 == 0)
                             pause(v);
                         else
                             ask(v, [](sg_vp *w) { sg_vms_resume(w); });
                 }));
        for (int i = 0; i < 100; ++i)
            pause(me);
        tell(me, [](sg_vp *v) { sg_vms_fail(v->instance, EBUSY, "enough"); });
        std::puts("went on");
    });
}

void handler_asks() {
    run_any([](sg_vp *me) { ask(me, [](sg_vp *v) { pause(v); }); });
}

void ends_its_thread() {
    run_any([](sg_vp *) { pthread_exit(nullptr); });
}

void asks_for_another() {
    run_any([](sg_vp *me) {
        sg_vp *other = nullptr;
        tell(me, [&](sg_vp *v) { other = sg_vms_create(v->instance, run_code, nullptr); });
        pause(other);
    });
}

void steps_over_the_guard() {
    run_any([](sg_vp *) { saguaro::test_support::step_over_the_guard(); });
}

// VP 3, beside others that wait.
void overflows() {
    struct recursion {
        static int down(volatile int *up) {
            volatile int here[256] = {};
            here[0] = *up + 1;
            return here[0] == 0 ? 0 : down(here) + here[1];
        }
    };
    run_any([](sg_vp *me) {
        make(me, keep([](sg_vp *v) { ask(v, [](sg_vp *) {}); }));
        make(me, keep([](sg_vp *) {
                 volatile int top = 0;
                 recursion::down(&top);
             }));
        ask(me, [](sg_vp *) {});
    });
}

// A few stacks only.
void no_stacks() {
    run_any([](sg_vp *me) {
        instance_of_vp(me).stack_pool.limit(20);
        for (int i = 0; i < 100; ++i)
            make(me, keep([](sg_vp *v) { ask(v, [](sg_vp *) {}); }));
        for (;;)
            pause(me);
    });
}

// A core that waits sleeps, and is woken; so does the caller of the run. Prints how many slept
// without a time that was set.
void idle() {
    const vp_code elsewhere = [](sg_vp *) { std::puts("woken"); };
    const int others = static_cast<int>(cores) - 1;
    constexpr int caller = 1;
    int asleep = 0;
    run_any([&](sg_vp *me) {
        for (int left = 60'000; left > 0 && asleep != others + caller; --left, usleep(1000))
            asleep = test_support::sleeps.without_end;
        make(me, elsewhere, cores - 1);
    });
    std::printf("%d\n", asleep - caller);
}

struct mode {
    const char *name;
    void (*run)();
};

constexpr mode modes[] = {{"deadlock", deadlock},
                          {"deadlock-of-one", deadlock_of_one},
                          {"deadlock-of-many", deadlock_of_many},
                          {"philosophers", philosophers},
                          {"returns-while-received-from", returns_while_received_from},
                          {"returns-while-sent-to", returns_while_sent_to},
                          {"message-to-the-dissipated", message_to_the_dissipated},
                          {"ends-in-a-transaction", ends_in_a_transaction},
                          {"ends-another-transaction", ends_another_transaction},
                          {"begins-twice", begins_twice},
                          {"singleton-of-itself", singleton_of_itself},
                          {"no-such-core", no_such_core},
                          {"resumed-twice", resumed_twice},
                          {"resumed-while-animated", resumed_while_animated},
                          {"resumed-when-dissipated", resumed_when_dissipated},
                          {"resumed-after-its-return", resumed_after_its_return},
                          {"dissipated-while-animated", dissipated_while_animated},
                          {"scheduled-while-blocked", scheduled_while_blocked},
                          {"never-scheduled", never_scheduled},
                          {"plugin-fails", plugin_fails},
                          {"scheduler-fails", scheduler_fails},
                          {"fails-beside-others", fails_beside_others},
                          {"handler-asks", handler_asks},
                          {"asks-for-another", asks_for_another},
                          {"ends-its-thread", ends_its_thread},
                          {"overflows", overflows},
                          {"steps-over-the-guard", steps_over_the_guard},
                          {"no-stacks", no_stacks},
                          {"idle", idle}};

} // namespace

// failures MODE CORES [SLOTS]
int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    cores = static_cast<unsigned>(std::atoi(argv[2]));
    if (argc > 3)
        slots = static_cast<unsigned>(std::atoi(argv[3]));
    for (const mode &each : modes)
        if (std::strcmp(each.name, argv[1]) == 0) {
            each.run();
            return 0;
        }
    return 2;
}
