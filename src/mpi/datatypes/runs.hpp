// SPDX-License-Identifier: MIT
// Where the bytes of a stream lie, without copying them: for who moves them by other means, such as
// a file.
#pragma once

#include "mpi/datatypes/datatype.hpp"
#include "mpi/datatypes/layout.hpp"

#include <algorithm>
#include <cstdint>

namespace saguaro::mpi {

namespace layouts {

// Calls f(place, size) for each run of a part of the stream of one shape whose first byte is at
// `first`. False as soon as f is false.
template <class Function>
bool each_run(const node *shape, std::int64_t first, std::int64_t offset, std::int64_t bytes,
              Function &f) {
    if (shape == nullptr)
        return f(first + offset, bytes);
    const bool is_list = shape->what == node::kind::list;
    std::int64_t child = 0;
    if (is_list)
        child = std::upper_bound(shape->starts.begin(), shape->starts.end(), offset) -
                shape->starts.begin() - 1;
    else
        child = offset / shape->child_size;
    std::int64_t inside = offset - (is_list ? shape->starts[static_cast<std::size_t>(child)]
                                            : child * shape->child_size);
    for (; bytes != 0; ++child, inside = 0) {
        const auto at = static_cast<std::size_t>(child);
        const std::int64_t child_size =
            is_list ? shape->starts[at + 1] - shape->starts[at] : shape->child_size;
        const std::int64_t place =
            first +
            (shape->what == node::kind::strided ? child * shape->stride : shape->displacements[at]);
        const node *const below = !is_list                  ? shape->child.get()
                                  : shape->children.empty() ? nullptr
                                                            : shape->children[at].get();
        const std::int64_t next = std::min(bytes, child_size - inside);
        if (!each_run(below, place, inside, next, f))
            return false;
        bytes -= next;
    }
    return true;
}

} // namespace layouts

// Calls f(place, size) for each run of `bytes` of the stream of elements that lie one behind the
// other without end, from byte `offset` of the stream on, in the order of the stream. Places count
// from the address of the first element. Stops, and is false, as soon as f is false. The type has a
// size.
template <class Function>
bool each_run(const datatype_object &type, std::int64_t offset, std::int64_t bytes, Function f) {
    const layouts::placed &layout = type.layout();
    if (type.contiguous())
        return bytes == 0 || f(layout.first + offset, bytes);
    for (std::int64_t element = offset / layout.size, inside = offset % layout.size; bytes != 0;
         ++element, inside = 0) {
        const std::int64_t next = std::min(bytes, layout.size - inside);
        if (!layouts::each_run(layout.shape.get(), layout.first + element * type.extent(), inside,
                               next, f))
            return false;
        bytes -= next;
    }
    return true;
}

} // namespace saguaro::mpi
