// SPDX-License-Identifier: MIT
#include "detmpi/core/process.hpp"

#include "detmpi/core/lines.hpp"

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <unistd.h>

namespace saguaro::detmpi {

process *process::mine = nullptr;

namespace {

std::unique_ptr<comm_object> predefined(comm handle, const char *name, std::uint32_t context,
                                        std::vector<std::uint32_t> members, int me) {
    auto made = std::make_unique<comm_object>();
    made->handle = handle;
    made->context = context;
    made->local = std::make_shared<group_object>(std::move(members));
    made->rank = me;
    made->name = name;
    return made;
}

} // namespace

void begin_process(spmc::job &all, place where, std::uint32_t me) {
    world w(all, where);
    if (w.head().magic != world_magic || me >= w.size())
        fail("%s names no rank of this job", rank_variable);
    set_rank_of_lines(static_cast<int>(me));
    w.register_for_fences();
    // Never destroyed: messages to it may come until it is gone.
    process::mine = new process(w, me);
    rank::mine = &process::mine->self;
    std::vector<std::uint32_t> everybody(w.size());
    std::iota(everybody.begin(), everybody.end(), 0U);
    process::mine->world_comm =
        predefined(comm::world, "MPI_COMM_WORLD", 0, std::move(everybody), static_cast<int>(me));
    process::mine->self_comm = predefined(comm::self, "MPI_COMM_SELF", 2, {me}, 0);
    rank_record &own = w.rank(me);
    own.slot.store(all.self_slot(), std::memory_order_relaxed);
    own.life.store(life::inside, std::memory_order_relaxed);
    rank::mine->publish();
}

void begin_process() {
    spmc::job &all = spmc::job::mine();
    const char *const told = std::getenv(rank_variable);
    if (told == nullptr) {
        begin_process(all, world::make(all, 1), 0);
        return;
    }
    unsigned where = 0;
    unsigned me = 0;
    if (std::sscanf(told, "%u,%u", &where, &me) != 2)
        fail("%s is '%s', which detmpiexec has not written", rank_variable, told);
    // A program that this one begins is no rank.
    unsetenv(rank_variable);
    begin_process(all, where, me);
}

} // namespace saguaro::detmpi
