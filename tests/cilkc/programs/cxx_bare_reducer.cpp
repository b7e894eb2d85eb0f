// SPDX-License-Identifier: MIT
// `cilk_reducer` alone, without a header of Cilk's, as OpenCilk's compiler takes it.
#include <cstdio>

static void zero(void *view) {
    *static_cast<long *>(view) = 0;
}
static void plus(void *left, void *right) {
    *static_cast<long *>(left) += *static_cast<long *>(right);
}

int main() {
    long cilk_reducer(zero, plus) sum = 2;
    sum += 3;
    std::printf("%ld\n", sum);
}

/* Output:
5
*/
