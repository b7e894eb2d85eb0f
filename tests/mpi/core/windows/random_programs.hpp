// SPDX-License-Identifier: MIT
// Random programs of one-sided communication, and what a rank sees of one.
#pragma once

#include "mpi/core/windows/window.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <unistd.h>

namespace saguaro::mpi::random_windows {

using u64 = std::uint64_t;

inline u64 mix(u64 x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

class random_numbers {
public:
    explicit random_numbers(u64 seed) : state_(seed) {}
    int below(int limit) {
        state_ = mix(state_);
        return static_cast<int>((state_ >> 16) % static_cast<u64>(limit));
    }

private:
    u64 state_;
};

// ---- Programs ----

constexpr int words = 8; // of each rank's memory

enum class what {
    cost,
    barrier,
    fence,
    post,
    start,
    complete,
    wait,
    test,
    lock,
    unlock,
    lock_all,
    unlock_all,
    flush,
    flush_all,
    put,
    get,
    accumulate,
    get_accumulate,
    fetch_and_op,
    swap,
    put_now, // with a request
    get_now,
};

struct step {
    what kind;
    int target = 0; // or the cost
    int place = 0;  // or whether a lock is exclusive
    int count = 0;
    op with = op::sum;
    u64 value = 0;
    std::size_t result = 0; // where what it gets goes
    std::vector<int> group{};
};

struct program {
    std::vector<step> steps;
    std::size_t results = 0;
};

class generator {
public:
    generator(u64 seed, int ranks, int rounds)
        : programs(static_cast<std::size_t>(ranks)), random_(seed), ranks_(ranks) {
        for (int round = 0; round < rounds; ++round) {
            for (int r = 0; r < ranks; ++r)
                if (random_.below(2) == 0)
                    add(r, {what::cost, random_.below(40)});
            const int kind = random_.below(4);
            kind == 0 ? fences() : kind == 1 ? posts() : locks();
            everybody(what::barrier);
        }
    }

    std::vector<program> programs;

private:
    void add(int r, step s) {
        program &p = programs[static_cast<std::size_t>(r)];
        s.result = p.results;
        if (s.kind >= what::put)
            p.results += static_cast<std::size_t>(s.count);
        p.steps.push_back(std::move(s));
    }

    void everybody(what kind) {
        for (int r = 0; r < ranks_; ++r)
            add(r, {kind});
    }

    void operation(int r, int target, bool may_be_now) {
        constexpr std::array kinds{
            what::put,          what::get,  what::accumulate, what::get_accumulate,
            what::fetch_and_op, what::swap, what::put_now,    what::get_now};
        constexpr std::array operators{op::sum, op::prod, op::bxor, op::replace, op::no_op};
        step s{kinds[static_cast<std::size_t>(random_.below(may_be_now ? 8 : 6))], target};
        const bool is_single = s.kind == what::fetch_and_op || s.kind == what::swap;
        s.count = is_single ? 1 : 1 + random_.below(3);
        s.place = random_.below(words - s.count + 1);
        s.with =
            operators[static_cast<std::size_t>(random_.below(s.kind == what::accumulate ? 4 : 5))];
        s.value = mix(static_cast<u64>(random_.below(1 << 30))) | 1;
        add(r, s);
    }

    void operations(int r, const std::vector<int> &targets, int most, bool may_be_now = false) {
        for (int i = random_.below(most + 1); i > 0; --i)
            operation(
                r,
                targets[static_cast<std::size_t>(random_.below(static_cast<int>(targets.size())))],
                may_be_now);
    }

    std::vector<int> all() const {
        std::vector<int> everyone;
        for (int r = 0; r < ranks_; ++r)
            everyone.push_back(r);
        return everyone;
    }

    void fences() {
        everybody(what::fence);
        for (int epoch = random_.below(3); epoch >= 0; --epoch) {
            const bool is_empty = random_.below(4) == 0;
            for (int r = 0; r < ranks_; ++r)
                if (!is_empty)
                    operations(r, all(), 3);
            everybody(what::fence);
        }
    }

    void posts() {
        std::vector<std::vector<int>> origins(static_cast<std::size_t>(ranks_));
        std::vector<std::vector<int>> targets(origins);
        for (int t = 0; t < ranks_; ++t) {
            if (random_.below(3) == 0)
                continue;
            for (int o = 0; o < ranks_; ++o)
                if (random_.below(2) == 0) {
                    origins[static_cast<std::size_t>(t)].push_back(o);
                    targets[static_cast<std::size_t>(o)].push_back(t);
                }
        }
        for (int r = 0; r < ranks_; ++r) {
            const auto &own = origins[static_cast<std::size_t>(r)];
            const auto &theirs = targets[static_cast<std::size_t>(r)];
            if (!own.empty()) {
                step s{what::post};
                s.group = own;
                add(r, s);
            }
            if (!theirs.empty()) {
                step s{what::start};
                s.group = theirs;
                add(r, s);
                operations(r, theirs, 4);
                add(r, {what::complete});
            }
            if (!own.empty())
                add(r, {random_.below(2) == 0 ? what::wait : what::test});
        }
    }

    void locks() {
        for (int r = 0; r < ranks_; ++r)
            for (int epoch = random_.below(4); epoch > 0; --epoch) {
                if (random_.below(3) == 0) {
                    add(r, {what::lock_all});
                    for (int part = random_.below(3); part >= 0; --part) {
                        operations(r, all(), 3, true);
                        if (random_.below(2) == 0)
                            add(r, {what::flush_all});
                        else
                            add(r, {what::flush, random_.below(ranks_)});
                    }
                    add(r, {what::unlock_all});
                    continue;
                }
                const int target = random_.below(ranks_);
                add(r, {what::lock, target, random_.below(2)});
                for (int part = random_.below(3); part > 0; --part) {
                    operations(r, {target}, 3, true);
                    add(r, {what::flush, target});
                }
                operations(r, {target}, 2, true);
                add(r, {what::unlock, target});
            }
    }

    random_numbers random_;
    const int ranks_;
};

// What a rank has seen: all results, its memory at the end, and the clock behind each call.
inline u64 digest(const std::vector<u64> &results, const std::vector<u64> &memory,
                  const std::vector<u64> &clocks) {
    u64 all = 0;
    for (const std::vector<u64> *part : {&results, &memory, &clocks})
        for (const u64 x : *part)
            all = mix(all ^ x);
    return all;
}

} // namespace saguaro::mpi::random_windows
