// SPDX-License-Identifier: MIT
// The functions of merge.h: which channel is next, by anything but arrival.
#include "saguaro/merge.h"

#include "channels/channel.hpp"
#include "spmc/lines.hpp"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

// What the three kinds have in common: the inputs.
struct sg_merge {
    sg_merge(const sg_merge_input *inputs, std::size_t count) : inputs_(inputs, inputs + count) {}
    virtual ~sg_merge() = default;

    sg_merge(const sg_merge &) = delete;
    sg_merge &operator=(const sg_merge &) = delete;

    // False at the end.
    virtual bool next(sg_merge_message &out) = 0;

protected:
    // Waits for an input's next message; its data are null if that is closed. The input is done
    // with its former message.
    sg_merge_message receive(std::size_t from) {
        sg_merge_message got{from, nullptr, 0};
        got.data = end_of(from).next(got.size);
        return got;
    }

    // Is done with what was received from an input, so that its producer has the room.
    void leave(std::size_t from) { end_of(from).done(); }

    std::size_t count() const { return inputs_.size(); }
    unsigned name_of(std::size_t input) const { return inputs_[input].channel * 64U; }

private:
    saguaro::channels::receiver &end_of(std::size_t input) const {
        return saguaro::channels::receiver_of(inputs_[input].channel, inputs_[input].consumer);
    }

    const std::vector<sg_merge_input> inputs_;
};

namespace saguaro::channels {

namespace {

class merge_in_turn final : public sg_merge {
public:
    merge_in_turn(const sg_merge_input *inputs, std::size_t count) : sg_merge(inputs, count) {
        for (std::size_t i = 0; i < count; ++i)
            open_.push_back(i);
    }

    bool next(sg_merge_message &out) override {
        if (const std::size_t former = std::exchange(former_, none); former != none)
            leave(former);
        while (!open_.empty()) {
            if (turn_ == open_.size())
                turn_ = 0;
            out = receive(open_[turn_]);
            if (out.data != nullptr) {
                former_ = open_[turn_++];
                return true;
            }
            open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(turn_));
        }
        return false;
    }

private:
    static constexpr std::size_t none = ~std::size_t{0};

    std::vector<std::size_t> open_; // inputs that are not closed
    std::size_t turn_ = 0;          // an index into these
    std::size_t former_ = none;     // the input that was delivered last
};

class merge_chosen final : public sg_merge {
public:
    merge_chosen(const sg_merge_input *inputs, std::size_t count, sg_merge_choice choose,
                 void *argument)
        : sg_merge(inputs, count), choose_(choose), argument_(argument), is_closed_(count),
          open_(count) {}

    bool next(sg_merge_message &out) override {
        while (open_ > 0) {
            const std::size_t from = choose_(argument_, has_last_ ? &last_ : nullptr);
            if (from >= count())
                spmc::trap("a merge of %zu channels, from 0, whose program has chosen number %zu",
                           count(), from);
            if (is_closed_[from])
                spmc::trap("a merge whose program has chosen channel 0x%x, number %zu, again, "
                           "which is closed",
                           name_of(from), from);
            if (has_last_)
                leave(last_.from);
            last_ = receive(from);
            has_last_ = true;
            if (last_.data != nullptr) {
                out = last_;
                return true;
            }
            is_closed_[from] = true;
            --open_;
        }
        return false;
    }

private:
    const sg_merge_choice choose_;
    void *const argument_;
    std::vector<bool> is_closed_;
    std::size_t open_; // how many are not
    sg_merge_message last_{};
    bool has_last_ = false;
};

// Knows for each open input the least time that may still come: that of a message which was
// received and not delivered, or of the last one, or of a promise. The least of these decides: a
// message is delivered; otherwise the next message of that input is needed. What is received when
// follows from times alone.
class merge_by_time final : public sg_merge {
public:
    merge_by_time(const sg_merge_input *inputs, std::size_t count) : sg_merge(inputs, count) {
        for (std::size_t i = 0; i < count; ++i)
            heap_.push_back({0, {i, nullptr, 0}});
        // Equal times, and the numbers in order: this is a heap.
    }

    bool next(sg_merge_message &out) override {
        while (!heap_.empty()) {
            std::pop_heap(heap_.begin(), heap_.end(), comes_later);
            known &least = heap_.back();
            if (least.message.data != nullptr) {
                out = std::exchange(least.message, {least.message.from, nullptr, 0});
                std::push_heap(heap_.begin(), heap_.end(), comes_later);
                return true;
            }
            if (receive_into(least))
                std::push_heap(heap_.begin(), heap_.end(), comes_later);
            else
                heap_.pop_back();
        }
        return false;
    }

private:
    struct known {
        std::uint64_t time;
        sg_merge_message message; // no data: none that is still to be delivered
    };

    static bool comes_later(const known &a, const known &b) {
        return a.time != b.time ? a.time > b.time : a.message.from > b.message.from;
    }

    // False if the input is closed.
    bool receive_into(known &input) {
        const sg_merge_message got = receive(input.message.from);
        if (got.data == nullptr)
            return false;
        std::uint64_t time = 0;
        if (got.size < sizeof(time))
            spmc::trap("a message of %zu bytes on channel 0x%x, which is merged by time: each "
                       "begins with its time, of 8 bytes",
                       got.size, name_of(got.from));
        std::memcpy(&time, got.data, sizeof(time));
        if (time < input.time)
            spmc::trap("a message of time %" PRIu64 " on channel 0x%x behind time %" PRIu64
                       ": the times of a channel do not decrease",
                       time, name_of(got.from), input.time);
        input.time = time;
        if (got.size > sizeof(time))
            input.message = got;
        else
            leave(got.from); // a promise
        return true;
    }

    std::vector<known> heap_; // the least is first
};

// Null, with errno and a line, if something is wrong with the inputs.
bool are_inputs(const char *function, const sg_merge_input *inputs, std::size_t count) {
    if (count != 0 && inputs == nullptr) {
        spmc::say("%s was given a null pointer for its channels", function);
        return false;
    }
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (inputs[i].channel == inputs[k].channel &&
                inputs[i].consumer == inputs[k].consumer) {
                spmc::say("%s was given channel 0x%x as consumer %u twice", function,
                          inputs[i].channel * 64U, inputs[i].consumer);
                return false;
            }
    return true;
}

template <class Kind, class... More>
sg_merge *begin_merge(const char *function, const sg_merge_input *inputs, std::size_t count,
                      More... more) {
    spmc::job::mine(); // lines name the space
    if (!are_inputs(function, inputs, count)) {
        errno = EINVAL;
        return nullptr;
    }
    try {
        return new Kind(inputs, count, more...);
    } catch (const std::bad_alloc &) {
        spmc::say("%s: no memory for a merge of %zu channels", function, count);
        errno = ENOMEM;
        return nullptr;
    }
}

} // namespace

} // namespace saguaro::channels

using namespace saguaro;
using namespace saguaro::channels;

extern "C" {

sg_merge *sg_merge_in_turn(const sg_merge_input *inputs, size_t count) {
    return begin_merge<merge_in_turn>("sg_merge_in_turn", inputs, count);
}

sg_merge *sg_merge_chosen(const sg_merge_input *inputs, size_t count, sg_merge_choice choose,
                          void *argument) {
    if (choose == nullptr) {
        spmc::say("sg_merge_chosen was given a null pointer for the function");
        errno = EINVAL;
        return nullptr;
    }
    return begin_merge<merge_chosen>("sg_merge_chosen", inputs, count, choose, argument);
}

sg_merge *sg_merge_by_time(const sg_merge_input *inputs, size_t count) {
    return begin_merge<merge_by_time>("sg_merge_by_time", inputs, count);
}

int sg_merge_next(sg_merge *from, sg_merge_message *message) {
    return from->next(*message) ? 1 : 0;
}

void sg_merge_destroy(sg_merge *merge) {
    delete merge;
}

} // extern "C"
