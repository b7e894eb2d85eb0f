// SPDX-License-Identifier: MIT
// A team's records, and the channels that a member opens to another when it first sends.
#include "channels/collectives/team.hpp"

#include "channels/threads.hpp"
#include "spmc/lines.hpp"
#include "spmc/shared_list.hpp"
#include "spmc/waiting.hpp"

#include <cstdio>

namespace saguaro::channels {

namespace {

// What a pair's channel holds that has not been received, and a member's that all others read: four
// pieces of a message each. A team of 16 takes 60 MB at most in its pairs.
constexpr std::size_t pieces_under_way = 4;
constexpr std::size_t pair_piece = 64 * 1024;
constexpr std::size_t published_piece = 256 * 1024;

} // namespace

spmc::place make_team(job &all, unsigned members) {
    const spmc::place head = spmc::take_control(all, sizeof(team_head));
    const spmc::place slots = spmc::take_control(all, members * sizeof(spmc::slot));
    const spmc::place channels =
        spmc::take_control(all, std::size_t{members} * members * sizeof(std::uint32_t));
    if (head == 0 || slots == 0 || channels == 0)
        return 0;
    team_head &made = *all.at<team_head>(head);
    made.magic = team_magic;
    made.members = members;
    made.slots = slots;
    made.channels = channels;
    return head;
}

member::member(job &all, spmc::place team, unsigned number)
    : transport(all.at<team_head>(team)->members, number, pair_piece, published_piece), all_(all),
      team_(team), slots_(all.at<std::atomic<spmc::slot>>(all.at<team_head>(team)->slots)),
      channels_(all.at<std::atomic<std::uint32_t>>(all.at<team_head>(team)->channels)),
      outgoing_(members()), incoming_(members()), published_(members()), thread_(this_thread()) {
    spmc::slot nobody = 0;
    // Relaxed: it is only asked who it is, and hints follow from it.
    if (!slots_[number].compare_exchange_strong(nobody, all.self_slot(),
                                                std::memory_order_relaxed)) {
        char name[spmc::name_bytes];
        spmc::trap("team 0x%x has its member %u: %s space %s", team * 64U, number,
                   nobody == all.self_slot() ? "another thread of" : "it is",
                   spmc::name_of(nobody, name));
    }
}

void member::check_caller() const {
    if (thread_ != this_thread())
        spmc::trap("team 0x%x has its member %u: another thread of this space", team_ * 64U,
                   self());
}

int member::describe(char *text, std::size_t room) const {
    return std::snprintf(text, room, "%s of team 0x%x, member %u with member %u: ", function_,
                         team_ * 64U, self(), peer_);
}

std::atomic<std::uint32_t> &member::word_of(unsigned from, unsigned to) const {
    return channels_[std::size_t{from} * members() + to];
}

// Makes the channel to another member, or with its own number to all others.
sender &member::open(unsigned to) {
    const bool to_all = to == self();
    const std::size_t capacity = pieces_under_way * (to_all ? published_piece : pair_piece);
    const spmc::place made = make_channel(all_, to_all ? members() - 1 : 1, capacity);
    if (made == 0)
        spmc::give_up("no room for a channel of team 0x%x: the job has %zu bytes for all",
                      team_ * 64U, all_.control_bytes());
    outgoing_[to] = std::make_unique<sender>(all_, *all_.at<channel_head>(made));
    std::atomic<std::uint32_t> &word = word_of(self(), to);
    // Release pairs with the acquire in `find`: the channel.
    if ((word.exchange(made, std::memory_order_release) & awaits_channel) != 0)
        spmc::wake_all(word);
    return *outgoing_[to];
}

// Waits for the channel from one member to another, which is this one, or to all others if it is
// the same.
receiver &member::find(unsigned from, unsigned to) {
    std::atomic<std::uint32_t> &word = word_of(from, to);
    spmc::place made = 0;
    const auto look = [&](std::uint32_t &expected) {
        // Acquire pairs with the release in `open`.
        expected = word.load(std::memory_order_acquire);
        made = expected & ~awaits_channel;
        return made != 0;
    };
    spmc::awaited what{spmc::wait_kind::first_message, word, 0, team_ * spmc::unit_bytes};
    what.whose = &slots_[from];
    // Relaxed: `look` follows, and the producer exchanges the word.
    spmc::wait_until(what, look, [&] { word.fetch_or(awaits_channel, std::memory_order_relaxed); });
    incoming &in = from == to ? published_[from] : incoming_[from];
    const unsigned consumer = from == to ? (self() + members() - from - 1) % members() : 0;
    in.end = std::make_unique<receiver>(all_, *all_.at<channel_head>(made), consumer);
    return *in.end;
}

void member::send_on(std::unique_ptr<sender> &end, unsigned to, const_bytes data) {
    peer_ = to;
    sender &on = end ? *end : open(to);
    char *const where = on.reserve(data.size());
    copy_bytes(reinterpret_cast<std::byte *>(where), data.data(), data.size());
    on.publish();
}

const std::byte *member::take(incoming &in, unsigned from, unsigned to, std::size_t size) {
    peer_ = from;
    receiver &end = in.end ? *in.end : find(from, to);
    std::size_t sent = 0;
    const auto *const piece = reinterpret_cast<const std::byte *>(end.next(sent));
    if (sent != size)
        spmc::trap("expects %zu bytes and is sent %zu: the members' calls differ", size, sent);
    if (size > most_inline)
        return piece;
    copy_bytes(in.small, piece, size);
    return in.small;
}

void member::send_piece(unsigned to, const_bytes data) {
    send_on(outgoing_[to], to, data);
}

const std::byte *member::receive_piece(unsigned from, std::size_t size) {
    return take(incoming_[from], from, self(), size);
}

void member::done_with(unsigned from) {
    incoming_[from].end->done();
}

void member::publish_piece(const_bytes data) {
    if (members() > 1)
        send_on(outgoing_[self()], self(), data);
}

const std::byte *member::read_piece(unsigned from, std::size_t size) {
    return take(published_[from], from, from, size);
}

void member::done_reading(unsigned from) {
    published_[from].end->done();
}

} // namespace saguaro::channels
