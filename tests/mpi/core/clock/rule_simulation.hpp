// SPDX-License-Identifier: MIT
// A serial simulation of the rule (src/mpi/README.md, "The rule"): what each rank of a random
// program must see, and at which clock.
#pragma once

#include "random_programs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace saguaro::mpi {

constexpr u64 never = UINT64_MAX / 4;

struct send_seen {
    u64 stamp;
    int to;
    bool matched = false;
    u64 time = 0;
};

struct message_seen {
    u64 stamp;
    int source;
    int tag;
    u64 value;
    std::shared_ptr<send_seen> synchronous;
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
        std::array<std::shared_ptr<receive_seen>, receive_slots> slot;
        std::array<std::shared_ptr<send_seen>, slots> sends;
        random_step now;
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
                if (m->synchronous != nullptr) {
                    m->synchronous->matched = true;
                    m->synchronous->time = r->time() + 1;
                }
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
        if (s.now.kind == what::poll || s.now.kind == what::test || s.now.kind == what::ask)
            return s.clock;
        u64 least = never;
        auto &mutable_s = const_cast<simulated &>(s);
        for (const auto &r : waited_for(s))
            if (r->matched)
                least = std::min(least, r->time());
            else if (const message_seen *const m = best(mutable_s, *r))
                least = std::min(least, m->stamp + 1);
        for (const auto &sent : waited_sends(s))
            if (sent->matched)
                least = std::min(least, sent->time);
            else if (may_be_taken(s, *sent))
                least = std::min(least, sent->stamp + 2);
        return least == never ? never : std::max(least, s.clock);
    }

    std::vector<std::shared_ptr<send_seen>> waited_sends(const simulated &s) const {
        std::vector<std::shared_ptr<send_seen>> all;
        for (std::size_t i = 0; i < slots; ++i)
            if (s.sends[i] != nullptr &&
                (s.now.kind == what::wait_any ||
                 (s.now.kind == what::wait && s.now.slot == static_cast<int>(i))))
                all.push_back(s.sends[i]);
        return all;
    }

    // By a receive that has been posted.
    bool may_be_taken(const simulated &by, const send_seen &sent) const {
        const simulated &to = ranks_[static_cast<std::size_t>(sent.to)];
        for (const message_seen &m : to.box)
            if (m.source == static_cast<int>(&by - ranks_.data()) && m.stamp == sent.stamp)
                for (const auto &r : to.posted)
                    if (fits(*r, m))
                        return true;
        return false;
    }

    // Whether it is not complete at this time, for good. No message of a stamp up to the frontier
    // can be taken by a receive that has been posted, and none will be posted up to it.
    bool not_complete_at(const send_seen &sent, u64 time) const {
        return sent.matched ? sent.time > time : std::max(sent.stamp, frontier_) + 2 > time;
    }

    std::vector<std::shared_ptr<receive_seen>> waited_for(const simulated &s) const {
        if (s.now.kind == what::receive)
            return {s.blocking};
        if (s.now.kind == what::wait && s.now.slot >= receive_slots)
            return {};
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
        const random_step &o = s.now;
        s.waits = true;
        if (o.kind == what::send || o.kind == what::send_synchronously) {
            std::shared_ptr<send_seen> sent;
            if (o.kind == what::send_synchronously)
                sent = s.sends[static_cast<std::size_t>(o.slot)] =
                    std::make_shared<send_seen>(send_seen{s.clock, o.peer});
            ranks_[static_cast<std::size_t>(o.peer)].box.push_back(
                {s.clock, static_cast<int>(&s - ranks_.data()), o.tag, o.value, sent});
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
        const random_step &o = s.now;
        switch (o.kind) {
        case what::receive:
        case what::wait: {
            if (o.kind == what::wait && o.slot >= receive_slots)
                return go_on_from_send(s);
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
        case what::ask: {
            const auto sent = s.sends[static_cast<std::size_t>(o.slot)];
            const bool yes = sent->matched && sent->time <= s.clock;
            if (!yes && !not_complete_at(*sent, s.clock))
                return false;
            if (yes)
                s.sends[static_cast<std::size_t>(o.slot)] = nullptr;
            finish(s, {any, any, yes ? 1U : 0U, o.slot});
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

    bool go_on_from_send(simulated &s) {
        auto &sent = s.sends[static_cast<std::size_t>(s.now.slot)];
        if (!sent->matched)
            return false;
        s.clock = std::max(s.clock, sent->time);
        sent = nullptr;
        finish(s, {any, any, 1, s.now.slot});
        return true;
    }

    bool go_on_any(simulated &s) {
        int first = any;
        u64 time = never;
        for (int i = 0; i < slots; ++i) {
            const auto &sent = s.sends[static_cast<std::size_t>(i)];
            if (sent != nullptr && sent->matched && sent->time < time) {
                first = i;
                time = sent->time;
            }
            const auto r = i < receive_slots ? s.slot[static_cast<std::size_t>(i)] : nullptr;
            if (r != nullptr && r->matched && r->time() < time) {
                first = i;
                time = r->time();
            }
        }
        if (first == any)
            return false;
        for (int i = 0; i < slots; ++i) {
            const auto &sent = s.sends[static_cast<std::size_t>(i)];
            const auto r = i < receive_slots ? s.slot[static_cast<std::size_t>(i)] : nullptr;
            const u64 until = i > first ? time - 1 : time;
            if (r != nullptr && !r->matched && r->posted <= until && !none_until(s, *r, until))
                return false;
            if (sent != nullptr && !sent->matched && !not_complete_at(*sent, until))
                return false;
        }
        if (first >= receive_slots) {
            s.clock = std::max(s.clock, time);
            s.sends[static_cast<std::size_t>(first)] = nullptr;
            finish(s, {any, any, 1, first});
            return true;
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

} // namespace saguaro::mpi
