// SPDX-License-Identifier: MIT
// The ends that a space has, by channel; and which of them the calling thread used last.
#include "channels/channel.hpp"
#include "channels/per_process.hpp"
#include "channels/protection.hpp"
#include "channels/threads.hpp"
#include "spmc/lines.hpp"
#include "spmc/waiting.hpp"

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace saguaro::channels {

namespace {

using receiver_name = std::pair<spmc::place, std::uint32_t>;

struct ends {
    std::mutex lock; // guards the rest
    std::map<spmc::place, std::unique_ptr<sender>> senders;
    std::map<receiver_name, std::unique_ptr<receiver>> receivers;
};

void tell_before_sleep();

// A child of a fork leaves its parent's ends alone: what they own is the parent's.
using all_ends = per_process<ends, tell_before_sleep, forget_all_messages>;

[[gnu::constructor]] void renew_ends_in_children() {
    all_ends::renew_in_children();
}

// Tells the producers what the calling thread has received and not told so far.
void tell_all() {
    ends &own = all_ends::get();
    const std::lock_guard guard(own.lock);
    for (const auto &[name, end] : own.receivers)
        if (end->is_of(this_thread()))
            end->tell_if_late();
}

void tell_before_sleep() {
    spmc::set_before_sleep(tell_all);
}

// What the thread used last, at a place that the channel's name chooses.
template <class End>
struct used_last {
    std::uint64_t process = 0;
    spmc::place channel = 0;
    std::uint32_t number = 0;
    End *end = nullptr;
};
constexpr std::size_t remembered = 16;
template <class End>
thread_local std::array<used_last<End>, remembered> last_used{};

template <class End, class Find>
End &remember(spmc::place channel, std::uint32_t number, Find find) {
    used_last<End> &last = last_used<End>[(channel / 8 + number) % remembered];
    const std::uint64_t now = all_ends::number();
    if (last.process == now && last.channel == channel && last.number == number) [[likely]]
        return *last.end;
    End &found = find();
    found.check_caller();
    last = {now, channel, number, &found};
    return found;
}

// The channel, unless there is none of that name.
channel_head &head_of(spmc::job &all, spmc::place channel) {
    if (channel == 0 || channel >= all.control_bytes() / spmc::unit_bytes ||
        all.at<channel_head>(channel)->consumers == 0)
        spmc::give_up("there is no channel 0x%x", channel * 64U);
    return *all.at<channel_head>(channel);
}

// The end of that name in the list, made if it is new. If there is no memory for it the list stays
// as it was: the end's place in it is allocated before the end is made.
template <class Name, class End, class Make>
End &known_in(std::map<Name, std::unique_ptr<End>> &list, const Name &name, Make make) {
    if (const auto found = list.find(name); found != list.end())
        return *found->second;
    std::map<Name, std::unique_ptr<End>> fresh;
    const auto made = fresh.try_emplace(name).first;
    made->second = make();
    return *list.insert(fresh.extract(made)).position->second;
}

} // namespace

sender &sender_of(spmc::place channel) {
    return remember<sender>(channel, 0, [&]() -> sender & {
        spmc::job &all = spmc::job::mine();
        ends &own = all_ends::get();
        const std::lock_guard guard(own.lock);
        channel_head &head = head_of(all, channel);
        return known_in(own.senders, channel, [&] { return std::make_unique<sender>(all, head); });
    });
}

receiver &receiver_of(spmc::place channel, std::uint32_t consumer) {
    return remember<receiver>(channel, consumer, [&]() -> receiver & {
        spmc::job &all = spmc::job::mine();
        ends &own = all_ends::get();
        const std::lock_guard guard(own.lock);
        channel_head &head = head_of(all, channel);
        if (consumer >= head.consumers)
            spmc::give_up("channel 0x%x has %u consumers, from 0; there is no consumer %u",
                          channel * 64U, head.consumers, consumer);
        return known_in(own.receivers, receiver_name{channel, consumer},
                        [&] { return std::make_unique<receiver>(all, head, consumer); });
    });
}

namespace {

template <class End>
void forget_last_used(spmc::place channel) {
    for (used_last<End> &each : last_used<End>)
        if (each.channel == channel)
            each = {};
}

// Gives up an end that is in no list any more.
template <class End>
void leave(End &end) {
    // Another thread may remember it, also when the place is another channel's, of which that
    // thread learns later.
    if (end.thread() != this_thread())
        all_ends::next_number();
    end.leave();
}

} // namespace

// Does not look at the channel before it knows that the space has something of it: without that the
// place may be nobody's by now, or another channel's.
void free_channel(spmc::place channel) {
    spmc::job &all = spmc::job::mine();
    ends &own = all_ends::get();
    std::unique_ptr<sender> from;
    std::vector<std::unique_ptr<receiver>> to;
    {
        const std::lock_guard guard(own.lock);
        if (auto found = own.senders.extract(channel))
            from = std::move(found.mapped());
        const auto first = own.receivers.lower_bound({channel, 0});
        auto last = first;
        for (; last != own.receivers.end() && last->first.first == channel; ++last)
            to.push_back(std::move(last->second));
        own.receivers.erase(first, last);
    }
    forget_last_used<sender>(channel);
    forget_last_used<receiver>(channel);
    // A thread of this space may remember an end whatever becomes of the channel then.
    if (from)
        leave(*from);
    for (const auto &each : to)
        leave(*each);
    give_up_handle(all, channel);
}

} // namespace saguaro::channels
