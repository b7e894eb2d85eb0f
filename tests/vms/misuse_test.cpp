// SPDX-License-Identifier: MIT
// Wrong calls of vms.h and of the ready-made sets: each ends its instance with one line and an
// error, on any number of cores, and no program crashes.
#include "saguaro/nanothreads.hpp"
#include "saguaro/run.hpp"
#include "saguaro/ssr.h"
#include "saguaro/vcilk.h"
#include "saguaro/vthread.h"
#include "support/death_style.hpp"
#include "support/job.hpp"
#include "vms/bare.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <gtest/gtest.h>
#include <ostream>
#include <regex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace saguaro::vms {

namespace {

using set_run = int (*)(const sg_vms_options *, sg_vms_function, void *);

int run_bare_set(const sg_vms_options *options, sg_vms_function function, void *argument) {
    bare state;
    return sg_vms_run(&bare_plugin, &state, options, function, argument);
}

// A program whose first VP does something wrong.
struct wrong {
    const char *name;
    set_run run;
    void (*does)(sg_vp *me);
    int error;
    const char *says; // a regular expression
};

void PrintTo(const wrong &row, std::ostream *out) {
    *out << row.name;
}

void no_code(void *, sg_vp *) {}

void *no_thread(void *, sg_vp *) {
    return nullptr;
}

sg_vp *blocked_beside(sg_vp *me) {
    return static_cast<sg_vp *>(
        tell(me, [](sg_vp *v) { v->answer = sg_vms_create(v->instance, no_code, nullptr); }));
}

// Thrown by a VP: its destructor, which runs where it is caught, makes a request.
struct asks_at_its_end {
    explicit asks_at_its_end(sg_vp *me) : me_(me) {}
    asks_at_its_end(const asks_at_its_end &) = delete;
    asks_at_its_end &operator=(const asks_at_its_end &) = delete;
    ~asks_at_its_end() { pause(me_); }

private:
    sg_vp *me_;
};

// ---- vms.h ----

constexpr wrong of_vms[] = {
    {"null_request", run_bare_set, [](sg_vp *me) { sg_vms_request(me, nullptr); }, EPROTO,
     "bare: VP 1 makes a request that is null"},
    {"null_message", run_bare_set, [](sg_vp *me) { sg_vms_send(me, nullptr); }, EPROTO,
     "bare: VP 1 sends a request that is null"},
    {"request_of_null", run_bare_set, [](sg_vp *me) { sg_vms_request(nullptr, me); }, EINVAL,
     "bare: VP 1 calls sg_vms_request for a null VP"},
    {"message_of_null", run_bare_set, [](sg_vp *me) { sg_vms_send(nullptr, me); }, EINVAL,
     "bare: VP 1 calls sg_vms_send for a null VP"},
    {"request_of_another", run_bare_set, [](sg_vp *me) { pause(blocked_beside(me)); }, EINVAL,
     "bare: VP 1 calls sg_vms_request for VP 2: only that VP may"},
    {"request_of_an_address", run_bare_set,
     [](sg_vp *me) { sg_vms_request(reinterpret_cast<sg_vp *>(64), me); }, EINVAL,
     "bare: VP 1 calls sg_vms_request for 0x40, which is no VP of its instance"},
    {"request_in_a_handler", run_bare_set, [](sg_vp *me) { ask(me, [](sg_vp *v) { pause(v); }); },
     EPROTO, "bare: the plug-in calls sg_vms_request inside a handler or a scheduler"},
    {"message_in_a_handler", run_bare_set,
     [](sg_vp *me) { tell(me, [](sg_vp *v) { tell(v, [](sg_vp *) {}); }); }, EPROTO,
     "bare: the plug-in calls sg_vms_send inside a handler or a scheduler"},
    {"resume_of_null", run_bare_set,
     [](sg_vp *me) { ask(me, [](sg_vp *) { sg_vms_resume(nullptr); }); }, EINVAL,
     "bare: the plug-in calls sg_vms_resume for null"},
    {"resume_first_of_null", run_bare_set,
     [](sg_vp *me) { ask(me, [](sg_vp *) { sg_vms_resume_first(nullptr); }); }, EINVAL,
     "bare: the plug-in calls sg_vms_resume_first for null"},
    {"dissipation_of_null", run_bare_set,
     [](sg_vp *me) { ask(me, [](sg_vp *) { sg_vms_dissipate(nullptr); }); }, EINVAL,
     "bare: the plug-in calls sg_vms_dissipate for null"},
    {"creation_in_null", run_bare_set,
     [](sg_vp *me) { ask(me, [](sg_vp *) { sg_vms_create(nullptr, no_code, nullptr); }); }, EINVAL,
     "bare: the plug-in calls sg_vms_create for null"},
    {"creation_of_no_function", run_bare_set,
     [](sg_vp *me) { ask(me, [](sg_vp *v) { sg_vms_create(v->instance, nullptr, nullptr); }); },
     EINVAL, "bare: the plug-in creates a VP with a null function"},
    {"allocation_in_null", run_bare_set,
     [](sg_vp *me) { ask(me, [](sg_vp *) { sg_vms_allocate(nullptr, 1); }); }, EINVAL,
     "bare: the plug-in calls sg_vms_allocate for null"},
    {"allocation_of_everything", run_bare_set,
     [](sg_vp *me) { ask(me, [](sg_vp *v) { sg_vms_allocate(v->instance, SIZE_MAX); }); }, ENOMEM,
     "bare: no memory for 18446744073709551615 bytes of the plug-in's"},
    {"freeing_in_null", run_bare_set,
     [](sg_vp *me) { ask(me, [](sg_vp *v) { sg_vms_free(nullptr, v, 1); }); }, EINVAL,
     "bare: the plug-in calls sg_vms_free for null"},
    {"freeing_twice", run_bare_set,
     [](sg_vp *me) {
         ask(me, [](sg_vp *v) {
             void *const block = sg_vms_allocate(v->instance, 100);
             void *const other = sg_vms_allocate(v->instance, 100);
             sg_vms_free(v->instance, block, 100);
             sg_vms_free(v->instance, other, 100);
             EXPECT_EQ(sg_vms_allocate(v->instance, 100), other);
             sg_vms_free(v->instance, other, 100); // untouched since it was free
             sg_vms_free(v->instance, block, 100);
         });
     },
     EINVAL, "bare: the plug-in frees 0x[0-9a-f]+, of 100 bytes, twice"},
    {"failure_of_null", run_bare_set,
     [](sg_vp *me) { ask(me, [](sg_vp *) { sg_vms_fail(nullptr, EBUSY, "never said"); }); }, EINVAL,
     "bare: the plug-in calls sg_vms_fail for null"},
    {"failure_without_an_error", run_bare_set,
     [](sg_vp *me) { ask(me, [](sg_vp *v) { sg_vms_fail(v->instance, 0, "no error"); }); }, EPROTO,
     "bare: no error"},
    {"place_of_no_core", run_bare_set,
     [](sg_vp *me) {
         ask(me, [](sg_vp *v) {
             v->place = 77;
             sg_vms_resume(v);
         });
     },
     EINVAL, "bare: the plug-in places VP 1 on core 77; there are [124]"},
    {"choice_for_no_core", run_bare_set,
     [](sg_vp *me) { ask(me, [](sg_vp *v) { sg_vms_first_come(nullptr, v->instance, 77); }); },
     EINVAL, "bare: the plug-in schedules for core 77; there are [124]"},
    {"choice_in_null", run_bare_set,
     [](sg_vp *me) { ask(me, [](sg_vp *) { sg_vms_first_come(nullptr, nullptr, 0); }); }, EINVAL,
     "bare: the plug-in calls sg_vms_first_come for null"},
    {"look_at_null", run_bare_set,
     [](sg_vp *me) { ask(me, [](sg_vp *) { sg_vms_next_ready(nullptr); }); }, EINVAL,
     "bare: the plug-in calls sg_vms_next_ready for null"},
    {"look_in_null", run_bare_set,
     [](sg_vp *me) { ask(me, [](sg_vp *) { sg_vms_first_ready(nullptr, 0); }); }, EINVAL,
     "bare: the plug-in calls sg_vms_first_ready for null"},
    {"time_of_null", run_bare_set,
     [](sg_vp *me) { ask(me, [](sg_vp *) { sg_vms_time(nullptr); }); }, EINVAL,
     "bare: the plug-in calls sg_vms_time for null"},
    {"hold_of_null", run_bare_set, [](sg_vp *) { sg_vms_hold(nullptr); }, EINVAL,
     "bare: VP 1 calls sg_vms_hold for null"},
    {"failure_of_null_by_a_vp", run_bare_set,
     [](sg_vp *) { sg_vms_fail(nullptr, EBUSY, "never said"); }, EINVAL,
     "bare: VP 1 calls sg_vms_fail for null"},
    {"time_of_null_by_a_vp", run_bare_set, [](sg_vp *) { sg_vms_time(nullptr); }, EINVAL,
     "bare: VP 1 calls sg_vms_time for null"},
    {"handler_throws", run_bare_set,
     [](sg_vp *me) { ask(me, [](sg_vp *) { throw std::runtime_error("no file"); }); }, EPROTO,
     "bare: the handler threw at VP 1, which waits for a test: std::runtime_error: no file"},
    {"handler_of_a_message_throws", run_bare_set,
     [](sg_vp *me) { tell(me, [](sg_vp *) { throw 5; }); }, EPROTO,
     "bare: the handler threw at VP 1, which waits for a test: int"},
    {"function_throws", run_bare_set, [](sg_vp *) { throw std::runtime_error("no file"); }, EPROTO,
     "bare: the function of VP 1 threw std::runtime_error: no file"},
    {"function_throws_after_a_request", run_bare_set,
     [](sg_vp *me) {
         pause(me);
         throw 5;
     },
     EPROTO, "bare: the function of VP 1 threw int"},
    {"function_throws_what_makes_requests", run_bare_set,
     [](sg_vp *me) { throw asks_at_its_end(me); }, EPROTO, "bare: the function of VP 1 threw .*"},
};

// What only handlers and schedulers may call, called by a VP.
constexpr wrong outside_the_master[] = {
    {"resume", run_bare_set, [](sg_vp *me) { sg_vms_resume(blocked_beside(me)); }, EPROTO,
     "bare: VP 1 calls sg_vms_resume: only handlers and schedulers may"},
    {"resume_first", run_bare_set, [](sg_vp *me) { sg_vms_resume_first(blocked_beside(me)); },
     EPROTO, "bare: VP 1 calls sg_vms_resume_first: only handlers and schedulers may"},
    {"dissipate", run_bare_set, [](sg_vp *me) { sg_vms_dissipate(blocked_beside(me)); }, EPROTO,
     "bare: VP 1 calls sg_vms_dissipate: only handlers and schedulers may"},
    {"create", run_bare_set,
     [](sg_vp *me) { sg_vms_create(me->instance, no_code, nullptr)->place = 0; }, EPROTO,
     "bare: VP 1 calls sg_vms_create: only handlers and schedulers may"},
    {"allocate", run_bare_set, [](sg_vp *me) { sg_vms_allocate(me->instance, 8); }, EPROTO,
     "bare: VP 1 calls sg_vms_allocate: only handlers and schedulers may"},
    {"free", run_bare_set, [](sg_vp *me) { sg_vms_free(me->instance, me, 8); }, EPROTO,
     "bare: VP 1 calls sg_vms_free: only handlers and schedulers may"},
    {"first_come", run_bare_set, [](sg_vp *me) { sg_vms_first_come(nullptr, me->instance, 0); },
     EPROTO, "bare: VP 1 calls sg_vms_first_come: only handlers and schedulers may"},
    {"first_ready", run_bare_set, [](sg_vp *me) { sg_vms_first_ready(me->instance, 0); }, EPROTO,
     "bare: VP 1 calls sg_vms_first_ready: only handlers and schedulers may"},
    {"next_ready", run_bare_set, [](sg_vp *me) { sg_vms_next_ready(me); }, EPROTO,
     "bare: VP 1 calls sg_vms_next_ready: only handlers and schedulers may"},
};

// ---- The ready-made sets ----

constexpr wrong of_sets[] = {
    {"ssr_create", sg_ssr_run, [](sg_vp *me) { sg_ssr_create(nullptr, nullptr, me); }, EINVAL,
     "ssr: VP 1 creates a VP with a null function"},
    {"ssr_send_to_null", sg_ssr_run, [](sg_vp *me) { sg_ssr_send_from_to(nullptr, me, nullptr); },
     EINVAL, "ssr: VP 1 sends to a null VP"},
    {"ssr_send_type_to_null", sg_ssr_run,
     [](sg_vp *me) { sg_ssr_send_of_type_to(nullptr, me, 1, nullptr); }, EINVAL,
     "ssr: VP 1 sends to a null VP"},
    {"ssr_receive_from_null", sg_ssr_run, [](sg_vp *me) { sg_ssr_receive_from_to(nullptr, me); },
     EINVAL, "ssr: VP 1 receives from a null VP"},
    {"ssr_singleton_of_null", sg_ssr_run,
     [](sg_vp *me) { sg_ssr_singleton(nullptr, nullptr, nullptr, me); }, EINVAL,
     R"(ssr: VP 1 has a null function for the singleton \(nil\))"},
    {"ssr_atomically_null", sg_ssr_run, [](sg_vp *me) { sg_ssr_atomically(nullptr, nullptr, me); },
     EINVAL, "ssr: VP 1 has a null function run atomically"},
    {"ssr_in_a_handler", sg_ssr_run,
     [](sg_vp *me) {
         sg_ssr_atomically(
             [](void *v) { return sg_ssr_receive_of_type(1, static_cast<sg_vp *>(v)); }, me, me);
     },
     EPROTO, "ssr: the plug-in calls sg_vms_request inside a handler or a scheduler"},
    {"ssr_of_null", sg_ssr_run, [](sg_vp *) { sg_ssr_receive_of_type(1, nullptr); }, EINVAL,
     "ssr: VP 1 calls sg_ssr_receive_of_type for a null VP"},
    {"vthread_create", sg_vthread_run, [](sg_vp *me) { sg_vthread_create(nullptr, nullptr, me); },
     EINVAL, "vthread: VP 1 creates a thread with a null function"},
    {"vthread_join_of_zeros", sg_vthread_run, [](sg_vp *me) { sg_vthread_join({}, me); }, EINVAL,
     "vthread: VP 1 joins a handle that names no thread"},
    {"vthread_lock_of_null", sg_vthread_run, [](sg_vp *me) { sg_vthread_mutex_lock(nullptr, me); },
     EINVAL, "vthread: VP 1 locks a mutex, which is null"},
    {"vthread_trylock_of_null", sg_vthread_run,
     [](sg_vp *me) { sg_vthread_mutex_trylock(nullptr, me); }, EINVAL,
     "vthread: VP 1 tries to lock a mutex, which is null"},
    {"vthread_unlock_of_null", sg_vthread_run,
     [](sg_vp *me) { sg_vthread_mutex_unlock(nullptr, me); }, EINVAL,
     "vthread: VP 1 unlocks a mutex, which is null"},
    {"vthread_wait_with_null", sg_vthread_run,
     [](sg_vp *me) {
         sg_vthread_cond cond = SG_VTHREAD_COND_INIT;
         sg_vthread_cond_wait(&cond, nullptr, me);
     },
     EINVAL, "vthread: VP 1 waits with a mutex, which is null"},
    {"vthread_wait_at_null", sg_vthread_run,
     [](sg_vp *me) {
         sg_vthread_mutex mutex = SG_VTHREAD_MUTEX_INIT;
         sg_vthread_mutex_lock(&mutex, me);
         sg_vthread_cond_wait(nullptr, &mutex, me);
     },
     EINVAL, "vthread: VP 1 waits at a condition variable, which is null"},
    {"vthread_signal_of_null", sg_vthread_run,
     [](sg_vp *me) { sg_vthread_cond_signal(nullptr, me); }, EINVAL,
     "vthread: VP 1 signals a condition variable, which is null"},
    {"vthread_broadcast_of_null", sg_vthread_run,
     [](sg_vp *me) { sg_vthread_cond_broadcast(nullptr, me); }, EINVAL,
     "vthread: VP 1 broadcasts a condition variable, which is null"},
    {"vcilk_spawn_of_null", sg_vcilk_run, [](sg_vp *me) { sg_vcilk_spawn(nullptr, nullptr, me); },
     EINVAL, "vcilk: VP 1 spawns a null function"},
    {"vcilk_spawn_for_null", sg_vcilk_run,
     [](sg_vp *) { sg_vcilk_spawn(no_code, nullptr, nullptr); }, EINVAL,
     "vcilk: VP 1 calls sg_vcilk_spawn for a null VP"},
    {"vcilk_sync_for_null", sg_vcilk_run, [](sg_vp *) { sg_vcilk_sync(nullptr); }, EINVAL,
     "vcilk: VP 1 calls sg_vcilk_sync for a null VP"},
};

#define SG_IN(set, of, function, ...)                                                              \
    wrong {                                                                                        \
        "sg_" of "_" function, sg_##set##_run, [](sg_vp *me) { __VA_ARGS__; }, EINVAL,             \
            #set ": VP 1 calls sg_" of "_" function ": its instance is one of " #set               \
                 ", not of " of                                                                    \
    }

// Every function of SSR in an instance of the given set, and so on.
#define SG_SSR_IN(set)                                                                             \
    SG_IN(set, "ssr", "create", sg_ssr_create(no_code, nullptr, me)),                              \
        SG_IN(set, "ssr", "create_on", sg_ssr_create_on(0, no_code, nullptr, me)),                 \
        SG_IN(set, "ssr", "send_from_to", sg_ssr_send_from_to(nullptr, me, me)),                   \
        SG_IN(set, "ssr", "receive_from_to", sg_ssr_receive_from_to(me, me)),                      \
        SG_IN(set, "ssr", "send_of_type_to", sg_ssr_send_of_type_to(nullptr, me, 1, me)),          \
        SG_IN(set, "ssr", "receive_of_type", sg_ssr_receive_of_type(1, me)),                       \
        SG_IN(set, "ssr", "singleton",                                                             \
              sg_ssr_singleton(                                                                    \
                  me, [](void *) -> void * { return nullptr; }, nullptr, me)),                     \
        SG_IN(set, "ssr", "atomically",                                                            \
              sg_ssr_atomically([](void *) -> void * { return nullptr; }, nullptr, me)),           \
        SG_IN(set, "ssr", "begin_transaction", sg_ssr_begin_transaction(me, me)),                  \
        SG_IN(set, "ssr", "end_transaction", sg_ssr_end_transaction(me, me))

sg_vthread_mutex free_mutex = SG_VTHREAD_MUTEX_INIT;
sg_vthread_cond unused_cond = SG_VTHREAD_COND_INIT;

#define SG_VTHREAD_IN(set)                                                                         \
    SG_IN(set, "vthread", "create", sg_vthread_create(no_thread, nullptr, me)),                    \
        SG_IN(set, "vthread", "create_on", sg_vthread_create_on(0, no_thread, nullptr, me)),       \
        SG_IN(set, "vthread", "join", sg_vthread_join({}, me)),                                    \
        SG_IN(set, "vthread", "yield", sg_vthread_yield(me)),                                      \
        SG_IN(set, "vthread", "mutex_lock", sg_vthread_mutex_lock(&free_mutex, me)),               \
        SG_IN(set, "vthread", "mutex_trylock", sg_vthread_mutex_trylock(&free_mutex, me)),         \
        SG_IN(set, "vthread", "mutex_unlock", sg_vthread_mutex_unlock(&free_mutex, me)),           \
        SG_IN(set, "vthread", "cond_wait", sg_vthread_cond_wait(&unused_cond, &free_mutex, me)),   \
        SG_IN(set, "vthread", "cond_signal", sg_vthread_cond_signal(&unused_cond, me)),            \
        SG_IN(set, "vthread", "cond_broadcast", sg_vthread_cond_broadcast(&unused_cond, me))

#define SG_VCILK_IN(set)                                                                           \
    SG_IN(set, "vcilk", "spawn", sg_vcilk_spawn(no_code, nullptr, me)),                            \
        SG_IN(set, "vcilk", "sync", sg_vcilk_sync(me))

const wrong wrong_sets[] = {SG_SSR_IN(vthread),   SG_SSR_IN(vcilk), SG_VTHREAD_IN(ssr),
                            SG_VTHREAD_IN(vcilk), SG_VCILK_IN(ssr), SG_VCILK_IN(vthread)};

// ---- The tests ----

bool is_line(const std::string &said, const std::string &expected) {
    return std::regex_match(said, std::regex("saguaro: " + expected + "\n"));
}

// What `run` returns, and what is said on stderr meanwhile.
template <class F>
std::pair<int, std::string> listen(F run) {
    testing::internal::CaptureStderr();
    const int error = run();
    return {error, testing::internal::GetCapturedStderr()};
}

class vms_misuse : public testing::TestWithParam<wrong> {};

TEST_P(vms_misuse, ends_the_instance_with_a_line) {
    const wrong &row = GetParam();
    for (const unsigned cores : {1U, 2U, 4U})
        for (const unsigned slots : {1U, 4U}) {
            const sg_vms_options options = with_cores(cores, slots);
            struct first {
                const wrong &row;
                bool went_on = false;
            } first{row};
            const auto [error, said] = listen([&] {
                return row.run(
                    &options,
                    [](void *argument, sg_vp *me) {
                        auto &at = *static_cast<struct first *>(argument);
                        at.row.does(me);
                        at.went_on = true;
                    },
                    &first);
            });
            EXPECT_EQ(error, row.error) << said;
            EXPECT_TRUE(is_line(said, row.says)) << said;
            EXPECT_FALSE(first.went_on);
        }
}

std::string name_of_row(const testing::TestParamInfo<wrong> &row) {
    return std::string(row.param.name) + "_in_" + std::to_string(row.index);
}

INSTANTIATE_TEST_SUITE_P(vms, vms_misuse, testing::ValuesIn(of_vms), name_of_row);
INSTANTIATE_TEST_SUITE_P(outside, vms_misuse, testing::ValuesIn(outside_the_master), name_of_row);
INSTANTIATE_TEST_SUITE_P(sets, vms_misuse, testing::ValuesIn(of_sets), name_of_row);
INSTANTIATE_TEST_SUITE_P(wrong_set, vms_misuse, testing::ValuesIn(wrong_sets), name_of_row);

// The trace has no words for a request that is null.
TEST(vms_misuse_in_a_trace, of_a_null_request) {
    const std::string file = testing::TempDir() + "null_request.txt";
    for (const auto asks : {sg_vms_request, sg_vms_send}) {
        sg_vms_options options = with_cores(1);
        options.trace = file.c_str();
        EXPECT_EQ(listen([&] { return run_bare(options, [&](sg_vp *me) { asks(me, nullptr); }); }),
                  std::pair(EPROTO, std::string("saguaro: bare: VP 1 ") +
                                        (asks == sg_vms_send ? "sends" : "makes") +
                                        " a request that is null\n"));
        const std::string trace = test_support::content_of(file);
        EXPECT_NE(trace.find("VP"), trace.npos);
        EXPECT_EQ(trace.find("has not begun"), trace.npos) << trace;
    }
}

// What sg_vms_run says to these arguments.
std::pair<int, std::string> run_with(const sg_vms_plugin *plugin, sg_vms_function function) {
    bare state;
    return listen([&] { return sg_vms_run(plugin, &state, nullptr, function, nullptr); });
}

TEST(vms_arguments, that_a_run_refuses) {
    EXPECT_EQ(run_with(nullptr, no_code),
              std::pair(EINVAL, std::string("saguaro: sg_vms_run: the plug-in is null\n")));
    EXPECT_EQ(
        run_with(&bare_plugin, nullptr),
        std::pair(EINVAL, std::string("saguaro: bare: the function of the first VP is null\n")));
    sg_vms_plugin plugin = bare_plugin;
    plugin.handle = nullptr;
    EXPECT_EQ(run_with(&plugin, no_code),
              std::pair(EINVAL, std::string("saguaro: bare: the plug-in's handler is null\n")));
    for (const std::size_t bytes :
         {SIZE_MAX, SIZE_MAX - 15, SIZE_MAX / 2, (std::size_t{1} << 30) + 1}) {
        plugin = bare_plugin;
        plugin.vp_bytes = bytes;
        EXPECT_EQ(run_with(&plugin, no_code),
                  std::pair(EINVAL, "saguaro: bare: the plug-in's vp_bytes is " +
                                        std::to_string(bytes) + ": at most 1073741824\n"));
    }
    for (const auto run : {sg_ssr_run, sg_vthread_run, sg_vcilk_run})
        EXPECT_EQ(listen([&] { return run(nullptr, nullptr, nullptr); }).first, EINVAL);
}

TEST(vms_arguments, that_may_be_null) {
    sg_vms_plugin plugin = bare_plugin;
    plugin.schedule = nullptr;
    EXPECT_EQ(run_with(&plugin, no_code), std::pair(0, std::string()));
    plugin.name = nullptr;
    const auto waits = [](void *, sg_vp *me) { ask(me, [](sg_vp *) {}); };
    EXPECT_EQ(
        run_with(&plugin, waits),
        std::pair(EDEADLK, std::string("saguaro: a plug-in without a name: deadlock: the only "
                                       "VP is blocked: VP 1 waits for a test\n")));
    EXPECT_EQ(sg_vms_is_live(nullptr), 0);
    EXPECT_EQ(sg_vms_cores(nullptr), 0U);
    EXPECT_EQ(run_bare(with_cores(1),
                       [](sg_vp *me) {
                           tell(me, [](sg_vp *v) { sg_vms_free(v->instance, nullptr, 8); });
                       }),
              0);
}

TEST(vms_misuse_by_a_scheduler, that_throws) {
    for (const unsigned cores : {1U, 2U, 4U}) {
        static bool throws;
        throws = false;
        bare state;
        state.scheduler = [](sg_vms *in, unsigned core) {
            if (throws)
                throw std::runtime_error("no choice");
            return sg_vms_first_come(nullptr, in, core);
        };
        const auto [error, said] = listen([&] {
            return run_bare(
                with_cores(cores),
                [](sg_vp *me) {
                    ask(me, [](sg_vp *v) {
                        throws = true;
                        sg_vms_resume(v);
                    });
                },
                state);
        });
        EXPECT_EQ(error, EPROTO);
        EXPECT_TRUE(is_line(
            said, "bare: the scheduler threw for core [0-3]: std::runtime_error: no choice"))
            << said;
    }
}

// The first choice is made by the thread that starts the instance, and it is no core of its own.
TEST(vms_misuse_by_a_scheduler, in_its_first_call) {
    bare state;
    state.scheduler = [](sg_vms *, unsigned) -> sg_vp * {
        sg_vms_resume(nullptr);
        return nullptr;
    };
    const auto nothing = [](sg_vp *) {};
    const std::string line = "saguaro: bare: the plug-in calls sg_vms_resume for null\n";
    for (const unsigned cores : {1U, 2U}) {
        EXPECT_EQ(listen([&] { return run_bare(with_cores(cores), nothing, state); }),
                  std::pair(EINVAL, line));
        // A VP starts it: the thread is a core of another instance before and after.
        int inner = 0;
        EXPECT_EQ(listen([&] {
                      return run_bare(with_cores(1), [&](sg_vp *me) {
                          inner = run_bare(with_cores(cores), nothing, state);
                          EXPECT_EQ(sg_vms_self(), me);
                          pause(me);
                      });
                  }),
                  std::pair(0, line));
        EXPECT_EQ(inner, EINVAL);
    }
}

// The Master is at work in another thread, and that does not make the caller the Master.
TEST(vms_misuse_by_a_vp, while_a_handler_of_its_instance_runs) {
    static std::atomic<bool> is_handling;
    static std::atomic<bool> is_about_to_call;
    is_handling = is_about_to_call = false;
    const vp_code asks = [](sg_vp *me) {
        ask(me, [](sg_vp *v) {
            is_handling = true;
            while (!is_about_to_call) {
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            sg_vms_resume(v);
        });
    };
    EXPECT_EQ(
        listen([&] {
            return run_bare(with_cores(2), [&](sg_vp *me) {
                sg_vp *const blocked = blocked_beside(me);
                make(me, asks);
                while (!is_handling) {
                }
                is_about_to_call = true;
                sg_vms_resume(blocked);
                ADD_FAILURE() << "went on after a wrong call";
            });
        }),
        std::pair(EPROTO, std::string("saguaro: bare: VP 1 calls sg_vms_resume: only handlers "
                                      "and schedulers may\n")));
}

// Every call comes from the right place, in threads that have just been started and soon end.
TEST(vms_master, is_known_at_once_in_many_short_instances) {
    for (int i = 0; i < 200; ++i) {
        const auto [error, said] = listen([] {
            return run_bare(with_cores(4), [](sg_vp *me) {
                for (int j = 0; j < 10; ++j)
                    ask(me, [](sg_vp *v) {
                        sg_vms_free(v->instance, sg_vms_allocate(v->instance, 16), 16);
                        sg_vms_resume_first(v);
                    });
            });
        });
        ASSERT_EQ(error, 0) << said;
        ASSERT_EQ(said, "");
    }
}

// Calls f(other) in the first VP of an instance of one core while `other`, of another, is animated.
template <class F>
std::pair<int, std::string> beside_another_instance(F f, bare state = {}) {
    std::pair<int, std::string> result;
    EXPECT_EQ(run_bare(with_cores(1),
                       [&](sg_vp *other) {
                           std::thread([&] {
                               result = listen([&] {
                                   return run_bare(
                                       with_cores(1), [&](sg_vp *me) { f(me, other); }, state);
                               });
                           }).join();
                           pause(other);
                       }),
              0);
    return result;
}

TEST(vms_misuse_of_another_instance, leaves_it_alone) {
    EXPECT_EQ(beside_another_instance(
                  [](sg_vp *me, sg_vp *other) { ask(me, [&](sg_vp *) { sg_vms_resume(other); }); }),
              std::pair(EINVAL, std::string("saguaro: bare: the plug-in calls sg_vms_resume for "
                                            "another instance\n")));
    EXPECT_EQ(beside_another_instance([](sg_vp *me, sg_vp *other) {
                  ask(me, [&](sg_vp *) { sg_vms_create(other->instance, no_code, nullptr); });
              }),
              std::pair(EINVAL, std::string("saguaro: bare: the plug-in calls sg_vms_create for "
                                            "another instance\n")));
    EXPECT_EQ(beside_another_instance([](sg_vp *me, sg_vp *other) {
                  ask(me, [&](sg_vp *) { sg_vms_fail(other->instance, EBUSY, "never said"); });
              }),
              std::pair(EINVAL, std::string("saguaro: bare: the plug-in calls sg_vms_fail for "
                                            "another instance\n")));
    EXPECT_EQ(beside_another_instance([](sg_vp *, sg_vp *other) { sg_vms_hold(other->instance); }),
              std::pair(EINVAL, std::string("saguaro: bare: VP 1 calls sg_vms_hold for another "
                                            "instance\n")));
    const auto [error, said] = beside_another_instance([](sg_vp *, sg_vp *other) { pause(other); });
    EXPECT_EQ(error, EINVAL);
    EXPECT_TRUE(is_line(said, "bare: VP 1 calls sg_vms_request for 0x[0-9a-f]+, which is no VP of "
                              "its instance"))
        << said;
}

TEST(vms_misuse_of_another_instance, by_a_scheduler) {
    static sg_vp *chosen;
    chosen = nullptr;
    bare state;
    state.scheduler = [](sg_vms *in, unsigned core) {
        return chosen != nullptr ? chosen : sg_vms_first_come(nullptr, in, core);
    };
    EXPECT_EQ(beside_another_instance(
                  [](sg_vp *me, sg_vp *other) {
                      ask(me, [&](sg_vp *v) {
                          chosen = other;
                          sg_vms_resume(v);
                      });
                  },
                  state),
              std::pair(EINVAL, std::string("saguaro: bare: the plug-in schedules a VP of another "
                                            "instance\n")));
}

// An answer is that of its own request.
TEST(vms_answer, is_null_unless_the_handler_gives_one) {
    EXPECT_EQ(run_bare(with_cores(1),
                       [](sg_vp *me) {
                           const auto answers = [](sg_vp *v) {
                               v->answer = v;
                               sg_vms_resume(v);
                           };
                           EXPECT_EQ(ask(me, answers), me);
                           EXPECT_EQ(ask(me, sg_vms_resume), nullptr);
                           EXPECT_EQ(ask(me, answers), me);
                           EXPECT_EQ(tell(me, [](sg_vp *) {}), nullptr);
                       }),
              0);
}

// It stops at its next request, as others do.
TEST(vms_failure, by_a_vp) {
    static bool went_on;
    went_on = false;
    EXPECT_EQ(listen([] {
                  return run_bare(with_cores(2), [](sg_vp *me) {
                      sg_vms_fail(me->instance, EBUSY, "%s", "enough");
                      went_on = true;
                      pause(me);
                      ADD_FAILURE() << "went on after a request";
                  });
              }),
              std::pair(EBUSY, std::string("saguaro: bare: enough\n")));
    EXPECT_TRUE(went_on);
}

std::string animates_none(const char *name) {
    return std::string("^saguaro: ") + name +
           ": called by a thread that animates no virtual processor, or inside a run that one has "
           "started\n"; // no $: an emulator says more about the signal
}

// Other flows of the run may have come to its thread, or the VP's may have left it.
TEST(vms_death, of_a_request_inside_a_run) {
    test::use_threadsafe_style();
    const testing::KilledBySignal aborts(SIGABRT);
    const auto by_a_vp = [](const vp_code &code) { run_bare(with_cores(1), code); };
    EXPECT_EXIT(by_a_vp([](sg_vp *me) { saguaro::run([&] { pause(me); }); }), aborts,
                animates_none("sg_vms_request"));
    EXPECT_EXIT(by_a_vp([](sg_vp *me) { saguaro::run([&] { tell(me, [](sg_vp *) {}); }); }), aborts,
                animates_none("sg_vms_send"));
    EXPECT_EXIT(by_a_vp([](sg_vp *me) { nt::run([&] { pause(me); }); }), aborts,
                animates_none("sg_vms_request"));
}

// It is a VP before and after the run, and not inside.
TEST(vms_self, is_nobody_inside_a_run) {
    for (const unsigned cores : {1U, 2U}) {
        const int error = run_bare(with_cores(cores), [](sg_vp *me) {
            for (int i = 0; i < 3; ++i) {
                EXPECT_EQ(sg_vms_self(), me);
                saguaro::run([&] { EXPECT_EQ(sg_vms_self(), nullptr); });
                EXPECT_EQ(sg_vms_self(), me);
                nt::run([&] {
                    EXPECT_EQ(sg_vms_self(), nullptr);
                    EXPECT_GE(nt::processor(), 0);
                    saguaro::run([&] { EXPECT_EQ(nt::processor(), -1); });
                    EXPECT_GE(nt::processor(), 0);
                });
                EXPECT_EQ(nt::processor(), -1);
                pause(me);
            }
        });
        EXPECT_EQ(error, 0);
    }
}

TEST(vms_death, of_a_thread_that_animates_no_vp) {
    const auto dies = animates_none;
    const testing::KilledBySignal aborts(SIGABRT);
    int request = 0;
    EXPECT_EXIT(sg_vms_request(nullptr, &request), aborts, dies("sg_vms_request"));
    EXPECT_EXIT(sg_vms_send(nullptr, &request), aborts, dies("sg_vms_send"));
    EXPECT_EXIT(sg_vms_resume(nullptr), aborts, dies("sg_vms_resume"));
    EXPECT_EXIT(sg_vms_create(nullptr, no_code, nullptr), aborts, dies("sg_vms_create"));
    EXPECT_EXIT(sg_vms_fail(nullptr, EBUSY, "x"), aborts, dies("sg_vms_fail"));
    EXPECT_EXIT(sg_vthread_yield(nullptr), aborts, dies("sg_vthread_yield"));
    EXPECT_EXIT(sg_ssr_receive_of_type(1, nullptr), aborts, dies("sg_ssr_receive_of_type"));
    EXPECT_EXIT(sg_vcilk_sync(nullptr), aborts, dies("sg_vcilk_sync"));
}

} // namespace

} // namespace saguaro::vms
