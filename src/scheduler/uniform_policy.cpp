// SPDX-License-Identifier: MIT
// The reference policy: a victim drawn uniformly from the other workers, as in Cilk-5, for which
// Blumofe and Leiserson proved the bounds.
#include "scheduler/policy.hpp"

#include <cstdint>

namespace saguaro::scheduler {

namespace {

// xorshift64: a victim need not be unpredictable, only evenly spread.
struct alignas(128) generator {
    std::uint64_t state = 0;

    std::uint64_t next() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return state;
    }
};

class uniform_policy final : public steal_policy {
public:
    void start(unsigned workers, const std::vector<int> &) override {
        generators_.assign(workers, {});
        for (unsigned i = 0; i < workers; ++i)
            generators_[i].state = 0x9e3779b97f4a7c15u * (i + 1);
    }
    void start_worker(unsigned) override {}

    int choose_victim(unsigned thief) override {
        const auto others = static_cast<std::uint32_t>(generators_.size() - 1);
        if (others == 0)
            return -1;
        // The high half times the number of choices: even, and no division.
        const std::uint64_t draw = generators_[thief].next() >> 32;
        const auto other = static_cast<unsigned>((draw * others) >> 32);
        return static_cast<int>(other < thief ? other : other + 1);
    }

    void stop_worker(unsigned) override {}
    void stop() override {}

private:
    std::vector<generator> generators_;
};

} // namespace

std::unique_ptr<steal_policy> make_uniform_policy() {
    return std::make_unique<uniform_policy>();
}

} // namespace saguaro::scheduler
