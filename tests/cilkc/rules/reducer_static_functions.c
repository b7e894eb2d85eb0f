// SPDX-License-Identifier: MIT
// error: 16:47: the functions of a static reducer are found before the program begins: they cannot depend on 'm'
// error: 18:43: the functions of a static reducer are found before the program begins: they cannot depend on 'adds'
struct monoid {
    void (*identity)(void *v);
    void (*reduce)(void *l, void *r);
};

void zero(void *v);
void add(void *l, void *r);

extern struct monoid sums[];

long f(const struct monoid *m) {
    static void (*adds)(void *l, void *r) = add;
    static long _Hyperobject(zero, m->reduce) one = 0;
    long _Hyperobject(m->identity, adds) two = 0;
    static long _Hyperobject(zero, *adds) three = 0;
    static long _Hyperobject(sums[0].identity, sums[0].reduce) four = 0;
    _Cilk_for (int i = 0; i < 10; i++)
        two += i;
    return one + two + three + four;
}
