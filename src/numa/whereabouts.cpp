// SPDX-License-Identifier: MIT
// Looking an address up among the pools' segments and the placed blocks.
#include "numa/whereabouts.hpp"

#include "numa/machine.hpp"
#include "numa/placed.hpp"
#include "numa/pool.hpp"
#include "platform/memory.hpp"

#include <cerrno>

namespace saguaro::numa {

namespace {

whereabouts whole_block(const segment &of, spread how, int node) {
    const auto begin = reinterpret_cast<std::uintptr_t>(&of);
    return {begin + platform::page_size(), begin + of.bytes, how, node};
}

// The page of that address, on the node where the kernel says it is.
whereabouts page_of(std::uintptr_t address) {
    const std::uintptr_t page = address & ~(platform::page_size() - 1);
    const int errno_before = errno;
    const int node = sg_node_of(reinterpret_cast<const void *>(address));
    errno = errno_before;
    return node >= 0 ? whereabouts{page, page + platform::page_size(), spread::one_node, node}
                     : whereabouts{page, page + platform::page_size(), spread::otherwise, 0};
}

std::optional<whereabouts> in_placed(std::uintptr_t address) {
    std::optional<whereabouts> found;
    visit_placed(address, [&](const segment &of) { found = whole_block(of, of.how, of.node); });
    // A system call: not under the lock.
    return found && found->how == spread::otherwise ? page_of(address) : found;
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
                found = whole_block(of, spread::local, node);
                return;
            }
            const std::uintptr_t unit = address & ~(unit_bytes - 1);
            found = whereabouts{unit, unit + unit_bytes, spread::local, node};
        });
        if (found)
            return found;
    }
    return std::nullopt;
}

} // namespace saguaro::numa
