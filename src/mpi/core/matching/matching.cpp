// SPDX-License-Identifier: MIT
// Sending records, matching arrivals with receives, and progress of a rank.
#include "mpi/core/rank.hpp"

#include "mpi/core/clock/order.hpp"
#include "mpi/core/clock/parked_memory.hpp"
#include "mpi/core/clock/work.hpp"
#include "mpi/core/communicators/communicators.hpp"
#include "mpi/core/reports/diagnostics.hpp"
#include "mpi/core/reports/message_trace.hpp"
#include "mpi/core/rings/blocks.hpp"
#include "mpi/core/waiting/threads.hpp"
#include "platform/arch.hpp"
#include "spmc/waiting.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace saguaro::mpi {

rank *rank::mine = nullptr;

namespace {

// Looks at one ring only, before a receive is posted.
constexpr int first_looks = 100;

} // namespace

rank::rank(world of, std::uint32_t me)
    : world_(of), me_(me), bounds_(world_, me), out_(of.capacity()), in_(of.capacity()),
      parked_(of.capacity()), last_stamp_(of.capacity()), synchronous_(of.capacity()),
      synchronous_from_(of.capacity()), known_(of.capacity()) {
    // Waits, which depend on who is faster, should not take memory of the program's.
    why_.reserve(of.capacity());
    waits_.reserve(8);
}

void rank::finish() {
    work::end();
    clock_ = forever;
    world_.rank(me_).life.store(life::finished, std::memory_order_relaxed);
    publish();
    for (std::uint32_t r = 0; r < size(); ++r)
        wake_if_asleep(r);
}

// ---- Sending ----

record *rank::reserve(std::uint32_t to, std::size_t bytes) {
    if (!out_[to]) [[unlikely]]
        out_[to] = out_ring(world_, me_, to);
    if (record *const room = out_[to].reserve(world_, bytes)) [[likely]]
        return room;
    return wait_for_room(to, bytes);
}

namespace {

// Room behind what the other has left unread, or its end.
class room_event final : public awaited_event {
public:
    room_event(const world &of, out_ring &out, std::uint32_t to, std::size_t bytes)
        : of_(of), out_(out), bytes_(bytes) {
        peer = to;
        call = "MPI_Send";
        is_alone = true; // what the caller has begun is not consistent
    }

    bool is_over(const clock_bounds &) override {
        found = out_.reserve(of_, bytes_);
        return found != nullptr ||
               of_.rank(peer).life.load(std::memory_order_relaxed) == life::finished;
    }

    // It goes on as soon as the other reads, whatever that waits for.
    bool describe(blockage &) const override { return false; }

    record *found = nullptr;

private:
    const world &of_;
    out_ring &out_;
    const std::size_t bytes_;
};

} // namespace

// The other has left a million messages unread. What others send is read meanwhile, so ranks that
// send to each other and receive later get on.
record *rank::wait_for_room(std::uint32_t to, std::size_t bytes) {
    wake_if_asleep(to); // it may heed others
    room_event room(world_, out_[to], to, bytes);
    wait(room);
    return room.found;
}

// It may sleep until there is room, or until nobody reads any more, or read too little.
void rank::wake_if_asleep(std::uint32_t of) {
    world_.light_fence(); // pairs with the heavy fence in `sleep`
    world_.ring_bell(of);
}

record *rank::begin_record(const envelope &e, std::uint32_t to, kind what, std::size_t bytes) {
    record *const room = reserve(to, bytes);
    if (room == nullptr) [[unlikely]]
        return nullptr;
    record &r = *room;
    r.context = e.context;
    r.tag = e.tag;
    r.set_bytes(e.bytes);
    r.number = e.number;
    r.what = what;
    if (traced::is_on()) [[unlikely]]
        traced::note_sent(to, me_, world_.capacity(), e.bytes);
    return room;
}

// `is_urgent`: the receiver has to read it, or should, whomever it waits for. It has to answer a
// synchronous send, and copies a large message while it waits.
void rank::end_record(std::uint32_t to, clock_value stamp, bool is_urgent) {
    out_[to].publish(stamp);
    world_.light_fence(); // pairs with the heavy fence in `sleep`
    if (is_urgent)
        world_.ring_bell(to);
    else
        world_.ring_bell_of_message(to, me_);
}

// A message in a block for some receivers. In pieces if there is one, which has a processor of its
// own to copy on: where ranks share processors, who learns of it early takes the sender's. Of
// several the first would wait for data while the sender waits for room in the ring of another.
// Not across machines: a carrier waits for no rank.
void rank::send_in_block(std::span<const std::uint32_t> to, const envelope &e,
                         const typed_buffer &what) {
    const bool in_pieces = e.bytes >= least_in_pieces && to.size() == 1 && what.is_contiguous() &&
                           !world_.shares_processors() && world_.head().hosts == 1;
    block &data = world_.take_block(e.bytes);
    if (in_pieces)
        begin_pieces(data);
    else
        what.read(data.data(), e.bytes);
    // Relaxed: the records that name it are published behind. In pieces the sender counts as well.
    data.readers.store(static_cast<std::uint32_t>(to.size()) + (in_pieces ? 1 : 0),
                       std::memory_order_relaxed);
    for (const std::uint32_t each : to)
        send_block(e, each, data);
    if (in_pieces) {
        write_pieces(data, what, e.bytes);
        world_.give_block(data);
    }
}

void rank::send_block(const envelope &e, std::uint32_t to, block &data) {
    record *const r = begin_record(e, to, kind::block, sizeof(place));
    if (r == nullptr) {
        world_.give_block(data);
        return;
    }
    const place where = world_.job().place_of(&data);
    std::memcpy(r->data(), &where, sizeof(where));
    end_record(to, e.stamp, true);
}

void rank::send_to_itself(const envelope &e, const typed_buffer &what) {
    std::vector<char> copy(e.bytes);
    what.read(copy.data(), copy.size());
    if (has_stamps_of_its_own(e.context))
        last_stamp_[me_] = e.stamp;
    bool contested = false;
    if (request_object *const receive = receive_for(e, contested))
        deliver(*receive, e, copy.data(), nullptr);
    else
        park(e, copy.data(), nullptr);
}

void rank::send(std::uint32_t to, context_value context, std::int32_t tag, const typed_buffer &what,
                clock_value stamp, std::uint32_t number) {
    const auto bytes = static_cast<std::size_t>(what.bytes);
    const envelope e{stamp, me_, context, tag, number, bytes};
    ++counters.messages_sent;
    counters.bytes_sent += bytes;
    if (to == me_) [[unlikely]] {
        send_to_itself(e, what);
    } else if (bytes <= most_in_ring) {
        record *const r = begin_record(e, to, kind::here, bytes);
        if (r == nullptr) [[unlikely]]
            return;
        what.read(r->data(), bytes);
        end_record(to, stamp, number != 0);
    } else {
        send_in_block({&to, 1}, e, what);
    }
}

void rank::send_to_all(const std::vector<std::uint32_t> &to, context_value context,
                       std::int32_t tag, const typed_buffer &what, clock_value stamp) {
    const auto bytes = static_cast<std::size_t>(what.bytes);
    if (bytes <= most_in_ring || to.empty()) {
        for (const std::uint32_t each : to)
            send(each, context, tag, what, stamp);
        return;
    }
    counters.messages_sent += to.size();
    counters.bytes_sent += to.size() * bytes;
    send_in_block(to, {stamp, me_, context, tag, 0, bytes}, what);
}

// ---- Receiving ----

namespace {

// err_type if the bytes end within a basic element, so that the sender's are others. Looked at
// where a type has gaps alone, as in MPICH.
int error_of_size(const typed_buffer &to, std::uint64_t bytes) {
    if (bytes == static_cast<std::uint64_t>(to.bytes) || to.is_contiguous()) [[likely]]
        return abi::success;
    return to.type->elements_in(static_cast<std::int64_t>(bytes)) < 0 ? abi::err_type
                                                                      : abi::success;
}

} // namespace

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
void rank::complete(request_object &receive, const envelope &e, const char *bytes) {
    receive.source = e.source;
    receive.got_tag = e.tag;
    receive.got_bytes = e.bytes;
    receive.got_stamp = e.stamp;
    receive.got_number = e.number;
    receive.completed = std::max(receive.posted, e.stamp + latency);
    // In a replay the message may have come before the cancel that came before it.
    receive.can_be_taken_back =
        receive.can_be_cancelled &&
        (order::is_by_clock() ? receive.completed > clock_ : order::by == order::rule::replay);
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
    counters.wildcards_decided += receive.is_wild() ? 1 : 0;
    if (e.number == 0)
        return;
    if (e.source == me_) {
        was_matched(me_, e.number, receive.completed);
        return;
    }
    const reply told{e.source, e.context, e.number, receive.completed};
    if (receive.can_be_taken_back && order::is_by_clock())
        hold_reply(told);
    else
        replies_.push_back(told);
}

// Copies a message to where a receive wants it.
void rank::copy_and_complete(request_object &to, const envelope &e, const char *bytes,
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

void rank::deliver(request_object &to, const envelope &e, const char *bytes, const block *data) {
    remove_posted(to);
    copy_and_complete(to, e, bytes, data);
}

parked_message *make_parked(const envelope &head, block *data) {
    const parked_message made{nullptr, head, data};
    const std::size_t bytes = made.bytes_behind_this();
    void *const memory = take_parked_memory(sizeof(made) + bytes);
    if (memory == nullptr)
        fail("no memory for a message of %zu bytes from rank %u that no receive has taken", bytes,
             head.source);
    return new (memory) parked_message(made);
}

void free_parked(parked_message *what) {
    give_parked_memory(what, sizeof(*what) + what->bytes_behind_this());
}

void rank::park(const envelope &e, const char *bytes, block *data) {
    parked_message *const made = make_parked(e, data);
    if (const std::size_t size = made->bytes_behind_this(); size != 0)
        std::memcpy(made + 1, bytes, size);
    queue &q = parked_[e.source];
    (q.first == nullptr ? q.first : q.last->next) = made;
    q.last = made;
    if (e.number != 0) {
        has_synchronous_ = true;
        synchronous_from_[e.source] = std::max(synchronous_from_[e.source], e.number);
        has_unmatched_to_tell_ = true;
    }
}

void rank::give(parked_message *what) {
    if (what->data != nullptr)
        world_.give_block(*what->data);
    free_parked(what);
}

void rank::arrived(std::uint32_t source, const record &what) {
    const clock_value stamp = what.stamp.load(std::memory_order_relaxed);
    if (what.what == kind::matched) {
        was_matched(source, what.number, stamp);
        return;
    }
    const envelope e{stamp, source, what.context, what.tag, what.number, what.bytes()};
    if (has_stamps_of_its_own(e.context))
        last_stamp_[source] = stamp;
    block *data = nullptr;
    const char *bytes = what.data();
    if (what.what == kind::block) {
        place where;
        std::memcpy(&where, what.data(), sizeof(where));
        data = world_.job().at<block>(where);
        bytes = data->data();
    }
    bool contested = false;
    request_object *const receive = receive_for(e, contested);
    if (receive == nullptr) {
        park(e, bytes, data);
        return;
    }
    deliver(*receive, e, bytes, data);
    if (data != nullptr)
        world_.give_block(*data);
}

bool rank::receive_next(std::uint32_t source, context_value context, std::int32_t tag,
                        const typed_buffer &to, received &out) {
    // No other receive may take it, and no other message comes first.
    if (posted_ != nullptr || source == me_ || parked_[source].first != nullptr)
        return false;
    // The rank does not say that it is blocked, so nobody believes that it has read all. Another
    // thread of its may have said so.
    if (gate.is_shared()) [[unlikely]]
        bounds_.say_running();
    in_ring &in = in_[source];
    for (int i = 0; i < first_looks; ++i) {
        const record *const r = in.next(world_, me_, source);
        if (r == nullptr) {
            platform::cpu_relax();
            continue;
        }
        if (r->what != kind::here || r->context != context || r->number != 0 ||
            (tag != r->tag && tag != abi::any_tag))
            return false;
        if (traced::is_on()) [[unlikely]]
            traced::note_received(source, me_, world_.capacity(), r->bytes());
        const clock_value stamp = r->stamp.load(std::memory_order_relaxed);
        const std::uint64_t bytes = r->bytes();
        const auto room = static_cast<std::uint64_t>(to.bytes);
        out = {stamp, r->tag, std::min(bytes, room),
               bytes > room ? abi::err_truncate : error_of_size(to, bytes)};
        to.write(r->data(), static_cast<std::size_t>(out.bytes));
        if (!is_collective(context))
            last_stamp_[source] = stamp;
        if (in.done(*r)) [[unlikely]]
            wake_if_asleep(source);
        return true;
    }
    return false;
}

unsigned rank::poll_one(std::uint32_t source) {
    if (in_ring::is_read(world_, me_, source, in_[source].position(world_)))
        return 0;
    // Before anybody may use the memory again of what is read now: others who still look there
    // would find a 0, and believe that nothing is on its way.
    bounds_.say_running();
    unsigned got = 0;
    while (const record *const r = in_[source].next(world_, me_, source)) {
        if (traced::is_on()) [[unlikely]]
            traced::note_received(source, me_, world_.capacity(), r->bytes());
        arrived(source, *r);
        if (in_[source].done(*r)) [[unlikely]]
            wake_if_asleep(source);
        ++got;
    }
    return got;
}

unsigned rank::poll() {
    unsigned got = 0;
    for (std::uint32_t s = 0; s < size(); ++s)
        got += poll_one(s);
    settle();
    return got;
}

void rank::post(request_object &receive) {
    receive.is_complete = false;
    receive.error = 0;
    receive.uncut.clear();
    if (!receive.is_wild())
        if (const parked_message *const found = first_from(receive.peer, receive);
            found != nullptr && (wild_ == 0 || !is_contested(nullptr, found->head))) {
            fill(receive, take(*found));
            settle();
            return;
        }
    receive.next = nullptr;
    *posted_end_ = &receive;
    posted_end_ = &receive.next;
    if (receive.is_wild()) {
        ++wild_;
        receive.wildcard = ++wildcards_;
    }
    // A named receive as well, which waits behind one from any source.
    if (wild_ != 0 && has_synchronous_) {
        has_unmatched_to_tell_ = true;
        settle();
    }
}

void joint_operation::begin(request_object &whole) {
    is_settled_ = false;
    open_ = receives.size();
    send(whole.posted);
    whole.error = 0;
    whole.is_complete = receives.empty();
    for (request_object &part : receives) {
        part.whole = &whole;
        part.posted = whole.posted;
        rank::mine->post(part);
    }
}

void rank::fill(request_object &receive, parked_message *from) {
    copy_and_complete(receive, from->head, from->bytes(), from->data);
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
            (receive.tag == abi::any_tag || receive.tag == m->head.tag))
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

std::uint32_t rank::only_sender(const request_object &receive) {
    if (!receive.is_wild())
        return receive.peer;
    static_assert(order::nobody_yet == any_rank);
    if (order::by == order::rule::replay && receive.wildcard != 0)
        return order::source_of(receive.wildcard, receive.tag);
    return any_rank;
}

const parked_message *rank::best_for(const request_object &receive) const {
    if (order::by == order::rule::replay && receive.wildcard != 0) [[unlikely]] {
        const std::uint32_t source = order::source_of(receive.wildcard, receive.tag);
        return source == order::nobody_yet ? nullptr : first_from(source, receive);
    }
    const parked_message *best = nullptr;
    all_senders(receive, [&](std::uint32_t source) {
        const parked_message *const m = first_from(source, receive);
        if (m != nullptr &&
            (best == nullptr || m->head.stamp < best->head.stamp ||
             (m->head.stamp == best->head.stamp && world_.comes_before(source, best->head.source))))
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
    if (!order::is_by_clock()) [[unlikely]]
        return true;
    bool is_certain = true;
    all_senders(receive, [&](std::uint32_t source) {
        // If one of its messages is here, the later ones are later still, and this came before.
        if (source == e.source || first_from(source, receive) != nullptr)
            return true;
        const clock_value next = bound_of(source, known) + 1;
        if (next < e.stamp || (next == e.stamp && world_.comes_before(source, e.source))) {
            is_certain = false;
            wants(e.stamp - 1);
        }
        return true;
    });
    return is_certain;
}

bool rank::none_until(const request_object &receive, clock_value until, const clock_bounds &known) {
    if (!order::is_by_clock()) [[unlikely]]
        return true;
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
    if (!order::is_by_clock()) [[unlikely]]
        return what.is_complete ? answer::yes : answer::no;
    if (what.is_complete)
        return what.completed <= when ? answer::yes : answer::no;
    // Only a later call of this rank's ends one of the program's own, or makes the last partition
    // ready.
    if (what.posted > when || what.what == action::generalized ||
        what.what == action::send_partitions)
        return answer::no;
    if (what.what == action::receive)
        return none_until(what, when, known) ? answer::no : answer::undecided;
    if (what.what == action::joint) {
        // One part that is late suffices.
        for (const request_object &part : what.joint->receives)
            if (is_complete_at(part, when, known) == answer::no)
                return answer::no;
        return answer::undecided;
    }
    // A synchronous send is matched when it arrives at the earliest, and known 1 later; or, if it
    // waits for a receive that is still to be posted, at a clock above the receiver's bound.
    const synchronous_sends &to = synchronous_[what.peer];
    const clock_value matched = std::max(
        what.posted + latency,
        what.number <= to.await_posts ? std::min(bound_of(what.peer, known) + 1, to.untold) : 0);
    if (matched + latency > when)
        return answer::no;
    wants(when - latency);
    return answer::undecided;
}

void rank::match(const clock_bounds &known) {
    // A named receive that no other contests takes its message when that comes.
    if (wild_ != 0)
        match_posted(known);
    if (first_held_ != forever) [[unlikely]]
        tell_matches(known);
}

void rank::match_posted(const clock_bounds &known) {
    bool any = false;
    for (request_object *r = posted_; r != nullptr;) {
        request_object &receive = *r;
        r = r->next;
        const parked_message *const m = best_for(receive);
        if (m == nullptr || is_contested(&receive, m->head) ||
            (receive.is_wild() && !is_first(receive, m->head, known)))
            continue;
        if (receive.is_wild())
            order::note_source(receive.wildcard, receive.tag, m->head.source);
        remove_posted(receive);
        fill(receive, take(*m));
        any = true;
    }
    has_unmatched_to_tell_ = has_unmatched_to_tell_ || (any && has_synchronous_);
    settle();
}

// Before the rings are read: they have whatever was sent up to these bounds.
void rank::learn_bounds() {
    bounds_.read(known_);
    learn_unmatched();
}

// The same, with bounds that follow from others' blockages, and from their work if that may decide
// what the rank waits for.
void rank::learn_more_bounds() {
    if (order::counts_work())
        bounds_.learn_work(needed_);
    bounds_.snapshot(known_);
    learn_unmatched();
}

void rank::describe(const request_object &what, blockage &out) const {
    if (what.what == action::joint) {
        // All parts have to come, so any one that has not come bounds the end.
        const auto &parts = what.joint->receives;
        describe(*std::find_if(parts.begin(), parts.end(),
                               [](const request_object &part) { return !part.is_complete; }),
                 out);
        return;
    }
    if (what.what == action::generalized)
        return; // no other rank ends it
    if (what.what == action::synchronous_send) {
        out.add_match(what.peer, what.number);
        return;
    }
    if (what.what == action::send_partitions)
        return;
    // A sleeping rank reads only what the one rank sends that it heeds. Another rank believes that
    // this one is blocked only if it has read all messages of the ranks that it waits for.
    if (const std::uint32_t only = only_sender(what); only == any_rank)
        all_senders(what, [&](std::uint32_t source) {
            if (source != me_)
                out.waits_for.add(source);
            return true;
        });
    else if (only != me_)
        out.waits_for.add(only);
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

} // namespace saguaro::mpi
