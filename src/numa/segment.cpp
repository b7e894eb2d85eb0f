// SPDX-License-Identifier: MIT
// Mapping segments, binding them to a node and checking where their pages are.
#include "numa/segment.hpp"

#include "numa/machine.hpp"
#include "numa/system.hpp"
#include "platform/memory.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <optional>

namespace saguaro::numa {

segment *map_segment(std::size_t bytes, unsigned node_index) {
    void *const memory = platform::reserve_aligned(platform::round_to_pages(bytes), segment_bytes);
    if (memory == nullptr)
        return nullptr;
    auto *const made = new (memory) segment{};
    made->node_index = node_index;
    made->bytes = platform::round_to_pages(bytes);
    return made;
}

char *block_of(segment *whole) {
    return reinterpret_cast<char *>(whole) + platform::page_size();
}

int bind(void *p, std::size_t bytes, unsigned node_index) {
    const machine &here = machine::here();
    return here.has_one_node() ? 0 : calls.prefer(p, bytes, here.nodes()[node_index]);
}

void look_at(char *p, std::size_t bytes, unsigned node_index, survey *seen) {
    const machine &here = machine::here();
    constexpr std::size_t at_once = 512;
    const std::size_t page = platform::page_size();
    std::array<void *, at_once> pages{};
    std::array<int, at_once> nodes{};
    for (std::size_t begin = 0; begin < bytes; begin += at_once * page) {
        const std::size_t count = std::min(at_once, (bytes - begin) / page);
        for (std::size_t i = 0; i < count; ++i)
            pages[i] = p + begin + i * page;
        if (calls.nodes_of(count, pages.data(), nodes.data()) != 0) {
            // With one node there is nowhere else to be, and another call tells of presence.
            const std::optional<std::size_t> present =
                here.has_one_node() ? platform::pages_present(p + begin, count * page)
                                    : std::nullopt;
            seen->present += present.value_or(0);
            seen->unknown += present ? 0 : count;
            continue;
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (nodes[i] < 0)
                continue;
            ++seen->present;
            seen->elsewhere += nodes[i] != here.nodes()[node_index];
        }
    }
}

} // namespace saguaro::numa
