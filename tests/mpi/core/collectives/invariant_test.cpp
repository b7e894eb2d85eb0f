// SPDX-License-Identifier: MIT
// detmpiexec -reduce invariant: the same bits for any number of ranks, in any order of them, by
// each reduction. What an exact sum is tests/mpi/launcher/reduce_test.py knows.
#include "mpi/core/ranks.hpp"
#include "mpi/core/short.hpp"
#include "support/effort.hpp"

#include "mpi/core/interface/addresses.hpp"
#include "mpi/core/operators/invariant.hpp"
#include "mpi/core/operators/pairs.hpp"
#include "mpi/variables.hpp"
#include "saguaro/detail/sanitizers.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

namespace saguaro::mpi {
namespace {

constexpr int most = 16;

class invariant_reductions : public testing::Test {
protected:
    void SetUp() override { setenv(variables::reduce.name, "invariant", 1); }
    void TearDown() override { unsetenv(variables::reduce.name); }
};

// ---- Each reduction ----

enum class by {
    reduce,
    allreduce,
    allreduce_in_place,
    reduce_scatter,
    block,
    scan,
    exscan,
    neither
};
constexpr int ways = 3; // blocking, not blocking, persistent

int end(request which, int way) {
    if (way == 2)
        core::start(&which);
    const int error = core::wait(&which, nullptr);
    return way == 2 && error == 0 ? core::request_free(&which) : error;
}

// The reduction of what all ranks give, in `out`, and at which rank it is. Of a scan that is the
// last rank, whose result is of all; an exclusive one gets an additional last rank, which gives
// nothing that counts.
template <class T>
int reduced(by kind, int way, const std::vector<T> &mine, std::vector<T> &out, datatype type,
            op which) {
    const auto count = static_cast<std::int64_t>(mine.size());
    const int root = size() - 1;
    request r = request::null;
    out = mine;
    // A rank gets as much as another gives; here all of it at one rank.
    std::vector<std::int64_t> counts(static_cast<std::size_t>(size()), 0);
    counts.back() = count;
    // As many blocks as ranks, each the whole.
    std::vector<T> blocks;
    for (int b = 0; kind == by::block && b < size(); ++b)
        blocks.insert(blocks.end(), mine.begin(), mine.end());
    const T *const in = mine.data();
    T *const to = out.data();
    switch (kind) {
    case by::reduce:
        if (way == 0)
            return core::reduce(in, to, count, type, which, root, world_comm);
        if (way == 1)
            core::ireduce(in, to, count, type, which, root, world_comm, &r);
        else
            core::reduce_init(in, to, count, type, which, root, world_comm, info::null, &r);
        return end(r, way);
    case by::allreduce:
    case by::allreduce_in_place: {
        const void *const from = kind == by::allreduce_in_place ? in_place : in;
        if (way == 0)
            return core::allreduce(from, to, count, type, which, world_comm);
        if (way == 1)
            core::iallreduce(from, to, count, type, which, world_comm, &r);
        else
            core::allreduce_init(from, to, count, type, which, world_comm, info::null, &r);
        return end(r, way);
    }
    case by::reduce_scatter:
        if (way == 0)
            return core::reduce_scatter(in, to, counts.data(), type, which, world_comm);
        if (way == 1)
            core::ireduce_scatter(in, to, counts.data(), type, which, world_comm, &r);
        else
            core::reduce_scatter_init(in, to, counts.data(), type, which, world_comm, info::null,
                                      &r);
        return end(r, way);
    case by::block:
        if (way == 0)
            return core::reduce_scatter_block(blocks.data(), to, count, type, which, world_comm);
        if (way == 1)
            core::ireduce_scatter_block(blocks.data(), to, count, type, which, world_comm, &r);
        else
            core::reduce_scatter_block_init(blocks.data(), to, count, type, which, world_comm,
                                            info::null, &r);
        return end(r, way);
    case by::scan:
        if (way == 0)
            return core::scan(in, to, count, type, which, world_comm);
        if (way == 1)
            core::iscan(in, to, count, type, which, world_comm, &r);
        else
            core::scan_init(in, to, count, type, which, world_comm, info::null, &r);
        return end(r, way);
    case by::exscan:
        if (way == 0)
            return core::exscan(in, to, count, type, which, world_comm);
        if (way == 1)
            core::iexscan(in, to, count, type, which, world_comm, &r);
        else
            core::exscan_init(in, to, count, type, which, world_comm, info::null, &r);
        return end(r, way);
    default:
        return abi::err_arg;
    }
}

// Runs `give(rank, ranks)` on so many ranks, reduces, and compares the bits of each element with
// those of `expected`. Counts that are few, and many.
template <class T, class Give>
::testing::AssertionResult gives(int ranks, datatype type, op which, const T &expected,
                                 std::size_t bytes, Give give) {
    const auto codes = run_ranks(static_cast<std::uint32_t>(ranks) + 1, [&](int me) {
        int code = 0; // a rank goes on behind an error, because others wait for it
        for (int kind = 0; kind < static_cast<int>(by::neither); ++kind)
            for (int way = 0; way < ways; ++way)
                for (const std::size_t count : {1U, 600U}) {
                    // The last rank gives nothing that counts: an exclusive scan leaves it out.
                    const int last = static_cast<by>(kind) == by::exscan ? 0 : -1;
                    const std::vector<T> mine(count, give(me < ranks ? me : last, ranks));
                    std::vector<T> out;
                    if (reduced(static_cast<by>(kind), way, mine, out, type, which) != 0)
                        code = 1;
                    for (const T &element : out)
                        if (me == ranks && std::memcmp(&element, &expected, bytes) != 0)
                            code = 2 + kind * ways + way;
                }
        return code;
    });
    for (std::size_t r = 0; r < codes.size(); ++r)
        if (codes[r] != 0)
            return ::testing::AssertionFailure()
                   << ranks << " ranks, rank " << r << ": code " << codes[r];
    return codes.empty() ? ::testing::AssertionFailure() : ::testing::AssertionSuccess();
}

template <class T>
std::size_t bytes_of() { // that count
    return std::is_same_v<T, long double> ? 10 : sizeof(T);
}

// ---- An array that is divided ----

// Whole numbers whose parts have exact sums for each number of ranks, but together they have more
// digits than T. What lies before the first part's end is even, so that part is exact too.
template <class T>
T element(int i) {
    const T great = std::ldexp(T(1), std::numeric_limits<T>::digits);
    return i == 0 ? great : i == most - 1 ? -great : i < 5 || i == 7 ? T(2 * i) : T(2 * i + 1);
}

template <class T>
T part(int me, int ranks) {
    if (me < 0)
        return T(0);
    // Exact: the great ones apart.
    long small = 0;
    T great = 0;
    for (int i = most * me / ranks; i < most * (me + 1) / ranks; ++i)
        if (std::fabs(element<T>(i)) > 1000)
            great += element<T>(i);
        else
            small += static_cast<long>(element<T>(i));
    return great + static_cast<T>(small);
}

template <class T>
void expect_one_sum_of_parts(datatype type) {
    for (int n = 1; n <= most; ++n)
        EXPECT_TRUE(gives<T>(n, type, op::sum, part<T>(0, 1), bytes_of<T>(), part<T>));
}

TEST_F(invariant_reductions, float_sums_do_not_depend_on_the_division) {
    expect_one_sum_of_parts<float>(datatype::float_);
}

TEST_F(invariant_reductions, double_sums_do_not_depend_on_the_division) {
    expect_one_sum_of_parts<double>(datatype::double_);
}

TEST_F(invariant_reductions, long_double_sums_do_not_depend_on_the_division) {
    expect_one_sum_of_parts<long double>(datatype::long_double);
}

TEST_F(invariant_reductions, complex_sums_do_not_depend_on_the_division) {
    using number = std::complex<double>;
    const auto give = [](int me, int ranks) {
        return number(part<double>(me, ranks), -2 * part<double>(me, ranks));
    };
    for (const int n : {1, 3, 8, 16})
        EXPECT_TRUE(gives<number>(n, datatype::cxx_double_complex, op::sum, give(0, 1),
                                  sizeof(number), give));
}

// Else the numbers above would show nothing.
TEST(ordered_reductions, depend_on_the_division) {
    EXPECT_TRUE(gives<double>(1, datatype::double_, op::sum, part<double>(0, 1), sizeof(double),
                              part<double>));
    EXPECT_FALSE(gives<double>(16, datatype::double_, op::sum, part<double>(0, 1), sizeof(double),
                               part<double>));
}

// ---- Special values, in any order ----

template <class T>
void expect_in_any_order(std::vector<T> values, T neutral, datatype type, op which,
                         const T &expected, std::size_t bytes) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    // A sanitizer looks at the code, whichever order it has: there, and where time is short, only
    // the first and the last one.
    const auto next = [&] {
        if (!SG_ADDRESS_SANITIZER && test_support::is_thorough())
            return std::next_permutation(order.begin(), order.end());
        const bool was_first = std::is_sorted(order.begin(), order.end()) && order.size() > 1;
        std::reverse(order.begin(), order.end());
        return was_first;
    };
    do {
        EXPECT_TRUE(gives<T>(
            static_cast<int>(values.size()), type, which, expected, bytes, [&](int me, int) {
                return me < 0 ? neutral : values[order[static_cast<std::size_t>(me)]];
            }));
    } while (next());
}

template <class T>
void expect_sum(std::vector<T> values, T expected, datatype type, T neutral = -T(0)) {
    expect_in_any_order<T>(std::move(values), neutral, type, op::sum, expected, bytes_of<T>());
}

template <class T>
void expect_special_sums(datatype type) {
    using limits = std::numeric_limits<T>;
    const T infinity = limits::infinity();
    const T nan = limits::quiet_NaN();
    const T great = limits::max();
    const T least = limits::denorm_min();
    expect_sum<T>({1, infinity, great}, infinity, type);
    expect_sum<T>({-infinity, great, -infinity}, -infinity, type);
    expect_sum<T>({infinity, 1, -infinity}, nan, type);
    expect_sum<T>({-nan, infinity, 1}, nan, type);
    expect_sum<T>({-nan}, nan, type);
    expect_sum<T>({great, great, -great}, great, type);
    expect_sum<T>({great, great}, infinity, type);
    expect_sum<T>({-T(0), -T(0)}, -T(0), type);
    expect_sum<T>({-T(0), T(0)}, T(0), type);
    expect_sum<T>({great, -great, -T(0)}, T(0), type);
    expect_sum<T>({least, great, -great}, least, type);
    expect_sum<T>({limits::min(), -least}, limits::min() - least, type);
    // A tie that the last one decides: down to the even number, or up.
    const T even = 1;
    const T half = limits::epsilon() / 2;
    expect_sum<T>({even, half}, even, type);
    expect_sum<T>({even, half, least}, even + limits::epsilon(), type);
    expect_sum<T>({even, half, -least}, even, type);
    expect_sum<T>({-even, -half, -least}, -even - limits::epsilon(), type);
}

TEST_F(invariant_reductions, special_values_have_one_sum) {
    expect_special_sums<float>(datatype::float_);
    expect_special_sums<double>(datatype::double_);
    expect_special_sums<long double>(datatype::long_double);
}

TEST_F(invariant_reductions, one_number_is_the_least_or_greatest) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const auto expect = [&](op which, std::vector<double> values, double expected) {
        const double neutral = which == op::min ? infinity : -infinity;
        expect_in_any_order<double>(std::move(values), neutral, datatype::double_, which, expected,
                                    sizeof(double));
    };
    expect(op::min, {3, 1, 2}, 1);
    expect(op::max, {3, 1, 2}, 3);
    expect(op::min, {3, -nan, 2}, nan);
    expect(op::max, {3, -nan, 2}, nan);
    expect(op::min, {0.0, -0.0}, -0.0);
    expect(op::max, {0.0, -0.0}, 0.0);
}

TEST_F(invariant_reductions, one_place_is_the_first) {
    using place = pair<double>;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const auto expect = [&](op which, const std::vector<place> &values, place expected) {
        const place neutral{which == op::minloc ? infinity : -infinity, 100};
        expect_in_any_order<place>(values, neutral, datatype::double_int, which, expected, 12);
    };
    expect(op::minloc, {{3, 1}, {1, 2}, {1, 3}}, {1, 2});
    expect(op::maxloc, {{3, 2}, {1, 1}, {3, 3}}, {3, 2});
    expect(op::minloc, {{3, 1}, {nan, 3}, {nan, 2}}, {nan, 2});
    expect(op::maxloc, {{3, 1}, {nan, 3}, {nan, 2}}, {nan, 2});
    // Of one place as well.
    expect(op::minloc, {{0.0, 5}, {-0.0, 5}}, {-0.0, 5});
    expect(op::maxloc, {{0.0, 5}, {-0.0, 5}}, {0.0, 5});
    expect(op::minloc, {{nan, 5}, {-nan, 5}}, {nan, 5});
}

// ---- What stays as it is ----

TEST_F(invariant_reductions, products_and_own_operators_keep_the_order_of_the_ranks) {
    const std::vector<double> values{1e200, 1e-200, 1e200, 1e200};
    const auto give = [&](int me, int) {
        return me < 0 ? 1 : values[static_cast<std::size_t>(me)];
    };
    const double product = 1e200 * 1e-200 * 1e200 * 1e200; // infinite, and not in another order
    EXPECT_TRUE(gives<double>(4, datatype::double_, op::prod, product, sizeof(double), give));
    EXPECT_TRUE(all_well(run_ranks(3, [](int me) {
        op minus = op::null;
        core::op_create({[](any_function, const void *in, void *inout, std::int64_t, datatype) {
                             *static_cast<double *>(inout) =
                                 *static_cast<const double *>(in) - *static_cast<double *>(inout);
                         },
                         nullptr},
                        0, &minus);
        const double mine = 1 << me;
        double all = 0;
        core::allreduce(&mine, &all, 1, datatype::double_, minus, world_comm);
        return all == (1.0 - 2.0) - 4.0 ? 0 : 1;
    })));
}

TEST_F(invariant_reductions, whole_numbers_stay_as_they_are) {
    EXPECT_TRUE(gives<int>(4, datatype::int_, op::sum, 10, sizeof(int),
                           [](int me, int) { return me + 1; }));
}

// 2^53 and so many times 1, rounded to an even number, and of two to the one with an even half.
double prefix(int ones) {
    const int up = ones % 4 == 3 ? 1 : ones % 4 == 1 ? -1 : 0;
    return std::ldexp(1.0, 53) + (ones + up);
}

TEST_F(invariant_reductions, a_scan_has_the_sum_of_each_prefix) {
    EXPECT_TRUE(all_well(run_ranks(20, [](int me) {
        const double mine = me == 0 ? std::ldexp(1.0, 53) : 1;
        const std::vector<double> in(600, mine);
        std::vector<double> out(600);
        std::vector<double> without(600);
        core::scan(in.data(), out.data(), 600, datatype::double_, op::sum, world_comm);
        core::exscan(in.data(), without.data(), 600, datatype::double_, op::sum, world_comm);
        if (out[0] != prefix(me) || out[599] != prefix(me))
            return 1;
        return me == 0 || without[599] == prefix(me - 1) ? 0 : 2;
    })));
}

TEST_F(invariant_reductions, the_modes_of_the_program_do_not_matter_and_stay) {
    EXPECT_TRUE(all_well(run_ranks(3, [](int me) {
        std::fesetround(FE_UPWARD);
        std::feclearexcept(FE_ALL_EXCEPT);
        const double mine[2] = {1, me == 0 ? std::numeric_limits<double>::denorm_min() : 0};
        double all[2];
        const double term = me == 0 ? 1 : std::ldexp(1.0, -54);
        core::allreduce(&mine[1], &all[1], 1, datatype::double_, op::sum, world_comm);
        core::allreduce(&term, &all[0], 1, datatype::double_, op::sum, world_comm);
        if (all[0] != 1.0 || all[1] != std::numeric_limits<double>::denorm_min())
            return 1; // 1 + 2^-53 is a tie, and 1 is even
        if (std::fetestexcept(FE_ALL_EXCEPT) != 0)
            return 2;
        return std::fegetround() == FE_UPWARD ? 0 : 3;
    })));
}

// Numbers near 0 are zeros from now on, as in a program that gcc -Ofast has linked.
void flush_to_zero() {
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040); // FTZ, DAZ
#elif defined(__aarch64__)
    std::uint64_t control;
    asm volatile("mrs %0, fpcr" : "=r"(control));
    asm volatile("msr fpcr, %0" : : "r"(control | 1 << 24)); // FZ
#endif
}

TEST_F(invariant_reductions, flushing_to_zero_does_not_matter) {
    const double least = std::numeric_limits<double>::denorm_min();
    using place = pair<double>;
    for (const bool is_first : {false, true}) {
        const auto number = [=](int me, int) {
            flush_to_zero();
            return me < 0 || (me == 0) == is_first ? least : 0;
        };
        const auto with_place = [=](int me, int) {
            flush_to_zero();
            return (me == 0) == is_first ? place{least, 1} : place{0, 2};
        };
        EXPECT_TRUE(gives<double>(2, datatype::double_, op::min, 0, sizeof(double), number));
        EXPECT_TRUE(gives<place>(2, datatype::double_int, op::minloc, {0, 2}, 12, with_place));
    }
}

TEST_F(invariant_reductions, of_two_buffers_are_the_same) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const double in[2] = {1, nan};
        double inout[2] = {nan, 1};
        return core::reduce_local(in, inout, 2, datatype::double_, op::min) == 0 &&
                       std::isnan(inout[0]) && std::isnan(inout[1])
                   ? 0
                   : 1;
    })));
}

} // namespace
} // namespace saguaro::mpi
