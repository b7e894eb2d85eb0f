// SPDX-License-Identifier: MIT
// Each kind of function that may spawn, called by main, by a thread, by a static initialiser and as
// a callback: it enters the runtime by itself.
#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

static int fib(int n) {
    if (n < 2)
        return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}

// Before main.
struct initialised {
    int value = fib(10);
    initialised() {
        cilk_spawn set(&second, 7);
        cilk_sync;
    }
    ~initialised() {
        int last = 0;
        cilk_spawn set(&last, 1);
        cilk_sync;
        std::printf("end %d\n", last);
    }
    static void set(int *to, int v) { *to = v; }
    int second = 0;
};
static initialised before_main;

struct base {
    virtual ~base() = default;
    virtual int sum(int n) {
        int x = cilk_spawn fib(n);
        cilk_sync;
        return x;
    }
};

struct middle : base {
    int sum(int n) override {
        int x = cilk_spawn base::sum(n);
        int y = cilk_spawn fib(n + 1);
        cilk_sync;
        return x + y;
    }
};

struct number {
    int value;
    number operator+(const number &other) const {
        int x = cilk_spawn fib(value);
        int y = fib(other.value);
        cilk_sync;
        return {x + y};
    }
    int operator()(int n) {
        int x = cilk_spawn fib(n);
        cilk_sync;
        return x + value;
    }
    operator int() const {
        int x = cilk_spawn fib(value);
        cilk_sync;
        return x;
    }
    static int of(int n) {
        int x = cilk_spawn fib(n);
        cilk_sync;
        return x;
    }
    int rvalue() && {
        int x = cilk_spawn fib(value);
        cilk_sync;
        return x;
    }
    friend int friendly(const number &n) {
        int x = cilk_spawn fib(n.value);
        cilk_sync;
        return x;
    }
};

constexpr int fast_fib(int n) {
    return n < 2 ? n : fast_fib(n - 1) + fast_fib(n - 2);
}

constexpr int in_constexpr(int n) {
    int x = cilk_spawn fast_fib(n);
    cilk_sync;
    return x;
}

static int no_throw(int n) noexcept {
    int x = cilk_spawn fib(n);
    cilk_sync;
    return x;
}

static auto deduced(int n) {
    int x = cilk_spawn fib(n);
    cilk_sync;
    return x;
}

static auto trailing(int n) -> std::pair<int, int> {
    int x = cilk_spawn fib(n);
    cilk_sync;
    return {x, n};
}

static int unnamed(int n, int) {
    int x = cilk_spawn fib(n);
    cilk_sync;
    return x;
}

static int &reference(int &to) {
    to = cilk_spawn fib(5);
    cilk_sync;
    return to;
}

static int variadic(int n, ...) {
    int x = cilk_spawn fib(n);
    cilk_sync;
    return x;
}

static std::vector<int> moved(std::vector<int> v) {
    v[0] = cilk_spawn fib(v[0]);
    cilk_sync;
    return v;
}

namespace other {
struct key {
    int value;
};
inline int use(key k, int) {
    return k.value;
}
} // namespace other
// Its like in the namespace of its argument's type is another function.
template <class K>
static int use(K k, long n) {
    int x = cilk_spawn fib(k.value);
    cilk_sync;
    return x + static_cast<int>(n);
}

template <class T, int n, class... A>
static int with_arguments(T first, A... more) {
    int x = cilk_spawn fib(first);
    cilk_sync;
    return x + n + static_cast<int>(sizeof...(more));
}

extern "C" int compare(const void *a, const void *b) {
    int x = cilk_spawn fib(*static_cast<const int *>(a));
    int y = fib(*static_cast<const int *>(b));
    cilk_sync;
    return x - y;
}

static int with_try(int n) try {
    int x = cilk_spawn fib(n);
    cilk_sync;
    return x;
} catch (...) {
    return -1;
}

static void all() {
    auto lambda = [](int n) -> int {
        int x = cilk_spawn fib(n);
        cilk_sync;
        return x;
    };
    auto generic = [](auto &self, int n) -> int {
        if (n < 2)
            return n;
        int x = cilk_spawn self(self, n - 1);
        int y = self(self, n - 2);
        cilk_sync;
        return x + y;
    };
    struct local {
        int twice(int n) {
            int x = cilk_spawn fib(n);
            cilk_sync;
            return 2 * x;
        }
    };
    int target = 0;
    middle object;
    base &virtual_object = object;
    std::vector<int> v = moved(std::vector<int>(2, 9));
    int sorted[] = {9, 5, 7, 6};
    std::qsort(sorted, 4, sizeof(int), compare);
    std::printf("%d %d %d %d %d\n", lambda(6), generic(generic, 10), local().twice(5),
                virtual_object.sum(8), v[0]);
    std::printf("%d %d %d %d %d %d\n", (number{7} + number{8}).value, number{1}(9), int(number{6}),
                number::of(6), number{11}.rvalue(), friendly(number{12}));
    std::printf("%d %d %d %d %d %d %d\n", in_constexpr(3), no_throw(4), deduced(5),
                trailing(6).first, unnamed(7, 0), reference(target), variadic(9, 1));
    std::printf("%d %d %d %d%d%d%d\n", use(other::key{8}, 1L), with_arguments<int, 100>(8, 'x', 1.5),
                with_try(9), sorted[0], sorted[1], sorted[2], sorted[3]);
}

int main(int argc, char **) {
    std::printf("%d %d\n", before_main.value, before_main.second);
    all();
    std::thread(all).join();
    int in_main = cilk_spawn fib(argc + 12);
    std::function<int(int)> kept = [](int n) {
        int x = cilk_spawn fib(n);
        cilk_sync;
        return x;
    };
    std::printf("%d\n", kept(6));
    cilk_sync;
    std::printf("%d\n", in_main);
}

/* Output:
55 7
8 55 10 55 34
34 35 8 8 89 144
2 3 5 8 13 5 34
22 123 34 5679
8 55 10 55 34
34 35 8 8 89 144
2 3 5 8 13 5 34
22 123 34 5679
8
233
end 1
*/
