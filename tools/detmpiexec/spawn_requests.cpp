// SPDX-License-Identifier: MIT
// Taking requests off the list that ranks put them on, and answering each by a futex.
#include "spawn_requests.hpp"

#include "platform/futex.hpp"
#include "spmc/shared_list.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace saguaro::detmpiexec {

void spawn_requests::answer_all() {
    while (mpi::block *const each =
               spmc::take_first<mpi::block>(all_, world_.head().spawn_requests)) {
        auto &request = *reinterpret_cast<mpi::spawn_request *>(each + 1);
        const std::uint32_t answer =
            start(request) ? mpi::spawn_answer::begun : mpi::spawn_answer::refused;
        // Release pairs with the acquire of the rank that waits: it finds the ranks there.
        request.answer.store(answer, std::memory_order_release);
        platform::futex_wake(request.answer, platform::everybody,
                             platform::futex_scope::all_processes);
    }
}

bool spawn_requests::start(mpi::spawn_request &request) {
    std::vector<part> parts;
    std::vector<program> programs;
    for (const mpi::spawned_part &each : mpi::parts_of(request.text(), request.bytes)) {
        // The environment and the folder of the rank that asks.
        part p = ranks_.of(request.parent).what;
        p.ranks = static_cast<int>(each.ranks);
        p.command = each.command;
        if (!each.folder.empty())
            p.folder = each.folder;
        std::string why;
        std::optional<program> found = prepare(p, why);
        if (!found) {
            output_.say("MPI_Comm_spawn: " + why);
            return false;
        }
        parts.push_back(std::move(p));
        programs.push_back(std::move(*found));
    }
    const std::uint32_t first =
        world_.add(request.ranks, request.parent, request.clock, request.family);
    if (first == world_.capacity()) {
        output_.say("MPI_Comm_spawn: a job has room for " + std::to_string(first) +
                    " ranks, and those that have ended count; this one has had " +
                    std::to_string(world_.size()) + ", and asks for " +
                    std::to_string(request.ranks) + " more");
        return false;
    }
    all_.at<mpi::family_record>(request.family)->first_child = first;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        ranks_.share_machine(programs[i].variables);
        for (int n = 0; n < parts[i].ranks; ++n) {
            world_.rank(static_cast<std::uint32_t>(ranks_.count())).application =
                static_cast<std::uint32_t>(i);
            ranks_.start(parts[i], programs[i]);
        }
    }
    return true;
}

} // namespace saguaro::detmpiexec
