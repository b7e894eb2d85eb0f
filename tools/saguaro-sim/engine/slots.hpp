// SPDX-License-Identifier: MIT
// The simulated deque of a worker, and the end at which thieves take from it. The words are those
// of src/scheduler/README.md, "Pop and steal".
#pragma once

#include "clocks.hpp"
#include "program.hpp"

#include <cstdint>
#include <vector>

namespace saguaro::sim {

// What a thief can take: the continuation of a frame.
struct slot {
    std::uint32_t frame;
    position continuation;
};

class slots {
public:
    static constexpr std::size_t ahead = 16; // so many of the oldest slots become public
    static constexpr unsigned patience = 8;  // so many pops ask in vain before slots are private
    static constexpr unsigned nobody = UINT32_MAX;

    bool is_empty() const { return head_ == row_.size(); }

    void push(slot what) { row_.push_back(what); }

    slot pop() {
        const slot newest = row_.back();
        row_.pop_back();
        if (head_ == row_.size())
            reset();
        return newest;
    }

    slot take() {
        const slot oldest = row_[head_++];
        vain_ = 0;
        if (is_empty())
            reset();
        return oldest;
    }

    // Whether the owner is certain to ask before it pops.
    bool is_oldest_public() const { return head_ < open_; }
    bool is_newest_public() const { return row_.size() <= open_; }

    // The owner has come to the lock, or all processors have passed a fence.
    void open_oldest() {
        open_ = head_ + ahead;
        vain_ = 0;
        request_ = clocks::never;
        asker_ = nobody;
    }

    // The owner has asked, and nobody had taken or requested anything.
    void asked_in_vain() {
        if (++vain_ == patience) {
            open_ = row_.size() - 1;
            vain_ = 0;
        }
    }

    bool is_requested() const { return request_ != clocks::never; }
    ps requested_at() const { return request_; }
    void request(ps now, unsigned thief) {
        request_ = now;
        asker_ = thief;
    }
    // Who still looks for the answer.
    unsigned asker() const { return asker_; }
    void asker_leaves() { asker_ = nobody; }

    // Until then a thief holds the lock, and others go to another victim.
    ps locked_until = 0;
    // Until then a thief waits for a fence on behalf of the request.
    ps fenced_until = 0;

private:
    // What the owner has learnt of thieves stays.
    void reset() {
        open_ -= open_ < head_ ? open_ : head_;
        head_ = 0;
        row_.clear();
    }

    std::vector<slot> row_;
    std::size_t head_ = 0;
    std::size_t open_ = 0;
    unsigned vain_ = 0;
    ps request_ = clocks::never;
    unsigned asker_ = nobody;
};

} // namespace saguaro::sim
