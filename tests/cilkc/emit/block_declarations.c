// SPDX-License-Identifier: MIT
// What blocks declare is declared again where it is used, and nowhere else.
#include <cilk/cilk.h>
#include <stdio.h>

int outside(int n);
int outside(int n) {
    extern int counter, table[4];
    int half(int);
    int row[4];
    cilk_for(int i = 0; i < 4; i++) row[i] = half(i) + counter + table[i];
    cilk_for(int i = 0; i < 4; i++) {
        extern int other;
        int third(int);
        row[i] += third(i) + other;
    }
    if (n > counter)
        return half(n);
    int x = cilk_spawn outside(n + 1), y = row[n % 4];
    cilk_sync;
    return x + y;
}

int counter = 5, table[4] = {1, 2, 3, 4}, other = 100;

int half(int n);
int half(int n) {
    return n / 2;
}

int third(int n);
int third(int n) {
    return n / 3;
}

int main(void) {
    printf("%d\n", outside(0));
    return 0;
}

/* Output:
649
*/
