// SPDX-License-Identifier: MIT
// Nested loops whose variables are declared before them, as C had it before 1999: each loop that runs
// beside others has a variable of its own.
/* clang-format takes cilk_for for a function. */
/* clang-format off */
#include <cilk/cilk.h>
#include <stdio.h>

enum { n = 24 };

static int a[n][n][n];

static void hit(int *x) {
    ++*x;
}

static void fill(void) {
    int i, j = 3, k;
    cilk_for (i = 0; i < n; i++)
        cilk_for (j = 0; j < n; ++j) {
            cilk_for (k = 0; k < n; k += 1) {
                a[i][j][k] = i * n + j - k;
            }
        }
    printf("%d\n", i);
}

/* The variables once more, in loops of all kinds; of types of their own. */
static long add(short rows, int *row) {
    typedef unsigned char small;
    small j;
    int i, *p;
    long sum = 0;
    for (i = 0; i < rows; i++) {
        cilk_for (j = 0; j < n; j++) {
            row[j] = 0;
            cilk_for (p = a[i][j]; p < a[i][j] + n; p++)
                *p += 1;
        }
        for (p = a[i][0]; p < a[i][0] + n; p++)
            sum += *p;
    }
    cilk_for (i = rows - 1; i >= 0; i--) {
        cilk_for (j = 0; j != n; j += 2)
            a[i][2][j] += i;
        cilk_spawn hit(&row[i]);
        cilk_for (j = 0; j < 1; j++) {
            cilk_spawn hit(&a[i][0][0]);
            hit(&a[i][1][0]);
        }
    }
    for (j = 0; j < n; j++)
        sum += row[j] + a[j][0][0] + a[j][1][0] + a[j][2][j];
    return sum;
}

/* In a spawned block, and with a parameter for the variable. */
static long blocks(int j, int k) {
    static int left[n], right[n];
    cilk_spawn {
        cilk_for (j = 0; j < n; j++)
            left[j] = j;
    }
    cilk_spawn {
        cilk_for (j = n; j > 0; j--)
            cilk_for (k = 0; k < 1; k++)
                right[j - 1] = j;
    }
    cilk_sync;
    long sum = 0;
    for (j = 0; j < n; j++)
        for (k = 0; k < 2; k++)
            sum += k == 0 ? left[j] : right[j];
    return sum;
}

int main(void) {
    int row[n];
    long sum = 0;
    fill();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                sum = sum * 31 % 1000003 + a[i][j][k];
    printf("%ld\n", sum);
    printf("%ld\n", add(n, row));
    printf("%ld\n", blocks(1, 2));
    return 0;
}

/* Output:
24
924016
172872
576
*/
