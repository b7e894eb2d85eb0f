// SPDX-License-Identifier: MIT
// A plain C function that a Cilk program calls from another file.

int plain_sum(int a, int b);

int plain_sum(int a, int b) {
    return a + b;
}
