// SPDX-License-Identifier: MIT
// Attributes of communicators whose functions free keys, change attributes, or fail.
#include "ranks.hpp"

#include <gtest/gtest.h>

namespace saguaro::detmpi {
namespace {

// What the functions below do besides, and how often they were called.
std::function<int(comm on, int key)> on_copy;
std::function<int(comm on, int key)> on_delete;
int deleted = 0;

int copy_it(any_function, comm from, int key, void *, void *value, void *out, int *flag) {
    *static_cast<void **>(out) = value;
    *flag = 1;
    return on_copy ? on_copy(from, key) : mpi::success;
}

int delete_it(any_function, comm of, int key, void *, void *) {
    ++deleted;
    return on_delete ? on_delete(of, key) : mpi::success;
}

int new_key() {
    int key = 0;
    core::comm_create_keyval({copy_it}, {delete_it}, &key, nullptr);
    return key;
}

bool is_set(comm on, int key) {
    void *value = nullptr;
    int flag = 0;
    return core::comm_get_attr(on, key, &value, &flag) == mpi::success && flag == 1;
}

// On one rank; the body returns 0 if all is well.
void on_one_rank(const std::function<int()> &body) {
    EXPECT_TRUE(all_well(run_ranks(1, [&](int) { return body(); })));
}

TEST(keys, freed_twice_live_as_long_as_their_attributes) {
    on_one_rank([] {
        const int key = new_key();
        core::comm_set_attr(comm::world, key, nullptr);
        for (int i = 0; i < 3; ++i) {
            int copy = key;
            if (core::comm_free_keyval(&copy) != mpi::success || copy != mpi::keyval_invalid)
                return 1;
        }
        if (!is_set(comm::world, key))
            return 2;
        // The function frees it once more while its last attribute goes.
        on_delete = [](comm, int which) { return core::comm_free_keyval(&which); };
        if (core::comm_delete_attr(comm::world, key) != mpi::success || deleted != 1)
            return 3;
        int gone = key;
        return core::comm_free_keyval(&gone) == mpi::err_keyval ? 0 : 4;
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
        if (core::comm_dup(comm::world, &made) != mpi::success)
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
        on_copy = [&](comm, int key) { return key == bad ? mpi::err_other : mpi::success; };
        const std::size_t before = process::mine->comms.live();
        comm made = comm::world;
        if (core::comm_dup(comm::world, &made) != mpi::err_other || made != comm::null)
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

} // namespace
} // namespace saguaro::detmpi
