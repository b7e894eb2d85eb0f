// SPDX-License-Identifier: MIT
// Messages, singletons, functions that run alone, transactions. What goes wrong is seen in
// failures_test.py.
#include "saguaro/ssr.h"
#include "vms/bare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace saguaro::vms {
namespace {

class ssr_on : public testing::TestWithParam<unsigned> {
protected:
    // Runs `code` on the first VP; the codes of others must outlive the call.
    int run(const vp_code &code) const {
        const sg_vms_options options = with_cores(GetParam());
        return sg_ssr_run(&options, run_code, const_cast<vp_code *>(&code));
    }

    static sg_vp *create(const vp_code &code, sg_vp *me) {
        return sg_ssr_create(run_code, const_cast<vp_code *>(&code), me);
    }
};

// The Master calls `f`.
template <class F>
void tell_alone(sg_vp *me, F f) {
    sg_ssr_atomically(
        [](void *function) -> void * {
            (*static_cast<F *>(function))();
            return nullptr;
        },
        &f, me);
}

INSTANTIATE_TEST_SUITE_P(cores, ssr_on, testing::Values(1U, 2U, 4U));

TEST_P(ssr_on, from_to_hands_over_in_both_orders) {
    constexpr int messages = 200;
    int data[messages] = {}; // not atomic: the rendezvous orders them
    sg_vp *first = nullptr;
    const vp_code receiver = [&](sg_vp *me) {
        for (int i = 0; i < messages; ++i) {
            const int *const got = static_cast<int *>(sg_ssr_receive_from_to(first, me));
            ASSERT_EQ(&data[i], got);
            EXPECT_EQ(i, *got);
        }
    };
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  first = me;
                  sg_vp *const other = create(receiver, me);
                  for (int i = 0; i < messages; ++i) {
                      data[i] = i;
                      sg_ssr_send_from_to(&data[i], me, other);
                  }
              }));
}

TEST_P(ssr_on, from_to_tells_partners_apart) {
    constexpr int partners = 20;
    std::vector<int> numbers(partners);
    std::iota(numbers.begin(), numbers.end(), 0);
    sg_vp *first = nullptr;
    std::vector<vp_code> codes;
    for (int &number : numbers)
        codes.emplace_back([&](sg_vp *me) { sg_ssr_send_from_to(&number, me, first); });
    std::vector<sg_vp *> others;
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  first = me;
                  for (const vp_code &code : codes)
                      others.push_back(create(code, me));
                  // Backwards: the others' messages are not what it gets.
                  for (std::size_t i = partners; i-- > 0;)
                      EXPECT_EQ(&numbers[i], sg_ssr_receive_from_to(others[i], me));
              }));
}

TEST_P(ssr_on, one_vp_sends_to_many_that_wait) {
    constexpr int partners = 20;
    int message = 0;
    int received = 0;
    sg_vp *first = nullptr;
    const vp_code receiver = [&](sg_vp *me) {
        EXPECT_EQ(&message, sg_ssr_receive_from_to(first, me));
        sg_ssr_atomically(
            [](void *count) -> void * {
                ++*static_cast<int *>(count);
                return nullptr;
            },
            &received, me);
    };
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  first = me;
                  std::vector<sg_vp *> others;
                  for (int i = 0; i < partners; ++i)
                      others.push_back(create(receiver, me));
                  std::reverse(others.begin(), others.end());
                  for (sg_vp *const each : others)
                      sg_ssr_send_from_to(&message, me, each);
              }));
    EXPECT_EQ(partners, received);
}

TEST_P(ssr_on, types_are_told_apart_and_senders_are_served_in_order) {
    int numbers[6] = {0, 1, 2, 3, 4, 5};
    sg_vp *first = nullptr;
    std::vector<vp_code> codes;
    for (int &number : numbers)
        codes.emplace_back(
            [&](sg_vp *me) { sg_ssr_send_of_type_to(&number, me, number % 2, first); });
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  first = me;
                  for (const vp_code &code : codes)
                      create(code, me);
                  std::vector<int> odd, even;
                  for (int i = 0; i < 3; ++i)
                      odd.push_back(*static_cast<int *>(sg_ssr_receive_of_type(1, me)));
                  for (int i = 0; i < 3; ++i)
                      even.push_back(*static_cast<int *>(sg_ssr_receive_of_type(0, me)));
                  if (GetParam() > 1) { // who comes first is not known
                      std::sort(odd.begin(), odd.end());
                      std::sort(even.begin(), even.end());
                  }
                  EXPECT_EQ((std::vector<int>{1, 3, 5}), odd);
                  EXPECT_EQ((std::vector<int>{0, 2, 4}), even);
              }));
}

TEST_P(ssr_on, both_kinds_of_messages_do_not_mix) {
    int typed = 0, direct = 0;
    sg_vp *first = nullptr;
    const vp_code sends_type = [&](sg_vp *me) { sg_ssr_send_of_type_to(&typed, me, 0, first); };
    const vp_code sends = [&](sg_vp *me) { sg_ssr_send_from_to(&direct, me, first); };
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  first = me;
                  create(sends_type, me);
                  sg_vp *const other = create(sends, me);
                  EXPECT_EQ(&direct, sg_ssr_receive_from_to(other, me));
                  EXPECT_EQ(&typed, sg_ssr_receive_of_type(0, me));
              }));
}

TEST_P(ssr_on, created_on_a_core_stays_there) {
    const vp_code leaf = [&](sg_vp *me) {
        for (int i = 0; i < 10; ++i) {
            EXPECT_EQ(GetParam() - 1, self_of(me).on->number);
            sg_ssr_atomically([](void *) -> void * { return nullptr; }, nullptr, me);
        }
    };
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  for (int i = 0; i < 5; ++i)
                      sg_ssr_create_on(GetParam() - 1, run_code, const_cast<vp_code *>(&leaf), me);
              }));
}

TEST_P(ssr_on, singleton_runs_once_for_each_key_and_others_wait) {
    // The VP that executes it, and how often it was executed.
    struct job {
        sg_vp *me = nullptr;
        int *runs = nullptr;
    };
    constexpr std::size_t keys = 3;
    int runs[keys] = {}; // not atomic; also the keys
    int seen = 0;
    std::vector<vp_code> codes;
    for (std::size_t i = 0; i < 10 * keys; ++i)
        codes.emplace_back([&, mine = &runs[i % keys]](sg_vp *me) {
            const auto function = [](void *argument) -> void * {
                const job &todo = *static_cast<job *>(argument);
                // Long enough for the others to come.
                for (int n = 0; n < 5; ++n)
                    sg_ssr_atomically([](void *) -> void * { return nullptr; }, nullptr, todo.me);
                ++*todo.runs;
                return todo.runs;
            };
            job todo{me, mine};
            EXPECT_EQ(mine, sg_ssr_singleton(mine, function, &todo, me));
            EXPECT_EQ(1, *mine);
            sg_ssr_begin_transaction(&seen, me);
            ++seen;
            sg_ssr_end_transaction(&seen, me);
        });
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  for (const vp_code &code : codes)
                      create(code, me);
              }));
    EXPECT_EQ(10 * static_cast<int>(keys), seen);
}

// More keys than the first table of keys has room for: what was known before it grew still is.
TEST_P(ssr_on, singletons_of_many_keys_run_once) {
    std::vector<int> runs(1000, 0); // not atomic; also the keys
    const auto once = [](void *count) -> void * {
        ++*static_cast<int *>(count);
        return count;
    };
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  for (int visit = 0; visit < 3; ++visit)
                      for (int &each : runs)
                          EXPECT_EQ(&each, sg_ssr_singleton(&each, once, &each, me));
              }));
    EXPECT_EQ(runs, std::vector<int>(1000, 1));
}

TEST_P(ssr_on, each_instance_has_its_own_singletons) {
    static const int key = 0;
    int runs = 0;
    const auto once = [](void *count) -> void * {
        ++*static_cast<int *>(count);
        return count;
    };
    for (int i = 1; i <= 2; ++i) {
        EXPECT_EQ(0, run([&](sg_vp *me) {
                      for (int n = 0; n < 3; ++n)
                          EXPECT_EQ(&runs, sg_ssr_singleton(&key, once, &runs, me));
                  }));
        EXPECT_EQ(i, runs);
    }
}

TEST_P(ssr_on, transactions_exclude_each_other_and_nest) {
    constexpr int vps = 8, rounds = 100, keys = 100;
    int counts[keys] = {}; // not atomic
    const vp_code leaf = [&](sg_vp *me) {
        for (int i = 0; i < rounds; ++i) {
            // In the order of the keys: nobody waits in a circle.
            int *const outer = &counts[i % (keys - 1)];
            sg_ssr_begin_transaction(outer, me);
            sg_ssr_begin_transaction(outer + 1, me);
            ++outer[0];
            sg_ssr_atomically([](void *) -> void * { return nullptr; }, nullptr, me);
            ++outer[1];
            sg_ssr_end_transaction(outer + 1, me);
            sg_ssr_end_transaction(outer, me);
        }
    };
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  for (int i = 0; i < vps; ++i)
                      create(leaf, me);
              }));
    EXPECT_EQ(2 * vps * rounds, std::accumulate(counts, counts + keys, 0));
}

TEST_P(ssr_on, transactions_let_in_in_order) {
    std::vector<int> order;
    int key = 0;
    std::vector<vp_code> codes;
    for (int i = 0; i < 10; ++i)
        codes.emplace_back([&, i](sg_vp *me) {
            sg_ssr_begin_transaction(&key, me);
            order.push_back(i);
            sg_ssr_end_transaction(&key, me);
        });
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  sg_ssr_begin_transaction(&key, me);
                  for (const vp_code &code : codes)
                      sg_ssr_create_on(0, run_code, const_cast<vp_code *>(&code), me);
                  // All of them wait by now, or come in their order later.
                  sg_ssr_atomically([](void *) -> void * { return nullptr; }, nullptr, me);
                  sg_ssr_end_transaction(&key, me);
              }));
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    EXPECT_EQ(10U, order.size());
}

// The block of each small size that the instance would give next.
std::vector<void *> next_blocks(sg_vp *me) {
    std::vector<void *> next;
    tell_alone(me, [&] {
        for (std::size_t bytes = 16; bytes <= 1024; bytes += 16) {
            next.push_back(sg_vms_allocate(me->instance, bytes));
            sg_vms_free(me->instance, next.back(), bytes);
        }
    });
    return next;
}

// A transaction's name takes memory only while somebody is in it or waits for it: otherwise a
// program that makes new names, as that of each object it locks, would grow.
TEST(ssr, transactions_that_have_ended_leave_nothing_behind) {
    const sg_vms_options options = with_cores(1);
    const vp_code all = [](sg_vp *me) {
        std::vector<char> keys(1000);
        const auto visit = [&](const char &key) {
            sg_ssr_begin_transaction(&key, me);
            sg_ssr_end_transaction(&key, me);
        };
        visit(keys[0]); // the table of keys is made
        const std::vector<void *> before = next_blocks(me);
        for (const char &key : keys)
            visit(key);
        EXPECT_EQ(before, next_blocks(me));
    };
    EXPECT_EQ(0, sg_ssr_run(&options, run_code, const_cast<vp_code *>(&all)));
}

} // namespace
} // namespace saguaro::vms
