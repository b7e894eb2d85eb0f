// SPDX-License-Identifier: MIT
// The C type of a handle in an ABI whose handles are pointers, chosen by the core's.
#pragma once

#include "mpi/core/interface/handles.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace saguaro::mpi::faces {

template <class kind, class... kinds>
constexpr std::size_t place_among() {
    std::size_t place = 0;
    static_cast<void>(((std::is_same_v<kind, kinds> || (++place, false)) || ...));
    return place;
}

// The face's types in the order of the core's: comm, group, datatype, request, op, errhandler,
// info, win, file, session, message.
template <class kind, class... face_types>
using pointer_of =
    std::tuple_element_t<place_among<kind, comm, group, datatype, request, op, errhandler, info,
                                     win, file, session, message>(),
                         std::tuple<face_types...>>;

} // namespace saguaro::mpi::faces
