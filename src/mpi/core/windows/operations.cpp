// SPDX-License-Identifier: MIT
// Put, get, accumulate and their like: what they check, and what they leave to the call that
// synchronizes (README.md).
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/operators/operators.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/windows/turns.hpp"

#include <algorithm>

namespace saguaro::mpi {

namespace {

// Products of counts and displacements that a program made up.
__extension__ using wide = __int128;

// Where an operation goes, as a call says it.
struct destination {
    int rank;
    std::int64_t place;
    std::int64_t count;
    datatype type;
};

// The bytes of memory that elements touch, from their address: [first, last).
struct extent_of {
    wide first = 0;
    wide last = 0;

    extent_of(const datatype_object &type, std::int64_t count) {
        const wide across = static_cast<wide>(count - 1) * type.extent();
        first = type.true_lower_bound() + std::min<wide>(across, 0);
        last = static_cast<wide>(type.true_lower_bound()) + type.true_extent() +
               std::max<wide>(across, 0);
    }
};

// A call of an operation: checks, and then begins it.
class operation_call {
public:
    operation_call(access what, win on, const destination &to) : window_(find(on)), to_(to) {
        made_.what = what;
        if (window_ == nullptr)
            error_ = abi::err_win;
        else if (to.count < 0)
            error_ = abi::err_count;
        else if (to.rank != abi::proc_null && (to.rank < 0 || to.rank >= window_->ranks()))
            error_ = abi::err_rank;
        else
            find_elements();
    }

    operation_call &origin(const void *base, std::int64_t count, datatype type) {
        buffer(made_.origin, base, count, type, 1);
        return *this;
    }
    operation_call &result(void *base, std::int64_t count, datatype type) {
        buffer(made_.result, base, count, type, 2);
        return *this;
    }
    operation_call &compares(const void *base) {
        made_.compared = base;
        return *this;
    }

    // The operator of an accumulate.
    operation_call &with(op which, bool returns) {
        made_.with = which;
        if (error_ != 0)
            return *this;
        if (!is_predefined(which) || which == op::null || (which == op::no_op && !returns)) {
            error_ = abi::err_op;
            return *this;
        }
        made_.basic = basic_of(*made_.there.type);
        // Without elements nothing is combined, whatever their type: programs sum no bytes.
        if (which == op::replace || which == op::no_op || made_.there.count == 0)
            return *this;
        error_ = made_.basic == datatype::null ? abi::err_type : check_operator(which, made_.basic);
        return *this;
    }

    // Only predefined types that operators or comparisons are for.
    operation_call &only_predefined() {
        if (error_ == 0 && made_.there.type->predefined() == datatype::null)
            error_ = abi::err_type;
        return *this;
    }

    // MPI 4.1, 12.3.4: integers, logical and multi-language types, and MPI_BYTE. Characters are
    // taken as well, as MPICH does.
    operation_call &only_exact() {
        const basic_group group = error_ == 0 ? made_.there.type->group() : basic_group::integer;
        if (group != basic_group::integer && group != basic_group::logical &&
            group != basic_group::byte && group != basic_group::character)
            error_ = abi::err_type;
        return *this;
    }

    int begin() {
        if (error_ != 0)
            return error_;
        if (to_.rank == abi::proc_null)
            return skip();
        if (const int error = check_target(false))
            return error;
        const window_call now;
        queue();
        // Nobody else is there.
        return window_->locks[static_cast<std::size_t>(to_.rank)] == lock_state::exclusive
                   ? carry_out_pending(*window_, to_.rank)
                   : abi::success;
    }

    // The same with a request, which is complete at once: the operation takes effect now.
    int begin(request *out, const char *call) {
        if (error_ != 0)
            return error_;
        if (to_.rank == abi::proc_null) {
            make_complete(out);
            return skip();
        }
        if (const int error = check_target(true))
            return error;
        const window_call now;
        queue();
        const int error = flush(*window_, to_.rank, call);
        if (error == 0)
            make_complete(out);
        return error;
    }

private:
    void find_elements() {
        const type_pointer *const t = find_committed(to_.type);
        if (t == nullptr) {
            error_ = abi::err_type;
            return;
        }
        made_.target = to_.rank;
        made_.there.type = t->get();
        made_.there.count = to_.count;
        made_.kept[0] = *t;
    }

    void buffer(typed_buffer &out, const void *base, std::int64_t count, datatype type,
                std::size_t kept) {
        if (error_ == 0)
            error_ = make_buffer(out, base, count, type, &made_.kept[kept]);
    }

    static int skip() {
        const window_call now;
        return abi::success;
    }

    // The epoch, and that the elements lie in the window.
    int check_target(bool needs_passive) {
        if (!window_->may_access(to_.rank) || (needs_passive && !window_->is_passive()))
            return abi::err_rma_sync;
        const target_memory &memory = window_->targets[static_cast<std::size_t>(to_.rank)];
        const bool is_dynamic = window_->flavor == abi::win_flavor_dynamic;
        const wide offset = static_cast<wide>(to_.place) * memory.unit;
        made_.there.memory = &memory;
        made_.there.address = memory.base + static_cast<std::uintptr_t>(offset);
        if (made_.there.bytes() == 0 || is_dynamic)
            return abi::success;
        if (to_.place < 0)
            return abi::err_disp;
        const extent_of touched(*made_.there.type, to_.count);
        if (offset + touched.first < 0 || offset + touched.last > memory.size)
            return abi::err_rma_range;
        return abi::success;
    }

    void queue() { window_->pending.push_back(std::move(made_)); }

    void make_complete(request *out) {
        request_object r;
        r.what = action::send; // which has nothing to say
        r.on = window_->on;
        r.is_complete = true;
        r.posted = r.completed = rank::mine->clock();
        ++r.on->users;
        *out = process::mine->requests.add(std::move(r));
    }

    win_object *const window_;
    const destination to_;
    operation made_;
    int error_ = 0;
};

} // namespace

namespace core {

int put(const void *origin, std::int64_t count, datatype type, int target, std::int64_t place,
        std::int64_t target_count, datatype target_type, win on) {
    return operation_call(access::put, on, {target, place, target_count, target_type})
        .origin(origin, count, type)
        .begin();
}

int rput(const void *origin, std::int64_t count, datatype type, int target, std::int64_t place,
         std::int64_t target_count, datatype target_type, win on, request *out) {
    return operation_call(access::put, on, {target, place, target_count, target_type})
        .origin(origin, count, type)
        .begin(out, "MPI_Rput");
}

int get(void *origin, std::int64_t count, datatype type, int target, std::int64_t place,
        std::int64_t target_count, datatype target_type, win on) {
    return operation_call(access::get, on, {target, place, target_count, target_type})
        .result(origin, count, type)
        .begin();
}

int rget(void *origin, std::int64_t count, datatype type, int target, std::int64_t place,
         std::int64_t target_count, datatype target_type, win on, request *out) {
    return operation_call(access::get, on, {target, place, target_count, target_type})
        .result(origin, count, type)
        .begin(out, "MPI_Rget");
}

int accumulate(const void *origin, std::int64_t count, datatype type, int target,
               std::int64_t place, std::int64_t target_count, datatype target_type, op which,
               win on) {
    return operation_call(access::accumulate, on, {target, place, target_count, target_type})
        .origin(origin, count, type)
        .with(which, false)
        .begin();
}

int raccumulate(const void *origin, std::int64_t count, datatype type, int target,
                std::int64_t place, std::int64_t target_count, datatype target_type, op which,
                win on, request *out) {
    return operation_call(access::accumulate, on, {target, place, target_count, target_type})
        .origin(origin, count, type)
        .with(which, false)
        .begin(out, "MPI_Raccumulate");
}

namespace {

// With MPI_NO_OP the origin's arguments mean nothing.
operation_call fetch(const void *origin, std::int64_t count, datatype type, void *result,
                     std::int64_t result_count, datatype result_type, const destination &to,
                     op which, win on) {
    operation_call made(access::accumulate, on, to);
    made.result(result, result_count, result_type);
    if (which != op::no_op)
        made.origin(origin, count, type);
    made.with(which, true);
    return made;
}

} // namespace

int get_accumulate(const void *origin, std::int64_t count, datatype type, void *result,
                   std::int64_t result_count, datatype result_type, int target, std::int64_t place,
                   std::int64_t target_count, datatype target_type, op which, win on) {
    return fetch(origin, count, type, result, result_count, result_type,
                 {target, place, target_count, target_type}, which, on)
        .begin();
}

int rget_accumulate(const void *origin, std::int64_t count, datatype type, void *result,
                    std::int64_t result_count, datatype result_type, int target, std::int64_t place,
                    std::int64_t target_count, datatype target_type, op which, win on,
                    request *out) {
    return fetch(origin, count, type, result, result_count, result_type,
                 {target, place, target_count, target_type}, which, on)
        .begin(out, "MPI_Rget_accumulate");
}

int fetch_and_op(const void *origin, void *result, datatype type, int target, std::int64_t place,
                 op which, win on) {
    return fetch(origin, 1, type, result, 1, type, {target, place, 1, type}, which, on)
        .only_predefined()
        .begin();
}

int compare_and_swap(const void *origin, const void *compared, void *result, datatype type,
                     int target, std::int64_t place, win on) {
    return operation_call(access::compare_and_swap, on, {target, place, 1, type})
        .origin(origin, 1, type)
        .result(result, 1, type)
        .compares(compared)
        .only_predefined()
        .only_exact()
        .begin();
}

} // namespace core

} // namespace saguaro::mpi
