// SPDX-License-Identifier: MIT
// The steps of one scope.spawn. They are compiled into the spawning function, because a call into
// the library for each step would cost more than the steps themselves. For scope.hpp; programs use
// that.
//
//     on the parent's stack   attach_child    a stack for the child, if none is left from before
//                             start_child     leave the parent, go on with the child
//     on the child's          publish_parent  thieves may take the parent from now on
//                             end_child       the parent goes on, unless a thief has it
//
// Between parent and child there are two calls: start_child's, and that of the spawned function.
// With more calls the processor would lose count of its return addresses sooner in deep recursions.
//
// The child finds what it needs of its parent through the region's deque, which is the parent's
// until publish_parent and the child's own from then on. The parent may go on before the child
// ends. src/scheduler/README.md has the protocol.
//
// C++14 without any header of the standard library, because cilk_cxx.hpp includes it.
#pragma once

#include "saguaro/detail/frame.h"
#include "saguaro/detail/integers.h"
#include "saguaro/detail/region.h"
#include "saguaro/detail/sanitizers.h"
#include "saguaro/detail/standard_library.hpp"
#include "saguaro/detail/stealable.hpp"

#include <stddef.h>

// Whether a spawn changes stacks where it stands. Sanitizers are told of each change by the
// library, and other processors' way is out of line.
#if defined(__x86_64__) && !defined(SG_GENERIC) && !SG_THREAD_SANITIZER && !SG_ADDRESS_SANITIZER
#define SG_INLINE_START 1
#endif

namespace saguaro {

// Where a flow of control was left: the runtime's.
namespace stacks {
struct context;
}

namespace detail {

// What the runtime keeps of a scope once a thief has taken a continuation in it, or a child of it
// has thrown.
struct scope_record;

// A group of children, as the runtime sees it: the head of a scope (scope.hpp), or of the frame of
// a translated function (cilk_cxx.hpp). Only the flow that owns it counts up. A thief that takes a
// continuation, or a child that throws, gives it a record.
class scope_head {
public:
    // Null while no thief has taken a continuation and no child has thrown. For the flow that owns
    // the scope. Relaxed: the flow that made the record has been continued, or was waited for, by
    // this flow since.
    scope_record *record() const { return __atomic_load_n(&record_, __ATOMIC_RELAXED); }

    // For other flows. Acquire: pairs with give_record; the record is built.
    scope_record *record_of_others() const { return __atomic_load_n(&record_, __ATOMIC_ACQUIRE); }

    // Gives the scope the record `fresh` unless it has one. Returns the scope's record. Release and
    // acquire: the loser finds the winner's record built.
    scope_record *give_record(scope_record *fresh) {
        scope_record *there = nullptr;
        return __atomic_compare_exchange_n(&record_, &there, fresh, false, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE)
                   ? fresh
                   : there;
    }

    // Takes the record away. Relaxed: no other flow looks for it any more.
    scope_record *take_record() { return __atomic_exchange_n(&record_, nullptr, __ATOMIC_RELAXED); }

    // The number of the child that was spawned last, plus one.
    sg_uint64 spawned() const { return spawned_; }

protected:
    // A scope has a home, the deque of the flow that owns it; a frame needs none.
    explicit scope_head(sg_deque *home) : home_(home) {}
    scope_head() {}
    ~scope_head() = default;
    scope_head(const scope_head &) = delete;
    scope_head &operator=(const scope_head &) = delete;

    // The next child is being spawned.
    void count_child() { ++spawned_; }

    sg_deque *home() const { return home_; }

private:
    sg_deque *home_;
    scope_record *record_ = nullptr;
    sg_uint64 spawned_ = 0;
};

// A task of a task_group that runs (task_group.hpp), or none.
struct task_node {
    void *of;         // the group
    task_node *outer; // the task whose flow has run this one; it ends later
    unsigned depth;   // how many tasks it is in that wait for it, itself included
};

// That a flow is in none.
extern task_node no_task;

// The part of a deque that spawns work with, besides that of C clones; the runtime keeps more
// behind it, and the stack's descriptor before it. Touched by the flow on the stack, by its child
// before publish_parent, and by a thief that has taken the flow while it was suspended.
struct spawn_deque : sg_deque {
    // The scope whose spawn has suspended the flow last.
    scope_head *spawning;
    // The deque of the stack that the flow's next child runs on, or on which one runs: null before
    // the first. It stays from one child to the next, so that a spawn neither takes a stack nor
    // gives one back.
    spawn_deque *spawned;
    // The task that the flow is in.
    task_node *task;
    // The records of this flow's scopes that have strands out, youngest first. Touched by the flow,
    // and by a thief while the flow is suspended and its own.
    scope_record *scopes;
    // What is to be seen to when the flow goes on after a child, a bit each; most often nothing.
    unsigned char resume_flags;
};

// The part of a worker that spawns work with: pops of parents below this slot of its chain ask the
// runtime. Written under the chain's lock, by thieves and by the worker.
struct spawn_worker {
    void **exc; // atomic
};

// The first function on a child's stack. It returns the flow to go on with: null for the parent, or
// another.
using child_entry = stacks::context *(*)(void *argument);

// Bytes before a deque: the descriptor of its stack. It begins with the stack pointer of the flow
// that was left, and its address is the one to begin with.
enum : ptrdiff_t { stack_descriptor_bytes = 64 };

// Gives `parent`, the deque of the flow that runs, the stack for its children, for start_child.
// False: there is none, or the caller is outside any worker. Or a sanitizer, which the caller was
// compiled without, is in the process: it would not be told of the change of stacks.
SG_BEGIN_STANDARD_LIBRARY
bool attach_child(spawn_deque &parent) noexcept;

// The same for start_child_by_call, which tells sanitizers.
bool attach_child_by_call(spawn_deque &parent) noexcept;
SG_END_STANDARD_LIBRARY

// The rest of publish_parent, if the parent has more than its stack: keeps that in `parent`, and
// leaves the worker with what the child begins with. False: the child shall not run.
bool save_parent_state(spawn_deque &parent) noexcept;

// The parent goes on after a child and has resume flags.
void handle_resume_flags(spawn_deque &parent) noexcept;

// Keeps the current exception as that of child number `key`.
void keep_error(scope_head &owner, sg_uint64 key) noexcept;

// Waits for the children of continuations that were taken.
void wait_for_scope(scope_record &record) noexcept;
// Waits as well, and rethrows the first exception.
void sync_scope(scope_record &record);
// The same for a scope whose home is `home`. Ends the program with one line in a flow that does not
// own it.
void sync_scope_of(const sg_deque *home, scope_record &record);
// Waits as well, and frees the record.
void free_scope(scope_record &record) noexcept;

// The rest of end_child, once the pop of `parent` has found `exc` raised: asks whether a thief has
// it.
stacks::context *end_child_by_lock(spawn_deque *parent) noexcept;

// In a handler, after publish_parent: the child has ended with the current exception.
void fail_child() noexcept;

// In a handler, before publish_parent: the child cannot begin. What its first function returns.
stacks::context *refuse_child() noexcept;

// The library's start_child and activate_deque, for those who do not have them inline.
void start_child_by_call(spawn_deque &parent, spawn_deque &child, child_entry entry,
                         void *argument) noexcept;
void activate_deque_by_call(spawn_deque &d) noexcept;

#if defined(SG_INLINE_START)

// Calls entry(argument) on the stack of `child`. Returns when the child has ended or the parent's
// continuation was taken, on whichever worker.
//
// The parent is left as every other flow is (src/stacks/x86_64/switch.S): on its stack, below the
// bytes that a function may use without moving the stack pointer, are the registers that a callee
// preserves and the address where it goes on. If the child returns null, all of them are as they
// were; r15, seldom used, has carried the stack pointer. The bottom of a backtrace is here.
[[gnu::always_inline]] inline void start_child(spawn_deque &parent, spawn_deque &child,
                                               child_entry entry, void *argument) {
    char *context = reinterpret_cast<char *>(&parent) - stack_descriptor_bytes;
    char *stack = reinterpret_cast<char *>(&child) - stack_descriptor_bytes;
    __asm__ __volatile__(
        "leaq -128(%%rsp), %%rsp\n\t"
        "leaq 2f(%%rip), %%rax\n\t"
        "pushq %%rax\n\t"
        "pushq %%rbp\n\t"
        "pushq %%rbx\n\t"
        "pushq %%r12\n\t"
        "pushq %%r13\n\t"
        "pushq %%r14\n\t"
        "pushq %%r15\n\t"
        "movq %%rsp, (%[context])\n\t"
        "movq %%rsp, %%r15\n\t"
#if defined(__GCC_HAVE_DWARF2_CFI_ASM)
        ".cfi_remember_state\n\t"
        ".cfi_undefined %%rip\n\t"
#endif
        "movq %[stack], %%rsp\n\t"
        "call *%[entry]\n\t"
        "testq %%rax, %%rax\n\t"
        "jz 1f\n\t"
        "movq (%%rax), %%rsp\n\t" // another flow
        "popq %%r15\n\t"
        "popq %%r14\n\t"
        "popq %%r13\n\t"
        "popq %%r12\n\t"
        "popq %%rbx\n\t"
        "popq %%rbp\n\t"
        "ret\n"
        "1:\n\t" // the parent, here
        "leaq 56(%%r15), %%rsp\n\t"
        "movq (%%r15), %%r15\n"
#if defined(__GCC_HAVE_DWARF2_CFI_ASM)
        "\t.cfi_restore_state\n"
#endif
        "2:\n\t" // the parent, gone on with by whoever took it
        "leaq 128(%%rsp), %%rsp"
        : "+D"(argument), [context] "+S"(context), [stack] "+d"(stack), [entry] "+c"(entry)
        :
        : "rax", "r8", "r9", "r10", "r11", "memory", "cc", "st", "st(1)", "st(2)", "st(3)", "st(4)",
          "st(5)", "st(6)", "st(7)", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
          "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#if defined(__AVX512F__)
          ,
          "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",
          "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5",
          "k6", "k7"
#endif
#if defined(__APX_F__)
          ,
          "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27", "r28",
          "r29", "r30", "r31"
#endif
    );
}

// Makes `d` the deque that thieves find at the worker of region `here`, and that code which runs
// pushes to. Release: pairs with worker::active.
inline void activate_deque(sg_region_header &here, spawn_deque &d) {
    __atomic_store_n(&here.deque, static_cast<sg_deque *>(&d), __ATOMIC_RELEASE);
}

#else

inline void start_child(spawn_deque &parent, spawn_deque &child, child_entry entry,
                        void *argument) {
    start_child_by_call(parent, child, entry, argument);
}

inline void activate_deque(sg_region_header &, spawn_deque &d) {
    activate_deque_by_call(d);
}

#endif

// The attach_child that belongs to start_child.
inline bool attach(spawn_deque &parent) noexcept {
#if defined(SG_INLINE_START)
    return attach_child(parent);
#else
    return attach_child_by_call(parent);
#endif
}

// Whether the flow that runs has more than its stack: what the C++ runtime knows of its exceptions,
// its node among the strands. `here` is the region of a worker.
inline bool has_flow_state(const sg_region_header &here) {
    void **const record = here.exceptions;
    return (reinterpret_cast<sg_uintptr>(record[0]) | reinterpret_cast<sg_uintptr>(record[1]) |
            reinterpret_cast<sg_uintptr>(here.strand_node)) != 0;
}

// On the child's stack, once it needs nothing more of the parent's: thieves may take the parent's
// continuation from now on. `site` is the spawn's, for sg_wake_for. False: the child shall not run,
// because it was cancelled.
inline bool publish_parent(const void *site) noexcept {
    sg_region_header *here = sg_region_here();
    spawn_deque &parent = *static_cast<spawn_deque *>(here->deque);
    bool runs = true;
    if (SG_UNLIKELY(has_flow_state(*here))) {
        runs = save_parent_state(parent);
        here = sg_region_here(); // the same; kept across the call, it would cost a register
    }
    // Before the push: the thief that takes the parent may give its spare stacks away.
    spawn_deque &child = *parent.spawned;
    void **const slot = here->chain;
    // Release: pairs with chain::oldest; the parent's context and deque are visible.
    __atomic_store_n(slot, static_cast<void *>(&parent), __ATOMIC_RELEASE);
    here->chain = slot + 1;
    // After the push: a thief that finds the child's deque must find its parents, too.
    activate_deque(*here, child);
    if (SG_UNLIKELY(pushes_are_heard()))
        sg_wake_for(site);
    return runs;
}

// The end of the child, after publish_parent: what its first function returns.
inline stacks::context *end_child() noexcept {
    sg_region_header &here = *sg_region_here();
    void **const slot = here.chain - 1;
    here.chain = slot;
    spawn_deque *const parent = static_cast<spawn_deque *>(*slot);
    // As sg_pop: the store, then the load; the thief's fence makes one of the two see the other.
    // Relaxed, both: the compiler's fence keeps them in order. On a worker that has gone on with
    // this flow after a join, `slot` is below all that its chain has, hence below `exc`.
    __atomic_store_n(slot, static_cast<void *>(nullptr), __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    const auto &worker = *reinterpret_cast<spawn_worker *>(here.worker);
    if (SG_UNLIKELY(__atomic_load_n(&worker.exc, __ATOMIC_RELAXED) > slot))
        return end_child_by_lock(parent);
    activate_deque(here, *parent);
    if (SG_UNLIKELY(parent->resume_flags != 0))
        handle_resume_flags(*parent);
    return nullptr;
}

} // namespace detail

} // namespace saguaro
