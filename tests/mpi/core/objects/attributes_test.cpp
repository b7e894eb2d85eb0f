// SPDX-License-Identifier: MIT
// Attributes of communicators whose functions free keys, change attributes, or fail; and those of
// datatypes, which follow the same code.
#include "mpi/core/ranks.hpp"
#include "mpi/core/short.hpp"

#include "mpi/variables.hpp"

#include <gtest/gtest.h>

namespace saguaro::mpi {
namespace {

// What the functions below do besides, and how often they were called.
std::function<int(comm on, int key)> on_copy;
std::function<int(comm on, int key)> on_delete;
int deleted = 0;

int copy_it(any_function, comm from, int key, void *, void *value, void *out, int *flag) {
    *static_cast<void **>(out) = value;
    *flag = 1;
    return on_copy ? on_copy(from, key) : abi::success;
}

int delete_it(any_function, comm of, int key, void *, void *) {
    ++deleted;
    return on_delete ? on_delete(of, key) : abi::success;
}

int new_key() {
    int key = 0;
    core::comm_create_keyval({copy_it}, {delete_it}, &key, nullptr);
    return key;
}

bool is_set(comm on, int key) {
    void *value = nullptr;
    int flag = 0;
    return core::comm_get_attr(on, key, &value, &flag) == abi::success && flag == 1;
}

// On one rank; the body returns 0 if all is well.
TEST(keys, freed_twice_live_as_long_as_their_attributes) {
    on_one_rank([] {
        const int key = new_key();
        core::comm_set_attr(comm::world, key, nullptr);
        for (int i = 0; i < 3; ++i) {
            int copy = key;
            if (core::comm_free_keyval(&copy) != abi::success || copy != abi::keyval_invalid)
                return 1;
        }
        if (!is_set(comm::world, key))
            return 2;
        // The function frees it once more while its last attribute goes.
        on_delete = [](comm, int which) { return core::comm_free_keyval(&which); };
        if (core::comm_delete_attr(comm::world, key) != abi::success || deleted != 1)
            return 3;
        int gone = key;
        return core::comm_free_keyval(&gone) == abi::err_keyval ? 0 : 4;
    });
}

TEST(attributes, that_go_may_change_others) {
    on_one_rank([] {
        comm made = comm::null;
        core::comm_dup(comm::self, &made);
        const int first = new_key();
        const int second = new_key();
        std::vector<int> more;
        core::comm_set_attr(made, first, nullptr);
        core::comm_set_attr(made, second, nullptr);
        // The second one's function removes the first, and sets enough to move them all.
        on_delete = [&](comm of, int key) {
            if (key != second)
                return 0;
            core::comm_delete_attr(of, first);
            for (int i = 0; i < 100; ++i)
                core::comm_set_attr(of, more.emplace_back(new_key()), nullptr);
            return 0;
        };
        core::comm_delete_attr(made, second);
        if (deleted != 2 || is_set(made, first) || is_set(made, second) || !is_set(made, more[99]))
            return 1;
        core::comm_set_attr(made, second, nullptr);
        core::comm_set_attr(made, second, &deleted);
        if (deleted != 3 || !is_set(made, second) || !is_set(made, more[199]))
            return 2;
        core::comm_free(&made);
        return deleted == 3 + 1 + 300 ? 0 : 3;
    });
}

TEST(attributes, that_are_copied_may_change_others) {
    on_one_rank([] {
        const int first = new_key();
        const int second = new_key();
        core::comm_set_attr(comm::world, first, nullptr);
        core::comm_set_attr(comm::world, second, nullptr);
        int added = 0;
        on_copy = [&](comm of, int key) {
            if (key != first)
                return 0;
            core::comm_delete_attr(of, second);
            for (int i = 0; i < 100; ++i)
                core::comm_set_attr(of, added = new_key(), nullptr);
            return 0;
        };
        comm made = comm::null;
        if (core::comm_dup(comm::world, &made) != abi::success)
            return 1;
        return is_set(made, first) && !is_set(made, second) && !is_set(made, added) ? 0 : 2;
    });
}

TEST(attributes, that_cannot_be_copied_leave_no_communicator) {
    on_one_rank([] {
        const int good = new_key();
        const int bad = new_key();
        core::comm_set_attr(comm::world, good, nullptr);
        core::comm_set_attr(comm::world, bad, nullptr);
        on_copy = [&](comm, int key) { return key == bad ? abi::err_other : abi::success; };
        const std::size_t before = process::mine->comms.live();
        comm made = comm::world;
        if (core::comm_dup(comm::world, &made) != abi::err_other || made != comm::null)
            return 1;
        // The copy of the good one went as attributes do.
        if (deleted != 1 || process::mine->comms.live() != before)
            return 2;
        core::comm_delete_attr(comm::world, good);
        int key = good;
        core::comm_free_keyval(&key);
        return process::mine->keyvals.live() == 1 ? 0 : 3;
    });
}

int copied_types = 0;
int type_answer = abi::success; // what the function that follows says

int forget_type(any_function, datatype, int, void *, void *) {
    ++deleted;
    return type_answer;
}

int copy_type(any_function, datatype, int, void *extra, void *value, void *out, int *flag) {
    ++copied_types;
    *static_cast<void **>(out) = value == nullptr ? extra : value;
    *flag = 1;
    return type_answer;
}

TEST(attributes, of_the_universe_have_a_value_only_when_it_is_said) {
    on_one_rank([] {
        if (is_set(comm::world, abi::universe_size))
            return 1;
        setenv(variables::universe.name, "12", 1);
        void *value = nullptr;
        int flag = 0;
        if (core::comm_get_attr(comm::world, abi::universe_size, &value, &flag) != abi::success ||
            flag != 1 || *static_cast<int *>(value) != 12)
            return 2;
        return is_set(comm::null, abi::universe_size) ? 3 : 0;
    });
}

TEST(attributes_of_types, are_copied_and_deleted) {
    on_one_rank([] {
        int key = 0;
        int mark = 0;
        core::type_create_keyval({copy_type}, {forget_type}, &key, &mark);
        // A predefined type can have them, too.
        if (core::type_set_attr(datatype::int_, key, nullptr) != abi::success)
            return 1;
        datatype copy{};
        if (core::type_dup(datatype::int_, &copy) != abi::success || copied_types != 1)
            return 2;
        void *value = nullptr;
        int flag = 0;
        if (core::type_get_attr(copy, key, &value, &flag) != abi::success || flag != 1 ||
            value != &mark)
            return 3;
        // Its function refuses that the type goes; then it lets it.
        type_answer = abi::err_other;
        datatype which = copy;
        if (core::type_free(&which) != abi::err_other || which != copy)
            return 4;
        type_answer = abi::success;
        if (core::type_free(&which) != abi::success || which != datatype::null || deleted != 2)
            return 5;
        // The number is used again, without the attribute.
        core::type_dup(datatype::float_, &copy);
        if (core::type_get_attr(copy, key, &value, &flag) != abi::success || flag != 0)
            return 6;
        type_answer = abi::err_other;
        return core::type_dup(datatype::int_, &copy) == abi::err_other && copy == datatype::null
                   ? 0
                   : 7;
    });
}

TEST(keys, belong_to_a_kind) {
    on_one_rank([] {
        const int of_comms = new_key();
        int of_types = 0;
        int of_windows = 0;
        core::type_create_keyval({}, {}, &of_types, nullptr);
        core::win_create_keyval({}, {}, &of_windows, nullptr);
        int flag = 0;
        void *value = nullptr;
        for (const int wrong : {of_types, of_windows})
            if (core::comm_set_attr(comm::world, wrong, nullptr) != abi::err_keyval ||
                core::comm_get_attr(comm::world, wrong, &value, &flag) != abi::err_keyval)
                return 1;
        for (int wrong : {of_comms, of_windows})
            if (core::type_set_attr(datatype::int_, wrong, nullptr) != abi::err_keyval ||
                core::type_delete_attr(datatype::int_, wrong) != abi::err_keyval ||
                core::type_free_keyval(&wrong) != abi::err_keyval)
                return 2;
        if (core::type_set_attr(datatype::null, of_types, nullptr) != abi::err_type ||
            core::win_set_attr(win::null, of_windows, nullptr) != abi::err_win)
            return 3;
        return core::win_free_keyval(&of_windows) == abi::success ? 0 : 4;
    });
}

TEST(attributes_of_self, go_first_when_the_process_ends_the_newest_first) {
    shared_array<int> order(4);
    static shared_array<int> *seen = nullptr;
    seen = &order;
    const auto codes = run_ranks(1, [](int) {
        for (int i = 1; i <= 3; ++i)
            core::comm_set_attr(comm::self, new_key(), nullptr);
        on_delete = [first = -1](comm, int key) mutable {
            if (first < 0)
                first = key;
            int is_over = 0;
            core::finalized(&is_over);
            (*seen)[static_cast<std::size_t>(deleted)] = is_over != 0 ? -1 : first - key + 1;
            return 0;
        };
        return 0;
    });
    EXPECT_TRUE(all_well(codes));
    EXPECT_EQ(order[1], 1);
    EXPECT_EQ(order[2], 2);
    EXPECT_EQ(order[3], 3);
}

} // namespace
} // namespace saguaro::mpi
