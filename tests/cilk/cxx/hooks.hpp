// SPDX-License-Identifier: MIT
// What hand-translated C++ functions ask of the test around them, and what the test asks of them.
#pragma once

#include <atomic>
#include <functional>

namespace saguaro {
namespace test {
namespace cxx {

// In a child: returns when a thief has taken the parent.
void steal();
// Before the parent may be taken.
void expect_nothing_to_steal();
// Returns when `reached` is true.
void wait_for(const std::atomic<bool> &reached);

// Calls both; a thief has taken the second before the first begins.
void in_two_strands(const std::function<void()> &first, const std::function<void()> &second);

// Cilk Plus's and OpenCilk's reducers for C++ (reducers.cpp), each updated by four strands.
struct reducer_functions {
    void (*operators)();
    void (*extremes)();
    void (*containers)();
    void (*streams)();
    void (*own_monoids)();
    void (*holders)();
    void (*older_classes)();
};
extern const reducer_functions reducers;

// The functions of one compilation. Each checks what is said of it, and is called on a worker or
// outside of all.
struct functions {
    const char *standard;

    int (*fib)(int n);
    int (*invoked_fib)(int n);
    int (*initialised)(); // by a static initialiser that spawns
    void (*arguments_come_first)();
    void (*parameters_are_made_before_the_continuation)();
    void (*temporaries_live_until_the_child_ends)();
    void (*blocks_and_methods)();
    void (*moved)();
    void (*slots)();
    void (*locals_outlive_children)();
    void (*destructors_come_before_the_sync)();
    void (*templates)();
    int (*counted_children)(int n); // spawns n children: how many ran
    int (*counted_invoked)();       // the child of an invoke: whether it ran
    void (*results)();              // of enter
    void (*loops)();
    void (*ranges)();
    // With exceptions alone.
    void (*childs_exception)(bool steals);
    void (*first_exception)(bool steals);
    void (*refused_spawn)(bool steals);
    void (*failed_slot)(bool steals);
    void (*spawn_in_a_destructor)(bool steals);
    void (*invoked_exceptions)(bool steals);
    void (*loops_exception)();
    void (*thrown_outside)();
};

extern const functions as_cxx14;
extern const functions as_cxx20;
extern const functions without_exceptions;

} // namespace cxx
} // namespace test
} // namespace saguaro
