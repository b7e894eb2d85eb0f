// SPDX-License-Identifier: MIT
// Requests of the program's own, and questions about requests that stay as they are.
#include "mpi/core/ranks.hpp"
#include "mpi/core/requests/generalized_requests.hpp"

#include <gtest/gtest.h>

namespace saguaro::mpi {
namespace {

// What the program's functions were called with, and what they say.
struct operation {
    int queried = 0, freed = 0, cancelled = 0;
    bool was_complete = false;
    int answer = abi::success;
};

int query_it(any_function, void *state, status *of) {
    auto &own = *static_cast<operation *>(state);
    ++own.queried;
    *of = {7, 8, 0, 24, true};
    return own.answer;
}

int free_it(any_function, void *state) {
    ++static_cast<operation *>(state)->freed;
    return abi::success;
}

int cancel_it(any_function, void *state, int complete) {
    auto &own = *static_cast<operation *>(state);
    ++own.cancelled;
    own.was_complete = complete != 0;
    return abi::success;
}

request start(operation &own) {
    request out{};
    core::grequest_start({query_it}, {free_it}, {cancel_it}, &own, &out);
    return out;
}

TEST(generalized_requests, end_when_the_program_says_so) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        operation own;
        request r = start(own);
        const request same = r;
        int flag = 1;
        status s;
        if (core::test(&r, &flag, &s) != 0 || flag != 0 || own.queried != 0)
            return 1;
        if (ask_program_to_cancel(*process::mine->requests.find(r)) != 0 || own.was_complete)
            return 2;
        if (core::grequest_complete(r) != 0 || core::grequest_complete(r) != abi::err_request)
            return 3;
        if (core::request_get_status(r, &flag, &s) != 0 || flag != 1 || own.queried != 1 ||
            own.freed != 0 || s.source != 7 || s.bytes != 24 || !s.cancelled)
            return 4;
        s = {};
        if (core::wait(&r, &s) != 0 || r != request::null || s.tag != 8 || own.freed != 1)
            return 5;
        return core::grequest_complete(same) == abi::err_request ? 0 : 6;
    })));
}

TEST(generalized_requests, may_fail_and_are_freed) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        operation own;
        own.answer = abi::err_io;
        request both[2] = {start(own), request::null};
        core::grequest_complete(both[0]);
        status s[2];
        if (core::waitall(2, both, s) != abi::err_in_status || s[0].error != abi::err_io ||
            s[1].error != 0 || own.freed != 1)
            return 1;
        // Freed before its end: the program is told when that comes, not asked how.
        request r = start(own);
        const request same = r;
        if (core::request_free(&r) != 0 || own.freed != 1 || core::grequest_complete(same) != 0 ||
            own.freed != 2 || own.queried != 1)
            return 2;
        r = start(own);
        core::grequest_complete(r);
        if (core::request_free(&r) != 0 || own.freed != 3)
            return 3;
        return process::mine->requests.live() == 0 ? 0 : 4;
    })));
}

TEST(statuses, of_several_requests_leave_them_active) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        if (me == 1) {
            const int two[2] = {1, 2};
            core::send(two, 2, datatype::int_, 0, 5, comm::world);
            core::barrier(comm::world);
            core::declare_cost(100); // later than the first questions of the other rank
            core::send(two, 1, datatype::int_, 0, 6, comm::world);
            return 0;
        }
        int buffers[2][2];
        request r[3] = {request::null, request::null, request::null};
        core::irecv(buffers[0], 2, datatype::int_, 1, 6, comm::world, &r[0]);
        core::irecv(buffers[1], 2, datatype::int_, 1, 5, comm::world, &r[2]);
        core::barrier(comm::world);
        int flag = 0;
        int index = 0;
        int done = 0;
        int indices[3];
        status s[3];
        for (int turn = 0; turn < 2; ++turn) {
            if (core::request_get_status_any(3, r, &index, &flag, s) != 0 || flag != 1 ||
                index != 2 || s[0].tag != 5 || s[0].bytes != 8)
                return 1;
            if (core::request_get_status_some(3, r, &done, indices, s) != 0 || done != 1 ||
                indices[0] != 2 || s[0].tag != 5 || s[0].error != 0)
                return 2;
        }
        while (core::request_get_status_all(3, r, &flag, s) == 0 && flag == 0)
            ;
        // An empty status says that there was no error; those of operations alone say nothing.
        if (s[1].error != abi::success || s[1].source != abi::any_source)
            return 7;
        s[0].error = s[1].error = abi::err_io;
        request none = request::null;
        if (core::test(&none, &flag, &s[1]) != 0 || s[1].error != abi::success ||
            core::request_get_status(r[2], &flag, &s[0]) != 0 || s[0].error != status::error_unset)
            return 8;
        core::request_get_status_all(3, r, &flag, s);
        if (s[0].tag != 6 || s[1].tag != abi::any_tag || s[2].tag != 5 || r[0] == request::null)
            return 3;
        if (core::waitall(3, r, nullptr) != 0)
            return 4;
        if (core::request_get_status_some(3, r, &done, indices, s) != 0 || done != abi::undefined)
            return 5;
        return core::request_get_status_all(-1, r, &flag, s) == abi::err_count ? 0 : 6;
    })));
}

} // namespace
} // namespace saguaro::mpi
