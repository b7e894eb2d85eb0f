// SPDX-License-Identifier: MIT
// Contexts far above those that a program reaches.
#include "mpi/core/communicators/making.hpp"
#include "mpi/core/ranks.hpp"

#include <gtest/gtest.h>

namespace saguaro::mpi {
namespace {

// Every kind of a copy of MPI_COMM_WORLD.
constexpr int kinds = 6;

comm make(int kind) {
    comm made{};
    comm between{};
    request done{};
    group all{};
    core::comm_group(comm::world, &all);
    int me = 0;
    core::comm_rank(comm::world, &me);
    switch (kind) {
    case 0:
        core::comm_dup(comm::world, &made);
        break;
    case 1:
        core::comm_idup(comm::world, &made, &done);
        core::wait(&done, nullptr);
        break;
    case 2:
        core::comm_split(comm::world, 0, 0, &made);
        break;
    case 3:
        core::comm_create(comm::world, all, &made);
        break;
    case 4:
        core::comm_create_group(comm::world, all, 5, &made);
        break;
    default:
        core::intercomm_create(comm::self, 0, comm::world, 1 - me, 3, &between);
        core::intercomm_merge(between, me, &made);
        core::comm_free(&between);
    }
    core::group_free(&all);
    return made;
}

bool exchanges(comm on, int me, int value) {
    int got[4] = {-1, -1, -1, -1};
    core::sendrecv(&value, 1, datatype::int_, 1 - me, 1, &got[0], 1, datatype::int_, 1 - me, 1, on,
                   nullptr);
    core::allreduce(&value, &got[1], 1, datatype::int_, op::sum, on);
    request r{};
    core::iallreduce(&value, &got[2], 1, datatype::int_, op::sum, on, &r);
    core::wait(&r, nullptr);
    if (me == 0)
        core::psend_init(&value, 1, 1, datatype::int_, 1, 1, on, info::null, &r);
    else
        core::precv_init(&got[3], 1, 1, datatype::int_, 0, 1, on, info::null, &r);
    core::start(&r);
    if (me == 0)
        core::pready(0, r);
    core::wait(&r, nullptr);
    core::request_free(&r);
    return got[0] == value && got[1] == 2 * value && got[2] == 2 * value &&
           (me == 0 || got[3] == value);
}

bool is_empty(comm on) {
    int flag = 1;
    core::iprobe(abi::any_source, abi::any_tag, on, &flag, nullptr);
    return flag == 0;
}

bool locks(comm on, int me) {
    int *memory = nullptr;
    win made{};
    core::win_allocate(sizeof(int), sizeof(int), info::null, on, &memory, &made);
    for (int i = 0; i < 3; ++i) {
        core::win_lock(abi::lock_exclusive, 0, 0, made);
        const int one = 1;
        core::accumulate(&one, 1, datatype::int_, 0, 0, 1, datatype::int_, op::sum, made);
        core::win_unlock(0, made);
    }
    core::barrier(on);
    const bool is_well = me != 0 || *memory == 6;
    core::win_free(&made);
    return is_well;
}

// The lower halves of the contexts here are those of MPI_COMM_WORLD, of MPI_COMM_SELF, of the
// library's own, and of what was made before: wherever half of one got lost, messages would mix.
TEST(contexts, do_not_end_and_their_halves_do_not_matter) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        alarm(60);
        const int secret = 4711;
        core::send(&secret, 1, datatype::int_, 1 - me, 1, comm::world);
        core::send(&secret, 1, datatype::int_, 0, 1, comm::self);
        const context_value half = context_value{1} << 32;
        for (int turn = 0; turn < 4 * kinds; ++turn) {
            core::barrier(comm::world);
            if (me == 0 && turn % (2 * kinds) == 0)
                rank::mine->all().head().contexts =
                    (half << turn / (2 * kinds) * 8) / 2 - first_context / 2;
            core::barrier(comm::world);
            const comm made = make(turn % kinds);
            if (find(made)->context < half)
                return 1;
            if (!is_empty(made) || !exchanges(made, me, turn) || !locks(made, me))
                return 2;
            // A message that nobody receives.
            core::send(&secret, 1, datatype::int_, 1 - me, 1, made);
            core::barrier(made);
            comm gone = made;
            core::comm_free(&gone);
        }
        int got[2] = {0, 0};
        core::recv(&got[0], 1, datatype::int_, abi::any_source, 1, comm::world, nullptr);
        core::recv(&got[1], 1, datatype::int_, 0, 1, comm::self, nullptr);
        return got[0] == secret && got[1] == secret && is_empty(comm::world) ? 0 : 3;
    })));
}

} // namespace
} // namespace saguaro::mpi
