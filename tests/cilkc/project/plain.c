// SPDX-License-Identifier: MIT
int plain(void);

int plain(void) {
    return 1000;
}
