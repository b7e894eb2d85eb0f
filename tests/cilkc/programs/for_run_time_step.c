/* SPDX-License-Identifier: MIT */
/* Steps that are known when the loop starts: one of zero ends the program with a line, unless the loop
   runs no iteration. */
/* status: failure */
/* errors: the step of a cilk_for is 0 */
/* serial: never ends */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static _Atomic long sum;

static void up(int first, int last, int step) {
    cilk_for (int i = first; i < last; i += step)
        sum += i;
    cilk_for (long i = first; i <= last; i += step)
        sum += i;
    cilk_for (unsigned char i = first; i != last; i += step)
        sum += i;
}

static void down(int *array, long count, short step) {
    cilk_for (int *p = array + count; p > array; p -= step)
        sum += p[-1];
    cilk_for (int i = 9; i >= count; i -= step)
        sum += i;
}

static void at_exit(void) {
    printf("not reached\n");
}

int main(int argc, char *argv[]) {
    int array[] = {1, 2, 3, 4};
    (void)argv;
    up(0, 10, 2);
    printf("%ld\n", sum);
    up(3, 3, argc);
    down(array, 4, 2);
    printf("%ld\n", sum);
    cilk_for (unsigned i = 4; i < 4; i += argc - 1)
        sum += i;
    cilk_for (char *p = 0; p != 0; p += argc - 1)
        sum += 1;
    printf("%ld\n", sum);
    fflush(stdout);
    atexit(at_exit);
    cilk_for (unsigned i = 3; i != 4; i += argc - 1)
        sum += i;
    return 0;
}

/* Output:
70
100
100
*/
