// SPDX-License-Identifier: MIT
// files: from_c_fib.cilk
// arguments: --nproc 2 18
// A program in plain C that starts Cilk and calls a procedure.
#include <cilk.h>
#include <cilk-compat.h> /* As older programs do. */
#include <stdio.h>
#include <stdlib.h>

extern int EXPORT(fib)(CilkContext *const context, int n);
extern void EXPORT(fill)(CilkContext *const context, double *to, int n, double value);

int main(int argc, char *argv[]) {
    CilkContext *context = Cilk_init(&argc, argv);
    if (context == NULL) {
        return 1;
    }
    int n = atoi(argv[1]);
    for (int i = 0; i < 3; i++) {
        printf("fib(%d) = %d\n", n + i, EXPORT(fib)(context, n + i));
    }
    double numbers[64];
    EXPORT(fill)(context, numbers, 64, 0.5);
    double sum = 0;
    for (int i = 0; i < 64; i++) {
        sum += numbers[i] * i;
    }
    Cilk_terminate(context);
    printf("%d %g\n", argc, sum);
    return 0;
}

/* Output:
fib(18) = 2584
fib(19) = 4181
fib(20) = 6765
2 86352
*/
