// SPDX-License-Identifier: MIT
// Elements of vectors, also in templates, and parts of complex numbers, as destinations.
#include <cilk/cilk.h>
#include <cstdio>
typedef float floats __attribute__((vector_size(16)));
typedef int ints __attribute__((vector_size(32)));
struct holder { char first; ints v; };
static ints global;
static int twice(int n) { return 2 * n; }
static void fill(holder *p, ints *vectors, int i) {
    p->v[i] = cilk_spawn twice(12);
    vectors[1][i++] = cilk_spawn twice(3);
    (*vectors)[i] = cilk_spawn twice(5);
    p->v[7] = cilk_spawn twice(8);
    twice(3);
    cilk_sync;
}
// What they are depends on the arguments: elements of vectors, arrays, or what an operator returns.
struct bits { unsigned at : 3; };
struct half { int *at; void operator=(int n) { *at = n / 2; } };
struct halves { int all[8]; int shift; half operator[](int i) { return {&all[i + shift]}; } };
template <class A>
static void assign(A &a, bits where, int i) {
    a[where.at] = cilk_spawn twice(21);
    a[i++] = cilk_spawn twice(22);
    a[(i++, i)] = cilk_spawn twice(23);
    twice(i);
    cilk_sync;
}
template <class T>
struct keeper {
    T own; T several[2];
    void fill(T *pointer, int i) {
        own[0] = cilk_spawn twice(31);
        several[1][i] = cilk_spawn twice(32);
        pointer->operator[](i) = cilk_spawn twice(33);
        (*pointer)[i + 1] = cilk_spawn twice(34);
        cilk_sync;
    }
};
template <class T>
static T same(T n) { return n; }
template <class T, class V>
static void from_members(V &v, holder *p, T last) {
    v[0] = cilk_spawn same<T>(p->first);
    v[p->first] = cilk_spawn same(last);
    twice(1);
    cilk_sync;
}
template <>
void keeper<ints>::fill(ints *pointer, int i) {
    (*pointer)[i] = cilk_spawn twice(35);
    cilk_sync;
}
template <class T>
static void of_a_type() {
    typedef T vector __attribute__((vector_size(4 * sizeof(T))));
    vector v = {};
    v[1] = cilk_spawn twice(41);
    v[3] = cilk_spawn twice(42);
    twice(3);
    cilk_sync;
    std::printf("%g %g\n", static_cast<double>(v[1]), static_cast<double>(v[3]));
}
static void in_templates() {
    ints v = {}; int array[8] = {}; int *pointer = array + 1; halves h = {{}, 1};
    assign(v, {7}, 1);
    std::printf("%d %d %d\n", v[7], v[1], v[3]);
    assign(array, {7}, 1);
    std::printf("%d %d %d\n", array[7], array[1], array[3]);
    assign(pointer, {6}, 0);
    std::printf("%d %d %d\n", array[7], array[1], array[3]);
    assign(h, {6}, 0);
    std::printf("%d %d %d\n", h.all[7], h.all[1], h.all[3]);
    keeper<halves> kept = {}; halves shown = {};
    kept.fill(&shown, 3);
    std::printf("%d %d %d %d\n", kept.own.all[0], kept.several[1].all[3], shown.all[3],
                shown.all[4]);
    keeper<ints> vectors = {};
    vectors.fill(&v, 5);
    std::printf("%d\n", v[5]);
    holder third = {3, {}};
    from_members(v, &third, 9);
    from_members(array, &third, 9L);
    std::printf("%d %d %d %d\n", v[0], v[3], array[0], array[3]);
    of_a_type<short>();
    of_a_type<double>();
}
int main() {
    floats v = {0}; holder own = {}, shown = {}; ints vectors[2] = {};
    _Complex double z = 0;
    v[2] = cilk_spawn twice(9);
    v[0] = cilk_spawn twice(7);
    own.v[1] = cilk_spawn twice(10);
    global[3] = cilk_spawn twice(13);
    __real__ z = cilk_spawn twice(6);
    __imag__ z = cilk_spawn twice(7);
    fill(&shown, vectors, 0);
    cilk_sync;
    std::printf("%g %g %d %d %g %g\n", v[0], v[2], own.v[1], global[3], __real__ z, __imag__ z);
    std::printf("%d %d %d %d\n", shown.v[0], vectors[1][0], vectors[0][1], shown.v[7]);
    in_templates();
    return 0;
}

/* Output:
14 18 20 26 12 14
24 6 10 16
42 44 46
42 44 46
42 44 46
21 22 23
31 32 33 34
70
3 9 3 9
82 84
82 84
*/
