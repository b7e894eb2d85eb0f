// SPDX-License-Identifier: MIT
// The clock of -order work, by counters that the test makes up. tests/counter-vm has real ones.
#include "mpi/core/clock/work_clock.hpp"

#include "mpi/core/clock/clock_board.hpp"
#include "mpi/core/clock/order.hpp"
#include "mpi/core/clock/parked_memory.hpp"
#include "mpi/core/ranks.hpp"
#include "platform/clock.hpp"
#include "spmc/job.hpp"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace saguaro::mpi {
namespace {

constexpr std::uint64_t call = events_of_a_call;

// A rank with a counter of the test's.
struct fake_rank {
    work_record record{};
    work_clock sections{record};
    std::uint64_t count = 0;
    clock_value clock = 0;

    void leave() { sections.leave(clock, count); }
    void enter() {
        clock += *sections.enter([this] { return event_count(count); });
    }
    clock_value bound() const {
        return work_bound(record, [this] { return event_count(count); });
    }
};

TEST(work_clock, rises_by_what_the_program_has_done) {
    fake_rank r;
    r.clock = 7;
    r.leave();
    r.count += 5 * call;
    r.enter();
    EXPECT_EQ(r.clock, 12U);
}

TEST(work_clock, does_not_count_what_the_library_does) {
    fake_rank r;
    r.count = 123 * call + 45;
    r.leave();
    r.count += call;
    r.enter();
    r.count += 1000 * call;
    r.leave();
    r.count += 2 * call;
    r.enter();
    EXPECT_EQ(r.clock, 3U);
}

TEST(work_clock, loses_nothing_of_many_short_sections) {
    fake_rank r;
    std::minstd_rand random(1);
    std::uint64_t done = 0;
    for (int i = 0; i < 10'000; ++i) {
        r.leave();
        const std::uint64_t some = random() % (call / 4);
        r.count += some;
        done += some;
        r.enter();
        r.count += random() % (3 * call);
        ASSERT_EQ(r.clock, done / call) << i;
    }
}

TEST(work_clock, has_no_rise_without_a_count) {
    fake_rank r;
    r.leave();
    EXPECT_FALSE(r.sections.enter([] { return event_count(); }).has_value());
}

TEST(work_bound, follows_the_program) {
    fake_rank r;
    r.clock = 10;
    r.leave();
    EXPECT_EQ(r.bound(), 10U);
    r.count += 3 * call - 1;
    EXPECT_EQ(r.bound(), 12U);
    r.count += 1;
    EXPECT_EQ(r.bound(), 13U);
}

// What the section before has left counts for others as for the rank itself.
TEST(work_bound, is_what_the_clock_will_be) {
    fake_rank r;
    std::minstd_rand random(2);
    for (int i = 0; i < 1000; ++i) {
        r.leave();
        r.count += random() % (3 * call);
        const clock_value bound = r.bound();
        r.enter();
        ASSERT_EQ(bound, r.clock) << i;
        r.count += random() % (3 * call);
    }
}

TEST(work_bound, is_none_inside_the_library) {
    fake_rank r;
    EXPECT_EQ(r.bound(), 0U);
    r.clock = 10;
    r.leave();
    r.enter();
    r.count += 10 * call;
    EXPECT_EQ(r.bound(), 0U);
}

// The rank goes on while another reads its counter: what it does there is no program's work, or
// that of a later section.
TEST(work_bound, is_none_if_the_section_ends_before_the_count) {
    for (const bool begins_another : {false, true}) {
        fake_rank r;
        r.leave();
        EXPECT_EQ(work_bound(r.record,
                             [&] {
                                 r.enter();
                                 r.count += 100 * call;
                                 if (begins_another)
                                     r.leave();
                                 return event_count(r.count);
                             }),
                  0U);
    }
}

TEST(work_bound, is_none_without_a_count) {
    fake_rank r;
    r.clock = 10;
    r.leave();
    EXPECT_EQ(work_bound(r.record, [] { return event_count(); }), 0U);
}

// A section is over for others before the rank counts it.
TEST(work_bound, is_none_when_the_rank_counts) {
    fake_rank r;
    r.clock = 10;
    r.leave();
    clock_value seen = 1;
    r.sections.enter([&] {
        seen = r.bound();
        return event_count(r.count);
    });
    EXPECT_EQ(seen, 0U);
}

// One thread computes, in and out of the library; another looks at it all the time.
TEST(work_bound, is_never_above_the_clock_that_comes) {
    work_record record{};
    std::atomic<std::uint64_t> count = 0;
    std::atomic<bool> is_over = false;
    std::map<std::uint64_t, clock_value> ends; // of sections
    std::vector<std::pair<std::uint64_t, clock_value>> seen;
    const auto read = [&] { return event_count(count.load()); };
    std::thread computes([&] {
        work_clock sections(record);
        std::minstd_rand random(3);
        clock_value clock = 0;
        for (int i = 0; i < 20'000; ++i) {
            sections.leave(clock, count.load());
            const std::uint64_t section = record.section.load();
            for (int steps = static_cast<int>(random() % 50); steps > 0; --steps)
                count += random() % call;
            clock += *sections.enter(read);
            ends[section] = clock;
            count += random() % (100 * call);
            clock += 1;
        }
        is_over = true;
    });
    while (!is_over) {
        const std::uint64_t section = record.section.load();
        const clock_value bound = work_bound(record, read);
        if (bound != 0 && record.section.load() == section)
            seen.emplace_back(section, bound);
    }
    computes.join();
    for (const auto &[section, bound] : seen)
        ASSERT_LE(bound, ends.at(section));
}

class work_of_other_ranks : public testing::Test {
protected:
    world all{spmc::job::mine(), world::make(spmc::job::mine(), 3)};
    std::uint64_t counts[3] = {0, 0, 0};
    int reads = 0;

    work_of_others::count_of reader() {
        return [this](std::uint32_t which) {
            ++reads;
            return event_count(counts[which]);
        };
    }
    void compute(std::uint32_t which, clock_value clock) {
        work_clock(all.rank(which).work).leave(clock, counts[which]);
        all.rank(which).bound.store(clock);
    }
    void pause() {
        std::this_thread::sleep_for(std::chrono::nanoseconds(work_of_others::pause_ns));
    }
};

TEST_F(work_of_other_ranks, is_learned_where_it_is_needed) {
    work_of_others others(all, 0, reader());
    compute(0, 0);
    compute(1, 5);
    compute(2, 50);
    counts[1] = counts[2] = 10 * call;
    others.learn(20);
    EXPECT_EQ(reads, 1);
    EXPECT_EQ(others[0], 0U);
    EXPECT_EQ(others[1], 15U);
    EXPECT_EQ(others[2], 0U);
}

// Of two messages with one stamp, that of the lower rank goes first.
TEST_F(work_of_other_ranks, is_learned_where_the_bound_is_just_what_is_needed) {
    work_of_others others(all, 2, reader());
    compute(1, 5);
    counts[1] = call;
    others.learn(5);
    EXPECT_EQ(others[1], 6U);
    pause();
    counts[1] = 2 * call;
    others.learn(6);
    EXPECT_EQ(others[1], 7U);
}

TEST_F(work_of_other_ranks, is_not_looked_at_where_no_bound_decides) {
    work_of_others others(all, 0, reader());
    compute(1, 5);
    others.learn(forever);
    EXPECT_EQ(reads, 0);
}

TEST_F(work_of_other_ranks, is_not_looked_at_again_at_once) {
    work_of_others others(all, 0, reader());
    compute(1, 5);
    const auto began = std::chrono::steady_clock::now();
    int looks = 0;
    for (; looks < 1'000'000 && std::chrono::steady_clock::now() - began <
                                    10 * std::chrono::nanoseconds(work_of_others::pause_ns);
         ++looks)
        others.learn(20);
    EXPECT_LE(reads, 12);
}

TEST_F(work_of_other_ranks, holds_for_good) {
    work_of_others others(all, 0, reader());
    compute(1, 5);
    counts[1] = 10 * call;
    others.learn(20);
    all.rank(1).work.section.fetch_add(1); // it calls MPI
    pause();
    others.learn(20);
    EXPECT_EQ(others[1], 15U);
}

TEST_F(work_of_other_ranks, is_part_of_a_snapshot) {
    clock_board board(all, 0, reader());
    compute(1, 5);
    counts[1] = 10 * call;
    clock_bounds bounds = board.fresh();
    board.snapshot(bounds);
    EXPECT_EQ(bounds[1], 5U);
    board.learn_work(20);
    board.snapshot(bounds);
    EXPECT_EQ(bounds[1], 15U);
    // A rank that is blocked is bounded by what follows from the work of another.
    blockage why;
    why.waits_for.add(1);
    clock_board(all, 2).say_blocked(why, std::vector<in_ring>(world::capacity()));
    board.snapshot(bounds);
    EXPECT_EQ(bounds[2], 15U + hop_of_message);
}

// As far as the rank needs at the rate that the last two looks have seen.
TEST_F(work_of_other_ranks, is_expected_at_the_rate_of_the_last_looks) {
    work_of_others others(all, 0, reader());
    compute(1, 5);
    const auto look = [&] {
        const std::int64_t before = platform::now_ns();
        others.learn(1004);
        return std::pair(before, platform::now_ns());
    };
    const auto first = look();
    EXPECT_EQ(others.expected_at(), work_of_others::never);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    counts[1] = 500 * call; // half of it
    const auto second = look();
    EXPECT_GE(others.expected_at(), second.first + (second.first - first.second));
    EXPECT_LE(others.expected_at(), second.second + (second.second - first.first));
    pause();
    counts[1] = 1000 * call; // all
    look();
    EXPECT_EQ(others[1], 1005U);
    EXPECT_EQ(others.expected_at(), work_of_others::never);
}

TEST_F(work_of_other_ranks, is_not_expected_of_who_does_not_go_on) {
    work_of_others others(all, 0, reader());
    compute(1, 5);
    others.learn(20);
    pause();
    others.learn(20);
    EXPECT_EQ(others.expected_at(), work_of_others::never);
    pause();
    counts[1] = 2 * call;
    all.rank(1).work.section.fetch_add(1); // it calls MPI
    others.learn(20);
    EXPECT_EQ(others.expected_at(), work_of_others::never);
}

TEST(naps_until_work, end_when_the_work_is_expected) {
    naps_until_work naps;
    EXPECT_EQ(naps.next(work_of_others::never - 1), naps.first_ns);
    EXPECT_EQ(naps.next(work_of_others::never - 1), 2 * naps.first_ns);
    EXPECT_EQ(naps.next(-5), naps.first_ns);
    EXPECT_EQ(naps.next(7 * naps.first_ns), 7 * naps.first_ns);
    EXPECT_EQ(naps.next(work_of_others::never - 1), 16 * naps.first_ns);
    for (int i = 0; i < 20; ++i)
        EXPECT_LE(naps.next(work_of_others::never - 1), naps.most_ns);
    EXPECT_EQ(naps.next(work_of_others::never - 1), naps.most_ns);
}

// So often a rank sleeps that waits half a second for a message from any source, of which another
// one has come at once or not.
long naps_of_half_a_second(bool has_a_candidate) {
    shared_array<long> sleeps(1);
    EXPECT_TRUE(all_well(run_ranks(3, [&](int me) {
        order::by = order::rule::work;
        reserve_parked_memory();
        int x = 0;
        rusage before{};
        rusage behind{};
        if (me == 0) {
            getrusage(RUSAGE_SELF, &before);
            core::recv(&x, 1, datatype::int_, abi::any_source, 0, comm::world, nullptr);
            getrusage(RUSAGE_SELF, &behind);
            sleeps[0] = behind.ru_nvcsw - before.ru_nvcsw;
            core::recv(&x, 1, datatype::int_, abi::any_source, 0, comm::world, nullptr);
            return 0;
        }
        if (me == 1)
            core::declare_cost(1000); // so the first one's is later than the other's may be
        if (me == 2 || !has_a_candidate)
            usleep(500'000);
        core::send(&x, 1, datatype::int_, 0, 0, comm::world);
        return 0;
    })));
    return sleeps[0];
}

TEST(naps_until_work, are_few) {
    EXPECT_LE(naps_of_half_a_second(false), 100);
    EXPECT_LE(naps_of_half_a_second(true), 100);
}

} // namespace
} // namespace saguaro::mpi
