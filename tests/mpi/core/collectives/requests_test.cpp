// SPDX-License-Identifier: MIT
// Collectives that do not block, and persistent ones: each gives what the blocking one gives, to
// the bit, and is complete at the clock that the rule says.
#include "mpi/core/ranks.hpp"
#include "mpi/core/short.hpp"

#include "mpi/core/interface/addresses.hpp"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <numeric>
#include <unistd.h>

namespace saguaro::mpi {
namespace {

void on_ranks(const std::function<int(int)> &body) {
    for (const std::uint32_t n : {1U, 2U, 3U, 5U, 8U})
        ASSERT_TRUE(all_well(run_ranks(n, body))) << n << " ranks";
}

// How a program learns of the end of a request.
int end_by(int way, request &which, status *out = nullptr) {
    int flag = 0;
    int index = 0;
    int indices[1];
    switch (way % 6) {
    case 0:
        return core::wait(&which, out);
    case 1:
        return core::waitall(1, &which, out);
    case 2:
        return core::waitany(1, &which, &index, out);
    case 3:
        return core::waitsome(1, &which, &index, indices, out);
    case 4:
        for (;;)
            if (const int error = core::test(&which, &flag, out); error != 0 || flag != 0)
                return error;
    default:
        while (flag == 0)
            core::request_get_status(which, &flag, out);
        return core::wait(&which, out);
    }
}

// Left to right matters, and so does the order of the additions.
struct affine {
    double factor;
    double term;
    bool operator==(const affine &) const = default;
};

void compose(any_function, const void *in, void *inout, std::int64_t count, datatype) {
    const auto *const a = static_cast<const affine *>(in);
    auto *const b = static_cast<affine *>(inout);
    for (std::int64_t i = 0; i < count; ++i)
        b[i] = {a[i].factor * b[i].factor, a[i].factor * b[i].term + a[i].term};
}

op make_composition() {
    op made = op::null;
    core::op_create({compose, nullptr}, 0, &made);
    return made;
}

datatype make_affine() {
    datatype made = datatype::null;
    core::type_contiguous(2, datatype::double_, &made);
    core::type_commit(&made);
    return made;
}

std::vector<affine> functions_of(int r, int count) {
    std::vector<affine> v;
    for (int i = 0; i < count; ++i)
        v.push_back({1.0 + 0.1 * r + 0.001 * i, 0.3 * r - 0.7 * i});
    return v;
}

TEST(requested_collectives, reductions_give_the_bits_of_the_blocking_ones) {
    on_ranks([](int me) {
        const op which = make_composition();
        const datatype type = make_affine();
        const int n = size();
        int way = 0;
        for (const int part : {1, 40, 3000}) {
            const int count = part * n;
            const auto own = functions_of(me, count);
            const auto length = static_cast<std::size_t>(count);
            const std::vector<std::int64_t> parts(static_cast<std::size_t>(n), part);
            std::vector<affine> expected(length);
            std::vector<affine> got(length);
            request r = request::null;
            const auto agree = [&] {
                if (end_by(way++, r) != 0 || r != request::null || got != expected)
                    return false;
                std::ranges::fill(expected, affine{});
                got = expected;
                return true;
            };
            core::allreduce(own.data(), expected.data(), count, type, which, world_comm);
            core::iallreduce(own.data(), got.data(), count, type, which, world_comm, &r);
            if (!agree())
                return 1;
            core::allreduce(own.data(), expected.data(), count, type, which, world_comm);
            got = own;
            core::iallreduce(in_place, got.data(), count, type, which, world_comm, &r);
            if (!agree())
                return 2;
            core::reduce(own.data(), expected.data(), count, type, which, n - 1, world_comm);
            core::ireduce(own.data(), got.data(), count, type, which, n - 1, world_comm, &r);
            if (!agree())
                return 3;
            core::scan(own.data(), expected.data(), count, type, which, world_comm);
            core::iscan(own.data(), got.data(), count, type, which, world_comm, &r);
            if (!agree())
                return 4;
            core::exscan(own.data(), expected.data(), count, type, which, world_comm);
            core::iexscan(own.data(), got.data(), count, type, which, world_comm, &r);
            if (!agree())
                return 5;
            core::reduce_scatter_block(own.data(), expected.data(), part, type, which, world_comm);
            core::ireduce_scatter_block(own.data(), got.data(), part, type, which, world_comm, &r);
            if (!agree())
                return 6;
            core::reduce_scatter(own.data(), expected.data(), parts.data(), type, which,
                                 world_comm);
            core::ireduce_scatter(own.data(), got.data(), parts.data(), type, which, world_comm,
                                  &r);
            if (!agree())
                return 7;
        }
        return 0;
    });
}

// Each of those that only move data; `make` makes the request, which is persistent or has begun.
using make_request_of = std::function<void(int which, const int *sent, int *received, request *)>;

constexpr int movements = 9;
constexpr int part_of = 50;

// What one of them sends and receives is `part_of` elements for each rank, at most.
void move_blocking(int which, const int *sent, int *received) {
    constexpr datatype t = datatype::int_;
    const int n = size();
    const int root = n / 2;
    const std::vector<std::int64_t> counts(static_cast<std::size_t>(n), part_of);
    std::vector<std::int64_t> places(static_cast<std::size_t>(n));
    std::vector<std::int64_t> bytes(places.size());
    for (std::size_t r = 0; r < places.size(); ++r) {
        places[r] = static_cast<std::int64_t>(places.size() - 1 - r) * part_of;
        bytes[r] = places[r] * 4;
    }
    const std::vector<datatype> types(places.size(), t);
    switch (which) {
    case 0:
        core::barrier(world_comm);
        return;
    case 1:
        std::copy(sent, sent + part_of, received);
        core::bcast(received, part_of, t, root, world_comm);
        return;
    case 2:
        core::gather(sent, part_of, t, received, part_of, t, root, world_comm);
        return;
    case 3:
        core::gatherv(sent, part_of, t, received, counts.data(), places.data(), t, root,
                      world_comm);
        return;
    case 4:
        core::scatter(sent, part_of, t, received, part_of, t, root, world_comm);
        return;
    case 5:
        core::scatterv(sent, counts.data(), places.data(), t, received, part_of, t, root,
                       world_comm);
        return;
    case 6:
        core::allgatherv(sent, part_of, t, received, counts.data(), places.data(), t, world_comm);
        return;
    case 7:
        core::alltoallv(sent, counts.data(), places.data(), t, received, counts.data(),
                        places.data(), t, world_comm);
        return;
    default:
        core::alltoallw(sent, counts.data(), bytes.data(), types.data(), received, counts.data(),
                        bytes.data(), types.data(), world_comm);
    }
}

void move_by_request(int which, const int *sent, int *received, bool is_persistent, request *out) {
    constexpr datatype t = datatype::int_;
    constexpr info none = info::null;
    const int n = size();
    const int root = n / 2;
    // Gone when this returns, as a face's are.
    const std::vector<std::int64_t> counts(static_cast<std::size_t>(n), part_of);
    std::vector<std::int64_t> places(static_cast<std::size_t>(n));
    std::vector<std::int64_t> bytes(places.size());
    for (std::size_t r = 0; r < places.size(); ++r) {
        places[r] = static_cast<std::int64_t>(places.size() - 1 - r) * part_of;
        bytes[r] = places[r] * 4;
    }
    const std::vector<datatype> types(places.size(), t);
    if (which == 1)
        std::copy(sent, sent + part_of, received);
    const auto *const c = counts.data();
    const auto *const p = places.data();
    const auto *const b = bytes.data();
    const auto *const ty = types.data();
    constexpr comm w = world_comm;
    switch (which + (is_persistent ? movements : 0)) {
    case 0:
        core::ibarrier(w, out);
        return;
    case 1:
        core::ibcast(received, part_of, t, root, w, out);
        return;
    case 2:
        core::igather(sent, part_of, t, received, part_of, t, root, w, out);
        return;
    case 3:
        core::igatherv(sent, part_of, t, received, c, p, t, root, w, out);
        return;
    case 4:
        core::iscatter(sent, part_of, t, received, part_of, t, root, w, out);
        return;
    case 5:
        core::iscatterv(sent, c, p, t, received, part_of, t, root, w, out);
        return;
    case 6:
        core::iallgatherv(sent, part_of, t, received, c, p, t, w, out);
        return;
    case 7:
        core::ialltoallv(sent, c, p, t, received, c, p, t, w, out);
        return;
    case 8:
        core::ialltoallw(sent, c, b, ty, received, c, b, ty, w, out);
        return;
    case 9:
        core::barrier_init(w, none, out);
        return;
    case 10:
        core::bcast_init(received, part_of, t, root, w, none, out);
        return;
    case 11:
        core::gather_init(sent, part_of, t, received, part_of, t, root, w, none, out);
        return;
    case 12:
        core::gatherv_init(sent, part_of, t, received, c, p, t, root, w, none, out);
        return;
    case 13:
        core::scatter_init(sent, part_of, t, received, part_of, t, root, w, none, out);
        return;
    case 14:
        core::scatterv_init(sent, c, p, t, received, part_of, t, root, w, none, out);
        return;
    case 15:
        core::allgatherv_init(sent, part_of, t, received, c, p, t, w, none, out);
        return;
    case 16:
        core::alltoallv_init(sent, c, p, t, received, c, p, t, w, none, out);
        return;
    default:
        core::alltoallw_init(sent, c, b, ty, received, c, b, ty, w, none, out);
    }
}

struct buffers {
    explicit buffers(int salt)
        : sent(static_cast<std::size_t>(part_of * size())), got(sent.size()) {
        for (std::size_t i = 0; i < sent.size(); ++i)
            sent[i] = static_cast<int>(rank::mine->number()) * 10000 + static_cast<int>(i) + salt;
        expected = got;
    }
    std::vector<int> sent;
    std::vector<int> got;
    std::vector<int> expected;
};

// All are under way at once, blocking ones in between, and end in another order.
TEST(requested_collectives, many_under_way_move_what_the_blocking_ones_move) {
    on_ranks([](int) {
        std::vector<buffers> all;
        std::vector<request> requests(movements * 2, request::null);
        for (int i = 0; i < movements * 2; ++i)
            all.emplace_back(i * 100000);
        for (int i = 0; i < movements * 2; ++i) {
            buffers &b = all[static_cast<std::size_t>(i)];
            move_by_request(i % movements, b.sent.data(), b.got.data(), false,
                            &requests[static_cast<std::size_t>(i)]);
            move_blocking(i % movements, b.sent.data(), b.expected.data());
        }
        for (int i = movements * 2 - 1; i >= 0; --i)
            if (end_by(i, requests[static_cast<std::size_t>(i)]) != 0)
                return 1;
        for (const buffers &b : all)
            if (b.got != b.expected)
                return 2;
        return 0;
    });
}

// Ranks start them in other orders, again and again, with other data each time.
TEST(requested_collectives, persistent_ones_start_in_any_order) {
    on_ranks([](int me) {
        std::vector<buffers> all;
        std::array<request, movements> requests{};
        for (int i = 0; i < movements; ++i) {
            all.emplace_back(i * 100000);
            buffers &b = all.back();
            b.sent.reserve(b.sent.size());
        }
        for (int i = 0; i < movements; ++i) {
            buffers &b = all[static_cast<std::size_t>(i)];
            move_by_request(i, b.sent.data(), b.got.data(), true,
                            &requests[static_cast<std::size_t>(i)]);
        }
        for (int round = 0; round < 4; ++round) {
            for (std::size_t i = 0; i < movements; ++i) {
                buffers &b = all[i];
                for (int &x : b.sent)
                    x += 7;
                if (i == 1) // in the buffer of a broadcast
                    std::copy(b.sent.begin(), b.sent.begin() + part_of, b.got.begin());
            }
            for (std::size_t k = 0; k < movements; ++k)
                if (core::start(&requests[(k + static_cast<std::size_t>(me)) % movements]) != 0)
                    return 1;
            for (std::size_t i = 0; i < movements; ++i)
                move_blocking(static_cast<int>(i), all[i].sent.data(), all[i].expected.data());
            for (std::size_t i = 0; i < movements; ++i)
                if (end_by(static_cast<int>(i) + round, requests[i]) != 0 ||
                    requests[i] == request::null)
                    return 2;
            for (const buffers &b : all)
                if (b.got != b.expected)
                    return 3;
        }
        for (request &r : requests)
            if (core::request_free(&r) != 0 || r != request::null)
                return 4;
        return 0;
    });
}

TEST(requested_collectives, what_they_use_may_be_freed_while_they_are_under_way) {
    on_ranks([](int me) {
        op which = make_composition();
        datatype type = make_affine();
        comm copy = comm::null;
        core::comm_dup(world_comm, &copy);
        const auto own = functions_of(me, 10);
        std::vector<affine> expected(10);
        std::vector<affine> got(10);
        core::allreduce(own.data(), expected.data(), 10, type, which, copy);
        request r[2];
        core::iallreduce(own.data(), got.data(), 10, type, which, copy, &r[0]);
        int x = me;
        core::ibcast(&x, 1, datatype::int_, 0, copy, &r[1]);
        core::op_free(&which);
        core::type_free(&type);
        core::comm_free(&copy);
        // Others take the numbers.
        core::op_create({compose, nullptr}, 1, &which);
        core::type_contiguous(7, datatype::char_, &type);
        return core::waitall(2, r, nullptr) == 0 && got == expected && x == 0 ? 0 : 1;
    });
}

// The operator runs in MPI_Wait, when the type's handle is gone. What it gets serves in calls as
// well.
TEST(requested_collectives, operators_get_a_type_that_they_can_use) {
    on_ranks([](int me) {
        static int error = -1;
        op which{};
        core::op_create({[](any_function, const void *, void *, std::int64_t, datatype type) {
                             std::int64_t bytes = 0;
                             char room[8];
                             int x[2] = {};
                             error = core::pack(x, 1, type, room, sizeof(room), &bytes, comm::self);
                         },
                         nullptr},
                        1, &which);
        datatype type{};
        core::type_contiguous(2, datatype::int_, &type);
        core::type_commit(&type);
        const int in[2] = {me, me};
        int out[2] = {};
        request r{};
        core::iallreduce(in, out, 1, type, which, world_comm, &r);
        core::type_free(&type);
        core::wait(&r, nullptr);
        return size() == 1 || error == abi::success ? 0 : 1;
    });
}

// The data come when the type's handle is gone, and another type has its number.
TEST(requested_collectives, types_live_until_the_data_have_come) {
    on_ranks([](int me) {
        datatype type = datatype::null;
        core::type_vector(3, 1, 2, datatype::int_, &type);
        core::type_commit(&type);
        int v[6] = {-1, -1, -1, -1, -1, -1};
        for (int i = 0; i < 6 && me == 0; ++i)
            v[i] = i;
        if (me == 0)
            usleep(10'000);
        request r = request::null;
        core::ibcast(v, 1, type, 0, world_comm, &r);
        core::type_free(&type);
        datatype others[8];
        for (datatype &t : others)
            core::type_vector(3, 1, 1, datatype::int_, &t);
        core::wait(&r, nullptr);
        return v[0] == 0 && v[2] == 2 && v[4] == 4 && (me == 0 || v[1] == -1) ? 0 : 1;
    });
}

TEST(requested_collectives, clock_of_the_end_is_the_greatest_arrival) {
    on_ranks([](int me) {
        const int last = size() - 1;
        for (int way = 0; way < 2; ++way) {
            // Rank r begins at 1000 r + 1 above a common clock.
            core::barrier(world_comm);
            const clock_value begin = rank::mine->clock();
            core::declare_cost(1000 * me);
            request r = request::null;
            int x = me;
            if (way == 0)
                core::ibarrier(world_comm, &r);
            else
                core::ibcast(&x, 1, datatype::int_, last, world_comm, &r);
            core::wait(&r, nullptr);
            const clock_value arrival = begin + 1000 * static_cast<clock_value>(last) + 2;
            // The slowest needs nobody: its wait adds 1 to its clock.
            if (rank::mine->clock() != arrival)
                return 1;
        }
        return 0;
    });
}

// Each test adds 1, and the answer is yes from the arrival of the last message on, whoever is late.
TEST(requested_collectives, tests_make_the_turns_that_the_rule_says) {
    for (int late = -1; late < 4; ++late)
        EXPECT_TRUE(all_well(run_ranks(4, [late](int me) {
            for (int round = 0; round < 5; ++round) {
                core::barrier(world_comm);
                core::declare_cost(50 * ((me + round) % 4));
                if (me == late)
                    usleep(20'000);
                const int place = (me + round) % 4;
                request r = request::null;
                double x = me;
                double sum = 0;
                core::iallreduce(&x, &sum, 1, datatype::double_, op::sum, world_comm, &r);
                int turns = 0;
                for (int flag = 0; flag == 0; ++turns)
                    core::test(&r, &flag, nullptr);
                // The last began 50 * (3 - place) behind this one, and is heard of 1 later.
                const int expected = place == 3 ? 1 : 50 * (3 - place) + 1;
                if (turns != expected || sum != 6)
                    return 1 + round;
            }
            return 0;
        })));
}

// The request that ends first by the rule, whatever comes first.
TEST(requested_collectives, waitany_takes_the_first_of_them_by_the_rule) {
    for (int late = 0; late < 3; ++late)
        EXPECT_TRUE(all_well(run_ranks(3, [late](int me) {
            core::barrier(world_comm);
            comm half = comm::null;
            // 0 and 1, and 0 and 2: rank 1 begins later by its clock.
            core::comm_split(world_comm, me == 2 ? 1 : 0, me, &half);
            comm other = comm::null;
            core::comm_split(world_comm, me == 1 ? 1 : 0, me, &other);
            core::barrier(world_comm);
            if (me == late)
                usleep(50'000);
            request r[2] = {request::null, request::null};
            if (me == 1)
                core::declare_cost(100);
            if (me != 2)
                core::ibarrier(half, &r[0]);
            if (me != 1)
                core::ibarrier(other, &r[1]);
            int index = -1;
            core::waitany(2, r, &index, nullptr);
            const bool is_right = me != 0 || index == 1;
            core::waitall(2, r, nullptr);
            return is_right ? 0 : 1;
        })));
}

std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

// Collectives under way beside messages from any source; what is waited or tested for, and so what
// comes next, follows from what came. `trace` has all outcomes and clocks.
std::uint64_t race(int me, std::uint64_t seed, std::uint64_t disturbance) {
    const int n = size();
    std::uint64_t trace = mix(seed + static_cast<std::uint64_t>(me));
    comm copy = comm::null;
    core::comm_dup(world_comm, &copy);
    for (int round = 0; round < 4; ++round) {
        std::array<request, 6> r{};
        r.fill(request::null);
        std::array<int, 4> got{};
        const double own = 0.1 * me + round;
        double sum = 0;
        core::declare_cost(static_cast<std::int64_t>(trace >> 8 & 15));
        core::iallreduce(&own, &sum, 1, datatype::double_, op::sum, world_comm, &r[0]);
        for (std::size_t i = 1; i < 4; ++i)
            core::irecv(&got[i], 1, datatype::int_, abi::any_source, abi::any_tag, copy, &r[i]);
        core::ibarrier(copy, &r[4]);
        for (int i = 1; i < 4; ++i) {
            if (mix(disturbance ^ trace) % 8 == 0)
                usleep(200);
            const int value = me * 100 + round * 10 + i;
            core::send(&value, 1, datatype::int_, (me + i) % n, i, copy);
        }
        core::iscan(&me, &got[0], 1, datatype::int_, op::sum, copy, &r[5]);
        for (int left = 6; left > 0;) {
            int index = abi::undefined;
            int flag = 1;
            status s;
            if (trace % 3 == 0)
                core::waitany(6, r.data(), &index, &s);
            else
                core::testany(6, r.data(), &index, &flag, &s);
            left -= flag;
            trace = mix(trace ^ rank::mine->clock() ^ static_cast<std::uint64_t>(index) << 32 ^
                        static_cast<std::uint64_t>(s.source + 9) << 40);
        }
        trace = mix(trace ^ static_cast<std::uint64_t>(got[0] + 3 * got[1] + 5 * got[2]));
        trace = mix(trace ^ static_cast<std::uint64_t>(sum * 1e6));
    }
    return trace;
}

TEST(requested_collectives, races_beside_them_end_in_one_way) {
    for (const std::uint32_t ranks : {2U, 4U})
        for (std::uint64_t seed = 1; seed <= 2; ++seed) {
            shared_array<std::uint64_t> traces(8 * 3);
            for (std::uint64_t run = 0; run < 3; ++run)
                ASSERT_TRUE(all_well(run_ranks(ranks, [&](int me) {
                    traces[static_cast<std::size_t>(me) * 3 + run] =
                        race(me, seed, mix(run * 64 + static_cast<std::uint64_t>(me)));
                    return 0;
                })));
            for (std::uint32_t me = 0; me < ranks; ++me)
                for (std::size_t run = 1; run < 3; ++run)
                    EXPECT_EQ(traces[me * 3], traces[me * 3 + run])
                        << ranks << " ranks, seed " << seed << ", rank " << me;
        }
}

TEST(requested_collectives, a_message_too_long_is_an_error_of_the_request) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        const int v[4] = {1, 2, 3, 4};
        int got[4] = {};
        request r[2];
        core::ibcast(me == 0 ? const_cast<int *>(v) : got, me == 0 ? 4 : 2, datatype::int_, 0,
                     world_comm, &r[0]);
        core::ibarrier(world_comm, &r[1]);
        status s[2];
        const int error = core::waitall(2, r, s);
        if (me == 0)
            return error == 0 ? 0 : 1;
        return error == abi::err_in_status && s[0].error == abi::err_truncate &&
                       s[1].error == abi::success && got[1] == 2 && got[2] == 0
                   ? 0
                   : 2;
    })));
}

TEST(requested_collectives, a_request_that_is_under_way_cannot_be_freed) {
    on_ranks([](int) {
        request r = request::null;
        core::ibarrier(world_comm, &r);
        if (core::request_free(&r) != abi::err_request || core::wait(&r, nullptr) != 0)
            return 1;
        core::barrier_init(world_comm, info::null, &r);
        core::start(&r);
        if (core::start(&r) != abi::err_request || core::request_free(&r) != abi::err_request)
            return 2;
        core::wait(&r, nullptr);
        return core::request_free(&r) == 0 ? 0 : 3;
    });
}

TEST(requested_collectives, bad_arguments_have_their_classes) {
    on_ranks([](int) {
        int x = 0;
        int y = 0;
        request r = request::null;
        constexpr datatype t = datatype::int_;
        const int n = size();
        const bool is_right =
            core::ibarrier(comm::null, &r) == abi::err_comm &&
            core::ibcast(&x, -1, t, 0, world_comm, &r) == abi::err_count &&
            core::ibcast(&x, 1, datatype::null, 0, world_comm, &r) == abi::err_type &&
            core::ibcast(&x, 1, t, n, world_comm, &r) == abi::err_root &&
            core::ireduce(&x, &y, 1, t, op::null, 0, world_comm, &r) == abi::err_op &&
            core::iallreduce(&x, &y, 1, datatype::double_, op::band, world_comm, &r) ==
                abi::err_op &&
            core::reduce_init(&x, &y, 1, t, op::sum, -1, world_comm, info::null, &r) ==
                abi::err_root &&
            core::iscan(&x, &y, -1, t, op::sum, world_comm, &r) == abi::err_count;
        return is_right && r == request::null ? 0 : 1;
    });
}

} // namespace
} // namespace saguaro::mpi
