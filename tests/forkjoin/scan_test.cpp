// SPDX-License-Identifier: MIT
// Tests that parallel scans give the standard library's results under steals.
#include "algorithm_inputs.hpp"

#include "saguaro/parallel_invoke.hpp"
#include "saguaro/parallel_scan.hpp"
#include "saguaro/scope.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace saguaro::test;
using saguaro::grain;
using saguaro::parallel_exclusive_scan;
using saguaro::parallel_scan;

using strings = std::vector<std::string>;

std::string join(const std::string &a, const std::string &b) {
    return a + b;
}

// The three scans of `in` with `op`, each written to `out`, by the standard library and by us.
struct scan_pair {
    const char *name;
    void (*serial)(const strings &in, strings &out);
    std::size_t (*parallel)(const strings &in, strings &out, now_and_then &steal, grain g);
};

// An associative operation that is stolen from.
auto stealing_join(now_and_then &steal) {
    return [&](const std::string &a, const std::string &b) {
        steal();
        return a + b;
    };
}

std::size_t written(const strings &out, strings::const_iterator end) {
    return static_cast<std::size_t>(end - out.begin());
}

const scan_pair scans[] = {
    {"inclusive",
     [](const strings &in, strings &out) {
         std::inclusive_scan(in.begin(), in.end(), out.begin(), join);
     },
     [](const strings &in, strings &out, now_and_then &steal, grain g) {
         return written(out,
                        parallel_scan(in.begin(), in.end(), out.begin(), stealing_join(steal), g));
     }},
    {"inclusive from a first value",
     [](const strings &in, strings &out) {
         std::inclusive_scan(in.begin(), in.end(), out.begin(), join, std::string("first:"));
     },
     [](const strings &in, strings &out, now_and_then &steal, grain g) {
         return written(out, parallel_scan(in.begin(), in.end(), out.begin(), stealing_join(steal),
                                           std::string("first:"), g));
     }},
    {"exclusive",
     [](const strings &in, strings &out) {
         std::exclusive_scan(in.begin(), in.end(), out.begin(), std::string("first:"), join);
     },
     [](const strings &in, strings &out, now_and_then &steal, grain g) {
         return written(out,
                        parallel_exclusive_scan(in.begin(), in.end(), out.begin(),
                                                std::string("first:"), stealing_join(steal), g));
     }},
};

// --- The serial result ---

TEST(parallel_scan, operands_stay_in_order_however_it_is_cut) {
    std::uint64_t steals = 0;
    for (const scan_pair &scan : scans)
        for (const std::size_t n : {0u, 1u, 2u, 3u, 10u, 97u})
            for (const unsigned period : {3u, 31u})
                for (const grain g : {grain{}, grain{1}, grain{7}}) {
                    const strings in = words(n);
                    strings expected(n), apart(n), in_place = in;
                    scan.serial(in, expected);
                    now_and_then steal(period);
                    const scripted_workers workers(3);
                    EXPECT_EQ(scan.parallel(in, apart, steal, g), n);
                    EXPECT_EQ(apart, expected) << scan.name << ", " << n << " words";
                    EXPECT_EQ(scan.parallel(in_place, in_place, steal, g), n);
                    EXPECT_EQ(in_place, expected) << scan.name << " in place, " << n << " words";
                    steals += saguaro::stats().steals;
                }
    EXPECT_GT(steals, 10u);
}

TEST(parallel_scan, numbers_of_all_sizes_on_one_to_eight_workers) {
    std::vector<std::size_t> all = sizes();
    all.push_back(big);
    for (unsigned count = 1; count <= 8; ++count) {
        const free_workers workers(count);
        for (const std::size_t n : all) {
            const std::vector<int> in = random_ints(n, 1000, count);
            std::vector<int> serial(n), ours(n);
            std::inclusive_scan(in.begin(), in.end(), serial.begin());
            parallel_scan(in.begin(), in.end(), ours.begin());
            EXPECT_EQ(ours, serial) << n << " elements, " << count << " workers";
            std::exclusive_scan(in.begin(), in.end(), serial.begin(), 5);
            parallel_exclusive_scan(in.begin(), in.end(), ours.begin(), 5);
            EXPECT_EQ(ours, serial) << n << " elements, " << count << " workers";
        }
    }
}

TEST(parallel_scan, other_types_and_iterators) {
    const std::deque<short> in(3000, short{1000});
    std::vector<long> serial(in.size()), ours(in.size());
    const free_workers workers(2);
    std::inclusive_scan(in.begin(), in.end(), serial.begin(), std::plus<>(), 7L);
    parallel_scan(in.begin(), in.end(), ours.begin(), std::plus<>(), 7L);
    EXPECT_EQ(ours, serial);
    std::inclusive_scan(in.begin(), in.end(), serial.rbegin(), std::plus<>(), 7L);
    parallel_scan(in.begin(), in.end(), ours.rbegin(), std::plus<>(), 7L);
    EXPECT_EQ(ours, serial);
}

// --- Work ---

TEST(parallel_scan, one_worker_applies_the_operation_as_often_as_the_serial_scan) {
    const int n = 5000;
    const std::vector<int> in(n, 1);
    std::vector<int> out(n);
    int calls = 0;
    const auto plus = [&](int a, int b) {
        ++calls;
        return a + b;
    };
    const free_workers workers(1);
    parallel_scan(in.begin(), in.end(), out.begin(), plus);
    EXPECT_EQ(std::exchange(calls, 0), n - 1);
    parallel_scan(in.begin(), in.end(), out.begin(), plus, 0);
    EXPECT_EQ(std::exchange(calls, 0), n);
    parallel_exclusive_scan(in.begin(), in.end(), out.begin(), 0, plus);
    EXPECT_EQ(std::exchange(calls, 0), n - 1);
}

TEST(parallel_scan, no_more_than_two_applications_for_an_element) {
    const int n = 2000;
    const std::vector<int> in(n, 1);
    std::vector<int> out(n);
    for (const unsigned period : {3u, 50u, 700u}) {
        now_and_then steal(period);
        std::atomic<int> calls{0};
        const auto plus = [&](int a, int b) {
            ++calls;
            steal();
            return a + b;
        };
        const scripted_workers workers(4);
        parallel_scan(in.begin(), in.end(), out.begin(), plus, 0, grain{1});
        EXPECT_EQ(out.back(), n);
        EXPECT_LE(calls.exchange(0), 2 * n);
        parallel_exclusive_scan(in.begin(), in.end(), out.begin(), 0, plus, grain{1});
        EXPECT_EQ(out.back(), n - 1);
        EXPECT_LE(calls, 2 * n);
        EXPECT_GT(saguaro::stats().steals, 0u);
    }
}

// What was taken is scanned at once and corrected afterwards; what the owner kept is not touched
// again.
TEST(parallel_scan, only_what_was_stolen_is_visited_twice) {
    const int n = 100;
    const std::vector<int> in(n, 1);
    std::vector<int> out(n);
    std::atomic<int> calls{0};
    bool stolen = false;
    const scripted_workers workers(2);
    parallel_scan(
        in.begin(), in.end(), out.begin(),
        [&](int a, int b) {
            if (++calls == 1)
                stolen = force_steal();
            return a + b;
        },
        grain{1});
    EXPECT_TRUE(stolen);
    EXPECT_EQ(out.back(), n);
    // Stolen in the second of 100: the owner keeps 51, the thief has 49.
    EXPECT_EQ(calls, 50 + 48 + 49);
}

// --- Exceptions ---

TEST(parallel_scan_exceptions, at_each_position) {
    const nothing_leaks check;
    const int n = 24;
    std::vector<counted> in;
    for (int i = 0; i < n; ++i)
        in.emplace_back(i);
    // The second of the two throws as well, eight elements later.
    for (int thrower = 1; thrower < n - 1; ++thrower) {
        std::vector<counted> out(n);
        bool stolen = false;
        const auto last = [&](const counted &a, const counted &b) {
            if (b.value == 1)
                stolen = force_steal();
            for (const int who : {a.value, b.value})
                if (who == thrower || who == thrower + 8)
                    throw thrown(who);
            return counted(b.value);
        };
        const scripted_workers workers(2);
        EXPECT_EQ(
            who_throws([&] { parallel_scan(in.begin(), in.end(), out.begin(), last, grain{1}); }),
            thrower);
        EXPECT_TRUE(stolen);
        EXPECT_EQ(who_throws([&] {
                      parallel_exclusive_scan(in.begin(), in.end(), out.begin(), counted(-1), last,
                                              grain{1});
                  }),
                  thrower);
    }
}

// --- Where it is called ---

TEST(parallel_scan, within_other_constructs) {
    const strings in = words(200);
    strings expected(200);
    scans[0].serial(in, expected);
    std::vector<strings> outs(4, strings(200));
    now_and_then steal(13);
    const scripted_workers workers(3);
    saguaro::run([&] {
        saguaro::parallel_invoke([&] { scans[0].parallel(in, outs[0], steal, {}); },
                                 [&] { scans[0].parallel(in, outs[1], steal, {}); });
        saguaro::with_scope([&](saguaro::scope &s) {
            s.spawn([&] { scans[0].parallel(in, outs[2], steal, {}); });
            s.spawn([&] { scans[0].parallel(in, outs[3], steal, {}); });
        });
    });
    EXPECT_EQ(outs, std::vector<strings>(4, expected));
}

} // namespace
