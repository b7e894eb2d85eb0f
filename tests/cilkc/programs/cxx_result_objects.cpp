// SPDX-License-Identifier: MIT
// Children's exceptions that leave at the end of a function whose result is an object: it is
// destroyed once. Clang never destroys a result after which a destructor throws; what leaves before
// the result is made is no such case.
#include <cilk/cilk.h>
#include <cstdio>
#include <string>

#if defined(__clang__)
enum { left_by_clang = 1 };
#else
enum { left_by_clang = 0 };
#endif

static int live;

struct result {
    result() { ++live; }
    result(const result &) { ++live; }
    ~result() { --live; }
};

static void fails(int what) {
    for (volatile int i = 0; i < 20000; i = i + 1) {
    }
    if (what != 0)
        throw what;
}

static result temporary(int what) {
    cilk_spawn fails(what);
    return result();
}

static result named(int what) {
    result r;
    for (int i = 0; i < 3; ++i)
        cilk_spawn fails(what);
    return r;
}

static std::string text(int what) {
    std::string s(1000, 'x');
    cilk_spawn fails(what);
    return s;
}

struct maker {
    result make(int what) const {
        cilk_spawn fails(what);
        return result();
    }
};

template <class T>
static T made(int what) {
    cilk_spawn fails(what);
    return T();
}

// A handler of the function catches it.
static result caught(int what) {
    try {
        cilk_spawn fails(what);
        return result();
    } catch (int) {
        return result();
    }
}

// A handler throws it on, or another exception follows.
static result thrown_on(int what) {
    try {
        cilk_spawn fails(what);
        if (what != 0)
            return result();
    } catch (int) {
        throw;
    }
    return result();
}

static result thrown_later(int what) {
    try {
        cilk_spawn fails(what);
        return result();
    } catch (int) {
    }
    throw what + 1;
}

// No handler of the function is for it.
static result passed(int what) {
    cilk_spawn fails(0);
    try {
        for (int i = 0; i < 2; ++i) {
            if (i == 1)
                return result();
            cilk_spawn fails(what);
        }
    } catch (const char *) {
    }
    return result();
}

static result from_scope(int what) {
    cilk_spawn fails(0);
    cilk_scope {
        cilk_spawn fails(what);
        return result();
    }
}

static result from_handler(int what) {
    cilk_spawn fails(0);
    try {
        throw 1.0;
    } catch (double) {
        cilk_spawn fails(what);
        return [] { return result(); }();
    }
}

static result whole(int what) try {
    cilk_spawn fails(what);
    return result();
} catch (int) {
    throw;
}

// The sync of the outer try block is also before the result.
static result two_blocks(int what) {
    try {
        cilk_spawn fails(what);
        try {
            cilk_spawn fails(0);
            return result();
        } catch (int) {
            throw;
        }
    } catch (int) {
        throw;
    }
}

template <class F>
static void check(const char *name, int left, F f) {
    for (int what = 0; what < 2; ++what) {
        live = 0;
        int got = 0;
        try {
            f(what);
        } catch (int e) {
            got = e;
        }
        const bool is_right = live == 0 || (what != 0 && live == left);
        std::printf("%s %d %s\n", name, got, is_right ? "right" : "wrong");
    }
}

int main() {
    check("temporary", left_by_clang, [](int what) { temporary(what); });
    check("named", left_by_clang, [](int what) { named(what); });
    check("text", 0, [](int what) { text(what); });
    check("method", left_by_clang, [](int what) { maker().make(what); });
    check("template", left_by_clang, [](int what) { made<result>(what); });
    check("lambda", left_by_clang, [](int what) {
        [=]() -> result {
            cilk_spawn fails(what);
            return result();
        }();
    });
    check("caught", 0, [](int what) { caught(what); });
    check("thrown on", 0, [](int what) { thrown_on(what); });
    check("passed", 0, [](int what) { passed(what); });
    check("scope", 0, [](int what) { from_scope(what); });
    check("handler", 0, [](int what) { from_handler(what); });
    check("whole", 0, [](int what) { whole(what); });
    check("two blocks", 0, [](int what) { two_blocks(what); });
    try {
        thrown_later(1);
    } catch (int e) {
        std::printf("later %d %d\n", e, live);
    }
}

/* Output:
temporary 0 right
temporary 1 right
named 0 right
named 1 right
text 0 right
text 1 right
method 0 right
method 1 right
template 0 right
template 1 right
lambda 0 right
lambda 1 right
caught 0 right
caught 0 right
thrown on 0 right
thrown on 1 right
passed 0 right
passed 1 right
scope 0 right
scope 1 right
handler 0 right
handler 1 right
whole 0 right
whole 1 right
two blocks 0 right
two blocks 1 right
later 2 0
*/
