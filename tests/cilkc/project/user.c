// SPDX-License-Identifier: MIT
// A plain C program that links a library with Cilk in it.
#include <stdio.h>

int spawning(int depth);
int more(void);
int plain(void);

int main(void) {
    printf("%d\n", spawning(4) + more() + plain());
    return 0;
}
