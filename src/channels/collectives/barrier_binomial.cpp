// SPDX-License-Identifier: MIT
// Up a binomial tree and down again: 2 (n - 1) messages, 2 log n of them one after the other.
#include "channels/collectives/algorithms.hpp"

namespace saguaro::channels {

void barrier_binomial(transport &t) {
    const auto hear = [&](unsigned member) { t.receive(member, {}); };
    const auto tell = [&](unsigned member) { t.send(member, {}); };
    up_the_tree(t.self(), t.members(), hear, tell);
    down_the_tree(t.self(), t.members(), hear, tell);
}

} // namespace saguaro::channels
