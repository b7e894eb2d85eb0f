// SPDX-License-Identifier: MIT
// Deriving clock bounds and the wait graph from the other hosts' reports.
#include "mpi/transport/picture.hpp"

#include <algorithm>

namespace saguaro::mpi::transport {

void rank_state::pack(packer &to) const {
    to.put(bound);
    to.put(least);
    to.put(candidate);
    to.put(hop);
    to.put(is_blocked);
    to.put(life);
    to.put_all(waits_for);
    to.put_all(sends);
    to.put_all(tells);
}

rank_state rank_state::unpack(unpacker &from) {
    rank_state s;
    s.bound = from.get<clock_value>();
    s.least = from.get<clock_value>();
    s.candidate = from.get<clock_value>();
    s.hop = from.get<std::uint32_t>();
    s.is_blocked = from.get<std::uint32_t>();
    s.life = from.get<std::uint32_t>();
    s.waits_for = from.get_all<std::uint64_t>();
    s.sends = from.get_all<numbered_send>();
    s.tells = from.get_all<told_sender>();
    return s;
}

told_sender rank_state::told_to(std::uint32_t peer) const {
    const auto found = std::find_if(tells.begin(), tells.end(),
                                    [peer](const told_sender &t) { return t.peer == peer; });
    return found != tells.end() ? *found : told_sender{peer, 0, 0};
}

// Whether it was blocked with nothing on its way that anybody had sent when that one was seen.
bool picture::is_blocked(const shares &of, const wait_graph &in, std::uint32_t which) const {
    const rank_state &r = ranks[which];
    if (r.is_blocked == 0)
        return false;
    const std::uint32_t own = of.host_of(which);
    const bool is_some_unread = in.any_waited_for(which, [&](std::uint32_t x) {
        const std::uint32_t host = of.host_of(x);
        return host != own && hosts[own].received[host] < hosts[host].sent[own];
    });
    return !is_some_unread;
}

// Whether its synchronous sends to other hosts await receives that are still to be posted, or have
// been matched at `first` or later, which it has not been told.
bool picture::await_posts(std::uint32_t sender, clock_value &first) const {
    const std::vector<numbered_send> &sends = ranks[sender].sends;
    return std::all_of(sends.begin(), sends.end(), [&](const numbered_send &send) {
        const rank_state &receiver = ranks[send.peer];
        const told_sender told = receiver.told_to(sender);
        if (told.untold != 0)
            first = std::min(first, told.untold);
        return receiver.bound >= forever || told.unmatched >= send.number;
    });
}

void picture::derive(const shares &of, wait_graph &in, clock_bounds &out) const {
    const std::uint32_t n = of.ranks();
    in.begin(n);
    for (std::uint32_t r = 0; r < n; ++r) {
        const rank_state &s = ranks[r];
        in[r] = {0, s.bound, s.least, s.candidate, s.hop, false};
        if (s.is_blocked == 0)
            continue;
        std::copy(s.waits_for.begin(), s.waits_for.end(), in.waits_of(r));
        in[r].is_blocked = is_blocked(of, in, r) && await_posts(r, in[r].candidate);
    }
    in.derive(n, out);
}

} // namespace saguaro::mpi::transport
