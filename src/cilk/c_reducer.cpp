// SPDX-License-Identifier: MIT
// A view of such a reducer is a pointer: to the program's variable, or to memory of its own.
#include "saguaro/detail/c_reducer.h"

#include "hyperobjects/ending.hpp"
#include "hyperobjects/fatal.hpp"
#include "hyperobjects/local.hpp"
#include "scheduler/worker.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

// AddressSanitizer keeps local variables away from the stack, if the program has it and asks for
// that.
extern "C" {
[[gnu::weak]] void *__asan_get_current_fake_stack();
[[gnu::weak]] void *__asan_addr_is_in_fake_stack(void *fake_stack, void *address, void **begin,
                                                 void **end);
}

namespace saguaro::cilk {

namespace {

[[noreturn]] void no_memory(std::size_t bytes) {
    std::fprintf(stderr, "saguaro: no memory for a reducer's view of %zu bytes\n", bytes);
    std::_Exit(1);
}

void *&target(void *view) {
    return *static_cast<void **>(view);
}

std::align_val_t alignment(const sg_hyper &h) {
    return std::align_val_t(std::max(h.alignment, alignof(std::max_align_t)));
}

void make_view(void *view, void *context) {
    sg_hyper &h = *static_cast<sg_hyper *>(context);
    void *const memory = ::operator new(h.size, alignment(h), std::nothrow);
    if (memory == nullptr)
        no_memory(h.size);
    if (h.identity != nullptr)
        h.identity(&h, memory);
    else
        h.plain_identity(memory);
    target(view) = memory;
}

void reduce(void *left, void *right, void *context) {
    sg_hyper &h = *static_cast<sg_hyper *>(context);
    if (h.reduce != nullptr)
        h.reduce(&h, target(left), target(right));
    else
        h.plain_reduce(target(left), target(right));
}

void destroy_view(void *view, void *context) {
    sg_hyper &h = *static_cast<sg_hyper *>(context);
    void *const memory = target(view);
    if (memory == sg_hyper_value(&h))
        return;
    if (h.destroy != nullptr)
        h.destroy(&h, memory);
    ::operator delete(memory, alignment(h));
}

void make_first_view(void *view, void *argument) {
    target(view) = sg_hyper_value(static_cast<sg_hyper *>(argument));
}

// Whether it is a local variable of a function that has not returned, on this very stack.
bool is_on_this_stack(sg_hyper *hyper) {
    if (&__asan_get_current_fake_stack != nullptr &&
        __asan_addr_is_in_fake_stack(__asan_get_current_fake_stack(), hyper, nullptr, nullptr) !=
            nullptr)
        return true;
    scheduler::deque *const flow = scheduler::current_deque();
    char *const here = reinterpret_cast<char *>(hyper);
    return flow != nullptr && here >= flow->home()->low && here < flow->home()->high();
}

} // namespace

} // namespace saguaro::cilk

using namespace saguaro;
using namespace saguaro::cilk;

extern "C" {

void sg_hyper_register(sg_hyper *hyper) {
    hyper->monoid = {make_view,       reduce,  destroy_view, sizeof(void *),
                     alignof(void *), nullptr, nullptr};
    if (sg_reducer_create_with(&hyper->reducer, &hyper->monoid, make_first_view, hyper) != 0)
        no_memory(hyper->size);
}

// Of strands that run at the same time all but one are not the serially first, so at least one of
// two that would lose each other's updates ends the program here. Without thieves a strand is the
// first, and the object a plain variable with the serial value. A strand's own local variable is
// one that it is yet to register, or has unregistered.
void *sg_hyper_unregistered(sg_hyper *hyper) {
    const hyperobjects::local *const here = hyperobjects::current_local();
    if (here != nullptr && !here->is_serially_first() && !is_on_this_stack(hyper)) [[unlikely]] {
        char message[160];
        std::snprintf(message, sizeof message,
                      "reducer at %p is updated in parallel but not registered: updates would be "
                      "lost; call CILK_C_REGISTER_REDUCER before the first spawn that uses it",
                      static_cast<void *>(hyper));
        hyperobjects::fatal_once(message);
    }
    return sg_hyper_value(hyper);
}

void sg_hyper_unregister(sg_hyper *hyper) {
    // Where it stays, a strand that has seen the key may just be about to use it.
    if (hyper->reducer.key == 0 || hyperobjects::stays_to_the_end(&hyper->reducer))
        return;
    sg_reducer_destroy(&hyper->reducer);
    hyper->reducer.key = 0;
}
}
