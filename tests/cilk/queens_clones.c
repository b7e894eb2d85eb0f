// SPDX-License-Identifier: MIT
// nqueens as clones, for tests.
#include "clones.h"

#define QUEENS_MAX TEST_QUEENS_MAX
static int queens_are_safe(int rows, const signed char *board) {
    for (int i = 0; i < rows; i++)
        for (int j = i + 1; j < rows; j++) {
            int apart = board[j] - board[i];
            if (apart == 0 || apart == j - i || apart == i - j)
                return 0;
        }
    return 1;
}

#define nqueens_by_clones test_nqueens
#include "clones/nqueens.h"
