// SPDX-License-Identifier: MIT
// options: -Wno-unused-value
// cilk_scope and spawned statements in every kind of statement, and within each other.
#include <cilk/cilk.h>
#include <stdio.h>
static int a[64];
static void f(int i) { __atomic_fetch_add(&a[i], i + 1, __ATOMIC_RELAXED); }
static int g(int i) { if (i < 2) return i; int x = cilk_spawn g(i - 1); int y = g(i - 2); cilk_sync; return x + y; }
static int s1(int n) { cilk_scope { int x = cilk_spawn g(n); int y = g(n); cilk_sync; f(x + y); } cilk_scope return g(n); }
static int s2(int n) { cilk_scope { cilk_spawn f(n); return (g(n)); } }
static void s3(int n) { for (;;) cilk_scope { if (n-- == 0) return; cilk_spawn f(n); if (n == 3) continue; if (n == 1) break; f(n); } f(60); }
static int s4(int n) { int r = 0; cilk_scope { r = cilk_spawn g(n); } return r; }
static int s5(int n) { int r[4]; cilk_scope for (int i = 0; i < 4; i++) r[i] = cilk_spawn g(n + i); int t = 0; for (int i = 0; i < 4; i++) t += r[i]; return t; }
static int s6(int n) { int r = 0, q = 0; cilk_scope { cilk_scope { cilk_spawn { r = g(n); } q = g(n); } r += q; cilk_spawn { r *= 2; } } return r; }
static int s7(int n) { again: cilk_scope { cilk_spawn f(n); if (n-- > 3) goto again; } if (n) cilk_scope { cilk_spawn f(n); goto end; } else cilk_scope { cilk_spawn f(40); } end: return n; }
static int s8(int n) { switch (n) cilk_scope { case 1: cilk_spawn f(1); break; case 2: cilk_spawn f(2); default: f(3); } return n; }
static int s9(int n) { switch (n) { case 1: cilk_scope { cilk_spawn f(5); break; } case 2: cilk_scope cilk_spawn f(6); break; default: cilk_scope { cilk_spawn { f(7); } } } return n; }
static void s10(int n) { cilk_for (int i = 0; i < n; i++) cilk_scope { cilk_spawn f(i); f(i); } cilk_for (int i = 0; i < n; i++) { cilk_scope for (int j = 0; j < 2; j++) cilk_spawn { f(i + j); } } }
static void s11(int n) { cilk_spawn { cilk_scope { cilk_spawn f(n); f(n); } f(n + 1); } cilk_spawn cilk_scope { cilk_spawn f(n); f(n); } cilk_sync; }
static int s12(int n) { do cilk_scope { cilk_spawn f(n); n--; } while (n > 4); do cilk_scope cilk_spawn f(n); while (n-- > 3); while (n-- > 0) cilk_scope cilk_spawn { f(n); } return n; }
static int s13(int n) { cilk_scope if (n > 3) cilk_scope { cilk_spawn f(n); } else cilk_scope { cilk_spawn f(2); } cilk_scope if (n) { if (n > 1) cilk_spawn { f(1); } else cilk_spawn { f(4); } } return n; }
static int s14(int n) { int v[n]; cilk_scope { int w[n]; for (int i = 0; i < n; i++) cilk_spawn { w[i] = g(i); v[i] = i; } cilk_sync; for (int i = 0; i < n; i++) v[i] += w[i]; } int t = 0; for (int i = 0; i < n; i++) t += v[i]; return t; }
static int s15(int n) { int t = 0; cilk_scope { int n = 4; cilk_spawn f(n); t += n; cilk_scope { int n = 5; cilk_spawn f(n); t += n; } } return t + n; }
static int s16(int n) { int dummy = 0; cilk_scope { cilk_spawn f(n); };
 cilk_scope { cilk_spawn f(n); } ; if (n) { cilk_scope {}; } else { cilk_scope ; } return dummy; }
static int s17(int n) { cilk_scope { f(1); cilk_sync; cilk_spawn f(2); cilk_sync; } cilk_scope { cilk_sync; } return n; }
static int s18(int n) { const char *s = __func__; cilk_scope { cilk_spawn { if (__func__[0] != 's') f(63); } } static int k; cilk_scope { static int k = 3; cilk_spawn { k++; } cilk_sync; n += k; } return n + k + s[1]; }
static int s19(int n) { cilk_spawn cilk_scope f(n); cilk_spawn cilk_spawn f(n); cilk_sync; cilk_spawn (void)(n = g(5)); cilk_sync; cilk_spawn (void)(f(1), f(2)); cilk_spawn (long)(g)(1); cilk_sync; (void)(cilk_spawn f(3)); (int)cilk_spawn g(2); (void)(n += cilk_spawn g(3)); cilk_sync; return n; }
static int s20(int n) { cilk_for (int i = 0; i < 3; i++) { if (__func__[1] != '2' || sizeof __func__ != 4) f(62); } cilk_spawn { cilk_for (int i = 0; i < 3; i++) if (__FUNCTION__[2] != '0') f(61); } return n; }
int main(void) { cilk_scope { printf("%d %d ", s1(4), s2(5)); s3(7); } int r[] = {s4(5), s5(4), s6(5), s7(6), s8(1) + s8(2) + s8(3), s9(1) + s9(2) + s9(3)}; s10(9); s11(9);
 int q[] = {s12(6), s13(5), s13(1), s14(7), s15(6), s16(5), s17(4), s18(9), s19(4), s20(1)};
 for (int i = 0; i < 6; i++) printf("%d ", r[i]); for (int i = 0; i < 10; i++) printf("%d ", q[i]); for (int i = 0; i < 64; i++) printf("%d%c", a[i], i < 63 ? ' ' : '\n');
 cilk_scope return 0; }

/* Output:
3 5 5 29 20 2 6 6 -1 5 1 41 15 0 4 62 7 1 4 20 33 40 60 84 70 40 36 50 11 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 61 0 0 0
*/
