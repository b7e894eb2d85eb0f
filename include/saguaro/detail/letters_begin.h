/* SPDX-License-Identifier: MIT */
/* Sets aside a program's macros of one letter, such as the I of <complex.h>, for the headers that
 * use these names, up to letters_end.h. Included once by each of them: no guard. */

#pragma GCC system_header

#pragma push_macro("A")
#pragma push_macro("B")
#pragma push_macro("C")
#pragma push_macro("D")
#pragma push_macro("F")
#pragma push_macro("I")
#pragma push_macro("K")
#pragma push_macro("L")
#pragma push_macro("M")
#pragma push_macro("P")
#pragma push_macro("R")
#pragma push_macro("S")
#pragma push_macro("T")
#pragma push_macro("a")
#pragma push_macro("b")
#pragma push_macro("c")
#pragma push_macro("d")
#pragma push_macro("e")
#pragma push_macro("f")
#pragma push_macro("g")
#pragma push_macro("h")
#pragma push_macro("i")
#pragma push_macro("k")
#pragma push_macro("m")
#pragma push_macro("n")
#pragma push_macro("p")
#pragma push_macro("r")
#pragma push_macro("s")
#pragma push_macro("t")
#pragma push_macro("v")

#undef A
#undef B
#undef C
#undef D
#undef F
#undef I
#undef K
#undef L
#undef M
#undef P
#undef R
#undef S
#undef T
#undef a
#undef b
#undef c
#undef d
#undef e
#undef f
#undef g
#undef h
#undef i
#undef k
#undef m
#undef n
#undef p
#undef r
#undef s
#undef t
#undef v
