// SPDX-License-Identifier: MIT
// Cilk Plus's and OpenCilk's reducers for C++, as programs use them; compiled as C++11.
#include <cilk/holder.h>
#include <cilk/opadd_reducer.h>
#include <cilk/ostream_reducer.h>
#include <cilk/reducer.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <cilk/reducer_ostream.h>
#include <cilk/reducer_string.h>
#include <cilk/reducer_vector.h>

#include "cilk/cxx/hooks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <iomanip>
#include <limits>
#include <list>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

// update(i) for i in [0, n), in four strands.
void in_strands(int n, const std::function<void(int)> &update) {
    const auto some = [&](int from, int to) {
        for (int i = from; i < to; ++i)
            update(i);
    };
    const auto half = [&](int from, int to) {
        const int middle = (from + to) / 2;
        saguaro::test::cxx::in_two_strands([&] { some(from, middle); }, [&] { some(middle, to); });
    };
    half(0, n / 2);
    half(n / 2, n);
}

void operators() {
    cilk::reducer<cilk::op_add<long>> sum(1000);
    in_strands(100, [&](int i) {
        *sum += 3;
        *sum -= 1;
        ++*sum;
        (*sum)++;
        --*sum;
        (*sum)--;
        *sum = *sum + i - 2;
    });
    EXPECT_EQ(sum.get_value(), 1000 + 4950);
    cilk::reducer<cilk::op_add<std::string>> text; // the order counts
    in_strands(10, [&](int i) { *text += std::to_string(i); });
    EXPECT_EQ(text.get_value(), "0123456789");

    cilk::reducer<cilk::op_and<unsigned>> all;
    in_strands(8, [&](int i) { *all &= ~(1U << i); });
    EXPECT_EQ(all.get_value(), ~0xFFU);
    cilk::reducer<cilk::op_or<unsigned short>> any;
    in_strands(8, [&](int i) {
        *any = *any | static_cast<unsigned short>(1 << i) | static_cast<unsigned short>(256);
    });
    EXPECT_EQ(any.get_value(), 0x1FF);
    cilk::reducer<cilk::op_xor<bool>> odd(false);
    in_strands(9, [&](int) { *odd ^= true; });
    EXPECT_TRUE(odd.get_value());
    cilk::reducer<cilk::op_mul<double>> product;
    in_strands(10, [&](int) { *product = *product * 2.0; });
    EXPECT_EQ(product.get_value(), 1024);

    long out = 0;
    sum.move_out(out);
    EXPECT_EQ(out, 5950);
    sum.set_value(3);
    EXPECT_EQ(sum->view_get_value(), 3);
    EXPECT_EQ(sum.view().view_get_reference(), 3);
    sum.move_in(out);
    EXPECT_EQ(sum().view_get_value(), 5950);
}

void extremes() {
    const int values[10] = {3, 9, 2, 9, -5, 7, -5, 0, 9, 1};
    cilk::reducer<cilk::op_max<int>> greatest;
    cilk::reducer<cilk::op_min<int>> least;
    cilk::reducer<cilk::op_max_index<int, int>> greatest_at;
    cilk::reducer<cilk::op_min_index<std::size_t, int>> least_at(99, 50);
    EXPECT_FALSE(greatest->is_set());
    EXPECT_EQ(greatest.get_value(), std::numeric_limits<int>::min());
    in_strands(10, [&](int i) {
        greatest->calc_max(values[i]);
        *least = cilk::min_of(cilk::min_of(*least, values[i]), 8);
        *greatest_at = cilk::max_of(*greatest_at, i, values[i]);
        least_at->calc_min(static_cast<std::size_t>(i), values[i]);
    });
    EXPECT_EQ(greatest.get_value(), 9);
    EXPECT_TRUE(greatest->is_set());
    EXPECT_EQ(least.get_value(), -5);
    EXPECT_EQ(greatest_at.get_value(), std::make_pair(1, 9));
    EXPECT_EQ(least_at->get_index_reference(), 4U);
    EXPECT_EQ(least_at->get_reference(), -5);

    // A value that is the worst there is counts; a NaN does not.
    cilk::reducer<cilk::op_max_index<int, int>> worst;
    cilk::reducer<cilk::op_max<double>> numbers;
    in_strands(8, [&](int i) {
        worst->calc_max(i, std::numeric_limits<int>::min());
        numbers->calc_max(i % 2 == 0 ? std::nan("") : i);
    });
    EXPECT_EQ(worst.get_value().first, 0);
    EXPECT_EQ(numbers.get_value(), 7);

    // With a comparison of the program's, and with types that have no limits.
    const std::greater<int> descending = {};
    cilk::reducer<cilk::op_max<int, std::greater<int>>> smallest(50, descending);
    cilk::reducer<cilk::op_max<int, bool (*)(int, int)>> by_function(
        static_cast<bool (*)(int, int)>([](int a, int b) { return a % 7 < b % 7; }));
    cilk::reducer<cilk::op_min<std::string>> word;
    in_strands(10, [&](int i) {
        smallest->calc_max(values[i]);
        by_function->calc_max(i);
        word->calc_min(std::string(1, static_cast<char>('z' - i)));
    });
    EXPECT_EQ(smallest.get_value(), -5);
    EXPECT_EQ(by_function.get_value(), 6);
    EXPECT_EQ(word.get_value(), "q");
}

std::vector<int> first_numbers(int n) {
    std::vector<int> v;
    for (int i = 0; i < n; ++i)
        v.push_back(i);
    return v;
}

void containers() {
    cilk::reducer<cilk::op_list_append<int>> list;
    cilk::reducer<cilk::op_list_prepend<int>> reversed;
    cilk::reducer<cilk::op_vector<int>> vector;
    cilk::reducer<cilk::op_string> string("begin:");
    cilk::reducer<cilk::op_wstring> wide;
    in_strands(20, [&](int i) {
        list->push_back(i);
        reversed->push_front(i);
        vector->push_back(i);
        *string += static_cast<char>('a' + i);
        string->append("-x", 1);
        wide->push_back(L'w');
    });
    const std::vector<int> numbers = first_numbers(20);
    EXPECT_EQ(list.get_value(), std::list<int>(numbers.begin(), numbers.end()));
    EXPECT_EQ(reversed.get_value(), std::list<int>(numbers.rbegin(), numbers.rend()));
    EXPECT_EQ(vector.get_value(), numbers);
    EXPECT_EQ(string.get_value(), "begin:a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s-t-");
    EXPECT_EQ(wide.get_value(), std::wstring(20, L'w'));

    std::vector<int> taken;
    vector.move_out(taken);
    EXPECT_EQ(taken, numbers);
    EXPECT_TRUE(vector.get_value().empty());
    cilk::reducer<cilk::op_vector<int>> given(cilk::move_in(taken));
    EXPECT_TRUE(taken.empty());
    given->insert_back(2, 7);
    given->insert_back(numbers.begin(), numbers.begin() + 1);
    EXPECT_EQ(given.get_value().size(), 23U);
    std::list<int> more(2, 5);
    list->splice_back(more);
    EXPECT_EQ(list.get_value().size(), 22U);
}

void streams() {
    std::ostringstream target, older, opencilk;
    target << std::setprecision(3);
    {
        cilk::reducer<cilk::op_ostream> out(target);
        cilk::reducer_ostream old(older);
        cilk::ostream_reducer<char> open(opencilk);
        in_strands(12, [&](int i) {
            *out << i << ':' << i / 7.0 << std::endl;
            old << i << ' ';
            old << std::flush;
            open << i << std::endl;
        });
    }
    std::ostringstream serial, numbers, lines;
    serial << std::setprecision(3);
    for (int i = 0; i < 12; ++i) {
        serial << i << ':' << i / 7.0 << '\n';
        numbers << i << ' ';
        lines << i << '\n';
    }
    EXPECT_EQ(target.str(), serial.str());
    EXPECT_EQ(older.str(), numbers.str());
    EXPECT_EQ(opencilk.str(), lines.str());
}

// A monoid of a program's on plain values, with static functions.
struct concatenation : cilk::monoid_base<std::string> {
    static void reduce(std::string *left, std::string *right) { *left += *right; }
    static void identity(std::string *view) { new (view) std::string(); }
};

// A view of a program's, with the least that a reducer needs.
struct tally {
    typedef std::vector<int> value_type;
    tally() : counts(3) {}
    explicit tally(const std::vector<int> &initial) : counts(initial) {}
    void count(int i) { ++counts[static_cast<std::size_t>(i % 3)]; }
    void reduce(tally *right) {
        for (std::size_t i = 0; i < 3; ++i)
            counts[i] += right->counts[i];
    }
    std::vector<int> view_get_value() const { return counts; }
    std::vector<int> counts;
};

// A monoid with a state of its own.
struct modular : cilk::monoid_base<int> {
    explicit modular(int m) : modulus(m) {}
    void reduce(int *left, int *right) const { *left = (*left + *right) % modulus; }
    int modulus;
};

void own_monoids() {
    cilk::reducer<concatenation> text("x");
    cilk::reducer<cilk::monoid_with_view<tally>> counts;
    const modular seven(7);
    cilk::reducer<modular> rest(seven, 5);
    in_strands(10, [&](int i) {
        text.view() += std::to_string(i);
        counts->count(i);
        *rest = (*rest + i) % rest.monoid().modulus;
    });
    EXPECT_EQ(text.get_value(), "x0123456789");
    EXPECT_EQ(counts.get_value(), (std::vector<int>{4, 3, 3}));
    EXPECT_EQ(rest.get_value(), (5 + 45) % 7);
}

void holders() {
    cilk::holder<std::vector<int>> scratch;
    cilk::holder<int, cilk::holder_keep_last> last(-1);
    cilk::holder<int> made([] { return 8; });
    cilk::reducer<cilk::op_add<int>> good;
    in_strands(20, [&](int i) {
        scratch->assign(3, i);
        *good += scratch()[2] == i && (made.view() == 8 || made.view() < 8);
        *made = 7;
        *last = i;
    });
    EXPECT_EQ(good.get_value(), 20);
    EXPECT_EQ(*last, 19);
}

void add_one(cilk::reducer<cilk::op_add<int>> &r) {
    *r += 1;
}
void add_two(cilk::reducer_opadd<int> &r) {
    r += 2;
}

void older_classes() {
    cilk::reducer_opadd<int> sum(10);
    cilk::reducer_opor<unsigned> bits;
    cilk::reducer_max<int> greatest;
    cilk::reducer_max_index<int, double> at;
    cilk::reducer_min_index<int, double> least;
    cilk::reducer_list_append<int> list;
    cilk::reducer_string text("t");
    cilk::opadd_reducer<long> plain = 4;
    in_strands(16, [&](int i) {
        sum += i;
        sum = sum + 1 - 1;
        ++sum;
        *sum -= 1;
        bits |= 1U << i;
        greatest = cilk::max_of(greatest, i);
        at.calc_max(i, -i);
        least = cilk::min_of(least, i, static_cast<double>(i));
        list.push_back(i);
        text += "ab";
        plain += i;
        plain++;
    });
    add_one(sum);
    add_two(*sum);
    EXPECT_EQ(sum.get_value(), 133);
    EXPECT_EQ(bits.get_value(), 0xFFFFU);
    EXPECT_EQ(greatest.get_value(), 15);
    EXPECT_EQ(at.get_index(), 0);
    EXPECT_EQ(at.get_value(), 0);
    EXPECT_EQ(least.get_reference(), 0);
    EXPECT_EQ(list.get_reference().size(), 16U);
    EXPECT_EQ(text.get_value().size(), 33U);
    const long total = plain;
    EXPECT_EQ(total, 4 + 120 + 16);
    cilk::reducer<cilk::op_add<int>> newer;
    add_two(newer);
    EXPECT_EQ(newer.get_value(), 2);
}

} // namespace

const saguaro::test::cxx::reducer_functions saguaro::test::cxx::reducers = {
    operators, extremes, containers, streams, own_monoids, holders, older_classes,
};
