// SPDX-License-Identifier: MIT
// Names of services: who sees which, by the clock.
#include "mpi/core/ranks.hpp"
#include "mpi/core/waiting/shared_turns.hpp"
#include "support/kernel_calls.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <unistd.h>

namespace saguaro::mpi {
namespace {

int publish(const char *service, const char *port) {
    return core::publish_name(service, info::null, port);
}

int unpublish(const char *service) {
    return core::unpublish_name(service, info::null, "");
}

bool finds(const char *service, const char *expected) {
    char port[abi::max_port_name];
    std::memset(port, '?', sizeof(port));
    return core::lookup_name(service, info::null, port) == 0 && std::strcmp(port, expected) == 0;
}

int look_up(const char *service) {
    char port[abi::max_port_name] = "";
    return core::lookup_name(service, info::null, port);
}

TEST(names, that_are_not_there_or_there_already_are_errors_as_in_mpich) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        const std::string longest(abi::max_port_name - 1, 'p');
        return look_up("a") == abi::err_name && unpublish("a") == abi::err_service &&
                       publish("a", "x") == 0 && publish("a", "y") == abi::err_name &&
                       publish("b", longest.c_str()) == 0 && publish("", "nobody") == 0 &&
                       publish("c", (longest + "p").c_str()) == abi::err_port && finds("a", "x") &&
                       finds("b", longest.c_str()) && finds("", "nobody") && unpublish("b") == 0 &&
                       finds("a", "x") && finds("", "nobody") && look_up("b") == abi::err_name &&
                       unpublish("a") == 0 && unpublish("a") == abi::err_service &&
                       finds("", "nobody") && look_up("A") == abi::err_name
                   ? 0
                   : 1;
    })));
}

TEST(names, that_are_withdrawn_leave_their_memory) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        const place &first = rank::mine->all().head().names;
        publish("a", "x");
        const place memory = first;
        for (const char *service : {"b", "c"})
            if (unpublish(service[0] == 'b' ? "a" : "b") != 0 || publish(service, "y") != 0 ||
                first != memory)
                return 1;
        return 0;
    })));
}

TEST(names, are_refused_where_there_are_other_machines) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        std::uint32_t &hosts = rank::mine->all().head().hosts;
        hosts = 2;
        const bool refused = publish("a", "x") == abi::err_unsupported_operation &&
                             look_up("a") == abi::err_unsupported_operation &&
                             unpublish("a") == abi::err_unsupported_operation;
        hosts = 1;
        return refused && look_up("a") == abi::err_name ? 0 : 1;
    })));
}

// Rank 1 publishes at clock 51. Rank 0 looks later in time and earlier by its clock, and the other
// way around; at the same clock the lesser rank is first.
TEST(names, are_seen_by_the_clock) {
    for (const bool is_late : {false, true})
        EXPECT_TRUE(all_well(run_ranks(3, [&](int me) {
            usleep(me == 1 && is_late ? 50'000 : me != 1 && !is_late ? 50'000 : 0);
            core::declare_cost(me == 2 ? 49 : 48);
            if (me == 1) {
                core::declare_cost(1);
                return publish("service", "here");
            }
            // Rank 2 at the clock of rank 1, and rank 0 first 2 earlier.
            if (me == 2)
                return finds("service", "here") ? 0 : 1;
            if (look_up("service") != abi::err_name || look_up("service") != abi::err_name)
                return 2;
            return finds("service", "here") ? 0 : 3;
        })));
}

// However long each takes, a loop makes the same number of turns.
TEST(names, are_found_at_the_same_turn_of_a_loop_in_each_run) {
    for (int run = 0; run < 4; ++run)
        EXPECT_TRUE(all_well(run_ranks(3, [&](int me) {
            if (me == 0) {
                usleep(static_cast<unsigned>(run) * 5'000);
                core::declare_cost(100);
                return publish("service", "here");
            }
            int turns = 1;
            for (; look_up("service") != 0; ++turns)
                if (turns % 30 == me * 10)
                    usleep(static_cast<unsigned>(3 - run) * 1'000);
            return turns == 101 ? 0 : turns;
        })));
}

// One of those who publish the same name wins in each run, and a rank that is blocked or has left
// holds nobody up.
TEST(names, go_to_the_first_by_the_clock) {
    EXPECT_TRUE(all_well(run_ranks(4, [](int me) {
        if (me == 3) {
            int nothing = 0;
            return core::recv(&nothing, 1, datatype::int_, 0, 0, comm::world, nullptr);
        }
        usleep(static_cast<unsigned>(2 - me) * 20'000);
        core::declare_cost(10 * (2 - me));
        const std::string port = std::to_string(me);
        const int error = publish("service", port.c_str());
        if (me == 0)
            core::send(&me, 1, datatype::int_, 3, 0, comm::world);
        return error == (me == 2 ? 0 : abi::err_name) && finds("service", "2") ? 0 : 1;
    })));
}

TEST(names, of_several_threads_are_all_there) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        int level = 0;
        core::init_thread(nullptr, nullptr, abi::thread_multiple, &level);
        const auto work = [me](int thread) {
            const core::inside entered;
            for (int i = 0; i < 20; ++i) {
                const std::string name =
                    std::to_string(me) + "," + std::to_string(thread) + "," + std::to_string(i);
                if (publish(name.c_str(), name.c_str()) != 0 ||
                    !finds(name.c_str(), name.c_str()) ||
                    (i % 2 == 0 && unpublish(name.c_str()) != 0))
                    std::abort();
            }
        };
        std::thread other(work, 1);
        work(0);
        other.join();
        const core::inside entered;
        core::barrier(comm::world);
        int there = 0;
        for (int i = 0; i < 80; ++i) {
            char name[32];
            std::snprintf(name, sizeof(name), "%d,%d,%d", i / 40, i / 20 % 2, i % 20);
            there += look_up(name) == 0 ? 1 : 0;
        }
        return there == 40 ? 0 : 1;
    })));
}

// Takers whose places go the other way than their ranks.
class takers_backwards final : public turn_takers {
public:
    std::uint32_t count() const override { return rank::mine->size(); }
    std::uint32_t rank_at(std::uint32_t at) const override { return count() - 1 - at; }
    std::atomic<clock_value> &wanted(std::uint32_t at) const override {
        return rank::mine->all().rank(rank_at(at)).wants_names;
    }
};

// Whether rank 2 comes in after what it sleeps for: a turn of rank 0, or that rank 0 comes to a
// later clock. It does not look again by itself, and nobody does anything afterwards that could
// wake it.
bool comes_in(bool behind_a_turn) {
    test_support::shared_count its_sleeps;
    test_support::shared_count is_in;
    shared_array<std::atomic<bool>> may_come(1);
    return all_well(run_ranks(3, [&](int me) {
        alarm(60);
        const takers_backwards all;
        if (me == 2) {
            test_support::sleeps.ignore_limits = true;
            core::declare_cost(behind_a_turn ? 0 : 50);
            test_support::sleeps.count_in = &its_sleeps;
            const shared_turn mine(all, 0, "test");
            is_in.add();
            return may_come[0] ? 0 : 1;
        }
        if (me == 0 && behind_a_turn) {
            const shared_turn mine(all, 2, "test");
            its_sleeps.await(1);
            usleep(20'000); // it may have looked again when rank 0 came in
            may_come[0] = true;
        } else if (me == 0) {
            its_sleeps.await(1);
            may_come[0] = true;
            core::declare_cost(100);
        }
        if (me == 0)
            is_in.await(1);
        return 0;
    }));
}

TEST(shared_turns, wake_who_is_next) {
    EXPECT_TRUE(comes_in(true));
    EXPECT_TRUE(comes_in(false));
}

// Rank 1 waits for its turn at clock 1. What its other thread does meanwhile would give it another
// clock, at which both ranks wait for each other.
TEST(shared_turns, keep_the_other_threads_out) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        alarm(60);
        if (me == 0) {
            usleep(60'000);
            core::declare_cost(49);
            return publish("service", "here");
        }
        int level = 0;
        core::init_thread(nullptr, nullptr, abi::thread_multiple, &level);
        std::thread other([] {
            usleep(30'000);
            const core::inside entered;
            core::declare_cost(1'000);
        });
        int error = 0;
        {
            const core::inside entered;
            error = look_up("service");
        }
        other.join();
        return error == abi::err_name ? 0 : 1;
    })));
}

} // namespace
} // namespace saguaro::mpi
