// SPDX-License-Identifier: MIT
// Making channels, counting who has something of one, and giving their memory to later ones.
#include "channels/life.hpp"

#include "channels/per_process.hpp"
#include "spmc/children.hpp"
#include "spmc/lines.hpp"
#include "spmc/shared_list.hpp"
#include "spmc/spaces.hpp"
#include "spmc/tables.hpp"
#include "spmc/trace/record.hpp"

#include <bit>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <vector>

namespace saguaro::channels {

namespace {

using spmc::job;
using spmc::place;

constexpr std::size_t usual_capacity = std::size_t{1} << 20;

std::uint32_t order_of(std::uint32_t consumers) {
    return static_cast<std::uint32_t>(std::bit_width(consumers - 1));
}

std::atomic<std::uint64_t> &free_channels(const job &all, const channel_head &head) {
    return all.header().free_channels[order_of(head.room)];
}

// ---- What this space has ----

struct held {
    std::mutex lock; // guards the rest
    std::vector<holding *> unused;
    std::map<place, holding *> handles; // of the channels that it made
};

using holdings_here = per_process<held>;

[[gnu::constructor]] void renew_holdings_in_children() {
    holdings_here::renew_in_children();
}

held &what_it_has() {
    return holdings_here::get();
}

// More room in the list that others give back from when this space has ended. Under the lock.
void add_holdings(job &all, held &own) {
    spmc::holdings *made = spmc::take_first<spmc::holdings>(all, all.header().free_holdings);
    if (made == nullptr) {
        const place fresh = spmc::take_control(all, sizeof(spmc::holdings));
        if (fresh == 0)
            spmc::give_up("no room for what it has of channels: the job has %zu bytes for all",
                          all.control_bytes());
        made = all.at<spmc::holdings>(fresh);
    }
    // Relaxed, all: read when the process is gone, or by this space.
    made->next.store(all.self().holds.load(std::memory_order_relaxed), std::memory_order_relaxed);
    all.self().holds.store(all.place_of(made), std::memory_order_relaxed);
    for (holding &each : made->items)
        own.unused.push_back(&each);
}

// ---- The end of a channel ----

// It is as new: zeros.
void clear(job &all, channel_head &head) {
    cell *const cells = all.at<cell>(head.cells);
    // The cells were filled in order, and a consumer may have marked the next one. Relaxed, all
    // here: nobody else has anything of the channel.
    for (std::uint32_t i = 0;
         i < cells_in_channel && cells[i].round.load(std::memory_order_relaxed) != 0; ++i)
        cells[i].round.store(0, std::memory_order_relaxed);
    consumer_line *const lines = all.at<consumer_line>(head.lines);
    for (std::uint32_t i = 0; i < head.consumers; ++i) {
        lines[i].received.store(0, std::memory_order_relaxed);
        lines[i].slot.store(0, std::memory_order_relaxed);
        lines[i].left.store(0, std::memory_order_relaxed);
    }
    head.slot.store(0, std::memory_order_relaxed);
    head.consumers = 0;
}

// The pages of large messages; and if the handle may stay for long, those of the cells.
void give_back_content(job &all, channel_head &head, bool handle_may_stay) {
    // Relaxed, all: as in `clear`.
    place next = head.tables.exchange(0, std::memory_order_relaxed);
    while (next != 0) {
        spmc::table &each = *all.at<spmc::table>(next);
        next = each.next.load(std::memory_order_relaxed);
        spmc::release(all, each);
    }
    // While the handle is not given up the channel's place serves no other one. Where the call
    // fails, the memory stays.
    if (handle_may_stay && head.parts.load(std::memory_order_relaxed) > 1)
        static_cast<void>(fallocate(all.writable(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                    static_cast<off_t>(std::size_t{head.cells} * spmc::unit_bytes),
                                    static_cast<off_t>(cells_in_channel * sizeof(cell))));
}

// The ends, or the handle, are given up. What is last makes the place one for another channel.
void lose_part(job &all, channel_head &head) {
    // Acquire and release: the other part's last accesses come before the next channel.
    if (head.parts.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    clear(all, head);
    // A trace names channels by their places.
    if (spmc::trace::mine == nullptr)
        spmc::put_back(all, free_channels(all, head), head);
}

void lose_end(job &all, channel_head &head, bool handle_may_stay) {
    // Acquire and release: what others did with their ends comes before the memory's next use.
    if (head.ends.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    give_back_content(all, head, handle_may_stay);
    lose_part(all, head);
}

// Nobody takes that end any more, unless a space has it.
void close_unclaimed(job &all, channel_head &head, std::atomic<std::uint32_t> &slot) {
    std::uint32_t nobody = 0;
    // Release pairs with the acquire in `awaited::peer_has_left`.
    if (slot.compare_exchange_strong(nobody, spmc::has_left, std::memory_order_release,
                                     std::memory_order_relaxed))
        lose_end(all, head, false);
}

// ---- What spaces that have ended had ----

std::uint64_t item_of(place channel, std::uint32_t what) {
    return std::uint64_t{what} << 32 | channel;
}

void give_back(job &all, std::uint64_t item) {
    channel_head &head = *all.at<channel_head>(static_cast<place>(item));
    if (item >> 32 == the_handle)
        lose_part(all, head); // another space may know the channel, and still take an end
    else
        lose_end(all, head, true);
}

void give_back_all(job &all, spmc::slot whose) {
    // Relaxed, all: the process is gone, and each item is taken once.
    place next = all.space_in(whose).holds.exchange(0, std::memory_order_relaxed);
    while (next != 0) {
        spmc::holdings &each = *all.at<spmc::holdings>(next);
        for (holding &item : each.items)
            if (const std::uint64_t had = item.exchange(0, std::memory_order_relaxed))
                give_back(all, had);
        next = each.next.load(std::memory_order_relaxed);
        spmc::put_back(all, all.header().free_holdings, each);
    }
}

spmc::keepable &kept_at(const job &all, place what) {
    return all.at<channel_head>(what)->kept;
}

void drop_handle(job &all, place what) {
    channel_head &head = *all.at<channel_head>(what);
    consumer_line *const lines = all.at<consumer_line>(head.lines);
    const std::uint32_t consumers = head.consumers;
    close_unclaimed(all, head, head.slot);
    for (std::uint32_t i = 0; i < consumers; ++i)
        close_unclaimed(all, head, lines[i].slot);
    lose_part(all, head);
}

constexpr spmc::end_actions actions_of_channels{give_back_all, kept_at, drop_handle};

// Before a space can end: the parent may never use a channel itself.
[[gnu::constructor]] void tell_what_ends() {
    spmc::set_end_actions(actions_of_channels);
}

} // namespace

place make_channel(job &all, std::uint32_t consumers, std::size_t capacity) {
    const std::uint32_t room = std::bit_ceil(consumers);
    channel_head *made =
        spmc::take_first<channel_head>(all, all.header().free_channels[order_of(room)]);
    if (made == nullptr) {
        const place head = spmc::take_control(all, sizeof(channel_head));
        const place cells = spmc::take_control(all, cells_in_channel * sizeof(cell));
        const place lines = spmc::take_control(all, room * sizeof(consumer_line));
        if (head == 0 || cells == 0 || lines == 0)
            return 0;
        made = all.at<channel_head>(head);
        made->cells = cells;
        made->lines = lines;
        made->room = room;
    }
    made->consumers = consumers;
    made->capacity = capacity != 0 ? capacity : usual_capacity;
    {
        // A child that another thread is just beginning is counted, but may get a copy of what the
        // caller does with the handle: that thread has the lock until the child has its copy.
        const std::lock_guard guard(spmc::children_lock());
        made->kept.made_after = spmc::children_begun();
    }
    // Relaxed, both: others learn of the channel later.
    made->ends.store(consumers + 1, std::memory_order_relaxed);
    made->parts.store(2, std::memory_order_relaxed);
    const place where = all.place_of(made);
    holding &noted = note_holding(all, where, the_handle);
    held &own = what_it_has();
    {
        const std::lock_guard guard(own.lock);
        own.handles[where] = &noted;
    }
    spmc::trace::note_channel(where);
    return where;
}

holding &note_holding(job &all, place channel, std::uint32_t what) {
    held &own = what_it_has();
    const std::lock_guard guard(own.lock);
    if (own.unused.empty())
        add_holdings(all, own);
    holding &noted = *own.unused.back();
    own.unused.pop_back();
    // Relaxed: read when the process is gone.
    noted.store(item_of(channel, what), std::memory_order_relaxed);
    return noted;
}

namespace {

// A space that is killed behind this leaves memory that is never used again; the other way round,
// it would be given back twice.
void forget(holding &noted) {
    held &own = what_it_has();
    const std::lock_guard guard(own.lock);
    noted.store(0, std::memory_order_relaxed);
    own.unused.push_back(&noted);
}

bool has_handle(place channel) {
    held &own = what_it_has();
    const std::lock_guard guard(own.lock);
    return own.handles.contains(channel);
}

} // namespace

void give_up_end(job &all, channel_head &head, holding &noted, std::atomic<std::uint32_t> &slot) {
    forget(noted);
    // Release pairs with the acquire in `awaited::peer_has_left`: the last messages.
    slot.fetch_or(spmc::has_left, std::memory_order_release);
    lose_end(all, head, !has_handle(all.place_of(&head)));
}

void give_up_handle(job &all, place where) {
    held &own = what_it_has();
    holding *noted = nullptr;
    {
        const std::lock_guard guard(own.lock);
        const auto found = own.handles.find(where);
        if (found == own.handles.end())
            return;
        noted = found->second;
        own.handles.erase(found);
    }
    forget(*noted);
    spmc::drop_after_children(all, where, all.at<channel_head>(where)->kept);
}

} // namespace saguaro::channels
