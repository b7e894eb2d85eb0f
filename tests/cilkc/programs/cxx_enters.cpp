// SPDX-License-Identifier: MIT
// serial: differs
// Children of functions that main, a thread and static initialisers call run on workers, whatever
// kind of function it is that spawns.
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cstdio>
#include <thread>

static void look(int *on_worker) {
    *on_worker = saguaro::cilk::is_outside() ? 0 : 1;
}

static int function() {
    int seen = 0;
    int other = 0;
    cilk_spawn look(&seen);
    cilk_spawn look(&other);
    cilk_sync;
    return seen + other;
}

template <class T>
static T in_template(T start) {
    T seen = start;
    cilk_spawn look(&seen);
    cilk_sync;
    return seen;
}

struct object {
    object() {
        cilk_spawn look(&made);
    }
    ~object() {
        int seen = 0;
        cilk_scope {
            cilk_spawn look(&seen);
        }
        std::printf("end %d\n", seen);
    }
    int method() {
        int seen = 0;
        cilk_spawn look(&seen);
        cilk_sync;
        return seen;
    }
    virtual int virtual_method() const {
        int seen = 0;
        try {
            cilk_spawn look(&seen);
        } catch (...) {
        }
        return seen;
    }
    int operator()() {
        int seen = 0;
        cilk_spawn look(&seen);
        cilk_sync;
        return seen;
    }
    int made = 0;
};

static object before_main;

static int straight() {
    int seen = 0;
    cilk_spawn look(&seen);
    int other = 0;
    look(&other);
    cilk_sync;
    return seen + other;
}

static int loop() {
    int seen[4] = {};
    cilk_for (int i = 0; i < 4; ++i)
        look(&seen[i]);
    return seen[0] + seen[3];
}

static void all() {
    auto lambda = [] {
        int seen = 0;
        cilk_spawn look(&seen);
        cilk_sync;
        return seen;
    };
    object here;
    std::printf("%d %d %d %d %d %d %d %d %d\n", function(), in_template(0), here.made,
                here.method(), here.virtual_method(), here(), lambda(), straight(), loop());
}

int main() {
    std::printf("%d\n", before_main.made);
    std::thread(all).join();
    all();
    return 0;
}

/* Output:
1
2 1 1 1 1 1 1 2 2
end 1
2 1 1 1 1 1 1 2 2
end 1
end 1
*/
