// SPDX-License-Identifier: MIT
// Probes: which message a receive would get that was posted now.
#include "mpi/core/clock/order.hpp"
#include "mpi/core/errors/errors.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/process/process.hpp"

#include <algorithm>

namespace saguaro::mpi::core {

namespace {

class probe_event final : public awaited_event {
public:
    probe_event(const request_object &what, bool waits, const char *of_call)
        : what_(what), waits_(waits) {
        peer = what.peer;
        asks = what.is_wild() || !waits;
        call = of_call;
    }

    bool is_over(const clock_bounds &known) override {
        rank &me = *rank::mine;
        found = nullptr;
        const parked_message *const m = me.rule().best_for(what_);
        const bool is_taken_by_none = m != nullptr && !me.rule().is_contested(nullptr, m->head);
        if (is_taken_by_none && (waits_ || m->head.stamp + latency <= me.clock()) &&
            (!what_.is_wild() || me.rule().is_first(what_, m->head, known))) {
            found = m;
            return true;
        }
        return !waits_ && me.rule().none_until(what_, me.clock(), known);
    }

    bool describe(blockage &out) const override {
        if (!waits_)
            return false;
        rank::mine->rule().describe(what_, out);
        out.least = rank::mine->clock();
        return true;
    }

    bool outcome(std::vector<int> &out) const override {
        out.assign(1, found != nullptr ? static_cast<int>(found->head.source) : -1);
        return true;
    }
    bool force(const std::vector<int> &to) override {
        rank &me = *rank::mine;
        found = nullptr;
        if (to.empty() || to[0] < 0)
            return true;
        found = me.rule().best_for(named(to[0]));
        if (found != nullptr && me.rule().is_contested(nullptr, found->head))
            found = nullptr;
        return found != nullptr;
    }
    bool describe_forced(const std::vector<int> &to, blockage &out) const override {
        rank::mine->rule().describe(named(to[0]), out);
        out.least = rank::mine->clock();
        return true;
    }

    const parked_message *found = nullptr;

private:
    // A receive from that source alone.
    request_object named(int source) const {
        request_object made;
        made.what = what_.what;
        made.on = what_.on;
        made.context = what_.context;
        made.tag = what_.tag;
        made.peer =
            static_cast<std::uint32_t>(order::checked_place(source, rank::mine->all().capacity()));
        return made;
    }

    const request_object &what_;
    const bool waits_;
};

// Looks for a message; null if there is none and it does not wait. `out` is the request of such a
// receive, with what a status says.
int look(int source, int tag, comm on, bool waits, const char *call, request_object &out,
         const parked_message *&found) {
    found = nullptr;
    const int error =
        make_request(out, action::receive, nullptr, 0, datatype::byte, source, tag, on);
    if (error != 0)
        return error;
    rank &me = *rank::mine;
    me.tick();
    if (!waits)
        me.publish();
    if (out.what == action::receive) {
        probe_event event(out, waits, call);
        me.wait(event);
        found = event.found;
        if (found != nullptr) {
            me.advance_to(found->head.stamp + latency);
            out.source = found->head.source;
            out.got_tag = found->head.tag;
            out.got_bytes = found->head.bytes;
        }
    }
    me.publish();
    return abi::success;
}

int probe_once(int source, int tag, comm on, bool waits, const char *call, int *flag,
               message *taken, status *out) {
    request_object r;
    const parked_message *found = nullptr;
    if (const int error = look(source, tag, on, waits, call, r, found))
        return error;
    *flag = found != nullptr || r.what == action::nothing ? 1 : 0;
    if (*flag != 0)
        make_status(r, out);
    if (taken == nullptr)
        return abi::success;
    *taken = message::null;
    if (r.what == action::nothing)
        *taken = message::no_proc;
    else if (found != nullptr)
        *taken =
            process::mine->messages.add(taken_message{rank::mine->matching().take(*found), r.on});
    return abi::success;
}

// Fills a receive from the message, and gives back the handle.
int receive_taken(request_object &r, void *buffer, std::int64_t count, datatype type,
                  message *taken, bool keeps_type) {
    if (const int error =
            make_buffer(r.buffer, buffer, count, type, keeps_type ? &r.type : nullptr))
        return error;
    if (const int error = check_memory(r.buffer))
        return error;
    rank &me = *rank::mine;
    me.tick();
    r.posted = r.completed = me.clock();
    r.is_complete = true;
    if (*taken != message::no_proc) {
        const taken_message *const m = process::mine->messages.find(*taken);
        if (m == nullptr)
            return abi::err_request;
        r.what = action::receive;
        r.on = m->on;
        me.matching().fill(r, m->what);
        me.matching().settle();
        process::mine->messages.remove(*taken);
    }
    me.publish();
    *taken = message::null;
    return abi::success;
}

} // namespace

int probe(int source, int tag, comm on, status *out) {
    int flag = 0;
    return probe_once(source, tag, on, true, "MPI_Probe", &flag, nullptr, out);
}

int iprobe(int source, int tag, comm on, int *flag, status *out) {
    return probe_once(source, tag, on, false, "MPI_Iprobe", flag, nullptr, out);
}

int mprobe(int source, int tag, comm on, message *taken, status *out) {
    int flag = 0;
    return probe_once(source, tag, on, true, "MPI_Mprobe", &flag, taken, out);
}

int improbe(int source, int tag, comm on, int *flag, message *taken, status *out) {
    return probe_once(source, tag, on, false, "MPI_Improbe", flag, taken, out);
}

int mrecv(void *buffer, std::int64_t count, datatype type, message *taken, status *out) {
    request_object r;
    if (const int error = receive_taken(r, buffer, count, type, taken, false))
        return error;
    make_status(r, out);
    if (r.error != 0)
        note_failed_request(*r.on);
    return r.error;
}

int imrecv(void *buffer, std::int64_t count, datatype type, message *taken, request *out) {
    request_object r;
    r.on = process::mine->world_comm.get();
    if (const int error = receive_taken(r, buffer, count, type, taken, true))
        return error;
    *out = process::mine->requests.add(std::move(r));
    ++process::mine->requests.find(*out)->on->users;
    return abi::success;
}

} // namespace saguaro::mpi::core
