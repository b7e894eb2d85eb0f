// SPDX-License-Identifier: MIT
// The ends that a space has, by channel; and which of them the calling thread used last.
#include "channels/channel.hpp"
#include "channels/protection.hpp"
#include "channels/threads.hpp"
#include "spmc/lines.hpp"
#include "spmc/waiting.hpp"

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <pthread.h>
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

// Never destroyed: a thread may use a channel until the process is gone.
ends *current = nullptr;

// A child of a fork has none of its parent's ends. What they own is its parent's too, so it leaves
// them alone. Counted, so that no thread goes on with one that it used before the fork.
std::atomic<std::uint64_t> processes{1};

void forget_ends() {
    current = new ends;
    forget_all_messages();
    processes.fetch_add(1, std::memory_order_relaxed);
}

// Tells the producers what the calling thread has received and not told so far.
void tell_all() {
    const std::lock_guard guard(current->lock);
    for (const auto &[name, end] : current->receivers)
        if (end->is_of(this_thread()))
            end->tell_if_late();
}

ends &mine() {
    static std::once_flag once;
    std::call_once(once, [] {
        current = new ends;
        if (pthread_atfork(nullptr, nullptr, forget_ends) != 0)
            spmc::give_up("no memory for what is to be done at a fork");
        spmc::set_before_sleep(tell_all);
    });
    return *current;
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
    // Relaxed: only this process' one thread at a fork changes it.
    const std::uint64_t now = processes.load(std::memory_order_relaxed);
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
        ends &own = mine();
        const std::lock_guard guard(own.lock);
        channel_head &head = head_of(all, channel);
        return known_in(own.senders, channel, [&] { return std::make_unique<sender>(all, head); });
    });
}

receiver &receiver_of(spmc::place channel, std::uint32_t consumer) {
    return remember<receiver>(channel, consumer, [&]() -> receiver & {
        spmc::job &all = spmc::job::mine();
        ends &own = mine();
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
    // Another thread may remember it, also when the place is another channel's. Relaxed: that
    // thread learns of that channel later.
    if (end.thread() != this_thread())
        processes.fetch_add(1, std::memory_order_relaxed);
    end.leave();
}

} // namespace

// Does not look at the channel before it knows that the space has something of it: without that the
// place may be nobody's by now, or another channel's.
void free_channel(spmc::place channel) {
    spmc::job &all = spmc::job::mine();
    ends &own = mine();
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
