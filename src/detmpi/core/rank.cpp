// SPDX-License-Identifier: MIT
#include "detmpi/core/rank.hpp"

#include "detmpi/core/communicators.hpp"
#include "spmc/waiting.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace saguaro::detmpi {

rank *rank::mine = nullptr;

rank::rank(world of, std::uint32_t me)
    : world_(of), me_(me), bounds_(world_, me), out_(of.size()), in_(of.size()), parked_(of.size()),
      last_stamp_(of.size()), synchronous_to_(of.size()), synchronous_from_(of.size()),
      known_(of.size()), why_(of.size()) {}

void rank::finish() {
    clock_ = forever;
    world_.rank(me_).life.store(life::finished, std::memory_order_relaxed);
    publish();
}

// ---- Sending ----

record &rank::reserve(std::uint32_t to, std::size_t bytes) {
    if (!out_[to]) [[unlikely]]
        out_[to] = out_ring(world_, me_, to);
    for (;;) {
        if (record *const room = out_[to].reserve(world_, bytes)) [[likely]]
            return *room;
        // The other has left a million messages unread. What others send is taken meanwhile, so two
        // ranks cannot wait for each other here.
        if (!is_polling_)
            poll();
        spmc::offer_processor();
    }
}

record &rank::begin_record(const envelope &e, std::uint32_t to, kind what, std::size_t bytes) {
    record &r = reserve(to, bytes);
    r.context = e.context;
    r.tag = e.tag;
    r.bytes_high = static_cast<std::uint32_t>(e.bytes >> 32);
    r.bytes_low = static_cast<std::uint32_t>(e.bytes);
    r.number = e.number;
    r.what = what;
    return r;
}

void rank::end_record(std::uint32_t to, clock_value stamp) {
    out_[to].publish(stamp);
    world_.light_fence(); // pairs with the heavy fence in `sleep`
    world_.ring_bell(to);
}

void rank::send_block(const envelope &e, std::uint32_t to, block &data) {
    record &r = begin_record(e, to, kind::block, sizeof(place));
    const place where = world_.job().place_of(&data);
    std::memcpy(r.data(), &where, sizeof(where));
    end_record(to, e.stamp);
}

void rank::send_to_itself(const envelope &e, const typed_buffer &what) {
    std::vector<char> copy(e.bytes);
    what.read(copy.data(), copy.size());
    if (!is_collective(e.context))
        last_stamp_[me_] = e.stamp;
    bool contested = false;
    if (request_object *const receive = receive_for(e, contested))
        deliver(*receive, e, copy.data());
    else
        park(e, copy.data(), nullptr);
}

void rank::send(std::uint32_t to, std::uint32_t context, std::int32_t tag, const typed_buffer &what,
                clock_value stamp, std::uint32_t number) {
    const auto bytes = static_cast<std::size_t>(what.bytes);
    const envelope e{stamp, me_, context, tag, number, bytes};
    if (to == me_) [[unlikely]] {
        send_to_itself(e, what);
    } else if (bytes <= most_in_ring) {
        what.read(begin_record(e, to, kind::here, bytes).data(), bytes);
        end_record(to, stamp);
    } else {
        block &data = world_.take_block(bytes);
        what.read(&data + 1, bytes);
        send_block(e, to, data);
    }
}

void rank::send_to_all(const std::vector<std::uint32_t> &to, std::uint32_t context,
                       std::int32_t tag, const typed_buffer &what, clock_value stamp) {
    const auto bytes = static_cast<std::size_t>(what.bytes);
    if (bytes <= most_in_ring || to.empty()) {
        for (const std::uint32_t each : to)
            send(each, context, tag, what, stamp);
        return;
    }
    block &data = world_.take_block(bytes);
    what.read(&data + 1, bytes);
    // Relaxed: the records that name it are published behind.
    data.readers.store(static_cast<std::uint32_t>(to.size()), std::memory_order_relaxed);
    for (const std::uint32_t each : to)
        send_block({stamp, me_, context, tag, 0, bytes}, each, data);
}

void rank::send_synchronously(request_object &send) {
    send.number = ++synchronous_to_[send.peer];
    send.next = synchronous_;
    synchronous_ = &send;
    this->send(send.peer, send.context, send.tag, send.buffer, send.posted, send.number);
}

void rank::was_matched(std::uint32_t by, std::uint32_t number, clock_value when) {
    for (request_object **at = &synchronous_; *at != nullptr; at = &(*at)->next) {
        request_object &send = **at;
        if (send.peer != by || send.number != number)
            continue;
        *at = send.next;
        send.completed = std::max(send.posted, when + latency);
        send.is_complete = true;
        return;
    }
}

// ---- Receiving ----

// The receive that takes the message. Null if there is none; `is_contested` if that is not decided.
request_object *rank::receive_for(const envelope &e, bool &is_contested) {
    for (request_object *r = posted_; r != nullptr; r = r->next)
        if (r->fits(e)) {
            // A message that was parked before this one and fits goes first, whatever it waits for.
            is_contested = r->is_wild() || (wild_ != 0 && first_from(e.source, *r) != nullptr);
            return is_contested ? nullptr : r;
        }
    return nullptr;
}

void rank::remove_posted(request_object &what) {
    for (request_object **at = &posted_; *at != nullptr; at = &(*at)->next)
        if (*at == &what) {
            *at = what.next;
            if (posted_end_ == &what.next)
                posted_end_ = at;
            break;
        }
    if (what.is_wild())
        --wild_;
}

// What a receive says when it has its message.
void rank::complete(request_object &receive, const envelope &e) {
    receive.source = e.source;
    receive.got_tag = e.tag;
    receive.got_bytes = e.bytes;
    receive.completed = std::max(receive.posted, e.stamp + latency);
    if (e.bytes > static_cast<std::uint64_t>(receive.buffer.bytes)) {
        receive.error = mpi::err_truncate;
        receive.got_bytes = static_cast<std::uint64_t>(receive.buffer.bytes);
    }
    receive.is_complete = true;
    if (e.number == 0)
        return;
    if (e.source == me_) {
        was_matched(me_, e.number, receive.completed);
        return;
    }
    begin_record({0, me_, e.context, 0, e.number, 0}, e.source, kind::matched, 0);
    end_record(e.source, receive.completed);
}

// Copies a message to where a posted receive wants it.
void rank::deliver(request_object &to, const envelope &e, const char *bytes) {
    remove_posted(to);
    to.buffer.write(bytes,
                    std::min<std::size_t>(e.bytes, static_cast<std::size_t>(to.buffer.bytes)));
    complete(to, e);
}

void rank::park(const envelope &e, const char *bytes, block *data) {
    const std::size_t size = data == nullptr ? e.bytes : 0;
    auto *const made = static_cast<parked_message *>(std::malloc(sizeof(parked_message) + size));
    *made = parked_message{nullptr, e, data, ++arrivals_};
    if (size != 0)
        std::memcpy(made + 1, bytes, size);
    queue &q = parked_[e.source];
    (q.first == nullptr ? q.first : q.last->next) = made;
    q.last = made;
    if (e.number != 0) {
        has_synchronous_ = true;
        synchronous_from_[e.source] = e.number;
        tell_unmatched();
    }
}

void rank::give(parked_message *what) {
    if (what->data != nullptr)
        world_.give_block(*what->data);
    std::free(what);
}

void rank::arrived(std::uint32_t source, const record &what) {
    const clock_value stamp = what.stamp.load(std::memory_order_relaxed);
    if (what.what == kind::matched) {
        was_matched(source, what.number, stamp);
        return;
    }
    const envelope e{stamp, source, what.context, what.tag, what.number, what.bytes()};
    if (!is_collective(e.context))
        last_stamp_[source] = stamp;
    block *data = nullptr;
    const char *bytes = what.data();
    if (what.what == kind::block) {
        place where;
        std::memcpy(&where, what.data(), sizeof(where));
        data = world_.job().at<block>(where);
        bytes = reinterpret_cast<const char *>(data + 1);
    }
    bool contested = false;
    request_object *const receive = receive_for(e, contested);
    if (receive == nullptr) {
        park(e, bytes, data);
        return;
    }
    deliver(*receive, e, bytes);
    if (data != nullptr)
        world_.give_block(*data);
}

unsigned rank::poll_one(std::uint32_t source) {
    if (in_ring::is_read(world_, me_, source, in_[source].position(world_)))
        return 0;
    // Before anybody may use the memory again of what is read now: others who still look there
    // would find a 0, and believe that nothing is on its way.
    bounds_.say_running();
    unsigned got = 0;
    while (const record *const r = in_[source].next(world_, me_, source)) {
        arrived(source, *r);
        in_[source].done(*r);
        ++got;
    }
    return got;
}

unsigned rank::poll() {
    unsigned got = 0;
    is_polling_ = true;
    for (std::uint32_t s = 0; s < size(); ++s)
        got += poll_one(s);
    is_polling_ = false;
    return got;
}

void rank::post(request_object &receive) {
    receive.is_complete = false;
    receive.error = 0;
    if (!receive.is_wild())
        if (const parked_message *const found = first_from(receive.peer, receive);
            found != nullptr && (wild_ == 0 || !is_contested(nullptr, found->head))) {
            fill(receive, take(*found));
            return;
        }
    receive.next = nullptr;
    *posted_end_ = &receive;
    posted_end_ = &receive.next;
    if (receive.is_wild()) {
        ++wild_;
        tell_unmatched();
    }
}

void rank::fill(request_object &receive, parked_message *from) {
    receive.buffer.write(
        from->bytes(),
        std::min<std::size_t>(from->head.bytes, static_cast<std::size_t>(receive.buffer.bytes)));
    complete(receive, from->head);
    give(from);
}

parked_message *rank::take(const parked_message &which) {
    queue &q = parked_[which.head.source];
    parked_message *before = nullptr;
    parked_message *at = q.first;
    while (at != &which) {
        before = at;
        at = at->next;
    }
    (before == nullptr ? q.first : before->next) = at->next;
    if (q.last == at)
        q.last = before;
    at->next = nullptr;
    return at;
}

// ---- Matching ----

const parked_message *rank::first_from(std::uint32_t source, const request_object &receive) const {
    for (const parked_message *m = parked_[source].first; m != nullptr; m = m->next)
        if (m->head.context == receive.context &&
            (receive.tag == mpi::any_tag || receive.tag == m->head.tag))
            return m;
    return nullptr;
}

// each(source) for everybody who may send what it receives, until one is false.
template <class Each>
bool rank::all_senders(const request_object &receive, Each each) const {
    if (!receive.is_wild())
        return each(receive.peer);
    for (const std::uint32_t source : receive.on->peers().members)
        if (!each(source))
            return false;
    return true;
}

const parked_message *rank::best_for(const request_object &receive) const {
    const parked_message *best = nullptr;
    all_senders(receive, [&](std::uint32_t source) {
        const parked_message *const m = first_from(source, receive);
        if (m != nullptr && (best == nullptr || m->head.stamp < best->head.stamp ||
                             (m->head.stamp == best->head.stamp && source < best->head.source)))
            best = m;
        return true;
    });
    return best;
}

bool rank::is_contested(const request_object *before, const envelope &e) const {
    // A named receive that is not decided waits behind one from any source: it contests as well.
    for (const request_object *r = posted_; r != nullptr && r != before; r = r->next)
        if (r->fits(e))
            return true;
    return false;
}

clock_value rank::bound_of(std::uint32_t source, const clock_bounds &known) const {
    return std::max(known[source], source == me_ ? clock_ : last_stamp_[source]);
}

void rank::wants(clock_value bound) {
    needed_ = std::min(needed_, bound);
}

bool rank::is_first(const request_object &receive, const envelope &e, const clock_bounds &known) {
    bool is_certain = true;
    all_senders(receive, [&](std::uint32_t source) {
        // If one of its messages is here, the later ones are later still, and this came before.
        if (source == e.source || first_from(source, receive) != nullptr)
            return true;
        const clock_value next = bound_of(source, known) + 1;
        if (next < e.stamp || (next == e.stamp && source < e.source)) {
            is_certain = false;
            wants(e.stamp - 1);
        }
        return true;
    });
    return is_certain;
}

bool rank::none_until(const request_object &receive, clock_value until, const clock_bounds &known) {
    bool is_certain = true;
    all_senders(receive, [&](std::uint32_t source) {
        const parked_message *const m = first_from(source, receive);
        const clock_value arrival =
            (m != nullptr ? m->head.stamp : bound_of(source, known) + 1) + latency;
        if (arrival <= until) {
            is_certain = false;
            wants(until - latency);
        }
        return true;
    });
    return is_certain;
}

rank::answer rank::is_complete_at(const request_object &what, clock_value when,
                                  const clock_bounds &known) {
    if (what.is_complete)
        return what.completed <= when ? answer::yes : answer::no;
    if (what.posted > when)
        return answer::no;
    if (what.what == action::receive)
        return none_until(what, when, known) ? answer::no : answer::undecided;
    // A synchronous send, of which the receiver has told that it waits for a receive that is still
    // to be posted: at a clock above the receiver's bound. The bound was read first.
    const std::uint32_t unmatched =
        world_.unmatched(world_.rank(what.peer))[me_].load(std::memory_order_acquire);
    if (unmatched >= what.number && known[what.peer] + 1 + latency > when)
        return answer::no;
    wants(when - latency);
    return answer::undecided;
}

void rank::match(const clock_bounds &known) {
    if (wild_ == 0)
        return;
    bool any = false;
    for (request_object *r = posted_; r != nullptr;) {
        request_object &receive = *r;
        r = r->next;
        const parked_message *const m = best_for(receive);
        if (m == nullptr || is_contested(&receive, m->head) ||
            (receive.is_wild() && !is_first(receive, m->head, known)))
            continue;
        remove_posted(receive);
        fill(receive, take(*m));
        any = true;
    }
    if (any)
        tell_unmatched();
}

// Tells of each rank whether its synchronous sends wait for a receive that is still to be posted.
// Before the clock of the call that posted one is published.
void rank::tell_unmatched() {
    if (!has_synchronous_)
        return;
    std::atomic<std::uint32_t> *const told = world_.unmatched(world_.rank(me_));
    for (std::uint32_t s = 0; s < size(); ++s) {
        bool may_be_taken = false;
        for (const parked_message *m = parked_[s].first; m != nullptr && wild_ != 0; m = m->next)
            may_be_taken = may_be_taken || (m->head.number != 0 && is_contested(nullptr, m->head));
        // Release pairs with the acquire in `clock_board::is_on_its_way`.
        told[s].store(may_be_taken ? 0 : synchronous_from_[s], std::memory_order_release);
    }
}

void rank::describe(const request_object &what, blockage &out) const {
    if (what.what == action::synchronous_send) {
        out.waits_for.add(what.peer);
        out.waits_for_match = true;
        out.sends = what.number;
        return;
    }
    all_senders(what, [&](std::uint32_t source) {
        if (source != me_)
            out.waits_for.add(source);
        return true;
    });
    if (is_collective(what.context)) {
        out.hop = hop_of_collective;
        return;
    }
    // A named receive that no wildcard contests has taken what has come for it.
    if (wild_ == 0 && !what.is_wild())
        return;
    if (const parked_message *const m = best_for(what))
        out.candidate = std::min(out.candidate, m->head.stamp);
}

} // namespace saguaro::detmpi
