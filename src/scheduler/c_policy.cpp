// SPDX-License-Identifier: MIT
// A policy that a program has written in C.
#include "saguaro/policy.h"

#include "platform/forks.hpp"
#include "scheduler/policy.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/settings.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace saguaro::scheduler {

namespace {

class c_policy final : public steal_policy {
public:
    explicit c_policy(const sg_policy &operations) : is_(operations) {}

    void start(unsigned workers, const std::vector<int> &cpus) override {
        workers_ = workers;
        if (is_.start != nullptr)
            is_.start(is_.context, workers, cpus.data());
    }
    void start_worker(unsigned worker) override {
        if (is_.start_worker != nullptr)
            is_.start_worker(is_.context, worker);
    }

    int choose_victim(unsigned thief, unsigned failed) override {
        const int victim = is_.choose_victim(is_.context, thief, failed);
        if (victim >= static_cast<int>(workers_) || victim < -1 ||
            victim == static_cast<int>(thief)) [[unlikely]]
            refuse(thief, victim);
        return victim;
    }

    void stop_worker(unsigned worker) override {
        if (is_.stop_worker != nullptr)
            is_.stop_worker(is_.context, worker);
    }
    void stop() override {
        if (is_.stop != nullptr)
            is_.stop(is_.context);
    }

private:
    [[noreturn]] void refuse(unsigned thief, int victim) const {
        std::fprintf(stderr,
                     "saguaro: choose_victim for worker %u gave %d: it may give -1 or another "
                     "worker, of 0 to %u\n",
                     thief, victim, workers_ - 1);
        std::_Exit(2);
    }

    const sg_policy is_;
    unsigned workers_ = 0;
};

platform::topology described_machine_or_this() {
    const auto described = machine_of(settings_or_defaults());
    return described != nullptr ? *described : platform::topology::load();
}

} // namespace

} // namespace saguaro::scheduler

using namespace saguaro;
using namespace saguaro::scheduler;

int sg_start_with_policy(const sg_options *options, const sg_policy *policy) {
    if (policy == nullptr || policy->choose_victim == nullptr) {
        std::fputs("saguaro: sg_start_with_policy: a policy has at least choose_victim; here it is "
                   "null\n",
                   stderr);
        return EINVAL;
    }
    return start_with("sg_start_with_policy", options, std::make_unique<c_policy>(*policy));
}

int sg_distance(int cpu_a, int cpu_b) {
    static constinit platform::made_once<platform::topology> machine;
    return machine.get(described_machine_or_this).distance(cpu_a, cpu_b);
}
