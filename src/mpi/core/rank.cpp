// SPDX-License-Identifier: MIT
// How a rank begins, sends and ends.
#include "mpi/core/rank.hpp"

#include "mpi/core/clock/work.hpp"

namespace saguaro::mpi {

rank *rank::mine = nullptr;

rank::rank(world of, std::uint32_t me)
    : world_(of), me_(me), bounds_(world_, me, clock_), out_(world_, me), in_(world_, me),
      matcher_(world_, me, clock_, in_, out_, bounds_, counters),
      cancellation_(clock_, bounds_, matcher_),
      waiter_(world_, me, in_, bounds_, matcher_, counters) {}

void rank::send(std::uint32_t to, context_value context, std::int32_t tag, const typed_buffer &what,
                clock_value stamp, std::uint32_t number) {
    const auto bytes = static_cast<std::size_t>(what.bytes);
    const envelope e{stamp, me_, context, tag, number, bytes};
    ++counters.messages_sent;
    counters.bytes_sent += bytes;
    if (to == me_) [[unlikely]]
        matcher_.send_to_itself(e, what);
    else
        out_.send(e, to, what);
}

void rank::send_to_all(const std::vector<std::uint32_t> &to, context_value context,
                       std::int32_t tag, const typed_buffer &what, clock_value stamp,
                       std::uint32_t number) {
    const auto bytes = static_cast<std::size_t>(what.bytes);
    if (bytes <= most_in_ring || to.empty()) {
        for (const std::uint32_t each : to)
            send(each, context, tag, what, stamp, number);
        return;
    }
    counters.messages_sent += to.size();
    counters.bytes_sent += to.size() * bytes;
    out_.send_in_block(to, {stamp, me_, context, tag, number, bytes}, what);
}

void rank::send_synchronously(request_object &send) {
    matcher_.state().sends.add(send);
    this->send(send.peer, send.context, send.tag, send.buffer, send.posted, send.number);
}

void rank::finish() {
    work::end();
    clock_.advance_to(forever);
    world_.rank(me_).life.store(life::finished, std::memory_order_relaxed);
    publish();
    for (std::uint32_t r = 0; r < size(); ++r)
        wake_if_asleep(world_, r);
}

} // namespace saguaro::mpi
