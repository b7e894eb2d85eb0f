// SPDX-License-Identifier: MIT
// Collectives between two groups, those that block and those that do not.
#include "mpi/core/communicators/halves.hpp"
#include "mpi/core/ranks.hpp"
#include "mpi/core/short.hpp"

#include "mpi/core/interface/addresses.hpp"

#include <gtest/gtest.h>

namespace saguaro::mpi {
namespace {

// The ranks of the world below `boundary`, and the others: from each one's side.
struct two_groups {
    explicit two_groups(int boundary) {
        const int all = static_cast<int>(rank::mine->size());
        const int me = static_cast<int>(rank::mine->number());
        is_first = me < boundary;
        on = make_halves(boundary).between;
        rank = is_first ? me : me - boundary;
        local = is_first ? boundary : all - boundary;
        remote = all - local;
        first_remote = is_first ? boundary : 0;
    }

    // The root argument of this rank: the root is rank `of` of the first group or of the second.
    int root(bool in_first, int of) const {
        if (in_first != is_first)
            return of;
        return rank == of ? abi::root : abi::proc_null;
    }

    comm on;
    bool is_first;
    int rank;
    int local;
    int remote;
    int first_remote; // the number in the world of the other group's first rank
};

// body(groups, waits): `ends` begins nothing, and waits for a request if there is one.
void between_groups(const std::function<int(const two_groups &)> &body) {
    constexpr std::pair<std::uint32_t, int> cases[] = {{2, 1}, {3, 1}, {5, 2}, {7, 4}};
    for (const auto &[ranks, boundary] : cases)
        ASSERT_TRUE(all_well(
            run_ranks(ranks, [&body, first = boundary](int) { return body(two_groups(first)); })))
            << ranks << " ranks, " << boundary << " of them in the first group";
}

// What rank r of the world says to its peer p.
int value_of(int r, int p) {
    return 1000 * (r + 1) + p;
}

bool done(int error, request &r) {
    return error == 0 && (r == request::null || core::wait(&r, nullptr) == 0);
}

TEST(intercommunicator_collectives, the_roots_data_go_to_the_other_group) {
    between_groups([](const two_groups &g) {
        const int me = static_cast<int>(rank::mine->number());
        for (const bool in_first : {true, false})
            for (const bool blocks : {true, false}) {
                request r = request::null;
                const int source = in_first ? 0 : (g.is_first ? g.local : g.remote);
                const int root = g.root(in_first, 0);
                const bool receives = root >= 0;
                int x = me;
                if (!done(blocks ? core::bcast(&x, 1, integer, root, g.on)
                                 : core::ibcast(&x, 1, integer, root, g.on, &r),
                          r) ||
                    x != (receives ? source : me))
                    return 1;
                std::vector<int> parts;
                for (int p = 0; p < g.remote; ++p)
                    parts.push_back(value_of(me, p));
                x = -1;
                if (!done(blocks
                              ? core::scatter(parts.data(), 1, integer, &x, 1, integer, root, g.on)
                              : core::iscatter(parts.data(), 1, integer, &x, 1, integer, root, g.on,
                                               &r),
                          r) ||
                    x != (receives ? value_of(source, g.rank) : -1))
                    return 2;
                std::vector<int> got(parts.size(), -1);
                x = value_of(me, 0);
                if (!done(blocks ? core::gather(&x, 1, integer, got.data(), 1, integer, root, g.on)
                                 : core::igather(&x, 1, integer, got.data(), 1, integer, root, g.on,
                                                 &r),
                          r))
                    return 3;
                for (int p = 0; p < g.remote; ++p)
                    if (got[static_cast<std::size_t>(p)] !=
                        (root == abi::root ? value_of(g.first_remote + p, 0) : -1))
                        return 4;
            }
        return 0;
    });
}

TEST(intercommunicator_collectives, all_hear_from_all_of_the_other_group) {
    between_groups([](const two_groups &g) {
        const int me = static_cast<int>(rank::mine->number());
        for (const bool blocks : {true, false}) {
            request r = request::null;
            std::vector<int> sent;
            for (int p = 0; p < g.remote; ++p)
                sent.push_back(value_of(me, p));
            std::vector<int> got(sent.size());
            if (!done(blocks
                          ? core::allgather(sent.data(), 1, integer, got.data(), 1, integer, g.on)
                          : core::iallgather(sent.data(), 1, integer, got.data(), 1, integer, g.on,
                                             &r),
                      r))
                return 1;
            for (int p = 0; p < g.remote; ++p)
                if (got[static_cast<std::size_t>(p)] != value_of(g.first_remote + p, 0))
                    return 2;
            if (!done(blocks ? core::alltoall(sent.data(), 1, integer, got.data(), 1, integer, g.on)
                             : core::ialltoall(sent.data(), 1, integer, got.data(), 1, integer,
                                               g.on, &r),
                      r))
                return 3;
            for (int p = 0; p < g.remote; ++p)
                if (got[static_cast<std::size_t>(p)] != value_of(g.first_remote + p, g.rank))
                    return 4;
        }
        return 0;
    });
}

// 1 + the sum of the other group's values, by subtraction: the order of the ranks shows.
TEST(intercommunicator_collectives, reductions_combine_the_other_groups_elements) {
    between_groups([](const two_groups &g) {
        op minus = op::null;
        core::op_create(
            {[](any_function, const void *in, void *inout, std::int64_t count, datatype) {
                 for (std::int64_t i = 0; i < count; ++i)
                     static_cast<int *>(inout)[i] =
                         static_cast<const int *>(in)[i] - static_cast<int *>(inout)[i] * 2;
             },
             nullptr},
            0, &minus);
        const int me = static_cast<int>(rank::mine->number());
        const int total = 12 * g.local * g.remote;
        std::vector<int> own;
        for (int i = 0; i < total; ++i)
            own.push_back(value_of(me, i));
        // Left to right.
        std::vector<int> expected;
        for (int i = 0; i < total; ++i) {
            int combined = value_of(g.first_remote, i);
            for (int p = 1; p < g.remote; ++p)
                combined = combined - value_of(g.first_remote + p, i) * 2;
            expected.push_back(combined);
        }
        for (const bool blocks : {true, false}) {
            request r = request::null;
            std::vector<int> got(own.size());
            if (!done(blocks ? core::allreduce(own.data(), got.data(), total, integer, minus, g.on)
                             : core::iallreduce(own.data(), got.data(), total, integer, minus, g.on,
                                                &r),
                      r) ||
                got != expected)
                return 1;
            got.assign(own.size(), 0);
            const int root = g.root(false, 0);
            if (!done(blocks
                          ? core::reduce(own.data(), got.data(), total, integer, minus, root, g.on)
                          : core::ireduce(own.data(), got.data(), total, integer, minus, root, g.on,
                                          &r),
                      r) ||
                (root == abi::root) != (got == expected))
                return 2;
            // The first of a group gets more than the others.
            std::vector<std::int64_t> counts(static_cast<std::size_t>(g.local), total / g.local);
            std::int64_t first = g.rank * (total / g.local);
            if (g.local > 1) {
                counts.front() += 3;
                counts.back() -= 3;
                first += g.rank > 0 ? 3 : 0;
            }
            const auto count = static_cast<std::size_t>(counts[static_cast<std::size_t>(g.rank)]);
            std::vector<int> part(count);
            const std::vector<int> right(expected.begin() + first,
                                         expected.begin() + first +
                                             static_cast<std::ptrdiff_t>(count));
            if (!done(blocks ? core::reduce_scatter(own.data(), part.data(), counts.data(), integer,
                                                    minus, g.on)
                             : core::ireduce_scatter(own.data(), part.data(), counts.data(),
                                                     integer, minus, g.on, &r),
                      r) ||
                part != right)
                return 3;
        }
        return 0;
    });
}

TEST(intercommunicator_collectives, a_barrier_waits_for_the_other_group) {
    between_groups([](const two_groups &g) {
        core::barrier(comm::world);
        const clock_value begin = rank::mine->clock();
        core::declare_cost(g.is_first ? 100 : 200);
        core::barrier(g.on);
        return rank::mine->clock() == begin + 201 ? 0 : 1;
    });
}

TEST(intercommunicator_collectives, what_two_groups_cannot_do_is_refused) {
    between_groups([](const two_groups &g) {
        int x = 0;
        int y = 0;
        std::vector<int> v(10);
        request r = request::null;
        return core::scan(&x, &y, 1, integer, op::sum, g.on) == abi::err_comm &&
                       core::iexscan(&x, &y, 1, integer, op::sum, g.on, &r) == abi::err_comm &&
                       core::bcast(&x, 1, integer, g.remote, g.on) == abi::err_root &&
                       core::ibcast(&x, 1, integer, -77, g.on, &r) == abi::err_root &&
                       core::allreduce(in_place, &y, 1, integer, op::sum, g.on) ==
                           abi::err_buffer &&
                       core::allgather(in_place, 1, integer, v.data(), 1, integer, g.on) ==
                           abi::err_buffer &&
                       core::alltoall(in_place, 1, integer, v.data(), 1, integer, g.on) ==
                           abi::err_buffer &&
                       r == request::null
                   ? 0
                   : 1;
    });
}

} // namespace
} // namespace saguaro::mpi
