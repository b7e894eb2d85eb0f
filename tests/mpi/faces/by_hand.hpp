// SPDX-License-Identifier: MIT
// The same tests for all faces, but for the numbers: errors, callbacks, attributes, contents of
// types. A face's test includes this behind its declarations, with a namespace `here` that has the
// numbers.
#pragma once

#include "calls.hpp"
#include "mpi/core/interface/addresses.hpp"

#include <cstdint>
#include <set>
#include <string>

namespace {

namespace mpi = saguaro::mpi;
using fake::handle;

// Errors

TEST(errors, go_through_the_handler_and_come_back_in_the_faces_numbers) {
    fake::begin("MPI_Barrier", "barrier", {fake::in(mpi::comm::world)});
    fake::now.answer = mpi::abi::err_request;
    EXPECT_EQ(MPI_Barrier(here::world()), here::err_request);
    EXPECT_EQ(fake::now.raised, mpi::abi::err_request);
    EXPECT_EQ(fake::now.raised_on, number(mpi::comm::world));
    EXPECT_EQ(fake::now.raised_by, "MPI_Barrier");
}

TEST(errors, of_a_window_go_to_the_window) {
    fake::begin("MPI_Win_sync", "win_sync", {fake::in(4099)});
    fake::now.answer = mpi::abi::err_rma_sync;
    EXPECT_EQ(MPI_Win_sync(here::window(4099)), here::err_rma_sync);
    EXPECT_EQ(fake::now.raised_on, 4099u);
}

// Which communicator that is, the core knows.
TEST(errors, of_requests_go_to_their_communicator) {
    fake::begin("MPI_Waitall", "waitall", {});
    fake::now.takes_anything = true;
    fake::now.answer = mpi::abi::err_request;
    EXPECT_EQ(MPI_Waitall(0, nullptr, nullptr), here::err_request);
    EXPECT_EQ(fake::now.raised_on, fake::on_failed_request);
}

TEST(errors, of_files_that_are_not_open_go_to_no_file) {
    fake::begin("MPI_File_delete", "file_delete", {fake::in(1), fake::in(mpi::info::null)});
    fake::now.takes_anything = true;
    fake::now.answer = mpi::abi::err_other;
    EXPECT_EQ(MPI_File_delete("x", {}), here::err_other);
    EXPECT_EQ(fake::now.raised_on, number(mpi::file::null));
}

TEST(errors_death, a_call_before_init_or_after_finalize) {
    fake::begin("MPI_Barrier", "barrier", {});
    fake::now.active = false;
    EXPECT_EXIT(MPI_Barrier(here::world()), testing::ExitedWithCode(1), "^untimely MPI_Barrier\n$");
}

TEST(errors, some_functions_can_be_called_at_any_time) {
    int flag = 0;
    fake::begin("MPI_Initialized", "initialized", {fake::out(1)});
    fake::now.active = false;
    fake::end(MPI_Initialized(&flag));
    EXPECT_EQ(flag, 1);
}

// Only the core knows where a count means anything.
TEST(errors, of_counts_are_the_cores) {
    fake::begin("MPI_Allgather", "allgather",
                {fake::in(std::intptr_t{mpi::addresses::in_place}), fake::in(std::int64_t{-1}),
                 fake::in(mpi::datatype::null), fake::in(0), fake::in(1),
                 fake::in(mpi::datatype::int_), fake::in(mpi::comm::world)});
    fake::end(MPI_Allgather(here::in_place(), -1, here::no_type(), nullptr, 1, here::integer(),
                            here::world()));
}

TEST(errors, nowhere_to_write) {
    fake::begin("MPI_Irecv", "irecv", {});
    EXPECT_EQ(MPI_Irecv(nullptr, 0, here::integer(), 0, 0, here::world(), nullptr), here::err_arg);
    EXPECT_EQ(MPI_Comm_rank(here::world(), nullptr), here::err_arg);
    EXPECT_EQ(MPI_Waitall(1, nullptr, here::ignored()), here::err_arg);
    EXPECT_EQ(MPI_Comm_free(nullptr), here::err_arg);
    EXPECT_FALSE(fake::now.was_called);
}

TEST(errors, leave_what_should_have_been_written_alone) {
    MPI_Comm made = here::world();
    fake::begin("MPI_Comm_dup", "comm_dup", {fake::in(mpi::comm::world), fake::out(4100)});
    fake::now.answer = mpi::abi::err_comm;
    EXPECT_EQ(MPI_Comm_dup(here::world(), &made), here::err_comm);
    EXPECT_EQ(made, here::world());
}

TEST(errors, leave_no_object_where_the_core_says_so) {
    MPI_Comm made = here::world();
    fake::begin("MPI_Comm_dup", "comm_dup",
                {fake::in(mpi::comm::world), fake::out(mpi::comm::null)});
    fake::now.answer = mpi::abi::err_other;
    EXPECT_EQ(MPI_Comm_dup(here::world(), &made), here::err_other);
    EXPECT_EQ(made, here::no_comm());
}

TEST(errors, of_an_operation_still_free_its_request) {
    MPI_Request request = here::request(4200);
    fake::begin("MPI_Wait", "wait",
                {fake::inout(4200u, number(mpi::request::null)), fake::ignored()});
    fake::now.answer = mpi::abi::err_truncate;
    EXPECT_EQ(MPI_Wait(&request, here::ignored()), here::err_truncate);
    EXPECT_EQ(request, here::no_request());
}

TEST(errors, of_a_program_keep_their_numbers) {
    int code = 0;
    fake::begin("MPI_Add_error_code", "add_error_code", {fake::in(20001), fake::out(20002)});
    fake::end(MPI_Add_error_code(20001, &code));
    EXPECT_EQ(code, 20002);
}

TEST(errors, of_the_interface_for_tools_call_no_handler) {
    int count = 0;
    fake::begin("MPI_T_cvar_get_num", "t_cvar_get_num", {fake::out(5)});
    fake::now.answer = mpi::abi::t_err_not_initialized;
    EXPECT_EQ(MPI_T_cvar_get_num(&count), here::t_err_not_initialized);
    EXPECT_EQ(fake::now.raised, 0);
}

// Values

TEST(values, a_count_that_does_not_fit_is_undefined) {
    const MPI_Status status = fake::status_of_face(1);
    int count = 0;
    fake::begin("MPI_Get_count", "get_count",
                {fake::in_status(1), fake::in(mpi::datatype::int_), fake::out(5'000'000'000)});
    fake::end(MPI_Get_count(&status, here::integer(), &count));
    EXPECT_EQ(count, here::undefined);
}

TEST(values, a_detached_buffer_is_the_face_s_own_automatic_one) {
    for (const void *const core :
         {fake::pointer<const void *>(2), fake::pointer<const void *>(64)}) {
        fake::detached_buffer = const_cast<void *>(core);
        int size = 0;
        fake::begin("MPI_Comm_detach_buffer", "comm_detach_buffer",
                    {fake::in(mpi::comm::world), fake::in(fake::detached), fake::out(5)});
        fake::end(MPI_Comm_detach_buffer(here::world(), fake::detached, &size));
        EXPECT_EQ(fake::detached_buffer,
                  core == fake::pointer<void *>(2) ? here::automatic() : core);
    }
}

TEST(values, ignored_statuses) {
    fake::begin("MPI_Probe", "probe",
                {fake::in(1), fake::in(2), fake::in(mpi::comm::world), fake::ignored()});
    fake::end(MPI_Probe(1, 2, here::world(), here::ignored()));
}

TEST(values, the_error_in_a_status_stays_unless_the_core_sets_it) {
    MPI_Status status = fake::status_of_face(2);
    const int before = status.MPI_ERROR;
    fake::begin("MPI_Recv", "recv",
                {fake::in(fake::pointer<void *>(64)), fake::in(1), fake::in(mpi::datatype::int_),
                 fake::in(1), fake::in(2), fake::in(mpi::comm::world), fake::out_status_alone(1)});
    fake::end(
        MPI_Recv(fake::pointer<void *>(64), 1, here::integer(), 1, 2, here::world(), &status));
    EXPECT_EQ(status.MPI_ERROR, before);
}

TEST(values, parts_of_a_status) {
    MPI_Status status = fake::status_of_face(1);
    int part = 0;
    EXPECT_EQ(MPI_Status_set_source(&status, 3), 0);
    EXPECT_EQ(MPI_Status_set_tag(&status, 4), 0);
    EXPECT_EQ(MPI_Status_set_error(&status, here::err_arg), 0);
    EXPECT_EQ(MPI_Status_get_source(&status, &part), 0);
    EXPECT_EQ(part, 3);
    EXPECT_EQ(MPI_Status_get_tag(&status, &part), 0);
    EXPECT_EQ(part, 4);
    EXPECT_EQ(MPI_Status_get_error(&status, &part), 0);
    EXPECT_EQ(part, here::err_arg);
    EXPECT_EQ(MPI_Test_cancelled(&status, &part), 0);
    EXPECT_EQ(part, 0);
    EXPECT_EQ(MPI_Status_set_cancelled(&status, 1), 0);
    EXPECT_EQ(MPI_Test_cancelled(&status, &part), 0);
    EXPECT_EQ(part, 1);
    EXPECT_EQ(MPI_Status_get_tag(&status, &part), 0);
    EXPECT_EQ(part, 4);
    EXPECT_EQ(MPI_Status_get_tag(here::ignored(), &part), here::err_arg);
}

TEST(values, addresses) {
    int here_it_is = 0;
    MPI_Aint address = 0;
    EXPECT_EQ(MPI_Get_address(&here_it_is, &address), 0);
    EXPECT_EQ(address, reinterpret_cast<MPI_Aint>(&here_it_is));
    EXPECT_EQ(MPI_Aint_add(address, 8), address + 8);
    EXPECT_EQ(MPI_Aint_diff(address + 8, address), 8);
}

TEST(values, long_arrays) {
    int counts[2] = {1, 2};
    fake::begin("MPI_Reduce_scatter", "reduce_scatter",
                {fake::in(fake::pointer<void *>(64)), fake::in(fake::pointer<void *>(128)),
                 fake::array(1, 2), fake::in(mpi::datatype::int_), fake::in(mpi::op::sum),
                 fake::in(mpi::comm::world)});
    fake::end(MPI_Reduce_scatter(fake::pointer<void *>(64), fake::pointer<void *>(128), counts,
                                 here::integer(), here::sum(), here::world()));
    MPI_Request many[100];
    for (std::uint32_t i = 0; i < 100; ++i)
        many[i] = here::request(5000 + i);
    fake::begin("MPI_Startall", "startall", {fake::in(100), fake::inout_array(5000, 5001)});
    fake::end(MPI_Startall(100, many));
    EXPECT_EQ(many[0], here::request(5001));
    EXPECT_EQ(many[1], here::request(5000));
    EXPECT_EQ(many[99], here::request(5099));
}

// Lengths of arrays that no argument says

using asked = std::multiset<std::string>;

// What the core is called with is of no interest here.
void begin_any(const char *function) {
    fake::begin(function, "", {});
    fake::now.takes_anything = true;
}

TEST(lengths, come_from_the_communicator) {
    const int n[] = {1, 2};
    begin_any("MPI_Alltoallv");
    fake::end(MPI_Alltoallv(nullptr, n, n, here::integer(), nullptr, n, n, here::integer(),
                            here::world()));
    EXPECT_EQ(fake::now.asked, (asked{"peers", "peers", "peers", "peers"}));
    begin_any("MPI_Neighbor_alltoallv");
    fake::end(MPI_Neighbor_alltoallv(nullptr, n, n, here::integer(), nullptr, n, n, here::integer(),
                                     here::world()));
    EXPECT_EQ(fake::now.asked, (asked{"out_degree", "out_degree", "in_degree", "in_degree"}));
    begin_any("MPI_Reduce_scatter");
    fake::end(MPI_Reduce_scatter(nullptr, nullptr, n, here::integer(), here::sum(), here::world()));
    EXPECT_EQ(fake::now.asked, (asked{"local_size"}));
}

TEST(lengths, are_zero_where_the_root_is_another) {
    // Only the root's arrays need to be there.
    const int *const nowhere = fake::pointer<const int *>(64);
    begin_any("MPI_Gatherv");
    fake::now.is_root = false;
    fake::end(MPI_Gatherv(nullptr, 0, here::integer(), nullptr, nowhere, nowhere, here::integer(),
                          here::proc_null, here::world()));
    const std::string root = "is_root " + std::to_string(mpi::abi::proc_null);
    EXPECT_EQ(fake::now.asked, (asked{root, root}));
}

// Callbacks

struct {
    MPI_Datatype type;
    MPI_Comm comm;
    MPI_Win win;
    int keyval, code;
    std::int64_t count;
    const void *in;
} seen;

void add(void *in, void *, int *count, MPI_Datatype *type) {
    seen.in = in;
    seen.count = *count;
    seen.type = *type;
}

void add_many(void *in, void *, MPI_Count *count, MPI_Datatype *type) {
    seen.in = in;
    seen.count = *count;
    seen.type = *type;
}

TEST(callbacks, operators_see_the_faces_types) {
    MPI_Op op{};
    const int value = 0;
    int result = 0;
    fake::begin("MPI_Op_create", "op_create", {fake::in(&add), fake::in(1), fake::out(4101)});
    fake::end(MPI_Op_create(add, 1, &op));
    mpi::reduction made = fake::captured<mpi::reduction>;
    made.thunk(made.function, &value, &result, 12, mpi::datatype::int_);
    EXPECT_EQ(seen.type, here::integer());
    EXPECT_EQ(seen.count, 12);
    EXPECT_EQ(seen.in, &value);

    fake::begin("MPI_Op_create_c", "op_create",
                {fake::in(&add_many), fake::in(1), fake::out(4101)});
    fake::end(MPI_Op_create_c(add_many, 1, &op));
    made = fake::captured<mpi::reduction>;
    made.thunk(made.function, &value, &result, 2'000'000'000, mpi::datatype::int_);
    EXPECT_EQ(seen.count, 2'000'000'000);
}

void change(MPI_Comm *comm, int *code, ...) {
    seen.comm = *comm;
    seen.code = *code;
    *code = here::err_arg;
}

TEST(callbacks, error_handlers_see_the_faces_handles_and_codes) {
    MPI_Errhandler handler{};
    fake::begin("MPI_Comm_create_errhandler", "comm_create_errhandler",
                {fake::in(&change), fake::out(4102)});
    fake::end(MPI_Comm_create_errhandler(change, &handler));
    const auto made = fake::captured<mpi::error_function<mpi::comm>>;
    mpi::comm on = mpi::comm::world;
    int code = mpi::abi::err_request;
    made.thunk(made.function, &on, &code);
    EXPECT_EQ(seen.comm, here::world());
    EXPECT_EQ(seen.code, here::err_request);
    EXPECT_EQ(code, mpi::abi::err_arg);
    EXPECT_EQ(on, mpi::comm::world);
}

int copy_window(MPI_Win win, int keyval, void *state, void *value, void *out, int *flag) {
    seen.win = win;
    seen.keyval = keyval;
    *static_cast<void **>(out) = value;
    *flag = state != nullptr;
    return here::err_keyval;
}

int remove_window(MPI_Win win, int keyval, void *, void *) {
    seen.win = win;
    seen.keyval = keyval;
    return 0;
}

TEST(callbacks, of_attributes) {
    int keyval = 0;
    fake::begin("MPI_Win_create_keyval", "win_create_keyval",
                {fake::in(&copy_window), fake::in(&remove_window), fake::out(20003), fake::in(0)});
    fake::end(MPI_Win_create_keyval(copy_window, remove_window, &keyval, nullptr));
    EXPECT_EQ(keyval, 20003);
    const auto copies = fake::captured<mpi::attribute_copy<mpi::win>>;
    void *out = nullptr;
    int flag = 0;
    EXPECT_EQ(copies.thunk(copies.function, mpi::win{4103}, 20003, &flag, &seen, &out, &flag),
              mpi::abi::err_keyval);
    EXPECT_EQ(seen.win, here::window(4103));
    EXPECT_EQ(seen.keyval, 20003);
    EXPECT_EQ(out, &seen);
    EXPECT_EQ(flag, 1);
    const auto deletes = fake::captured<mpi::attribute_delete<mpi::win>>;
    EXPECT_EQ(deletes.thunk(deletes.function, mpi::win{4104}, 20004, nullptr, nullptr), 0);
    EXPECT_EQ(seen.win, here::window(4104));
    EXPECT_EQ(seen.keyval, 20004);
}

TEST(callbacks, predefined_ones_of_attributes) {
    using copy_type = mpi::attribute_copy<mpi::comm>;
    using delete_type = mpi::attribute_delete<mpi::comm>;
    const copy_type none =
        saguaro::mpi::faces::callback<here::face, copy_type>::of(MPI_Comm_copy_function(nullptr));
    EXPECT_EQ(none.thunk, nullptr);
    const delete_type nothing = saguaro::mpi::faces::callback<here::face, delete_type>::of(
        MPI_Comm_delete_function(nullptr));
    EXPECT_EQ(nothing.thunk, nullptr);
    const copy_type twin =
        saguaro::mpi::faces::callback<here::face, copy_type>::of(here::duplicate());
    void *out = nullptr;
    int flag = 0;
    EXPECT_EQ(twin.thunk(twin.function, mpi::comm::self, 1, nullptr, &seen, &out, &flag), 0);
    EXPECT_EQ(out, &seen);
    EXPECT_EQ(flag, 1);
}

int query(void *, MPI_Status *status) {
    status->MPI_SOURCE = here::proc_null;
    status->MPI_TAG = 5;
    return 0;
}
int free_it(void *) {
    return here::err_arg;
}
int cancel_it(void *, int complete) {
    seen.count = complete;
    return 0;
}

TEST(callbacks, of_generalized_requests) {
    MPI_Request request{};
    fake::begin(
        "MPI_Grequest_start", "grequest_start",
        {fake::in(&query), fake::in(&free_it), fake::in(&cancel_it), fake::in(0), fake::out(4105)});
    fake::end(MPI_Grequest_start(query, free_it, cancel_it, nullptr, &request));
    mpi::status status;
    const auto queries = fake::captured<mpi::grequest_query>;
    EXPECT_EQ(queries.thunk(queries.function, nullptr, &status), 0);
    EXPECT_EQ(status.source, mpi::abi::proc_null);
    EXPECT_EQ(status.tag, 5);
    const auto frees = fake::captured<mpi::grequest_free>;
    EXPECT_EQ(frees.thunk(frees.function, nullptr), mpi::abi::err_arg);
    const auto cancels = fake::captured<mpi::grequest_cancel>;
    EXPECT_EQ(cancels.thunk(cancels.function, nullptr, 1), 0);
    EXPECT_EQ(seen.count, 1);
}

// Datatypes

TEST(contents, have_the_faces_constants) {
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = 0;
    fake::now = {};
    EXPECT_EQ(MPI_Type_get_envelope(here::integer(), &integers, &addresses, &types, &combiner), 0);
    EXPECT_EQ(integers, 12);
    EXPECT_EQ(types, 1);
    EXPECT_EQ(combiner, here::combiner_darray);
    int is[12] = {};
    MPI_Aint nothing = 0;
    MPI_Datatype type[2] = {here::integer(), here::integer()};
    EXPECT_EQ(MPI_Type_get_contents(here::integer(), 12, 0, 2, is, &nothing, type), 0);
    const int expected[] = {4,
                            1,
                            2,
                            100,
                            200,
                            here::distribute_block,
                            here::distribute_cyclic,
                            here::distribute_dflt_darg,
                            5,
                            2,
                            2,
                            here::order_fortran};
    for (int i = 0; i < 12; ++i)
        EXPECT_EQ(is[i], expected[i]) << i;
    EXPECT_EQ(type[0], here::real_number());
    EXPECT_EQ(type[1], here::integer());
}

TEST(contents, with_large_counts_need_the_large_binding) {
    int n = 0;
    MPI_Count large[4] = {};
    fake::now = {};
    fake::now.answer = 2;
    EXPECT_EQ(MPI_Type_get_envelope(here::integer(), &n, &n, &n, &n), here::err_type);
    EXPECT_EQ(
        MPI_Type_get_envelope_c(here::integer(), &large[0], &large[1], &large[2], &large[3], &n),
        0);
    EXPECT_EQ(large[2], 2);
}

TEST(pcontrol, declares_costs_at_level_two) {
    fake::begin("MPI_Pcontrol", "declare_cost", {fake::in(1234)});
    fake::end(MPI_Pcontrol(2, 1234));
    fake::begin("MPI_Pcontrol", "declare_cost", {});
    EXPECT_EQ(MPI_Pcontrol(1, 5), 0);
    EXPECT_FALSE(fake::now.was_called);
}

// Attributes

TEST(attributes, that_are_constants_are_the_faces) {
    static int host = mpi::abi::proc_null;
    static int io = mpi::abi::any_source;
    int *value = nullptr;
    int flag = 0;
    fake::begin("MPI_Comm_get_attr", "comm_get_attr",
                {fake::in(mpi::comm::world), fake::in(mpi::abi::io),
                 fake::in(static_cast<void *>(&value)), fake::out(1)});
    value = &io;
    fake::end(MPI_Comm_get_attr(here::world(), here::io, &value, &flag));
    int *const first = value;
    EXPECT_EQ(*first, here::any_source);
    fake::begin("MPI_Comm_get_attr", "comm_get_attr",
                {fake::in(mpi::comm::world), fake::in(mpi::abi::host),
                 fake::in(static_cast<void *>(&value)), fake::out(1)});
    value = &host;
    fake::end(MPI_Comm_get_attr(here::world(), here::host, &value, &flag));
    EXPECT_EQ(*value, here::proc_null);
    EXPECT_EQ(*first, here::any_source);
}

TEST(attributes, of_programs_are_left_alone) {
    void *value = &seen;
    int flag = 0;
    fake::begin(
        "MPI_Win_get_attr", "win_get_attr",
        {fake::in(4106), fake::in(20005), fake::in(static_cast<void *>(&value)), fake::out(1)});
    fake::end(MPI_Win_get_attr(here::window(4106), 20005, &value, &flag));
    EXPECT_EQ(value, &seen);
}

} // namespace
