// SPDX-License-Identifier: MIT
// Each thread's chains of free blocks, and giving them back when the thread ends.
#include "numa/cache.hpp"

#include "numa/machine.hpp"
#include "numa/pool.hpp"
#include "numa/system.hpp"
#include "platform/copies.hpp"

#include <atomic>
#include <memory>
#include <new>
#include <pthread.h>

namespace saguaro::numa {

namespace {

struct kept_chain {
    chain blocks;
    unsigned most = 0;
};

struct kept_of_node {
    kept_of_node() {
        for (unsigned each = 0; each < block_classes; ++each)
            chains[each].most = most_kept(size_of_class(each));
    }
    kept_chain chains[block_classes];
};

class cache {
public:
    explicit cache(std::size_t nodes)
        : only_(nodes == 1 ? new kept_of_node : nullptr), nodes_(nodes),
          of_node_(new std::unique_ptr<kept_of_node>[nodes]) {
        if (only_ != nullptr)
            of_node_[0].reset(only_);
    }

    ~cache() {
        for (unsigned index = 0; index < nodes_; ++index)
            for (unsigned each = 0; of_node_[index] != nullptr && each < block_classes; ++each)
                if (chain &kept = of_node_[index]->chains[each].blocks; kept.first != nullptr)
                    pool::of(index).put(each, &kept);
    }

    // Null: no memory for the chains of this node.
    kept_of_node *of(unsigned index) {
        if (of_node_[index] == nullptr)
            of_node_[index].reset(new (std::nothrow) kept_of_node);
        return of_node_[index].get();
    }

    // The chains of all nodes, where there is but one: then nobody asks for the processor.
    kept_of_node *only() const { return only_; }

private:
    kept_of_node *const only_;
    const std::size_t nodes_;
    const std::unique_ptr<std::unique_ptr<kept_of_node>[]> of_node_;
};

[[gnu::tls_model("initial-exec")]] constinit thread_local cache *mine = nullptr;

// Whose value is each thread's cache. A key, not a thread_local object, whose destructor would keep
// a library that is to be unloaded from being so.
pthread_key_t caches;
// Whether there is that key. Relaxed, everywhere: who comes while the process ends may take it for
// there when it is gone, and is then refused.
std::atomic<bool> has_key{false};

// A destructor of another thread-local object may free a block later: that makes a new cache, and
// the C library calls this once more.
void end_cache(void *of_thread) {
    mine = nullptr;
    delete static_cast<cache *>(of_thread);
}

[[gnu::constructor(101)]] void make_key() {
    if (platform::is_displaced())
        return;
    has_key.store(pthread_key_create(&caches, end_cache) == 0, std::memory_order_relaxed);
}

// At the end of the library: no thread that outlives it may call end_cache. From now on each block
// comes from its pool and goes back to it.
[[gnu::destructor(101)]] void delete_key() {
    if (!has_key.exchange(false, std::memory_order_relaxed))
        return;
    if (mine != nullptr)
        end_cache(mine);
    pthread_key_delete(caches);
}

// Null: no memory for it, or nobody would be told of the thread's end.
[[gnu::noinline]] cache *make_cache() {
    if (!has_key.load(std::memory_order_relaxed))
        return nullptr;
    std::unique_ptr<cache> made;
    try {
        made = std::make_unique<cache>(machine::here().nodes().size());
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
    if (pthread_setspecific(caches, made.get()) != 0)
        return nullptr;
    return mine = made.release();
}

unsigned index_here() {
    return machine::here().near_index(calls.current_cpu());
}

// Neither can fail for want of a cache: a single block comes from the pool and goes back to it.
[[gnu::noinline]] void *take_single(std::size_t bytes) {
    chain one;
    pool::of(index_here()).take(class_of(bytes), 1, &one);
    return one.first;
}

[[gnu::noinline]] void give_back_single(void *block, const segment *from, unsigned block_class) {
    chain one;
    one.push(static_cast<free_block *>(block));
    pool::of(from->node_index).put(block_class, &one);
}

[[gnu::noinline]] void *refill(kept_chain *kept, unsigned block_class, unsigned index) {
    pool::of(index).take(block_class, kept->most / 2, &kept->blocks);
    return kept->blocks.first == nullptr ? nullptr : kept->blocks.pop();
}

// Half of the chain goes home, what was freed last.
[[gnu::noinline]] void flush(kept_chain *kept, unsigned block_class, unsigned index) {
    chain home;
    kept->blocks.move_to(&home, kept->most / 2);
    pool::of(index).put(block_class, &home);
}

// The calling thread's chains of a node; null: no memory for them.
[[gnu::always_inline]] inline kept_of_node *chains_of(unsigned index) {
    cache *here = mine;
    if (here == nullptr) [[unlikely]] {
        here = make_cache();
        if (here == nullptr)
            return nullptr;
    }
    return here->only() != nullptr ? here->only() : here->of(index);
}

} // namespace

void *take(std::size_t bytes) {
    const unsigned index = mine != nullptr && mine->only() != nullptr ? 0 : index_here();
    kept_of_node *const chains = chains_of(index);
    if (chains == nullptr) [[unlikely]]
        return take_single(bytes);
    const unsigned block_class = class_of(bytes);
    kept_chain &kept = chains->chains[block_class];
    if (kept.blocks.first == nullptr) [[unlikely]]
        return refill(&kept, block_class, index);
    return kept.blocks.pop();
}

void give_back(void *block, const segment *from, unsigned block_class) {
    kept_of_node *const chains = chains_of(from->node_index);
    if (chains == nullptr) [[unlikely]]
        return give_back_single(block, from, block_class);
    kept_chain &kept = chains->chains[block_class];
    kept.blocks.push(static_cast<free_block *>(block));
    if (kept.blocks.count > kept.most) [[unlikely]]
        flush(&kept, block_class, from->node_index);
}

} // namespace saguaro::numa
