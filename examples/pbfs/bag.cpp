// SPDX-License-Identifier: MIT
// Inserting, uniting and splitting pennants as binary addition does with digits.
#include "bag.hpp"

#include <algorithm>
#include <new>

namespace saguaro::pbfs {

void bag::destroy(block *pennant) noexcept {
    if (pennant != nullptr) {
        destroy(pennant->left);
        destroy(pennant->right);
        free(pennant);
    }
}

/// Frees all blocks. The members are left as they are: the bag is about to end or to be filled.
void bag::clear() noexcept {
    for_each_rank(full_, [this](std::size_t rank) { destroy(spine_[rank]); });
    if (hopper_ != nullptr)
        free(hopper_);
}

/// Moves the contents of `from` here, over whatever the members say.
void bag::take(bag &from) noexcept {
    memory_ = from.memory_;
    full_ = std::exchange(from.full_, 0);
    used_ = std::exchange(from.used_, 0);
    openings_ = std::exchange(from.openings_, 0);
    hopper_ = std::exchange(from.hopper_, nullptr);
    for_each_rank(full_, [&](std::size_t rank) { spine_[rank] = from.spine_[rank]; });
}

/// Adds a pennant of 2^rank blocks, with the carry that an addition has.
void bag::insert_pennant(block *pennant, std::size_t rank) noexcept {
    for (; (full_ >> rank & 1) != 0; ++rank) {
        pennant = pennant_union(spine_[rank], pennant);
        full_ &= ~(std::uint32_t{1} << rank);
    }
    spine_[rank] = pennant;
    full_ |= std::uint32_t{1} << rank;
}

void bag::insert_full(block *full) noexcept {
    full->left = full->right = nullptr;
    insert_pennant(full, 0);
}

void bag::unite(bag &&other) {
    // Each carry that goes past a rank frees the rank below: the additions together cost no more
    // than one pass over the ranks of both.
    for_each_rank(std::exchange(other.full_, 0),
                  [&](std::size_t rank) { insert_pennant(other.spine_[rank], rank); });
    openings_ += std::exchange(other.openings_, 0);
    if (used_ < other.used_) {
        std::swap(used_, other.used_);
        std::swap(hopper_, other.hopper_);
    }
    if (other.used_ == 0)
        return;
    // The fuller hopper takes in the other one; what it has no room for stays as the new hopper.
    const vertex *const from = other.hopper_->vertices.data();
    const auto room = static_cast<std::uint32_t>(block::capacity) - used_;
    const std::uint32_t moved = std::min(room, other.used_);
    std::copy_n(from + other.used_ - moved, moved, hopper_->vertices.data() + used_);
    used_ += moved;
    other.used_ -= moved;
    if (used_ == block::capacity) {
        insert_full(std::exchange(hopper_, std::exchange(other.hopper_, nullptr)));
        used_ = std::exchange(other.used_, 0);
    }
}

bag bag::split() {
    bag rest(memory_);
    const auto largest = static_cast<std::size_t>(std::bit_width(full_) - 1);
    rest.full_ = full_ & ~(std::uint32_t{1} << largest);
    for_each_rank(rest.full_, [&](std::size_t rank) { rest.spine_[rank] = spine_[rank]; });
    full_ -= rest.full_;
    if (rest.full_ == 0) {
        rest.spine_[largest - 1] = pennant_split(spine_[largest]);
        spine_[largest - 1] = spine_[largest];
        full_ >>= 1;
        rest.full_ = full_;
    }
    rest.hopper_ = std::exchange(hopper_, nullptr);
    rest.used_ = std::exchange(used_, 0);
    return rest;
}

/// A new hopper in exchange for the full one of a writer, which may have none. The new one comes
/// first: if there is no memory for it, bag and writer are intact.
block *bag::replace(block *full) {
    block *const fresh = new (memory_->allocate(sizeof(block), alignof(block))) block;
    if (full != nullptr)
        insert_full(full);
    return fresh;
}

/// Takes back a writer's hopper, whose vertices end at `end`.
void bag::put_back(block *hopper, const vertex *end) noexcept {
    const auto used = static_cast<std::uint32_t>(end - hopper->vertices.data());
    if (used == block::capacity) {
        insert_full(hopper);
    } else {
        hopper_ = hopper;
        used_ = used;
    }
}

} // namespace saguaro::pbfs
