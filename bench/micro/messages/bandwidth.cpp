// SPDX-License-Identifier: MIT
//
// bandwidth: messages of n bytes to another process, as many as go. Each run is a process of its
// own, as in latency.cpp.
#include "driver/measure.hpp"
#include "driver/registry.hpp"
#include "micro/messages/links.hpp"
#ifdef SG_BENCH_BOOST_QUEUES
#include "micro/messages/boost_queues.hpp"
#endif

#include <algorithm>
#include <saguaro/channel.hpp>
#include <vector>

namespace saguaro::bench {

namespace {

long messages(long bytes) {
    return std::clamp((1L << 28) / bytes, 500L, 200'000L);
}

double sent(long bytes) {
    return static_cast<double>(messages(bytes));
}

/// The seconds of messages of n bytes from send(number), in the other process, to receive(number).
template <typename Link>
double stream_of(long n, auto send, auto receive) {
    const long first = first_messages(n);
    const long end = first + messages(n);
    double seconds = 0;
    const auto take = [&](long from, long to) {
        for (long i = from; i < to; ++i)
            receive(i);
    };
    Link::run(
        cores::two,
        [&] {
            take(0, first);
            seconds = measure<no_runtime>(1, [&] { take(first, end); });
        },
        [&] {
            for (long i = 0; i < end; ++i)
                send(i);
        });
    return seconds;
}

outcome with_bandwidth(double seconds, long n) {
    outcome result = seconds;
    result.uses = {{"gb_per_s", 1e-9 * static_cast<double>(n) * sent(n) / seconds}};
    return result;
}

/// Both processes copy.
template <typename Link>
outcome copied(const Link &link, long n) {
    const auto bytes = static_cast<std::size_t>(n);
    std::vector<char> message(bytes);
    char *const data = message.data();
    const auto send = [&](long i) {
        stamp(data, n, i);
        link.send_back(data, bytes);
    };
    const auto receive = [&](long i) {
        link.receive_back(data, bytes);
        expect_stamp(data, n, i);
    };
    return with_bandwidth(stream_of<Link>(n, send, receive), n);
}

/// The receiver reads the message where it lies. The sender copies it to that place, or has nothing
/// to write there but its last bytes.
double in_place(long n, bool sender_copies) {
    const channel<char> stream(1, channel_capacity(n));
    const auto bytes = static_cast<std::size_t>(n);
    std::vector<char> message(bytes);
    const auto send = [&](long i) {
        if (sender_copies) {
            stamp(message.data(), n, i);
            stream.send(message);
        } else {
            stream.send_in_place(bytes, [&](std::span<char> room) { stamp(room.data(), n, i); });
        }
    };
    return stream_of<channels>(n, send, [&](long i) { expect_stamp(stream.view().data(), n, i); });
}

} // namespace

registry_entry bandwidth_bench() {
    const kernel problem = {.name = "bandwidth",
                            .meaning = "messages of n bytes to another process, as many as go",
                            .base = "pipe",
                            .sizes = message_sizes,
                            .greatest_peer_size = 0,
                            .least_n = least_bytes,
                            .greatest_n = 1L << 30,
                            .parallel = false,
                            .operations = sent};
    const std::vector<variant> variants = {
        alone(fixed("pipe",
                    [](long n, int) { return copied(byte_streams(byte_streams::pipes), n); })),
        alone(fixed("socket",
                    [](long n, int) { return copied(byte_streams(byte_streams::socket), n); })),
#ifdef SG_BENCH_BOOST_QUEUES
        alone(fixed("boost-queue", [](long n, int) { return copied(boost_queues(n), n); })),
#endif
        alone(fixed("channel-copy", [](long n, int) { return copied(channels(n), n); })),
        alone(fixed("channel-view",
                    [](long n, int) { return with_bandwidth(in_place(n, true), n); })),
        alone(fixed("channel", [](long n, int) { return in_place(n, false); })),
    };
    return entry_of(problem, {variants});
}

} // namespace saguaro::bench
