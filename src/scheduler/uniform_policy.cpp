// SPDX-License-Identifier: MIT
// The reference policy: a victim drawn uniformly from the other workers, as in Cilk-5, for which
// Blumofe and Leiserson proved the bounds.
#include "scheduler/neighbours.hpp"
#include "scheduler/policy.hpp"

#include <cstdint>
#include <vector>

namespace saguaro::scheduler {

namespace {

// Its line is nobody else's.
struct alignas(128) uniform_thief : generator {
    using generator::generator;
};

class uniform_policy final : public steal_policy {
public:
    void start(unsigned workers, const std::vector<int> &) override {
        thieves_.clear();
        for (unsigned worker = 0; worker < workers; ++worker)
            thieves_.emplace_back(worker);
    }
    bool may_start_elsewhere() const override { return true; }
    void start_worker(unsigned) override {}

    int choose_victim(unsigned thief, unsigned) override {
        const auto others = static_cast<std::uint32_t>(thieves_.size() - 1);
        if (others == 0)
            return -1;
        const std::uint32_t other = scale(thieves_[thief].next() >> 32, others);
        return static_cast<int>(other < thief ? other : other + 1);
    }

    void stop_worker(unsigned) override {}
    void stop() override {}

private:
    std::vector<uniform_thief> thieves_;
};

} // namespace

std::unique_ptr<steal_policy> make_uniform_policy() {
    return std::make_unique<uniform_policy>();
}

} // namespace saguaro::scheduler
