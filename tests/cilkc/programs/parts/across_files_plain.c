// SPDX-License-Identifier: MIT
int plain_sum(int a, int b);

int plain_sum(int a, int b) {
    return a + b;
}
