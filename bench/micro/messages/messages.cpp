// SPDX-License-Identifier: MIT
//
// message: 8 bytes to another process and back. message-large: a megabyte, one way. page: a page
// that one process writes and another reads.
//
// Each run is a process of its own, because a process that has begun a space is the root of a job.
#include "driver/measure.hpp"
#include "driver/registry.hpp"
#include "micro/messages/byte_streams.hpp"
#include "micro/messages/two_processes.hpp"

#include <cstdint>
#include <cstring>
#include <saguaro/channel.hpp>
#include <saguaro/space.hpp>
#include <vector>

namespace saguaro::bench {

namespace {

// ---- 8 bytes there and back ----

double by_channel(long n, cores where) {
    const channel<long> there;
    const channel<long> back;
    const space other([=] {
        pin_second(where);
        for (long i = 0; i < n; ++i)
            back.send(there.receive());
    });
    pin_first();
    const double seconds = measure<no_runtime>(1, [&] {
        for (long i = 0; i < n; ++i) {
            there.send(i);
            expect_equal(i, back.receive());
        }
    });
    other.wait();
    return seconds;
}

double by_stream(long n, cores where, byte_stream::kind kind) {
    const byte_stream stream(kind);
    double seconds = 0;
    with_child(
        where,
        [&] {
            seconds = measure<no_runtime>(1, [&] {
                for (long i = 0; i < n; ++i) {
                    long answer = -1;
                    stream.send_there(&i, sizeof(i));
                    stream.receive_back(&answer, sizeof(answer));
                    expect_equal(i, answer);
                }
            });
        },
        [&] {
            for (long i = 0; i < n; ++i) {
                long number = 0;
                stream.receive_there(&number, sizeof(number));
                stream.send_back(&number, sizeof(number));
            }
        });
    return seconds;
}

// ---- A megabyte one way ----

constexpr std::size_t large = std::size_t{1} << 20;

double large_by_pipe(long n) {
    const byte_stream stream(byte_stream::pipes);
    double seconds = 0;
    std::vector<char> message(large);
    with_child(
        cores::two,
        [&] {
            seconds = measure<no_runtime>(1, [&] {
                for (long i = 0; i < n; ++i) {
                    stream.receive_there(message.data(), large);
                    expect_equal(i % 100, long{message[large - 1]});
                }
            });
        },
        [&] {
            for (long i = 0; i < n; ++i) {
                message[large - 1] = static_cast<char>(i % 100);
                stream.send_there(message.data(), large);
            }
        });
    return seconds;
}

/// The producer writes the message where it lies, or copies it there; the consumer reads it there.
double large_by_channel(long n, bool copies) {
    const channel<char> messages(1, 8 * large);
    const space other([=] {
        pin_second(cores::two);
        std::vector<char> message(large);
        for (long i = 0; i < n; ++i) {
            message[large - 1] = static_cast<char>(i % 100);
            if (copies) {
                messages.send(message);
            } else {
                messages.send_in_place(large, [&](std::span<char> room) {
                    room[0] = message[0];
                    room[large - 1] = message[large - 1];
                });
            }
        }
    });
    pin_first();
    const double seconds = measure<no_runtime>(1, [&] {
        for (long i = 0; i < n; ++i)
            expect_equal(i % 100, long{messages.view()[large - 1]});
        messages.done();
    });
    other.wait();
    return seconds;
}

// ---- A page ----

constexpr long page_words = SPMC_PAGE / sizeof(long);

void must(int refused) {
    expect_equal(0L, long{refused});
}

/// Another process writes n pages and fixes them, so many at a time; the caller reads a word of
/// each. They are a stream of regions of 512 pages and one that is extended.
double by_region(long n, long at_a_time) {
    constexpr long window = 512;
    constexpr std::size_t bytes = (window + 1) * SPMC_PAGE;
    auto *const region = static_cast<volatile long *>(spmc_alloc(nullptr, bytes));
    const auto address = [=](long page) {
        return const_cast<long *>(region + page % window * page_words);
    };
    const auto extend = [=](long page) {
        if ((page + 1) % window == 0) {
            must(spmc_extend(const_cast<long *>(region + window * page_words),
                             const_cast<long *>(region), bytes));
        }
    };
    const channel<long> read_so_far;
    const space other([=] {
        pin_second(cores::two);
        for (long page = 0; page < n; ++page) {
            *const_cast<volatile long *>(address(page)) = page;
            if ((page + 1) % at_a_time == 0 || page + 1 == n) {
                const long first = page / at_a_time * at_a_time;
                must(spmc_fix(address(first),
                              static_cast<std::size_t>(page + 1 - first) * SPMC_PAGE));
            }
            extend(page);
            if ((page + 1) % (4 * window) == 0)
                read_so_far.receive(); // not ahead of its reader without a bound
        }
    });
    must(spmc_transfer_ownership(other.name(), const_cast<long *>(region),
                                 const_cast<long *>(region), bytes));
    pin_first();
    const double seconds = measure<no_runtime>(1, [&] {
        for (long page = 0; page < n; ++page) {
            expect_equal(page, *const_cast<volatile long *>(address(page)));
            extend(page);
            if ((page + 1) % (4 * window) == 0)
                read_so_far.send(page);
        }
    });
    other.wait();
    return seconds;
}

double pages_by_pipe(long n) {
    const byte_stream stream(byte_stream::pipes);
    double seconds = 0;
    std::vector<long> page(page_words);
    with_child(
        cores::two,
        [&] {
            seconds = measure<no_runtime>(1, [&] {
                for (long i = 0; i < n; ++i) {
                    stream.receive_there(page.data(), SPMC_PAGE);
                    expect_equal(i, page[0]);
                }
            });
        },
        [&] {
            for (long i = 0; i < n; ++i) {
                page[0] = i;
                stream.send_there(page.data(), SPMC_PAGE);
            }
        });
    return seconds;
}

double one_way(long n) {
    return 2.0 * static_cast<double>(n);
}

constexpr auto pipes = byte_stream::pipes;
constexpr auto sockets = byte_stream::socket;

} // namespace

registry_entry message_bench() {
    const kernel problem = {.name = "message",
                            .meaning = "n messages of 8 bytes to another process, and as many back",
                            .base = "pipe",
                            .sizes = {20'000},
                            .greatest_peer_size = 0,
                            .greatest_n = 1'000'000'000,
                            .parallel = false,
                            .operations = one_way};
    const std::vector<variant> variants = {
        alone(fixed("pipe", [](long n, int) { return by_stream(n, cores::two, pipes); })),
        alone(fixed("socket", [](long n, int) { return by_stream(n, cores::two, sockets); })),
        alone(fixed("channel", [](long n, int) { return by_channel(n, cores::two); })),
        alone(fixed("pipe-one-core", [](long n, int) { return by_stream(n, cores::one, pipes); })),
        alone(fixed("channel-one-core", [](long n, int) { return by_channel(n, cores::one); })),
    };
    return entry_of(problem, {variants});
}

registry_entry message_large_bench() {
    const kernel problem = {.name = "message-large",
                            .meaning = "n messages of 1 MB to another process",
                            .base = "pipe",
                            .sizes = {1000},
                            .greatest_peer_size = 0,
                            .greatest_n = 1'000'000,
                            .parallel = false,
                            .operations = n_operations};
    const std::vector<variant> variants = {
        alone(fixed("pipe", [](long n, int) { return large_by_pipe(n); })),
        alone(fixed("channel-copy", [](long n, int) { return large_by_channel(n, true); })),
        alone(fixed("channel", [](long n, int) { return large_by_channel(n, false); })),
    };
    return entry_of(problem, {variants});
}

registry_entry page_bench() {
    const kernel problem = {.name = "page",
                            .meaning = "n pages that one process writes and another reads",
                            .base = "pipe",
                            .sizes = {20'480},
                            .greatest_peer_size = 0,
                            .greatest_n = 1'000'000'000,
                            .parallel = false,
                            .operations = n_operations};
    const std::vector<variant> variants = {
        alone(fixed("pipe", [](long n, int) { return pages_by_pipe(n); })),
        alone(fixed("region", [](long n, int) { return by_region(n, 1); })),
        alone(fixed("region-64", [](long n, int) { return by_region(n, 64); })),
    };
    return entry_of(problem, {variants});
}

} // namespace saguaro::bench
