// SPDX-License-Identifier: MIT
// Planning the measurements of a grid and running them round by round.
#include "driver/rounds.hpp"

#include "driver/ceiling.hpp"
#include "driver/measure.hpp"
#include "driver/median.hpp"

#include <algorithm>
#include <cstdio>
#include <random>
#include <unistd.h>

namespace saguaro::bench {

namespace {

struct measurement {
    const variant *what;
    int workers;
    std::size_t row; // where it stands in the table
    std::vector<outcome> samples;
};

/// One line on a terminal's stderr, written over again and again; nothing elsewhere.
class progress_line {
public:
    progress_line() = default;
    progress_line(const progress_line &) = delete;
    progress_line &operator=(const progress_line &) = delete;
    ~progress_line() { clear(); }

    void show(const std::string &text) const {
        if (visible)
            std::fprintf(stderr, "\r\033[K%s", text.c_str());
    }

    void clear() const { show(""); }

private:
    bool visible = isatty(STDERR_FILENO) == 1;
};

std::string title(const kernel &bench, long n, const measurement &one) {
    return bench.name + " " + one.what->name + ", n=" + std::to_string(n) +
           ", workers=" + std::to_string(one.workers);
}

bool runs_at(const kernel &bench, const variant &one, long n, const settings &how) {
    return one.bench == bench.name && (how.n || n <= one.greatest_size);
}

std::vector<measurement> plan(const kernel &bench, long n, const std::vector<variant> &variants,
                              const settings &how) {
    std::vector<measurement> planned;
    for (const variant &one : variants) {
        if (!runs_at(bench, one, n, how))
            continue;
        if (!one.ceiling)
            planned.push_back({&one, 1, planned.size(), {}});
        if (one.parallel && how.workers > 1)
            planned.push_back({&one, how.workers, planned.size(), {}});
    }
    // Without a row that it could be held against, a ceiling says nothing.
    if (std::ranges::none_of(planned, [](const measurement &one) {
            return one.workers > 1 && !one.what->ceiling;
        })) {
        std::erase_if(planned, [](const measurement &one) { return one.what->ceiling; });
    }
    return planned;
}

/// Whether the names are those of the sample before: medians are taken name by name.
bool same_names(const outcome &a, const outcome &b) {
    return std::ranges::equal(a.uses, b.uses, {}, &std::pair<std::string, double>::first,
                              &std::pair<std::string, double>::first);
}

void sample(const kernel &bench, long n, measurement &one) {
    try {
        const outcome taken = one.what->run(n, one.workers);
        if (!one.samples.empty() && !same_names(taken, one.samples.front()))
            throw peer_failure(title(bench, n, one) + ": other names in each round");
        one.samples.push_back(taken);
    } catch (const wrong_answer &fault) {
        throw std::runtime_error(title(bench, n, one) + ": " + fault.what());
    }
}

/// One sample of each; a measurement that its peer does not know is dropped, with its variant.
void run_round(const kernel &bench, long n, std::vector<measurement> &planned,
               const std::string &round, const progress_line &progress) {
    for (std::size_t i = 0; i < planned.size();) {
        progress.show(round + title(bench, n, planned[i]));
        try {
            sample(bench, n, planned[i]);
            i++;
        } catch (const unknown_to_peer &reason) {
            progress.clear();
            std::fprintf(stderr, "saguaro-bench: %s: skipped\n", reason.what());
            std::erase_if(planned, [unknown = planned[i].what](const measurement &other) {
                return other.what == unknown;
            });
        }
    }
}

/// The samples that count: those of the rounds in which the machine kept its speed, or all if there
/// is none.
std::vector<outcome> samples_of(const measurement &one, const std::vector<std::size_t> &marked) {
    if (marked.size() == one.samples.size())
        return one.samples;
    std::vector<outcome> kept;
    for (std::size_t round = 0; round < one.samples.size(); round++)
        if (!std::ranges::binary_search(marked, round))
            kept.push_back(one.samples[round]);
    return kept;
}

std::vector<double> seconds_of(const std::vector<outcome> &samples) {
    std::vector<double> seconds;
    for (const outcome &sample : samples)
        seconds.push_back(sample.seconds);
    return seconds;
}

/// The median of each number by itself, of the parts or of the uses.
std::vector<std::pair<std::string, double>>
medians(const std::vector<outcome> &samples,
        std::vector<std::pair<std::string, double>> outcome::*of) {
    std::vector<std::pair<std::string, double>> numbers = samples.front().*of;
    for (std::size_t i = 0; i < numbers.size(); i++) {
        std::vector<double> values;
        for (const outcome &sample : samples)
            values.push_back((sample.*of)[i].second);
        numbers[i].second = median(values);
    }
    return numbers;
}

/// What `one` is compared with: the base with as many workers, or else with one.
const measurement &base_of(const kernel &bench, const measurement &one,
                           const std::vector<measurement> &measured) {
    const measurement *base = nullptr;
    for (const measurement &other : measured)
        if (other.what->name == bench.base && (base == nullptr || other.workers == one.workers))
            base = &other;
    return *base;
}

const measurement *ceiling_among(const std::vector<measurement> &measured) {
    auto found =
        std::ranges::find_if(measured, [](const measurement &one) { return one.what->ceiling; });
    return found == measured.end() ? nullptr : &*found;
}

/// The rows of what was measured, with the control's seconds before the first round and after each;
/// none of them without a ceiling.
std::vector<row> rows_of(const kernel &bench, long n, const std::vector<measurement> &measured,
                         const std::vector<double> &controls) {
    const std::vector<std::size_t> marked = marked_rounds(controls);
    const auto seconds_taken = [&](const measurement &one) {
        return median(seconds_of(samples_of(one, marked)));
    };
    const measurement *const ceiling = ceiling_among(measured);
    const double ceiling_seconds = ceiling == nullptr ? 0 : seconds_taken(*ceiling);
    std::vector<row> rows;
    for (const measurement &one : measured) {
        const std::vector<outcome> samples = samples_of(one, marked);
        const double seconds = seconds_taken(one);
        const double base_seconds = seconds_taken(base_of(bench, one, measured));
        row result{.bench = bench.name,
                   .variant = one.what->name,
                   .workers = one.workers,
                   .n = n,
                   .seconds = seconds,
                   // Equal numbers, even of nothing: on one worker nothing is stolen and merged.
                   .ratio = seconds == base_seconds ? 1 : seconds / base_seconds,
                   .ns_per_op = std::nullopt,
                   .samples = seconds_of(one.samples),
                   .parts = medians(samples, &outcome::parts),
                   .uses = medians(samples, &outcome::uses),
                   .of_ceiling = std::nullopt,
                   .machine = std::nullopt};
        if (bench.operations != nullptr)
            result.ns_per_op = seconds * 1e9 / bench.operations(n);
        if (&one == ceiling) {
            result.machine = {.control = controls, .marked = marked};
            std::ranges::for_each(result.machine->marked, [](std::size_t &round) { round++; });
        } else if (ceiling_seconds > 0 && one.workers == ceiling->workers) {
            result.of_ceiling = seconds / ceiling_seconds;
        }
        rows.push_back(result);
    }
    return rows;
}

} // namespace

std::vector<row> run_rounds(const kernel &bench, long n, const std::vector<variant> &variants,
                            const settings &how) {
    std::vector<measurement> planned = plan(bench, n, variants, how);
    std::vector<double> controls;
    std::minstd_rand anything;
    const auto look_at_the_machine = [&] {
        if (ceiling_among(planned) != nullptr)
            controls.push_back(how.control());
    };
    progress_line progress;
    look_at_the_machine();
    for (int round = 1; round <= how.repeat; round++) {
        std::string label =
            "round " + std::to_string(round) + "/" + std::to_string(how.repeat) + ": ";
        // What runs before a measurement leaves its data in the caches, or drives the others' out:
        // no measurement may follow the same one in each round.
        std::ranges::shuffle(planned, anything);
        run_round(bench, n, planned, label, progress);
        look_at_the_machine();
    }
    std::ranges::sort(planned, {}, &measurement::row);
    return rows_of(bench, n, planned, controls);
}

std::vector<long> sizes_of(const kernel &bench, const settings &how) {
    return how.n ? std::vector<long>{*how.n} : bench.sizes;
}

} // namespace saguaro::bench
