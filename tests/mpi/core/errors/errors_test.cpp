// SPDX-License-Identifier: MIT
// Which handler an error goes to, and the error codes that programs add.
#include "mpi/core/errors/errors.hpp"
#include "mpi/core/ranks.hpp"
#include "mpi/core/short.hpp"

#include <gtest/gtest.h>
#include <string>

namespace saguaro::mpi {
namespace {

// What the handlers below were called with last.
struct handler_call {
    int kind = 0;
    std::uint32_t object = 0;
    int error = 0;
    bool operator==(const handler_call &) const = default;
};
handler_call last;

template <class handle, int kind>
void note(any_function, handle *on, int *error) {
    last = {kind, number(*on), *error};
}

constexpr error_function<comm> of_comms{note<comm, 1>};
constexpr error_function<file> of_files{note<file, 2>};

TEST(handlers, are_called_with_their_object) {
    errhandler before_init{};
    ASSERT_EQ(core::comm_create_errhandler(of_comms, &before_init), abi::success);
    on_one_rank([=] {
        comm made{};
        core::comm_dup(comm::world, &made);
        if (core::comm_set_errhandler(made, before_init) != abi::success)
            return 1;
        if (core::raise(made, abi::err_tag, "MPI_Send") != abi::err_tag ||
            last != handler_call{1, number(made), abi::err_tag})
            return 2;
        // What has no handler of its own goes to MPI_COMM_SELF's.
        core::comm_set_errhandler(comm::self, before_init);
        const handler_call of_self{1, number(comm::self), abi::err_win};
        for (const auto raise : {+[] { return core::raise(win::null, abi::err_win, ""); },
                                 +[] { return core::raise(session::null, abi::err_win, ""); },
                                 +[] { return core::raise(comm::null, abi::err_win, ""); }}) {
            last = {};
            if (raise() != abi::err_win || last != of_self)
                return 3;
        }
        last = {};
        if (core::comm_call_errhandler(made, abi::err_io) != abi::success ||
            last != handler_call{1, number(made), abi::err_io})
            return 4;
        return core::comm_call_errhandler(comm::null, abi::err_io) == abi::err_comm ? 0 : 5;
    });
}

TEST(handlers, of_the_program_say_what_is_returned) {
    on_one_rank([] {
        errhandler handler{};
        core::comm_create_errhandler(
            {[](any_function, comm *, int *error) { *error = abi::err_io; }}, &handler);
        core::comm_set_errhandler(comm::world, handler);
        return core::raise(comm::world, abi::err_type, "MPI_Send") == abi::err_io ? 0 : 1;
    });
}

TEST(handlers, of_the_world_serve_a_program_that_sets_none_at_self) {
    on_one_rank([] {
        comm copy{};
        core::comm_dup(comm::world, &copy);
        errhandler handler{};
        core::comm_create_errhandler(of_comms, &handler);
        core::comm_set_errhandler(comm::world, handler);
        core::raise(comm::self, abi::err_type, "MPI_Type_commit");
        if (last != handler_call{1, number(comm::world), abi::err_type})
            return 1;
        last = {};
        core::raise(copy, abi::err_type, "MPI_Send");
        if (last != handler_call{1, number(comm::world), abi::err_type})
            return 4;
        errhandler own{};
        core::comm_get_errhandler(comm::self, &own);
        if (own != errhandler::errors_are_fatal)
            return 2;
        core::comm_set_errhandler(comm::self, errhandler::errors_return);
        last = {};
        core::raise(comm::self, abi::err_type, "MPI_Type_commit");
        return last == handler_call{} ? 0 : 3;
    });
}

TEST(handlers, of_files_return_unless_the_program_wants_another) {
    on_one_rank([] {
        const auto raise = [] { return core::raise(file::null, abi::err_io, "MPI_File_open"); };
        errhandler own{};
        if (core::file_get_errhandler(file::null, &own) != abi::success ||
            own != errhandler::errors_return || raise() != abi::err_io)
            return 1;
        core::file_create_errhandler(of_files, &own);
        if (core::file_set_errhandler(file::null, own) != abi::success || raise() != abi::err_io ||
            last != handler_call{2, number(file::null), abi::err_io})
            return 2;
        last = {};
        core::file_call_errhandler(file::null, abi::err_quota);
        return last == handler_call{2, number(file::null), abi::err_quota} ? 0 : 3;
    });
}

TEST(handlers, belong_to_a_kind) {
    on_one_rank([] {
        errhandler handler{};
        core::file_create_errhandler(of_files, &handler);
        if (core::comm_set_errhandler(comm::world, handler) != abi::err_errhandler ||
            core::comm_set_errhandler(comm::world, errhandler::null) != abi::err_errhandler ||
            core::win_set_errhandler(win::null, handler) != abi::err_win ||
            core::session_set_errhandler(session::null, handler) != abi::err_session)
            return 1;
        return 0;
    });
}

TEST(handlers, stay_while_objects_have_them) {
    on_one_rank([] {
        errhandler handler{};
        core::comm_create_errhandler(of_comms, &handler);
        core::comm_set_errhandler(comm::self, handler);
        errhandler same{};
        core::comm_get_errhandler(comm::self, &same);
        if (same != handler || core::errhandler_free(&handler) != abi::success ||
            handler != errhandler::null || core::errhandler_free(&same) != abi::success)
            return 1;
        last = {};
        core::raise(comm::self, abi::err_arg, "");
        if (last.error != abi::err_arg)
            return 2;
        core::comm_set_errhandler(comm::self, errhandler::errors_return);
        errhandler none = static_cast<errhandler>(last_dynamic);
        return core::errhandler_free(&none) == abi::err_errhandler ? 0 : 3;
    });
}

// A receive without room for its message.
request receive_too_little(comm on) {
    static int value = 0;
    const int two[2] = {1, 2};
    request made{};
    core::irecv(&value, 1, datatype::int_, 0, 0, on, &made);
    core::send(two, 2, datatype::int_, 0, 0, on);
    return made;
}

TEST(handlers, of_a_request_are_its_communicators) {
    on_one_rank([] {
        errhandler handler{};
        core::comm_create_errhandler(of_comms, &handler);
        comm first{};
        comm second{};
        core::comm_dup(comm::world, &first);
        core::comm_dup(comm::world, &second);
        core::comm_set_errhandler(first, handler);
        core::comm_set_errhandler(second, handler);
        request one = receive_too_little(second);
        int error = core::wait(&one, nullptr);
        core::raise(core::failed_request{}, error, "MPI_Wait");
        if (last != handler_call{1, number(second), abi::err_truncate})
            return 1;
        // Of several the first, and it may be the last user of its communicator.
        request both[] = {receive_too_little(first), receive_too_little(second)};
        const handler_call of_first{1, number(first), abi::err_in_status};
        core::comm_free(&first);
        error = core::waitall(2, both, nullptr);
        core::raise(core::failed_request{}, error, "MPI_Waitall");
        if (last != of_first)
            return 2;
        message taken{};
        const int two[2] = {1, 2};
        int value = 0;
        core::send(two, 2, datatype::int_, 0, 0, second);
        core::mprobe(0, 0, second, &taken, nullptr);
        error = core::mrecv(&value, 1, datatype::int_, &taken, nullptr);
        core::raise(core::failed_request{}, error, "MPI_Mrecv");
        if (last != handler_call{1, number(second), abi::err_truncate})
            return 3;
        // An error of none of them.
        core::comm_set_errhandler(comm::self, handler);
        request none = static_cast<request>(last_dynamic);
        core::raise(core::failed_request{}, core::wait(&none, nullptr), "MPI_Wait");
        return last == handler_call{1, number(comm::self), abi::err_request} ? 0 : 4;
    });
}

// The communicator's handle has gone before the request fails, and the handler's before that.
TEST(handlers, stay_while_requests_of_their_communicators_may_fail) {
    on_one_rank([] {
        const std::size_t before = live_handlers();
        errhandler handler{};
        comm on{};
        core::comm_create_errhandler(of_comms, &handler);
        core::comm_dup(comm::world, &on);
        core::comm_set_errhandler(on, handler);
        core::errhandler_free(&handler);
        request r = receive_too_little(on);
        const handler_call expected{1, number(on), abi::err_truncate};
        core::comm_free(&on);
        last = {};
        core::raise(core::failed_request{}, core::wait(&r, nullptr), "MPI_Wait");
        return last == expected && live_handlers() == before ? 0 : 1;
    });
}

// The outer request has failed when the program's function waits for another that fails.
TEST(handlers, of_a_request_that_fails_inside_a_function_of_the_program_are_its_own) {
    on_one_rank([] {
        errhandler handler{};
        comm outer{};
        static comm inner{};
        core::comm_create_errhandler(of_comms, &handler);
        core::comm_dup(comm::world, &outer);
        core::comm_set_errhandler(outer, handler);
        core::comm_dup(comm::world, &inner);
        core::comm_set_errhandler(inner, errhandler::errors_return);
        request both[2] = {receive_too_little(outer), {}};
        const auto query = [](any_function, void *, status *) {
            request r = receive_too_little(inner);
            last = {};
            core::raise(core::failed_request{}, core::wait(&r, nullptr), "MPI_Wait");
            return last == handler_call{} ? abi::success : abi::err_other;
        };
        const auto release = [](any_function, void *) { return abi::success; };
        core::grequest_start({query}, {release}, {}, nullptr, &both[1]);
        core::grequest_complete(both[1]);
        status s[2];
        const int error = core::waitall(2, both, s);
        core::raise(core::failed_request{}, error, "MPI_Waitall");
        return s[1].error == 0 && last == handler_call{1, number(outer), abi::err_in_status} ? 0
                                                                                             : 1;
    });
}

TEST(handlers, that_are_fatal_name_the_call) {
    for (const errhandler fatal : {errhandler::errors_are_fatal, errhandler::errors_abort}) {
        testing::internal::CaptureStderr();
        const auto codes = run_ranks(1, [=](int) {
            int code = 0;
            core::add_error_code(abi::err_other, &code);
            core::add_error_string(code, "the program's own");
            core::comm_set_errhandler(comm::world, fatal);
            core::raise(comm::world, code, "MPI_Bcast");
            return 0;
        });
        EXPECT_NE(codes[0], 0);
        EXPECT_EQ(testing::internal::GetCapturedStderr(),
                  "saguaro: mpi: rank 0: MPI_Bcast: the program's own\n");
    }
}

std::string text_of(int code) {
    char text[abi::max_error_string];
    int length = 0;
    return core::error_string(code, text, &length) == abi::success
               ? std::string(text, static_cast<std::size_t>(length))
               : "none";
}

int class_of(int code) {
    int its_class = -1;
    return core::error_class(code, &its_class) == abi::success ? its_class : -1;
}

TEST(error_codes, that_a_program_adds) {
    EXPECT_EQ(last_used_code(), abi::err_lastcode);
    int own_class = 0;
    int own_code = 0;
    int code_of_standard = 0;
    ASSERT_EQ(core::add_error_class(&own_class), abi::success);
    ASSERT_EQ(core::add_error_code(own_class, &own_code), abi::success);
    ASSERT_EQ(core::add_error_code(abi::err_rank, &code_of_standard), abi::success);
    EXPECT_GT(own_class, abi::err_lastcode);
    EXPECT_EQ(last_used_code(), code_of_standard);
    EXPECT_EQ(class_of(own_class), own_class);
    EXPECT_EQ(class_of(own_code), own_class);
    EXPECT_EQ(class_of(code_of_standard), abi::err_rank);
    EXPECT_EQ(text_of(own_code), "");
    EXPECT_EQ(core::add_error_string(own_code, "odd"), abi::success);
    EXPECT_EQ(text_of(own_code), "odd");
    EXPECT_EQ(core::remove_error_code(own_code), abi::err_other); // it has a string
    EXPECT_EQ(core::remove_error_string(own_code), abi::success);
    EXPECT_EQ(core::remove_error_string(own_code), abi::err_arg);
    EXPECT_EQ(text_of(own_code), "");
    // A class goes after its codes, and each goes once.
    EXPECT_EQ(core::remove_error_class(own_class), abi::err_other);
    EXPECT_EQ(core::remove_error_class(own_code), abi::err_arg);
    EXPECT_EQ(core::remove_error_code(own_class), abi::err_arg);
    EXPECT_EQ(core::remove_error_code(own_code), abi::success);
    EXPECT_EQ(core::remove_error_code(own_code), abi::err_arg);
    EXPECT_EQ(core::remove_error_class(own_class), abi::success);
    EXPECT_EQ(core::remove_error_code(code_of_standard), abi::success);
    EXPECT_EQ(last_used_code(), abi::err_lastcode);
}

TEST(error_codes, of_the_standard_are_nobodys_to_change) {
    EXPECT_EQ(core::add_error_string(abi::err_rank, "x"), abi::err_arg);
    EXPECT_EQ(core::remove_error_string(abi::err_rank), abi::err_arg);
    EXPECT_EQ(core::remove_error_class(abi::err_rank), abi::err_arg);
    EXPECT_EQ(text_of(abi::err_rank), "invalid rank");
    EXPECT_EQ(text_of(abi::t_err_pvar_no_atomic), "the variable cannot be read and reset at once");
    int code = 0;
    for (const int none : {-1, abi::err_lastcode + 1}) {
        EXPECT_EQ(class_of(none), -1);
        EXPECT_EQ(text_of(none), "none");
        EXPECT_EQ(core::add_error_code(none, &code), abi::err_arg);
    }
}

} // namespace
} // namespace saguaro::mpi
