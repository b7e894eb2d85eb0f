/* SPDX-License-Identifier: MIT */
int solve(void);

int main(void) {
    return solve();
}
