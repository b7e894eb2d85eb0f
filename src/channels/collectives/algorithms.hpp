// SPDX-License-Identifier: MIT
// All algorithms of collectives, each in a file of its own name. All members of a team call the
// same one, with equal sizes and roots. README.md of the folder above says what each costs.
#pragma once

#include "channels/collectives/order.hpp"
#include "channels/collectives/transport.hpp"
#include "collectives/schedules.hpp"

namespace saguaro::channels {

// Nobody returns before all have called it.
using barrier_algorithm = void(transport &t);
barrier_algorithm barrier_flat, barrier_binomial, barrier_dissemination;

// All have what the root had in `data`.
using broadcast_algorithm = void(transport &t, unsigned root, bytes data);
broadcast_algorithm broadcast_flat, broadcast_binomial, broadcast_chain, broadcast_multicast;

// The root has in `to` the values of all, combined. `from` may be `to`, here and below; `to` is the
// root's only.
using reduce_algorithm = void(transport &t, unsigned root, const combination &op, const_bytes from,
                              bytes to);
reduce_algorithm reduce_flat, reduce_binomial, reduce_pairwise;

// All have them.
using allreduce_algorithm = void(transport &t, const combination &op, const_bytes from, bytes to);
allreduce_algorithm allreduce_flat, allreduce_binomial, allreduce_doubling, allreduce_ring,
    allreduce_multicast;

// Member r has those of members 0 to r.
using scan_algorithm = allreduce_algorithm;
scan_algorithm scan_flat, scan_chain, scan_doubling;

// The root has in `to` what each has in `from`, one behind the other.
using gather_algorithm = void(transport &t, unsigned root, const_bytes from, bytes to);
gather_algorithm gather_flat, gather_binomial;

// Each has in `to` its part of what the root has in `from`, which is the root's only.
using scatter_algorithm = gather_algorithm;
scatter_algorithm scatter_flat, scatter_binomial;

// Member r has at place s of `to` what member s had at place r of `from`. These are two arrays.
using alltoall_algorithm = void(transport &t, const_bytes from, bytes to);
alltoall_algorithm alltoall_flat, alltoall_pairwise, alltoall_bruck;

// ---- What several of them share ----

// Where part `i` of `size` bytes begins, if n members share them in whole units.
constexpr std::size_t part_begin(std::size_t size, std::size_t unit, unsigned i, unsigned n) {
    return size / unit * i / n * unit;
}

// Combines the values of all members, the caller's at `from`, which others send to it.
void combine_received(transport &t, const combination &op, const_bytes from, bytes to);

// Each member combines one part of all values and stores it in `to`; the other parts it sends.
void combine_own_part(transport &t, const combination &op, const_bytes from, bytes to);

using collectives::dissemination;
using collectives::down_the_tree;
using collectives::from_root;
using collectives::member_at;
using collectives::members_below;
using collectives::pairwise;
using collectives::up_the_tree;

} // namespace saguaro::channels
