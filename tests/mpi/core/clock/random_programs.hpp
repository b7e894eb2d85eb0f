// SPDX-License-Identifier: MIT
// Random programs with wildcards, probes, polls and synchronous sends, for rule_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace saguaro::mpi {

using u64 = std::uint64_t;

inline u64 mix(u64 x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

constexpr int any = -1;
constexpr int receive_slots = 2;
constexpr int slots = 4; // behind those of receives, of synchronous sends

enum class what {
    end,
    send,
    send_synchronously,
    receive,
    poll,
    post,
    test, // a receive
    ask,  // the same of a synchronous send, once
    wait,
    wait_any, // a receive or a synchronous send
};

struct random_step {
    what kind = what::end;
    int peer = any; // to or from
    int tag = any;
    u64 value = 0;
    int slot = 0;
};

struct outcome {
    int source = any; // any: a poll or test in vain, or a synchronous send
    int tag = any;
    u64 value = 0; // of a synchronous send 1: it is complete
    int slot = 0;  // of wait_any
};

// What a rank does: the next step follows from the seed and from what it saw so far.
class program {
public:
    program(u64 seed, int me, int ranks, int rounds)
        : me_(me), ranks_(ranks), rounds_(rounds), seed_(seed), trace_(mix(seed)),
          from_(static_cast<std::size_t>(ranks)) {
        begin_round();
    }

    u64 trace() const { return trace_; }

    void saw(const outcome &o, u64 clock) {
        if (o.slot >= receive_slots && o.value == 1)
            sends_[static_cast<std::size_t>(o.slot)] = false;
        trace_ =
            mix(trace_ ^ mix(static_cast<u64>(o.source + 7)) ^ mix(static_cast<u64>(o.tag + 99)) ^
                o.value ^ mix(clock * 31) ^ static_cast<u64>(o.slot));
        if (o.source == any)
            return;
        --from_[static_cast<std::size_t>(o.source)];
        --tagged_[static_cast<std::size_t>(o.tag)];
        --left_;
        either_left_ -= either_left_ != 0 ? 1 : 0;
    }

    random_step next() {
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
        // Both receives, however many synchronous sends are complete before.
        if (either_left_ != 0)
            return {what::wait_any, any, any, 0, 0};
        if (left_ == 0 && ++round_ >= rounds_)
            return next_end();
        if (left_ == 0) {
            begin_round();
            return next();
        }
        if (const int slot = pending_send(mix(trace_ + 1)); slot != any && !has_asked_) {
            has_asked_ = true;
            return {what::ask, any, any, 0, slot};
        }
        has_asked_ = false;
        return next_receive();
    }

    void polled(const outcome &o) {
        last_was_in_vain_ = o.source == any;
        probed_ = o;
    }

private:
    random_step take() {
        const random_step o = queue_.back();
        queue_.pop_back();
        return o;
    }

    u64 dice(u64 round, int rank, int salt) const {
        return mix(seed_ ^
                   mix(round * 1009 + static_cast<u64>(rank) * 31 + static_cast<u64>(salt)));
    }
    int sends_of(int rank) const {
        return static_cast<int>(dice(static_cast<u64>(round_), rank, 0) % 4);
    }
    random_step send_of(int rank, int number) const {
        const u64 d = dice(static_cast<u64>(round_), rank, 1 + number);
        random_step o;
        o.kind = what::send;
        o.peer = static_cast<int>(
            (static_cast<u64>(rank) + 1 + (d >> 8) % static_cast<u64>(ranks_ - 1)) %
            static_cast<u64>(ranks_));
        o.tag = static_cast<int>((d >> 32) % 3);
        o.value = d;
        return o;
    }

    // Only now: a rank that waits for matches must owe nobody a receive.
    random_step next_end() {
        for (int slot = receive_slots; slot < slots; ++slot)
            if (sends_[static_cast<std::size_t>(slot)])
                return {what::wait, any, any, 0, slot};
        return {};
    }

    int pending_send(u64 d) const {
        const int slot = receive_slots + static_cast<int>(d % 2);
        return sends_[static_cast<std::size_t>(slot)] ? slot : any;
    }

    void begin_round() {
        sends_left_ = sends_of(me_);
        for (int r = 0; r < ranks_; ++r)
            for (int i = 0; i < sends_of(r); ++i)
                if (const random_step o = send_of(r, i); o.peer == me_) {
                    ++from_[static_cast<std::size_t>(r)];
                    ++tagged_[static_cast<std::size_t>(o.tag)];
                    ++left_;
                }
    }

    random_step next_send() {
        random_step o = send_of(me_, sends_of(me_) - sends_left_);
        --sends_left_;
        const auto slot = receive_slots + o.value % 2;
        if (o.value >> 40 & 1 && !sends_[slot]) {
            o.kind = what::send_synchronously;
            o.slot = static_cast<int>(slot);
            sends_[slot] = true;
        }
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

    random_step next_receive() {
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
                queue_ = {{what::post, any, any, 0, 1}};
                either_left_ = 2;
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
    std::array<bool, slots> sends_{}; // which synchronous sends are under way
    int either_left_ = 0;             // receives to wait for, whichever is first
    bool has_asked_ = false;
    std::vector<random_step> queue_; // the last one first
    random_step polling_{};
    outcome probed_{};
    bool last_was_in_vain_ = false;
};

} // namespace saguaro::mpi
