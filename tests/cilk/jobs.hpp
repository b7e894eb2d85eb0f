// SPDX-License-Identifier: MIT
// Jobs for the tests of inlets and aborts, their hook, and what the serial program would return.
#pragma once

#include "forkjoin/forcing.hpp"
#include "jobs.h"

#include <atomic>
#include <functional>
#include <initializer_list>
#include <list>
#include <optional>
#include <vector>

namespace saguaro::test {

// Makes jobs, which live as long as this.
class job_maker {
public:
    struct step {
        job_how how;
        const job *child = nullptr;
    };

    job *make(long value, const std::vector<step> &steps = {}) {
        std::vector<job_step> &list = steps_.emplace_back();
        for (const step &s : steps)
            list.push_back({s.how, s.child});
        return &jobs_.emplace_back(job{value, 0, 0, static_cast<int>(list.size()), list.data()});
    }

    // One whose result makes its parent abort what else it has spawned.
    job *make_stopper(long value, const std::vector<step> &steps = {}) {
        job *const j = make(value, steps);
        j->stops = 1;
        return j;
    }

    // One that spawns for ever.
    job *make_endless(const std::vector<step> &steps = {}) {
        job *const j = make(-1'000'000, steps);
        j->endless = 1;
        return j;
    }

private:
    std::list<job> jobs_;
    std::list<std::vector<job_step>> steps_;
};

inline long serial_result(const job &j) {
    long sum = j.value;
    for (int i = 0; i < j.steps; ++i)
        if (j.step[i].child != nullptr)
            sum += serial_result(*j.step[i].child);
    return sum;
}

// Workers of their own, and `f` at each point. To be made after the variables that `f` uses; when
// the object goes, the workers have ended and no block may be left.
class hooked_jobs {
public:
    using hook = std::function<void(job_point, const job *, int step, int synched)>;

    hooked_jobs(unsigned workers, hook f) {
        on_point = std::move(f);
        job_hook = [](job_point point, const job *j, int i, int synched) {
            on_point(point, j, i, synched);
        };
        workers_.emplace(workers);
    }
    ~hooked_jobs() {
        workers_.reset();
        job_hook = nullptr;
        EXPECT_EQ(job_blocks, 0) << "blocks of jobs that were not freed, or twice";
    }
    hooked_jobs(const hooked_jobs &) = delete;
    hooked_jobs &operator=(const hooked_jobs &) = delete;

private:
    static inline hook on_point;
    std::optional<scripted_workers> workers_;
};

} // namespace saguaro::test
