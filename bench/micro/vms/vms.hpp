// SPDX-License-Identifier: MIT
//
// vms: what a virtual processor costs each time that it is scheduled, in cycles of the processor's
// counter, split as in table 2 of Halle and Cohen's paper.
//
// All VPs run on core 0, so that their order is known and the number of those that were scheduled
// follows from virtual time: each has three steps, to ready, to animated, to blocked; a VP's
// creation and its end are two more, and a message that suspends nobody is one.
#pragma once

#include "driver/measure.hpp"
#include "platform/arch.hpp"
#include "saguaro/vms.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace saguaro::bench {

/// What a plug-in is measured by. All of these run on the first VP, whose place is core 0.
struct vms_language {
    /// sg_ssr_run and its like.
    int (*run)(const sg_vms_options *, sg_vms_function, void *);
    /// Makes what `concur` needs, and has it end.
    void (*begin)(sg_vp *me);
    void (*end)(sg_vp *me);
    /// A round of constructs for which VPs wait for each other; null if there is none without
    /// creation.
    void (*concur)(sg_vp *me);
    /// How many messages of such a round suspend nobody.
    unsigned messages;
    /// A round in which a VP is created, by a message that suspends nobody, waits for something,
    /// and has ended afterwards.
    void (*create)(sg_vp *me);
};

/// Cycles for one scheduled VP, and the seconds of one of them.
struct vms_cost {
    double cycles;
    double seconds;
};

namespace vms_details {

/// Rounds of a chunk: some 50 us, which is seldom interrupted.
inline constexpr long rounds_at_once = 200;

inline double median(std::vector<double> &samples) {
    std::nth_element(samples.begin(), samples.begin() + samples.size() / 2, samples.end());
    return samples[samples.size() / 2];
}

/// One of n operations, by the median of chunks; `operations` gives the number of them in a chunk
/// that has just been done.
template <typename work_type, typename operations_type>
vms_cost cost_of(long n, work_type &&work, operations_type &&operations) {
    std::vector<double> cycles, seconds;
    for (long left = n; left > 0 || cycles.size() < 3; left -= rounds_at_once) {
        const auto start = std::chrono::steady_clock::now();
        const std::uint64_t before = platform::ticks();
        work();
        const auto taken = static_cast<double>(platform::ticks() - before);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        const double done = operations();
        cycles.push_back(taken / done);
        seconds.push_back(time.count() / done);
    }
    return {median(cycles), median(seconds)};
}

struct task {
    const vms_language &language;
    void (*round)(sg_vp *me);
    unsigned other_steps; // in a round, beside those of scheduling
    long n;
    vms_cost cost{};
};

inline void measure(void *argument, sg_vp *me) {
    task &what = *static_cast<task *>(argument);
    me->place = 0; // from its next request on
    what.language.begin(me);
    for (long i = 0; i < rounds_at_once; ++i)
        what.round(me);
    std::uint64_t time = sg_vms_time(me->instance);
    what.cost = cost_of(
        what.n,
        [&] {
            for (long i = 0; i < rounds_at_once; ++i)
                what.round(me);
        },
        [&] {
            const std::uint64_t before = std::exchange(time, sg_vms_time(me->instance));
            return static_cast<double>(time - before -
                                       static_cast<std::uint64_t>(rounds_at_once) *
                                           what.other_steps) /
                   3;
        });
    what.language.end(me);
}

} // namespace vms_details

/// `round` is one of the language's, n the number of rounds.
inline vms_cost measure_vms(const vms_language &language, void (*round)(sg_vp *me), long n,
                            unsigned cores) {
    // created, dissipated, sent
    const unsigned steps = round == language.create ? 3 : language.messages;
    vms_details::task what{language, round, steps, n};
    const sg_vms_options options = {cores, 1, 0, "none"};
    if (const int error = language.run(&options, vms_details::measure, &what))
        throw wrong_answer("the instance ended with error " + std::to_string(error));
    return what.cost;
}

} // namespace saguaro::bench
