// SPDX-License-Identifier: MIT
// An instance of a plug-in: the Master, its cores, its VPs. README.md has the protocol.
//
//     instance   plug-in, semantic state            constant
//                master lock, virtual time,         guarded by the lock: the Master's
//                ready queue of VPs placed nowhere,
//                cores that wait, descriptors, slabs
//        |
//        +-- core 0 .. cores-1, each with a controller: a kernel thread on its own stack
//               ready queue of VPs placed there     guarded by the lock
//               slots: VPs to be animated next      the core's own, but while it waits the Master's
//               wake word, spare stacks
//
// The Master has no thread of its own. Whoever needs it, a VP that makes a request, takes the
// master lock and does on its own stack what the Master would do (`visit`); it goes on, still with
// the lock, to the VP that the scheduler chose, which releases the lock when it has arrived: only
// then may others resume the VP that was left.
#pragma once

#include "hyperobjects/flows.hpp"
#include "platform/arch.hpp"
#include "platform/spin_lock.hpp"
#include "saguaro/vms.h"
#include "stacks/overflow.hpp"
#include "stacks/pool.hpp"
#include "vms/call.h"
#include "vms/slabs.hpp"
#include "vms/trace.hpp"
#include "vms/vp.hpp"

#include <array>
#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace saguaro::vms {

struct instance;

inline constexpr unsigned most_slots = 31; // with `wake` and `filled`, four cache lines

// A core's wake word.
enum wake_state : std::uint32_t { waits, sleeps, woken };

struct alignas(64) core {
    explicit core(instance &owner, unsigned number);

    // ---- The core's own: its controller's and the VPs' that it animates ----

    instance &owner;
    const unsigned number;
    vp *current = nullptr; // animated here; null: the controller runs
    // The owner while the thread does the Master's work, with the lock; null otherwise.
    const instance *master_of = nullptr;
    bool has_lock = false;          // this core holds the master lock
    bool is_leaving = false;        // the controller is to end
    unsigned next_slot = 0;         // slots before it have run
    stacks::stack *spare = nullptr; // for a VP that has none; there whenever the lock is held
    stacks::context controller;     // where it was left, while a VP runs
    // The C++ runtime's record of the exceptions of this core's thread, two words. They are those
    // of the VP that is animated, which may make a request in a handler: zeros for all others.
    void **exceptions = nullptr;
    stacks::cache stack_cache;

    // ---- The core's, and while it is in the list of those that wait the Master's ----

    alignas(64) std::atomic<std::uint32_t> wake{waits};
    unsigned filled = 0; // slots that hold VPs
    std::array<vp *, most_slots> slots;

    // ---- Guarded by the master lock ----

    alignas(64) ready_queue ready; // of VPs placed here
    core *next_waiting = nullptr;
    bool is_waiting = false;
    core *next_to_wake = nullptr;
};

// What an instance runs with.
struct choices {
    unsigned cores;
    unsigned slots;
    std::size_t stack_bytes;
    bool yields;
    std::int64_t spin_ns;
};

struct instance : sg_vms {
    instance(const sg_vms_plugin &plugin, void *state, const choices &chosen);
    instance(const instance &) = delete;
    instance &operator=(const instance &) = delete;

    // ---- Constant while it runs ----

    const sg_vms_plugin plugin; // it has a name; a null scheduler takes the first come
    void *const state;
    const unsigned core_count;
    unsigned slots;
    bool is_plain; // one slot, the scheduler is the first come, and nothing is recorded
    bool yields;   // more cores than the machine has: a controller that spins makes room
    std::int64_t spin_ns;
    // The caller's: each core has it while it animates no VP, and each VP at its begin.
    const std::uint64_t float_mode = platform::float_mode();
    const stacks::overflow_report overflow_report;
    const hyperobjects::flows_region region;
    stacks::pool stack_pool;
    std::vector<std::unique_ptr<core>> cores;

    // ---- The Master's: guarded by the lock ----

    alignas(64) platform::spin_lock lock;
    // The lock is needed: there is more than one core, or a hold. With one core that core's thread
    // alone reads it until there is a hold, and changes it.
    bool is_shared;
    bool has_stopped = false; // all cores are to leave
    int error = 0;
    std::uint64_t time = 0;
    // The time at the end of the Master's last visit, for those without the lock. Relaxed: it comes
    // with no other news.
    std::atomic<std::uint64_t> time_seen{0};
    std::size_t live = 0;     // VPs that are not dissipated
    std::size_t animated = 0; // of these, those that are in slots
    std::size_t ready = 0;    // of these, those in ready queues
    ready_queue anywhere;
    core *waiting = nullptr;            // the cores that wait, the latest first
    core *to_wake = nullptr;            // these have got something
    bool ask_placed = false;            // a VP became ready that is placed on a core that waits
    stacks::stack *abandoned = nullptr; // of dissipated VPs, linked by `next`
    bool has_rest = is_shared;          // a lock to release, or one of the latter two
    vp_store vps;
    slabs memory;
    std::unique_ptr<recorder> trace; // null: nothing is recorded

    // ---- What comes from outside: outside.cpp ----

    // The requester of what is posted: VP 0, which is never animated; null before the first hold.
    std::unique_ptr<char[]> outside_bytes;
    vp *outside = nullptr;
    // Calls of sg_vms_post that are announced and have not come. Changed under the lock.
    std::atomic<std::uint32_t> holds{0};
    // Threads inside sg_vms_post. The run waits for their leaving.
    std::atomic<std::uint32_t> visitors{0};
};

inline instance &instance_of(sg_vms *in) {
    return *static_cast<instance *>(in);
}

inline const instance &instance_of(const sg_vms *in) {
    return *static_cast<const instance *>(in);
}

// The thread of `c`, which has the lock, does the Master's work from here to there.
inline void begin_as_master(core &c) {
    c.master_of = &c.owner;
}

inline void end_as_master(core &c) {
    instance &in = c.owner;
    in.time_seen.store(in.time, std::memory_order_relaxed);
    c.master_of = nullptr;
}

// ---- master.cpp: what is done under the lock ----

// All that the Master does at once on behalf of core `c`: handles the requests of the VPs in its
// slots, which have all been suspended, and fills the slots again, of other cores as well.
void visit(core &c);

// Handles a request of a VP that goes on running on `c`.
void handle_now(core &c, vp &v, void *request);

// Fills slots of cores that wait.
void offer(instance &in);

// sg_vms_create and sg_vms_resume, for the first VP.
vp *create(instance &in, sg_vms_function function, void *argument);
void make_ready(instance &in, vp &v, bool first);

// Ends the instance: every core leaves when it next comes to the Master.
void stop(instance &in);

// No VP is animated, and so nothing will come to the Master any more, but from outside.
void end(instance &in);

// ---- outside.cpp: what comes from outside ----

// By the thread that runs the instance, when its cores have ended: waits for the posts that are
// announced, which can only be if the instance has failed, and says so.
void wait_for_outside(instance &in);

// ---- report.cpp: what is said when something is wrong ----

void fail(instance &in, int error, const char *format, ...) __attribute__((format(printf, 3, 4)));
void fail(instance &in, int error, const char *format, va_list arguments);

// What `v` asks for with `request`: the plug-in's words.
std::string describe(const instance &in, const vp &v, const void *request);

// All VPs are blocked: says who waits for what.
void fail_in_deadlock(instance &in);

// ---- core.cpp: what each core does ----

// Takes and releases the master lock on this core. `release` also wakes whom the Master has given
// something to do. Where there is one core, and so no lock, they are some instructions.
void lock_master(core &c);
void release_and_do_the_rest(core &c);

inline void acquire(core &c) {
    if (c.owner.is_shared)
        lock_master(c);
    c.has_lock = true;
}

inline void release(core &c) {
    if (c.owner.has_rest)
        release_and_do_the_rest(c);
    else
        c.has_lock = false;
}

// What each flow does when it has been continued.
inline void arrive(core &c) {
    if (c.has_lock)
        release(c);
}

// Refuses a call of `function`, which only handlers and schedulers of `in` may make, and its VPs if
// `vps_may`. Returns in those of another instance, which fails; a VP's instance fails and the VP
// goes no further; aborts with one line in any other thread.
void refuse_outside(const char *function, const sg_vms *in, bool vps_may = false);

// What the thread of core `c` does.
void control(core &c);

// Gives the waiting core what the Master put into its slots.
void wake(core &c);

// The core of the calling thread; null if it is none. Initial-exec: one load more than a constant,
// also in the shared library. For functions that never switch to another flow, and that no function
// inlines which does.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local core *this_core;

// The same for all others. Not inlined: a VP changes its thread, and no compiler is to keep the
// address of the variable.
core *core_of_this_thread();

// Whether the calling thread does the Master's work for `in`: it runs a handler or a scheduler.
// Only that thread writes what is read here. For functions as above.
[[gnu::always_inline]] inline bool is_master(const instance &in) {
    const core *const c = this_core;
    return c != nullptr && c->master_of == &in;
}

// While a VP's thread works for a run, or is a processor of nano-threads, it is no core: a request
// would take the stack of a flow that may have left for another thread.
void *set_core_aside();
void bring_core_back(void *core);

// While it lives, the calling thread, which is none of the instance's, does the Master's work as
// that core, which waits for its first VPs. Under the lock until the end.
class master_at {
public:
    explicit master_at(core &c);
    ~master_at();
    master_at(const master_at &) = delete;
    master_at &operator=(const master_at &) = delete;

private:
    core &as_;
    void *const aside_; // the core that the thread is itself: that of a VP which starts an instance
};

} // namespace saguaro::vms
