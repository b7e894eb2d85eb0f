// SPDX-License-Identifier: MIT
//
// page: pages that one process writes and another reads, and the faults that they cost. Each run is
// a process of its own, as in latency.cpp.
#include "driver/measure.hpp"
#include "driver/registry.hpp"
#include "micro/messages/links.hpp"
#include "micro/messages/page_stream.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <sys/resource.h>
#include <vector>

namespace saguaro::bench {

namespace {

/// What pages cost beside time, in one process or in both.
struct faults {
    long signals; // accesses that the library's handler has answered
    long kernel;  // those that the kernel has answered without it
};

/// Counts the faults of this process from its begin. It stands before the library's handler of
/// SIGSEGV, which it calls. One at a time.
class fault_count {
public:
    fault_count() {
        signals = 0;
        sigaction(SIGSEGV, nullptr, &library);
        struct sigaction counting = library;
        counting.sa_sigaction = [](int number, siginfo_t *info, void *state) {
            // Relaxed: one process counts, and reads when it has no more faults.
            signals.fetch_add(1, std::memory_order_relaxed);
            library.sa_sigaction(number, info, state);
        };
        sigaction(SIGSEGV, &counting, nullptr);
        kernel_before_ = kernel();
    }
    ~fault_count() { sigaction(SIGSEGV, &library, nullptr); }
    fault_count(const fault_count &) = delete;
    fault_count &operator=(const fault_count &) = delete;

    faults so_far() const {
        return {signals.load(std::memory_order_relaxed), kernel() - kernel_before_};
    }

private:
    static long kernel() {
        rusage used{};
        getrusage(RUSAGE_SELF, &used);
        return used.ru_minflt;
    }

    inline static std::atomic<long> signals{0};
    inline static struct sigaction library{};
    long kernel_before_;
};

/// The other process writes a word of each page, and the caller reads it.
outcome by_region(long n, long at_a_time) {
    const page_stream stream(n, at_a_time);
    const channel<faults> of_producer;
    const space other([&] {
        pin_second(cores::two);
        const fault_count count;
        stream.produce([](volatile long *words, long page) { *words = page; });
        of_producer.send(count.so_far());
    });
    stream.give_to(other);
    pin_first();
    const fault_count count;
    const double seconds = measure<no_runtime>(1, [&] {
        stream.consume([](const volatile long *words, long page) { expect_equal(page, *words); });
    });
    const faults mine = count.so_far();
    const faults theirs = of_producer.receive();
    other.wait();
    const auto pages = static_cast<double>(n);
    outcome result = seconds;
    result.uses = {{"signals", static_cast<double>(mine.signals + theirs.signals) / pages},
                   {"page_faults", static_cast<double>(mine.kernel + theirs.kernel) / pages}};
    return result;
}

/// The same where the producer has no access to its own pages either before it touches them.
outcome fully_protected(long n, long at_a_time) {
    setenv("SAGUARO_SPMC_ENFORCE", "1", 1);
    return by_region(n, at_a_time);
}

double by_pipe(long n) {
    const byte_streams link(byte_streams::pipes);
    double seconds = 0;
    std::vector<char> page(SPMC_PAGE);
    with_child(
        cores::two,
        [&] {
            seconds = measure<no_runtime>(1, [&] {
                for (long i = 0; i < n; ++i) {
                    link.receive_back(page.data(), SPMC_PAGE);
                    expect_stamp(page.data(), SPMC_PAGE, i);
                }
            });
        },
        [&] {
            for (long i = 0; i < n; ++i) {
                stamp(page.data(), SPMC_PAGE, i);
                link.send_back(page.data(), SPMC_PAGE);
            }
        });
    return seconds;
}

} // namespace

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
        alone(fixed("pipe", [](long n, int) { return by_pipe(n); })),
        alone(fixed("region", [](long n, int) { return by_region(n, 1); })),
        alone(fixed("region-64", [](long n, int) { return by_region(n, 64); })),
        alone(fixed("region-full", [](long n, int) { return fully_protected(n, 1); })),
        alone(fixed("region-64-full", [](long n, int) { return fully_protected(n, 64); })),
    };
    return entry_of(problem, {variants});
}

} // namespace saguaro::bench
