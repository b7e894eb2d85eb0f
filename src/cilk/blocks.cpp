// SPDX-License-Identifier: MIT
// Memory for the variables of C functions that must not move.
#include "saguaro/cilk_abi.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace {

// What stands before a block in a list.
struct alignas(alignof(std::max_align_t)) chained {
    void *older;
};

void *checked(void *block, std::size_t bytes) {
    if (block == nullptr && bytes != 0) {
        std::fprintf(stderr, "saguaro: no memory for %zu bytes of a frame's variables\n", bytes);
        std::_Exit(1);
    }
    return block;
}

} // namespace

extern "C" {

void *sg_block_new(size_t bytes) {
    return checked(std::malloc(bytes), bytes);
}

void *sg_block_new_aligned(size_t bytes, size_t alignment) {
    // Whole units, as aligned_alloc wants it.
    return checked(std::aligned_alloc(alignment, (bytes + alignment - 1) & ~(alignment - 1)),
                   bytes);
}

void sg_block_free(void *block) {
    std::free(block);
}

void *sg_block_add(void **list, size_t bytes) {
    chained *const block = static_cast<chained *>(sg_block_new(sizeof(chained) + bytes));
    block->older = *list;
    *list = block;
    return block + 1;
}

void sg_block_free_all(void *list) {
    while (list != nullptr) {
        void *const older = static_cast<chained *>(list)->older;
        std::free(list);
        list = older;
    }
}
}
