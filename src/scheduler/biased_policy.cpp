// SPDX-License-Identifier: MIT
// Each worker may be the victim, a near one with a greater chance. All workers at one distance have
// the same weight; laid end to end, the weights of all are a line on which a random point falls.
#include "scheduler/chances.hpp"
#include "scheduler/neighbours.hpp"
#include "scheduler/policy.hpp"

#include <utility>

namespace saguaro::scheduler {

namespace {

// What one thief looks at. Its lines are nobody else's.
struct alignas(128) biased_thief {
    biased_thief(unsigned worker, neighbours all, const std::vector<unsigned> &weights)
        : random(worker), others(std::move(all)) {
        const std::vector<std::uint64_t> each = weights_of(others.groups, weights);
        std::uint64_t end = 0;
        for (std::size_t at = 0; at < others.groups.size(); ++at) {
            end += others.groups[at].count * each[at];
            ends.push_back(end);
        }
    }

    generator random;
    neighbours others;
    std::vector<std::uint64_t> ends; // of each group on the line
};

class biased_policy final : public steal_policy {
public:
    biased_policy(std::shared_ptr<const platform::topology> machine, std::vector<unsigned> weights)
        : machine_(std::move(machine)), weights_(std::move(weights)) {}

    void start(unsigned workers, const std::vector<int> &cpus) override {
        seats_.start(machine_, cpus);
        thieves_ = std::vector<std::unique_ptr<biased_thief>>(workers);
    }
    bool may_start_elsewhere() const override { return true; }
    void start_worker(unsigned worker) override {
        thieves_[worker] = std::make_unique<biased_thief>(worker, seats_.around(worker), weights_);
    }

    int choose_victim(unsigned thief, unsigned) override {
        biased_thief &me = *thieves_[thief];
        // All that can be reached may weigh nothing.
        if (me.ends.empty() || me.ends.back() == 0)
            return -1;
        const std::uint64_t bits = me.random.next();
        const std::uint64_t point = scale(bits >> 32, static_cast<std::uint32_t>(me.ends.back()));
        std::size_t at = 0;
        while (point >= me.ends[at])
            ++at;
        // Within a group all weigh the same: a second number is quicker than a division.
        const distance_group &group = me.others.groups[at];
        return static_cast<int>(me.others.workers[group.first + scale(bits, group.count)]);
    }

    void stop_worker(unsigned worker) override { thieves_[worker] = nullptr; }
    void stop() override { thieves_.clear(); }

private:
    std::shared_ptr<const platform::topology> machine_;
    std::vector<unsigned> weights_;
    seating seats_;
    std::vector<std::unique_ptr<biased_thief>> thieves_;
};

} // namespace

std::unique_ptr<steal_policy> make_biased_policy(std::shared_ptr<const platform::topology> machine,
                                                 std::vector<unsigned> weights) {
    return std::make_unique<biased_policy>(std::move(machine), std::move(weights));
}

} // namespace saguaro::scheduler
