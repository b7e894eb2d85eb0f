// SPDX-License-Identifier: MIT
// Names, overloads and literals mean in the translated program what they mean in the serial one.
#include <cilk/cilk.h>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

static void wait() {
    for (volatile int i = 0; i < 3000000; i = i + 1) {
    }
}

static int id(int x) {
    return x;
}

// ---- A variable that is declared after the spawn has the name of something else before

struct with_member {
    int y;
    int f() {
        int x = cilk_spawn id(y);
        int y = id(100);
        cilk_sync;
        return 1000 * x + y;
    }
    int size() { return y; }
    int of_function() {
        int x = cilk_spawn id(size());
        int size = id(2);
        cilk_sync;
        return 10 * x + size;
    }
};

struct item {
    char c[40];
};

static int of_type() {
    int x = cilk_spawn id(sizeof(item));
    int item = id(3);
    cilk_sync;
    return x + item;
}

// ---- Functions that enter the runtime by themselves

struct base {
    virtual int sum(int n) = 0;
    virtual ~base() {}
};

template <class B>
struct mixin : B {
    int sum(int n) override {
        int x = cilk_spawn id(n);
        int y = cilk_spawn id(1);
        cilk_sync;
        return x + y;
    }
};

static int calls = 0;

struct top : mixin<base> {
    int sum(int n) override {
        ++calls;
        return mixin<base>::sum(n) + 1;
    }
};

template <class T>
static int which(const T &t) {
    int x = cilk_spawn id(t + 1);
    cilk_spawn wait();
    cilk_sync;
    return x;
}

template <class T>
static int which(T &&t) {
    int x = cilk_spawn id(t + 2);
    cilk_spawn wait();
    cilk_sync;
    return x;
}

static int overloaded(int n) {
    int x = cilk_spawn id(n);
    cilk_spawn wait();
    cilk_sync;
    return x;
}

static int overloaded(int &&n) {
    return -overloaded(n);
}

static const auto &element(const int *v) {
    int x = cilk_spawn id(1);
    cilk_spawn wait();
    cilk_sync;
    return v[x];
}

static const int *in_lambda(const int *v) {
    auto f = [](const int *p) -> const auto & {
        int x = cilk_spawn id(1);
        cilk_spawn wait();
        cilk_sync;
        return p[x];
    };
    return &f(v);
}

// ---- Constants of which the call makes objects

static int last_ticket = 0;

struct ticket {
    int n;
    ticket(const char *name) {
        if (*name == 'a')
            wait();
        n = ++last_ticket;
    }
};

static int number(ticket t) {
    return t.n;
}

static int reference_number(const ticket &t) {
    return t.n;
}

static int global = 1;

struct slow_copy {
    slow_copy() {}
    slow_copy(const slow_copy &) { wait(); }
};

static int first_of(int x, slow_copy) {
    return x;
}

template <int &R>
static int reference_parameter() {
    slow_copy s;
    int x = cilk_spawn first_of(R, s);
    global = 9;
    cilk_sync;
    return x;
}

// ---- Literals over lines

static int length(const char *s, int) {
    return static_cast<int>(std::strlen(s)) * 1000 + (s[1] == '\n') + s[std::strlen(s) - 1];
}

static std::string raw(int n) {
    std::string s = cilk_spawn std::string(R"--(a"\
#b)"?
  )--");
    int x = cilk_spawn length(R"(a
    b
#c
1'd)", n);
    cilk_sync;
    return s + std::to_string(x);
}

// ---- Blocks

// From outside it does not enter the runtime.
static int next_of_block() try {
    int result = 0;
    cilk_spawn {
        static int n = 0;
        result = ++n;
    }
    cilk_sync;
    return result;
} catch (int) {
    return 0;
}

static int nothing_around() {
    int a = 0, b = 0;
    a = cilk_spawn next_of_block();
    b = next_of_block();
    cilk_sync;
    return a + b;
}

static void outside() {
    top t;
    base &b = t;
    std::printf("%d", b.sum(4));
    std::printf(" %d\n", calls);
    int x = 0;
    const int c = 0;
    int three = 3;
    int y = overloaded(three);
    std::printf("%d %d %d %d\n", which(x), which(c), y, overloaded(x));
    int v[] = {6, 7};
    std::printf("%d %d\n", &element(v) == v + 1, in_lambda(v) == v + 1);
    std::printf("%d\n", next_of_block());
}

int main() {
    std::thread(outside).join();
    with_member m = {5};
    std::printf("%d %d %d\n", m.f(), m.of_function(), of_type());
    int first = cilk_spawn number("a");
    int second = cilk_spawn number("b");
    int third = cilk_spawn reference_number("a");
    int fourth = cilk_spawn reference_number("b");
    cilk_sync;
    std::printf("%d %d %d %d %d\n", first, second, third, fourth, reference_parameter<global>());
    std::printf("%s\n", raw(1).c_str());
    int n = next_of_block();
    std::printf("%d %d\n", n, nothing_around());
}

/* Output:
6 1
2 1 3 0
1 1
1
5100 52 43
1 2 3 4 1
a"\
#b)"?
  14101
2 7
*/
