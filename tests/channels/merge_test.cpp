// SPDX-License-Identifier: MIT
// Merges: their order against one that a serial program computes, whatever the producers' speed;
// channels that are closed, promises, and what is refused. And the end of a single channel.
#include "lines.hpp"

#include "saguaro/merge.hpp"
#include "saguaro/space.hpp"
#include "support/job.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace saguaro {

namespace {

using test_support::outcome;
using test_support::run_job;

// ---- The end of a channel ----

TEST(channels_close, comes_behind_all_messages_and_stays) {
    const outcome seen = run_job([] {
        const channel<int> numbers;
        const space other([=] {
            for (int i = 0; i < 1000; ++i) // more than there are cells
                numbers.send(i);
            numbers.close();
        });
        for (int i = 0; i < 1000; ++i)
            if (numbers.next() != i)
                return 3;
        other.wait();
        for (int i = 0; i < 3; ++i) {
            std::size_t bytes = 7;
            int value = 0;
            if (numbers.next() || sg_channel_view(numbers.name(), 0, &bytes) != nullptr ||
                bytes != 0 || !numbers.receive_all().empty() ||
                sg_channel_receive(numbers.name(), 0, &value, 4) != SG_CHANNEL_CLOSED)
                return 4;
        }
        try {
            numbers.receive();
        } catch (const std::out_of_range &) {
            return 0;
        }
        return 5;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

TEST(channels_close, is_no_empty_message) {
    const outcome seen = run_job([] {
        const channel<int> numbers(2);
        numbers.send(std::span<const int>());
        numbers.close();
        for (const unsigned k : {0U, 1U})
            if (numbers.view(k).data() == nullptr || numbers.view(k).data() != nullptr)
                return 3;
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// The 256 cells are full: who closes waits for room like who sends.
TEST(channels_close, of_a_full_channel_waits) {
    const outcome seen = run_job([] {
        const channel<int> numbers;
        const space other([=] {
            for (int i = 0; i < 256; ++i)
                numbers.send(i);
            numbers.close();
        });
        usleep(20'000);
        int count = 0;
        while (numbers.next() == count)
            ++count;
        other.wait();
        return count == 256 ? 0 : 3;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

TEST(channels_close, happens_once) {
    expect_line(run_job([] {
                    const channel<int> numbers;
                    numbers.close();
                    numbers.close();
                    return 0;
                }),
                "sg_channel_close on channel 0x");
}

TEST(channels_close, is_the_last_thing_that_is_sent) {
    expect_line(run_job([] {
                    const channel<int> numbers;
                    numbers.send(1);
                    numbers.close();
                    numbers.send(2);
                    return 0;
                }),
                "a message on channel 0x");
}

TEST(channels_close, does_not_forget_a_reserved_message) {
    expect_line(run_job([] {
                    const channel<int> numbers;
                    sg_channel_reserve(numbers.name(), 4);
                    numbers.close();
                    return 0;
                }),
                "between sg_channel_reserve and sg_channel_publish");
}

// ---- Orders ----

// What a producer of a test sends: times that do not decrease, some of them promises.
struct step {
    std::uint64_t time;
    bool is_promise;
};
using stream = std::vector<step>;
using message = stamped<std::uint32_t>; // the value is the step's number

struct delivered {
    std::size_t from;
    std::uint64_t time;
    std::uint32_t value;

    auto operator<=>(const delivered &) const = default;
};

std::vector<stream> random_streams(std::mt19937 &random) {
    std::vector<stream> made(1 + random() % 5);
    for (stream &each : made) {
        each.resize(random() % 60);
        std::uint64_t time = 0;
        for (step &s : each)
            s = {time += random() % 4, random() % 5 == 0};
    }
    return made;
}

// Sends a stream with pauses that differ from run to run.
void send_stream(const stream &what, const channel<message> &to) {
    std::random_device delays;
    for (std::uint32_t i = 0; i < what.size(); ++i) {
        if (delays() % 8 == 0)
            usleep(delays() % 300);
        if (what[i].is_promise)
            promise(to, what[i].time);
        else
            to.send({what[i].time, i});
    }
    to.close();
}

std::vector<delivered> all_of(merge<message> from) {
    std::vector<delivered> seen;
    while (const auto next = from.next())
        seen.push_back({next->from, next->value().time, next->value().value});
    return seen;
}

// Whether a merge of these streams, begun by `begin`, delivers the expected.
template <class Begin>
bool has_order(const std::vector<stream> &streams, const std::vector<delivered> &expected,
               Begin begin) {
    const std::vector<channel<message>> inputs(streams.size());
    std::vector<space> producers;
    for (std::size_t i = 0; i < streams.size(); ++i)
        producers.emplace_back([&, i] { send_stream(streams[i], inputs[i]); });
    const bool is_expected = all_of(begin(inputs)) == expected;
    for (const space &each : producers)
        each.wait();
    return is_expected;
}

TEST(channels_merge, by_time_is_the_order_of_times_and_channels) {
    const outcome seen = run_job([] {
        std::mt19937 random(1);
        for (int run = 0; run < 40; ++run) {
            const std::vector<stream> streams = random_streams(random);
            std::vector<delivered> expected;
            for (std::size_t i = 0; i < streams.size(); ++i)
                for (std::uint32_t k = 0; k < streams[i].size(); ++k)
                    if (!streams[i][k].is_promise)
                        expected.push_back({i, streams[i][k].time, k});
            std::stable_sort(expected.begin(), expected.end(), [](const auto &a, const auto &b) {
                return std::pair(a.time, a.from) < std::pair(b.time, b.from);
            });
            if (!has_order(streams, expected,
                           [](const auto &inputs) { return merge<message>::by_time(inputs); }))
                return 3;
        }
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

std::vector<stream> without_promises(std::vector<stream> streams) {
    for (stream &each : streams)
        for (step &s : each)
            s.is_promise = false;
    return streams;
}

TEST(channels_merge, in_turn_leaves_out_who_is_closed) {
    const outcome seen = run_job([] {
        std::mt19937 random(2);
        for (int run = 0; run < 40; ++run) {
            const std::vector<stream> streams = without_promises(random_streams(random));
            std::vector<delivered> expected;
            for (std::uint32_t k = 0; k < 60; ++k)
                for (std::size_t i = 0; i < streams.size(); ++i)
                    if (k < streams[i].size())
                        expected.push_back({i, streams[i][k].time, k});
            if (!has_order(streams, expected,
                           [](const auto &inputs) { return merge<message>::in_turn(inputs); }))
                return 3;
        }
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// Each message, by its time, names the channel that is next; a closed one hands on to its
// successor.
struct by_messages {
    std::vector<bool> is_closed;

    std::size_t successor(std::size_t of) const {
        do
            of = (of + 1) % is_closed.size();
        while (is_closed[of]);
        return of;
    }
    std::size_t operator()(const merged<message> *last) {
        if (last == nullptr)
            return 0;
        if (last->values.data() == nullptr)
            is_closed[last->from] = true;
        const std::size_t named =
            last->values.data() == nullptr ? last->from : last->value().time % is_closed.size();
        return is_closed[named] ? successor(named) : named;
    }
};

TEST(channels_merge, a_choice_of_the_program_decides) {
    const outcome seen = run_job([] {
        std::mt19937 random(3);
        for (int run = 0; run < 40; ++run) {
            const std::vector<stream> streams = without_promises(random_streams(random));
            by_messages choose{std::vector<bool>(streams.size())};
            // The same by hand.
            std::vector<delivered> expected;
            std::vector<std::uint32_t> at(streams.size());
            std::size_t open = streams.size();
            for (std::size_t from = choose(nullptr); open > 0;) {
                message sent{0, at[from]};
                merged<message> last{from, {}};
                if (at[from] < streams[from].size()) {
                    sent.time = streams[from][at[from]++].time;
                    last.values = {&sent, 1};
                    expected.push_back({from, sent.time, sent.value});
                } else if (--open == 0) {
                    break;
                }
                from = choose(&last);
            }
            if (!has_order(streams, expected, [&](const auto &inputs) {
                    return merge<message>::chosen(inputs,
                                                  by_messages{std::vector<bool>(streams.size())});
                }))
                return 3;
        }
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

TEST(channels_merge, threads_are_producers_too) {
    const outcome seen = run_job([] {
        const std::array<channel<message>, 2> inputs;
        std::vector<std::thread> producers;
        for (std::uint64_t i = 0; i < 2; ++i)
            producers.emplace_back([&inputs, i] {
                for (std::uint32_t k = 0; k < 5000; ++k)
                    inputs[i].send({2 * k + i, k});
                inputs[i].close();
            });
        auto all = merge<message>::by_time(inputs);
        std::uint64_t time = 0;
        for (; const auto next = all.next(); ++time)
            if (next->value().time != time || next->from != time % 2)
                return 3;
        for (std::thread &each : producers)
            each.join();
        return time == 10'000 ? 0 : 4;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

TEST(channels_merge, of_no_channels_is_at_its_end) {
    const outcome seen = run_job([] {
        const std::span<const channel<message>> none;
        const auto first = [](const merged<message> *) { return std::size_t{0}; };
        return merge<message>::in_turn(none).next() || merge<message>::by_time(none).next() ||
               merge<message>::chosen(none, first).next();
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// A message stays until the next call, and then its room is free, whichever channel that call is
// about: the first channel has room for two of its messages.
TEST(channels_merge, makes_room_when_it_goes_on) {
    const outcome seen = run_job([] {
        const std::array<channel<char>, 2> inputs{channel<char>(1, 1), channel<char>(1, 1)};
        const channel<int> sent;
        const space other([=] {
            inputs[1].send('x');
            inputs[1].close();
            for (int i = 0; i < 3; ++i)
                inputs[0].send(std::vector<char>(60'000, static_cast<char>('a' + i)));
            sent.send(1);
            inputs[0].close();
        });
        auto all = merge<char>::in_turn(inputs);
        const auto first = all.next();
        if (first->values.size() != 60'000 || first->values[59'999] != 'a')
            return 3;
        if (all.next()->value() != 'x')
            return 4;
        sent.receive(); // the third has the room of the first
        if (all.next()->values[0] != 'b' || all.next()->values[0] != 'c' || all.next())
            return 5;
        other.wait();
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// The root merges what two spaces say, and one of them says something only when it is asked: by
// what comes of the merge. With a promise all go on; without, all wait.
int asks_and_answers(bool promises) {
    const std::array<channel<message>, 2> inputs;
    const channel<int> question;
    const space talks([=] {
        for (std::uint32_t i = 0; i < 10; ++i)
            inputs[0].send({10 * i, i});
        inputs[0].close();
    });
    const space answers([=] {
        for (std::uint32_t i = 0; i < 10; ++i) {
            if (promises)
                promise(inputs[1], 10 * i + 1);
            question.receive();
            inputs[1].send({10 * i + 1, 100 + i});
        }
        inputs[1].close();
    });
    auto all = merge<message>::by_time(inputs);
    std::vector<std::uint32_t> seen;
    while (const auto next = all.next()) {
        if (next->from == 0)
            question.send(1);
        seen.push_back(next->value().value);
    }
    for (std::uint32_t i = 0; i < 20; ++i)
        if (seen.at(i) != (i % 2 == 0 ? i / 2 : 100 + i / 2))
            return 3;
    talks.wait();
    answers.wait();
    return 0;
}

TEST(channels_merge, a_promise_lets_all_go_on) {
    const outcome seen = run_job([] { return asks_and_answers(true); });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

TEST(channels_merge, without_a_promise_all_wait) {
    expect_line(run_job([] { return asks_and_answers(false); }), "deadlock");
}

// ---- What is refused ----

TEST(channels_merge, times_do_not_decrease) {
    expect_line(run_job([] {
                    const channel<message> input;
                    promise(input, 8);
                    input.send({7, 0});
                    merge<message>::by_time({&input, 1}).next();
                    return 0;
                }),
                "behind time 8: the times of a channel do not decrease");
}

TEST(channels_merge, a_message_without_a_time) {
    expect_line(run_job([] {
                    const channel<message> input;
                    sg_channel_send(input.name(), "hello", 5);
                    merge<message>::by_time({&input, 1}).next();
                    return 0;
                }),
                "a message of 5 bytes on channel 0x");
}

TEST(channels_merge, a_choice_of_no_channel) {
    expect_line(run_job([] {
                    const std::array<channel<char>, 2> inputs;
                    merge<char>::chosen(inputs, [](const merged<char> *) { return 2U; }).next();
                    return 0;
                }),
                "a merge of 2 channels, from 0, whose program has chosen number 2");
}

TEST(channels_merge, a_choice_of_a_closed_channel) {
    expect_line(run_job([] {
                    const std::array<channel<char>, 2> inputs;
                    inputs[1].close();
                    merge<char>::chosen(inputs, [](const merged<char> *) { return 1U; }).next();
                    return 0;
                }),
                ", number 1, again, which is closed");
}

TEST(channels_merge, a_channel_is_there_once) {
    const outcome seen = run_job([] {
        const channel<char> input(2);
        const sg_merge_input twice[] = {{input.name(), 0}, {input.name(), 1}, {input.name(), 0}};
        sg_merge *const two = sg_merge_in_turn(twice, 2);
        errno = 0;
        const bool is_refused = sg_merge_in_turn(twice, 3) == nullptr && errno == EINVAL;
        sg_merge_destroy(two);
        return two != nullptr && is_refused ? 0 : 3;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_NE(seen.err.find("as consumer 0 twice"), std::string::npos) << seen.err;
}

TEST(channels_merge, null_pointers) {
    const outcome seen = run_job([] {
        return sg_merge_by_time(nullptr, 1) == nullptr && errno == EINVAL &&
                       sg_merge_chosen(nullptr, 0, nullptr, nullptr) == nullptr
                   ? 0
                   : 3;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_NE(seen.err.find("a null pointer for its channels"), std::string::npos) << seen.err;
    EXPECT_NE(seen.err.find("a null pointer for the function"), std::string::npos) << seen.err;
}

} // namespace

} // namespace saguaro
