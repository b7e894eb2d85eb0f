// SPDX-License-Identifier: MIT
// options: -std=c++98 -Wall -Wextra -Werror
// Cilk Plus's macros for C reducers in C++.
#include <cilk/cilk.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <cstdio>
#include <unistd.h>

enum { n = 64 };

static CILK_C_REDUCER_OPADD(total, longlong, 1);

static int value(int i) {
    usleep(100);
    return (i * 37 + 5) % 101;
}

static void operators(int first) {
    CILK_C_REDUCER_OPADD(sum, double, first);
    CILK_C_REDUCER_OPMUL(product, uint, first);
    CILK_C_REDUCER_OPAND(all, uchar, 0xFF);
    CILK_C_REDUCER_OPOR(any, ushort, first);
    CILK_C_REDUCER_OPXOR(odd, unsigned, first);
    CILK_C_REGISTER_REDUCER(sum);
    CILK_C_REGISTER_REDUCER(product);
    CILK_C_REGISTER_REDUCER(all);
    CILK_C_REGISTER_REDUCER(any);
    CILK_C_REGISTER_REDUCER(odd);
    CILK_C_REGISTER_REDUCER(total);
    cilk_for (int i = 0; i < n; i++) {
        const int x = value(i);
        REDUCER_VIEW(sum) += 0.5 * x;
        REDUCER_VIEW(product) *= 2u * static_cast<unsigned>(x) + 1;
        REDUCER_VIEW(all) &= static_cast<unsigned char>(x | 0x11);
        REDUCER_VIEW(any) |= static_cast<unsigned short>(x);
        REDUCER_VIEW(odd) ^= static_cast<unsigned>(x);
        REDUCER_VIEW(total) += x;
    }
    CILK_C_UNREGISTER_REDUCER(sum);
    CILK_C_UNREGISTER_REDUCER(product);
    CILK_C_UNREGISTER_REDUCER(all);
    CILK_C_UNREGISTER_REDUCER(any);
    CILK_C_UNREGISTER_REDUCER(odd);
    CILK_C_UNREGISTER_REDUCER(total);
    std::printf("%g %u %d %d %u %lld\n", sum.value, product.value, all.value, any.value, odd.value,
                total.value);
}

static void extremes(long first) {
    CILK_C_REDUCER_MAX(greatest, long, first);
    CILK_C_REDUCER_MIN(least, float, static_cast<float>(first));
    CILK_C_REDUCER_MAX_INDEX(greatest_at, int, first);
    CILK_C_REDUCER_MIN_INDEX_TYPE(double) least_at = CILK_C_INIT_REDUCER(
        double, cilk_c_reducer_min_index_double_reduce, cilk_c_reducer_min_index_double_identity,
        __cilkrts_hyperobject_noop_destroy, {0, 1000.0, 0});
    CILK_C_REGISTER_REDUCER(greatest);
    CILK_C_REGISTER_REDUCER(least);
    CILK_C_REGISTER_REDUCER(greatest_at);
    CILK_C_REGISTER_REDUCER(least_at);
    cilk_for (int i = 0; i < n; i++) {
        CILK_C_REDUCER_MAX_CALC(greatest, value(i));
        CILK_C_REDUCER_MIN_CALC(least, static_cast<float>(value(i)));
        CILK_C_REDUCER_MAX_INDEX_CALC(greatest_at, i, value(i));
        CILK_C_REDUCER_MIN_INDEX_CALC(least_at, i, value(i));
    }
    std::printf("%ld %g %d at %d %g at %d\n", REDUCER_VIEW(greatest), double(REDUCER_VIEW(least)),
                REDUCER_VIEW(greatest_at).value, int(REDUCER_VIEW(greatest_at).index),
                REDUCER_VIEW(least_at).value, int(REDUCER_VIEW(least_at).index));
    CILK_C_UNREGISTER_REDUCER(greatest);
    CILK_C_UNREGISTER_REDUCER(least);
    CILK_C_UNREGISTER_REDUCER(greatest_at);
    CILK_C_UNREGISTER_REDUCER(least_at);
}

// The views of a monoid of one's own have an end.
struct digits {
    char *text;
    int length;
};
static void empty(void *, void *view) {
    digits *const d = static_cast<digits *>(view);
    d->text = new char[n + 1];
    d->length = 0;
}
static void append(void *, void *left, void *right) {
    digits *const l = static_cast<digits *>(left);
    const digits *const r = static_cast<digits *>(right);
    for (int i = 0; i < r->length; i++)
        l->text[l->length++] = r->text[i];
}
static void release(void *, void *view) {
    delete[] static_cast<digits *>(view)->text;
}

static void own() {
    typedef CILK_C_DECLARE_REDUCER(digits) reducer;
    char room[n + 1];
    reducer all = CILK_C_INIT_REDUCER(digits, append, empty, release, {room, 0});
    CILK_C_REGISTER_REDUCER(all);
    cilk_for (int i = 0; i < n; i++) {
        digits &d = REDUCER_VIEW(all);
        d.text[d.length++] = static_cast<char>('0' + value(i) % 10);
    }
    CILK_C_UNREGISTER_REDUCER(all);
    std::printf("%.*s\n", all.value.length, room);
}

int main() {
    operators(1);
    extremes(3);
    own();
}

/* Output:
1551.5 1684660035 17 127 116 3102
99 0 99 at 8 0 at 49
5295295295285285285185185185184184184184174174174074074074073073
*/
