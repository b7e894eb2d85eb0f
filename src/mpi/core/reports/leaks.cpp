// SPDX-License-Identifier: MIT
// The lines of detmpiexec -check at MPI_Finalize.
#include "mpi/core/reports/leaks.hpp"

#include "mpi/core/clock/order.hpp"
#include "mpi/core/errors/errors.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/messages/buffering.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/reports/diagnostics.hpp"
#include "mpi/variables.hpp"
#include "platform/settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace saguaro::mpi {

namespace {

// Whether all messages are here that the ranks of MPI_COMM_WORLD have sent up to this clock.
class everything_is_here final : public awaited_event {
public:
    everything_is_here() {
        asks = true;
        call = "MPI_Finalize";
    }

    bool is_over(const clock_bounds &known) override {
        rank &me = *rank::mine;
        bool is_certain = true;
        for (const std::uint32_t each : process::mine->world_comm->local->members)
            if (order::is_by_clock() && me.rule().bound_of(each, known) < me.clock()) {
                me.rule().wants(me.clock());
                is_certain = false;
            }
        return is_certain;
    }

    bool describe(blockage &) const override { return false; }
};

std::string in_words(std::size_t count, const char *one) {
    return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

// Contexts of the program's own messages; windows and files have communicators of their own.
std::set<context_value> program_contexts() {
    process &own = *process::mine;
    std::set<context_value> found = {own.world_comm->context, own.self_comm->context};
    own.comms.for_each([&](const auto &each) { found.insert(each->context); });
    own.windows.for_each([&](const auto &each) { found.erase(each->on->context); });
    own.files.for_each([&](const auto &each) { found.erase(each->among.context); });
    return found;
}

// Requests that the program has freed itself are not left by it, nor what they use, if they are
// complete. Behind the wait for all messages.
void remove_complete_freed_requests() {
    std::erase_if(process::mine->freed_requests, [](request which) {
        const bool is_complete = process::mine->requests.find(which)->is_complete;
        if (is_complete)
            remove_request(which);
        return is_complete;
    });
}

} // namespace

bool is_checking() {
    static const bool is_set = platform::value_of(variables::check) != nullptr;
    return is_set;
}

void name_unreceived() {
    if (!is_checking())
        return;
    // Behind it every rank's clock is above those of all sends, so the line is the same in each
    // run, and no message comes later.
    core::barrier(comm::world);
    everything_is_here all;
    rank::mine->wait(all);
    remove_complete_freed_requests();
    const std::set<context_value> contexts = program_contexts();
    std::size_t count = 0;
    const envelope *first = nullptr;
    rank::mine->matching().for_each_parked([&](const envelope &each) {
        if (!contexts.contains(each.context))
            return;
        ++count;
        if (first == nullptr ||
            std::tie(each.stamp, each.source) < std::tie(first->stamp, first->source))
            first = &each;
    });
    if (count != 0)
        say("MPI_Finalize: not received: %s; the first came from rank %u with tag %d",
            in_words(count, "message").c_str(), first->source, first->tag);
}

void name_leaks() {
    if (!is_checking())
        return;
    std::string names;
    const auto count = [&](std::size_t left, const char *one) {
        if (left != 0)
            names += (names.empty() ? "" : ", ") + in_words(left, one);
    };
    const process &own = *process::mine;
    count(own.requests.live() - own.freed_requests.size(), "request");
    count(own.messages.live(), "matched message");
    // A window and a file have one each, which is not the program's.
    count(own.comms.live() - own.windows.live() - own.files.live(), "communicator");
    count(own.windows.live(), "window");
    count(own.files.live(), "file");
    count(own.groups.live(), "group");
    count(static_cast<std::size_t>(own.types.in_use()), "type");
    count(own.ops.live(), "operator");
    count(live_infos(), "info object");
    count(attached_buffers(), "attached buffer");
    count(own.open_ports.size(), "port");
    count(live_handlers(), "error handler");
    count(own.keyvals.live(), "attribute key");
    if (!names.empty())
        say("MPI_Finalize: not freed: %s", names.c_str());
}

} // namespace saguaro::mpi
