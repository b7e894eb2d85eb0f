// SPDX-License-Identifier: MIT
// Cilk Plus's reducers of simple operations.
#include <cilk/cilk.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <stdio.h>

static CILK_C_REDUCER_OPADD(all, long, 0);

static void visit(int n) {
    if (n < 2) {
        REDUCER_VIEW(all) += n;
        return;
    }
    cilk_spawn visit(n - 1);
    visit(n - 2);
    cilk_sync;
}

int main(void) {
    CILK_C_REGISTER_REDUCER(all);
    visit(16);
    printf("%ld\n", all.value);
    CILK_C_UNREGISTER_REDUCER(all);

    CILK_C_REDUCER_OPADD(sum, double, 0.5);
    CILK_C_REDUCER_OPMUL(product, uint, 1);
    CILK_C_REDUCER_OPAND(common, uint, 0xffff);
    CILK_C_REDUCER_OPOR(any, ulong, 0);
    CILK_C_REDUCER_OPXOR(parity, int, 0);
    CILK_C_REDUCER_MAX(greatest, int, -5);
    CILK_C_REDUCER_MIN(least, long, 5000);
    CILK_C_REDUCER_MAX_INDEX(at, int, -1);
    CILK_C_REGISTER_REDUCER(sum);
    CILK_C_REGISTER_REDUCER(product);
    CILK_C_REGISTER_REDUCER(common);
    CILK_C_REGISTER_REDUCER(any);
    CILK_C_REGISTER_REDUCER(parity);
    CILK_C_REGISTER_REDUCER(greatest);
    CILK_C_REGISTER_REDUCER(least);
    CILK_C_REGISTER_REDUCER(at);
    cilk_for (int i = 1; i <= 500; i++) {
        int value = i * 77 % 501;
        REDUCER_VIEW(sum) += i;
        REDUCER_VIEW(product) *= (unsigned)(2 * i + 1);
        REDUCER_VIEW(common) &= (unsigned)i | 0xf0;
        REDUCER_VIEW(any) |= (unsigned long)i << 8;
        REDUCER_VIEW(parity) ^= i;
        CILK_C_REDUCER_MAX_CALC(greatest, value);
        CILK_C_REDUCER_MIN_CALC(least, value);
        CILK_C_REDUCER_MAX_INDEX_CALC(at, i, value);
    }
    printf("%g %u %x %lx %d %d %ld\n", sum.value, product.value, common.value, any.value,
           parity.value, greatest.value, least.value);
    printf("%d at %d\n", REDUCER_VIEW(at).value, (int)REDUCER_VIEW(at).index);
    CILK_C_UNREGISTER_REDUCER(at);
    CILK_C_UNREGISTER_REDUCER(least);
    CILK_C_UNREGISTER_REDUCER(greatest);
    CILK_C_UNREGISTER_REDUCER(parity);
    CILK_C_UNREGISTER_REDUCER(any);
    CILK_C_UNREGISTER_REDUCER(common);
    CILK_C_UNREGISTER_REDUCER(product);
    CILK_C_UNREGISTER_REDUCER(sum);
    return 0;
}

/* Output:
987
125250 603454833 f0 1ff00 500 500 1
500 at 13
*/
