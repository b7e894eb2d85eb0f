// SPDX-License-Identifier: MIT
// Handlers of exceptions and the children of before: no handler runs beside them, a try block that
// spawns or syncs waits for them first, and what a handler spawns ends before its exception object.
#include <cilk/cilk.h>
#include <cstdio>

static void wait() {
    for (volatile int i = 0; i < 3000000; i = i + 1) {
    }
}

static int id(int x) {
    return x;
}

static int slow(int x) {
    wait();
    return x;
}

static void fails(int what) {
    wait();
    throw what;
}

static void fails_now(int what) {
    throw what;
}

// The try block has no Cilk in it.
static int sees_result() {
    int r = 0, q = 0;
    r = cilk_spawn slow(5);
    for (int i = 0; i < 2; ++i)
        if (i == 1)
            try {
                fails_now(1);
            } catch (int) {
                q = r;
            }
    cilk_sync;
    return q;
}

static int sees_none() {
    int q = 0;
    r_and_q:
    int r = 0;
    r = cilk_spawn slow(3);
    if (q == 0)
        try {
            try {
                fails_now(1);
            } catch (int v) {
                q = r * 10 + v;
                fails_now(2);
            }
        } catch (int v) {
            q += v * 100;
            goto r_and_q;
        }
    cilk_sync;
    return q + r * 1000;
}

static int handles_none() {
    int q = 0;
    cilk_spawn fails(7);
    try {
        fails_now(1);
    } catch (int v) {
        q = v;
        std::printf("no handler\n");
    }
    cilk_sync;
    return q;
}

static int nested() {
    cilk_spawn fails(8);
    try {
        try {
            cilk_spawn id(1);
        } catch (double) {
        }
    } catch (int) {
        return 1;
    }
    return 0;
}

static int only_syncs() {
    cilk_spawn fails(9);
    try {
        cilk_sync;
    } catch (int) {
        return 1;
    }
    return 0;
}

struct problem {
    explicit problem(int v) : value(v) {}
    problem(const problem &other) : value(other.value) {}
    ~problem() { value = -1; }
    volatile int value;
};

static void look(const problem &p, int *to) {
    wait();
    *to = p.value;
}

static int spawns_in_handler(bool returns) {
    static int seen;
    seen = 0;
    try {
        throw problem(5);
    } catch (const problem &p) {
        cilk_spawn look(p, &seen);
        if (returns)
            return 1;
    }
    int seen_after = seen;
    cilk_sync;
    return seen_after;
}

static int handler_fails() {
    try {
        throw problem(6);
    } catch (const problem &p) {
        int seen = 0;
        cilk_spawn look(p, &seen);
        cilk_spawn fails(4);
        throw;
    }
}

static int own_try(int n) try {
    if (n > 0)
        throw problem(n);
    return n;
} catch (const problem &p) {
    int seen = 0;
    cilk_spawn look(p, &seen);
    cilk_sync;
    return 10 * seen;
}

template <class F>
static int caught(F f) {
    try {
        return f();
    } catch (int v) {
        return -v;
    } catch (const problem &) {
        return -100;
    }
}

int main() {
    std::printf("%d %d\n", sees_result(), sees_none());
    std::printf("%d %d %d\n", caught(handles_none), caught(nested), caught(only_syncs));
    std::printf("%d %d %d\n", spawns_in_handler(false), spawns_in_handler(true),
                caught(handler_fails));
    std::printf("%d %d\n", own_try(0), own_try(3));
    int x = cilk_spawn own_try(4);
    cilk_sync;
    std::printf("%d\n", x);
}

/* Output:
5 3231
-7 -8 -9
5 1 -4
0 30
40
*/
