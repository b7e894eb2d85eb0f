// SPDX-License-Identifier: MIT
#include "numa/whereabouts.hpp"

#include "numa/machine.hpp"
#include "numa/placed.hpp"
#include "numa/pool.hpp"
#include "platform/memory.hpp"

namespace saguaro::numa {

namespace {

whereabouts whole_block(const segment &of, spread how, int node) {
    const auto begin = reinterpret_cast<std::uintptr_t>(&of);
    return {begin + platform::page_size(), begin + of.bytes, how, node};
}

std::optional<whereabouts> in_placed(std::uintptr_t address) {
    std::optional<whereabouts> found;
    visit_placed(address, [&](const segment &of) {
        if (of.how != spread::otherwise) {
            found = whole_block(of, of.how, of.node);
            return;
        }
        const std::uintptr_t page = address & ~(platform::page_size() - 1);
        found = whereabouts{page, page + platform::page_size(), spread::one_node,
                            sg_node_of(reinterpret_cast<const void *>(address))};
    });
    return found;
}

} // namespace

std::atomic<void (*)(const void *begin, const void *end)> told_of_freed{nullptr};

std::optional<whereabouts> find(const void *p) {
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    if (const std::optional<whereabouts> placed = in_placed(address))
        return placed;
    const machine &here = machine::here();
    for (unsigned index = 0; index < here.nodes().size(); ++index) {
        std::optional<whereabouts> found;
        pool::of(index).visit(address, [&](const segment &of) {
            const int node = here.nodes()[index];
            if (of.class_of_unit[0] == whole_segment) {
                found = whole_block(of, spread::one_node, node);
                return;
            }
            const std::uintptr_t unit = address & ~(unit_bytes - 1);
            found = whereabouts{unit, unit + unit_bytes, spread::one_node, node};
        });
        if (found)
            return found;
    }
    return std::nullopt;
}

} // namespace saguaro::numa
