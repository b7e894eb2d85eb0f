// SPDX-License-Identifier: MIT
// The set as an epoll descriptor, whose data are kind and index.
#include "event_set.hpp"

#include "programs.hpp"

#include <cerrno>

namespace saguaro::detmpiexec {

event_set::event_set() : descriptor_(epoll_create1(EPOLL_CLOEXEC)) {
    if (descriptor_ < 0)
        give_up("the system refuses to wait", errno);
}

void event_set::add(int watched, source kind, std::size_t index, std::uint32_t events) {
    epoll_event wanted{};
    wanted.events = events;
    wanted.data.u64 = std::uint64_t{index} << 32 | static_cast<std::uint32_t>(kind);
    if (epoll_ctl(descriptor_, EPOLL_CTL_ADD, watched, &wanted) != 0)
        give_up("the system refuses to wait", errno);
}

void event_set::remove(int watched) {
    epoll_ctl(descriptor_, EPOLL_CTL_DEL, watched, nullptr);
}

std::vector<event> event_set::wait(int milliseconds) {
    epoll_event found[64];
    const int count = epoll_wait(descriptor_, found, 64, milliseconds);
    if (count < 0 && errno != EINTR)
        give_up("the system refuses to wait", errno);
    std::vector<event> events;
    for (int i = 0; i < count; ++i)
        events.push_back({static_cast<source>(found[i].data.u64 & 0xffffffff),
                          static_cast<std::size_t>(found[i].data.u64 >> 32)});
    return events;
}

} // namespace saguaro::detmpiexec
