// SPDX-License-Identifier: MIT
// Plain C in a library that also has Cilk.

int more(void);

int more(void) {
    return 100;
}
