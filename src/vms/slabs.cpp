// SPDX-License-Identifier: MIT
// Cutting, recycling and releasing the Master's blocks.
#include "vms/slabs.hpp"

#include "platform/arithmetic.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace saguaro::vms {

namespace {

constexpr std::size_t slab_bytes = 64 * 1024;
constexpr std::size_t line = 64;

using platform::round_up;

} // namespace

void *slab_class::cut(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - uncut_) < bytes) {
        void *const memory = std::aligned_alloc(line, slab_bytes);
        if (memory == nullptr)
            return nullptr;
        newest_ = new (memory) slab{newest_};
        uncut_ = static_cast<char *>(memory) + sizeof(slab);
        end_ = static_cast<char *>(memory) + slab_bytes;
    }
    // Cleared: its bytes may be those of a free block of an instance before.
    auto *const block = new (uncut_) free_block{};
    uncut_ += bytes;
    return block;
}

void slab_class::release_all() {
    while (newest_ != nullptr)
        std::free(std::exchange(newest_, newest_->older));
}

slabs::~slabs() {
    for (slab_class &each : classes_)
        each.release_all();
    while (large_ != nullptr)
        std::free(std::exchange(large_, large_->after));
}

void *slabs::take_large(std::size_t bytes) {
    if (bytes > PTRDIFF_MAX - sizeof(large))
        return nullptr;
    auto *const block = static_cast<large *>(std::malloc(sizeof(large) + bytes));
    if (block == nullptr)
        return nullptr;
    block->before = nullptr;
    block->after = large_;
    if (large_ != nullptr)
        large_->before = block;
    large_ = block;
    return block + 1;
}

void slabs::give_large(void *memory) {
    large *const block = static_cast<large *>(memory) - 1;
    (block->before ? block->before->after : large_) = block->after;
    if (block->after != nullptr)
        block->after->before = block->before;
    std::free(block);
}

vp_store::vp_store(std::size_t bytes_of_plugin)
    // Whole cache lines: two cores animate two VPs.
    : bytes_(round_up(round_up(sizeof(vp), 16) + bytes_of_plugin, line)) {}

vp_store::~vp_store() {
    while (newest_ != nullptr)
        std::free(std::exchange(newest_, newest_->older));
}

vp *vp_store::take() {
    vp *place = nullptr;
    if (ended_ > remembered) {
        place = oldest_ended_;
        oldest_ended_ = place->after;
        --ended_;
    } else {
        place = cut();
        if (place == nullptr)
            return nullptr;
    }
    vp *const v = new (place) vp{};
    v->number = ++created_;
    v->place = SG_VMS_ANYWHERE;
    v->data = reinterpret_cast<char *>(v) + round_up(sizeof(vp), 16);
    std::memset(v->data, 0, bytes_ - round_up(sizeof(vp), 16));
    return v;
}

void vp_store::give(vp &v) {
    v.after = nullptr;
    (ended_ == 0 ? oldest_ended_ : newest_ended_->after) = &v;
    newest_ended_ = &v;
    ++ended_;
}

bool vp_store::has(const sg_vp *v) const {
    const auto at = reinterpret_cast<std::uintptr_t>(v);
    for (const chunk *c = newest_; c != nullptr; c = c->older) {
        const auto begin = reinterpret_cast<std::uintptr_t>(c->begin);
        if (begin <= at && at < reinterpret_cast<std::uintptr_t>(c->uncut))
            return (at - begin) % bytes_ == 0;
    }
    return false;
}

vp *vp_store::cut() {
    if (newest_ == nullptr || static_cast<std::size_t>(newest_->end - newest_->uncut) < bytes_) {
        const std::size_t bytes = round_up(std::max(slab_bytes, sizeof(chunk) + bytes_), line);
        char *const memory = static_cast<char *>(std::aligned_alloc(line, bytes));
        if (memory == nullptr)
            return nullptr;
        char *const begin = memory + sizeof(chunk);
        newest_ = new (memory) chunk{newest_, begin, begin, memory + bytes};
    }
    char *const place = newest_->uncut;
    newest_->uncut += bytes_;
    return reinterpret_cast<vp *>(place);
}

} // namespace saguaro::vms
