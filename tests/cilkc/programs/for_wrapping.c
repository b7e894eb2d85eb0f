/* SPDX-License-Identifier: MIT */
/* Loops whose variable passes its type's last value on the way to a limit that it is compared with by
   !=, and steps that are negative, or unsigned and meant so. */
#include <cilk/cilk.h>
#include <stdio.h>

enum level { low = 3, high = 9 };
enum __attribute__((packed)) small { least, most = 200 };

static _Atomic long count;
static _Atomic unsigned long sum;

static void visit(unsigned long i) {
    count++;
    sum += i;
}

static void print(void) {
    printf("%ld %lu\n", count, sum);
    count = 0;
    sum = 0;
}

static int same(int n) {
    return n;
}

static int fib(int n) {
    if (n < 2)
        return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}

static void narrow(void) {
    cilk_for (unsigned char i = 250; i != 4; i++)
        visit(i);
    print();
    cilk_for (unsigned char i = 4; 250 != i; i -= 2)
        visit(i);
    print();
    cilk_for (signed char i = 120; i != -120; i += 4)
        visit((unsigned long)(i + 128));
    print();
    cilk_for (short i = -32766; i != 32764; i -= same(3))
        visit((unsigned long)(i + 32768));
    print();
    cilk_for (unsigned short i = 65530; i != 20; i += same(13))
        visit(i);
    print();
    cilk_for (unsigned char i = 1; i != 201; i += 200)
        visit(i);
    print();
}

static void wide(void) {
    cilk_for (unsigned i = 10; i != 4294967294u; i -= 2)
        visit(i);
    print();
    cilk_for (unsigned i = 4294967290u; i != 6; i++)
        visit(i);
    print();
    cilk_for (unsigned i = 7; i != -2; i += -3)
        visit(i);
    print();
    cilk_for (unsigned long i = -5ul; i != 5; i++)
        visit(i);
    print();
    cilk_for (unsigned long long i = 5; i != -7ull; i -= same(4))
        visit(i);
    print();
    cilk_for (int i = -3; i != 4u; i++)
        visit((unsigned long)(i + 3));
    print();
    cilk_for (long i = -9223372036854775807l; i != 9223372036854775807l; i += 9223372036854775807l)
        visit(i < 0 ? 1 : 2);
    print();
}

static void enumerations(void) {
    cilk_for (enum level i = high; i != low; i--)
        visit(i);
    print();
    cilk_for (enum small i = 250; i != 10; i += 4)
        visit(i);
    print();
}

static void hundred_and_twenty_eight(void) {
    const unsigned __int128 far = (unsigned __int128)1 << 100;
    cilk_for (unsigned __int128 i = -(unsigned __int128)6; i != 6; i += 3)
        visit((unsigned long)i);
    print();
    cilk_for (unsigned __int128 i = far; i < far * 4; i += far)
        visit((unsigned long)(i >> 100));
    print();
    cilk_for (__int128 i = 5; i >= -(__int128)far; i -= (__int128)far / same(2))
        visit(i > 0 ? 1 : 2);
    print();
    cilk_for (__int128 i = -(__int128)far - 4; i != -(__int128)far + 4; i -= -same(2))
        visit((unsigned long)i);
    print();
}

// A step that is unsigned and large is a negative one.
static void unsigned_steps(unsigned minus_three, unsigned long minus_two) {
    cilk_for (unsigned i = 10; i != 1; i += minus_three)
        visit(i);
    print();
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
        visit((unsigned long)(i + 3));
    print();
    cilk_for (unsigned long i = 0; i != 2; i += 9223372036854775809ul)
        visit(i >> 63);
    print();
}

static void others(void) {
    unsigned char left;
    cilk_for (left = 3; left != 253; left -= 2)
        visit(left);
    printf("%d: ", left);
    print();
    cilk_for (unsigned char i = 254; i != 2; i++)
        cilk_for (unsigned short j = 65535; j != i % 2 + 1; j++)
            visit((unsigned long)i * j);
    print();
    cilk_for (unsigned char i = 255; i != 3; i++) {
        int x = cilk_spawn fib(i % 8);
        visit(fib(5));
        cilk_sync;
        visit(x);
    }
    print();
    int array[8];
    cilk_for (int *p = array + 7; p != array - 1; p -= 2)
        visit((unsigned long)(p - array));
    print();
    cilk_for (unsigned char i = 7; i != 7; i++)
        visit(i);
    print();
    cilk_for (_Bool i = 0; i != 1; i++)
        visit(7);
    print();
}

int main(void) {
    narrow();
    wide();
    enumerations();
    hundred_and_twenty_eight();
    unsigned_steps(-3u, -2ul);
    others();
    return 0;
}

/* Output:
10 1521
5 512
4 504
2 65537
2 65537
1 1
6 30
12 25769803770
3 12
10 18446744073709551611
3 3
7 21
2 3
6 39
4 512
4 18446744073709551610
3 6
3 5
4 18446744073709551612
3 21
3 21
4 22
2 17
3 21
6 42
2 1
253: 3 259
10 33423106
8 35
4 16
0 0
1 7
*/
