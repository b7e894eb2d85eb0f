// SPDX-License-Identifier: MIT
// C++ functions that spawn, as cilkc++ writes them: with each language level that they come in.
#include "cilk/cxx/hooks.hpp"
#include "forkjoin/forcing.hpp"
#include "saguaro/saguaro.hpp"
#include "support/started.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <chrono>
#include <string>
#include <thread>

namespace saguaro::test::cxx {

void steal() {
    EXPECT_TRUE(force_steal());
}

void expect_nothing_to_steal() {
    EXPECT_FALSE(force_steal(std::chrono::milliseconds(20)));
}

void wait_for(const std::atomic<bool> &reached) {
    wait_until([&] { return reached.load(); });
}

void in_two_strands(const std::function<void()> &first, const std::function<void()> &second) {
    saguaro::parallel_invoke(
        [&] {
            steal();
            wait_for_the_thief();
            first();
        },
        second);
}

} // namespace saguaro::test::cxx

namespace {

using namespace saguaro::test;
using cxx_functions = saguaro::test::cxx::functions;

class cxx : public ::testing::TestWithParam<const cxx_functions *> {
protected:
    // The static initialisers have started the workers.
    cxx() { saguaro::stop(); }

    const cxx_functions &text() const { return *GetParam(); }

    // Calls f(arguments...) on one of two workers that steal when they are told to.
    template <class... A>
    void on_two(void (*f)(A...), A... arguments) {
        scripted_workers workers(2);
        nothing_leaks check;
        saguaro::run([&] { f(arguments...); });
    }
};

using cxx_exceptions = cxx;

std::string name_of(const ::testing::TestParamInfo<const cxx_functions *> &info) {
    std::string name = info.param->standard;
    for (char &c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0)
            c = '_';
    return name;
}

#if defined(SG_TEST_ONE_TEXT)
const auto all_texts = ::testing::Values(&saguaro::test::cxx::as_cxx14);
const auto throwing_texts = all_texts;
#else
const auto all_texts =
    ::testing::Values(&saguaro::test::cxx::as_cxx14, &saguaro::test::cxx::as_cxx20,
                      &saguaro::test::cxx::without_exceptions);
const auto throwing_texts =
    ::testing::Values(&saguaro::test::cxx::as_cxx14, &saguaro::test::cxx::as_cxx20);
#endif
INSTANTIATE_TEST_SUITE_P(as, cxx, all_texts, name_of);
INSTANTIATE_TEST_SUITE_P(as, cxx_exceptions, throwing_texts, name_of);

TEST_P(cxx, enters_from_any_thread) {
    const started workers(4);
    EXPECT_EQ(text().initialised(), 55 + 89);
    EXPECT_EQ(text().fib(18), 2584);
    EXPECT_EQ(text().invoked_fib(18), 2584);
    std::thread other([&] { EXPECT_EQ(text().fib(15), 610); });
    std::thread another([&] { EXPECT_EQ(text().invoked_fib(15), 610); });
    other.join();
    another.join();
    text().results();
    saguaro::run([&] { text().results(); });
}

TEST_P(cxx, spawns_run_in_parallel) {
    const started workers(4);
    for (int turn = 0; turn < 3; ++turn)
        EXPECT_EQ(saguaro::run([&] { return text().fib(16) + text().invoked_fib(17); }),
                  987 + 1597);
}

TEST_P(cxx, arguments_come_before_the_continuation) {
    on_two(text().arguments_come_first);
    on_two(text().parameters_are_made_before_the_continuation);
    on_two(text().temporaries_live_until_the_child_ends);
}

TEST_P(cxx, blocks_and_methods) {
    on_two(text().blocks_and_methods);
}

TEST_P(cxx, arguments_and_results_may_only_move) {
    on_two(text().moved);
}

TEST_P(cxx, results_of_any_type) {
    on_two(text().slots);
}

TEST_P(cxx, the_implicit_sync_comes_after_destructors) {
    on_two(text().destructors_come_before_the_sync);
    on_two(text().locals_outlive_children);
}

TEST_P(cxx, calls_in_templates) {
    on_two(text().templates);
}

TEST_P(cxx, a_cancelled_child_does_not_run) {
    scripted_workers workers(2);
    saguaro::run([&] {
        EXPECT_EQ(text().counted_children(5), 5);
        EXPECT_EQ(text().counted_invoked(), 1);
        saguaro::cancellable_scope s;
        EXPECT_EQ(text().counted_children(5), 5);
        EXPECT_EQ(text().counted_invoked(), 1);
        s.cancel();
        EXPECT_EQ(text().counted_children(5), 0);
        EXPECT_EQ(text().counted_invoked(), 0);
        EXPECT_EQ(s.sync(), saguaro::outcome::cancelled);
    });
}

// At the end of the chain, which is nearer here than it ever is, children run on their parents'
// stacks.
TEST_P(cxx, children_without_a_stack) {
    scripted_workers workers(1);
    saguaro::run([&] {
        saguaro::scheduler::chain &parents = saguaro::scheduler::current_worker()->parents;
        parents.capacity = 0;
        parents.end = parents.slots;
        EXPECT_EQ(text().fib(10), 55);
        EXPECT_EQ(text().counted_children(5), 5);
        saguaro::cancellable_scope s;
        EXPECT_EQ(text().counted_children(5), 5);
        s.cancel();
        EXPECT_EQ(text().counted_children(5), 0);
        EXPECT_EQ(s.sync(), saguaro::outcome::cancelled);
        if (text().first_exception != nullptr) {
            text().first_exception(false);
            text().refused_spawn(false);
            text().childs_exception(false);
        }
    });
}

TEST_P(cxx, pedigrees_do_not_depend_on_steals) {
    scripted_workers workers(1);
    saguaro::run([&] {
        const saguaro::pedigree_root root;
        EXPECT_EQ(text().fib(12) + text().invoked_fib(12), 288);
    });
}

TEST_P(cxx, loops) {
    const started workers(3);
    text().loops();
    text().ranges();
    saguaro::run([&] { text().ranges(); });
}

TEST_P(cxx_exceptions, leave_at_the_sync) {
    for (const bool steals : {false, true}) {
        on_two(text().childs_exception, steals);
        on_two(text().first_exception, steals);
    }
}

TEST_P(cxx_exceptions, of_arguments_leave_at_the_spawn) {
    for (const bool steals : {false, true})
        on_two(text().refused_spawn, steals);
}

TEST_P(cxx_exceptions, leave_no_result) {
    for (const bool steals : {false, true})
        on_two(text().failed_slot, steals);
}

TEST_P(cxx_exceptions, while_another_is_under_way) {
    for (const bool steals : {false, true})
        on_two(text().spawn_in_a_destructor, steals);
}

TEST_P(cxx_exceptions, of_two_halves) {
    for (const bool steals : {false, true})
        on_two(text().invoked_exceptions, steals);
}

TEST_P(cxx_exceptions, of_loops_and_outside) {
    const started workers(3);
    text().loops_exception();
    text().thrown_outside();
}

void expect_reducer(void (*f)()) {
    saguaro::stop();
    scripted_workers workers(2);
    saguaro::run(f);
}

TEST(cxx_reducers, by_operators) {
    expect_reducer(saguaro::test::cxx::reducers.operators);
}

TEST(cxx_reducers, of_extremes) {
    expect_reducer(saguaro::test::cxx::reducers.extremes);
}

TEST(cxx_reducers, of_containers) {
    expect_reducer(saguaro::test::cxx::reducers.containers);
}

TEST(cxx_reducers, of_streams) {
    expect_reducer(saguaro::test::cxx::reducers.streams);
}

TEST(cxx_reducers, by_monoids_of_the_program) {
    expect_reducer(saguaro::test::cxx::reducers.own_monoids);
}

TEST(cxx_reducers, holders) {
    expect_reducer(saguaro::test::cxx::reducers.holders);
}

TEST(cxx_reducers, older_classes) {
    expect_reducer(saguaro::test::cxx::reducers.older_classes);
}

} // namespace
