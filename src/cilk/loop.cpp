// SPDX-License-Identifier: MIT
// Loops of C: range.cpp's frames, with blocks of iterations for steps.
#include "saguaro/cilk_abi.h"
#include "saguaro/parallel_for.hpp"

#include "hyperobjects/fatal.hpp"
#include "platform/sanitizer.hpp"

#include <cstdint>

namespace saguaro::cilk {

namespace {

struct c_loop {
    void (*body)(void *captured, std::uint64_t first, std::uint64_t last);
    void *captured;
    detail::blocks cut;

    void operator()(std::uint64_t block) const { body(captured, cut.begin(block), cut.end(block)); }
    void finish() {}
};

} // namespace

} // namespace saguaro::cilk

extern "C" void sg_for(sg_deque *deque, sg_frame **tail,
                       void (*body)(void *captured, uint64_t first, uint64_t last), void *captured,
                       uint64_t count, uint64_t grain) {
    using namespace saguaro;
    const cilk::c_loop loop{body, captured, {count, {grain}}};
    // Each part begins with a push, which is the library's here: ThreadSanitizer does not see it.
    const auto make = [&] {
        if (platform::is_handing_over_watched()) [[unlikely]]
            platform::hand_over(detail::free_slot(SG_REGION_GET(sg_deque *, deque)));
        return loop;
    };
    if (deque == nullptr || detail::has_strand_node())
        detail::run_loop(loop.cut.count, make);
    else if (count != 0)
        detail::part_loop(make).run_here(deque, tail, 0, loop.cut.count);
}

extern "C" void sg_refuse_step(void) {
    saguaro::hyperobjects::fatal_once("the step of a cilk_for is 0");
}
