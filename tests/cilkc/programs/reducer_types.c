// SPDX-License-Identifier: MIT
// cilk_reducer(identity, reduce): of an int, a double, a struct; local, global, at a pointer.
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>

static void zero(void *view) {
    *(int *)view = 0;
}

static void add(void *left, void *right) {
    *(int *)left += *(int *)right;
}

struct text {
    int length;
    char characters[256];
};

static void empty(void *view) {
    ((struct text *)view)->length = 0;
}

static void concatenate(void *left, void *right) {
    struct text *l = left, *r = right;
    memcpy(l->characters + l->length, r->characters, (size_t)r->length);
    l->length += r->length;
}

static void negative(void *view) {
    *(double *)view = -1;
}

static void greater(void *left, void *right) {
    double *l = left, *r = right;
    if (*r > *l) {
        *l = *r;
    }
}

static int cilk_reducer(zero, add) total = 0;
static struct text cilk_reducer(empty, concatenate) order;

static void visit(int from, int to) {
    if (to - from == 1) {
        total += from;
        order.characters[order.length++] = (char)('a' + from % 26);
        return;
    }
    cilk_spawn visit(from, (from + to) / 2);
    visit((from + to) / 2, to);
}

int main(void) {
    visit(0, 100);
    printf("%d %.*s\n", total, order.length, order.characters);

    double cilk_reducer(negative, greater) greatest = -1;
    int cilk_reducer(zero, add) odd = 5;
    cilk_for (int i = 0; i < 1000; i++) {
        double value = i * 37 % 1000 / 10.0;
        if (value > greatest) {
            greatest = value;
        }
        if (i % 2 != 0) {
            odd++;
        }
    }
    printf("%g %d\n", greatest, odd);
    return 0;
}

/* Output:
4950 abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuv
99.9 505
*/
