// SPDX-License-Identifier: MIT
//
// message: messages of n bytes to another process and back, one at a time.
//
// Each run is a process of its own, because a process that has begun a space is the root of a job.
#include "driver/measure.hpp"
#include "driver/registry.hpp"
#include "micro/messages/links.hpp"
#ifdef SG_BENCH_BOOST_QUEUES
#include "micro/messages/boost_queues.hpp"
#endif

#include <algorithm>
#include <vector>

namespace saguaro::bench {

namespace {

long round_trips(long bytes) {
    return std::clamp(100'000'000 / bytes, 100L, 10'000L);
}

double one_way_messages(long bytes) {
    return 2.0 * static_cast<double>(round_trips(bytes));
}

template <typename Link>
double there_and_back(const Link &link, long n, cores where) {
    const auto bytes = static_cast<std::size_t>(n);
    const long first = first_messages(n);
    const long end = first + round_trips(n);
    std::vector<char> message(bytes);
    char *const data = message.data();
    const auto ask = [&](long from, long to) {
        for (long i = from; i < to; ++i) {
            stamp(data, n, i);
            link.send_there(data, bytes);
            stamp(data, n, -1);
            link.receive_back(data, bytes);
            expect_stamp(data, n, i);
        }
    };
    const auto answer = [&] {
        for (long i = 0; i < end; ++i) {
            link.receive_there(data, bytes);
            link.send_back(data, bytes);
        }
    };
    double seconds = 0;
    Link::run(
        where,
        [&] {
            ask(0, first);
            seconds = measure<no_runtime>(1, [&] { ask(first, end); });
        },
        answer);
    return seconds;
}

double by_pipe(long n, cores where) {
    return there_and_back(byte_streams(byte_streams::pipes), n, where);
}
double by_socket(long n, cores where) {
    return there_and_back(byte_streams(byte_streams::socket), n, where);
}
double by_channel(long n, cores where) {
    return there_and_back(channels(n), n, where);
}
#ifdef SG_BENCH_BOOST_QUEUES
double by_boost(long n, cores where) {
    return there_and_back(boost_queues(n), n, where);
}
#endif

using way = double (*)(long n, cores where);

variant on_two(const char *name, way by) {
    return alone(fixed(name, [by](long n, int) { return by(n, cores::two); }));
}
variant on_one(const char *name, way by) {
    variant made = alone(fixed(name, [by](long n, int) { return by(n, cores::one); }));
    made.greatest_size = least_bytes;
    return made;
}

} // namespace

registry_entry message_bench() {
    const kernel problem = {.name = "message",
                            .meaning = "messages of n bytes to another process and back",
                            .base = "pipe",
                            .sizes = message_sizes,
                            .greatest_peer_size = 0,
                            .least_n = least_bytes,
                            .greatest_n = 1L << 30,
                            .parallel = false,
                            .operations = one_way_messages};
    const std::vector<variant> variants = {
        on_two("pipe", by_pipe),
        on_two("socket", by_socket),
#ifdef SG_BENCH_BOOST_QUEUES
        on_two("boost-queue", by_boost),
#endif
        on_two("channel", by_channel),
        on_one("pipe-one-core", by_pipe),
        on_one("channel-one-core", by_channel),
    };
    return entry_of(problem, {variants});
}

} // namespace saguaro::bench
