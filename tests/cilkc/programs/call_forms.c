// SPDX-License-Identifier: MIT
// Calls of spawning functions in parentheses, behind casts, and as parts of larger expressions.
#include <cilk/cilk.h>
#include <stdio.h>
static long a[64];
static long fib(int n) { if (n < 2) return n; long x = cilk_spawn fib(n - 1); long y = fib(n - 2); cilk_sync; return x + y; }
static void set(int i, int n) { if (n == 0) { __atomic_fetch_add(&a[i], 1, __ATOMIC_RELAXED); return; } cilk_spawn set(i, n - 1); set(i, n - 1); cilk_sync; }
struct pair { long u, v; };
static struct pair both(int n) { struct pair p; p.u = cilk_spawn fib(n); p.v = fib(n - 1); cilk_sync; return p; }
static void s1(int i) { cilk_spawn set(i, 2); (set(i, 3)); cilk_sync; }
static void s2(int i) { cilk_spawn set(i, 2); ((set)(i, 3)); cilk_sync; }
static void s3(int i) { cilk_spawn set(i, 2); (void)(set)(i, 3); cilk_sync; }
static void s4(int i) { cilk_spawn set(i, 2); (void)((void)(set(i, 3))); cilk_sync; }
static void s5(int i) { cilk_spawn set(i, 2); return (set(i, 3)); }
static void s6(int i) { cilk_spawn set(i, 2); return (void)set(i, 3); }
static void s7(int i) { cilk_spawn set(i, 2); set(i + 1, 1), set(i, 3); (set(i + 1, 1), set(i, 3)); (void)(set(i, 1), 0); cilk_sync; }
static void s8(int i) { cilk_spawn set(i, 2); i > 3 ? set(i, 3) : set(i, 4); (i > 3 ? (void)set(i, 1) : (void)(0)); cilk_sync; }
static void s9(int i) { cilk_spawn set(i, 2); for ((set(i, 2)); i < 100; (set(i, 1)), i += 60) (set(i, 1)); cilk_sync; }
static long t1(int n) { long y; cilk_spawn set(20, n); y = (fib(n)); y += (fib(n)); (y -= (fib(n - 1))); (void)(y += fib(2)); cilk_sync; return (y); }
static long t2(int n) { cilk_spawn set(21, n); int y = (int)fib(n); unsigned char z = (unsigned char)(fib(n + 3)); y = (int)(fib(n)) + y; a[22] = (int)fib(5); a[22] += (char)fib(6); cilk_sync; return (long)(fib(z % 9)) + y; }
static long t3(int n) { cilk_spawn set(23, n); if ((fib(n))) (set(24, 2)); else (set(25, 2)); if (fib(n) > 3) ((set(24, 3))); while ((fib(n--)) > 2) (void)fib(n); do (set(26, 1)); while ((fib(n--)) > 1); switch ((int)fib(n)) { case 1: (set(27, 2)); break; case 0: (void)set(28, 3); break; default: ((fib)(3)); } cilk_sync; return (fib(n > 0 ? n : 5)); }
static long t4(int n) { long x; (x = cilk_spawn fib(n)); long y; ((y = (fib(n)))); cilk_sync; (cilk_spawn fib(n)); ((void)cilk_spawn set(30, 3));  (cilk_spawn (set)(30, 2)); ((set(30, 1))); cilk_sync; return x + y; }
static long t5(int n) { struct pair p; cilk_spawn set(31, n); p = (both(n)); (both(n)); (void)both(n); struct pair q = ((both(n - 1))); (p.u += (both(n)).v); long k = (both(n)).u; cilk_sync; return p.u + q.v + k; }
static long t6(int n) { cilk_spawn set(32, n); long *w = &a[33]; (*w++ = (fib(n))); (w[0] = fib(n + 1)); __extension__ fib(3); __extension__ (fib(3)); (long)fib(4); (int)(long)(fib(4)); cilk_sync; return *w; }
static long t7(int n) { long v = 1; cilk_spawn set(36, n); L: (set(36, 1)); M: ((void)(fib(n))); if (n-- > 3) goto L; if (n-- > 1) goto M; cilk_sync; return v; }
static long t8(int n) { long v[n + 1]; cilk_spawn set(37, n); (v[n] = (fib(n))); (void)(v[0] = fib(n)); (v[0]++, (void)fib(n)); cilk_sync; return v[n] + v[0]; }
int main(void) {
  s1(1); s2(2); s3(3); s4(4); s5(5); s6(6); s7(7); s8(9); s8(1); s9(10);
  long r[] = {t1(6), t2(7), t3(6), t4(8), t5(7), t6(6), t7(7), t8(5)};
  for (int i = 0; i < 8; i++) printf("%ld%c", r[i], i < 7 ? ' ' : '\n');
  for (int i = 0; i < 64; i++) printf("%ld%c", a[i], i < 63 ? ' ' : '\n'); return 0; }

/* Output:
12 27 1 42 39 13 1 11
0 32 12 12 12 12 12 22 4 14 12 0 0 0 0 0 0 0 0 0 64 128 13 64 12 0 2 4 0 0 14 128 64 8 13 0 138 32 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
*/
