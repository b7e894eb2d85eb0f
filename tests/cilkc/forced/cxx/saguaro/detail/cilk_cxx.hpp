// SPDX-License-Identifier: MIT
// Compile a Cilk program in C++ with -I of the folder forced/cxx: its children then wait for a
// thief, now and then, where they begin and where they end, as forced/pop.c says.
#pragma once

#pragma GCC system_header

// What the header calls at a child's begin and end gets another name; then the functions of the
// first name, which wait.
#define sg_pop sg_plain_pop
#define push plain_push
#define publish_parent plain_publish_parent
#define end_child plain_end_child
#include "saguaro/detail/spawn.hpp"
#undef sg_pop
#undef push
#undef publish_parent
#undef end_child

extern "C" {
void sg_test_before_pop(sg_deque *deque, sg_frame **tail);
void sg_test_after_push(sg_deque *deque, sg_frame **tail);
void sg_test_before_end(void *exc, const void *slot);
void sg_test_after_publication(void *exc, const void *slot);
}

static inline int sg_pop(sg_deque *deque, sg_frame **tail) {
    sg_test_before_pop(deque, tail);
    return sg_plain_pop(deque, tail);
}

namespace saguaro {

namespace detail {

inline void push(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    plain_push(deque, tail, frame);
    sg_test_after_push(deque, tail);
}

inline bool publish_parent(const void *site) noexcept {
    const bool runs = plain_publish_parent(site);
    const sg_region_header &here = *sg_region_here();
    sg_test_after_publication(&reinterpret_cast<spawn_worker *>(here.worker)->exc, here.chain - 1);
    return runs;
}

inline stacks::context *end_child() noexcept {
    const sg_region_header &here = *sg_region_here();
    sg_test_before_end(&reinterpret_cast<spawn_worker *>(here.worker)->exc, here.chain - 1);
    return plain_end_child();
}

} // namespace detail

} // namespace saguaro

#include_next "saguaro/detail/cilk_cxx.hpp"
