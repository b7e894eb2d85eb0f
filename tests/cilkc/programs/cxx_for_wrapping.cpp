// SPDX-License-Identifier: MIT
// Loops whose variable passes its type's last value on the way to a limit that it is compared with by
// !=, and steps that are negative, or unsigned and meant so. Also in templates.
#include <atomic>
#include <cilk/cilk.h>
#include <cstdio>

static std::atomic<long> count;
static std::atomic<unsigned long> sum;

static void visit(unsigned long i) {
    count++;
    sum += i;
}

static void print() {
    std::printf("%ld %lu\n", count.load(), sum.load());
    count = 0;
    sum = 0;
}

template <class T, class S>
static void loop(T first, T last, S step) {
    cilk_for (T i = first; i != last; i += step)
        visit(static_cast<unsigned char>(i));
    print();
    cilk_for (auto i = last; i != first; i -= step)
        visit(static_cast<unsigned char>(i));
    print();
}

template <class T>
static void around(T zero) {
    loop(static_cast<T>(zero - 6), static_cast<T>(zero + 6), 3);
    loop(static_cast<T>(zero - 6), static_cast<T>(zero + 6), 4u);
    loop(static_cast<T>(zero + 6), static_cast<T>(zero - 6), -2);
    loop(static_cast<T>(zero + 6), static_cast<T>(zero - 6), static_cast<T>(zero - 2));
    cilk_for (T i = static_cast<T>(zero - 2); i != 2; i++)
        visit(static_cast<unsigned char>(i));
    print();
    cilk_for (T i = 2; i != static_cast<T>(zero - 2); --i)
        visit(static_cast<unsigned char>(i));
    print();
}

static void unsigned_steps(unsigned minus_three, unsigned long minus_two) {
    cilk_for (unsigned i = 10; i > 1; i += minus_three)
        visit(i);
    print();
    cilk_for (unsigned i = 1; i <= 10; i -= minus_three)
        visit(i);
    print();
    cilk_for (unsigned i = 10; i != 4; i += -3u)
        visit(i);
    print();
    cilk_for (unsigned i = 10; i >= 4; i += -3)
        visit(i);
    print();
    cilk_for (int i = 9; i > -3; i += minus_two)
        visit(static_cast<unsigned long>(i + 3));
    print();
    cilk_for (unsigned long i = 0; i != 2; i += 9223372036854775809ul)
        visit(i);
    print();
}

int main() {
    around<unsigned char>(0);
    around<unsigned short>(0);
    around<unsigned>(0);
    around<unsigned long>(0);
    around<unsigned long long>(0);
    around<unsigned __int128>(0);
    around<int>(0);
    cilk_for (unsigned i = 7; i != -2u; i += -3)
        visit(i);
    print();
    unsigned_steps(-3u, -2ul);
    return 0;
}

/* Output:
4 506
4 262
3 506
3 262
6 518
6 762
6 518
6 762
4 510
4 258
4 506
4 262
3 506
3 262
6 518
6 762
6 518
6 762
4 510
4 258
4 506
4 262
3 506
3 262
6 518
6 762
6 518
6 762
4 510
4 258
4 506
4 262
3 506
3 262
6 518
6 762
6 518
6 762
4 510
4 258
4 506
4 262
3 506
3 262
6 518
6 762
6 518
6 762
4 510
4 258
4 506
4 262
3 506
3 262
6 518
6 762
6 518
6 762
4 510
4 258
4 506
4 262
3 506
3 262
6 518
6 762
6 518
6 762
4 510
4 258
3 12
3 21
4 22
2 17
3 21
6 42
2 9223372036854775809
*/
