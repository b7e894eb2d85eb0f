// SPDX-License-Identifier: MIT
// All send to the root: n - 1 messages.
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

void gather_flat(transport &t, unsigned root, const_bytes from, bytes to) {
    if (t.self() != root) {
        t.send(root, from);
        return;
    }
    for (unsigned m = 0; m < t.members(); ++m) {
        const bytes into = to.subspan(m * from.size(), from.size());
        if (m == root)
            copy_bytes(into.data(), from.data(), from.size());
        else
            t.receive(m, into);
    }
}

} // namespace saguaro::channels
