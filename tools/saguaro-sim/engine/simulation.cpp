// SPDX-License-Identifier: MIT
// Setting up a simulation and running it to its end.
#include "simulation.hpp"

#include "bad_input.hpp"
#include "run.hpp"

#include <limits>
#include <numeric>
#include <random>

namespace saguaro::sim {

namespace {

// The policies draw the same numbers in each run. A seed lets each worker start elsewhere.
void skip_draws(scheduler::steal_policy &policy, unsigned workers, std::uint64_t seed) {
    if (seed == 0)
        return;
    constexpr std::uint64_t most_draws = 128;
    std::mt19937_64 random(seed);
    for (unsigned each = 0; each < workers; ++each)
        for (std::uint64_t draws = random() % most_draws; draws > 0; --draws)
            policy.choose_victim(each, 0);
}

} // namespace

std::uint64_t outcome::all_steals() const {
    return std::accumulate(steals.begin(), steals.end(), std::uint64_t{0});
}

run::prices::prices(const costs &c)
    : spawn(nanoseconds(c.spawn)), ask(nanoseconds(c.ask)), look(nanoseconds(c.look)),
      steal(nanoseconds(c.steal)), robbed(nanoseconds(c.robbed)), fence(nanoseconds(c.fence)),
      interrupted(nanoseconds(c.interrupted)), wake(nanoseconds(c.wake)),
      waking(nanoseconds(c.waking)), spin(nanoseconds(c.spin)) {}

run::run(const program &what, const machine &on, const setup &how)
    : program_(what), machine_(on), price_(how.cost), how_(how.cost.how), picture_(how.picture),
      policy_(scheduler::make_policy(how.policy, on.topology())), memory_(on, how.cost, how.memory),
      clocks_(on.workers()), workers_(on.workers()), slots_(on.workers()) {
    if (policy_ == nullptr)
        throw bad_input("policy '" + how.policy + "': accepted are " + scheduler::policy_names());
    if (on.workers() > 1)
        slots_.front().open_oldest(); // the root expects thieves, as all that begins
    policy_->start(machine_.workers(), machine_.cpus());
    for (unsigned each = 0; each < machine_.workers(); ++each)
        policy_->start_worker(each);
    skip_draws(*policy_, machine_.workers(), how.seed);

    std::vector<double> workers_there(machine_.nodes(), 0);
    for (unsigned each = 0; each < machine_.workers(); ++each)
        ++workers_there[machine_.node_of(each)];
    for (unsigned from = 0; from < machine_.nodes(); ++from) {
        double sum = 0;
        for (unsigned to = 0; to < machine_.nodes(); ++to)
            sum += workers_there[to] * machine_.latency(from, to);
        mean_look_.push_back(
            static_cast<ps>(static_cast<double>(price_.look) * sum / machine_.workers()));
    }
    out_.steals.assign(machine_.levels().size() + 1, 0);
}

outcome run::to_end() {
    workers_[0].doing = state::working;
    workers_[0].frame = frames_.make(frames::none);
    for (unsigned each = 0; each < machine_.workers(); ++each)
        clocks_.set(each, 0);
    // The times of all workers are added up; half is for what one event may take.
    const ps most = std::numeric_limits<ps>::max() / 2 / machine_.workers();
    while (!is_over_) {
        const unsigned me = clocks_.first();
        const ps now = clocks_.time(me);
        if (now > most)
            throw bad_input("the simulated time is more than " +
                            std::to_string(most / (a_nanosecond * 1'000'000'000)) +
                            " s, the most with " + std::to_string(machine_.workers()) + " workers");
        switch (workers_[me].doing) {
        case state::working:
            work(me, now);
            break;
        case state::waiting: // there was no answer
            slots_[workers_[me].victim].asker_leaves();
            fail(me, workers_[me].victim, now);
            break;
        case state::invited:
            try_victim(me, workers_[me].victim, now);
            break;
        case state::fencing:
            end_fence(me, now);
            break;
        case state::looking:
        case state::hungry:
        case state::asleep:
            look(me, now);
            break;
        }
    }
    feed_hungry(out_.time);
    while (!sleepers_.empty())
        end_sleep(out_.time);
    policy_->stop();
    out_.lines = memory_.seen();
    return out_;
}

outcome simulate(const program &what, const machine &on, const setup &how) {
    return run(what, on, how).to_end();
}

} // namespace saguaro::sim
