// SPDX-License-Identifier: MIT
// An observer of random runs: it notices a thread that sleeps beside work and a processor for it.
#pragma once

#include "scheduler/runtime.hpp"
#include "support/started.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace saguaro::test {

// Runs have parts that last for some looks of the observer. It lets them go on only when nothing
// that a thread could take is left beside a thread that sleeps and a processor for it: where such a
// state lasts, it lasts for good.
class monitor {
public:
    void part(unsigned looks) {
        const unsigned until = looks_ + looks;
        while (static_cast<int>(until - looks_) > 0)
            std::this_thread::sleep_for(std::chrono::microseconds(100));
    }

    // False if such a state has lasted. is_left(runtime): whether there is something to take.
    template <class IsLeft>
    bool look(IsLeft is_left) {
        scheduler::runtime &rt = *scheduler::running();
        const bool nothing_is_left = becomes_true([&] {
            const unsigned threads = rt.size() - 1 + rt.seating().stand_ins.all();
            const bool sleeps = rt.seating().awake() < static_cast<int>(threads);
            return !sleeps || rt.seating().free_processors() <= 0 || !is_left(rt);
        });
        ++looks_;
        return nothing_is_left;
    }

private:
    std::atomic<unsigned> looks_{0};
};

} // namespace saguaro::test
