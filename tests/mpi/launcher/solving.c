/* SPDX-License-Identifier: MIT */
/* A program that calls a function of another file. */

int solve(void);

int main(void) {
    return solve();
}
