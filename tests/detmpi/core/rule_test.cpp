// SPDX-License-Identifier: MIT
// Random programs with wildcards, probes and polls. A serial simulation of the rule
// (src/detmpi/README.md, "The rule") computes what each rank must see, and at which clock; then
// ranks run the program at the same time, with sleeps at random places.
#include "ranks.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <ctime>
#include <gtest/gtest.h>
#include <memory>
#include <sched.h>
#include <unistd.h>

namespace saguaro::detmpi {
namespace {

using u64 = std::uint64_t;

u64 mix(u64 x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

constexpr int any = -1;
constexpr int slots = 2;

enum class what { end, send, receive, poll, post, test, wait, wait_any };

struct operation {
    what kind = what::end;
    int peer = any; // to or from
    int tag = any;
    u64 value = 0;
    int slot = 0;
};

struct outcome {
    int source = any; // any: a poll or test in vain
    int tag = any;
    u64 value = 0;
    int slot = 0; // of wait_any
};

// What a rank does: the next operation follows from the seed and from what it saw so far.
class program {
public:
    program(u64 seed, int me, int ranks, int rounds)
        : me_(me), ranks_(ranks), rounds_(rounds), seed_(seed), trace_(mix(seed)),
          from_(static_cast<std::size_t>(ranks)) {
        begin_round();
    }

    u64 trace() const { return trace_; }

    void saw(const outcome &o, u64 clock) {
        trace_ =
            mix(trace_ ^ mix(static_cast<u64>(o.source + 7)) ^ mix(static_cast<u64>(o.tag + 99)) ^
                o.value ^ mix(clock * 31) ^ static_cast<u64>(o.slot));
        if (o.source == any)
            return;
        --from_[static_cast<std::size_t>(o.source)];
        --tagged_[static_cast<std::size_t>(o.tag)];
        --left_;
    }

    operation next() {
        if (!queue_.empty())
            return take();
        if (sends_left_ > 0)
            return next_send();
        if (polling_.kind == what::poll || polling_.kind == what::test) {
            // Until it is there: as often as the rule says.
            if (last_was_in_vain_)
                return polling_;
            const bool probed = polling_.kind == what::poll;
            polling_ = {};
            if (probed) {
                // The receive that the probe has promised.
                return {what::receive, probed_.source, probed_.tag, 0, 0};
            }
        }
        if (left_ == 0) {
            if (++round_ == rounds_)
                return {};
            begin_round();
            return next();
        }
        return next_receive();
    }

    void polled(const outcome &o) {
        last_was_in_vain_ = o.source == any;
        probed_ = o;
    }

private:
    operation take() {
        const operation o = queue_.back();
        queue_.pop_back();
        return o;
    }

    u64 dice(u64 round, int rank, int salt) const {
        return mix(seed_ ^
                   mix(round * 1009 + static_cast<u64>(rank) * 31 + static_cast<u64>(salt)));
    }
    int sends_of(int rank) const { return static_cast<int>(dice(round_, rank, 0) % 4); }
    operation send_of(int rank, int number) const {
        const u64 d = dice(round_, rank, 1 + number);
        operation o;
        o.kind = what::send;
        o.peer = static_cast<int>(
            (static_cast<u64>(rank) + 1 + (d >> 8) % static_cast<u64>(ranks_ - 1)) %
            static_cast<u64>(ranks_));
        o.tag = static_cast<int>((d >> 32) % 3);
        o.value = d;
        return o;
    }

    void begin_round() {
        sends_left_ = sends_of(me_);
        for (int r = 0; r < ranks_; ++r)
            for (int i = 0; i < sends_of(r); ++i)
                if (const operation o = send_of(r, i); o.peer == me_) {
                    ++from_[static_cast<std::size_t>(r)];
                    ++tagged_[static_cast<std::size_t>(o.tag)];
                    ++left_;
                }
    }

    operation next_send() {
        const operation o = send_of(me_, sends_of(me_) - sends_left_);
        --sends_left_;
        return o;
    }

    int a_source(u64 d, int at_least) const {
        for (int i = 0; i < ranks_; ++i) {
            const int s = static_cast<int>((d + static_cast<u64>(i)) % static_cast<u64>(ranks_));
            if (from_[static_cast<std::size_t>(s)] >= at_least)
                return s;
        }
        return any;
    }
    int a_tag(u64 d) const {
        for (u64 i = 0; i < 3; ++i)
            if (tagged_[(d + i) % 3] > 0)
                return static_cast<int>((d + i) % 3);
        return any;
    }

    operation next_receive() {
        const u64 d = mix(trace_);
        const int source = a_source(d >> 8, 1);
        switch (d % 8) {
        case 0:
            return {what::receive, any, any, 0, 0};
        case 1:
            return {what::receive, any, a_tag(d >> 16), 0, 0};
        case 2:
            if (source != any)
                return {what::receive, source, any, 0, 0};
            break;
        case 3: // a probe again and again, then the receive
            return polling_ = {what::poll, any, any, 0, 0};
        case 4: // tests, again and again
            queue_ = {polling_ = {what::test, any, any, 0, 0}};
            return {what::post, any, any, 0, 0};
        case 5:
            if (source != any) {
                queue_ = {polling_ = {what::test, any, any, 0, 0}};
                return {what::post, source, any, 0, 0};
            }
            break;
        case 6: // two at once: whatever is first
            if (left_ >= 2) {
                queue_ = {{what::wait_any, any, any, 0, 0},
                          {what::wait_any, any, any, 0, 0},
                          {what::post, any, any, 0, 1}};
                return {what::post, any, any, 0, 0};
            }
            break;
        default: // a named receive behind a wildcard that may take its message
            if (left_ >= 2 && a_source(d >> 8, 2) != any) {
                queue_ = {{what::wait, any, any, 0, 0},
                          {what::wait, any, any, 0, 1},
                          {what::post, a_source(d >> 8, 2), any, 0, 1}};
                return {what::post, any, any, 0, 0};
            }
            break;
        }
        return {what::receive, any, any, 0, 0};
    }

    int me_;
    int ranks_;
    int rounds_;
    u64 seed_;
    u64 trace_;
    int round_ = 0;
    int sends_left_ = 0;
    int left_ = 0;
    std::vector<int> from_;
    std::array<int, 3> tagged_{};
    std::vector<operation> queue_; // the last one first
    operation polling_{};
    outcome probed_{};
    bool last_was_in_vain_ = false;
};

// ---- The simulation ----

constexpr u64 never = UINT64_MAX / 4;

struct message_seen {
    u64 stamp;
    int source;
    int tag;
    u64 value;
    bool taken = false;
};

struct receive_seen {
    int source;
    int tag;
    u64 posted;
    bool matched = false;
    message_seen got{};
    u64 time() const { return std::max(posted, got.stamp + 1); }
};

class simulation {
public:
    simulation(u64 seed, int ranks, int rounds) {
        for (int r = 0; r < ranks; ++r) {
            ranks_.emplace_back();
            ranks_.back().runs = std::make_unique<program>(seed, r, ranks, rounds);
        }
    }

    std::vector<u64> traces() {
        for (;;) {
            bool any_runs = true;
            while (any_runs) {
                any_runs = false;
                for (simulated &s : ranks_)
                    while (step(s))
                        any_runs = true;
            }
            bool ended = true;
            for (const simulated &s : ranks_)
                ended = ended && s.ended;
            if (ended)
                break;
            // Nobody sends anything with a stamp of this or less any more.
            frontier_ = never;
            for (const simulated &s : ranks_)
                frontier_ = std::min(frontier_, earliest(s));
            if (frontier_ == never)
                return {}; // all wait for each other
            for (simulated &s : ranks_)
                match(s, true);
        }
        std::vector<u64> out;
        for (const simulated &s : ranks_)
            out.push_back(s.runs->trace());
        return out;
    }

private:
    struct simulated {
        std::unique_ptr<program> runs;
        u64 clock = 0;
        std::vector<message_seen> box;
        std::vector<std::shared_ptr<receive_seen>> posted; // not matched, in order
        std::array<std::shared_ptr<receive_seen>, slots> slot;
        operation now;
        bool waits = false;
        bool ended = false;
        std::shared_ptr<receive_seen> blocking;
    };

    static bool fits(const receive_seen &r, const message_seen &m) {
        return !m.taken && (r.source == any || r.source == m.source) &&
               (r.tag == any || r.tag == m.tag);
    }

    static message_seen *best(simulated &s, const receive_seen &r) {
        message_seen *found = nullptr;
        for (message_seen &m : s.box)
            if (fits(r, m) && (found == nullptr || m.stamp < found->stamp ||
                               (m.stamp == found->stamp && m.source < found->source)))
                found = &m;
        return found;
    }

    void match(simulated &s, bool decides) {
        std::vector<std::shared_ptr<receive_seen>> left;
        for (const auto &r : s.posted) {
            message_seen *const m = best(s, *r);
            bool free = m != nullptr;
            for (const auto &before : left)
                free = free && !(before->source == any && fits(*before, *m));
            if (free && (r->source != any || (decides && m->stamp <= frontier_))) {
                m->taken = true;
                r->got = *m;
                r->matched = true;
            } else {
                left.push_back(r);
            }
        }
        s.posted = left;
    }

    // No message of the rank's, sent later, has a stamp of this or less.
    u64 earliest(const simulated &s) {
        if (s.ended)
            return never;
        if (s.now.kind == what::poll || s.now.kind == what::test)
            return s.clock;
        u64 least = never;
        auto &mutable_s = const_cast<simulated &>(s);
        for (const auto &r : waited_for(s))
            if (r->matched)
                least = std::min(least, r->time());
            else if (const message_seen *const m = best(mutable_s, *r))
                least = std::min(least, m->stamp + 1);
        return least == never ? never : std::max(least, s.clock);
    }

    std::vector<std::shared_ptr<receive_seen>> waited_for(const simulated &s) const {
        if (s.now.kind == what::receive)
            return {s.blocking};
        if (s.now.kind == what::wait)
            return {s.slot[static_cast<std::size_t>(s.now.slot)]};
        std::vector<std::shared_ptr<receive_seen>> all;
        for (const auto &r : s.slot)
            if (r != nullptr)
                all.push_back(r);
        return all;
    }

    // Whether nothing arrives for it at this time or before, for good.
    bool none_until(simulated &s, const receive_seen &r, u64 time) {
        const message_seen *const m = best(s, r);
        if (m != nullptr && m->stamp + 1 <= time)
            return false;
        return frontier_ + 1 >= time;
    }

    void finish(simulated &s, const outcome &o) {
        s.runs->saw(o, s.clock);
        s.waits = false;
    }

    static outcome of(const receive_seen &r, int slot = 0) {
        return {r.got.source, r.got.tag, r.got.value, slot};
    }

    // Goes on if it can. False if it waits or has ended.
    bool step(simulated &s) {
        if (s.ended)
            return false;
        if (!s.waits) {
            s.now = s.runs->next();
            if (s.now.kind == what::end) {
                s.ended = true;
                return false;
            }
            begin(s);
            return true;
        }
        match(s, false);
        return go_on(s);
    }

    void begin(simulated &s) {
        ++s.clock;
        const operation &o = s.now;
        s.waits = true;
        if (o.kind == what::send) {
            ranks_[static_cast<std::size_t>(o.peer)].box.push_back(
                {s.clock, static_cast<int>(&s - ranks_.data()), o.tag, o.value});
            s.waits = false;
        } else if (o.kind == what::receive || o.kind == what::post) {
            auto r = std::make_shared<receive_seen>(receive_seen{o.peer, o.tag, s.clock});
            s.posted.push_back(r);
            if (o.kind == what::receive)
                s.blocking = r;
            else
                s.slot[static_cast<std::size_t>(o.slot)] = r;
            s.waits = o.kind == what::receive;
        }
    }

    bool go_on(simulated &s) {
        const operation &o = s.now;
        switch (o.kind) {
        case what::receive:
        case what::wait: {
            const auto r = waited_for(s).front();
            if (!r->matched)
                return false;
            s.clock = std::max(s.clock, r->time());
            if (o.kind == what::wait)
                s.slot[static_cast<std::size_t>(o.slot)] = nullptr;
            finish(s, of(*r, o.slot));
            return true;
        }
        case what::wait_any:
            return go_on_any(s);
        case what::test: {
            const auto r = s.slot[0];
            const bool yes = r->matched && r->time() <= s.clock;
            if (!yes && !(r->matched && r->time() > s.clock) && !none_until(s, *r, s.clock))
                return false;
            const outcome out = yes ? of(*r) : outcome{};
            if (yes)
                s.slot[0] = nullptr;
            finish(s, out);
            s.runs->polled(out);
            return true;
        }
        case what::poll: {
            const receive_seen r{o.peer, o.tag, s.clock};
            const message_seen *const m = best(s, r);
            if (m != nullptr && m->stamp + 1 <= s.clock) {
                if (m->stamp > frontier_)
                    return false;
                // A probe takes nothing: the trace has it, the counts do not.
                s.waits = false;
                s.runs->polled({m->source, m->tag, m->value, 0});
                return true;
            }
            if (!none_until(s, r, s.clock))
                return false;
            s.waits = false;
            s.runs->polled({});
            return true;
        }
        default:
            return false;
        }
    }

    bool go_on_any(simulated &s) {
        int first = any;
        for (int i = 0; i < slots; ++i) {
            const auto &r = s.slot[static_cast<std::size_t>(i)];
            if (r != nullptr && r->matched &&
                (first == any || r->time() < s.slot[static_cast<std::size_t>(first)]->time()))
                first = i;
        }
        if (first == any)
            return false;
        const u64 time = s.slot[static_cast<std::size_t>(first)]->time();
        for (int i = 0; i < slots; ++i) {
            const auto &r = s.slot[static_cast<std::size_t>(i)];
            const u64 until = i > first ? time - 1 : time;
            if (r != nullptr && !r->matched && r->posted <= until && !none_until(s, *r, until))
                return false;
        }
        const auto r = s.slot[static_cast<std::size_t>(first)];
        s.clock = std::max(s.clock, time);
        s.slot[static_cast<std::size_t>(first)] = nullptr;
        finish(s, of(*r, first));
        return true;
    }

    std::vector<simulated> ranks_;
    u64 frontier_ = 0;
};

// ---- The ranks ----

void disturb(u64 &random) {
    random = mix(random);
    if (random % 24 == 0)
        usleep(static_cast<useconds_t>(random >> 40 & 255));
    else if (random % 24 < 3)
        sched_yield();
}

outcome seen_of(const status &s, u64 value, int slot = 0) {
    return {s.source, s.tag, value, slot};
}

u64 run_program(u64 seed, int me, int ranks, int rounds, u64 disturbance) {
    program p(seed, me, ranks, rounds);
    request requests[slots] = {request::null, request::null};
    u64 got[slots] = {};
    const auto tag_of = [](int tag) { return tag == any ? mpi::any_tag : tag; };
    for (;;) {
        const operation o = p.next();
        if (disturbance != 0)
            disturb(disturbance);
        status s;
        int flag = 0;
        int index = 0;
        u64 value = o.value;
        const auto at = static_cast<std::size_t>(o.slot);
        switch (o.kind) {
        case what::end:
            return p.trace();
        case what::send:
            core::send(&value, 1, datatype::uint64_t, o.peer, o.tag, comm::world);
            break;
        case what::receive:
            core::recv(&value, 1, datatype::uint64_t, o.peer, tag_of(o.tag), comm::world, &s);
            p.saw(seen_of(s, value), rank::mine->clock());
            break;
        case what::poll:
            core::iprobe(o.peer, tag_of(o.tag), comm::world, &flag, &s);
            p.polled(flag != 0 ? seen_of(s, 0) : outcome{});
            break;
        case what::post:
            core::irecv(&got[at], 1, datatype::uint64_t, o.peer, tag_of(o.tag), comm::world,
                        &requests[at]);
            break;
        case what::test: {
            core::test(&requests[0], &flag, &s);
            const outcome out = flag != 0 ? seen_of(s, got[0]) : outcome{};
            p.saw(out, rank::mine->clock());
            p.polled(out);
            break;
        }
        case what::wait:
            core::wait(&requests[at], &s);
            p.saw(seen_of(s, got[at], o.slot), rank::mine->clock());
            break;
        case what::wait_any:
            core::waitany(slots, requests, &index, &s);
            p.saw(seen_of(s, got[static_cast<std::size_t>(index)], index), rank::mine->clock());
            break;
        }
    }
}

void check(u64 seed, int ranks, int rounds, int runs) {
    const std::vector<u64> expected = simulation(seed, ranks, rounds).traces();
    ASSERT_FALSE(expected.empty()) << "seed " << seed;
    shared_array<u64> seen(static_cast<std::size_t>(ranks));
    for (int run = 0; run < runs; ++run) {
        const auto codes = run_ranks(static_cast<std::uint32_t>(ranks), [&](int me) {
            const u64 disturbance =
                run == 0 ? 0 : mix(static_cast<u64>(getpid()) ^ static_cast<u64>(time(nullptr)));
            seen[static_cast<std::size_t>(me)] = run_program(seed, me, ranks, rounds, disturbance);
            return 0;
        });
        ASSERT_TRUE(all_well(codes)) << "seed " << seed << ", run " << run;
        for (int r = 0; r < ranks; ++r)
            ASSERT_EQ(seen[static_cast<std::size_t>(r)], expected[static_cast<std::size_t>(r)])
                << "seed " << seed << ", run " << run << ", rank " << r;
    }
}

// A message that two receives fit waits for the first one's decision, and the next message of its
// sender fits the second one only: it must not overtake. `late` is the rank that is slow in this
// run.
TEST(rule, no_message_overtakes_one_that_waits_for_a_decision) {
    for (int late = 0; late < 3; ++late)
        EXPECT_TRUE(all_well(run_ranks(3, [late](int me) {
            const auto send = [](int value, int tag) {
                core::send(&value, 1, datatype::int_, 2, tag, comm::world);
            };
            if (me == late)
                usleep(100'000);
            if (me == 0)
                send(1, 5);
            if (me == 1) {
                rank::mine->advance_to(50);
                send(15, 5);
                send(16, 6);
            }
            if (me != 2)
                return 0;
            int got[3] = {};
            request posted[2];
            core::irecv(&got[0], 1, datatype::int_, mpi::any_source, 5, comm::world, &posted[0]);
            core::irecv(&got[1], 1, datatype::int_, 1, mpi::any_tag, comm::world, &posted[1]);
            core::waitall(2, posted, nullptr);
            core::recv(&got[2], 1, datatype::int_, 1, mpi::any_tag, comm::world, nullptr);
            return got[0] == 1 && got[1] == 15 && got[2] == 16 ? 0 : 1;
        })));
}

// The same with a third receive, which the second one must not lose its message to.
TEST(rule, named_receives_that_wait_for_a_decision_keep_their_place) {
    for (int late = 0; late < 3; ++late)
        EXPECT_TRUE(all_well(run_ranks(3, [late](int me) {
            const auto send = [](int value, int tag) {
                core::send(&value, 1, datatype::int_, 2, tag, comm::world);
            };
            if (me == late)
                usleep(100'000);
            if (me == 0) {
                rank::mine->advance_to(100);
                send(1, 5);
            }
            if (me == 1) {
                rank::mine->advance_to(50);
                send(15, 5);
                send(16, 6);
                send(17, 6);
            }
            if (me != 2)
                return 0;
            int got[3] = {};
            request posted[3];
            core::irecv(&got[0], 1, datatype::int_, mpi::any_source, 5, comm::world, &posted[0]);
            core::irecv(&got[1], 1, datatype::int_, 1, mpi::any_tag, comm::world, &posted[1]);
            core::irecv(&got[2], 1, datatype::int_, 1, 6, comm::world, &posted[2]);
            core::waitall(3, posted, nullptr);
            int last = 0;
            core::recv(&last, 1, datatype::int_, 0, 5, comm::world, nullptr);
            return got[0] == 15 && got[1] == 16 && got[2] == 17 && last == 1 ? 0 : 1;
        })));
}

// Rank 0 may still send to itself, earlier than rank 1 did whose message is here already.
TEST(rule, rank_that_polls_may_still_send_to_itself) {
    for (int late = 0; late < 2; ++late)
        EXPECT_TRUE(all_well(run_ranks(2, [late](int me) {
            if (me == 1) {
                rank::mine->advance_to(100);
                if (late == 1)
                    usleep(100'000);
                core::send(&me, 1, datatype::int_, 0, 1, comm::world);
                return 0;
            }
            int got[2] = {-1, -1};
            request posted = request::null;
            int flag = 0;
            core::irecv(&got[0], 1, datatype::int_, mpi::any_source, 1, comm::world, &posted);
            if (late == 0)
                usleep(100'000);
            core::test(&posted, &flag, nullptr);
            core::send(&me, 1, datatype::int_, 0, 1, comm::world);
            if (flag == 0)
                core::wait(&posted, nullptr);
            core::recv(&got[1], 1, datatype::int_, mpi::any_source, 1, comm::world, nullptr);
            return flag == 0 && got[0] == 0 && got[1] == 1 ? 0 : 1;
        })));
}

TEST(rule, two_ranks_see_what_it_says) {
    for (u64 seed = 1; seed <= 10; ++seed)
        check(seed, 2, 40, 3);
}

TEST(rule, four_ranks_see_what_it_says) {
    for (u64 seed = 1; seed <= 10; ++seed)
        check(seed, 4, 30, 3);
}

TEST(rule, seven_ranks_see_what_it_says) {
    for (u64 seed = 1; seed <= 5; ++seed)
        check(seed, 7, 20, 2);
}

TEST(rule, sixteen_ranks_see_what_it_says) {
    for (u64 seed = 1; seed <= 3; ++seed)
        check(seed, 16, 10, 2);
}

} // namespace
} // namespace saguaro::detmpi
