// SPDX-License-Identifier: MIT
// Sending and receiving on a channel: cells, back pressure and the checks of who owns an end.
#include "channels/channel.hpp"

#include "channels/threads.hpp"
#include "platform/sanitizer.hpp"
#include "spmc/lines.hpp"
#include "spmc/trace/record.hpp"
#include "spmc/waiting.hpp"

#include <algorithm>
#include <cstring>

namespace saguaro::channels {

namespace {

// Of a message. A negative number that became a size is more.
constexpr std::size_t most_bytes = std::size_t{1} << 47;

// The word of a cell that holds message `number`.
std::uint32_t round_of(std::uint64_t number) {
    return static_cast<std::uint32_t>((number / cells_in_channel + 1) * 2);
}

// How many messages there are, by the lower bits that a line has: at most so many fewer than `sent`
// as there are cells.
std::uint64_t received_by(std::uint32_t left, std::uint64_t sent) {
    const std::uint32_t behind = static_cast<std::uint32_t>(sent * 2) - (left & ~takes_no_more);
    return sent - behind / 2;
}

// Acquire pairs with the release in `receiver::done`: it has left what it has received.
std::uint32_t left_by(const consumer_line &line) {
    return line.left.load(std::memory_order_acquire);
}

// The ends of a channel, for lines.
constexpr const char *producer_end = "producer";
constexpr const char *consumer_end = "consumer of that number";

// Makes the calling space that end of the channel.
holding &claim(job &all, std::atomic<std::uint32_t> &slot, spmc::place channel, const char *end,
               std::uint32_t what) {
    std::uint32_t owner = 0;
    // Relaxed: it is only asked who it is, and hints follow from it.
    if (slot.compare_exchange_strong(owner, all.self_slot(), std::memory_order_relaxed))
        return note_holding(all, channel, what);
    if (owner == spmc::has_left)
        spmc::trap("channel 0x%x was freed by the space that made it", channel * 64U);
    char name[spmc::name_bytes];
    spmc::trap("channel 0x%x has its %s: it is space %s%s", channel * 64U, end,
               spmc::name_of(owner & ~spmc::has_left, name),
               (owner & spmc::has_left) != 0 ? ", which has freed it" : "");
}

void must_be_this_thread(std::uint64_t owner, spmc::place channel, const char *end) {
    if (owner != this_thread())
        spmc::trap("channel 0x%x has its %s: another thread of this space", channel * 64U, end);
}

// What who waits at one end of a channel tells about it: the other end's word, and who that is.
spmc::awaited message_from(std::atomic<std::uint32_t> &word,
                           const std::atomic<std::uint32_t> &whose, spmc::place channel) {
    spmc::awaited what{spmc::wait_kind::message, word, 0, channel * spmc::unit_bytes};
    what.whose = &whose;
    return what;
}

} // namespace

// ---- The producer ----

sender::sender(job &all, channel_head &head)
    : all_(all), head_(head), cells_(all.at<cell>(head_.cells)),
      lines_(all.at<consumer_line>(head_.lines)), data_(head, all.place_of(&head), all.enforces()),
      is_watched_(spmc::trace::mine != nullptr || all.enforces()),
      most_inline_(all.enforces() ? 0 : most_inline), thread_(this_thread()),
      noted_(claim(all, head_.slot, all.place_of(&head_), producer_end, the_producer)) {}

void sender::leave() {
    data_.unmap_all();
    give_up_end(all_, head_, noted_, head_.slot);
}

void sender::check_caller() const {
    must_be_this_thread(thread_, all_.place_of(&head_), producer_end);
}

// By those that have not closed their end; if all have, by the one that has received most. So the
// producer goes on until it has filled the channel for the consumer that was last to close, however
// early it learns of that: README.md, "Consumers that close".
std::uint64_t sender::least_received() {
    std::uint64_t least = sent_;
    std::uint64_t most_of_closed = 0;
    bool is_any_open = false;
    for (std::uint32_t i = 0; i < head_.consumers; ++i) {
        const std::uint32_t left = left_by(lines_[i]);
        const std::uint64_t received = received_by(left, sent_);
        if ((left & takes_no_more) != 0) {
            most_of_closed = std::max(most_of_closed, received);
        } else {
            least = std::min(least, received);
            is_any_open = true;
        }
    }
    return is_any_open ? least : most_of_closed;
}

// False, where it asks, if no consumer is left that makes room.
bool sender::wait_until_received(std::uint64_t messages) {
    const spmc::trace::wait shown(spmc::trace::kind::wait_room, all_.place_of(&head_), sent_);
    received_ = least_received();
    for (std::uint32_t i = 0; i < head_.consumers && received_ < messages; ++i) {
        consumer_line &line = lines_[i];
        const spmc::awaited what = message_from(line.received, line.slot, all_.place_of(&head_));
        const auto look = [&](std::uint32_t &expected) {
            expected = line.received.load(std::memory_order_acquire);
            const std::uint32_t left = left_by(line);
            return (left & takes_no_more) != 0 || received_by(left, sent_) >= messages;
        };
        // Relaxed: `look` follows, and the consumer exchanges the word.
        const auto mark = [&] { line.received.fetch_or(waiters, std::memory_order_relaxed); };
        if (asks_ != asks::gone)
            spmc::wait_until(what, look, mark);
        else if (!spmc::wait_unless_gone(what, look, mark))
            return lacks_consumers();
    }
    see_received();
    return received_ >= messages || lacks_consumers();
}

// False, or a line from who has not asked.
bool sender::lacks_consumers() {
    if (asks_ == asks::nothing)
        spmc::give_up("a message on channel 0x%x, whose consumers have closed it",
                      all_.place_of(&head_) * 64U);
    are_gone_ = true;
    return false;
}

void sender::see_received() {
    received_ = least_received();
    for (std::uint32_t i = 0; i < head_.consumers; ++i)
        platform::take_over(&lines_[i].received);
    room_until_ = received_ + cells_in_channel;
}

bool sender::make_room() {
    if (room_until_ == 0)
        spmc::trap("a message on channel 0x%x, which it has closed", all_.place_of(&head_) * 64U);
    return wait_until_received(sent_ - cells_in_channel + 1);
}

char *sender::reserve(std::size_t bytes) {
    if (sent_ >= room_until_ && !make_room()) [[unlikely]]
        return nullptr;
    cell &c = next_cell();
    is_reserved_ = true;
    if (bytes <= most_inline_) {
        c.bytes = static_cast<std::uint32_t>(bytes);
        return reinterpret_cast<char *>(c.data);
    }
    if (bytes > most_bytes)
        spmc::give_up("a message of %zu bytes on channel 0x%x: more than the system has addresses",
                      bytes, all_.place_of(&head_) * 64U);
    data_.received(all_, received_);
    while (const std::uint64_t needed = data_.needed()) {
        if (received_ < needed && !wait_until_received(needed)) {
            is_reserved_ = false;
            return nullptr;
        }
        data_.received(all_, received_);
    }
    if (data_.needs_another(bytes)) {
        see_received(); // one that is there already may be free
        data_.received(all_, received_);
    }
    c.bytes = is_elsewhere;
    return data_.take(all_, bytes, sent_, c.where);
}

char *sender::reserve_or_gone(std::size_t bytes) {
    return reserve_asking(asks::gone, bytes);
}

char *sender::reserve_asking(asks what, std::size_t bytes) {
    asks_ = what;
    char *const room = reserve(bytes);
    asks_ = asks::nothing;
    return room;
}

void sender::publish() {
    if (!is_reserved_)
        spmc::trap("sg_channel_publish on channel 0x%x without sg_channel_reserve",
                   all_.place_of(&head_) * 64U);
    // The last thing, so that the usual way saves no registers for the call.
    if (is_watched_) [[unlikely]]
        return publish_watched();
    publish_cell();
}

// What is done before a consumer can have the message.
void sender::publish_watched() {
    const cell &c = next_cell();
    if (spmc::trace::mine != nullptr)
        note(c);
    if (all_.enforces() && c.bytes == is_elsewhere)
        data_.protect_last();
    publish_cell();
}

inline void sender::publish_cell() {
    is_reserved_ = false;
    cell &c = next_cell();
    platform::hand_over(&c.round);
    // Release pairs with the acquire in `receiver::next`: the message.
    const std::uint32_t before = c.round.exchange(round_of(sent_), std::memory_order_release);
    ++sent_;
    if ((before & waiters) != 0) [[unlikely]]
        spmc::wake_all(c.round);
}

void sender::note(const cell &c) const {
    using spmc::trace::kind;
    const bool is_close = c.bytes == is_end;
    const std::uint64_t bytes = is_close ? 0 : c.bytes == is_elsewhere ? c.where.bytes : c.bytes;
    spmc::trace::note(is_close ? kind::close : kind::send, all_.place_of(&head_), sent_, bytes);
}

void sender::close() {
    const unsigned name = all_.place_of(&head_) * 64U;
    if (room_until_ == 0)
        spmc::trap("sg_channel_close on channel 0x%x, which it has closed", name);
    if (is_reserved_)
        spmc::trap("sg_channel_close on channel 0x%x between sg_channel_reserve and "
                   "sg_channel_publish",
                   name);
    // Consumers that are gone, as it was told, or have closed their ends need not learn it.
    if (reserve_asking(are_gone_ ? asks::gone : asks::closed, 0) != nullptr) {
        next_cell().bytes = is_end;
        publish();
    }
    room_until_ = 0;
}

// ---- A consumer ----

receiver::receiver(job &all, channel_head &head, std::uint32_t number)
    : all_(all), head_(head), cells_(all.at<cell>(head_.cells)),
      line_(all.at<consumer_line>(head_.lines)[number]), data_(all.place_of(&head), head.capacity),
      thread_(this_thread()),
      noted_(claim(all, line_.slot, all.place_of(&head_), consumer_end, first_consumer + number)) {}

void receiver::leave() {
    data_.unmap_all();
    give_up_end(all_, head_, noted_, line_.slot);
}

void receiver::check_caller() const {
    must_be_this_thread(thread_, all_.place_of(&head_), consumer_end);
}

// Wakes the producer if it waits for room.
void receiver::tell() {
    told_ = received_;
    // Release: a producer that sees the new word also sees `left`.
    const std::uint32_t before = line_.received.exchange(static_cast<std::uint32_t>(received_ * 2),
                                                         std::memory_order_release);
    if ((before & waiters) != 0) [[unlikely]]
        spmc::wake_all(line_.received);
}

void receiver::done() {
    if (!is_viewing_)
        return;
    is_viewing_ = false;
    ++received_;
    if (was_elsewhere_)
        data_.leave();
    platform::hand_over(&line_.received);
    // Release pairs with the acquire in `left_by`.
    line_.left.store(static_cast<std::uint32_t>(received_ * 2), std::memory_order_release);
    // The word that the producer sleeps on not for each small one. Relaxed: a producer that marks
    // it just now looks at `left` after a nap, or when this thread waits: `tell_all`.
    if (was_elsewhere_ || received_ - told_ >= cells_in_channel / 4 ||
        (line_.received.load(std::memory_order_relaxed) & waiters) != 0)
        tell();
}

const char *receiver::next(std::size_t &bytes) {
    return next_by(
        [](auto &...wait) {
            spmc::wait_until(wait...);
            return true;
        },
        bytes);
}

const char *receiver::next_or_gone(std::size_t &bytes, bool &is_gone) {
    is_gone = false;
    return next_by(
        [&](auto &...wait) {
            is_gone = !spmc::wait_unless_gone(wait...);
            return !is_gone;
        },
        bytes);
}

void receiver::close() {
    must_be_open();
    done();
    is_closed_ = true;
    data_.unmap_all();
    // Release pairs with the acquire in `left_by`: it reads nothing of any message any more.
    line_.left.fetch_or(takes_no_more, std::memory_order_release);
    tell();
}

void receiver::must_be_open() const {
    if (is_closed_) [[unlikely]]
        spmc::trap("a receive from channel 0x%x, whose consumer %td has closed it",
                   all_.place_of(&head_) * 64U, &line_ - all_.at<consumer_line>(head_.lines));
}

// The next message, for which wait(what, look, mark) waits; null if it returns false.
template <class Wait>
inline const char *receiver::next_by(Wait wait, std::size_t &bytes) {
    must_be_open();
    done();
    const cell &c = cells_[received_ % cells_in_channel];
    // The cell's word is the channel's, and this end may mark it.
    std::atomic<std::uint32_t> &word = const_cast<std::atomic<std::uint32_t> &>(c.round);
    const std::uint32_t wanted = round_of(received_);
    const auto look = [&](std::uint32_t &expected) {
        // Acquire pairs with the release in `sender::publish`.
        expected = word.load(std::memory_order_acquire);
        return (expected & ~waiters) == wanted;
    };
    std::uint32_t seen = 0;
    if (!look(seen)) {
        const spmc::awaited what = message_from(word, head_.slot, all_.place_of(&head_));
        const spmc::trace::wait shown(spmc::trace::kind::wait_message, all_.place_of(&head_),
                                      received_);
        // Relaxed: `look` follows, and the producer exchanges the word.
        const auto mark = [&] { word.fetch_or(waiters, std::memory_order_relaxed); };
        if (!wait(what, look, mark))
            return nullptr;
    }
    platform::take_over(&word);
    if (spmc::trace::mine != nullptr) [[unlikely]]
        note(c);
    was_elsewhere_ = c.bytes > most_inline;
    if (was_elsewhere_)
        return next_elsewhere(c, bytes);
    is_viewing_ = true;
    bytes = c.bytes;
    return reinterpret_cast<const char *>(c.data);
}

void receiver::note(const cell &c) const {
    if (c.bytes == is_end)
        return;
    const std::uint64_t bytes = c.bytes == is_elsewhere ? c.where.bytes : c.bytes;
    const auto number = static_cast<std::uint32_t>(&line_ - all_.at<consumer_line>(head_.lines));
    spmc::trace::note(spmc::trace::kind::receive, all_.place_of(&head_), received_, bytes, number);
}

const char *receiver::next_elsewhere(const cell &c, std::size_t &bytes) {
    if (c.bytes == is_end) {
        bytes = 0;
        return nullptr;
    }
    is_viewing_ = true;
    bytes = c.where.bytes;
    return data_.find(all_, c.where);
}

} // namespace saguaro::channels
