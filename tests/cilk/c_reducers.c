// SPDX-License-Identifier: MIT
// Cilk Plus reducers declared by their macros, with the steps that a test calls.
#include "c_reducers.h"

#include <cilk/reducer.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opmul.h>

#include <string.h>

struct text {
    char letters[256];
    _Alignas(64) int length;
};

static void text_identity(void *reducer, void *view) {
    (void)reducer;
    ((struct text *)view)->length = 0;
}

static void text_reduce(void *reducer, void *left, void *right) {
    struct text *l = left, *r = right;
    (void)reducer;
    memcpy(l->letters + l->length, r->letters, (size_t)r->length);
    l->length += r->length;
}

static CILK_C_REDUCER_OPADD(sum, long, 1000);
static CILK_C_REDUCER_OPADD(forgotten, long, 7); // is never registered
static CILK_C_REDUCER_OPMUL(product, double, 1);
static CILK_C_REDUCER_MAX(greatest, int, -1);
static CILK_C_REDUCER_MAX_INDEX(at, int, -1);
static CILK_C_DECLARE_REDUCER(struct text) text = CILK_C_INIT_REDUCER(
    struct text, text_reduce, text_identity, __cilkrts_hyperobject_noop_destroy, {.length = 0});

void c_reducers_begin(void) {
    REDUCER_VIEW(sum) += 1; // of a plain variable
    CILK_C_REGISTER_REDUCER(sum);
    CILK_C_REGISTER_REDUCER(product);
    CILK_C_REGISTER_REDUCER(greatest);
    CILK_C_REGISTER_REDUCER(at);
    CILK_C_REGISTER_REDUCER(text);
}

void c_reducers_step(int i, int value) {
    REDUCER_VIEW(sum) += i;
    REDUCER_VIEW(product) *= 1 + 1.0 / (i + 1);
    CILK_C_REDUCER_MAX_CALC(greatest, value);
    CILK_C_REDUCER_MAX_INDEX_CALC(at, i, value);
    struct text *t = &REDUCER_VIEW(text);
    t->letters[t->length++] = (char)('a' + i % 26);
}

long *c_reducers_forgotten(void) {
    return &REDUCER_VIEW(forgotten);
}

void c_reducers_end(long *sum_is, double *product_is, int *greatest_is, long *at_is,
                    char *text_is) {
    *sum_is = sum.value; // synced: where the variable is, unregistered or not
    CILK_C_UNREGISTER_REDUCER(sum);
    *product_is = product.value;
    CILK_C_UNREGISTER_REDUCER(product);
    CILK_C_UNREGISTER_REDUCER(greatest);
    *greatest_is = REDUCER_VIEW(greatest);
    CILK_C_UNREGISTER_REDUCER(at);
    *at_is = (long)at.value.index;
    CILK_C_UNREGISTER_REDUCER(text);
    memcpy(text_is, text.value.letters, (size_t)text.value.length);
    text_is[text.value.length] = '\0';
    sum.value = 1000;
    product.value = 1;
    greatest.value = -1;
    at.value.value = -1;
    text.value.length = 0;
}
