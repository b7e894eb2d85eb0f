// SPDX-License-Identifier: MIT
// Plain C in a target that links Cilk.

int plain(void);

int plain(void) {
    return 1000;
}
