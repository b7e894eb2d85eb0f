// SPDX-License-Identifier: MIT
int more(void);

int more(void) {
    return 100;
}
