// SPDX-License-Identifier: MIT
// Choosing the rank that says the line about a misfit.
#include "mpi/core/reports/misfits.hpp"

#include "mpi/core/clock/order.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/rank.hpp"
#include "mpi/core/reports/call_sites.hpp"
#include "mpi/core/reports/diagnostics.hpp"
#include "platform/clock.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

namespace saguaro::mpi::misfits {

namespace {

// Of the call that the thread is in; empty: nothing.
thread_local std::string noted;

// A rank that computes holds up the line no longer.
constexpr std::int64_t longest_wait_ns = 1'000'000'000;
// The rank that should say it has had this time; it may have ended, or be on the way there.
constexpr std::int64_t longest_silence_ns = 3 * longest_wait_ns;

// No other rank can find a misfit at an earlier clock than this one's.
class others_have_come final : public awaited_event {
public:
    explicit others_have_come(const char *of_call) : until_(platform::now_ns() + longest_wait_ns) {
        asks = true;
        call = of_call;
    }

    bool is_over(const clock_bounds &known) override {
        rank &me = *rank::mine;
        bool is_certain = true;
        for (std::uint32_t r = 0; r < me.size(); ++r)
            if (r != me.number() && me.rule().bound_of(r, known) < me.clock()) {
                me.rule().wants(me.clock());
                is_certain = false;
            }
        return is_certain || platform::now_ns() > until_;
    }

    bool describe(blockage &) const override { return false; }

private:
    const std::int64_t until_;
};

// The least of all ranks' numbers stays.
void tell_others(std::atomic<std::uint64_t> &first, std::uint64_t mine) {
    std::uint64_t now = first.load(std::memory_order_relaxed);
    // Release pairs with the acquire in `end_job`.
    while ((now == 0 || mine < now) &&
           !first.compare_exchange_weak(now, mine, std::memory_order_release,
                                        std::memory_order_relaxed)) {
    }
}

} // namespace

void note(std::string text) {
    if (noted.empty())
        noted = std::move(text);
}

bool is_noted() {
    return !noted.empty();
}

void forget() {
    noted.clear();
}

void end_job(const char *function, int error) {
    rank &me = *rank::mine;
    // First the word, then the clock: a rank that has read the clock finds the word.
    me.tick();
    std::atomic<std::uint64_t> &first = me.all().head().first_misfit;
    const std::uint64_t own = me.clock() * most_ranks + me.number() + 1;
    tell_others(first, own);
    me.publish();
    if (order::is_by_clock()) {
        others_have_come all(function);
        me.wait(all);
        const std::int64_t until = platform::now_ns() + longest_silence_ns;
        while (first.load(std::memory_order_acquire) != own && platform::now_ns() < until)
            std::this_thread::sleep_for(std::chrono::milliseconds(50)); // until the job is ended
    }
    say("%s; in %s at %s", noted.c_str(), function, name_of_address(program_address()).c_str());
    core::end_job(error);
}

} // namespace saguaro::mpi::misfits
