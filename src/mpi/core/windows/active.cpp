// SPDX-License-Identifier: MIT
// Active targets: fences, and post, start, complete and wait (README.md, "Active targets").
#include "mpi/core/collectives/collective.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/windows/turns.hpp"

#include <algorithm>

namespace saguaro::mpi {

namespace {

// Tags of messages between the ranks of a window.
constexpr int tag_of_post = 1;
constexpr int tag_of_complete = 2;

void receive_from(request_object &out, const win_object &on, int peer, int tag,
                  const typed_buffer &where) {
    out.what = action::receive;
    out.on = on.on;
    out.context = on.on->context;
    out.peer = on.on->world_rank(peer);
    out.tag = tag;
    out.buffer = where;
    out.posted = rank::mine->clock();
    rank::mine->post(out);
}

// Whether any rank of the window says so: in each round the answer of the rank `distance` before.
bool is_any(win_object &on, bool mine) {
    collective all(*on.on, "MPI_Win_fence");
    char answer = mine ? 1 : 0;
    const int n = all.size();
    for (int distance = 1; distance < n; distance *= 2) {
        char other = 0;
        all.exchange((all.me() + distance) % n, bytes_at(&answer, 1), (all.me() - distance + n) % n,
                     bytes_at(&other, 1));
        answer = static_cast<char>(answer | other);
    }
    return answer != 0;
}

// The ranks of a group in the window's; an error class if one is not there.
int members_in(const win_object &on, group which, std::vector<int> &out) {
    const group_pointer *const g = find(which);
    if (g == nullptr)
        return abi::err_group;
    for (const std::uint32_t member : (*g)->members) {
        const int place = on.on->local->place_of(member);
        if (place == abi::undefined)
            return abi::err_group;
        out.push_back(place);
    }
    return abi::success;
}

// The origins that a target lets in, this rank left out.
void hear_of_post(win_object &on, int target) {
    std::vector<std::int32_t> origins(static_cast<std::size_t>(on.ranks()));
    request_object post;
    receive_from(post, on, target, tag_of_post,
                 bytes_at(origins.data(), origins.size() * sizeof(origins[0])));
    rank &me = *rank::mine;
    me.wait_for(post, me.clock(), "MPI_Win_start");
    me.advance_to(post.completed);
    origins.resize(post.got_bytes / sizeof(origins[0]));
    for (const std::int32_t o : origins)
        if (o != on.me() && std::find(on.rivals.begin(), on.rivals.end(), o) == on.rivals.end())
            on.rivals.push_back(o);
}

// Whether all origins have said, until the present clock, that they are through.
class end_of_exposure final : public awaited_event {
public:
    explicit end_of_exposure(const win_object &on) : on_(on) {
        asks = true;
        call = "MPI_Win_test";
    }

    bool is_over(const clock_bounds &known) override {
        bool is_decided = true;
        has_ended = true;
        for (const auto &r : on_.posted) {
            const matching_rule::answer a =
                rank::mine->rule().is_complete_at(*r, rank::mine->clock(), known);
            has_ended = has_ended && a == matching_rule::answer::yes;
            is_decided = is_decided && a != matching_rule::answer::undecided;
        }
        return is_decided;
    }

    bool describe(blockage &) const override { return false; }

    bool outcome(std::vector<int> &out) const override {
        out.assign(1, has_ended ? 1 : 0);
        return true;
    }
    bool force(const std::vector<int> &to) override {
        has_ended = to == std::vector<int>{1};
        return !has_ended || first_open() == nullptr;
    }
    bool describe_forced(const std::vector<int> &, blockage &out) const override {
        if (const request_object *const open = first_open())
            rank::mine->rule().describe(*open, out);
        out.least = rank::mine->clock();
        return true;
    }

    bool has_ended = false;

private:
    // Of the messages that origins send when they are through, one that has not come.
    const request_object *first_open() const {
        for (const auto &r : on_.posted)
            if (!r->is_complete)
                return r.get();
        return nullptr;
    }

    const win_object &on_;
};

void end_exposure(win_object &on) {
    on.posted.clear();
    on.is_exposed = false;
}

constexpr int assertions_of_fences =
    abi::mode_nostore | abi::mode_noput | abi::mode_noprecede | abi::mode_nosucceed;
constexpr int assertions_of_posts = abi::mode_nocheck | abi::mode_nostore | abi::mode_noput;

} // namespace

namespace core {

int win_fence(int assertions, win which) {
    win_object *const on = find(which);
    if (on == nullptr)
        return abi::err_win;
    if ((assertions & ~assertions_of_fences) != 0)
        return abi::err_assert;
    if (on->has_started || on->is_exposed || on->is_passive())
        return abi::err_rma_sync;
    int error = abi::success;
    if (is_any(*on, !on->pending.empty())) {
        {
            const window_call now;
            error = take_turn(*on, all_targets, others_of(*on), "MPI_Win_fence");
        }
        is_any(*on, false);
    }
    on->is_fenced = (assertions & abi::mode_nosucceed) == 0;
    return error;
}

int win_post(group origins, int assertions, win which) {
    win_object *const on = find(which);
    if (on == nullptr)
        return abi::err_win;
    std::vector<int> members;
    if (const int error = members_in(*on, origins, members))
        return error;
    if ((assertions & ~assertions_of_posts) != 0)
        return abi::err_assert;
    if (on->is_exposed || (on->is_fenced && !on->pending.empty()))
        return abi::err_rma_sync;
    on->is_fenced = false;
    const window_call now;
    const std::vector<std::int32_t> told(members.begin(), members.end());
    rank &me = *rank::mine;
    for (const int origin : members) {
        me.send(on->on->world_rank(origin), on->on->context, tag_of_post,
                bytes_at(told.data(), told.size() * sizeof(told[0])), me.clock());
        on->posted.push_back(std::make_unique<request_object>());
        receive_from(*on->posted.back(), *on, origin, tag_of_complete, {});
    }
    on->is_exposed = true;
    return abi::success;
}

int win_start(group targets, int assertions, win which) {
    win_object *const on = find(which);
    if (on == nullptr)
        return abi::err_win;
    std::vector<int> members;
    if (const int error = members_in(*on, targets, members))
        return error;
    if ((assertions & ~abi::mode_nocheck) != 0)
        return abi::err_assert;
    if (on->has_started || on->is_passive() || (on->is_fenced && !on->pending.empty()))
        return abi::err_rma_sync;
    on->is_fenced = false;
    const window_call now;
    on->rivals.clear();
    for (const int target : members)
        hear_of_post(*on, target);
    on->started = std::move(members);
    on->has_started = true;
    return abi::success;
}

int win_complete(win which) {
    win_object *const on = find(which);
    if (on == nullptr)
        return abi::err_win;
    if (!on->has_started)
        return abi::err_rma_sync;
    const window_call now;
    const int error = take_turn(*on, all_targets, on->rivals, "MPI_Win_complete");
    // Others rely on the clock of the step already, so what is sent has a later one.
    rank &me = *rank::mine;
    me.tick();
    for (const int target : on->started)
        me.send(on->on->world_rank(target), on->on->context, tag_of_complete, {}, me.clock());
    on->started.clear();
    on->has_started = false;
    return error;
}

int win_wait(win which) {
    win_object *const on = find(which);
    if (on == nullptr)
        return abi::err_win;
    if (!on->is_exposed)
        return abi::err_rma_sync;
    const window_call now;
    rank &me = *rank::mine;
    for (const auto &r : on->posted) {
        me.wait_for(*r, me.clock(), "MPI_Win_wait");
        me.advance_to(r->completed);
    }
    end_exposure(*on);
    return abi::success;
}

int win_test(win which, int *flag) {
    win_object *const on = find(which);
    if (on == nullptr)
        return abi::err_win;
    if (!on->is_exposed)
        return abi::err_rma_sync;
    const window_call now;
    rank::mine->publish();
    end_of_exposure ended(*on);
    rank::mine->wait(ended);
    *flag = ended.has_ended ? 1 : 0;
    if (ended.has_ended)
        end_exposure(*on);
    return abi::success;
}

} // namespace core

} // namespace saguaro::mpi
