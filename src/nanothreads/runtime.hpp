// SPDX-License-Identifier: MIT
// One run: its processors, stacks and descriptors, from sg_nt_run to its return.
#pragma once

#include "hyperobjects/flows.hpp"
#include "nanothreads/descriptors.hpp"
#include "nanothreads/parking.hpp"
#include "nanothreads/processor.hpp"
#include "nanothreads/settings.hpp"
#include "nanothreads/stack_supply.hpp"
#include "stacks/overflow.hpp"
#include "stacks/pool.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace saguaro::nanothreads {

class runtime {
public:
    // Allocates the stacks that are known in advance. Throws std::system_error or std::bad_alloc if
    // the system refuses.
    explicit runtime(const settings &chosen);

    runtime(const runtime &) = delete;
    runtime &operator=(const runtime &) = delete;

    // Runs function(argument) as the main thread, on the calling thread, unless it is a worker, and
    // others. Returns when all processors are idle. Throws std::system_error if the system refuses
    // a thread; then nothing has run.
    void run(void (*function)(void *), void *argument);

    // After the run: whether threads are left that wait. Says so on stderr.
    bool report_deadlock() const;

    sg_nt_statistics statistics() const;

    // By which handles of other runs are told, and by which a thread from outside finds this one: 0
    // until it is under way, then that of no other one that is (runs.hpp). Set before there is a
    // nano-thread.
    std::uint16_t number() const { return number_; }
    void set_number(std::uint16_t number);

    unsigned size() const { return static_cast<unsigned>(processors_.size()); }
    processor &at(unsigned i) { return *processors_[i]; }
    stacks::pool &stacks() { return stacks_; }
    descriptors &all_descriptors() { return descriptors_; }
    parking &parked() { return parking_; }
    const hyperobjects::flows_region &region() const { return region_; }
    design chosen_design() const { return design_; }
    bool real_fences() const { return real_fences_; }
    std::int64_t spin_ns() const { return spin_ns_; }

    // Whether any processor, or any `but` one, has a thread that is ready.
    bool anything_ready(const processor *but = nullptr) const;

    // The caller's, as platform::float_mode.
    const std::uint64_t float_mode;

private:
    std::size_t count_threads(state in) const;

    std::uint16_t number_ = 0;
    const design design_;
    const bool real_fences_;
    const std::int64_t spin_ns_;
    const stacks::overflow_report overflow_report_;
    const hyperobjects::flows_region region_;
    stacks::pool stacks_;
    descriptors descriptors_;
    parking parking_;
    std::vector<std::unique_ptr<processor>> processors_; // they give back to the above at their end
};

// Waits until all that `t`, which the caller runs on, expects is satisfied.
void join(thread &t);

// Ends the program with a line: `t` was satisfied so many times more often than it has dependences.
[[noreturn]] void give_up_satisfied(const thread &t, std::uint32_t times);

// The same if it is so by now. Called by `t` itself outside of a join: satisfactions that it has
// not expected would be taken for those of threads that it forks later.
inline void check_satisfied(const thread &t) {
    // Relaxed: what is counted here without an expectation is wrong whenever it comes.
    const std::uint32_t left = t.pending.load(std::memory_order_relaxed) + t.expected;
    if (left < not_waiting) [[unlikely]]
        give_up_satisfied(t, not_waiting - left);
}

// Ends the program with one line on stderr and exit code 2.
[[noreturn]] void give_up(const char *why);

} // namespace saguaro::nanothreads
