// SPDX-License-Identifier: MIT
// Types, constants and statics of a function, and arrays of variable length, in the bodies of its
// loops and in a spawned block.
#include <cilk/cilk.h>
#include <stdio.h>
static long g(int n, int m, double a[n][m]) {
    enum color { red = 3, green };
    struct point {
        int x, y;
        enum color c;
    };
    typedef struct {
        struct point p;
        int k;
    } big;
    union {
        int i;
        float f;
    } u = {.i = 2};
    struct point points[50];
    big b = {{1, 2, green}, 7};
    big *pb = &b;
    double v[n][m];
    static int calls;
    int first;
    calls++;
    cilk_for (first = 0; first < 50; first++) {
        struct point p = {first, red * u.i, green};
        points[first] = p;
        points[first].y += (int)sizeof(struct point) + pb->k;
        typedef struct point again;
        again *q = (again *)&points[first];
        q->x += calls + b.p.c;
        cilk_for (int j = 0; j < 1; j++) {
            big z = *pb;
            q->y += z.k + j;
        }
    }
    cilk_for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            v[i][j] = i * 10 + j;
            a[i][j] = v[i][j] + sizeof v[0] / sizeof v[0][0];
        }
        cilk_for (int j = 0; j < m; j++) {
            v[i][j] += 1;
            __typeof__(first) t = 1;
            a[i][j] += t;
        }
    }
    cilk_spawn {
        v[0][0] += points[3].x;
        int *r = &first;
        *r += 1;
    }
    cilk_sync;
    long s = first;
    for (int i = 0; i < 50; i++)
        s += points[i].x * 3 + points[i].y;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += (long)(v[i][j] + a[i][j]);
    return s;
}
int main(void) {
    double a[4][5];
    long first = g(4, 5, a);
    long second = g(4, 5, a);
    printf("%ld %ld\n", first, second);
    return 0;
}

/* Output:
6904 7055
*/
