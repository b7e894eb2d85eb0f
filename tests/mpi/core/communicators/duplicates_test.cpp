// SPDX-License-Identifier: MIT
// Duplicates that are made while ranks go on, hints, and communicators of groups alone.
#include "halves.hpp"

#include "mpi/core/communicators/making.hpp"
#include "mpi/core/info/info.hpp"
#include "mpi/core/waiting/threads.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

namespace saguaro::mpi {
namespace {

bool is_usable(comm on, int me, int ranks) {
    int next = (me + 1) % ranks;
    int got = -1;
    core::sendrecv(&me, 1, datatype::int_, next, 0, &got, 1, datatype::int_,
                   (me + ranks - 1) % ranks, 0, on, nullptr);
    return got == (me + ranks - 1) % ranks;
}

// Two are under way on each of two communicators that overlap, and other communicators are made
// meanwhile; the ranks wait for them in other orders.
TEST(duplicates, are_made_while_others_are) {
    shared_array<context_value> contexts(3 * 5);
    EXPECT_TRUE(all_well(run_ranks(3, [&](int me) {
        comm turned{};
        comm copies[4];
        request done[4];
        core::comm_split(comm::world, 0, -me, &turned);
        core::comm_idup(comm::world, &copies[0], &done[0]);
        core::comm_idup(turned, &copies[1], &done[1]);
        core::comm_idup(comm::world, &copies[2], &done[2]);
        core::comm_idup(turned, &copies[3], &done[3]);
        comm between{};
        core::comm_dup(comm::world, &between);
        if (me == 1)
            for (int i = 3; i >= 0; --i)
                core::wait(&done[i], nullptr);
        else
            core::waitall(4, done, nullptr);
        for (int i = 0; i < 4; ++i) {
            const int place = i % 2 == 0 ? me : 2 - me;
            if (!is_usable(copies[i], place, 3))
                return 1;
            contexts[static_cast<std::size_t>(me * 5 + i)] = find(copies[i])->context;
        }
        contexts[static_cast<std::size_t>(me * 5 + 4)] = find(between)->context;
        return 0;
    })));
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(contexts[i], contexts[5 + i]);
        EXPECT_EQ(contexts[i], contexts[10 + i]);
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_NE(contexts[i], contexts[j]);
    }
}

TEST(duplicates, end_where_the_bits_of_partitioned_communication_begin) {
    shared_array<context_value> last(1);
    const std::vector<int> codes = run_ranks(1, [&](int) {
        comm copy{};
        rank::mine->all().head().contexts = (contexts_end - first_context) / 2 - 1;
        core::comm_dup(comm::world, &copy);
        last[0] = find(copy)->context;
        core::comm_dup(comm::world, &copy);
        return 0;
    });
    EXPECT_EQ(codes, std::vector<int>{2});
    EXPECT_EQ(last[0], contexts_end - 2);
}

TEST(duplicates, need_nobody_but_the_leader) {
    EXPECT_TRUE(all_well(run_ranks(3, [](int me) {
        comm copy{};
        request done{};
        // Rank 2 comes only when rank 1 has its duplicate.
        if (me == 2)
            core::recv(nullptr, 0, datatype::byte, 1, 0, comm::world, nullptr);
        core::comm_idup(comm::world, &copy, &done);
        core::wait(&done, nullptr);
        if (me == 1)
            core::send(nullptr, 0, datatype::byte, 2, 0, comm::world);
        return 0;
    })));
}

TEST(duplicates, of_intercommunicators_connect_the_groups) {
    EXPECT_TRUE(all_well(run_ranks(4, [](int me) {
        const halves h = make_halves(2);
        comm copy{};
        request done{};
        core::comm_idup(h.between, &copy, &done);
        core::wait(&done, nullptr);
        int got = -1;
        core::sendrecv(&me, 1, datatype::int_, me % 2, 0, &got, 1, datatype::int_, me % 2, 0, copy,
                       nullptr);
        return got == (me + 2) % 4 ? 0 : 1;
    })));
}

TEST(hints, belong_to_the_communicator_that_got_them) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        info given = make_info({{"mpi_assert_a", "1"}, {"mpi_assert_b", "2"}, {"other", ""}});
        comm copy{};
        comm plain{};
        core::comm_dup_with_info(comm::world, given, &copy);
        core::info_free(&given);
        core::comm_dup(copy, &plain);
        given = make_info({{"mpi_assert_b", "3"}});
        core::comm_set_info(copy, given);
        const auto hints_of = [](comm which) {
            info got{};
            info_list list;
            core::comm_get_info(which, &got);
            read_info(got, list);
            return list;
        };
        return hints_of(copy) == info_list{{"mpi_assert_a", "1"}, {"mpi_assert_b", "3"}} &&
                       hints_of(plain).empty() &&
                       core::comm_set_info(copy, info{77}) == abi::err_info
                   ? 0
                   : 1;
    })));
}

TEST(communicators, come_from_a_group_alone) {
    EXPECT_TRUE(all_well(run_ranks(4, [](int me) {
        group all{};
        group odd{};
        const int chosen[] = {3, 1};
        core::comm_group(comm::world, &all);
        core::group_incl(all, 2, chosen, &odd);
        comm made{};
        const int error =
            core::comm_create_from_group(odd, "odd", info::null, errhandler::errors_return, &made);
        if (me % 2 == 0)
            return error == abi::err_group ? 0 : 1;
        return error == 0 && is_usable(made, me == 3 ? 0 : 1, 2) &&
                       core::comm_create_from_group(odd, "odd", info::null, errhandler{99},
                                                    &made) == abi::err_errhandler
                   ? 0
                   : 2;
    })));
}

TEST(sessions, make_a_world_without_init) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        session s{};
        int flag = 1;
        if (core::session_init(info::null, errhandler::errors_return, &s) != 0)
            return 1;
        core::initialized(&flag);
        int sets = 0;
        int length = 0;
        char name[32] = "";
        core::session_get_num_psets(s, info::null, &sets);
        core::session_get_nth_pset(s, info::null, 0, &length, nullptr);
        if (flag != 0 || sets != 2 || length != 12)
            return 2;
        core::session_get_nth_pset(s, info::null, 0, &length, name);
        group world{};
        if (std::string(name) != "mpi://WORLD" ||
            core::group_from_session_pset(s, name, &world) != 0 ||
            core::group_from_session_pset(s, "mpi://NO", &world) != abi::err_arg ||
            core::session_get_nth_pset(s, info::null, 2, &length, name) != abi::err_arg)
            return 3;
        comm made{};
        info about{};
        info_list list;
        core::comm_create_from_group(world, "x", info::null, errhandler::errors_return, &made);
        core::barrier(made);
        core::session_get_pset_info(s, "mpi://WORLD", &about);
        read_info(about, list);
        if (list != info_list{{"mpi_size", "1"}} || core::session_finalize(&s) != 0 ||
            s != session::null || core::session_finalize(&s) != abi::err_session)
            return 4;
        // It may begin again, and MPI_Init may come as well.
        if (core::session_init(info::null, errhandler::errors_return, &s) != 0 ||
            core::init(nullptr, nullptr) != 0 || core::init(nullptr, nullptr) != abi::err_other)
            return 5;
        core::finalize();
        const bool lives = core::active();
        core::session_finalize(&s);
        _exit(lives && !core::active() ? 0 : 6);
    })));
}

TEST(sessions, give_the_threads_they_are_asked_for) {
    EXPECT_TRUE(all_well(run_ranks(1, [](int) {
        const std::pair<int, const char *> levels[] = {
            {abi::thread_single, "MPI_THREAD_SINGLE"},
            {abi::thread_funneled, "MPI_THREAD_FUNNELED"},
            {abi::thread_serialized, "MPI_THREAD_SERIALIZED"},
            {abi::thread_multiple, "MPI_THREAD_MULTIPLE"}};
        int number = 0;
        for (const auto &[level, name] : levels) {
            session s{};
            info given{};
            info_list got;
            int provided = -1;
            ++number;
            core::session_init(make_info({{"thread_level", name}}), errhandler::errors_return, &s);
            core::session_get_info(s, &given);
            core::query_thread(&provided);
            read_info(given, got);
            if (got != info_list{{"thread_level", name}} || provided != level ||
                gate.is_shared() != (level >= abi::thread_serialized))
                return number;
        }
        return 0;
    })));
}

TEST(sessions, find_sets_whatever_the_case_of_the_name) {
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        session s{};
        core::session_init(info::null, errhandler::errors_return, &s);
        group self{};
        group world{};
        int size = 0;
        int rank = 0;
        if (core::group_from_session_pset(s, "mpi://self", &self) != abi::success ||
            core::group_from_session_pset(s, "MPI://World", &world) != abi::success ||
            core::group_from_session_pset(s, "mpi://worlds", &world) != abi::err_arg)
            return 1;
        core::group_size(self, &size);
        core::group_rank(world, &rank);
        return size == 1 && rank == me ? 0 : 2;
    })));
}

} // namespace
} // namespace saguaro::mpi
