// SPDX-License-Identifier: MIT
// The carrier's loop and the frames of its stream: messages, reports, heartbeats and ends.
#include "mpi/transport/carrier.hpp"

#include "mpi/core/reports/diagnostics.hpp"
#include "platform/clock.hpp"

#include <algorithm>
#include <utility>

namespace saguaro::mpi::transport {

namespace {

// What a frame of the stream is.
namespace kinds {
constexpr std::uint32_t greeting = 1;
constexpr std::uint32_t message = 2; // a record of a ring
constexpr std::uint32_t report = 3;
constexpr std::uint32_t beat = 4;   // the host lives
constexpr std::uint32_t failed = 5; // and with which exit code: all shall end
constexpr std::uint32_t over = 6;   // the host has no rank left, and its exit code
} // namespace kinds

struct frame_head {
    std::uint32_t kind;
    std::uint32_t reserved;
    std::uint64_t bytes; // behind the head
};

struct message_head {
    std::uint32_t writer;
    std::uint32_t reader;
    clock_value stamp;
    context_value context;
    std::int32_t tag;
    std::uint32_t number;
    kind what;
};

// In a report: what some rank of the host has set in its world.
constexpr std::uint32_t flag_asked = 1;
constexpr std::uint32_t flag_threads = 2;

constexpr std::uint64_t greeting_magic = 0x53474d5049543035; // "SGMPIT05", in the host's order

// While nobody asks for bounds, reports only serve the search for deadlocks.
constexpr std::int64_t lazy_report = 10'000'000; // ns
constexpr std::int64_t beats = 200'000'000;      // from one to the next, if nothing else is sent

// While more than this waits for the link, the ranks' rings fill, and then the ranks wait.
constexpr std::size_t most_unsent = std::size_t{32} << 20;
// So much is carried to a host in a turn, with an equal part for each ring, and one message more.
constexpr std::size_t most_in_turn = most_unsent;
// So much may have come behind a message whose reader has no room.
constexpr std::size_t most_held = std::size_t{64} << 20;

byte_row greeting_of(const shares &among, const std::string &in_common) {
    byte_row text;
    packer to(text);
    to.put(greeting_magic);
    to.put(sizeof(record));
    to.put(among.hosts());
    for (std::uint32_t h = 0; h < among.hosts(); ++h)
        to.put(among.end(h));
    to.put_bytes(in_common.data(), in_common.size());
    return text;
}

std::uint32_t flags_of(const world &of) {
    // Relaxed: they are never taken back, and what depends on them only comes later.
    const world_record &head = of.head();
    return (head.is_asked.load(std::memory_order_relaxed) != 0 ? flag_asked : 0) |
           (head.has_threads.load(std::memory_order_relaxed) != 0 ? flag_threads : 0);
}

} // namespace

carrier::carrier(const world &of, const shares &among, link &by, std::string in_common)
    : world_(of), shares_(among), link_(by), in_common_(std::move(in_common)),
      board_(world_, among.begin(among.me())), hosts_(among.hosts()), picture_(among),
      counts_(picture_.hosts[among.me()]), graph_(of.capacity()), bounds_(of.capacity()) {
    const std::size_t own = shares_.end(shares_.me()) - shares_.begin(shares_.me());
    in_.resize(own * shares_.ranks());
    out_.resize(own * shares_.ranks());
    looked_.resize(own);
    frame_for_all(kinds::greeting, greeting_of(shares_, in_common_));
}

// What all hosts must have in common.
bool carrier::turn() {
    bool any = false;
    for (std::uint32_t h = 0; h < shares_.hosts(); ++h)
        any = receive(h) || any;
    const std::int64_t now = platform::now_ns();
    const bool ends = own_.is_over && !has_told_end_;
    // Behind the end it is silent: the other hosts may have closed their links.
    const bool is_due = !has_told_end_ && ((flags_of(world_) & flag_asked) != 0 ||
                                           now - reported_ >= lazy_report || ends);
    // Before the rings: what was sent up to the bounds is in the stream before the report then.
    if (is_due)
        look_at_own();
    bool is_all = true;
    for (std::uint32_t h = 0; h < shares_.hosts(); ++h)
        if (h != shares_.me())
            any = carry_to(h, is_all) || any;
    if (is_due && is_all) {
        reported_ = now;
        any = report() || any;
    }
    if (is_changed_)
        raise_bounds();
    byte_row code;
    packer(code).put(own_.code);
    if (own_.fails && !std::exchange(has_told_failure_, true))
        for (std::uint32_t h = 0; h < shares_.hosts(); ++h)
            if (h != shares_.me() && !hosts_[h].is_over)
                frame(h, kinds::failed, code);
    if (ends && is_all) {
        frame_for_all(kinds::over, code);
        has_told_end_ = true;
    }
    mind_silence(now);
    bool is_sent = true;
    bool all_over = has_told_end_;
    for (std::uint32_t h = 0; h < shares_.hosts(); ++h) {
        if (h == shares_.me())
            continue;
        host &to = hosts_[h];
        if (!to.out.empty())
            link_.send(h, std::exchange(to.out, {}));
        is_sent = link_.unsent(h) == 0 && is_sent;
        all_over = all_over && to.is_over;
    }
    is_over_ = all_over && is_sent;
    return any;
}

void carrier::tell(const ending &own) {
    own_ = own;
}

// A host that only beats lives. If this process itself was stopped, others may have been as well.
void carrier::mind_silence(std::int64_t now) {
    const bool was_stopped = now - last_turn_ > beats;
    last_turn_ = now;
    for (std::uint32_t h = 0; h < shares_.hosts(); ++h) {
        host &other = hosts_[h];
        if (h == shares_.me() || other.is_over)
            continue;
        if (was_stopped)
            other.heard = now;
        if (!other.out.empty())
            other.spoke = now;
        if (now - other.spoke >= beats && !has_told_end_)
            frame(h, kinds::beat, {});
        if (now - other.heard > most_silence) {
            other.heard = now;
            lost(h);
        }
    }
}

// ---- Frames ----

void carrier::frame(std::uint32_t to, std::uint32_t kind, const byte_row &what) {
    packer out(hosts_[to].out);
    out.put(frame_head{kind, 0, what.size()});
    out.put_bytes(what.data(), what.size());
}

void carrier::frame_for_all(std::uint32_t kind, const byte_row &what) {
    for (std::uint32_t h = 0; h < shares_.hosts(); ++h)
        if (h != shares_.me())
            frame(h, kind, what);
}

void carrier::frame_record(std::uint32_t to, std::uint32_t reader, std::uint32_t writer,
                           const record &from) {
    const char *data = from.data();
    block *lent = nullptr;
    if (from.what == kind::block) {
        place where;
        std::memcpy(&where, from.data(), sizeof(where));
        lent = world_.job().at<block>(where);
        data = lent->data();
    }
    packer out(hosts_[to].out);
    out.put(frame_head{kinds::message, 0, sizeof(message_head) + from.bytes()});
    // Relaxed: `in_ring::next` has acquired it.
    out.put(message_head{writer, reader, from.stamp.load(std::memory_order_relaxed), from.context,
                         from.tag, from.number,
                         from.what == kind::matched ? kind::matched : kind::here});
    out.put_bytes(data, from.bytes());
    if (lent != nullptr)
        world_.give_block(*lent);
}

// ---- From here to others ----

bool carrier::carry_to(std::uint32_t to, bool &is_all) {
    if (link_.unsent(to) > most_unsent) {
        is_all = false;
        return false;
    }
    host &other = hosts_[to];
    const std::size_t before = other.out.size();
    const std::uint32_t readers = shares_.end(to) - shares_.begin(to);
    const std::uint32_t rings = (shares_.end(shares_.me()) - shares_.begin(shares_.me())) * readers;
    for (std::uint32_t i = 0; i < rings; ++i) {
        if (other.out.size() > most_in_turn) {
            is_all = false; // the next turn begins there
            break;
        }
        const std::uint32_t writer = shares_.begin(shares_.me()) + other.next_ring / readers;
        const std::uint32_t reader = shares_.begin(to) + other.next_ring % readers;
        is_all = carry(reader, writer, to, most_in_turn / rings) && is_all;
        other.next_ring = (other.next_ring + 1) % rings;
    }
    return other.out.size() != before;
}

// Everything that the ring has; or false if it has more than the part, and one message.
bool carrier::carry(std::uint32_t reader, std::uint32_t writer, std::uint32_t to,
                    std::size_t part) {
    in_ring &in = from_here(writer, reader);
    const std::size_t end = hosts_[to].out.size() + part;
    while (const record *const r = in.next(world_, reader, writer)) {
        if (hosts_[to].out.size() > end)
            return false;
        frame_record(to, reader, writer, *r);
        ++counts_.sent[to];
        if (in.done(*r)) {
            light_fence(world_); // pairs with the heavy fence of a writer that waits for room
            world_.ring_bell(writer);
        }
    }
    return true;
}

rank_state carrier::state_of(std::uint32_t which, const wait_graph &seen) const {
    const rank_record &r = world_.rank(which);
    const seen_rank &s = seen[which];
    rank_state now;
    now.bound = s.bound;
    now.life = r.life.load(std::memory_order_relaxed);
    // Acquire, both, behind the bound: what the rank tells of its matches before it publishes a
    // bound. In the order of `clock_board::await_posts`: the rings, to which matches go, are
    // carried behind this look.
    for (std::uint32_t x = 0; x < shares_.ranks(); ++x)
        if (!shares_.is_here(x)) {
            const std::uint32_t unmatched = world_.unmatched(r)[x].load(std::memory_order_acquire);
            const clock_value untold = world_.untold(r)[x].load(std::memory_order_acquire);
            if (unmatched != 0 || untold != 0)
                now.tells.push_back({x, unmatched, untold});
        }
    if (!s.is_blocked)
        return now;
    if (r.waits_for_match.load(std::memory_order_relaxed) != 0)
        for (std::uint32_t x = 0; x < shares_.ranks(); ++x)
            if (!shares_.is_here(x))
                if (const std::uint32_t number = world_.sends(r)[x].load(std::memory_order_relaxed))
                    now.sends.push_back({x, number});
    // It is still in the same blockage, so all of this belongs to that.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (r.epoch.load(std::memory_order_relaxed) != s.epoch) {
        now.sends.clear();
        return now;
    }
    now.is_blocked = 1;
    now.least = s.least;
    now.candidate = s.candidate;
    now.hop = s.hop;
    now.waits_for.assign(seen.waits_of(which), seen.waits_of(which) + world_.words());
    return now;
}

void carrier::look_at_own() {
    const wait_graph &seen = board_.look_at_all(shares_.ranks());
    const std::uint32_t first = shares_.begin(shares_.me());
    for (std::uint32_t r = first; r < shares_.end(shares_.me()); ++r)
        looked_[r - first] = state_of(r, seen);
}

// Tells what has been seen in this turn, if it is not what was told before. All that was sent
// before that is in the streams.
bool carrier::report() {
    const std::uint32_t first = shares_.begin(shares_.me());
    byte_row states;
    packer to(states);
    for (std::uint32_t i = 0; i < looked_.size(); ++i)
        if (rank_state &told = picture_.ranks[first + i]; told != looked_[i]) {
            told = looked_[i];
            to.put(first + i);
            told.pack(to);
        }
    host_counts &counts = picture_.hosts[shares_.me()];
    if (states.empty() && counts == counts_ && flags_of(world_) == told_flags_)
        return false;
    counts = counts_;
    told_flags_ = flags_of(world_);
    is_changed_ = true;
    byte_row text;
    packer head(text);
    head.put(told_flags_);
    head.put_all(counts.sent);
    head.put_all(counts.received);
    text.insert(text.end(), states.begin(), states.end());
    frame_for_all(kinds::report, text);
    return true;
}

// ---- From others to here ----

bool carrier::receive(std::uint32_t from) {
    if (from == shares_.me())
        return false;
    host &other = hosts_[from];
    bool any = false;
    // A message that has not come whole is read on, however long it is.
    if (other.has_no_room && other.in.size() - other.read >= most_held) {
        other.heard = platform::now_ns(); // nobody has listened
    } else if (link_.receive(from, other.in)) {
        other.heard = platform::now_ns();
        any = true;
    }
    other.has_no_room = false;
    while (other.in.size() - other.read >= sizeof(frame_head)) {
        const char *const at = other.in.data() + other.read;
        frame_head head;
        std::memcpy(&head, at, sizeof(head));
        if (other.in.size() - other.read - sizeof(head) < head.bytes)
            break;
        unpacker what(at + sizeof(head), head.bytes);
        other.has_no_room = !obey(from, head.kind, what);
        if (other.has_no_room)
            break;
        if (!what.is_whole())
            fail("the stream from host %u is broken", from);
        other.read += sizeof(head) + head.bytes;
    }
    if (other.read == other.in.size() || other.read > most_held / 4) {
        other.in.erase(other.in.begin(),
                       other.in.begin() + static_cast<std::ptrdiff_t>(other.read));
        other.read = 0;
    }
    return any;
}

// False: not yet.
bool carrier::obey(std::uint32_t from, std::uint32_t kind, unpacker &what) {
    switch (kind) {
    case kinds::greeting: {
        const byte_row own = greeting_of(shares_, in_common_);
        const char *const told = what.left() == own.size() ? what.get_bytes(own.size()) : nullptr;
        if (told == nullptr || std::memcmp(told, own.data(), own.size()) != 0)
            fail("host %u was begun with another version of detmpiexec, other ranks, or another "
                 "rule of -reduce or -order",
                 from);
        return true;
    }
    case kinds::message:
        return put_into_ring(from, what);
    case kinds::report:
        learn(from, what);
        return true;
    case kinds::beat:
        return true;
    case kinds::failed:
        learn_code(what);
        fails_elsewhere_ = true;
        return true;
    case kinds::over:
        learn_code(what);
        hosts_[from].is_over = true;
        return true;
    default:
        fail("the stream from host %u has a frame of kind %u", from, kind);
    }
}

void carrier::learn_code(unpacker &what) {
    const int code = what.get<int>();
    if (code_elsewhere_ == 0)
        code_elsewhere_ = code;
}

// As the writer would. False if there is no room: then nothing behind it is read either.
bool carrier::put_into_ring(std::uint32_t from, unpacker &what) {
    const auto head = what.get<message_head>();
    const std::size_t bytes = what.left();
    const char *const data = what.get_bytes(bytes);
    if (!what.is_whole())
        return true;
    if (head.reader >= shares_.ranks() || !shares_.is_here(head.reader) ||
        head.writer >= shares_.ranks() || shares_.host_of(head.writer) != from)
        fail("host %u sends a message from rank %u to rank %u", from, head.writer, head.reader);
    out_ring &out = to_here(head.writer, head.reader);
    if (!out)
        out = out_ring(world_, head.writer, head.reader);
    const bool is_long = bytes > most_in_ring;
    record *const r = out.reserve(world_, is_long ? sizeof(place) : bytes);
    if (r == nullptr) {
        // Relaxed: a rank that has finalized reads nothing more, whenever that is seen. Nor does
        // one that has been killed, and the end of the job stands behind the message.
        if (!is_ending() &&
            world_.rank(head.reader).life.load(std::memory_order_relaxed) != life::finished)
            return false;
        ++counts_.received[from];
        return true;
    }
    r->context = head.context;
    r->tag = head.tag;
    r->number = head.number;
    r->set_bytes(bytes);
    r->what = is_long ? kind::block : head.what;
    if (is_long) {
        block &lent = world_.take_block(bytes);
        std::memcpy(lent.data(), data, bytes);
        const place where = world_.job().place_of(&lent);
        std::memcpy(r->data(), &where, sizeof(where));
    } else {
        std::memcpy(r->data(), data, bytes);
    }
    out.publish(head.stamp);
    light_fence(world_); // pairs with the heavy fence in `waiter::sleep`
    world_.ring_bell(head.reader);
    ++counts_.received[from];
    return true;
}

void carrier::learn(std::uint32_t from, unpacker &what) {
    const auto flags = what.get<std::uint32_t>();
    // Relaxed: each is a wish that is looked at again.
    if ((flags & flag_asked) != 0)
        world_.head().is_asked.store(1, std::memory_order_relaxed);
    if ((flags & flag_threads) != 0)
        world_.head().has_threads.store(1, std::memory_order_relaxed);
    host_counts &counts = picture_.hosts[from];
    counts.sent = what.get_all<std::uint64_t>();
    counts.received = what.get_all<std::uint64_t>();
    if (counts.sent.size() != shares_.hosts() || counts.received.size() != shares_.hosts())
        fail("host %u reports of another number of hosts", from);
    while (what.is_whole() && what.left() != 0) {
        const auto which = what.get<std::uint32_t>();
        if (which >= shares_.ranks() || shares_.host_of(which) != from)
            fail("host %u reports of rank %u", from, which);
        rank_state now = rank_state::unpack(what);
        const auto is_rank = [&](const auto &of) { return of.peer < shares_.ranks(); };
        if (!std::all_of(now.sends.begin(), now.sends.end(), is_rank) ||
            now.waits_for.size() > world_.words())
            fail("host %u reports that rank %u waits for ranks that there are not", from, which);
        learn_state(which, std::move(now));
    }
    is_changed_ = true;
}

// Into the record that the ranks of this host read: all but the bound.
void carrier::learn_state(std::uint32_t which, rank_state now) {
    rank_record &mirror = world_.rank(which);
    rank_state &known = picture_.ranks[which];
    // Relaxed, these: for lines about deadlocks and patience, and for who waits for room.
    mirror.life.store(now.life, std::memory_order_relaxed);
    mirror.is_blocked.store(now.is_blocked, std::memory_order_relaxed);
    for (std::uint32_t w = 0; w < now.waits_for.size(); ++w)
        world_.waits_for(mirror)[w].store(now.waits_for[w], std::memory_order_relaxed);
    now.waits_for.resize(world_.words());
    const bool tells_more = now.tells != known.tells;
    if (tells_more)
        for (std::uint32_t x = shares_.begin(shares_.me()); x < shares_.end(shares_.me()); ++x) {
            const told_sender told = now.told_to(x);
            // Release pairs with the acquire in `first_untold_match`: behind the records of the
            // matches, which are in the rings.
            world_.untold(mirror)[x].store(told.untold, std::memory_order_release);
            // Release pairs with the acquire in `last_to_await_a_post`: behind what it counts on.
            world_.unmatched(mirror)[x].store(told.unmatched, std::memory_order_release);
        }
    known = std::move(now);
    if (!tells_more)
        return;
    light_fence(world_); // pairs with the heavy fence in `waiter::sleep`
    if (mirror.is_watched.load(std::memory_order_relaxed) != 0)
        tell_watchers(world_, which, forever);
}

// What follows for the ranks of other hosts, in the records that the ranks of this host read.
void carrier::raise_bounds() {
    is_changed_ = false;
    picture_.derive(shares_, graph_, bounds_);
    for (std::uint32_t r = 0; r < shares_.ranks(); ++r) {
        if (shares_.is_here(r))
            continue;
        const clock_value bound = std::max(bounds_[r], picture_.ranks[r].bound);
        // Relaxed: nobody else writes it.
        if (bound > world_.rank(r).bound.load(std::memory_order_relaxed))
            publish_bound(world_, r, bound);
    }
}

} // namespace saguaro::mpi::transport
