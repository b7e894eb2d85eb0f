// SPDX-License-Identifier: MIT
// Local variables whose addresses are known to children: they must not move.
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>

struct counts {
    int letters;
    int digits;
};

static void count(const char *text, size_t length, struct counts *to) {
    if (length <= 4) {
        for (size_t i = 0; i < length; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                to->digits++;
            } else {
                to->letters++;
            }
        }
        return;
    }
    struct counts left = {0, 0}, right = {0, 0};
    struct counts *both[2] = {&left, &right};
    cilk_spawn count(text, length / 2, both[0]);
    count(text + length / 2, length - length / 2, both[1]);
    cilk_sync;
    to->letters += left.letters + right.letters;
    to->digits += left.digits + right.digits;
}

static void hold(int depth, int **chain, int length, long *sum) {
    int mine = depth;
    int *all[16];
    memcpy(all, chain, (size_t)length * sizeof *all);
    all[length] = &mine;
    if (depth == 9) {
        for (int i = 0; i <= length; i++) {
            *sum += *all[i] * (i + 1);
        }
        return;
    }
    long sums[2] = {0, 0};
    cilk_spawn hold(depth + 1, all, length + 1, &sums[0]);
    cilk_spawn hold(depth + 1, all, length + 1, &sums[1]);
    cilk_sync;
    // Only now may this change.
    mine = -1;
    *sum += sums[0] + sums[1] + mine;
}

static int bounded(int n, int array[2]) {
    int *to_parameter = &n;
    if (n == 0) {
        return array[0] + array[1];
    }
    array[0] = cilk_spawn bounded(n - 1, (int[2]){1, 2});
    array[1] = bounded(n / 2, (int[2]){3, 4});
    cilk_sync;
    ++*to_parameter;
    return n + array[0] + array[1];
}

int main(void) {
    const char text[] = "a1b22c333d4444e55555f666666g7777777";
    struct counts all = {0, 0};
    count(text, strlen(text), &all);
    printf("%d %d\n", all.letters, all.digits);
    long sum = 0;
    hold(0, &(int *){NULL}, 0, &sum);
    printf("%ld\n", sum);
    int start[2] = {5, 6};
    int result = bounded(8, start);
    printf("%d %d %d\n", result, start[0], start[1]);
    return 0;
}

/* Output:
7 28
168449
293 209 75
*/
