// SPDX-License-Identifier: MIT
// Memory inside the Master: blocks by size, cut from slabs, recycled, and given back all at once.
// Guarded by the master lock, as everything in there.
#pragma once

#include "saguaro/vms.h"
#include "vms/vp.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace saguaro::vms {

// One size of block. Blocks are recycled, the one that was given back last first.
class slab_class {
public:
    // Null when there is no memory.
    void *take(std::size_t bytes) {
        free_block *const block = free_;
        if (block == nullptr)
            return cut(bytes);
        free_ = block->next;
        block->mark = 0;
        return block;
    }

    // False: it has been given back already, as far as can be seen: nobody took it since.
    bool give(void *memory) {
        auto *const block = static_cast<free_block *>(memory);
        if (block->mark == mark_of(memory)) [[unlikely]]
            return false;
        *block = {free_, mark_of(memory)};
        free_ = block;
        return true;
    }

    void release_all();

private:
    void *cut(std::size_t bytes);

    struct free_block {
        free_block *next;
        std::uintptr_t mark;
    };

    // Another number in each block: a plug-in that copies a free block's bytes has another mark.
    static std::uintptr_t mark_of(const void *block) {
        return reinterpret_cast<std::uintptr_t>(block) ^ std::uintptr_t{0x5a67'7561'726f'f7ee};
    }

    struct slab {
        alignas(64) slab *older;
    };

    free_block *free_ = nullptr;
    char *uncut_ = nullptr; // of the newest slab
    char *end_ = nullptr;
    slab *newest_ = nullptr;
};

// sg_vms_allocate and sg_vms_free.
class slabs {
public:
    slabs() = default;
    slabs(const slabs &) = delete;
    slabs &operator=(const slabs &) = delete;
    ~slabs();

    void *take(std::size_t bytes) {
        return bytes <= largest ? classes_[index(bytes)].take((index(bytes) + 1) * step)
                                : take_large(bytes);
    }

    // False: of at most 1,024 bytes, and given back already.
    bool give(void *block, std::size_t bytes) {
        if (bytes <= largest)
            return classes_[index(bytes)].give(block);
        give_large(block);
        return true;
    }

private:
    static constexpr std::size_t step = 16;
    static constexpr std::size_t largest = 1024;

    static std::size_t index(std::size_t bytes) { return bytes == 0 ? 0 : (bytes - 1) / step; }

    // What is larger comes from malloc, in a list.
    struct alignas(16) large {
        large *before;
        large *after;
    };

    void *take_large(std::size_t bytes);
    void give_large(void *block);

    std::array<slab_class, largest / step> classes_{};
    large *large_ = nullptr;
};

// Descriptors of VPs. Those of dissipated ones are kept in a queue, so that a plug-in that still
// has a pointer to one finds it dissipated and not somebody else.
class vp_store {
public:
    explicit vp_store(std::size_t bytes_of_plugin);
    ~vp_store();

    vp_store(const vp_store &) = delete;
    vp_store &operator=(const vp_store &) = delete;

    // A VP, blocked, its plug-in's bytes zeros; null when there is no memory.
    vp *take();

    // Its state is dissipated.
    void give(vp &v);

    // Whether `v`, which may be any address, is a VP of this store, dissipated or not.
    bool has(const sg_vp *v) const;

    // Calls visit(vp &) for each VP that is not dissipated.
    template <class Visit>
    void for_each_live(Visit visit) {
        for (chunk *c = newest_; c != nullptr; c = c->older)
            for (char *at = c->begin; at != c->uncut; at += bytes_)
                if (auto &v = *reinterpret_cast<vp *>(at); v.state != vp_state::dissipated)
                    visit(v);
    }

private:
    // How many of the dissipated are remembered.
    static constexpr std::size_t remembered = 1024;

    struct alignas(64) chunk {
        chunk *older;
        char *begin;
        char *uncut;
        char *end;
    };

    vp *cut();

    const std::size_t bytes_; // of a descriptor with the plug-in's
    chunk *newest_ = nullptr;
    vp *oldest_ended_ = nullptr;
    vp *newest_ended_ = nullptr;
    std::size_t ended_ = 0;
    std::uint64_t created_ = 0;
};

} // namespace saguaro::vms
