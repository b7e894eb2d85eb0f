// SPDX-License-Identifier: MIT
// Many blocks, against a model: no two share a byte, each keeps what is written into it, and each
// is on the node where it was taken; threads free each other's.
#include "numa/emulated.hpp"

#include "numa/classes.hpp"

#include <gtest/gtest.h>
#include <saguaro/detail/sanitizers.h>
#include <saguaro/place.h>

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <pthread.h>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

SG_BEFORE_CASES(emulated::install)

namespace {

constexpr int nodes[] = {0, 1, 2, 5};

struct block {
    unsigned char *p;
    std::size_t size;
    unsigned char mark;
    int node;
};

std::size_t random_size(std::mt19937_64 &random) {
    const std::size_t power = std::size_t{1} << random() % (random() % 16 == 0 ? 22 : 14);
    return power + random() % power;
}

block take(std::mt19937_64 &random) {
    const int node = nodes[random() % 4];
    emulated::run_on(node);
    const std::size_t size = random_size(random);
    block made{static_cast<unsigned char *>(sg_malloc_local(size)), size,
               static_cast<unsigned char>(random()), node};
    std::memset(made.p, made.mark, size);
    return made;
}

bool is_good(const block &it) {
    return it.p[0] == it.mark && std::memcmp(it.p, it.p + 1, it.size - 1) == 0;
}

} // namespace

TEST(classes, hold_their_sizes_and_waste_a_fifth_at_most) {
    using namespace saguaro::numa;
    for (std::size_t size = 1; size <= largest_block; ++size) {
        const std::size_t given = size_of_class(class_of(size));
        ASSERT_GE(given, size);
        ASSERT_LE(given, size <= 128 ? size + 15 : size * 5 / 4) << size;
        ASSERT_EQ(given % 16, 0U);
    }
    EXPECT_EQ(class_of(largest_block), block_classes - 1);
}

TEST(blocks, are_aligned) {
    for (std::size_t size = 16; size <= std::size_t{4} << 20; size *= 2) {
        const std::size_t alignment = size <= std::size_t{64} << 10 ? size : 4096;
        std::vector<void *> taken;
        for (int i = 0; i < 20; ++i) {
            taken.push_back(sg_malloc_local(size));
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(taken.back()) % alignment, 0U) << size;
        }
        for (void *each : taken)
            sg_free_place(each);
    }
}

TEST(blocks, random_ones_do_not_overlap) {
    std::mt19937_64 random(7);
    std::map<unsigned char *, block> live;
    for (int step = 0; step < 30000; ++step) {
        if (live.size() < 200 || random() % 2 == 0) {
            const block made = take(random);
            const auto next = live.lower_bound(made.p);
            ASSERT_TRUE(next == live.end() || made.p + made.size <= next->first);
            if (next != live.begin()) {
                const block &before = std::prev(next)->second;
                ASSERT_LE(before.p + before.size, made.p);
            }
            ASSERT_EQ(sg_node_of(made.p), made.node);
            live[made.p] = made;
        }
        if (live.size() >= 200) {
            auto victim = live.begin();
            std::advance(victim, random() % live.size());
            ASSERT_TRUE(is_good(victim->second));
            sg_free_place(victim->second.p);
            live.erase(victim);
        }
    }
    for (const auto &[p, each] : live) {
        EXPECT_TRUE(is_good(each));
        sg_free_place(p);
    }
}

TEST(blocks, threads_free_each_others) {
    constexpr int threads = 4;
    std::mutex lock;
    std::vector<block> shared;
    std::atomic<int> bad{0};
    const auto work = [&](unsigned seed) {
        std::mt19937_64 random(seed);
        for (int step = 0; step < 4000; ++step) {
            const block made = take(random);
            if (sg_node_of(made.p) != made.node)
                ++bad;
            block victim{};
            {
                const std::lock_guard guard(lock);
                shared.push_back(made);
                if (shared.size() > 100) {
                    std::swap(shared[random() % shared.size()], shared.back());
                    victim = shared.back();
                    shared.pop_back();
                }
            }
            if (victim.p != nullptr && !is_good(victim))
                ++bad;
            sg_free_place(victim.p);
        }
    };
    // Threads end and begin, so that chains of ended threads are used again.
    for (int round = 0; round < 3; ++round) {
        std::vector<std::thread> workers;
        for (int i = 0; i < threads; ++i)
            workers.emplace_back(work, static_cast<unsigned>(round * threads + i));
        for (std::thread &each : workers)
            each.join();
    }
    for (const block &each : shared) {
        bad += !is_good(each);
        sg_free_place(each.p);
    }
    EXPECT_EQ(bad, 0);
}

std::size_t pool_bytes() {
    sg_place_counts counts;
    sg_place_statistics(&counts);
    return counts.pool_bytes;
}

TEST(blocks, above_a_megabyte_are_used_again) {
    emulated::run_on(1);
    constexpr std::size_t size = std::size_t{5} << 20;
    void *const first = sg_malloc_local(size);
    void *const other = sg_malloc_local(size);
    const std::size_t before = pool_bytes();
    // Nearly the same size will do.
    for (const std::size_t again : {size, size - 100000, size}) {
        sg_free_place(first);
        ASSERT_EQ(sg_malloc_local(again), first);
        std::memset(first, 1, again);
    }
    EXPECT_EQ(pool_bytes(), before);
    // A smaller one would not.
    sg_free_place(first);
    void *const larger = sg_malloc_local(2 * size);
    std::memset(larger, 1, 2 * size);
    EXPECT_EQ(pool_bytes(), before + 2 * size + 4096);
    EXPECT_EQ(sg_malloc_local(size), first);
    sg_free_place(first);
    sg_free_place(larger);
    sg_free_place(other);
}

TEST(blocks, above_a_megabyte_go_back_when_many_are_free) {
    emulated::run_on(1);
    const auto take_and_free = [](std::size_t size, int count) {
        std::vector<void *> all;
        for (int i = 0; i < count; ++i)
            all.push_back(sg_malloc_local(size));
        std::for_each(all.begin(), all.end(), sg_free_place);
    };
    take_and_free(std::size_t{3} << 20, 30); // more than are kept
    const std::size_t before = pool_bytes();
    take_and_free(std::size_t{3} << 20, 60);
    EXPECT_EQ(pool_bytes(), before);
    take_and_free(std::size_t{70} << 20, 1); // alone too many: it goes back, the others stay
    EXPECT_EQ(pool_bytes(), before);
    void *const last = sg_malloc_local(std::size_t{4} << 20);
    sg_free_place(last);
    const std::size_t with_last = pool_bytes();
    EXPECT_EQ(sg_malloc_local(std::size_t{4} << 20), last);
    EXPECT_EQ(pool_bytes(), with_last); // it was kept, and an older one went back for it
}

TEST(blocks, of_an_ended_thread_are_used_again) {
    // No more than a thread keeps for itself.
    const auto take_and_free = [] {
        emulated::run_on(1);
        void *const one = sg_malloc_local(1 << 20);
        void *const other = sg_malloc_local(1 << 20);
        sg_free_place(one);
        sg_free_place(other);
    };
    std::thread(take_and_free).join();
    sg_place_counts before, after;
    sg_place_statistics(&before);
    for (int i = 0; i < 30; ++i)
        std::thread(take_and_free).join();
    sg_place_statistics(&after);
    EXPECT_EQ(after.pool_bytes, before.pool_bytes);
}

TEST(blocks, may_be_freed_when_the_thread_has_lost_its_cache) {
    void *const first = sg_malloc_local(100); // the library's key is the older one
    pthread_key_t key{};
    ASSERT_EQ(pthread_key_create(&key,
                                 [](void *block) {
                                     sg_free_place(block);
                                     sg_free_place(sg_malloc_local(100));
                                 }),
              0);
    std::thread([key] { pthread_setspecific(key, sg_malloc_local(100)); }).join();
    pthread_key_delete(key);
    sg_free_place(first);
}

#if !SG_THREAD_SANITIZER && !defined(SG_TEST_EMULATED)
TEST(blocks, child_of_fork_goes_on) {
    std::atomic<bool> stop{false};
    std::thread busy([&stop] {
        std::mt19937_64 random(1);
        while (!stop)
            sg_free_place(take(random).p);
    });
    for (int i = 0; i < 100; ++i) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            alarm(60);
            // Beyond the cache: the pool's lock is needed.
            std::vector<void *> taken(100);
            for (void *&each : taken)
                each = sg_malloc_local(60000);
            for (void *each : taken)
                sg_free_place(each);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        ASSERT_EQ(status, 0);
    }
    stop = true;
    busy.join();
}
#endif
