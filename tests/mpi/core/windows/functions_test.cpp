// SPDX-License-Identifier: MIT
// The functions of windows: what they move and tell, and which errors they return.
#include "mpi/core/replay.hpp"
#include "mpi/core/short.hpp"
#include "mpi/core/windows/window.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <unistd.h>

namespace saguaro::mpi {
namespace {

using namespace core;

template <class Body>
void on_each_of(std::uint32_t count, Body body) {
    EXPECT_TRUE(all_well(run_ranks(count, body)));
}

win window_of(void *base, std::int64_t bytes, std::int64_t unit = sizeof(int)) {
    win made = win::null;
    win_create(base, bytes, unit, info::null, comm::world, &made);
    return made;
}

// Every third int of the target, from a contiguous piece and back, and what lies between stays.
TEST(windows, types_with_gaps_at_both_ends) {
    on_each_of(2, [](int me) {
        std::vector<int> memory(3000, me == 1 ? 7 : 0);
        win w = window_of(memory.data(), 3000 * sizeof(int));
        datatype sparse = datatype::null;
        datatype mirrored = datatype::null;
        type_vector(1000, 1, 3, integer, &sparse);
        // The last element first, and two of them in a list.
        const std::int64_t lengths[] = {1, 499, 500};
        const std::int64_t places[] = {999, 500, 0};
        type_indexed(3, lengths, places, integer, &mirrored);
        type_commit(&sparse);
        type_commit(&mirrored);
        std::vector<int> sent(1000);
        std::iota(sent.begin(), sent.end(), 0);
        std::vector<int> got(1000, -1);
        win_fence(0, w);
        if (me == 0)
            put(sent.data(), 1000, integer, 1, 0, 1, sparse, w);
        win_fence(0, w);
        bool is_put = true;
        for (int i = 0; me == 1 && i < 3000; ++i)
            is_put = is_put && memory[static_cast<std::size_t>(i)] == (i % 3 == 0 ? i / 3 : 7);
        win_fence(0, w);
        if (me == 0)
            get(got.data(), 1, mirrored, 1, 0, 1, sparse, w);
        win_fence(0, w);
        bool is_got = true;
        for (int i = 0; me == 0 && i < 1000; ++i) {
            const int at = i == 0 ? 999 : i < 500 ? 499 + i : i - 500;
            is_got = is_got && got[static_cast<std::size_t>(at)] == i;
        }
        win_fence(0, w);
        if (me == 0)
            accumulate(sent.data(), 1, mirrored, 1, 1, 1, sparse, op::sum, w);
        win_fence(0, w);
        // The stream of `mirrored` is 999, 500 to 998, 0 to 499.
        const bool is_added = me == 0 || (memory[1] == 7 + 999 && memory[4] == 7 + 500 &&
                                          memory[1 + 3 * 500] == 7 && memory[2] == 7);
        type_free(&sparse);
        type_free(&mirrored);
        return first_false({is_put, is_got, is_added, win_free(&w) == 0});
    });
}

// A list of runs of different lengths, in the memory of another process, and more of them than one
// call of the system takes.
TEST(windows, many_runs_of_different_lengths) {
    on_each_of(2, [](int me) {
        std::vector<char> memory(40'000, 1);
        win w = window_of(memory.data(), 40'000, 1);
        std::vector<std::int64_t> lengths;
        std::vector<std::int64_t> places;
        std::int64_t total = 0;
        for (std::int64_t i = 0; i < 1500; ++i) {
            lengths.push_back(1 + i % 7);
            places.push_back(i * 20);
            total += lengths.back();
        }
        datatype list = datatype::null;
        type_indexed(1500, lengths.data(), places.data(), datatype::char_, &list);
        type_commit(&list);
        std::vector<char> sent(static_cast<std::size_t>(total));
        for (std::size_t i = 0; i < sent.size(); ++i)
            sent[i] = static_cast<char>(i % 100);
        std::vector<char> got(sent.size());
        win_lock(abi::lock_exclusive, 1, 0, w);
        if (me == 0) {
            put(sent.data(), total, datatype::char_, 1, 2, 1, list, w);
            get(got.data(), total, datatype::char_, 1, 2, 1, list, w);
        }
        win_unlock(1, w);
        barrier(comm::world);
        const bool is_same = me == 1 || got == sent;
        bool is_there = true;
        std::size_t next = 0;
        for (std::size_t i = 0; me == 1 && i < 1500; ++i)
            for (std::size_t k = 0; k < 20; ++k) {
                const char expected =
                    k < static_cast<std::size_t>(lengths[i]) ? sent[next++] : char{1};
                is_there = is_there && memory[i * 20 + k + 2] == expected;
            }
        type_free(&list);
        return first_false({is_same, is_there, win_free(&w) == 0});
    });
}

struct double_and_int {
    double value;
    int index;
};

TEST(windows, pairs_have_gaps_that_their_stream_has_not) {
    for (const bool allocates : {false, true})
        on_each_of(3, [allocates](int me) {
            std::array<double_and_int, 2> own{{{1, 50}, {20, 1}}};
            auto *memory = own.data();
            win w = win::null;
            if (allocates) {
                win_allocate(sizeof(own), sizeof(own[0]), info::null, comm::world, &memory, &w);
                memory[0] = own[0];
                memory[1] = own[1];
            } else {
                w = window_of(own.data(), sizeof(own), sizeof(own[0]));
            }
            const std::array<double_and_int, 2> mine{{{10.0 + me, me}, {20.0 - me, me}}};
            win_fence(0, w);
            accumulate(mine.data(), 2, datatype::double_int, 0, 0, 2, datatype::double_int,
                       op::maxloc, w);
            win_fence(0, w);
            const bool is_right = me != 0 || (memory[0].value == 12 && memory[0].index == 2 &&
                                              memory[1].value == 20 && memory[1].index == 0);
            return first_false({is_right, win_free(&w) == 0});
        });
}

TEST(windows, what_an_accumulate_of_a_derived_type_is_made_of) {
    on_each_of(1, [](int) {
        std::array<int, 4> memory{1, 1, 1, 1};
        win w = window_of(memory.data(), sizeof(memory));
        datatype twice = datatype::null;
        datatype mixed = datatype::null;
        type_contiguous(2, integer, &twice);
        const std::int64_t ones[] = {1, 1};
        const std::int64_t places[] = {0, 8};
        const datatype parts[] = {integer, datatype::double_};
        type_create_struct(2, ones, places, parts, &mixed);
        type_commit(&twice);
        type_commit(&mixed);
        const std::array<int, 4> more{1, 2, 3, 4};
        win_lock(abi::lock_shared, 0, 0, w);
        const int good = accumulate(more.data(), 2, twice, 0, 0, 2, twice, op::sum, w);
        const int bad = accumulate(more.data(), 1, mixed, 0, 0, 1, mixed, op::sum, w);
        int before[4] = {};
        const int fetched =
            get_accumulate(nullptr, 0, integer, before, 4, integer, 0, 0, 4, integer, op::no_op, w);
        win_unlock(0, w);
        type_free(&twice);
        type_free(&mixed);
        return first_false({good == 0, bad == abi::err_type, fetched == 0, before[3] == 5,
                            memory[1] == 3, win_free(&w) == 0});
    });
}

// A type may be freed, and a request completed, before the operation takes effect.
TEST(windows, types_live_until_the_operation_is_over) {
    on_each_of(2, [](int me) {
        std::array<int, 8> memory{};
        win w = window_of(memory.data(), sizeof(memory));
        const int sent[4] = {1, 2, 3, 4};
        win_fence(0, w);
        if (me == 0) {
            datatype sparse = datatype::null;
            type_vector(4, 1, 2, integer, &sparse);
            type_commit(&sparse);
            put(sent, 4, integer, 1, 0, 1, sparse, w);
            type_free(&sparse);
        }
        win_fence(0, w);
        return first_false(
            {me == 0 || (memory[2] == 2 && memory[6] == 4 && memory[1] == 0), win_free(&w) == 0});
    });
}

TEST(windows, memory_of_allocate_begins_as_zeros_and_is_used_again) {
    on_each_of(2, [](int) {
        bool are_zeros = true;
        for (int round = 0; round < 3; ++round) {
            int *memory = nullptr;
            win w = win::null;
            win_allocate(10'000 * sizeof(int), sizeof(int), info::null, comm::world, &memory, &w);
            for (int i = 0; i < 10'000; ++i) {
                are_zeros = are_zeros && memory[i] == 0;
                memory[i] = i + 1;
            }
            win_free(&w);
        }
        return are_zeros ? 0 : 1;
    });
}

TEST(windows, large_memory_begins_as_zeros_too) {
    on_each_of(1, [](int) {
        constexpr std::int64_t bytes = 70 << 20;
        bool are_zeros = true;
        for (int round = 0; round < 2; ++round) {
            char *memory = nullptr;
            win w = win::null;
            win_allocate(bytes, 1, info::null, comm::world, &memory, &w);
            for (const std::int64_t at :
                 {std::int64_t{0}, std::int64_t{4095}, std::int64_t{4096}, bytes / 2, bytes - 1}) {
                are_zeros = are_zeros && memory[at] == 0;
                memory[at] = 1;
            }
            win_free(&w);
        }
        return are_zeros ? 0 : 1;
    });
}

TEST(windows, shared_memory_is_one_piece) {
    on_each_of(4, [](int me) {
        const std::int64_t ints = me == 1 ? 0 : me + 1;
        int *mine = nullptr;
        win w = win::null;
        win_allocate_shared(ints * 4, sizeof(int), info::null, comm::world, &mine, &w);
        for (int i = 0; i < ints; ++i)
            mine[i] = me * 10 + i;
        barrier(comm::world);
        std::int64_t size = 0;
        std::int64_t unit = 0;
        int *first = nullptr;
        int *last = nullptr;
        win_shared_query(w, abi::proc_null, &size, &unit, &first);
        const bool is_first = size == 4 && unit == 4 && first[0] == 0;
        int *none = first;
        win_shared_query(w, 1, &size, &unit, &none);
        const bool is_empty = size == 0 && none == nullptr;
        win_shared_query(w, 3, &size, &unit, &last);
        const bool is_last = size == 16 && last == first + 4 && last[3] == 33;
        int got = 0;
        win_lock(abi::lock_shared, 2, 0, w);
        get(&got, 1, integer, 2, 2, 1, integer, w);
        win_unlock(2, w);
        return first_false({is_first, is_empty, is_last, got == 22, win_free(&w) == 0});
    });
}

TEST(windows, dynamic_memory_has_absolute_addresses) {
    on_each_of(2, [](int me) {
        win w = win::null;
        win_create_dynamic(info::null, comm::world, &w);
        std::array<int, 4> memory{1, 2, 3, 4};
        const int attached = win_attach(w, memory.data(), sizeof(memory));
        const int again = win_attach(w, &memory[2], 4);
        auto address = reinterpret_cast<std::int64_t>(memory.data());
        std::int64_t there = 0;
        sendrecv(&address, 1, datatype::int64_t, 1 - me, 0, &there, 1, datatype::int64_t, 1 - me, 0,
                 comm::world, nullptr);
        int got = 0;
        int nothing = 0;
        win_lock_all(0, w);
        get(&got, 1, integer, 1 - me, there + 8, 1, integer, w);
        const int flushed = win_flush(1 - me, w);
        get(&nothing, 1, integer, 1 - me, 8, 1, integer, w);
        const int nowhere = win_flush(1 - me, w);
        win_unlock_all(w);
        barrier(comm::world);
        return first_false({attached == 0, again == abi::err_rma_attach, flushed == 0, got == 3,
                            nowhere == abi::err_rma_range, win_detach(w, memory.data()) == 0,
                            win_detach(w, memory.data()) == abi::err_rma_attach,
                            win_free(&w) == 0});
    });
}

TEST(windows, tell_of_themselves) {
    on_each_of(2, [](int me) {
        std::array<int, 4> memory{};
        win w = window_of(memory.data(), sizeof(memory));
        void *value = nullptr;
        int flag = 0;
        char name[abi::max_object_name] = {};
        int length = -1;
        group members = group::null;
        int size = 0;
        win_get_attr(w, abi::win_base, &value, &flag);
        const bool has_base = flag != 0 && value == memory.data();
        win_get_attr(w, abi::win_size, &value, &flag);
        const bool has_size = *static_cast<std::intptr_t *>(value) == 16;
        win_get_attr(w, abi::win_disp_unit, &value, &flag);
        const bool has_unit = *static_cast<int *>(value) == 4;
        win_get_attr(w, abi::win_create_flavor, &value, &flag);
        const bool has_flavor = *static_cast<int *>(value) == abi::win_flavor_create;
        win_get_attr(w, abi::win_model, &value, &flag);
        const bool has_model = *static_cast<int *>(value) == abi::win_unified;
        win_get_name(w, name, &length);
        const bool has_no_name = length == 0;
        win_set_name(w, "here");
        win_get_name(w, name, &length);
        win_get_group(w, &members);
        group_size(members, &size);
        group_free(&members);
        return first_false({has_base, has_size, has_unit, has_flavor, has_model, has_no_name,
                            length == 4 && std::strcmp(name, "here") == 0, size == 2,
                            win_free(&w) == 0, w == win::null, me >= 0});
    });
}

int calls = 0;

TEST(windows, have_attributes_and_error_handlers) {
    on_each_of(2, [](int me) {
        std::array<int, 4> memory{};
        win w = window_of(memory.data(), sizeof(memory));
        int key = 0;
        void *value = nullptr;
        int flag = 0;
        const attribute_delete<win> forget{[](any_function, win, int, void *, void *) {
                                               ++calls;
                                               return 0;
                                           },
                                           nullptr};
        win_create_keyval({}, forget, &key, nullptr);
        win_set_attr(w, key, &memory[1]);
        win_get_attr(w, key, &value, &flag);
        const bool is_kept = flag != 0 && value == &memory[1];
        win_free_keyval(&key);
        // Until the program sets one at the window, MPI_COMM_WORLD's serves.
        comm_set_errhandler(comm::world, errhandler::errors_return);
        if (raise(w, abi::err_rank, "MPI_Put") != abi::err_rank)
            return 8;
        errhandler handler = errhandler::null;
        win_create_errhandler({[](any_function, win *, int *error) { calls += *error; }, nullptr},
                              &handler);
        win_set_errhandler(w, handler);
        errhandler_free(&handler);
        calls = 0;
        raise(w, abi::err_rma_sync, "MPI_Put");
        const bool is_called = calls == abi::err_rma_sync;
        calls = 0;
        const int freed = win_free(&w);
        return first_false({is_kept, is_called, freed == 0, calls == 1, me >= 0});
    });
}

TEST(windows, keep_the_hints_of_the_standard) {
    on_each_of(1, [](int) {
        int memory = 0;
        win w = window_of(&memory, sizeof(memory));
        info hints = info::null;
        info_create(&hints);
        info_set(hints, "no_locks", "true");
        info_set(hints, "unknown", "true");
        win_set_info(w, hints);
        info_free(&hints);
        win_get_info(w, &hints);
        char value[32] = {};
        int flag = 0;
        info_get(hints, "no_locks", 31, value, &flag);
        const bool is_set = flag != 0 && std::strcmp(value, "true") == 0;
        info_get(hints, "accumulate_ordering", 31, value, &flag);
        const bool is_standard = flag != 0 && std::strcmp(value, "rar,raw,war,waw") == 0;
        info_get(hints, "unknown", 31, value, &flag);
        info_free(&hints);
        return first_false(
            {is_set, is_standard, flag == 0, win_free(&w) == 0,
             win_get_info(w, &hints) == abi::err_win,
             win_create(&memory, 4, 4, static_cast<info>(5000), comm::world, &w) == abi::err_info});
    });
}

// Rank 0 computes, receives, or is through; the other two go on at once.
TEST(windows, target_need_not_call_anything) {
    on_each_of(3, [](int me) {
        int counter = 0;
        win w = window_of(&counter, sizeof(counter));
        int last = 0;
        if (me == 0) {
            int token = 0;
            recv(&token, 1, integer, 1, 0, comm::world, nullptr);
        } else {
            win_lock_all(0, w);
            for (int i = 0; i < 100; ++i) {
                const int one = 1;
                fetch_and_op(&one, &last, integer, 0, 0, op::sum, w);
                win_flush(0, w);
            }
            win_unlock_all(w);
            if (me == 1)
                send(&me, 1, integer, 0, 0, comm::world);
        }
        barrier(comm::world);
        const bool is_right = me != 0 || counter == 200;
        return first_false({is_right, win_free(&w) == 0});
    });
}

// A get in a loop until another rank has put: as many turns in each run.
TEST(windows, polling_takes_the_same_number_of_turns) {
    int turns[2] = {};
    for (int run = 0; run < 2; ++run) {
        shared_array<int> counted(1);
        on_each_of(2, [&](int me) {
            int flag = 0;
            win w = window_of(&flag, sizeof(flag));
            if (me == 0) {
                if (run == 1)
                    usleep(50'000);
                declare_cost(90);
                const int one = 1;
                win_lock(abi::lock_shared, 1, 0, w);
                put(&one, 1, integer, 1, 0, 1, integer, w);
                win_unlock(1, w);
            } else {
                int seen = 0;
                while (seen == 0) {
                    win_lock(abi::lock_shared, 1, 0, w);
                    get(&seen, 1, integer, 1, 0, 1, integer, w);
                    win_unlock(1, w);
                    ++counted[0];
                }
            }
            return win_free(&w);
        });
        turns[run] = counted[0];
    }
    EXPECT_EQ(turns[0], turns[1]);
    EXPECT_GT(turns[0], 10);
}

// A queue of ranks that lock does so: an entry at the rank before it, then a loop that flushes its
// own part of the window until the lock has been handed over.
TEST(windows, flush_of_one_target_completes_what_is_pending_at_others) {
    on_each_of(2, [](int me) {
        int flag = 0;
        win w = window_of(&flag, sizeof(flag));
        int token = 0;
        win_lock_all(0, w);
        if (me == 1) {
            const int one = 1;
            accumulate(&one, 1, integer, 0, 0, 1, integer, op::replace, w);
            win_flush(1, w);
            send(&token, 1, integer, 0, 0, comm::world);
            recv(&token, 1, integer, 0, 0, comm::world, nullptr);
        } else {
            recv(&token, 1, integer, 1, 0, comm::world, nullptr);
            win_sync(w);
            token = flag;
            send(&token, 1, integer, 1, 0, comm::world);
        }
        win_unlock_all(w);
        return first_false({token == 1, win_free(&w) == 0});
    });
}

// Rank 1 does not call MPI until rank 0 is through with an operation at a later clock.
TEST(windows, request_under_an_exclusive_lock_waits_for_nobody) {
    shared_array<std::atomic<int>> is_through(1);
    on_each_of(2, [&](int me) {
        int memory = 0;
        win w = window_of(&memory, sizeof(memory));
        if (me == 0) {
            win_lock(abi::lock_exclusive, 0, 0, w);
            declare_cost(1'000);
            const int one = 1;
            request r = request::null;
            rput(&one, 1, integer, 0, 0, 1, integer, w, &r);
            is_through[0] = 1;
            wait(&r, nullptr);
            win_unlock(0, w);
        } else {
            declare_cost(100);
            win_sync(w);
            for (int i = 0; i < 2'000 && is_through[0] == 0; ++i)
                usleep(1'000);
        }
        return first_false({is_through[0] == 1, memory == 1 - me, win_free(&w) == 0});
    });
}

// Rank 1 ends and still holds it.
TEST(windows, lock_that_is_never_released_ends_the_job) {
    const std::vector<int> codes = run_ranks(2, [](int me) {
        int memory = 0;
        win w = window_of(&memory, sizeof(memory));
        if (me == 1)
            win_lock(abi::lock_exclusive, 0, 0, w);
        barrier(comm::world);
        if (me == 0)
            win_lock(abi::lock_exclusive, 0, 0, w);
        return 0;
    });
    EXPECT_EQ(codes, (std::vector<int>{2, 0}));
}

TEST(windows, wrong_arguments) {
    on_each_of(2, [](int) {
        std::array<int, 4> m{};
        win w = win::null;
        const win none = win::null;
        const auto bad = static_cast<win>(5000);
        const bool creates =
            win_create(m.data(), -1, 1, info::null, comm::world, &w) == abi::err_size &&
            win_create(m.data(), 4, 0, info::null, comm::world, &w) == abi::err_disp &&
            win_create(m.data(), 4, 1, info::null, comm::null, &w) == abi::err_comm;
        w = window_of(m.data(), sizeof(m));
        const auto put_to = [&](int target, std::int64_t place, std::int64_t count, datatype type) {
            return put(m.data(), count, type, target, place, count, type, w);
        };
        const bool no_epoch =
            put_to(0, 0, 1, integer) == abi::err_rma_sync && win_complete(w) == abi::err_rma_sync &&
            win_wait(w) == abi::err_rma_sync && win_unlock(0, w) == abi::err_rma_sync &&
            win_unlock_all(w) == abi::err_rma_sync && win_flush(0, w) == abi::err_rma_sync &&
            win_flush_all(w) == abi::err_rma_sync;
        const bool locks = win_lock(1, 0, 0, w) == abi::err_locktype &&
                           win_lock(abi::lock_shared, 2, 0, w) == abi::err_rank &&
                           win_lock(abi::lock_shared, 0, 1, w) == abi::err_assert &&
                           win_lock_all(1, w) == abi::err_assert &&
                           win_fence(1, w) == abi::err_assert &&
                           win_start(group::null, 0, w) == abi::err_group;
        win_lock_all(0, w);
        const bool locked =
            win_lock(abi::lock_shared, 0, 0, w) == abi::err_rma_sync &&
            win_lock_all(0, w) == abi::err_rma_sync && win_unlock(0, w) == abi::err_rma_sync &&
            win_fence(0, w) == abi::err_rma_sync && win_free(&w) == abi::err_rma_sync;
        const bool unlocked = win_unlock_all(w) == 0;
        const int nowhere = abi::proc_null;
        win_lock(abi::lock_shared, 0, 0, w);
        win_lock(abi::lock_shared, nowhere, 0, w);
        const bool of_others = win_flush(1, w) == abi::err_rma_sync && win_flush(0, w) == 0 &&
                               win_flush(nowhere, w) == 0 && win_unlock(nowhere, w) == 0 &&
                               win_unlock(nowhere, w) == abi::err_rma_sync &&
                               win_unlock(0, w) == 0 && win_flush(nowhere, w) == abi::err_rma_sync;
        win_lock_all(0, w);
        int got = 0;
        std::array<int, 4> swapped{};
        const auto swap = [&](datatype type) {
            return compare_and_swap(m.data(), m.data(), swapped.data(), type, 0, 0, w);
        };
        const bool operations =
            put_to(2, 0, 1, integer) == abi::err_rank &&
            put_to(0, 0, -1, integer) == abi::err_count &&
            put_to(0, 0, 1, datatype::null) == abi::err_type &&
            put_to(0, -1, 1, integer) == abi::err_disp &&
            put_to(0, 3, 2, integer) == abi::err_rma_range &&
            put_to(0, INT64_MAX, 1, integer) == abi::err_rma_range &&
            put_to(0, 4, 0, integer) == abi::success &&
            put_to(abi::proc_null, 100, 1, integer) == abi::success &&
            accumulate(m.data(), 1, integer, 0, 0, 1, integer, op::no_op, w) == abi::err_op &&
            accumulate(m.data(), 1, integer, 0, 0, 1, integer, op::maxloc, w) == abi::err_op &&
            accumulate(m.data(), 0, datatype::byte, 0, 0, 0, datatype::byte, op::sum, w) ==
                abi::success &&
            accumulate(m.data(), 1, datatype::byte, 0, 0, 1, datatype::byte, op::sum, w) ==
                abi::err_op &&
            fetch_and_op(m.data(), &got, integer, 0, 0, op::null, w) == abi::err_op &&
            swap(datatype::float_) == abi::err_type && swap(datatype::double_) == abi::err_type &&
            swap(datatype::c_float_complex) == abi::err_type &&
            swap(datatype::two_int) == abi::err_type && swap(datatype::packed) == abi::err_type &&
            swap(datatype::c_bool) == abi::success && swap(datatype::byte) == abi::success;
        win_unlock_all(w);
        win_fence(0, w);
        put_to(0, 0, 1, integer);
        const bool fenced = win_lock(abi::lock_shared, 0, 0, w) == abi::err_rma_sync &&
                            win_lock_all(0, w) == abi::err_rma_sync && win_fence(0, w) == 0;
        std::int64_t size = 0;
        std::int64_t unit = 0;
        void *base = nullptr;
        const bool flavors = win_shared_query(w, 0, &size, &unit, &base) == abi::err_rma_flavor &&
                             win_attach(w, m.data(), 4) == abi::err_rma_flavor &&
                             win_detach(w, m.data()) == abi::err_rma_flavor;
        const bool handles = win_fence(0, none) == abi::err_win &&
                             win_fence(0, bad) == abi::err_win &&
                             put(m.data(), 1, integer, 0, 0, 1, integer, none) == abi::err_win;
        return first_false({creates, no_epoch, locks, locked, unlocked, of_others, operations,
                            fenced, flavors, handles, win_free(&w) == 0,
                            win_free(&w) == abi::err_win});
    });
}

// The origin is through before the first test.
TEST(windows, test_as_the_replay_says) {
    shared_array<std::atomic<bool>> is_through(1);
    const std::vector<std::string> recorded{"poll 3 MPI_Win_test 0\npoll 1 MPI_Win_test 1\n", ""};
    EXPECT_TRUE(all_well(replay(recorded, [&](int me) {
        alarm(60);
        int memory = 0;
        win on{};
        core::win_create(&memory, sizeof(memory), 1, info::null, comm::world, &on);
        group all{};
        group other{};
        const int place = 1 - me;
        core::comm_group(comm::world, &all);
        core::group_incl(all, 1, &place, &other);
        if (me == 1) {
            core::win_start(other, 0, on);
            core::win_complete(on);
            is_through[0] = true;
            return core::win_free(&on);
        }
        core::win_post(other, 0, on);
        while (!is_through[0])
            ;
        int tests = 0;
        for (int flag = 0; flag == 0; ++tests)
            core::win_test(on, &flag);
        core::win_free(&on);
        return tests == 4 ? 0 : 1;
    })));
}

} // namespace
} // namespace saguaro::mpi
