// SPDX-License-Identifier: MIT
// Waiting and testing: which requests are complete at which clock (../../README.md, "The rule").
#include "mpi/core/clock/order.hpp"
#include "mpi/core/errors/errors.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/requests/generalized_requests.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace saguaro::mpi {

namespace core {

namespace {

using answer = matching_rule::answer;

// The requests of an array that are not null or inactive, in its order; null for those.
using active_requests = std::vector<request_object *>;

// An error class if one is no request.
int find_active(int count, const request *which, active_requests &out) {
    if (count < 0)
        return abi::err_count;
    out.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = nullptr;
        if (which[i] == request::null)
            continue;
        request_object *const r = process::mine->requests.find(which[i]);
        if (r == nullptr)
            return abi::err_request;
        if (r->is_active)
            out[i] = r;
    }
    return abi::success;
}

bool has_any(const active_requests &all) {
    return std::any_of(all.begin(), all.end(),
                       [](const request_object *r) { return r != nullptr; });
}

void drop(request &which) {
    remove_request(which);
    which = request::null;
}

// Of a complete request: says how it ended. Returns its error.
int tell_end(request_object &r, status *out) {
    if (r.what == action::generalized)
        return query_program(r, out);
    if (r.what == action::joint)
        r.joint->settle(r);
    make_status(r, out);
    if (r.error != 0)
        note_failed_request(*r.on);
    return r.error;
}

// The same, and the request is not active any more.
int end(request &which, request_object &r, status *out) {
    int error = tell_end(r, out);
    if (r.is_persistent) {
        r.is_active = false;
        return error;
    }
    if (r.what == action::generalized)
        if (const int of_free = tell_program_of_end(r); error == abi::success)
            error = of_free;
    drop(which);
    return error;
}

// What a blocked rank says of several requests, any of which lets it go on.
void describe_any(const active_requests &all, blockage &out) {
    for (const request_object *const r : all)
        if (r != nullptr && r->is_complete)
            out.candidate = std::min(out.candidate, r->completed - latency);
        else if (r != nullptr)
            rank::mine->rule().describe(*r, out);
}

// The request of a recorded outcome.
const request_object &all_at(const active_requests &all, int place) {
    const request_object *const r = all[order::checked_place(place, all.size())];
    order::checked_place(r != nullptr ? 0 : -1, 1);
    return *r;
}

// Of a replay: the first of the requests that has to be complete and is not.
bool describe_forced_of(const active_requests &all, const std::vector<int> &places, blockage &out) {
    for (const int place : places)
        if (place >= 0 && !all_at(all, place).is_complete) {
            rank::mine->rule().describe(all_at(all, place), out);
            out.least = rank::mine->clock();
            return true;
        }
    return false;
}

// The first of several requests to be complete: least time, then least place.
class first_event final : public awaited_event {
public:
    first_event(const active_requests &all, clock_value until, clock_value least, bool waits,
                const char *of_call)
        : all_(all), until_(until), least_(least), waits_(waits) {
        asks = true;
        call = of_call;
    }

    bool is_over(const clock_bounds &known) override {
        found = -1;
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (all_[i] != nullptr && all_[i]->is_complete &&
                (all_[i]->completed <= until_ || !order::is_by_clock()) &&
                (found < 0 || all_[i]->completed < time()))
                found = static_cast<int>(i);
        // Nobody else may be complete before, or at the same time and further to the front.
        const clock_value then = found < 0 ? until_ : time();
        bool is_certain = found >= 0 || !waits_;
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (all_[i] != nullptr && !all_[i]->is_complete && is_certain)
                is_certain =
                    rank::mine->rule().is_complete_at(
                        *all_[i], static_cast<int>(i) > found && found >= 0 ? then - 1 : then,
                        known) == answer::no;
        return is_certain;
    }

    bool describe(blockage &out) const override {
        if (!waits_)
            return false;
        describe_any(all_, out);
        out.least = least_;
        return true;
    }

    bool outcome(std::vector<int> &out) const override {
        out.assign(1, found);
        return true;
    }
    bool force(const std::vector<int> &to) override {
        found = to.empty() ? -1 : to[0];
        return found < 0 || all_at(all_, found).is_complete;
    }
    bool describe_forced(const std::vector<int> &to, blockage &out) const override {
        return describe_forced_of(all_, to, out);
    }

    int found = -1;

private:
    clock_value time() const { return all_[static_cast<std::size_t>(found)]->completed; }

    const active_requests &all_;
    const clock_value until_;
    const clock_value least_;
    const bool waits_;
};

// Which of several requests are complete at the present clock.
class poll_event final : public awaited_event {
public:
    poll_event(const active_requests &all, const char *of_call) : done(all.size()), all_(all) {
        asks = true;
        call = of_call;
    }

    bool is_over(const clock_bounds &known) override {
        bool is_decided = true;
        for (std::size_t i = 0; i < all_.size(); ++i) {
            const answer a =
                all_[i] == nullptr
                    ? answer::no
                    : rank::mine->rule().is_complete_at(*all_[i], rank::mine->clock(), known);
            done[i] = a == answer::yes;
            is_decided = is_decided && a != answer::undecided;
        }
        return is_decided;
    }

    bool describe(blockage &) const override { return false; }

    bool outcome(std::vector<int> &out) const override {
        out.clear();
        for (std::size_t i = 0; i < done.size(); ++i)
            if (done[i])
                out.push_back(static_cast<int>(i));
        return true;
    }
    bool force(const std::vector<int> &to) override {
        done.assign(all_.size(), false);
        bool all_complete = true;
        for (const int each : to) {
            all_complete = all_at(all_, each).is_complete && all_complete;
            done[static_cast<std::size_t>(each)] = true;
        }
        return all_complete;
    }
    bool describe_forced(const std::vector<int> &to, blockage &out) const override {
        return describe_forced_of(all_, to, out);
    }

    std::vector<bool> done;

private:
    const active_requests &all_;
};

// A poll: the clock goes on, and others may rely on it while this rank asks for theirs.
void begin_poll() {
    rank::mine->tick();
    rank::mine->publish();
}

// Decides which are complete at the clock. Where all are, or none can be, nobody is asked.
std::vector<bool> poll_at_clock(const active_requests &all, const char *call) {
    poll_event event(all, call);
    rank::mine->wait(event);
    return std::move(event.done);
}

// How those that are complete ended, one status after the other, by end or tell_end.
template <class Tell>
int tell_some(const std::vector<bool> &ends, int *done, int *indices, status *out, Tell tell) {
    int error = abi::success;
    *done = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (!ends[i])
            continue;
        status *const s = out == nullptr ? nullptr : out + *done;
        const int own = tell(i, s);
        if (own != 0)
            error = abi::err_in_status;
        if (s != nullptr)
            s->error = own;
        indices[(*done)++] = static_cast<int>(i);
    }
    return error;
}

// How all ended; empty statuses for those that are not active.
template <class Tell>
int tell_all(const active_requests &all, status *out, Tell tell) {
    int error = abi::success;
    for (std::size_t i = 0; i < all.size(); ++i) {
        status *const s = out == nullptr ? nullptr : out + i;
        const int own = all[i] != nullptr ? tell(i, s) : abi::success;
        if (all[i] == nullptr)
            set_empty_status(s);
        if (s != nullptr)
            s->error = own;
        if (own != 0)
            error = abi::err_in_status;
    }
    return error;
}

int end_some(const active_requests &all, const std::vector<bool> &ends, request *which, int *done,
             int *indices, status *out) {
    return tell_some(ends, done, indices, out,
                     [&](std::size_t i, status *s) { return end(which[i], *all[i], s); });
}

int end_all(const active_requests &all, request *which, status *out) {
    return tell_all(all, out, [&](std::size_t i, status *s) { return end(which[i], *all[i], s); });
}

// Whether all that are active are complete at the clock.
bool poll_for_all(const active_requests &all, const char *call) {
    begin_poll();
    const std::vector<bool> done = poll_at_clock(all, call);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i] != nullptr && !done[i])
            return false;
    return true;
}

// The first that is complete at the clock; -1.
int poll_for_any(const active_requests &all, const char *call) {
    begin_poll();
    first_event first(all, rank::mine->clock(), 0, false, call);
    rank::mine->wait(first);
    return first.found;
}

// The first that is complete at the clock: tell(index, request) says how it ends.
template <class Tell>
int poll_first(int count, const request *which, int *index, int *flag, status *out,
               const char *call, Tell tell) {
    active_requests all;
    if (const int error = find_active(count, which, all))
        return error;
    *index = abi::undefined;
    *flag = 1;
    set_empty_status(out);
    if (!has_any(all))
        return abi::success;
    const int found = poll_for_any(all, call);
    *flag = found >= 0 ? 1 : 0;
    if (found < 0)
        return abi::success;
    *index = found;
    return tell(found, *all[static_cast<std::size_t>(found)]);
}

// MPI_Testany, and MPI_Test of one request.
int test_first(int count, request *which, int *index, int *flag, status *out, const char *call) {
    return poll_first(count, which, index, flag, out, call,
                      [&](int i, request_object &r) { return end(which[i], r, out); });
}

// The same, and the request stays.
int look_at_first(int count, const request *which, int *index, int *flag, status *out,
                  const char *call) {
    return poll_first(count, which, index, flag, out, call,
                      [&](int, request_object &r) { return tell_end(r, out); });
}

} // namespace

int wait(request *which, status *out) {
    request_object *r = nullptr;
    if (*which != request::null && (r = process::mine->requests.find(*which)) == nullptr)
        return abi::err_request;
    if (r == nullptr || !r->is_active) {
        set_empty_status(out);
        return abi::success;
    }
    rank &me = *rank::mine;
    me.tick();
    me.wait_for(*r, me.clock(), "MPI_Wait");
    me.advance_to(r->completed);
    me.publish();
    return end(*which, *r, out);
}

int waitall(int count, request *which, status *out) {
    active_requests all;
    if (const int error = find_active(count, which, all))
        return error;
    rank &me = *rank::mine;
    me.tick();
    for (request_object *const r : all)
        if (r != nullptr) {
            me.wait_for(*r, me.clock(), "MPI_Waitall");
            me.advance_to(r->completed);
        }
    me.publish();
    return end_all(all, which, out);
}

int waitany(int count, request *which, int *index, status *out) {
    active_requests all;
    if (const int error = find_active(count, which, all))
        return error;
    *index = abi::undefined;
    if (!has_any(all)) {
        set_empty_status(out);
        return abi::success;
    }
    rank &me = *rank::mine;
    me.tick();
    first_event first(all, forever, me.clock(), true, "MPI_Waitany");
    me.wait(first);
    request_object &r = *all[static_cast<std::size_t>(first.found)];
    me.advance_to(r.completed);
    me.publish();
    *index = first.found;
    return end(which[first.found], r, out);
}

int waitsome(int count, request *which, int *done, int *indices, status *out) {
    active_requests all;
    if (const int error = find_active(count, which, all))
        return error;
    *done = abi::undefined;
    if (!has_any(all))
        return abi::success;
    rank &me = *rank::mine;
    me.tick();
    first_event first(all, forever, me.clock(), true, "MPI_Waitsome");
    me.wait(first);
    me.advance_to(all[static_cast<std::size_t>(first.found)]->completed);
    me.publish();
    return end_some(all, poll_at_clock(all, "MPI_Waitsome"), which, done, indices, out);
}

int test(request *which, int *flag, status *out) {
    int index = 0;
    return test_first(1, which, &index, flag, out, "MPI_Test");
}

int testany(int count, request *which, int *index, int *flag, status *out) {
    return test_first(count, which, index, flag, out, "MPI_Testany");
}

int testall(int count, request *which, int *flag, status *out) {
    active_requests all;
    if (const int error = find_active(count, which, all))
        return error;
    *flag = poll_for_all(all, "MPI_Testall") ? 1 : 0;
    return *flag != 0 ? end_all(all, which, out) : abi::success;
}

int testsome(int count, request *which, int *done, int *indices, status *out) {
    active_requests all;
    if (const int error = find_active(count, which, all))
        return error;
    *done = abi::undefined;
    if (!has_any(all))
        return abi::success;
    begin_poll();
    return end_some(all, poll_at_clock(all, "MPI_Testsome"), which, done, indices, out);
}

// The request goes when its operation is complete by the rule: now, or when it is found out.
int request_free(request *which) {
    request_object *const r = process::mine->requests.find(*which);
    if (r == nullptr)
        return abi::err_request;
    // Of a collective the program has to learn the end: MPI 4.1, 6.12. Without the request nobody
    // could say that the other partitions of a message are ready, so its receiver would wait
    // forever.
    const bool lacks_partitions = r->what == action::send_partitions && !r->is_complete;
    if (r->is_active && (r->what == action::joint || lacks_partitions))
        return abi::err_request;
    // Whether the message has come by now depends on how fast the other rank is. It must not decide
    // whether the request is removed at once: a request that is removed leaves its number to a
    // later one, and the numbers of requests must be the same in each run.
    const bool may_be_under_way = r->what == action::receive || r->what == action::synchronous_send;
    if (!r->is_active || (r->is_complete && !may_be_under_way)) {
        const int error = r->what == action::generalized ? tell_program_of_end(*r) : abi::success;
        drop(*which);
        return error;
    }
    if (r->what == action::generalized) {
        r->program->is_freed = true; // MPI_Grequest_complete removes it
    } else {
        remove_freed_requests();
        process::mine->freed_requests.push_back(*which);
    }
    *which = request::null;
    return abi::success;
}

// MPI_Request_get_status and its kin tell what MPI_Test and its kin tell, and leave the requests
// alone.

int request_get_status(request which, int *flag, status *out) {
    int index = 0;
    return look_at_first(1, &which, &index, flag, out, "MPI_Request_get_status");
}

int request_get_status_any(int count, const request *which, int *index, int *flag, status *out) {
    return look_at_first(count, which, index, flag, out, "MPI_Request_get_status_any");
}

int request_get_status_all(int count, const request *which, int *flag, status *out) {
    active_requests all;
    if (const int error = find_active(count, which, all))
        return error;
    *flag = poll_for_all(all, "MPI_Request_get_status_all") ? 1 : 0;
    if (*flag == 0)
        return abi::success;
    return tell_all(all, out, [&](std::size_t i, status *s) { return tell_end(*all[i], s); });
}

int request_get_status_some(int count, const request *which, int *done, int *indices, status *out) {
    active_requests all;
    if (const int error = find_active(count, which, all))
        return error;
    *done = abi::undefined;
    if (!has_any(all))
        return abi::success;
    begin_poll();
    return tell_some(poll_at_clock(all, "MPI_Request_get_status_some"), done, indices, out,
                     [&](std::size_t i, status *s) { return tell_end(*all[i], s); });
}

} // namespace core

bool is_complete_now(request_object &which, const char *call) {
    return core::poll_for_any({&which}, call) >= 0;
}

// Finding out may mean to wait for the clocks of others. So it is not done for each call, but when
// twice as many are there as were left the last time.
void remove_freed_requests() {
    process &own = *process::mine;
    if (own.freed_requests.size() < own.most_freed_requests)
        return;
    // Another thread may free more meanwhile.
    const std::vector<request> freed = std::exchange(own.freed_requests, {});
    core::active_requests all;
    for (const request each : freed)
        all.push_back(own.requests.find(each));
    // Others may rely on the clock while this rank asks for theirs.
    rank::mine->publish();
    const std::vector<bool> done = core::poll_at_clock(all, "MPI_Request_free");
    for (std::size_t i = 0; i < freed.size(); ++i)
        if (done[i])
            remove_request(freed[i]);
        else
            own.freed_requests.push_back(freed[i]);
    own.most_freed_requests =
        std::max(process::least_freed_requests, 2 * own.freed_requests.size());
}

} // namespace saguaro::mpi
