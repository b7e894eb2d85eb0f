// SPDX-License-Identifier: MIT
// Stages that are carried out at once, and stages that are recorded for a request.
#include "mpi/core/collectives/stage.hpp"

#include "mpi/core/communicators/making.hpp"
#include "mpi/core/process/process.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace saguaro::mpi {

int stage::open(comm on) {
    on_ = find(on);
    return on_ != nullptr ? abi::success : abi::err_comm;
}

int stage::open(comm on, int root, role &mine) {
    if (const int error = open(on))
        return error;
    mine = role::other;
    described_.root = root;
    if (is_inter() && root == abi::proc_null)
        mine = role::outsider;
    else if (is_inter() ? root == abi::root : root == me())
        mine = role::root;
    else if (root < 0 || root >= peers())
        return abi::err_root;
    return abi::success;
}

void blocking_stage::reduce(const reduction_of &what, int ranks, const void *own, void *result,
                            elements_kept kept) {
    what.combine(*all_, ranks, own, [&](void *combined) {
        copy_elements(elements(combined, kept.first, kept.count, what.type()),
                      elements(result, 0, kept.count, what.type()));
    });
}

void reduction_of::combine_all(std::vector<scratch> &values) const {
    std::vector<void *> bases;
    for (scratch &value : values)
        bases.push_back(value.base());
    operator_.combine(bases, count_);
}

// ---- Recording ----

recorded_collective::recorded_collective(comm_object &on, int tag, const described_call &what)
    : on_(on), tag_(tag), call_(what.call) {
    if (!compares_calls)
        return;
    own_call_ = message_of(what, on);
    const group_pointer all = united_group(on);
    first_rank_ = all->members.front();
    if (first_rank_ != rank::mine->number())
        return;
    others_calls_.resize(all->members.size() - 1);
    for (std::size_t i = 0; i < others_calls_.size(); ++i)
        receives.push_back(
            receive_from(all->members[i + 1], bytes_at(&others_calls_[i], sizeof(call_message))));
}

request_object recorded_collective::receive_from(std::uint32_t peer,
                                                 const typed_buffer &what) const {
    request_object r;
    r.what = action::receive;
    r.on = &on_;
    r.context = context();
    r.peer = peer;
    r.tag = tag_;
    r.number = number_of(what);
    r.buffer = what;
    return r;
}

void recorded_collective::receive(int from, const typed_buffer &what) {
    receives.push_back(receive_from(on_.world_rank(from), what));
}

void recorded_collective::reduce(const reduction_of &what, int ranks, const void *own, void *result,
                                 elements_kept kept) {
    reduction_ = what;
    result_ = elements(result, 0, kept.count, what.type());
    first_kept_ = kept.first;
    for (int r = 0; r < ranks; ++r) {
        values_.emplace_back(what.count(), what.type());
        const typed_buffer value = what.at(values_.back().base());
        if (!on_.is_inter() && r == on_.rank)
            copy(what.at(own), value);
        else
            receive(r, value);
    }
}

void recorded_collective::send(clock_value now) {
    for (const auto &[from, to] : copies_)
        copy_elements(from, to);
    rank &me = *rank::mine;
    if (compares_calls && first_rank_ != me.number()) {
        const typed_buffer told = bytes_at(&own_call_, sizeof(own_call_));
        me.send(first_rank_, context(), tag_, told, now, number_of(told));
    }
    for (const message &m : sends_)
        me.send_to_all(m.to, context(), tag_, m.what, now, number_of(m.what));
}

int recorded_collective::finish() {
    for (std::size_t i = 0; i < others_calls_.size(); ++i)
        compare_calls(on_, first_rank_, own_call_, receives[i].peer, others_calls_[i],
                      call_.name());
    int error = 0;
    for (const request_object &part : receives) {
        const got_message got{part.peer, part.got_number, part.got_bytes,
                              part.error == abi::err_truncate};
        if (!fits_collective(got, on_, call_, part.number, part.buffer) && error == 0)
            error = got.is_cut ? abi::err_truncate : abi::err_other;
    }
    if (!values_.empty()) {
        reduction_.combine_all(values_);
        copy_elements(
            elements(values_.back().base(), first_kept_, result_.count, reduction_.type()),
            result_);
    }
    return error;
}

const datatype_object *recorded_stage::type(datatype which) {
    const type_pointer *const found = find_committed(which);
    if (found == nullptr)
        return nullptr;
    types_.push_back(*found);
    return found->get();
}

int recorded_stage::buffer(typed_buffer &out, const void *base, std::int64_t count, datatype type) {
    type_pointer kept;
    const int error = make_buffer(out, base, count, type, &kept);
    types_.push_back(std::move(kept));
    return error != 0 ? error : check_memory(out);
}

int recorded_stage::operate(reduction_of &out, std::int64_t count, datatype type, op which) {
    const int error = out.check(count, type, which);
    if (error == 0)
        static_cast<void>(this->type(type));
    return error;
}

void recorded_stage::begin() {
    // All ranks make the collectives of a communicator in one order, so its number tells one from
    // another; also a persistent one's, which ranks may start in any order.
    std::int32_t &number = on().collectives;
    made_ = std::make_shared<recorded_collective>(on(), number, described());
    number = number == std::numeric_limits<std::int32_t>::max() ? 0 : number + 1;
    for (const type_pointer &t : types_)
        made_->keep(t);
}

int recorded_stage::end() {
    auto &requests = process::mine->requests;
    *out_ = requests.add();
    request_object &r = *requests.find(*out_);
    r.what = action::joint;
    r.on = &on();
    r.joint = made_;
    ++r.on->users;
    if (starts_ == starts::by_the_program) {
        r.is_persistent = true;
        r.is_active = false;
        r.is_complete = true;
        return abi::success;
    }
    rank &me = *rank::mine;
    me.tick();
    r.posted = r.completed = me.clock();
    made_->begin(r);
    me.publish();
    return abi::success;
}

} // namespace saguaro::mpi
