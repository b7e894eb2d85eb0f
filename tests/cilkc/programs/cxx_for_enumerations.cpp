// SPDX-License-Identifier: MIT
// Loops over enumerations, which count as integers do: with operators of their own, with and without
// a scope or a type, in templates.
#include <cilk/cilk.h>

#include <cstdio>

enum color { red, green, blue, colors };
inline color &operator++(color &c) {
    return c = static_cast<color>(c + 1);
}
inline color operator--(color &c, int) {
    const color before = c;
    c = static_cast<color>(c - 1);
    return before;
}
inline color &operator+=(color &c, int by) {
    return c = static_cast<color>(c + by);
}

enum class shade : signed char { dark = -2, dim, middle, bright, end };
inline shade &operator++(shade &s) {
    return s = static_cast<shade>(static_cast<int>(s) + 1);
}
inline shade &operator-=(shade &s, long by) {
    return s = static_cast<shade>(static_cast<long>(s) - by);
}

namespace far {
enum class huge : unsigned long { least = 1ul << 63, end = least + 5 };
inline huge operator++(huge &h, int) {
    const huge before = h;
    h = static_cast<huge>(static_cast<unsigned long>(h) + 1);
    return before;
}
} // namespace far

static int seen[8];

static void print() {
    for (int &one : seen) {
        std::printf("%d ", one);
        one = 0;
    }
    std::printf("\n");
}

template <class E>
static void each(E first, E last) {
    cilk_for (E e = first; e < last; ++e)
        seen[static_cast<int>(e) - static_cast<int>(first)]++;
    cilk_for (auto e = first; e <= last; ++e)
        seen[static_cast<int>(e) - static_cast<int>(first)]++;
}

int main() {
    cilk_for (color c = red; c < colors; ++c)
        seen[c]++;
    cilk_for (color c = red; colors != c; c += 1)
        seen[c] += 10;
    cilk_for (color c = blue; c >= green - 0; c--)
        seen[c] += 100;
    cilk_for (color c = colors; c > red; c--)
        seen[c] += 1000;
    print();
    cilk_for (shade s = shade::dark; s != shade::end; ++s)
        seen[static_cast<int>(s) + 2]++;
    cilk_for (shade s = shade::end; s >= shade::dark; s -= 2)
        seen[static_cast<int>(s) + 2] += 10;
    print();
    cilk_for (far::huge h = far::huge::least; h < far::huge::end; h++)
        seen[static_cast<unsigned long>(h) - (1ul << 63)]++;
    print();
    each(red, blue);
    each(shade::dark, shade::bright);
    print();
    return 0;
}

/* Output:
11 1111 1111 1000 0 0 0 0 
11 1 11 1 10 0 0 0 
1 1 1 1 1 0 0 0 
4 4 3 1 0 0 0 0 
*/
