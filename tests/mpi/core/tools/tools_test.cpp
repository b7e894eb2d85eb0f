// SPDX-License-Identifier: MIT
// MPI_T: what the variables say of what ranks did, and what is refused.
#include "mpi/core/ranks.hpp"
#include "support/kernel_calls.hpp"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <unistd.h>

namespace saguaro::mpi {
namespace {

int begin_tools() {
    int provided = 0;
    return core::t_init_thread(abi::thread_single, &provided);
}

std::uint64_t read(void *session, void *handle) {
    std::uint64_t value = UINT64_MAX;
    EXPECT_EQ(core::t_pvar_read(session, handle, &value), abi::success);
    return value;
}

// A variable's handle by its name.
void *open(void *session, const char *name, int of_class) {
    int index = -1;
    int count = 0;
    void *handle = nullptr;
    EXPECT_EQ(core::t_pvar_get_index(name, of_class, &index), abi::success) << name;
    EXPECT_EQ(core::t_pvar_handle_alloc(session, index, nullptr, &handle, &count), abi::success);
    EXPECT_EQ(count, 1);
    return handle;
}

TEST(tools, count_what_a_rank_does) {
    test_support::shared_count sleeps_of_first;
    EXPECT_TRUE(all_well(run_ranks(2, [&](int me) {
        begin_tools();
        void *session = nullptr;
        core::t_pvar_session_create(&session);
        void *const sent = open(session, "saguaro_messages_sent", abi::t_pvar_class_counter);
        void *const bytes = open(session, "saguaro_bytes_sent", abi::t_pvar_class_aggregate);
        void *const wild = open(session, "saguaro_wildcards_decided", abi::t_pvar_class_counter);
        void *const waits = open(session, "saguaro_blocked_waits", abi::t_pvar_class_counter);
        void *const waited = open(session, "saguaro_blocked_ns", abi::t_pvar_class_timer);
        void *const order = open(session, "saguaro_order_ns", abi::t_pvar_class_timer);
        void *const requests = open(session, "saguaro_requests", abi::t_pvar_class_level);
        core::barrier(comm::world);
        // Only what happens between start and stop counts.
        core::t_pvar_start(session, reinterpret_cast<void *>(1));
        char data[100] = {};
        if (me == 0) {
            test_support::sleeps.count_in = &sleeps_of_first;
            core::send(data, 100, datatype::char_, 1, 0, comm::world);
            core::send(data, 50, datatype::char_, 1, 0, comm::world);
            core::recv(data, 100, datatype::char_, 1, 0, comm::world, nullptr);
        } else {
            sleeps_of_first.await(1);
            usleep(20'000);
            for (int i = 0; i < 2; ++i)
                core::recv(data, 100, datatype::char_, abi::any_source, 0, comm::world, nullptr);
            core::send(data, 1, datatype::char_, 0, 0, comm::world);
        }
        core::t_pvar_stop(session, sent);
        core::send(data, 1, datatype::char_, me, 0, comm::world);
        core::recv(data, 1, datatype::char_, me, 0, comm::world, nullptr);
        if (read(session, sent) != (me == 0 ? 2U : 1U))
            return 1;
        if (read(session, bytes) != (me == 0 ? 151U : 2U))
            return 2;
        if (read(session, wild) != (me == 0 ? 0U : 2U))
            return 3;
        if (me == 0 && (read(session, waits) == 0 || read(session, waited) < 10'000'000 ||
                        read(session, order) > read(session, waited)))
            return 4;
        request r{};
        core::irecv(data, 1, datatype::char_, me, 1, comm::world, &r);
        if (read(session, requests) != 1)
            return 5;
        core::send(data, 1, datatype::char_, me, 1, comm::world);
        core::wait(&r, nullptr);
        if (read(session, requests) != 0)
            return 6;
        std::uint64_t value = 0;
        if (core::t_pvar_readreset(session, sent, &value) != 0 || value == 0 ||
            read(session, sent) != 0)
            return 7;
        value = 40;
        if (core::t_pvar_write(session, sent, &value) != 0 || read(session, sent) != 40)
            return 8;
        // A level is what it is.
        if (core::t_pvar_write(session, requests, &value) != abi::t_err_pvar_no_write ||
            core::t_pvar_reset(session, requests) != abi::t_err_pvar_no_write ||
            core::t_pvar_start(session, requests) != abi::t_err_pvar_no_startstop ||
            core::t_pvar_readreset(session, requests, &value) != abi::t_err_pvar_no_atomic)
            return 9;
        core::t_finalize();
        return HasFailure() ? 10 : 0;
    })));
}

TEST(tools, show_every_variable_in_a_category) {
    ASSERT_EQ(begin_tools(), abi::success);
    int controls = 0;
    int variables = 0;
    int categories = 0;
    core::t_cvar_get_num(&controls);
    core::t_pvar_get_num(&variables);
    core::t_category_get_num(&categories);
    int seen_controls = 0;
    int seen_variables = 0;
    int seen_categories = 1; // the one above all
    for (int i = 0; i < categories; ++i) {
        char name[64];
        int length = sizeof name;
        int index = -1;
        int of_controls = 0;
        int of_variables = 0;
        int below = 0;
        ASSERT_EQ(core::t_category_get_info(i, name, &length, nullptr, nullptr, &of_controls,
                                            &of_variables, &below),
                  abi::success);
        EXPECT_EQ(length, static_cast<int>(std::string(name).size()) + 1);
        EXPECT_EQ(core::t_category_get_index(name, &index), abi::success);
        EXPECT_EQ(index, i);
        int first = -1;
        EXPECT_EQ(core::t_category_get_pvars(i, of_variables > 0 ? 1 : 0, &first), abi::success);
        EXPECT_EQ(first >= 0, of_variables > 0);
        seen_controls += of_controls;
        seen_variables += of_variables;
        seen_categories += below;
    }
    EXPECT_EQ(seen_controls, controls);
    EXPECT_EQ(seen_variables, variables);
    EXPECT_EQ(seen_categories, categories);
    core::t_finalize();
}

TEST(tools, read_what_was_set) {
    ASSERT_EQ(begin_tools(), abi::success);
    const auto value_of = [](const char *name) -> std::pair<int, std::string> {
        int index = 0;
        int count = 0;
        void *handle = nullptr;
        char value[256] = {};
        EXPECT_EQ(core::t_cvar_get_index(name, &index), abi::success);
        EXPECT_EQ(core::t_cvar_handle_alloc(index, nullptr, &handle, &count), abi::success);
        EXPECT_EQ(core::t_cvar_read(handle, value), abi::success);
        EXPECT_EQ(core::t_cvar_write(handle, value), abi::t_err_cvar_set_never);
        EXPECT_EQ(core::t_cvar_handle_free(&handle), abi::success);
        EXPECT_EQ(handle, nullptr);
        return {count, std::string(value, 32)}; // and what follows a string
    };
    const char *const set = std::getenv("SAGUARO_SPMC_ENFORCE");
    const std::string expected = set == nullptr ? "" : set;
    const auto [length, text] = value_of("SAGUARO_SPMC_ENFORCE");
    EXPECT_EQ(length, static_cast<int>(expected.size()) + 1);
    EXPECT_STREQ(text.c_str(), expected.c_str());
    int most = 0;
    const auto [count, bytes] = value_of("saguaro_most_in_ring");
    EXPECT_EQ(count, 1);
    std::memcpy(&most, bytes.data(), sizeof most);
    EXPECT_EQ(most, static_cast<int>(most_in_ring));
    core::t_finalize();
}

TEST(tools, name_the_states_of_the_process) {
    ASSERT_EQ(begin_tools(), abi::success);
    int index = 0;
    ASSERT_EQ(core::t_pvar_get_index("saguaro_process_state", abi::t_pvar_class_state, &index), 0);
    datatype type{};
    void *names = nullptr;
    ASSERT_EQ(core::t_pvar_get_info(index, nullptr, nullptr, nullptr, nullptr, &type, &names,
                                    nullptr, nullptr, nullptr, nullptr, nullptr, nullptr),
              abi::success);
    EXPECT_EQ(type, datatype::int_);
    int items = 0;
    ASSERT_EQ(core::t_enum_get_info(names, &items, nullptr, nullptr), abi::success);
    EXPECT_EQ(items, 3);
    char name[8];
    int length = sizeof name;
    int value = -1;
    ASSERT_EQ(core::t_enum_get_item(names, 0, &value, name, &length), abi::success);
    EXPECT_STREQ(name, "before ");
    EXPECT_EQ(length, 16);
    EXPECT_EQ(core::t_enum_get_item(names, 3, &value, name, &length), abi::t_err_invalid_index);
    EXPECT_EQ(core::t_enum_get_info(&items, &items, nullptr, nullptr), abi::t_err_invalid_handle);
    core::t_finalize();
}

TEST(tools, refuse_what_is_not_there) {
    int number = 0;
    void *none = nullptr;
    EXPECT_EQ(core::t_cvar_get_num(&number), abi::t_err_not_initialized);
    EXPECT_EQ(core::t_event_get_num(&number), abi::t_err_not_initialized);
    EXPECT_EQ(core::t_finalize(), abi::t_err_not_initialized);
    begin_tools();
    begin_tools();
    EXPECT_EQ(core::t_finalize(), abi::success);
    EXPECT_EQ(core::t_cvar_get_index("none", &number), abi::t_err_invalid_name);
    EXPECT_EQ(core::t_pvar_get_index("saguaro_requests", abi::t_pvar_class_timer, &number),
              abi::t_err_invalid_name);
    EXPECT_EQ(core::t_cvar_handle_alloc(1000, nullptr, &none, &number), abi::t_err_invalid_index);
    EXPECT_EQ(core::t_cvar_read(&number, &number), abi::t_err_invalid_handle);
    EXPECT_EQ(core::t_pvar_read(&number, &number, &number), abi::t_err_invalid_session);
    void *session = nullptr;
    ASSERT_EQ(core::t_pvar_session_create(&session), abi::success);
    EXPECT_EQ(core::t_pvar_read(session, &number, &number), abi::t_err_invalid_handle);
    EXPECT_EQ(core::t_pvar_handle_alloc(session, -1, nullptr, &none, &number),
              abi::t_err_invalid_index);
    EXPECT_EQ(core::t_category_get_cvars(99, 0, nullptr), abi::t_err_invalid_index);
    EXPECT_EQ(core::t_event_get_num(&number), abi::success);
    EXPECT_EQ(number, 0);
    EXPECT_EQ(core::t_event_get_index("none", &number), abi::t_err_invalid_name);
    EXPECT_EQ(core::t_event_handle_alloc(0, nullptr, info::null, &none), abi::t_err_invalid_index);
    void *const same = session;
    EXPECT_EQ(core::t_finalize(), abi::success);
    begin_tools();
    EXPECT_EQ(core::t_pvar_start(same, nullptr), abi::t_err_invalid_session);
    core::t_finalize();
}

} // namespace
} // namespace saguaro::mpi
