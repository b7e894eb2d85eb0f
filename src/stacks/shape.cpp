// SPDX-License-Identifier: MIT
// The sizes and addresses of the parts of a stack's block.
#include "stacks/shape.hpp"

#include "platform/memory.hpp"
#include "stacks/stack.hpp"

#include <algorithm>
#include <bit>

namespace saguaro::stacks {

namespace {

// Where the class leaves room, the whole stack lies some pages higher, in turn.
constexpr std::size_t page_colors = 64;

// Blocks side by side have numbers in turn.
std::size_t number_of(const char *block, std::size_t block_bytes) {
    return reinterpret_cast<std::uintptr_t>(block) / block_bytes;
}

// The pages above the frames' own: the end of the first frames, the descriptor, `extra` and the
// last word.
std::size_t top_bytes(std::size_t extra_bytes) {
    return platform::round_to_pages(first_frames_bytes + colors * color_bytes + sizeof(stack) +
                                    extra_bytes + sizeof(void *));
}

} // namespace

shape shape::for_frames(std::size_t stack_bytes, std::size_t extra_bytes, std::size_t kept_bytes) {
    const std::size_t frames = platform::round_to_pages(stack_bytes);
    const std::size_t guard =
        platform::round_to_pages(std::clamp(frames / 8, least_guard, largest_guard));
    return {std::bit_ceil(guard + frames + top_bytes(extra_bytes)), guard, frames, extra_bytes,
            kept_bytes};
}

shape shape::within(std::size_t block_bytes, std::size_t extra_bytes) {
    const std::size_t page = platform::page_size();
    const std::size_t top = top_bytes(extra_bytes);
    const std::size_t block = std::bit_ceil(std::max(block_bytes, 2 * page + top));
    const std::size_t guard = platform::round_to_pages(std::min(block / 8, least_guard));
    return {block, guard, block - guard - top, extra_bytes, extra_bytes};
}

std::size_t shape::slack_pages() const {
    return (block_bytes - guard_bytes - stack_bytes - top_bytes(extra_bytes)) /
           platform::page_size();
}

char *shape::guard_in(char *block) const {
    const std::size_t pages =
        number_of(block, block_bytes) % std::min(page_colors, slack_pages() + 1);
    return block + pages * platform::page_size();
}

std::size_t shape::used_bytes(char *block) const {
    const auto above_guard =
        static_cast<std::size_t>(block + block_bytes - guard_in(block)) - guard_bytes;
    return slack_pages() <= page_colors ? above_guard : stack_bytes + top_bytes(extra_bytes);
}

char *shape::descriptor_in(char *block) const {
    const std::size_t color = number_of(block, block_bytes) % colors * color_bytes;
    return guard_in(block) + guard_bytes + stack_bytes + first_frames_bytes + color;
}

} // namespace saguaro::stacks
