// SPDX-License-Identifier: MIT
// Ports: two groups of one job that share no communicator meet. README.md, "Ports".
#include "mpi/core/clock/order.hpp"
#include "mpi/core/communicators/meeting.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/spawn/knocks.hpp"

#include <cstdio>
#include <numeric>

namespace saguaro::mpi {

namespace {

group_pointer everybody() {
    std::vector<std::uint32_t> ranks(rank::mine->size());
    std::iota(ranks.begin(), ranks.end(), 0U);
    return std::make_shared<group_object>(std::move(ranks));
}

} // namespace

knocks::knocks(int number) : all_(unnamed_comm(own_context, everybody(), nullptr)) {
    what_.what = action::receive;
    what_.on = &all_;
    what_.context = own_context;
    what_.tag = number;
}

const request_object &knocks::receive() {
    // Bounds of the ranks that there were hold for those that they have spawned since, and others
    // do not believe that this rank is blocked until it has told of these: `waits_for_all`.
    if (static_cast<std::uint32_t>(all_.local->size()) != rank::mine->size())
        all_.local = everybody();
    return what_;
}

void knocks::describe(blockage &out) const {
    rank::mine->rule().describe(what_, out);
    out.of_all = static_cast<std::uint32_t>(all_.local->size());
    out.least = rank::mine->clock();
}

void knock(std::uint32_t owner, int number) {
    rank &me = *rank::mine;
    me.send(owner, own_context, number, bytes_at(nullptr, 0), me.clock());
}

namespace core {

namespace {

// A port belongs to the rank that has opened it, and its number is a tag.
struct port {
    std::uint32_t owner = 0;
    int number = 0;
};

bool read_port(const char *name, port &out) {
    int end = 0;
    return std::sscanf(name, "saguaro:%u:%d%n", &out.owner, &out.number, &end) == 2 &&
           name[end] == '\0' && out.owner < rank::mine->size() && out.number >= 0;
}

bool is_open(const port &which) {
    return which.owner == rank::mine->number() &&
           process::mine->open_ports.count(which.number) != 0;
}

// The first in the rule's order that knocks at a port.
class knock_event final : public awaited_event {
public:
    explicit knock_event(int number) : knocks_(number) {
        asks = true;
        call = "MPI_Comm_accept";
    }

    bool is_over(const clock_bounds &known) override {
        rank &me = *rank::mine;
        const request_object &what = knocks_.receive();
        found = me.rule().best_for(what);
        return found != nullptr && me.rule().is_first(what, found->head, known);
    }

    bool describe(blockage &out) const override {
        knocks_.describe(out);
        return true;
    }

    bool outcome(std::vector<int> &out) const override {
        out.assign(1, found != nullptr ? static_cast<int>(found->head.source) : -1);
        return true;
    }
    bool force(const std::vector<int> &to) override {
        knocks_.receive();
        found = rank::mine->rule().best_for(named(to));
        return found != nullptr;
    }
    bool describe_forced(const std::vector<int> &to, blockage &out) const override {
        const request_object made = named(to);
        // Some rank has yet to spawn that one. Who has knocked meanwhile is not taken.
        if (made.peer >= rank::mine->size()) {
            knocks_.describe(out);
            out.candidate = forever;
            return true;
        }
        rank::mine->rule().describe(made, out);
        out.least = rank::mine->clock();
        return true;
    }

    const parked_message *found = nullptr;

private:
    // A receive from the rank of a recorded outcome alone.
    request_object named(const std::vector<int> &recorded) const {
        request_object made;
        made.what = action::receive;
        made.context = own_context;
        made.tag = knocks_.number();
        made.peer = static_cast<std::uint32_t>(order::checked_place(
            recorded.empty() ? -1 : recorded.front(), rank::mine->all().capacity()));
        return made;
    }

    knocks knocks_;
};

// Who has knocked, at the clock of the rule.
std::uint32_t await_knock(int number) {
    rank &me = *rank::mine;
    me.tick();
    knock_event knock(number);
    me.wait(knock);
    const envelope head = knock.found->head;
    request_object read;
    me.matching().fill(read, me.matching().take(*knock.found));
    me.advance_to(head.stamp + latency);
    me.publish();
    return head.source;
}

int find_group(comm on, int root, comm_object *&out) {
    out = find(on);
    if (out == nullptr || out->is_inter())
        return abi::err_comm;
    return root < 0 || root >= out->size() ? abi::err_root : abi::success;
}

} // namespace

int open_port(info, char *name) {
    const int number = process::mine->next_port++;
    process::mine->open_ports.insert(number);
    std::snprintf(name, abi::max_port_name, "saguaro:%u:%d", rank::mine->number(), number);
    return abi::success;
}

int close_port(const char *name) {
    port which;
    if (!read_port(name, which) || !is_open(which))
        return abi::err_port;
    process::mine->open_ports.erase(which.number);
    return abi::success;
}

int comm_accept(const char *name, info, int root, comm on, comm *out) {
    comm_object *c = nullptr;
    if (const int error = find_group(on, root, c))
        return error;
    meeting_place where;
    port which;
    if (c->rank == root && (name == nullptr || !read_port(name, which) || !is_open(which))) {
        where.error = abi::err_port;
    } else if (c->rank == root) {
        const std::uint32_t guest = await_knock(which.number);
        where = {own_context, guest, tag_of_meeting(which.number, which.owner, guest), 0};
    }
    return meet(*c, root, where, "MPI_Comm_accept", out);
}

int comm_connect(const char *name, info, int root, comm on, comm *out) {
    comm_object *c = nullptr;
    if (const int error = find_group(on, root, c))
        return error;
    meeting_place where;
    port which;
    if (c->rank == root && (name == nullptr || !read_port(name, which))) {
        where.error = abi::err_port;
    } else if (c->rank == root) {
        rank::mine->tick();
        knock(which.owner, which.number);
        rank::mine->publish();
        where = {own_context, which.owner,
                 tag_of_meeting(which.number, which.owner, rank::mine->number()), 0};
    }
    return meet(*c, root, where, "MPI_Comm_connect", out);
}

} // namespace core

} // namespace saguaro::mpi
