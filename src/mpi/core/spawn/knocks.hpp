// SPDX-License-Identifier: MIT
// Knocks: empty messages of the library's own, by which a rank learns who wants to meet it.
// README.md, "Ports".
#pragma once

#include "mpi/core/communicators/making.hpp"
#include "mpi/core/rank.hpp"

#include <cstdint>

namespace saguaro::mpi {

// Those that come to this rank with a number of `process::next_port`, from all ranks that there are
// and will be.
class knocks {
public:
    explicit knocks(int number);
    knocks(const knocks &) = delete;
    knocks &operator=(const knocks &) = delete;

    int number() const { return what_.tag; }
    // One that takes the first of them: from the ranks that there are now. It is not posted.
    const request_object &receive();
    // That the rank is blocked until one comes.
    void describe(blockage &out) const;

private:
    comm_object all_;
    request_object what_;
};

// The tag of the meeting of two ranks at a number of one of them, its owner. Both may have this
// number, and threads that meet at both at once.
inline int tag_of_meeting(int number, std::uint32_t owner, std::uint32_t other) {
    return tag_of_leaders(2 * number + (owner > other ? 1 : 0));
}

// At the present clock.
void knock(std::uint32_t owner, int number);

} // namespace saguaro::mpi
