// SPDX-License-Identifier: MIT
// cilk_scope, and what ends where its statement ends: spawned blocks, other scopes, jumps, lines.
#include <cilk/cilk.h>
#include <stdio.h>
static int a[64];
static void f(int i) { __atomic_fetch_add(&a[i], i + 1, __ATOMIC_RELAXED); }
static int sum(void) { int s = 0; for (int i = 0; i < 64; i++) s += a[i] * (i + 1); return s; }
// ends with a jump
static void e1(void) { for (int i = 0; i < 9; i++) { cilk_scope if (i < 5) cilk_spawn f(i); else break; if (a[i] == 0) a[63]++; } }
static void e2(void) { for (int i = 0; i < 9; i++) { cilk_scope if (i < 5) { cilk_spawn f(i); } else continue; if (a[i] == 0) a[63]++; } }
static void e3(int n) { cilk_scope if (n) cilk_spawn f(n);
 else goto out;
 if (a[n] == 0) a[63]++;
out: f(9); }
static void e4(void) { for (int i = 0; i < 5; i++) cilk_scope cilk_scope if (i < 3) cilk_spawn f(i); else break;
 f(1); }
static void e5(void) { int n = 0; cilk_scope for (int i = 0; i < 9; i++)
   cilk_spawn { f(i); }
 f(10);
 cilk_scope
   while (n++ < 5) cilk_spawn { f(10); f(11); } }
static void e6(void) {
 cilk_scope do cilk_spawn { f(12); } while (0);
 cilk_scope if (a[12]) cilk_spawn { f(13); }
 else cilk_spawn { f(14); }
 cilk_scope switch (a[13]) { case 0: cilk_spawn { f(0); } break; default: cilk_spawn { f(15); }
 case 7: cilk_spawn f(16); }
 cilk_scope cilk_spawn { f(17); }
 cilk_scope cilk_scope cilk_spawn { f(18); }

 cilk_scope cilk_for (int i = 0; i < 5; i++) f(i);
 cilk_scope cilk_for (int i = 0; i < 5; i++) { f(i); }
 cilk_scope for (int i = 0; i < 3; i++) cilk_for (int j = 0; j < 4; j++) { f(i * j); }
 cilk_scope for (int i = 0; i < 3; i++) cilk_scope cilk_spawn { f(i); }
}
static int e7(int n) { cilk_scope for (int i = 0; i < n; i++) if (i == 3) return i; else cilk_spawn { f(i); }
 return 9; }
static void e8(void) { if (a[0]) cilk_scope cilk_spawn { f(20); }
 else cilk_scope cilk_spawn { f(21); }
 for (int i = 0; i < 3; i++) cilk_scope for (int j = 0; j < 3; j++) cilk_spawn { f(22 + i + j); }
 cilk_scope { cilk_spawn { f(30); }
 }
 cilk_scope { cilk_spawn { cilk_scope for (int i = 31; i < 34; i++) cilk_spawn { f(i); }
 } }
 L: cilk_scope cilk_spawn { f(35); }
 cilk_scope ;
 cilk_scope {}
 cilk_scope { cilk_scope {} }
 cilk_scope f(36);
 cilk_scope (f(36));
 cilk_scope a[37] = sum() > 0 ? 1 : 0;
}
#define EACH(i, n) cilk_scope for (int i = 0; i < n; i++) cilk_spawn
static void e9(void) { EACH(i, 4) { f(i + 38); }
 EACH(i, 4) f(i + 42);
 EACH(i, 2) EACH(j, 2) f(i + j + 42);
 EACH(i, 2) { EACH(j, 2) { f(i + j + 46); } }
}
int main(void) { e1(); e2(); e3(3); e3(0); e4(); e5(); e6(); int r = e7(2) + e7(5); e8(); e9();
  for (int i = 0; i < 64; i++) printf("%d ", a[i]);
  printf("%d %d\n", sum(), r); return 0; }

/* Output:
15 22 30 28 30 6 14 8 9 20 66 60 13 14 0 16 17 18 19 0 21 0 23 48 75 52 27 0 0 0 31 32 33 34 0 36 74 1 39 40 41 42 86 132 90 46 47 96 49 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 49767 12
*/
