/* SPDX-License-Identifier: MIT */
/* Does what the second word says, which a library that the launcher loads must not disturb. */
#define _GNU_SOURCE

int early_library_has_worked(void);

int main(void) {
    return early_library_has_worked() ? 0 : 1;
}
