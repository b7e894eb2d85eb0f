// SPDX-License-Identifier: MIT
// Spawns before a place where children are waited for without a cilk_sync right behind them: the ends
// of scopes, functions, lambdas and loops' bodies, and branches before a cilk_sync. And statements
// after a spawn that change variables, which have copies of those that nothing uses later.
#include <cilk/cilk.h>
#include <cstdio>
#include <stdexcept>
#include <utility>

static int in_scope(int n) {
    if (n < 2)
        return n;
    int x, y;
    cilk_scope {
        x = cilk_spawn in_scope(n - 1);
        y = in_scope(n - 2);
    }
    return x + y;
}

// The children of the function around a scope are not the scope's.
static int two_scopes(int n) {
    int x = 0, y = 0, z = 0, of_loop[3] = {};
    for (int i = 0; i < 3; i++)
        of_loop[i] = cilk_spawn in_scope(n + i);
    cilk_scope {
        x = cilk_spawn in_scope(n);
        y = in_scope(n - 1);
        cilk_sync;
        z = cilk_spawn in_scope(x - y);
        y += x;
    }
    cilk_sync;
    return x + y + z + of_loop[0] + of_loop[1] + of_loop[2];
}

static void sort(int *begin, int *end) {
    if (end - begin > 1) {
        int *middle = begin;
        const int pivot = *--end;
        for (int *at = begin; at != end; ++at)
            if (*at < pivot)
                std::swap(*at, *middle++);
        std::swap(*middle, *end);
        cilk_spawn sort(begin, middle);
        sort(++middle, ++end);
    }
}

static int branches(int n, int *log) {
    int x = 0, y = 0;
    if (n < 2) {
        x = n;
    } else if (n % 2 == 0) {
        x = cilk_spawn branches(n - 1, log);
        __atomic_add_fetch(log, 1, __ATOMIC_RELAXED);
        y = branches(n - 2, log);
    } else {
        for (int i = 0; i < 2; i++) {
            int from = n - 1 - i, &to = i == 0 ? x : y;
            if (n % 3 != 0) {
                to = cilk_spawn branches(from, log);
                from--;
            }
            cilk_sync;
            if (n % 3 == 0)
                to = branches(from--, log);
        }
    }
    cilk_sync;
    return x + y;
}

// What is changed behind a spawn, and used: below, by the next iteration, by what refers to it.
static int used_later(int n) {
    int below = n, next = n, referred = n, over = n, sum = 0, x, y;
    const int &reference = referred;
    for (int i = 0; i < 3; i++) {
        int own = i;
        x = cilk_spawn in_scope(n + own);
        below += 3;
        ++next;
        referred *= 2;
        own += next;
        y = own + reference;
        cilk_sync;
        sum = sum * 7 + x + y + i;
    }
    x = cilk_spawn in_scope(over);
    over -= 2;
    y = over++;
    y += over;
    cilk_sync;
    sum += x + y;
    int counted = n;
    x = cilk_spawn in_scope(counted++);
    y = counted * 100;
    y += counted--;
    cilk_sync;
    return sum + x + y + below;
}

static int again(int n) {
    int turns = 0, x, y;
more:
    y = 0;
    x = cilk_spawn in_scope(n);
    ++turns;
    y = in_scope(turns);
    cilk_sync;
    if (x + y < 60) {
        ++n;
        goto more;
    }
    return 100 * n + x + y;
}

// Several, of which the later ones stand in the rest of the first.
static int several(int n) {
    int x, y, z;
    cilk_scope {
        x = cilk_spawn in_scope(n);
        n += 1;
        y = cilk_spawn in_scope(n);
        n *= 2;
        z = in_scope(n - 9);
    }
    return x + 100 * y + 10000 * z;
}

struct on_end {
    int &counted;
    int by;
    ~on_end() { counted += by; }
};

static int with_object(int n, int *to) {
    int counted = 0;
    {
        on_end one{counted, 1};
        if (n > 0) {
            on_end ten{counted, 10};
            *to = cilk_spawn in_scope(n);
            n = in_scope(n - 1);
        }
        cilk_sync;
    }
    return counted;
}

static int thrown_by(int who) {
    if (who != 0)
        throw std::runtime_error(who == 1 ? "child" : "rest");
    return 5;
}

static void throws(int child, int rest, int &got) {
    cilk_scope {
        cilk_spawn thrown_by(child);
        got = thrown_by(rest);
    }
}

static void throws_at_end(int child, int rest, int &got) {
    got = 0;
    if (child < 2) {
        cilk_spawn thrown_by(child);
        got = thrown_by(rest);
    } else {
        got = 9;
    }
}

template <class T>
struct tree {
    T own, left, right;

    tree(int n, T *) : own(n), left(), right() {
        cilk_spawn add(n, &left);
        add(n + 1, &right);
    }
    void add(int n, T *to) { *to += in_scope(n); }
};

int main() {
    std::printf("%d %d\n", in_scope(14), two_scopes(9));
    int numbers[200];
    for (int i = 0; i < 200; i++)
        numbers[i] = i * 77 % 200;
    sort(numbers, numbers + 200);
    for (int i = 0; i < 200; i++)
        if (numbers[i] != i)
            std::printf("not sorted: %d at %d\n", numbers[i], i);
    int log = 0;
    std::printf("%d", branches(6, &log));
    std::printf(" %d\n", log > 0);
    std::printf("%d %d %d\n", used_later(5), again(6), several(7));
    int to = 0;
    std::printf("%d", with_object(8, &to));
    std::printf(" %d\n", to);
    for (int which = 0; which < 4; which++)
        for (void (*f)(int, int, int &) : {throws, throws_at_end}) {
            int got = 1;
            try {
                f(which % 2, which / 2 * 2, got);
                std::printf("%d\n", got);
            } catch (const std::runtime_error &e) {
                std::printf("%s\n", e.what());
            }
        }
    long none = 0;
    const tree<long> grown(9, &none);
    std::printf("%ld %ld %ld\n", grown.own, grown.left, grown.right);
    int of_loop[10], in_block = 0, in_lambda = 0;
    cilk_for (int i = 0; i < 10; i++) {
        int x = i, y;
        y = cilk_spawn in_scope(x);
        x += 2;
        of_loop[i] = in_scope(x);
        cilk_sync;
        of_loop[i] += y;
    }
    cilk_for (int i = 0; i < 10; i++) {
        int *to_this = &of_loop[i];
        cilk_spawn [](int *at) { *at *= 2; }(to_this);
        to_this = nullptr;
    }
    cilk_spawn {
        int x = 0, y = 0;
        x = cilk_spawn in_scope(6);
        y = in_scope(7);
        cilk_sync;
        in_block = x + y;
    }
    const auto both = [&](int n) {
        cilk_spawn [&](int k) { in_lambda += in_scope(k); }(n);
        n = in_scope(n + 1);
    };
    both(8);
    cilk_sync;
    for (int i = 0; i < 10; i++)
        std::printf("%d ", of_loop[i]);
    std::printf("%d %d\n", in_block, in_lambda);
    return 0;
}
/* Output:
377 500
8 1
1990 1060 132113
11 21
5
5
child
child
rest
rest
child
child
9 34 55
2 6 8 14 22 36 58 94 152 246 21 21
*/
