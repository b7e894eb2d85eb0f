// SPDX-License-Identifier: MIT
// A victim among the nearest workers, and after each failure among the next nearest. The thesis'
// "strict" scheduler: Blumofe and Leiserson's bounds do not hold for it.
#include "scheduler/neighbours.hpp"
#include "scheduler/policy.hpp"

#include <utility>

namespace saguaro::scheduler {

namespace {

// What one thief looks at. Its lines are nobody else's.
struct alignas(128) nearest_thief {
    explicit nearest_thief(unsigned worker, neighbours all)
        : random(worker), others(std::move(all)) {}

    generator random;
    neighbours others;
};

class nearest_policy final : public steal_policy {
public:
    explicit nearest_policy(std::shared_ptr<const platform::topology> machine)
        : machine_(std::move(machine)) {}

    void start(unsigned workers, const std::vector<int> &cpus) override {
        seats_.start(machine_, cpus);
        thieves_ = std::vector<std::unique_ptr<nearest_thief>>(workers);
    }
    bool may_start_elsewhere() const override { return true; }
    void start_worker(unsigned worker) override {
        thieves_[worker] = std::make_unique<nearest_thief>(worker, seats_.around(worker));
    }

    int choose_victim(unsigned thief, unsigned failed) override {
        nearest_thief &me = *thieves_[thief];
        const std::vector<distance_group> &groups = me.others.groups;
        if (groups.empty())
            return -1;
        const distance_group &group = groups[group_in_turn(groups, failed)];
        const std::uint32_t at = group.first + scale(me.random.next() >> 32, group.count);
        return static_cast<int>(me.others.workers[at]);
    }

    void stop_worker(unsigned worker) override { thieves_[worker] = nullptr; }
    void stop() override { thieves_.clear(); }

private:
    std::shared_ptr<const platform::topology> machine_;
    seating seats_;
    std::vector<std::unique_ptr<nearest_thief>> thieves_;
};

} // namespace

std::unique_ptr<steal_policy>
make_nearest_policy(std::shared_ptr<const platform::topology> machine) {
    return std::make_unique<nearest_policy>(std::move(machine));
}

} // namespace saguaro::scheduler
