// SPDX-License-Identifier: MIT
// A reducer of Cilk Plus with a monoid of its own: a list, in serial order.
#include <cilk/cilk.h>
#include <cilk/reducer.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct node {
    int value;
    struct node *next;
} node;

typedef struct list {
    node *first;
    node **end;
} list;

static void list_identity(void *reducer, void *view) {
    list *l = view;
    (void)reducer;
    l->first = NULL;
    l->end = NULL;
}

static void list_reduce(void *reducer, void *left, void *right) {
    list *l = left, *r = right;
    (void)reducer;
    if (r->first == NULL) {
        return;
    }
    if (l->first == NULL) {
        *l = *r;
    } else {
        *l->end = r->first;
        l->end = r->end;
    }
}

typedef CILK_C_DECLARE_REDUCER(list) list_reducer;

static list_reducer words = CILK_C_INIT_REDUCER(list, list_reduce, list_identity,
                                                __cilkrts_hyperobject_noop_destroy, {NULL, NULL});

static void append(int value) {
    list *l = &REDUCER_VIEW(words);
    node *n = malloc(sizeof *n);
    if (n == NULL) {
        exit(1);
    }
    n->value = value;
    n->next = NULL;
    if (l->first == NULL) {
        l->first = n;
    } else {
        *l->end = n;
    }
    l->end = &n->next;
}

static void visit(int from, int to) {
    if (to - from == 1) {
        append(from);
        return;
    }
    int middle = (from + to) / 2;
    cilk_spawn visit(from, middle);
    visit(middle, to);
    cilk_sync;
}

int main(void) {
    CILK_C_REGISTER_REDUCER(words);
    visit(0, 500);
    int expected = 0;
    for (node *n = words.value.first; n != NULL;) {
        node *next = n->next;
        expected += n->value == expected;
        free(n);
        n = next;
    }
    CILK_C_UNREGISTER_REDUCER(words);
    printf("%d in order\n", expected);
    return 0;
}

/* Output:
500 in order
*/
