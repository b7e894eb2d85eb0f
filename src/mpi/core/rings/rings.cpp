// SPDX-License-Identifier: MIT
// Making and growing a ring, publishing records in it and reading them.
#include "mpi/core/rings/rings.hpp"

#include <new>

namespace saguaro::mpi {

namespace {

std::uint32_t cells_for(std::size_t bytes) {
    return static_cast<std::uint32_t>((record::header_bytes + bytes + cell_bytes - 1) / cell_bytes);
}

ring &make_ring(const world &of, std::uint32_t order) {
    world w = of;
    block &memory = w.take_block_of_order(order);
    ring &made = reinterpret_cast<ring &>(memory);
    const std::size_t fit = ((std::size_t{1} << order) - offsetof(ring, first)) / cell_bytes;
    std::uint32_t cells = 1;
    while (cells * 2 <= fit)
        cells *= 2;
    made.cells = cells;
    // Relaxed, both: whoever reads the ring's place acquires them.
    made.left.store(0, std::memory_order_relaxed);
    made.first[0].stamp.store(0, std::memory_order_relaxed);
    return made;
}

// The ring that was reserved, or a new one.
ring &first_ring(const world &of, std::uint32_t writer, std::uint32_t reader) {
    // Relaxed: who reserved it did so before this process began. Nobody else makes it.
    const place reserved = of.ring_to(reader, writer).load(std::memory_order_relaxed);
    return reserved != 0 ? *of.job().at<ring>(reserved) : make_ring(of, first_ring_order);
}

} // namespace

// ---- The writer ----

out_ring::out_ring(const world &of, std::uint32_t writer, std::uint32_t reader)
    : reader_(reader), ring_(&first_ring(of, writer, reader)), mask_(ring_->cells - 1) {
    // Release pairs with the acquires of the reader, and of those who look what it has read.
    of.ring_to(reader, writer).store(of.job().place_of(ring_), std::memory_order_release);
}

// One cell more is always free: the next record's, whose stamp is 0.
bool out_ring::has_room(std::uint32_t cells) {
    if (written_ + cells + 1 - left_ <= mask_ + 1) [[likely]]
        return true;
    // Acquire pairs with the release in `in_ring::done`: the reader has left what stood there.
    left_ = ring_->left.load(std::memory_order_acquire);
    return written_ + cells + 1 - left_ <= mask_ + 1;
}

bool out_ring::grow(const world &of) {
    const std::uint32_t order = ring_->memory.order + 1;
    if (order > last_ring_order)
        return false;
    ring &larger = make_ring(of, order);
    record &last = cell(written_);
    last.what = kind::moved;
    const place where = of.job().place_of(&larger);
    __builtin_memcpy(last.data(), &where, sizeof(where));
    // Release pairs with the acquire in `in_ring::next`.
    last.stamp.store(1, std::memory_order_release);
    ring_ = &larger;
    mask_ = larger.cells - 1;
    written_ = 0;
    left_ = 0;
    // It may sleep and heed others: it is to read what is there before there is much more.
    of.ring_bell(reader_);
    return true;
}

record *out_ring::reserve(const world &of, std::size_t bytes) {
    const std::uint32_t cells = cells_for(bytes);
    for (;;) {
        const auto to_the_end = static_cast<std::uint32_t>(mask_ + 1 - (written_ & mask_));
        const bool wraps = cells > to_the_end;
        if (has_room(wraps ? cells + to_the_end : cells)) [[likely]] {
            if (wraps) {
                record &last = cell(written_);
                last.what = kind::skip;
                reserved_ = to_the_end;
                publish(1);
            }
            reserved_ = cells;
            return &cell(written_);
        }
        if (!grow(of))
            return nullptr;
    }
}

void out_ring::publish(clock_value stamp) {
    // Release, for `is_read`: who finds this 0 where the reader once stood, a lap before, also sees
    // that the reader has told that it runs.
    cell(written_ + reserved_).stamp.store(0, std::memory_order_release);
    // Release pairs with the acquires in `in_ring::next` and `is_read`: the record.
    cell(written_).stamp.store(stamp, std::memory_order_release);
    written_ += reserved_;
    // The reader still has the line behind the next cell from a lap before. The next call writes a
    // 0 there before its stamp, which would wait until the line has come.
    __builtin_prefetch(&cell(written_ + 1), 1);
}

// ---- The reader ----

const record *in_ring::next(const world &of, std::uint32_t reader, std::uint32_t writer) {
    if (ring_ == nullptr) [[unlikely]] {
        // Acquire pairs with the release in `out_ring::out_ring`.
        const place where = of.ring_to(reader, writer).load(std::memory_order_acquire);
        if (where == 0)
            return nullptr;
        ring_ = of.job().at<ring>(where);
        mask_ = ring_->cells - 1;
    }
    const record &at = ring_->first[read_ & mask_];
    // Acquire pairs with the release in `out_ring::publish`.
    if (at.stamp.load(std::memory_order_acquire) == 0)
        return nullptr;
    if (at.what == kind::skip || at.what == kind::moved) [[unlikely]]
        return go_on(of, at);
    return &at;
}

// Behind a record that only says where the next one is.
const record *in_ring::go_on(const world &of, const record &at) {
    if (at.what == kind::skip) {
        read_ = (read_ | mask_) + 1;
    } else {
        place where;
        __builtin_memcpy(&where, at.data(), sizeof(where));
        world w = of;
        w.give_block(ring_->memory);
        ring_ = of.job().at<ring>(where);
        mask_ = ring_->cells - 1;
        read_ = told_ = 0;
    }
    const record &next = ring_->first[read_ & mask_];
    if (next.stamp.load(std::memory_order_acquire) == 0)
        return nullptr;
    return next.what == kind::skip || next.what == kind::moved ? go_on(of, next) : &next;
}

bool in_ring::done(const record &read) {
    read_ += cells_for(read.what == kind::here ? read.bytes() : sizeof(place) * 2);
    if (read_ - told_ <= mask_ / 4)
        return false;
    told_ = read_;
    // Release pairs with the acquire in `has_room`.
    ring_->left.store(read_, std::memory_order_release);
    return true;
}

std::uint64_t in_ring::position(const world &of) const {
    if (ring_ == nullptr)
        return 0;
    return std::uint64_t{of.job().place_of(ring_)} << 32 | (read_ & mask_);
}

bool in_ring::is_read(const world &of, std::uint32_t reader, std::uint32_t writer,
                      std::uint64_t position) {
    if (position == 0)
        return of.ring_to(reader, writer).load(std::memory_order_acquire) == 0;
    const ring &r = *of.job().at<ring>(static_cast<place>(position >> 32));
    // Acquire: what the caller looks at next comes behind.
    return r.first[static_cast<std::uint32_t>(position)].stamp.load(std::memory_order_acquire) == 0;
}

} // namespace saguaro::mpi
