// SPDX-License-Identifier: MIT
// The bag of the PBFS algorithm: an unordered set of vertices that is cheap to fill, to unite with
// another and to cut in two.
//
//   block     a node with room for `block::capacity` vertices
//   pennant   2^k full blocks: a root with one child, and below it a complete binary tree
//   bag       at most one pennant of each size, like the digits of a binary number, and the
//             hopper, one block that is not yet full
//
// Inserting is incrementing that number once a block, uniting two bags is adding theirs, cutting a
// bag is taking its highest digit off: O(log n) each. With blocks in place of single vertices the
// tree's upkeep is lost in the noise, and a lookup of the reducer serves a block and not a vertex.
#pragma once

#include "graph.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <utility>

namespace saguaro::pbfs {

/// A node of a pennant.
struct block {
    // Smaller ones cost more upkeep, larger ones leave small layers to one worker: 128 to 512 are
    // within a tenth of each other on grid3d:100.
    static constexpr std::size_t capacity = 256;

    block *left;
    block *right;
    std::array<vertex, capacity> vertices;
};

/// Unites two pennants of 2^k blocks to one of 2^(k + 1), in constant time.
inline block *pennant_union(block *x, block *y) {
    y->right = x->left;
    x->left = y;
    return x;
}

/// The reverse: x, a pennant of 2^(k + 1) blocks, keeps 2^k of them; returns the other 2^k.
inline block *pennant_split(block *x) {
    block *const y = x->left;
    x->left = y->right;
    y->right = nullptr;
    return y;
}

/// Owns its blocks. Movable, not copyable; an empty bag owns nothing. One thread at a time.
class bag {
public:
    class writer;

    bag() = default;
    /// Its blocks come from `memory`, as those of all bags that it is united with must.
    explicit bag(std::pmr::memory_resource *memory) : memory_(memory) {}
    bag(bag &&from) noexcept { take(from); }
    bag &operator=(bag &&from) noexcept {
        if (this != &from) {
            clear();
            take(from);
        }
        return *this;
    }
    ~bag() { clear(); }

    bool empty() const { return full_ == 0 && used_ == 0; }

    /// Number of vertices, those that were inserted twice counted twice.
    std::uint64_t size() const { return std::uint64_t{full_} * block::capacity + used_; }

    /// Number of full blocks. Below two, there is nothing to split.
    std::uint32_t full_blocks() const { return full_; }

    /// How many writers were opened on this bag and on those united with it.
    std::uint64_t openings() const { return openings_; }

    /// Takes over everything in `other`, which is left empty. O(log n) and one block's copying.
    void unite(bag &&other);

    /// Cuts the bag in two, for a bag of two full blocks or more: keeps the pennant with the most
    /// blocks and returns the rest and the hopper; if there is one pennant only, keeps half of it.
    /// Either part is then cut at most 2 log2(n) times until its blocks are single. O(log n).
    ///
    /// Halving every pennant would be more even, but this keeps vertices together in the order of
    /// their insertion, and that is the order in which a search finds its way through the caches
    /// (measured on grid3d:100: an eighth of the time). The count of openings stays here.
    bag split();

    /// Calls visit(std::span<const vertex>) for the vertices of each block, in no promised order.
    template <typename Visit>
    void for_each_block(Visit &&visit) const {
        for_each_rank(full_, [&](std::size_t rank) { walk(spine_[rank], visit); });
        if (used_ > 0)
            visit(std::span<const vertex>(hopper_->vertices.data(), used_));
    }

private:
    // 2^32 blocks are more than the vertices of any graph fill.
    static constexpr std::size_t ranks = 32;

    void clear() noexcept;
    void destroy(block *pennant) noexcept;
    void free(block *one) noexcept { memory_->deallocate(one, sizeof(block), alignof(block)); }
    void take(bag &from) noexcept;
    block *replace(block *full);
    void put_back(block *hopper, const vertex *end) noexcept;
    void insert_full(block *full) noexcept;
    void insert_pennant(block *pennant, std::size_t rank) noexcept;

    template <typename Visit>
    static void for_each_rank(std::uint32_t mask, Visit visit) {
        for (; mask != 0; mask &= mask - 1)
            visit(static_cast<std::size_t>(std::countr_zero(mask)));
    }

    template <typename Visit>
    static void walk(const block *node, Visit &visit) {
        if (node != nullptr) {
            visit(std::span<const vertex>(node->vertices));
            walk(node->left, visit);
            walk(node->right, visit);
        }
    }

    // Bit k of full_ says that spine_[k] is a pennant of 2^k blocks: read as a number, full_ is
    // the number of full blocks. Elements of spine_ without their bit are never read.
    std::uint32_t full_ = 0;
    std::uint32_t used_ = 0; // vertices in the hopper, less than a block's capacity
    std::uint64_t openings_ = 0;
    block *hopper_ = nullptr;
    std::pmr::memory_resource *memory_ = std::pmr::new_delete_resource();
    std::array<block *, ranks> spine_;
};

/// Inserts into a bag. For as long as it lives it has taken the hopper out of the bag, and its own
/// address goes nowhere: a compiler can keep all of it in registers, so that an insertion touches
/// the block and nothing else (measured: a fifth of the whole search). Meanwhile nobody else may
/// use the bag.
class bag::writer {
public:
    explicit writer(bag &target)
        : bag_(target), hopper_(std::exchange(target.hopper_, nullptr)),
          cursor_(hopper_ == nullptr ? nullptr : hopper_->vertices.data() + target.used_),
          limit_(hopper_ == nullptr ? nullptr : hopper_->vertices.data() + block::capacity) {
        target.used_ = 0;
        ++target.openings_;
    }
    ~writer() {
        if (hopper_ != nullptr)
            bag_.put_back(hopper_, cursor_);
    }
    writer(const writer &) = delete;
    writer &operator=(const writer &) = delete;

    /// O(1); every block::capacity insertions one allocation and a union of pennants.
    void insert(vertex v) {
        if (cursor_ == limit_) [[unlikely]] {
            hopper_ = bag_.replace(hopper_);
            cursor_ = hopper_->vertices.data();
            limit_ = cursor_ + block::capacity;
        }
        *cursor_++ = v;
    }

private:
    bag &bag_;
    block *hopper_;
    vertex *cursor_;
    vertex *limit_;
};

} // namespace saguaro::pbfs
