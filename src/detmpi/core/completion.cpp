// SPDX-License-Identifier: MIT
// Waiting and testing: which requests are complete at which clock (../README.md, "The rule").
#include "detmpi/core/arguments.hpp"
#include "detmpi/core/functions.hpp"
#include "detmpi/core/process.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace saguaro::detmpi::core {

namespace {

using answer = rank::answer;

// The requests of an array that are not null or inactive, in its order; null for those.
using active_requests = std::vector<request_object *>;

// An error class if one is no request.
int find_active(int count, const request *which, active_requests &out) {
    if (count < 0)
        return mpi::err_count;
    out.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = nullptr;
        if (which[i] == request::null)
            continue;
        request_object *const r = process::mine->requests.find(which[i]);
        if (r == nullptr)
            return mpi::err_request;
        if (r->is_active)
            out[i] = r;
    }
    return mpi::success;
}

bool has_any(const active_requests &all) {
    return std::any_of(all.begin(), all.end(),
                       [](const request_object *r) { return r != nullptr; });
}

void drop(request &which, request_object &r) {
    leave(r.on);
    process::mine->requests.remove(which);
    which = request::null;
}

// A complete request: says how it ended. Returns its error.
int end(request &which, request_object &r, status *out) {
    make_status(r, out);
    const int error = r.error;
    if (r.is_persistent)
        r.is_active = false;
    else
        drop(which, r);
    return error;
}

// What a blocked rank says of several requests, any of which lets it go on.
void describe_any(const active_requests &all, blockage &out) {
    for (const request_object *const r : all)
        if (r != nullptr && r->is_complete)
            out.candidate = std::min(out.candidate, r->completed - latency);
        else if (r != nullptr && !out.waits_for_match)
            rank::mine->describe(*r, out);
    // Several reasons, one of them a match: no more than the clock can be said.
    const auto waits = static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [](const request_object *r) { return r != nullptr; }));
    if (out.waits_for_match && waits > 1)
        out.candidate = 0;
}

// The first of several requests to be complete: least time, then least place.
class first_event final : public awaited_event {
public:
    first_event(const active_requests &all, clock_value until, clock_value least, bool waits)
        : all_(all), until_(until), least_(least), waits_(waits) {
        asks = true;
        call = "MPI_Waitany";
    }

    bool is_over(const clock_bounds &known) override {
        found = -1;
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (all_[i] != nullptr && all_[i]->is_complete && all_[i]->completed <= until_ &&
                (found < 0 || all_[i]->completed < time()))
                found = static_cast<int>(i);
        // Nobody else may be complete before, or at the same time and further to the front.
        const clock_value then = found < 0 ? until_ : time();
        bool is_certain = found >= 0 || !waits_;
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (all_[i] != nullptr && !all_[i]->is_complete && is_certain)
                is_certain =
                    rank::mine->is_complete_at(
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
    explicit poll_event(const active_requests &all) : done(all.size()), all_(all) {
        asks = true;
        call = "MPI_Testsome";
    }

    bool is_over(const clock_bounds &known) override {
        bool is_decided = true;
        for (std::size_t i = 0; i < all_.size(); ++i) {
            const answer a = all_[i] == nullptr
                                 ? answer::no
                                 : rank::mine->is_complete_at(*all_[i], rank::mine->clock(), known);
            done[i] = a == answer::yes;
            is_decided = is_decided && a != answer::undecided;
        }
        return is_decided;
    }

    bool describe(blockage &) const override { return false; }

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
std::vector<bool> poll_at_clock(const active_requests &all) {
    poll_event event(all);
    rank::mine->wait(event);
    return std::move(event.done);
}

int end_some(const active_requests &all, const std::vector<bool> &ends, request *which, int *done,
             int *indices, status *out) {
    int error = mpi::success;
    *done = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!ends[i])
            continue;
        status *const s = out == nullptr ? nullptr : out + *done;
        const int own = end(which[i], *all[i], s);
        if (own != 0)
            error = mpi::err_in_status;
        if (s != nullptr)
            s->error = own;
        indices[(*done)++] = static_cast<int>(i);
    }
    return error;
}

int end_all(const active_requests &all, request *which, status *out) {
    int error = mpi::success;
    for (std::size_t i = 0; i < all.size(); ++i) {
        status *const s = out == nullptr ? nullptr : out + i;
        const int own = all[i] != nullptr ? end(which[i], *all[i], s) : mpi::success;
        if (all[i] == nullptr)
            set_empty_status(s);
        if (s != nullptr)
            s->error = own;
        if (own != 0)
            error = mpi::err_in_status;
    }
    return error;
}

} // namespace

int wait(request *which, status *out) {
    request_object *r = nullptr;
    if (*which != request::null && (r = process::mine->requests.find(*which)) == nullptr)
        return mpi::err_request;
    if (r == nullptr || !r->is_active) {
        set_empty_status(out);
        return mpi::success;
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
    *index = mpi::undefined;
    if (!has_any(all)) {
        set_empty_status(out);
        return mpi::success;
    }
    rank &me = *rank::mine;
    me.tick();
    first_event first(all, forever, me.clock(), true);
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
    *done = mpi::undefined;
    if (!has_any(all))
        return mpi::success;
    rank &me = *rank::mine;
    me.tick();
    first_event first(all, forever, me.clock(), true);
    me.wait(first);
    me.advance_to(all[static_cast<std::size_t>(first.found)]->completed);
    me.publish();
    return end_some(all, poll_at_clock(all), which, done, indices, out);
}

int test(request *which, int *flag, status *out) {
    int index = 0;
    return testany(1, which, &index, flag, out);
}

int testall(int count, request *which, int *flag, status *out) {
    active_requests all;
    if (const int error = find_active(count, which, all))
        return error;
    begin_poll();
    const std::vector<bool> done = poll_at_clock(all);
    *flag = 1;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i] != nullptr && !done[i])
            *flag = 0;
    return *flag != 0 ? end_all(all, which, out) : mpi::success;
}

int testany(int count, request *which, int *index, int *flag, status *out) {
    active_requests all;
    if (const int error = find_active(count, which, all))
        return error;
    *index = mpi::undefined;
    *flag = 1;
    set_empty_status(out);
    if (!has_any(all))
        return mpi::success;
    begin_poll();
    first_event first(all, rank::mine->clock(), 0, false);
    rank::mine->wait(first);
    *flag = first.found >= 0 ? 1 : 0;
    if (first.found < 0)
        return mpi::success;
    *index = first.found;
    return end(which[first.found], *all[static_cast<std::size_t>(first.found)], out);
}

int testsome(int count, request *which, int *done, int *indices, status *out) {
    active_requests all;
    if (const int error = find_active(count, which, all))
        return error;
    *done = mpi::undefined;
    if (!has_any(all))
        return mpi::success;
    begin_poll();
    return end_some(all, poll_at_clock(all), which, done, indices, out);
}

// The request goes when its operation is complete: now, or when a message has come for it.
int request_free(request *which) {
    request_object *const r = process::mine->requests.find(*which);
    if (r == nullptr)
        return mpi::err_request;
    if (!r->is_active || r->is_complete) {
        drop(*which, *r);
        return mpi::success;
    }
    // Nobody can tell any more when it is complete, and it must stay until then: for good.
    *which = request::null;
    return mpi::success;
}

int request_get_status(request which, int *flag, status *out) {
    request_object *r = nullptr;
    if (which != request::null && (r = process::mine->requests.find(which)) == nullptr)
        return mpi::err_request;
    *flag = 1;
    set_empty_status(out);
    if (r == nullptr || !r->is_active)
        return mpi::success;
    begin_poll();
    const active_requests one{r};
    *flag = poll_at_clock(one)[0] ? 1 : 0;
    if (*flag != 0)
        make_status(*r, out);
    return mpi::success;
}

} // namespace saguaro::detmpi::core
