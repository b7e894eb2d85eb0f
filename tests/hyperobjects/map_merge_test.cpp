// SPDX-License-Identifier: MIT
// Tests of the monoid that merges maps: serial order, policies and laws.
#include "saguaro/map_merge.hpp"

#include "forced.hpp"
#include "joined.hpp"
#include "support/death_style.hpp"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace saguaro {
namespace {

using namespace saguaro::test;

using words = std::map<int, std::string>;
using concatenation = map_merge<words, std::plus<>>;

// Few keys: most maps share some. Sizes from 0 to 11: either side may be the larger.
template <class Map>
Map random_map(std::mt19937 &random) {
    Map map;
    for (std::size_t left = random() % 12; left > 0; --left)
        map[static_cast<int>(random() % 20)] += static_cast<char>('a' + random() % 26);
    return map;
}

TEST(map_merge, equal_keys_are_combined_in_serial_order_whichever_map_is_larger) {
    const concatenation m;
    EXPECT_EQ(joined(m, {{1, "a"}, {2, "b"}}, {{2, "c"}}), (words{{1, "a"}, {2, "bc"}}));
    EXPECT_EQ(joined(m, {{2, "b"}}, {{1, "a"}, {2, "c"}}), (words{{1, "a"}, {2, "bc"}}));
    EXPECT_EQ(joined(m, {}, {{2, "c"}}), (words{{2, "c"}}));
}

TEST(map_merge, first_or_last_value_stays) {
    for (const words &right : {words{{1, "r"}}, words{{1, "r"}, {2, "r"}}}) {
        EXPECT_EQ(joined(map_merge<words>(), {{1, "l"}}, right).at(1), "l");
        EXPECT_EQ(joined(map_merge<words, keep_last>(), {{1, "l"}}, right).at(1), "r");
    }
}

TEST(map_merge, laws) {
    expect_laws(concatenation(), random_map<words>, same);
    expect_laws(map_merge<words>(), random_map<words>, same);
    expect_laws(map_merge<words, keep_last>(), random_map<words>, same);
    using hashed = std::unordered_map<int, std::string>;
    expect_laws(map_merge<hashed, std::plus<>>(), random_map<hashed>, same);
}

TEST(map_merge, serial_result_under_steals) {
    const auto append = [](auto &map, int i) { map[i * 7 % 40] += std::to_string(i) + ' '; };
    expect_serial_result(concatenation(), 200, append, same);
    using hashed = std::unordered_map<int, std::string>;
    expect_serial_result(map_merge<hashed, std::plus<>>(), 200, append, same);
    expect_serial_result(
        map_merge<words>(), 200,
        [](words &map, int i) { map.try_emplace(i % 40, std::to_string(i)); }, same);
    expect_serial_result(
        map_merge<words, keep_last>(), 200,
        [](words &map, int i) { map.insert_or_assign(i % 40, std::to_string(i)); }, same);
}

// Equal by its number; the mark tells equal ones apart.
struct marked {
    int number;
    int mark;
    bool operator<(const marked &other) const { return number < other.number; }
    bool operator==(const marked &other) const { return number == other.number; }
};
struct hash_of_number {
    std::size_t operator()(const marked &m) const { return std::hash<int>()(m.number); }
};

TEST(set_merge, of_equal_elements_the_first_stays) {
    using set = std::set<marked>;
    const set_merge<set> m;
    EXPECT_EQ(joined(m, {{1, 0}, {2, 0}}, {{2, 1}}).find({2, 0})->mark, 0);
    EXPECT_EQ(joined(m, {{2, 0}}, {{1, 1}, {2, 1}}).find({2, 0})->mark, 0);
}

TEST(map_merge, of_equal_keys_the_first_stays) {
    using map = std::map<marked, int>;
    const map_merge<map, std::plus<>> m;
    const map larger = {{{1, 1}, 10}, {{2, 1}, 20}};
    const map result = joined(m, {{{2, 0}, 5}}, larger);
    EXPECT_EQ(result.find({2, 0})->first.mark, 0);
    EXPECT_EQ(result.at({2, 0}), 25);
}

TEST(set_merge, laws_and_serial_result_under_steals) {
    const auto elements = [](const auto &set) {
        std::map<int, int> marks;
        for (const marked &m : set)
            marks[m.number] = m.mark;
        return marks;
    };
    const auto check = [&]<class Set>(const set_merge<Set> &m) {
        expect_laws(
            m,
            [](std::mt19937 &random) {
                Set set;
                for (std::size_t left = random() % 12; left > 0; --left)
                    set.insert({static_cast<int>(random() % 20), static_cast<int>(random())});
                return set;
            },
            elements);
        expect_serial_result(
            m, 200, [](Set &set, int i) { set.insert({i * 7 % 40, i}); }, elements);
    };
    check(set_merge<std::set<marked>>());
    check(set_merge<std::unordered_set<marked, hash_of_number>>());
}

// Counts how often keys are compared.
struct counting_less {
    static inline long calls = 0;
    bool operator()(int a, int b) const {
        ++calls;
        return a < b;
    }
};

TEST(map_merge, the_smaller_map_is_moved_and_ranges_are_found_at_once) {
    using map = std::map<int, int, counting_less>;
    map large, small;
    for (int i = 0; i < 10'000; ++i)
        large[i < 5'000 ? i : i + 100] = i;
    for (int i = 0; i < 100; ++i)
        small[5'000 + i] = i;
    for (const bool small_is_left : {true, false}) {
        map left = small_is_left ? small : large;
        map right = small_is_left ? large : small;
        counting_less::calls = 0;
        map_merge<map>().reduce(left, std::move(right));
        EXPECT_EQ(left.size(), 10'100u);
        EXPECT_LT(counting_less::calls, 100 * 4 + 50);
    }
}

TEST(map_merge, elements_keep_their_addresses) {
    for (const int others : {0, 3}) {
        words left{{1, "l"}}, right;
        right[2] = "r";
        for (int i = 0; i < others; ++i)
            right[10 + i] = "x";
        const std::string *const in_left = &left[1], *const in_right = &right[2];
        concatenation().reduce(left, std::move(right));
        EXPECT_EQ(&left[1], in_left);
        EXPECT_EQ(&left[2], in_right);
    }
}

TEST(map_merge, values_may_be_move_only) {
    using map = std::map<int, std::unique_ptr<int>>;
    const auto sum = [](std::unique_ptr<int> a, std::unique_ptr<int> b) {
        *a += *b;
        return a;
    };
    expect_serial_result(
        map_merge<map, decltype(sum)>(sum), 100,
        [](map &m, int i) {
            auto &place = m[i % 13];
            if (place)
                *place += i;
            else
                place = std::make_unique<int>(i);
        },
        [](const map &m) {
            std::map<int, int> plain;
            for (const auto &[key, value] : m)
                plain[key] = *value;
            return plain;
        });
}

TEST(map_merge, nothing_leaks) {
    const nothing_leaks check;
    using map = std::map<int, counted>;
    expect_serial_result(
        map_merge<map, keep_last>(), 100,
        [](map &m, int i) { m.insert_or_assign(i % 13, counted(i)); },
        [](const map &m) {
            std::vector<int> values;
            for (const auto &[key, value] : m)
                values.push_back(value.value);
            return values;
        });
}

TEST(map_merge_death, exception_of_combine_ends_the_program) {
    use_threadsafe_style();
    const auto fail = [](int, int) -> int { throw std::runtime_error("combine"); };
    using failing = map_merge<std::map<int, int>, decltype(fail)>;
    const auto join = [&] {
        reducer<failing> r{failing(fail)};
        scripted_workers workers(2);
        forced_loop(100, 2, [&](int) { ++(*r)[0]; });
    };
    EXPECT_DEATH(join(), "terminate");
}

} // namespace
} // namespace saguaro
