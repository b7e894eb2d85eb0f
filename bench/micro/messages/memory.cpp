// SPDX-License-Identifier: MIT
//
// terabyte, endless, capacity: the memory of regions and channels. Each run is a process of its
// own, as in latency.cpp.
#include "driver/memory.hpp"
#include "driver/measure.hpp"
#include "driver/registry.hpp"
#include "micro/messages/page_stream.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <saguaro/channel.hpp>
#include <sys/stat.h>
#include <vector>

namespace saguaro::bench {

namespace {

constexpr std::size_t kilobyte = std::size_t{1} << 10;
constexpr std::size_t megabyte = std::size_t{1} << 20;

double kilobytes(std::size_t bytes) {
    return static_cast<double>(bytes) / kilobyte;
}
double megabytes(std::size_t bytes) {
    return static_cast<double>(bytes) / 1e6;
}

/// The file in which the job of this process has its pages and all that it knows of them.
class job_file {
public:
    job_file() {
        spmc_space_self(); // there is a job from now on
        for (const auto &each : std::filesystem::directory_iterator("/proc/self/fd")) {
            std::error_code closed;
            if (read_symlink(each, closed).string().find("saguaro-spmc") != std::string::npos)
                descriptor_ = std::stoi(each.path().filename().string());
        }
    }

    /// The memory that the file takes.
    std::size_t bytes() const {
        struct stat seen = {};
        must(fstat(descriptor_, &seen));
        return static_cast<std::size_t>(seen.st_blocks) * 512;
    }

private:
    int descriptor_ = -1;
};

// ---- One page of a region ----

outcome touch_one_page(long gigabytes) {
    const job_file file;
    const std::size_t before = file.bytes();
    const double resident_before = kilobytes_in("/proc/self/status", "VmRSS:");
    const std::size_t bytes = static_cast<std::size_t>(gigabytes) << 30;
    const double seconds = measure<no_runtime>(1, [&] {
        char *const region = static_cast<char *>(spmc_alloc(nullptr, bytes));
        char *const page = region + bytes / 3 / SPMC_PAGE * SPMC_PAGE;
        *page = 1;
        must(spmc_fix(page, SPMC_PAGE));
    });
    outcome result = seconds;
    result.uses = {{"file_kb", kilobytes(file.bytes() - before)},
                   {"resident_kb", kilobytes_in("/proc/self/status", "VmRSS:") - resident_before}};
    return result;
}

// ---- A stream without end ----

constexpr long gigabyte_words = (1L << 30) / long{sizeof(long)};

/// The greatest size that the job's file had whenever somebody looked.
class peak_of_file {
public:
    void look() { most_ = std::max(most_, file_.bytes()); }
    double seen() const { return megabytes(most_); }

private:
    const job_file file_;
    std::size_t most_ = 0;
};

void fill(long *words, long count, long number) {
    for (long i = 0; i < count; ++i)
        words[i] = number + i;
}
void expect_filled(const long *words, long count, long number) {
    long sum = 0;
    for (long i = 0; i < count; ++i)
        sum += words[i];
    expect_equal(count * number + count * (count - 1) / 2, sum);
}

outcome streamed(double seconds, const peak_of_file &file, double producer_mb) {
    outcome result = seconds;
    result.uses = {
        {"file_mb", file.seen()}, {"producer_mb", producer_mb}, {"consumer_mb", peak_megabytes()}};
    return result;
}

outcome endless_by_channel(long gigabytes) {
    constexpr long words = 64 * kilobyte / sizeof(long);
    const long count = gigabytes * gigabyte_words / words;
    const channel<long> stream;
    const channel<double> peak;
    peak_of_file file;
    const space other([&] {
        pin_second(cores::two);
        for (long i = 0; i < count; ++i)
            stream.send_in_place(words, [&](std::span<long> room) { fill(room.data(), words, i); });
        peak.send(peak_megabytes());
    });
    pin_first();
    const double seconds = measure<no_runtime>(1, [&] {
        for (long i = 0; i < count; ++i) {
            expect_filled(stream.view().data(), words, i);
            if (i % 256 == 0)
                file.look();
        }
        stream.done();
    });
    const double producer_mb = peak.receive();
    other.wait();
    return streamed(seconds, file, producer_mb);
}

outcome endless_by_region(long gigabytes) {
    const long count = gigabytes * gigabyte_words / page_words;
    const page_stream stream(count, 64);
    const channel<double> peak;
    peak_of_file file;
    const space other([&] {
        pin_second(cores::two);
        stream.produce([](long *words, long page) { fill(words, page_words, page); });
        peak.send(peak_megabytes());
    });
    stream.give_to(other);
    pin_first();
    const double seconds = measure<no_runtime>(1, [&] {
        stream.consume([&](const long *words, long page) {
            expect_filled(words, page_words, page);
            if (page % 4096 == 0)
                file.look();
        });
    });
    const double producer_mb = peak.receive();
    other.wait();
    return streamed(seconds, file, producer_mb);
}

// ---- Channels within a given memory ----

/// The channels that a job of so many processes has in the paper.
long needed_by(long processes) {
    return processes * processes + processes - 1;
}

/// How many channels fit into a file of so many megabytes, and for how many processes that is
/// enough.
outcome count_channels(long n, auto make_one) {
    const job_file file;
    const std::size_t most = static_cast<std::size_t>(n) * megabyte;
    long count = 0;
    const double seconds = measure<no_runtime>(1, [&] {
        for (make_one(); file.bytes() <= most; make_one())
            ++count;
    });
    long processes = 1;
    while (needed_by(processes + 1) <= count)
        ++processes;
    outcome result = seconds;
    result.uses = {{"channels", static_cast<double>(count)},
                   {"processes", static_cast<double>(processes)}};
    return result;
}

/// A channel that is never extended needs all of its pages for what it will ever have to carry.
outcome without_extension(long n) {
    constexpr std::size_t bytes = 4 * megabyte;
    return count_channels(n, [] {
        char *const region = static_cast<char *>(spmc_alloc(nullptr, bytes));
        std::memset(region, 1, bytes);
    });
}

/// Fills a new channel of 512 KB with so many messages of so many bytes, and empties it, so many
/// times. The caller has both ends.
void use_a_channel(std::size_t bytes, int messages, int times) {
    const channel<char> one(1, 512 * kilobyte);
    const std::vector<char> message(bytes, 7);
    for (int t = 0; t < times; ++t) {
        for (int i = 0; i < messages; ++i)
            one.send(message);
        for (int i = 0; i < messages; ++i)
            expect_equal(message.back(), one.view().back());
        one.done();
    }
}

/// Each channel has messages of 64 KB, as many as it has room for, and 4.5 MB of them in all.
outcome with_extension(long n) {
    return count_channels(n, [] { use_a_channel(64 * kilobyte, 8, 9); });
}

/// Each channel has messages of 8 bytes, as many as it has room for.
outcome of_small_messages(long n) {
    return count_channels(n, [] { use_a_channel(sizeof(long), 256, 2); });
}

/// The channel of rmat-24 on two processes: one message of 32.2 MB, and 923.6 MB of messages in
/// all. The paper does not say how large the others are: 1 MB here.
outcome one_message_beyond_the_capacity(long n) {
    constexpr std::size_t usual = 1'000'000;
    constexpr std::size_t large = 32'200'000;
    constexpr int usual_count = 891; // with the large one 923.2 MB; the rest is one message more
    constexpr std::size_t rest = 923'600'000 - usual_count * usual - large;
    std::vector<std::size_t> sizes(usual_count, usual);
    sizes.insert(sizes.begin() + usual_count / 2, large);
    sizes.push_back(rest);
    const channel<char> stream(1, 512 * kilobyte);
    peak_of_file file;
    const space other([&] {
        pin_second(cores::two);
        for (const std::size_t bytes : sizes)
            stream.send_in_place(
                bytes, [&](std::span<char> room) { std::memset(room.data(), 7, room.size()); });
    });
    pin_first();
    const double seconds = measure<no_runtime>(1, [&] {
        for (const std::size_t bytes : sizes) {
            const auto message = stream.view();
            expect_equal(static_cast<long>(bytes), static_cast<long>(message.size()));
            expect_equal(7, message.back());
            file.look();
        }
        stream.done();
    });
    other.wait();
    if (file.seen() > megabytes(static_cast<std::size_t>(n) * megabyte))
        throw wrong_answer("the messages took " + std::to_string(file.seen()) + " MB");
    outcome result = seconds;
    result.uses = {{"file_mb", file.seen()}};
    return result;
}

/// A variant each of whose runs is a process of its own.
variant of_its_own(const char *name, outcome (*run)(long n)) {
    return alone(fixed(name, [run](long n, int) { return run(n); }));
}

} // namespace

registry_entry terabyte_bench() {
    const kernel problem = {.name = "terabyte",
                            .meaning = "a region of n GB, of which one page is touched",
                            .base = "region",
                            .sizes = {1, 1024},
                            .greatest_peer_size = 0,
                            .greatest_n = 4096,
                            .parallel = false};
    return entry_of(problem, {{of_its_own("region", touch_one_page)}});
}

registry_entry endless_bench() {
    const kernel problem = {.name = "endless",
                            .meaning = "a stream of n GB to another process",
                            .base = "channel",
                            .sizes = {4},
                            .greatest_peer_size = 0,
                            .greatest_n = 1'000'000,
                            .parallel = false,
                            .operations = [](long n) { return static_cast<double>(n << 20); }};
    return entry_of(problem, {{of_its_own("channel", endless_by_channel),
                               of_its_own("region", endless_by_region)}});
}

registry_entry capacity_bench() {
    const kernel problem = {.name = "capacity",
                            .meaning = "how many channels there can be in n MB",
                            .base = "without-extension",
                            .sizes = {252},
                            .greatest_peer_size = 0,
                            .least_n = 64,
                            .greatest_n = 16'384,
                            .parallel = false};
    return entry_of(problem, {{of_its_own("without-extension", without_extension),
                               of_its_own("channel", with_extension),
                               of_its_own("channel-small", of_small_messages),
                               of_its_own("rmat-24", one_message_beyond_the_capacity)}});
}

} // namespace saguaro::bench
