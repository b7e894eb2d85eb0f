// SPDX-License-Identifier: MIT
// options: -std=c++11 -Wall -Wextra -Werror
// Reducers of variables that lie elsewhere, and hyperobjects by their functions.
#include <cilk/cilk.h>
#include <cilk/hyperobject_base.h>
#include <cilk/reducer_ptr.h>
#include <cstdio>
#include <new>
#include <unistd.h>
#include <vector>

enum { n = 64 };

struct append : cilk::monoid_base<std::vector<int>> {
    static void reduce(std::vector<int> *left, std::vector<int> *right) {
        left->insert(left->end(), right->begin(), right->end());
    }
};
struct least : cilk::monoid_base<int> {
    static void reduce(int *left, int *right) {
        if (*right < *left)
            *left = *right;
    }
    void identity(int *view) const { *view = 1000; }
};
typedef cilk::reducer_ptr<append> list_ptr;

static void add(list_ptr &to, int from, int many) {
    if (many == 1) {
        usleep(100);
        to->push_back(from);
        return;
    }
    cilk_spawn add(to, from, many / 2);
    add(to, from + many / 2, many - many / 2);
}

static bool counts(const std::vector<int> &all) {
    for (int i = 0; i < n; i++)
        if (static_cast<int>(all.size()) != n || all[static_cast<std::size_t>(i)] != i)
            return false;
    return true;
}

// As breadth-first searches use them: two in turns, and one for each vertex in raw memory.
static void pointers() {
    std::vector<int> lists[2];
    list_ptr pointers[2];
    for (int i = 0; i < 2; i++)
        pointers[i] = list_ptr(&lists[i]);
    for (int turn = 0; turn < 4; turn++) {
        lists[turn % 2].clear();
        add(pointers[turn % 2], 0, n);
        std::printf("%d", counts(lists[turn % 2]));
    }
    int values[4] = {1000, 1000, 1000, 1000};
    typedef cilk::reducer_ptr<least> least_ptr;
    least_ptr *const all = static_cast<least_ptr *>(::operator new(4 * sizeof(least_ptr)));
    for (int i = 0; i < 4; i++)
        all[i] = least_ptr(&values[i]);
    cilk_for (int i = 0; i < n; i++) {
        usleep(100);
        int &here = all[i % 4].view_ref();
        if (100 - i < here)
            here = 100 - i;
    }
    for (int i = 0; i < 4; i++) {
        std::printf(" %d", values[i]);
        all[i].~reducer_ptr();
    }
    ::operator delete(all);
    std::printf("\n");
}

// A view is a vector, made and ended by the program, in memory that counts what is out.
static int views_out = 0;

struct joined : __cilkrts_hyperobject_base {
    std::vector<int> first;
};
static std::vector<int> &vector_of(void *view) {
    return *static_cast<std::vector<int> *>(view);
}
static void identity(void *, void *view) {
    new (view) std::vector<int>();
}
static void join(void *hyper, void *left, void *right) {
    (void)hyper;
    append::reduce(&vector_of(left), &vector_of(right));
}
static void destroy(void *, void *view) {
    vector_of(view).~vector();
}
static void *allocate(__cilkrts_hyperobject_base *hyper, std::size_t bytes) {
    __atomic_add_fetch(&views_out, 1, __ATOMIC_RELAXED);
    return __cilkrts_hyper_alloc(hyper, bytes);
}
static void deallocate(__cilkrts_hyperobject_base *hyper, void *view) {
    __atomic_sub_fetch(&views_out, 1, __ATOMIC_RELAXED);
    __cilkrts_hyper_dealloc(hyper, view);
}

static void hyperobjects() {
    joined all;
    const cilk_c_monoid functions = {join, identity, destroy, allocate, deallocate};
    all.__c_monoid = functions;
    all.__view_offset = reinterpret_cast<char *>(&all.first) -
                        reinterpret_cast<char *>(static_cast<__cilkrts_hyperobject_base *>(&all));
    all.__view_size = sizeof all.first;
    __cilkrts_hyper_create(&all);
    cilk_for (int i = 0; i < n; i++) {
        usleep(100);
        vector_of(__cilkrts_hyper_lookup(&all)).push_back(i);
    }
    __cilkrts_hyper_destroy(&all);
    std::printf("%d %d\n", counts(all.first), views_out);
}

int main() {
    pointers();
    hyperobjects();
}

/* Output:
1111 40 39 38 37
1 0
*/
