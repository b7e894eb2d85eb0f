// SPDX-License-Identifier: MIT
// How stacks of one class are laid out.
//
// A block holds one stack with everything that belongs to it. Its size, the class, is a power of
// two, and it is aligned to its size: an address on the stack tells the block (`block_of`).
//
//     low addresses                                                            high addresses
//     +-------+-------+---------------------------------+--------------+------------------+------+
//     | color | guard |             stack               | struct stack | extra, untouched |      |
//     |       |       |   grows down  <-- first frames  |              | until used  -->  | word |
//     +-------+-------+---------------------------------+--------------+------------------+------+
//     block           low                               high()         extra()      block + bytes
//
// The first frames, the descriptor and the beginning of `extra` share one page, so that a stack
// that is used a little costs one page. The last word of the block is the user's, for a pointer to
// whatever runs on the stack (`top_word`): if `extra` is small, it lies in that page as well.
#pragma once

#include <cstddef>
#include <cstdint>

namespace saguaro::stacks {

struct stack;

// Bytes without access below each stack: an eighth of it within these bounds. The most is what the
// kernel leaves below a thread's stack. Most of a guard lies where the next power of two leaves
// room.
inline constexpr std::size_t least_guard = std::size_t{64} << 10;
inline constexpr std::size_t largest_guard = std::size_t{1} << 20;

struct shape {
    std::size_t block_bytes; // a power of two
    std::size_t guard_bytes; // whole pages
    std::size_t stack_bytes; // what frames may use: whole pages
    std::size_t extra_bytes; // the user's, from extra() on
    std::size_t kept_bytes;  // of those: what stays as it is while a stack rests in the pool

    // The least class in which frames have `stack_bytes`, rounded up to whole pages, above a guard,
    // and the user `extra_bytes`. What lies beyond `kept_bytes` of them must be zeros
    // whenever a stack is given back: it may then be given back to the system.
    static shape for_frames(std::size_t stack_bytes, std::size_t extra_bytes,
                            std::size_t kept_bytes);

    // The same where everything is kept.
    static shape for_frames(std::size_t stack_bytes, std::size_t extra_bytes) {
        return for_frames(stack_bytes, extra_bytes, extra_bytes);
    }

    // Blocks of `block_bytes`, rounded up to a power of two and to what guard, one page for frames
    // and `extra_bytes` need; the guard is an eighth, at least a page and at most 64 KB, and frames
    // have the rest. All of `extra` is kept.
    static shape within(std::size_t block_bytes, std::size_t extra_bytes);

    // Pages that the layout leaves free.
    std::size_t slack_pages() const;

    // Where the guard begins in the block that begins there, and where the descriptor lies. Blocks
    // begin at multiples of their size; the descriptors of stacks that are used in turn shall not
    // all have the same place in their pages, nor in their pages of page tables: both depend on
    // the address. Async-signal-safe.
    char *guard_in(char *block) const;
    char *descriptor_in(char *block) const;

    // How many bytes above the guard are used, in whole pages: all but what the layout leaves free,
    // where that is more than stacks are shifted by.
    std::size_t used_bytes(char *block) const;

    bool operator==(const shape &) const = default;
};

// The beginning of the block of `block_bytes` that holds `address`.
inline char *block_of(const void *address, std::size_t block_bytes) {
    return reinterpret_cast<char *>(reinterpret_cast<std::uintptr_t>(address) & ~(block_bytes - 1));
}

// The last word of the block that holds `address`: null on a new stack, afterwards as the user left
// it. For layouts that leave no more than 64 pages free; in others it may be no memory
// (used_bytes).
inline void *&top_word(const void *address, std::size_t block_bytes) {
    return reinterpret_cast<void **>(block_of(address, block_bytes) + block_bytes)[-1];
}

} // namespace saguaro::stacks
