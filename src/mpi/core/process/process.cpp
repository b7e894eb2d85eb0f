// SPDX-License-Identifier: MIT
// Setting a process up as a rank, with its predefined communicators.
#include "mpi/core/process/process.hpp"

#include "mpi/core/clock/order.hpp"
#include "mpi/core/clock/parked_memory.hpp"
#include "mpi/core/clock/work.hpp"
#include "mpi/core/collectives/agreement.hpp"
#include "mpi/core/operators/invariant.hpp"
#include "mpi/core/reports/diagnostics.hpp"
#include "mpi/core/reports/order_delays.hpp"
#include "mpi/core/rings/early_rings.hpp"
#include "mpi/variables.hpp"
#include "platform/settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <numeric>
#include <unistd.h>

namespace saguaro::mpi {

process *process::mine = nullptr;

namespace {

std::unique_ptr<comm_object> predefined(comm handle, const char *name, context_value context,
                                        std::vector<std::uint32_t> members, int me) {
    auto made = std::make_unique<comm_object>();
    made->handle = handle;
    made->context = context;
    made->local = std::make_shared<group_object>(std::move(members));
    made->rank = me;
    made->name = name;
    return made;
}

std::vector<std::uint32_t> ranks_from(std::uint32_t first, std::uint32_t count) {
    std::vector<std::uint32_t> ranks(count);
    std::iota(ranks.begin(), ranks.end(), first);
    return ranks;
}

// The world of a process that was spawned, and the intercommunicator to its parents.
void join_family(const world &all, const rank_record &me) {
    const family_record &family = *all.job().at<family_record>(me.family);
    const auto *const parents = reinterpret_cast<const std::uint32_t *>(&family + 1);
    process::mine->world_comm = predefined(comm::world, "MPI_COMM_WORLD", family.world_context,
                                           ranks_from(family.first_child, family.children),
                                           static_cast<int>(me.number_in_spawn));
    comm_object &parent = make_comm(family.parents_context, process::mine->world_comm->local,
                                    std::make_shared<group_object>(std::vector<std::uint32_t>(
                                        parents, parents + family.parents)));
    parent.name = "MPI_COMM_PARENT";
    process::mine->parent = parent.handle;
}

} // namespace

void begin_process(spmc::job &all, place where, std::uint32_t me) {
    world w(all, where);
    if (w.head().magic != world_magic || me >= w.size())
        fail("%s names no rank of this job", variables::rank.name);
    set_rank_of_lines(static_cast<int>(me));
    register_for_fences(w);
    touch_channels(w, me);
    order::begin(me, w.head().first_ranks, w.capacity());
    order_delays::begin();
    begin_comparing_calls();
    invariant::begin();
    if (order::counts_work())
        reserve_parked_memory();
    // Never destroyed: messages to it may come until it is gone.
    process::mine = new process(w, me);
    rank::mine = &process::mine->self;
    rank_record &own = w.rank(me);
    if (own.family == 0) {
        const std::vector<std::uint32_t> everybody = ranks_from(0, w.head().first_ranks);
        process::mine->world_comm =
            predefined(comm::world, "MPI_COMM_WORLD", 0, everybody, static_cast<int>(me));
    } else {
        join_family(w, own);
    }
    process::mine->self_comm = predefined(comm::self, "MPI_COMM_SELF", 2, {me}, 0);
    if (order::counts_work())
        work::begin(w, me);
    own.slot.store(all.self_slot(), std::memory_order_relaxed);
    own.life.store(life::inside, std::memory_order_relaxed);
    rank::mine->advance_to(own.spawned_at);
    rank::mine->publish();
}

void begin_process() {
    spmc::job &all = spmc::job::mine();
    const char *const told = platform::value_of(variables::rank);
    if (told == nullptr) {
        begin_process(all, world::make(all, 1), 0);
        return;
    }
    unsigned where = 0;
    unsigned me = 0;
    int launcher = -1;
    if (std::sscanf(told, "%u,%u,%d", &where, &me, &launcher) != 3)
        fail("%s is '%s', which detmpiexec has not written", variables::rank.name, told);
    // A program that this one begins is no rank.
    unsetenv(variables::rank.name);
    fcntl(launcher, F_SETFD, FD_CLOEXEC);
    begin_process(all, where, me);
    process::mine->launcher = launcher;
}

} // namespace saguaro::mpi
