// SPDX-License-Identifier: MIT
// Each collective against what a loop computes, and the clock that the rule says.
#include "ranks.hpp"

#include "detmpi/core/addresses.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace saguaro::detmpi {
namespace {

constexpr comm world_comm = comm::world;
const void *const in_place = reinterpret_cast<const void *>(addresses::in_place);

// What rank r has at place i.
int value(int r, std::int64_t i) {
    return static_cast<int>(r * 1000 + i * 7 % 997);
}

std::vector<int> values(int r, std::int64_t count) {
    std::vector<int> v(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
        v[static_cast<std::size_t>(i)] = value(r, i);
    return v;
}

int size() {
    return static_cast<int>(rank::mine->size());
}

// A function of the rank, on 1 to 5 ranks; it returns 0 if all is well.
void on_ranks(const std::function<int(int)> &body) {
    for (std::uint32_t n = 1; n <= 5; ++n)
        ASSERT_TRUE(all_well(run_ranks(n, body))) << n << " ranks";
}

// Small, in the ring, and in blocks.
constexpr std::int64_t counts[] = {1, 100, 20000};

TEST(collectives, bcast_gives_all_the_roots_data) {
    on_ranks([](int me) {
        for (const std::int64_t count : counts)
            for (int root = 0; root < size(); ++root) {
                std::vector<int> v = values(me, count);
                core::bcast(v.data(), count, datatype::int_, root, world_comm);
                if (v != values(root, count))
                    return 1;
            }
        return 0;
    });
}

TEST(collectives, gather_and_scatter_are_inverse) {
    on_ranks([](int me) {
        for (const std::int64_t count : counts)
            for (int root = 0; root < size(); ++root) {
                const std::vector<int> own = values(me, count);
                std::vector<int> all(static_cast<std::size_t>(count * size()));
                core::gather(own.data(), count, datatype::int_, all.data(), count, datatype::int_,
                             root, world_comm);
                if (me == root)
                    for (int r = 0; r < size(); ++r)
                        if (!std::equal(all.begin() + r * count, all.begin() + (r + 1) * count,
                                        values(r, count).begin()))
                            return 1;
                std::vector<int> back(static_cast<std::size_t>(count));
                core::scatter(all.data(), count, datatype::int_, back.data(), count, datatype::int_,
                              root, world_comm);
                if (back != own)
                    return 2;
            }
        return 0;
    });
}

TEST(collectives, allgatherv_places_each_part) {
    on_ranks([](int me) {
        std::vector<std::int64_t> parts;
        std::vector<std::int64_t> places;
        std::int64_t end = 3;
        for (int r = 0; r < size(); ++r) {
            parts.push_back(r * 2 + 1);
            places.push_back(end);
            end += r * 2 + 4; // a gap of 3
        }
        std::vector<int> all(static_cast<std::size_t>(end), -1);
        core::allgatherv(values(me, me * 2 + 1).data(), me * 2 + 1, datatype::int_, all.data(),
                         parts.data(), places.data(), datatype::int_, world_comm);
        std::vector<int> expected(static_cast<std::size_t>(end), -1);
        for (int r = 0; r < size(); ++r)
            std::ranges::copy(values(r, r * 2 + 1),
                              expected.begin() + places[static_cast<std::size_t>(r)]);
        return all == expected ? 0 : 1;
    });
}

TEST(collectives, alltoall_transposes_in_place_as_well) {
    on_ranks([](int me) {
        for (const std::int64_t count : counts) {
            std::vector<int> sent;
            std::vector<int> expected;
            for (int r = 0; r < size(); ++r)
                for (std::int64_t i = 0; i < count; ++i) {
                    sent.push_back(value(me, i) + r * 100000);
                    expected.push_back(value(r, i) + me * 100000);
                }
            std::vector<int> got(sent.size());
            core::alltoall(sent.data(), count, datatype::int_, got.data(), count, datatype::int_,
                           world_comm);
            if (got != expected)
                return 1;
            got = sent;
            core::alltoall(in_place, 0, datatype::null, got.data(), count, datatype::int_,
                           world_comm);
            if (got != expected)
                return 2;
        }
        return 0;
    });
}

TEST(collectives, reductions_combine_from_left_to_right) {
    on_ranks([](int me) {
        // Sums of these depend on the order.
        const auto term = [](int r, int i) { return 1e16 / (r * r * r + 1) + i * 0.3 - r; };
        constexpr int count = 3000;
        std::vector<double> own(count);
        std::vector<double> total(count);
        std::vector<double> prefix(count);
        for (int i = 0; i < count; ++i)
            own[i] = term(me, i);
        const auto sum_to = [&](int last, int i) {
            double sum = term(0, i);
            for (int r = 1; r <= last; ++r)
                sum = sum + term(r, i);
            return sum;
        };
        core::allreduce(own.data(), total.data(), count, datatype::double_, op::sum, world_comm);
        core::scan(own.data(), prefix.data(), count, datatype::double_, op::sum, world_comm);
        for (int i = 0; i < count; ++i)
            if (total[i] != sum_to(size() - 1, i) || prefix[i] != sum_to(me, i))
                return 1;
        core::exscan(own.data(), prefix.data(), count, datatype::double_, op::sum, world_comm);
        for (int i = 0; i < count && me > 0; ++i)
            if (prefix[i] != sum_to(me - 1, i))
                return 2;
        for (int root = 0; root < size(); ++root) {
            std::vector<double> v = own;
            core::reduce(me == root ? in_place : v.data(), v.data(), count, datatype::double_,
                         op::sum, root, world_comm);
            if (me == root && v != total)
                return 3;
        }
        const int part = count / size();
        std::vector<double> mine(static_cast<std::size_t>(part));
        core::reduce_scatter_block(own.data(), mine.data(), part, datatype::double_, op::sum,
                                   world_comm);
        return std::equal(mine.begin(), mine.end(), total.begin() + me * part) ? 0 : 4;
    });
}

TEST(collectives, operators_do_what_their_names_say) {
    on_ranks([](int me) {
        struct {
            double value;
            int index;
        } place{static_cast<double>((me * 3) % 4), me}, found{};
        core::allreduce(&place, &found, 1, datatype::double_int, op::minloc, world_comm);
        if (found.value != 0 || found.index != 0)
            return 1;
        unsigned bit = 1U << me;
        unsigned bits = 0;
        core::allreduce(&bit, &bits, 1, datatype::unsigned_, op::bor, world_comm);
        if (bits != (1U << size()) - 1)
            return 2;
        // No bits of floating numbers.
        double x = 0;
        return core::allreduce(&x, &x, 1, datatype::double_, op::band, world_comm) == mpi::err_op
                   ? 0
                   : 3;
    });
}

TEST(collectives, clock_is_that_of_those_whose_data_are_needed) {
    on_ranks([](int me) {
        // Rank r comes with the clock 100 r.
        const auto come = [me] {
            const auto now = static_cast<std::int64_t>(rank::mine->clock());
            const std::int64_t round = (now / 10000 + 1) * 10000;
            core::declare_cost(round + me * 100 - now);
            return round;
        };
        const int last = size() - 1;
        const auto is_at = [](std::int64_t clock) {
            return rank::mine->clock() == static_cast<clock_value>(clock);
        };
        int x = me;
        int y = 0;
        std::int64_t round = come();
        core::barrier(world_comm);
        if (!is_at(round + last * 100 + 1))
            return 1;
        round = come();
        core::bcast(&x, 1, datatype::int_, last, world_comm);
        if (!is_at(round + last * 100 + 1))
            return 2;
        round = come();
        core::bcast(&x, 1, datatype::int_, 0, world_comm);
        if (!is_at(round + me * 100 + 1))
            return 3;
        round = come();
        core::reduce(&x, &y, 1, datatype::int_, op::sum, 0, world_comm);
        if (!is_at(round + (me == 0 ? last : me) * 100 + 1))
            return 4;
        round = come();
        core::scan(&x, &y, 1, datatype::int_, op::sum, world_comm);
        return is_at(round + me * 100 + 1) ? 0 : 5;
    });
}

TEST(communicators, split_orders_by_key_and_their_messages_do_not_meet) {
    on_ranks([](int me) {
        comm half = comm::null;
        core::comm_split(world_comm, me % 2, -me, &half);
        int n = 0;
        int r = 0;
        core::comm_size(half, &n);
        core::comm_rank(half, &r);
        const int others = (size() - 1 - me % 2) / 2 + 1; // of this parity
        if (n != others || r != others - 1 - me / 2)
            return 1;
        comm copy = comm::null;
        core::comm_dup(half, &copy);
        // To itself, in each communicator, with one tag; received in the other order.
        int sent[2] = {me, me + 100};
        int got[2] = {};
        core::send(&sent[0], 1, datatype::int_, r, 5, half);
        core::send(&sent[1], 1, datatype::int_, r, 5, copy);
        core::recv(&got[1], 1, datatype::int_, mpi::any_source, mpi::any_tag, copy, nullptr);
        core::recv(&got[0], 1, datatype::int_, mpi::any_source, mpi::any_tag, half, nullptr);
        int result = 0;
        core::comm_compare(half, copy, &result);
        core::comm_free(&half);
        core::comm_free(&copy);
        return got[0] == me && got[1] == me + 100 && result == mpi::congruent ? 0 : 2;
    });
}

} // namespace
} // namespace saguaro::detmpi
