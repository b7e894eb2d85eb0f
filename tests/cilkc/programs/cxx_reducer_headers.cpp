// SPDX-License-Identifier: MIT
// Reducers with allocators that differ, a monoid with construct() of its own, a sum by its address.
#include <cilk/cilk.h>
#include <cilk/opadd_reducer.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_string.h>
#include <cilk/reducer_vector.h>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <unistd.h>

// Gives memory that says whose it is.
template <class T>
struct arena {
    typedef T value_type;
    int id;
    arena(int i = -1) : id(i) {}
    template <class U>
    arena(const arena<U> &from) : id(from.id) {}
    T *allocate(std::size_t n) {
        int *const p = static_cast<int *>(std::malloc(16 + n * sizeof(T)));
        *p = id;
        return reinterpret_cast<T *>(p + 4);
    }
    void deallocate(T *memory, std::size_t) {
        int *const p = reinterpret_cast<int *>(memory) - 4;
        if (*p != id)
            std::printf("arena %d gets memory of arena %d\n", id, *p);
        std::free(p);
    }
    bool operator==(const arena &other) const { return id == other.id; }
    bool operator!=(const arena &other) const { return id != other.id; }
};

typedef std::vector<int, arena<int>> vector;
typedef std::list<int, arena<int>> list;
typedef std::basic_string<char, std::char_traits<char>, arena<char>> string;

template <class Container>
static bool counts(const Container &all, int first, int step) {
    int next = first;
    for (int one : all) {
        if (one != next)
            return false;
        next += step;
    }
    return all.size() == 64;
}

static void vectors() {
    vector first(arena<int>(7));
    cilk::reducer<cilk::op_vector<int, arena<int>>> v(first);
    cilk_for (int i = 0; i < 64; i++) {
        usleep(200);
        v->push_back(i);
    }
    vector out(arena<int>(8));
    std::printf("vector %d\n", counts(v.get_value(), 0, 1));
    v.move_out(out);
    std::printf("%d %zu\n", counts(out, 0, 1), v.get_value().size());
    cilk::reducer<cilk::op_vector<int, arena<int>>> taken(cilk::move_in(out));
    std::printf("%d %zu\n", counts(taken.get_value(), 0, 1), out.size());
}

static void lists() {
    list first(arena<int>(7));
    cilk::reducer<cilk::op_list_append<int, arena<int>>> back(first);
    cilk::reducer<cilk::op_list_prepend<int, arena<int>>> front(first);
    cilk_for (int i = 0; i < 64; i++) {
        usleep(200);
        back->push_back(i);
        front->push_front(i);
    }
    std::printf("lists %d %d\n", counts(back.get_value(), 0, 1), counts(front.get_value(), 63, -1));
}

static void strings() {
    const string first(arena<char>(7));
    cilk::reducer<cilk::op_basic_string<char, std::char_traits<char>, arena<char>>> s(first);
    cilk_for (int i = 0; i < 64; i++) {
        usleep(200);
        s->append("a long piece of text ");
    }
    std::printf("string %zu\n", s.get_value().size());
}

struct own_monoid : cilk::monoid_base<long> {
    static void construct(own_monoid *m, long *v, long x) {
        provisional(new (static_cast<void *>(m)) own_monoid())
            .confirm_if(new (static_cast<void *>(v)) long(x));
    }
    static void reduce(long *left, long *right) { *left += *right; }
    static void identity(long *view) { *view = 0; }
};

static void add(cilk::opadd_reducer<int> *sum, int n) {
    for (int i = 0; i < n; i++)
        *sum += 1;
}

int main() {
    vectors();
    lists();
    strings();
    cilk::reducer<own_monoid> r(5L);
    cilk_for (int i = 0; i < 100; i++)
        *r += i;
    cilk::opadd_reducer<int> sum = 0;
    cilk_spawn add(&sum, 10);
    add(&sum, 5);
    cilk_sync;
    std::printf("%ld %d\n", r.get_value(), static_cast<int>(sum));
}

/* Output:
vector 1
1 0
1 0
lists 1 1
string 1344
4955 15
*/
