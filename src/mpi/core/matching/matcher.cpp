// SPDX-License-Identifier: MIT
// How messages come to receives. ../../README.md, "Which receive takes a message".
#include "mpi/core/matching/matcher.hpp"

#include "mpi/core/clock/order.hpp"
#include "mpi/core/communicators/communicators.hpp"
#include "mpi/core/rings/blocks.hpp"
#include "mpi/core/waiting/threads.hpp"
#include "platform/arch.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace saguaro::mpi {

namespace {

// Looks at one ring only, before a receive is posted.
constexpr int first_looks = 100;

// err_type if the bytes end within a basic element, so that the sender's are others. Looked at
// where a type has gaps alone, as in MPICH.
int error_of_size(const typed_buffer &to, std::uint64_t bytes) {
    if (bytes == static_cast<std::uint64_t>(to.bytes) || to.is_contiguous()) [[likely]]
        return abi::success;
    return to.type->elements_in(static_cast<std::int64_t>(bytes)) < 0 ? abi::err_type
                                                                      : abi::success;
}

} // namespace

// The receive that takes the message. Null if there is none, or if that is not decided.
request_object *matcher::receive_for(const envelope &e) const {
    const posted_receives &posted = state_.posted;
    for (request_object *r = posted.first(); r != nullptr; r = r->next)
        if (r->fits(e)) {
            // A message that was parked before this one and fits goes first, whatever it waits for.
            const bool is_contested =
                r->is_wild() ||
                (posted.has_wild() && state_.parked.first_from(e.source, *r) != nullptr);
            return is_contested ? nullptr : r;
        }
    return nullptr;
}

// What a receive says when it has its message.
void matcher::complete(request_object &receive, const envelope &e, const char *bytes) {
    receive.source = e.source;
    receive.got_tag = e.tag;
    receive.got_bytes = e.bytes;
    receive.got_stamp = e.stamp;
    receive.got_number = e.number;
    receive.completed = std::max(receive.posted, e.stamp + latency);
    // In a replay the message may have come before the cancel that came before it.
    receive.can_be_taken_back =
        receive.can_be_cancelled && (order::is_by_clock() ? receive.completed > clock_.now()
                                                          : order::by == order::rule::replay);
    if (e.bytes > static_cast<std::uint64_t>(receive.buffer.bytes)) {
        receive.error = abi::err_truncate;
        if (receive.can_be_taken_back)
            receive.uncut.assign(bytes, bytes + e.bytes);
        receive.got_bytes = static_cast<std::uint64_t>(receive.buffer.bytes);
    } else {
        receive.error = error_of_size(receive.buffer, e.bytes);
    }
    receive.is_complete = true;
    if (receive.whole != nullptr)
        receive.whole->lose_part(receive);
    counters_.wildcards_decided += receive.is_wild() ? 1 : 0;
    if (!e.is_synchronous())
        return;
    if (e.source == me_) {
        state_.sends.was_matched(me_, e.number, receive.completed);
        return;
    }
    const match_reply told{e.source, e.context, e.number, receive.completed};
    if (receive.can_be_taken_back && order::is_by_clock())
        state_.replies.hold(told);
    else
        state_.replies.add(told);
}

// Copies a message to where a receive wants it.
void matcher::copy_and_complete(request_object &to, const envelope &e, const char *bytes,
                                const block *data) {
    const auto size = std::min<std::size_t>(e.bytes, static_cast<std::size_t>(to.buffer.bytes));
    if (data == nullptr) {
        to.buffer.write(bytes, size);
    } else {
        read_block(*data, to.buffer, size);
        await_data(*data, e.bytes); // `complete` may keep what was cut off
    }
    complete(to, e, bytes);
}

void matcher::deliver(request_object &to, const envelope &e, const char *bytes, const block *data) {
    state_.posted.remove(to);
    copy_and_complete(to, e, bytes, data);
}

void matcher::park(const envelope &e, const char *bytes, block *data) {
    parked_message *const made = make_parked(e, data);
    if (const std::size_t size = made->bytes_behind_this(); size != 0)
        std::memcpy(made + 1, bytes, size);
    state_.parked.add(*made);
    if (e.is_synchronous())
        state_.replies.note_parked(e.source, e.number);
}

void matcher::fill(request_object &receive, parked_message *from) {
    copy_and_complete(receive, from->head, from->bytes(), from->data);
    if (from->data != nullptr)
        world_.give_block(*from->data);
    free_parked(from);
}

void matcher::send_to_itself(const envelope &e, const typed_buffer &what) {
    std::vector<char> copy(e.bytes);
    what.read(copy.data(), copy.size());
    if (!is_of_a_collective(e.context))
        bounds_.note_stamp(me_, e.stamp);
    if (request_object *const receive = receive_for(e))
        deliver(*receive, e, copy.data(), nullptr);
    else
        park(e, copy.data(), nullptr);
}

void matcher::arrived(std::uint32_t source, const record &what) {
    const clock_value stamp = what.stamp.load(std::memory_order_relaxed);
    if (what.what == kind::matched) {
        state_.sends.was_matched(source, what.number, stamp);
        return;
    }
    const envelope e{stamp, source, what.context, what.tag, what.number, what.bytes()};
    if (!is_of_a_collective(e.context))
        bounds_.note_stamp(source, stamp);
    block *data = nullptr;
    const char *bytes = what.data();
    if (what.what == kind::block) {
        place where;
        std::memcpy(&where, what.data(), sizeof(where));
        data = world_.job().at<block>(where);
        bytes = data->data();
    }
    request_object *const receive = receive_for(e);
    if (receive == nullptr) {
        park(e, bytes, data);
        return;
    }
    deliver(*receive, e, bytes, data);
    if (data != nullptr)
        world_.give_block(*data);
}

bool matcher::receive_next(std::uint32_t source, context_value context, std::int32_t tag,
                           const typed_buffer &to, received_message &out) {
    // No other receive may take it, and no other message comes first.
    if (!state_.posted.is_empty() || source == me_ || !state_.parked.has_none_of(source))
        return false;
    // The rank does not say that it is blocked, so no other rank believes that it has read all.
    // Another thread of this rank may have said so.
    if (gate.is_shared()) [[unlikely]]
        bounds_.board.say_running();
    for (int i = 0; i < first_looks; ++i) {
        const record *const r = in_.next(source);
        if (r == nullptr) {
            platform::cpu_relax();
            continue;
        }
        if (r->what != kind::here || r->context != context || is_synchronous(context, r->number) ||
            (tag != r->tag && tag != abi::any_tag))
            return false;
        in_.note_read(source, *r);
        const clock_value stamp = r->stamp.load(std::memory_order_relaxed);
        const std::uint64_t bytes = r->bytes();
        const auto room = static_cast<std::uint64_t>(to.bytes);
        out = {stamp, r->tag, r->number, std::min(bytes, room),
               bytes > room ? abi::err_truncate : error_of_size(to, bytes)};
        to.write(r->data(), static_cast<std::size_t>(out.bytes));
        if (!is_collective(context))
            bounds_.note_stamp(source, stamp);
        in_.done(source, *r);
        return true;
    }
    return false;
}

unsigned matcher::poll_one(std::uint32_t source) {
    if (in_.is_read(source))
        return 0;
    // Before another rank may use the memory again of what is read now: others who still look there
    // would find a 0, and believe that nothing is on its way.
    bounds_.board.say_running();
    unsigned got = 0;
    while (const record *const r = in_.next(source)) {
        in_.note_read(source, *r);
        arrived(source, *r);
        in_.done(source, *r);
        ++got;
    }
    return got;
}

unsigned matcher::poll() {
    unsigned got = 0;
    for (std::uint32_t s = 0; s < world_.size(); ++s)
        got += poll_one(s);
    state_.replies.settle();
    return got;
}

void matcher::post(request_object &receive) {
    receive.is_complete = false;
    receive.error = 0;
    receive.uncut.clear();
    if (!receive.is_wild())
        if (const parked_message *const found = state_.parked.first_from(receive.peer, receive);
            found != nullptr &&
            (!state_.posted.has_wild() || !state_.posted.is_contested(nullptr, found->head))) {
            fill(receive, state_.parked.take(*found));
            state_.replies.settle();
            return;
        }
    state_.posted.add(receive);
    // A named receive as well, which waits behind one from any source.
    if (state_.posted.has_wild() && state_.replies.has_synchronous()) {
        state_.replies.receives_changed();
        state_.replies.settle();
    }
}

void matcher::match(const clock_bounds &known) {
    // A named receive that no other contests takes its message when that comes.
    if (state_.posted.has_wild())
        match_posted(known);
    if (state_.replies.first_held() != forever) [[unlikely]]
        state_.replies.tell(known);
}

void matcher::match_posted(const clock_bounds &known) {
    bool any = false;
    for (request_object *r = state_.posted.first(); r != nullptr;) {
        request_object &receive = *r;
        r = r->next;
        const parked_message *const m = state_.rule.best_for(receive);
        if (m == nullptr || state_.posted.is_contested(&receive, m->head) ||
            (receive.is_wild() && !state_.rule.is_first(receive, m->head, known)))
            continue;
        if (receive.is_wild())
            order::note_source(receive.wildcard, receive.tag, m->head.source);
        state_.posted.remove(receive);
        fill(receive, state_.parked.take(*m));
        any = true;
    }
    if (any)
        state_.replies.receives_changed();
    state_.replies.settle();
}

} // namespace saguaro::mpi
