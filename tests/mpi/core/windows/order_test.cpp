// SPDX-License-Identifier: MIT
// Random programs of one-sided communication under all three kinds of synchronization: what each
// rank gets, and its clock behind each call, must be what a serial simulation of the rule says
// (src/mpi/core/windows/README.md), in runs that are disturbed in different ways.
#include "random_programs.hpp"

#include "mpi/core/ranks.hpp"
#include "mpi/core/windows/window.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <gtest/gtest.h>
#include <map>
#include <unistd.h>

namespace saguaro::mpi {
namespace {

using namespace random_windows;

// ---- The rule, one call at a time ----

class simulation {
public:
    explicit simulation(const std::vector<program> &programs) {
        for (const program &p : programs) {
            simulated s;
            s.runs = &p;
            s.results.resize(p.results);
            s.memory.resize(words);
            s.locks.resize(programs.size());
            ranks_.push_back(std::move(s));
        }
        // The earliest call of all that can be made.
        for (;;) {
            simulated *next = nullptr;
            for (simulated &s : ranks_)
                if (s.at < s.runs->steps.size() && can_go_on(s) &&
                    (next == nullptr || time_of(s) < time_of(*next)))
                    next = &s;
            if (next == nullptr)
                break;
            go_on(*next);
        }
    }

    // Empty if ranks wait for each other.
    std::vector<u64> traces() const {
        std::vector<u64> all;
        for (const simulated &s : ranks_) {
            if (s.at < s.runs->steps.size())
                return {};
            all.push_back(digest(s.results, s.memory, s.clocks));
        }
        return all;
    }

private:
    struct held_lock {
        u64 asked = 0; // 0: none
        bool is_exclusive = false;
        u64 released_shared = 0;
        u64 released_exclusive = 0;
    };

    struct simulated {
        const program *runs;
        std::size_t at = 0;
        u64 clock = 0;
        bool has_begun = false; // the present call, which waits
        std::vector<u64> results;
        std::vector<u64> memory;
        std::vector<u64> clocks;
        std::vector<held_lock> locks; // at each target
        std::vector<const step *> pending;
        std::map<int, u64> posts;     // stamps, by target
        std::map<int, u64> completes; // by origin
        std::size_t exposed_to = 0;   // how many origins
        std::vector<int> started;
    };

    int number(const simulated &s) const { return static_cast<int>(&s - ranks_.data()); }

    u64 time_of(const simulated &s) const { return s.clock + (s.has_begun ? 0 : 1); }

    const step &now(const simulated &s) const { return s.runs->steps[s.at]; }

    // Whether a call that has begun can end, or the next one can begin.
    bool can_go_on(simulated &s) {
        if (!s.has_begun)
            return true;
        const step &o = now(s);
        switch (o.kind) {
        case what::lock:
            return is_granted(s, o.target, o.place != 0);
        case what::lock_all:
            for (int t = 0; t < static_cast<int>(ranks_.size()); ++t)
                if (!is_granted(s, t, false))
                    return false;
            return true;
        case what::start:
            return std::all_of(o.group.begin(), o.group.end(),
                               [&](int t) { return s.posts.count(t) != 0; });
        case what::wait:
            return s.completes.size() == s.exposed_to;
        default:
            return false; // of all together: the last one ends it
        }
    }

    bool is_granted(const simulated &s, int target, bool is_exclusive) const {
        const u64 asked = s.locks[static_cast<std::size_t>(target)].asked;
        for (const simulated &other : ranks_) {
            const held_lock &theirs = other.locks[static_cast<std::size_t>(target)];
            if (&other == &s || theirs.asked == 0 || (!is_exclusive && !theirs.is_exclusive))
                continue;
            if (theirs.asked < asked || (theirs.asked == asked && &other < &s))
                return false;
        }
        return true;
    }

    u64 latest_release(const simulated &s, int target, bool is_exclusive) const {
        u64 latest = 0;
        for (const simulated &other : ranks_) {
            const held_lock &theirs = other.locks[static_cast<std::size_t>(target)];
            if (&other == &s)
                continue;
            latest = std::max(latest, theirs.released_exclusive);
            if (is_exclusive)
                latest = std::max(latest, theirs.released_shared);
        }
        return latest == 0 ? 0 : latest + 1;
    }

    void end(simulated &s) {
        s.clocks.push_back(s.clock);
        s.has_begun = false;
        ++s.at;
    }

    void go_on(simulated &s) {
        const step &o = now(s);
        if (!s.has_begun) {
            begin(s, o);
            return;
        }
        switch (o.kind) {
        case what::lock:
            s.clock = std::max(s.clock, latest_release(s, o.target, o.place != 0));
            break;
        case what::lock_all:
            for (int t = 0; t < static_cast<int>(ranks_.size()); ++t)
                s.clock = std::max(s.clock, latest_release(s, t, false));
            break;
        case what::start:
            for (const int t : o.group) {
                s.clock = std::max(s.clock, s.posts[t] + 1);
                s.posts.erase(t);
            }
            break;
        case what::wait:
            for (const auto &each : s.completes)
                s.clock = std::max(s.clock, each.second + 1);
            s.completes.clear();
            break;
        default:
            break;
        }
        end(s);
    }

    void begin(simulated &s, const step &o) {
        if (o.kind == what::cost) {
            s.clock += static_cast<u64>(o.target);
            end(s);
            return;
        }
        ++s.clock;
        s.has_begun = true;
        switch (o.kind) {
        case what::barrier:
        case what::fence:
            meet(o.kind);
            return;
        case what::post:
            for (const int origin : o.group)
                ranks_[static_cast<std::size_t>(origin)].posts[number(s)] = s.clock;
            s.exposed_to = o.group.size();
            break;
        case what::complete:
            take_effect(s, -1);
            ++s.clock;
            for (const int t : s.started)
                ranks_[static_cast<std::size_t>(t)].completes[number(s)] = s.clock;
            break;
        case what::start:
            s.started = o.group;
            return;
        case what::wait:
            return;
        case what::test: {
            bool has_ended = s.completes.size() == s.exposed_to;
            for (const auto &each : s.completes)
                has_ended = has_ended && each.second + 1 <= s.clock;
            if (!has_ended) {
                s.has_begun = false; // once more
                return;
            }
            s.completes.clear();
            break;
        }
        case what::lock:
            ask(s, o.target, o.place != 0);
            return;
        case what::lock_all:
            for (int t = 0; t < static_cast<int>(ranks_.size()); ++t)
                ask(s, t, false);
            return;
        case what::unlock:
            take_effect(s, o.target);
            ++s.clock;
            release(s, o.target);
            break;
        case what::unlock_all:
            take_effect(s, -1);
            ++s.clock;
            for (int t = 0; t < static_cast<int>(ranks_.size()); ++t)
                release(s, t);
            break;
        case what::flush:
        case what::flush_all:
            take_effect(s, -1);
            break;
        default:
            s.pending.push_back(&o);
            if (o.kind >= what::put_now ||
                (s.locks[static_cast<std::size_t>(o.target)].asked != 0 &&
                 s.locks[static_cast<std::size_t>(o.target)].is_exclusive))
                take_effect(s, o.target);
            break;
        }
        end(s);
    }

    // A call of all ranks, which the last one ends for all.
    void meet(what kind) {
        u64 latest = 0;
        bool any = false;
        for (const simulated &s : ranks_) {
            if (!s.has_begun || s.at >= s.runs->steps.size() || now(s).kind != kind)
                return;
            latest = std::max(latest, s.clock);
            any = any || !s.pending.empty();
        }
        if (kind == what::fence && any)
            latest += 2; // the steps, and that all have been
        for (simulated &s : ranks_)
            take_effect(s, -1);
        for (simulated &s : ranks_) {
            s.clock = latest;
            end(s);
        }
    }

    void ask(simulated &s, int target, bool is_exclusive) {
        held_lock &l = s.locks[static_cast<std::size_t>(target)];
        l.asked = s.clock;
        l.is_exclusive = is_exclusive;
    }

    void release(simulated &s, int target) {
        held_lock &l = s.locks[static_cast<std::size_t>(target)];
        (l.is_exclusive ? l.released_exclusive : l.released_shared) = s.clock;
        l.asked = 0;
    }

    static u64 combined(op with, u64 there, u64 value) {
        switch (with) {
        case op::sum:
            return there + value;
        case op::prod:
            return there * value;
        case op::bxor:
            return there ^ value;
        case op::replace:
            return value;
        default:
            return there;
        }
    }

    void take_effect(simulated &s, int target) {
        std::vector<const step *> left;
        for (const step *const each : s.pending) {
            const step &o = *each;
            if (target >= 0 && o.target != target) {
                left.push_back(each);
                continue;
            }
            for (int i = 0; i < o.count; ++i) {
                u64 &there = ranks_[static_cast<std::size_t>(o.target)]
                                 .memory[static_cast<std::size_t>(o.place + i)];
                u64 &result = s.results[o.result + static_cast<std::size_t>(i)];
                const u64 value = o.value + static_cast<u64>(i);
                const u64 before = there;
                if (o.kind == what::put || o.kind == what::put_now)
                    there = value;
                else if (o.kind == what::swap)
                    there = there == value % 4 ? value : there;
                else if (o.kind != what::get && o.kind != what::get_now)
                    there = combined(o.with, there, value);
                if (o.kind != what::put && o.kind != what::put_now && o.kind != what::accumulate)
                    result = before;
            }
        }
        s.pending = left;
    }

    std::vector<simulated> ranks_;
};

// ---- The ranks ----

void disturb(u64 &random) {
    random = mix(random);
    if (random % 24 == 0)
        usleep(static_cast<useconds_t>(random >> 40 & 255));
    else if (random % 24 < 3)
        sched_yield();
}

class runner {
public:
    runner(const program &p, win on)
        : results(p.results), program_(p), window_(on), values_(p.results) {}

    void run(u64 disturbance) {
        for (const step &s : program_.steps) {
            if (disturbance != 0)
                disturb(disturbance);
            one(s);
            clocks.push_back(rank::mine->clock());
        }
    }

    std::vector<u64> clocks;
    std::vector<u64> results;

private:
    group group_of(const std::vector<int> &members) {
        group all = group::null;
        group some = group::null;
        core::win_get_group(window_, &all);
        core::group_incl(all, static_cast<int>(members.size()), members.data(), &some);
        core::group_free(&all);
        return some;
    }

    void with_group(const step &s, int (*call)(group, int, win)) {
        group g = group_of(s.group);
        call(g, 0, window_);
        core::group_free(&g);
    }

    void one(const step &s) {
        int flag = 0;
        switch (s.kind) {
        case what::cost:
            core::declare_cost(s.target);
            return;
        case what::barrier:
            core::barrier(comm::world);
            return;
        case what::fence:
            core::win_fence(0, window_);
            return;
        case what::post:
            with_group(s, core::win_post);
            return;
        case what::start:
            with_group(s, core::win_start);
            return;
        case what::complete:
            core::win_complete(window_);
            return;
        case what::wait:
            core::win_wait(window_);
            return;
        case what::test:
            while (flag == 0)
                core::win_test(window_, &flag);
            return;
        case what::lock:
            core::win_lock(s.place != 0 ? abi::lock_exclusive : abi::lock_shared, s.target, 0,
                           window_);
            return;
        case what::unlock:
            core::win_unlock(s.target, window_);
            return;
        case what::lock_all:
            core::win_lock_all(0, window_);
            return;
        case what::unlock_all:
            core::win_unlock_all(window_);
            return;
        case what::flush:
            core::win_flush(s.target, window_);
            return;
        case what::flush_all:
            core::win_flush_all(window_);
            return;
        default:
            operation(s);
        }
    }

    void operation(const step &s) {
        constexpr auto type = datatype::uint64_t;
        u64 *const value = &values_[s.result];
        u64 *const result = &results[s.result];
        for (int i = 0; i < s.count; ++i)
            value[i] = s.value + static_cast<u64>(i);
        request r = request::null;
        switch (s.kind) {
        case what::put:
            core::put(value, s.count, type, s.target, s.place, s.count, type, window_);
            return;
        case what::put_now:
            core::rput(value, s.count, type, s.target, s.place, s.count, type, window_, &r);
            core::request_free(&r);
            return;
        case what::get:
            core::get(result, s.count, type, s.target, s.place, s.count, type, window_);
            return;
        case what::get_now:
            core::rget(result, s.count, type, s.target, s.place, s.count, type, window_, &r);
            core::request_free(&r);
            return;
        case what::accumulate:
            core::accumulate(value, s.count, type, s.target, s.place, s.count, type, s.with,
                             window_);
            return;
        case what::get_accumulate:
            core::get_accumulate(value, s.count, type, result, s.count, type, s.target, s.place,
                                 s.count, type, s.with, window_);
            return;
        case what::fetch_and_op:
            core::fetch_and_op(value, result, type, s.target, s.place, s.with, window_);
            return;
        default:
            compared_.push_back(std::make_unique<u64>(s.value % 4));
            core::compare_and_swap(value, compared_.back().get(), result, type, s.target, s.place,
                                   window_);
            return;
        }
    }

    const program &program_;
    const win window_;
    std::vector<u64> values_;
    std::vector<std::unique_ptr<u64>> compared_;
};

u64 run_program(const program &p, bool allocates, u64 disturbance) {
    std::vector<u64> memory(words);
    u64 *base = memory.data();
    win on = win::null;
    if (allocates)
        core::win_allocate(words * sizeof(u64), sizeof(u64), info::null, comm::world, &base, &on);
    else
        core::win_create(base, words * sizeof(u64), sizeof(u64), info::null, comm::world, &on);
    const clock_value begin = rank::mine->clock();
    runner r(p, on);
    r.run(disturbance);
    std::vector<u64> clocks;
    for (const u64 c : r.clocks)
        clocks.push_back(c - begin);
    core::barrier(comm::world);
    const std::vector<u64> last(base, base + words);
    core::win_free(&on);
    return digest(r.results, last, clocks);
}

void check(u64 seed, int ranks, int rounds, int runs) {
    const generator made(seed, ranks, rounds);
    const std::vector<u64> expected = simulation(made.programs).traces();
    ASSERT_FALSE(expected.empty()) << "seed " << seed;
    shared_array<u64> seen(static_cast<std::size_t>(ranks));
    for (int run = 0; run < runs; ++run) {
        const auto codes = run_ranks(static_cast<std::uint32_t>(ranks), [&](int me) {
            const u64 disturbance =
                run == 0 ? 0 : mix(static_cast<u64>(getpid()) ^ static_cast<u64>(time(nullptr)));
            const auto own = static_cast<std::size_t>(me);
            seen[own] = run_program(made.programs[own], run % 2 == 1, disturbance);
            return 0;
        });
        ASSERT_TRUE(all_well(codes)) << "seed " << seed << ", run " << run;
        for (int r = 0; r < ranks; ++r)
            ASSERT_EQ(seen[static_cast<std::size_t>(r)], expected[static_cast<std::size_t>(r)])
                << "seed " << seed << ", run " << run << ", rank " << r;
    }
}

TEST(order, two_ranks_see_what_the_rule_says) {
    for (u64 seed = 1; seed <= 20; ++seed)
        check(seed, 2, 12, 3);
}

TEST(order, four_ranks_see_what_the_rule_says) {
    for (u64 seed = 1; seed <= 20; ++seed)
        check(seed, 4, 8, 3);
}

TEST(order, seven_ranks_see_what_the_rule_says) {
    for (u64 seed = 1; seed <= 8; ++seed)
        check(seed, 7, 6, 2);
}

TEST(order, sixteen_ranks_see_what_the_rule_says) {
    for (u64 seed = 1; seed <= 3; ++seed)
        check(seed, 16, 4, 2);
}

} // namespace
} // namespace saguaro::mpi
