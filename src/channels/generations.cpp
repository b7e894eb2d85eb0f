// SPDX-License-Identifier: MIT
// The tables that large messages live in: mapping, filling, reusing and giving them up.
#include "channels/generations.hpp"

#include "platform/arithmetic.hpp"
#include "spmc/lines.hpp"
#include "spmc/tables.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <utility>

namespace saguaro::channels {

namespace {

constexpr std::size_t least_generation = 64 * 1024;
constexpr std::size_t least_capacity = 2 * least_generation;
constexpr unsigned generations_in_capacity = 4;
constexpr std::size_t alignment = 64;
constexpr int writing = PROT_READ | PROT_WRITE;

// What a message begins with where protection is full, so that a producer that reads it before it
// writes finds the same in each run.
constexpr int unwritten = 0xa5;

using platform::round_up;

// Bytes of a generation, unless a message is larger, which then has one for itself.
std::size_t usual_bytes(std::size_t capacity) {
    return std::max(least_generation,
                    std::bit_ceil(round_up(capacity / generations_in_capacity, spmc::page_bytes)));
}

} // namespace

mapped map_table(spmc::job &all, spmc::table &of, spmc::place channel, bool produces) {
    const std::size_t bytes = of.pages * spmc::page_bytes;
    const int protection = all.enforces() ? PROT_NONE : produces ? writing : PROT_READ;
    void *const begin =
        mmap(nullptr, bytes, protection, MAP_SHARED | MAP_NORESERVE,
             produces ? all.writable() : all.readable(), static_cast<off_t>(of.data));
    if (begin == MAP_FAILED)
        spmc::give_up("the system refuses to map %zu bytes of a channel: %s", bytes,
                      std::strerror(errno));
    spmc::keep_out_of_copies(begin, bytes);
    watch_messages(static_cast<char *>(begin), bytes, channel, produces);
    return {&of, static_cast<char *>(begin), bytes};
}

void unmap_table(const mapped &m) {
    forget_messages(m.begin);
    munmap(m.begin, m.bytes);
}

namespace {

// The producer's list of the channel's tables, one step at a time: if it is killed in between, the
// list is whole, and one table at most is lost. Relaxed, all: others read it when no end is left.
void add_table(const spmc::job &all, channel_head &head, spmc::table &made) {
    made.next.store(head.tables.load(std::memory_order_relaxed), std::memory_order_relaxed);
    head.tables.store(all.place_of(&made), std::memory_order_relaxed);
}

void remove_table(const spmc::job &all, channel_head &head, const spmc::table &which) {
    const spmc::place wanted = all.place_of(&which);
    std::atomic<spmc::place> *at = &head.tables;
    while (at->load(std::memory_order_relaxed) != wanted)
        at = &all.at<spmc::table>(at->load(std::memory_order_relaxed))->next;
    at->store(which.next.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

} // namespace

out_generations::out_generations(channel_head &head, spmc::place channel, bool enforces)
    : head_(head), channel_(channel), enforces_(enforces), usual_(usual_bytes(head.capacity)),
      capacity_(std::max<std::size_t>(head.capacity, least_capacity)), messages_(cells_in_channel) {
    // Of two generations that follow each other, the first has no room for what is in the second:
    // so both have `usual_` bytes of messages, which are less than the capacity but for the last.
    // Their number depends on which end is faster. The addresses that malloc gives a program must
    // not depend on it, so the room for them is reserved here. With full protection each message
    // has pages of its own.
    const std::size_t most = enforces ? cells_in_channel : 2 * (capacity_ / usual_) + 4;
    under_way_.reserve(most);
    free_.reserve(most);
}

std::size_t out_generations::room_for(std::size_t bytes) const {
    return round_up(bytes, enforces_ ? spmc::page_bytes : alignment);
}

std::uint64_t out_generations::needed() const {
    std::size_t left = bytes_under_way_;
    if (left < capacity_)
        return 0;
    std::uint64_t at = first_;
    for (; left >= capacity_; ++at)
        left -= messages_[at % cells_in_channel].bytes;
    return messages_[(at - 1) % cells_in_channel].last;
}

bool out_generations::needs_another(std::size_t bytes) const {
    return under_way_.empty() ||
           room_for(bytes) > under_way_.back().pages.bytes - under_way_.back().used;
}

void out_generations::received(spmc::job &all, std::uint64_t messages) {
    for (; first_ != end_ && messages_[first_ % cells_in_channel].last <= messages; ++first_)
        bytes_under_way_ -= messages_[first_ % cells_in_channel].bytes;
    std::size_t left = 0;
    while (left < under_way_.size() && under_way_[left].last <= messages)
        ++left;
    for (std::size_t i = 0; i < left; ++i) {
        generation &g = under_way_[i];
        g.used = 0;
        if (g.pages.bytes == usual_)
            free_.push_back(g);
        else
            give_up(all, g);
    }
    under_way_.erase(under_way_.begin(), under_way_.begin() + static_cast<std::ptrdiff_t>(left));
}

void out_generations::begin_next(spmc::job &all, std::size_t bytes) {
    generation next;
    if (bytes <= usual_ && !free_.empty()) {
        next = free_.back();
        free_.pop_back();
    } else {
        const std::size_t size = round_up(std::max(bytes, usual_), spmc::page_bytes);
        spmc::table *const fresh = spmc::new_table(all, size / spmc::page_bytes);
        if (fresh == nullptr)
            spmc::give_up("no room for a message of %zu bytes: the job has %zu bytes for the state "
                          "of pages",
                          bytes, all.control_bytes());
        add_table(all, head_, *fresh);
        next.pages = map_table(all, *fresh, channel_, true);
    }
    under_way_.push_back(next);
}

char *out_generations::take(spmc::job &all, std::size_t bytes, std::uint64_t number,
                            elsewhere &out) {
    const std::size_t size = room_for(bytes);
    if (needs_another(bytes))
        begin_next(all, size);
    generation &g = under_way_.back();
    out = {g.used, bytes, all.place_of(g.pages.of)};
    char *const where = g.pages.begin + g.used;
    g.used += size;
    g.last = number + 1;
    // With full protection small messages are here too, and count no more than without.
    const std::size_t counted = bytes > most_inline ? bytes : 0;
    messages_[end_++ % cells_in_channel] = {g.last, counted};
    bytes_under_way_ += counted;
    if (enforces_)
        open(where, size);
    return where;
}

void out_generations::give_up(spmc::job &all, const generation &g) {
    if (last_.begin == g.pages.begin) // the only one in it
        last_ = {};
    unmap_table(g.pages);
    remove_table(all, head_, *g.pages.of);
    spmc::release(all, *g.pages.of);
}

void out_generations::unmap_all() {
    for (const generation &each : under_way_)
        unmap_table(each.pages);
    for (const generation &each : free_)
        unmap_table(each.pages);
    under_way_.clear();
    free_.clear();
}

void out_generations::open(char *where, std::size_t bytes) {
    protect_message(last_, PROT_NONE);
    last_ = {where, bytes};
    protect_message(last_, writing);
    std::memset(where, unwritten, bytes);
}

void out_generations::protect_last() const {
    protect_message(last_, PROT_READ);
}

in_generations::in_generations(spmc::place channel, std::size_t capacity)
    : channel_(channel), usual_(usual_bytes(capacity)) {
    known_.reserve(keep); // now, as those of the producer
}

const char *in_generations::find(spmc::job &all, const elsewhere &where) {
    spmc::table &of = *all.at<spmc::table>(where.of);
    auto found =
        std::find_if(known_.begin(), known_.end(), [&](const mapped &m) { return m.of == &of; });
    if (found == known_.end()) {
        if (known_.size() == keep) {
            unmap_table(known_.back());
            known_.pop_back();
        }
        known_.insert(known_.begin(), map_table(all, of, channel_, false));
    } else {
        std::rotate(known_.begin(), found, found + 1);
    }
    char *const begin = known_.front().begin + where.offset;
    if (all.enforces()) {
        viewed_ = {begin, where.bytes};
        protect_message(viewed_, PROT_READ);
    }
    return begin;
}

void in_generations::leave() {
    const message_at viewed = std::exchange(viewed_, {}); // none but with full protection
    if (known_.front().bytes > usual_) {
        unmap_table(known_.front());
        known_.erase(known_.begin());
    } else {
        protect_message(viewed, PROT_NONE);
    }
}

void in_generations::unmap_all() {
    for (const mapped &each : known_)
        unmap_table(each);
    known_.clear();
}

} // namespace saguaro::channels
