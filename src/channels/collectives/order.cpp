// SPDX-License-Identifier: MIT
// Combining values in the fixed binary order, all at once or one prefix at a time.
#include "channels/collectives/order.hpp"

#include "channels/collectives/buffer.hpp"

namespace saguaro::channels {

namespace {

// So many bytes of each value are combined at a time: what is in between stays in the first cache.
constexpr std::size_t block_bytes = 4096;

// Where the values have been combined: in `into`, or at the value itself if it is one. `room` has
// `step` bytes for each level below.
const std::byte *combine_range(const combination &op, std::span<const std::byte *const> values,
                               std::size_t at, std::size_t size, std::byte *into, std::byte *room,
                               std::size_t step) {
    if (values.size() == 1)
        return values.front() + at;
    const unsigned cut = left_part(static_cast<unsigned>(values.size()));
    // `into` may be one of the values, so it is written last.
    const std::byte *const left =
        combine_range(op, values.first(cut), at, size, room, room + 2 * step, step);
    const std::byte *const right =
        combine_range(op, values.subspan(cut), at, size, room + step, room + 2 * step, step);
    op(into, left, right, size);
    return into;
}

} // namespace

void combine_all(const combination &op, std::span<const std::byte *const> values, std::byte *into,
                 std::size_t size) {
    if (values.size() == 1) {
        copy_bytes(into, values.front(), size);
        return;
    }
    const std::size_t step = std::max(block_bytes / op.unit, std::size_t{1}) * op.unit;
    const std::size_t in_room = (std::min(step, size) + 63) / 64 * 64;
    buffer room(2 * static_cast<std::size_t>(std::bit_width(values.size())) * in_room);
    for_each_piece(size, step, op.unit, [&](std::size_t at, std::size_t piece) {
        combine_range(op, values, at, piece, into + at, room.data(), in_room);
    });
}

void prefix::result_with(const std::byte *value, std::byte *into) const {
    const std::byte *so_far = value;
    for (int i = 0; i < std::popcount(count_); ++i) {
        op_(into, block(i), so_far, size_);
        so_far = into;
    }
    copy_bytes(into, so_far, size_);
}

void prefix::add(const std::byte *value) {
    // The value, and the blocks that it completes, become one block at the place of the oldest.
    const int completed = std::countr_one(count_);
    const std::byte *so_far = value;
    for (int i = 0; i < completed; ++i) {
        op_(block(i), block(i), so_far, size_);
        so_far = block(i);
    }
    ++count_;
    if (completed == 0)
        copy_bytes(block(0), value, size_);
}

} // namespace saguaro::channels
