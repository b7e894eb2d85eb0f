// SPDX-License-Identifier: MIT
// In step k each member sends to the one k further and receives from the one k before, around the
// circle: n (n - 1) messages, n - 1 of them one after the other, and no member gets two at once.
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

void alltoall_pairwise(transport &t, const_bytes from, bytes to) {
    const unsigned n = t.members();
    const unsigned me = t.self();
    const std::size_t each = to.size() / n;
    pairwise(me, n, 1U, [&](unsigned target, unsigned source) {
        t.exchange(target, from.subspan(target * each, each), source,
                   to.subspan(source * each, each));
    });
    copy_bytes(to.data() + me * each, from.data() + me * each, each);
}

} // namespace saguaro::channels
