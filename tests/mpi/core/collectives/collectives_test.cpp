// SPDX-License-Identifier: MIT
// Each collective against what a loop computes, and the clock that the rule says.
#include "mpi/core/ranks.hpp"
#include "mpi/core/short.hpp"

#include "mpi/core/interface/addresses.hpp"
#include "mpi/core/reports/leaks.hpp"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <numeric>
#include <string>

namespace saguaro::mpi {
namespace {

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

// What MPI says to ignore: in place, and at ranks that are not the root.
TEST(collectives, insignificant_arguments_are_not_looked_at) {
    on_ranks([](int me) {
        const int n = size();
        const auto places = static_cast<std::size_t>(n);
        const std::vector<std::int64_t> ones(places, 1);
        const std::vector<std::int64_t> steps = [&] {
            std::vector<std::int64_t> v(places);
            std::iota(v.begin(), v.end(), 0);
            return v;
        }();
        constexpr datatype none = datatype::null;
        constexpr datatype integer = datatype::int_;
        int own = me + 1;
        const auto is_complete = [](const std::vector<int> &v) {
            for (std::size_t r = 0; r < v.size(); ++r)
                if (v[r] != static_cast<int>(r) + 1)
                    return false;
            return true;
        };
        std::vector<int> all(places);
        all[static_cast<std::size_t>(me)] = me + 1;
        const bool is_root = me == 0;
        if ((is_root ? core::gather(in_place, -1, none, all.data(), 1, integer, 0, world_comm)
                     : core::gather(&own, 1, integer, nullptr, -1, none, 0, world_comm)) != 0 ||
            (is_root && !is_complete(all)))
            return 1;
        if ((is_root ? core::gatherv(in_place, -1, none, all.data(), ones.data(), steps.data(),
                                     integer, 0, world_comm)
                     : core::gatherv(&own, 1, integer, nullptr, nullptr, nullptr, none, 0,
                                     world_comm)) != 0)
            return 2;
        void *const root_place = const_cast<void *>(in_place);
        own = is_root ? 1 : 0;
        if ((is_root ? core::scatter(all.data(), 1, integer, root_place, -1, none, 0, world_comm)
                     : core::scatter(nullptr, -1, none, &own, 1, integer, 0, world_comm)) != 0 ||
            own != me + 1)
            return 3;
        if ((is_root ? core::scatterv(all.data(), ones.data(), steps.data(), integer, root_place,
                                      -1, none, 0, world_comm)
                     : core::scatterv(nullptr, nullptr, nullptr, none, &own, 1, integer, 0,
                                      world_comm)) != 0)
            return 4;
        if (core::allgather(in_place, -1, none, all.data(), 1, integer, world_comm) != 0 ||
            core::allgatherv(in_place, -1, none, all.data(), ones.data(), steps.data(), integer,
                             world_comm) != 0 ||
            core::alltoall(in_place, -1, none, all.data(), 1, integer, world_comm) != 0 ||
            core::alltoallv(in_place, nullptr, nullptr, none, all.data(), ones.data(), steps.data(),
                            integer, world_comm) != 0)
            return 5;
        const std::vector<std::int64_t> bytes(places, 0);
        const std::vector<datatype> types(places, integer);
        return core::alltoallw(in_place, nullptr, nullptr, nullptr, all.data(), ones.data(),
                               bytes.data(), types.data(), world_comm) == 0
                   ? 0
                   : 6;
    });
}

TEST(collectives, negative_counts_are_refused) {
    on_ranks([](int) {
        constexpr datatype integer = datatype::int_;
        const auto places = static_cast<std::size_t>(size());
        std::vector<std::int64_t> parts(places, 1);
        parts.back() = -1; // the others', of which a rank needs to know as well
        const std::vector<std::int64_t> good(places, 1);
        const std::vector<std::int64_t> steps(places, 0);
        const std::vector<datatype> types(places, integer);
        std::vector<int> v(places);
        int x = 0;
        const int errors[] = {
            core::bcast(&x, -1, integer, 0, world_comm),
            core::gather(&x, -1, integer, v.data(), 1, integer, 0, world_comm),
            core::scatter(v.data(), 1, integer, &x, -1, integer, 0, world_comm),
            core::allgather(&x, -1, integer, v.data(), 1, integer, world_comm),
            core::allgather(&x, 1, integer, v.data(), -1, integer, world_comm),
            core::allgatherv(&x, 1, integer, v.data(), parts.data(), steps.data(), integer,
                             world_comm),
            core::alltoall(v.data(), -1, integer, v.data(), 1, integer, world_comm),
            core::alltoall(v.data(), 1, integer, v.data(), -1, integer, world_comm),
            core::alltoallv(v.data(), parts.data(), steps.data(), integer, v.data(), good.data(),
                            steps.data(), integer, world_comm),
            core::alltoallv(v.data(), good.data(), steps.data(), integer, v.data(), parts.data(),
                            steps.data(), integer, world_comm),
            core::alltoallw(v.data(), good.data(), steps.data(), types.data(), v.data(),
                            parts.data(), steps.data(), types.data(), world_comm),
            core::reduce(&x, v.data(), -1, integer, op::sum, 0, world_comm),
            core::allreduce(&x, v.data(), -1, integer, op::sum, world_comm),
            core::reduce_scatter(v.data(), &x, parts.data(), integer, op::sum, world_comm),
            core::reduce_scatter_block(v.data(), &x, -1, integer, op::sum, world_comm),
            core::scan(&x, v.data(), -1, integer, op::sum, world_comm),
        };
        int at = 0;
        for (const int error : errors) {
            ++at;
            if (error != abi::err_count)
                return at;
        }
        return 0;
    });
}

// What only the root says: there a count of another rank is refused before it waits for anybody.
TEST(collectives, negative_counts_of_the_root_are_refused) {
    const auto body = [](int) {
        const std::int64_t parts[] = {-1};
        const std::int64_t places[] = {0};
        int x = 0;
        int y = 0;
        constexpr datatype integer = datatype::int_;
        if (core::gather(&x, 1, integer, &y, -1, integer, 0, world_comm) != abi::err_count ||
            core::gatherv(&x, 1, integer, &y, parts, places, integer, 0, world_comm) !=
                abi::err_count)
            return 1;
        if (core::scatter(&x, -1, integer, &y, 1, integer, 0, world_comm) != abi::err_count ||
            core::scatterv(&x, parts, places, integer, &y, 1, integer, 0, world_comm) !=
                abi::err_count)
            return 2;
        return 0;
    };
    EXPECT_TRUE(all_well(run_ranks(1, body)));
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
            own[static_cast<std::size_t>(i)] = term(me, i);
        const auto sum_to = [&](int last, int i) {
            double sum = term(0, i);
            for (int r = 1; r <= last; ++r)
                sum = sum + term(r, i);
            return sum;
        };
        core::allreduce(own.data(), total.data(), count, datatype::double_, op::sum, world_comm);
        core::scan(own.data(), prefix.data(), count, datatype::double_, op::sum, world_comm);
        for (int i = 0; i < count; ++i)
            if (const auto at = static_cast<std::size_t>(i);
                total[at] != sum_to(size() - 1, i) || prefix[at] != sum_to(me, i))
                return 1;
        core::exscan(own.data(), prefix.data(), count, datatype::double_, op::sum, world_comm);
        for (int i = 0; i < count && me > 0; ++i)
            if (prefix[static_cast<std::size_t>(i)] != sum_to(me - 1, i))
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
        return core::allreduce(&x, &x, 1, datatype::double_, op::band, world_comm) == abi::err_op
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

// Types with addresses of their own, from MPI_BOTTOM, and types that take parts of one struct.
TEST(collectives, buffers_of_one_base_may_be_distinct) {
    on_ranks([](int me) {
        struct pair {
            int sent, received;
        } x = {me * 3, -1};
        const std::int64_t one = 1;
        const datatype integer = datatype::int_;
        const auto at = [&](std::intptr_t place) {
            const std::int64_t places[] = {place};
            datatype made = datatype::null;
            core::type_create_struct(1, &one, places, &integer, &made);
            core::type_commit(&made);
            return made;
        };
        const auto address = reinterpret_cast<std::intptr_t>(&x);
        for (const bool is_absolute : {true, false}) {
            void *const base = is_absolute ? nullptr : &x;
            datatype sent = at(is_absolute ? address : 0);
            datatype received = at((is_absolute ? address : 0) + 4);
            x.received = -1;
            const int error = core::allreduce(base, base, 1, sent, op::sum, world_comm);
            if (error == 0) // an operator's type is one, so these are the same elements
                return 1;
            if (core::scatter(base, 1, sent, base, 1, received, 0, comm::self) != 0)
                return 2;
            if (x.received != me * 3)
                return 3;
            core::type_free(&sent);
            core::type_free(&received);
        }
        return 0;
    });
}

// Null, MPI_IN_PLACE where it means nothing, and the same memory for what is sent and received.
TEST(collectives, buffers_that_are_none_are_refused) {
    on_ranks([](int me) {
        constexpr datatype integer = datatype::int_;
        void *const place = const_cast<void *>(in_place);
        std::vector<int> v(static_cast<std::size_t>(size()));
        int *const own = &v[static_cast<std::size_t>(me)];
        int x = 0;
        request r = request::null;
        const int errors[] = {
            core::bcast(place, 1, integer, 0, world_comm),
            core::ibcast(nullptr, 1, integer, 0, world_comm, &r),
            core::allreduce(&x, &x, 1, integer, op::sum, world_comm),
            core::allreduce(&x, place, 1, integer, op::sum, world_comm),
            core::iallreduce(nullptr, &x, 1, integer, op::sum, world_comm, &r),
            core::reduce(me == 0 ? &x : nullptr, &x, 1, integer, op::sum, 0, world_comm),
            core::scan(&x, &x, 1, integer, op::sum, world_comm),
            core::iexscan(&x, nullptr, 1, integer, op::sum, world_comm, &r),
            core::reduce_scatter_block(v.data(), v.data(), 1, integer, op::sum, world_comm),
            core::allgather(own, 1, integer, v.data(), 1, integer, world_comm),
            core::iallgather(&x, 1, integer, nullptr, 1, integer, world_comm, &r),
            core::alltoall(v.data(), 1, integer, v.data(), 1, integer, world_comm),
            me == 0 ? core::gather(v.data(), 1, integer, v.data(), 1, integer, 0, world_comm)
                    : abi::err_buffer,
            me == 0 ? core::scatter(v.data(), 1, integer, v.data(), 1, integer, 0, world_comm)
                    : abi::err_buffer,
            core::reduce_local(&x, &x, 1, integer, op::sum),
            core::reduce_local(in_place, &x, 1, integer, op::sum),
            core::reduce_local(nullptr, &x, 1, integer, op::sum),
        };
        int at = 0;
        for (const int error : errors) {
            ++at;
            if (error != abi::err_buffer)
                return at;
        }
        // Of no elements nothing is asked.
        return core::allreduce(nullptr, nullptr, 0, integer, op::sum, world_comm) == 0 &&
                       core::bcast(nullptr, 0, integer, 0, world_comm) == 0 &&
                       core::reduce_local(&x, &x, 0, integer, op::sum) == 0 && r == request::null
                   ? 0
                   : 100;
    });
}

// Longer than the receive, as everywhere, and shorter.
TEST(collectives, broadcasts_of_other_lengths_are_errors) {
    EXPECT_TRUE(all_well(run_ranks(3, [](int me) {
        int v[4] = {};
        constexpr datatype integer = datatype::int_;
        const int expected_of_long = me == 0 ? 0 : abi::err_truncate;
        const int expected_of_short = me == 0 ? 0 : abi::err_other;
        if (core::bcast(v, me == 0 ? 4 : 2, integer, 0, world_comm) != expected_of_long ||
            core::bcast(v, me == 0 ? 2 : 4, integer, 0, world_comm) != expected_of_short)
            return 1;
        request r = request::null;
        core::ibcast(v, me == 0 ? 4 : 2, integer, 0, world_comm, &r);
        if (core::wait(&r, nullptr) != expected_of_long)
            return 2;
        core::ibcast(v, me == 0 ? 2 : 4, integer, 0, world_comm, &r);
        return core::wait(&r, nullptr) == expected_of_short ? 0 : 3;
    })));
}

// So many ranks that messages are handed on: the barrier, the allreduce, the scans.
TEST(collectives, many_ranks_have_other_algorithms) {
    EXPECT_TRUE(all_well(run_ranks(19, [](int me) {
        core::barrier(world_comm);
        const clock_value begin = rank::mine->clock();
        core::declare_cost(me * 10);
        core::barrier(world_comm);
        if (rank::mine->clock() != begin + 181)
            return 1;
        core::declare_cost(me * 10);
        const int own = 1 << me;
        int all = 0;
        int left = 0;
        int below = 0;
        core::scan(&own, &left, 1, datatype::int_, op::bor, world_comm);
        if (rank::mine->clock() != begin + 182 + static_cast<clock_value>(me) * 10)
            return 2;
        core::exscan(&own, &below, 1, datatype::int_, op::bor, world_comm);
        core::allreduce(&own, &all, 1, datatype::int_, op::bor, world_comm);
        return all == (1 << 19) - 1 && left == (2 << me) - 1 && below == (1 << me) - 1 &&
                       rank::mine->clock() == begin + 184 + 180
                   ? 0
                   : 3;
    })));
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
        core::recv(&got[1], 1, datatype::int_, abi::any_source, abi::any_tag, copy, nullptr);
        core::recv(&got[0], 1, datatype::int_, abi::any_source, abi::any_tag, half, nullptr);
        int result = 0;
        core::comm_compare(half, copy, &result);
        core::comm_free(&half);
        core::comm_free(&copy);
        return got[0] == me && got[1] == me + 100 && result == abi::congruent ? 0 : 2;
    });
}

// A rank gives less than belongs to the root's place, or makes another call: its error, where the
// handler is asked. tests/mpi/launcher/misfits_test.py has the lines.
TEST(collectives, calls_that_do_not_fit_are_errors) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        const int own[2] = {};
        int all[4] = {};
        constexpr datatype integer = datatype::int_;
        const int expected = me == 0 ? abi::err_other : 0;
        request r{};
        if (core::gather(own, 2 - me, integer, all, 2, integer, 0, world_comm) != expected)
            return 1;
        core::igather(own, 2 - me, integer, all, 2, integer, 0, world_comm, &r);
        if (core::wait(&r, nullptr) != expected)
            return 2;
        // Both have 8 bytes.
        const int error = me == 0 ? core::allreduce(own, all, 2, integer, op::sum, world_comm)
                                  : core::reduce(own, all, 2, integer, op::sum, 0, world_comm);
        return error == expected ? 0 : 3;
    })));
}

} // namespace
} // namespace saguaro::mpi
