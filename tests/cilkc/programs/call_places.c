// SPDX-License-Identifier: MIT
// options: -Wno-unused-value
// Spawning functions called wherever an expression may stand, and the forms of such calls.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct node { struct node *l, *r; int v; } node;
static long fib(int n) { if (n < 2) return n; long x = cilk_spawn fib(n - 1); long y = fib(n - 2); cilk_sync; return x + y; }
static void *build(int d) { if (d == 0) return NULL; node *n = (node *)malloc(sizeof *n); n->v = d; n->l = cilk_spawn build(d - 1); n->r = (node *)build(d - 1); cilk_sync; return (void *)n; }
static int count(node *n) { if (!n) return 0; int l = cilk_spawn count(n->l); int r = (int)((count)(n->r)); cilk_sync; return (int)(l + r + 1); }
static int depth(const node *n) { if (n == NULL) return (0); int l, r; l = cilk_spawn depth(n->l); (r = depth(n->r)); cilk_sync; return ((l > r ? l : r) + 1); }
static int del(node *n) { if (n) { cilk_spawn del(n->l); (void) del (n->r); cilk_sync; free(n); } return 0; }
static int w1(int n) { int k = 0; cilk_spawn fib(n); while ((k += (int)fib(3)), k < 20) (void)(fib(4)); cilk_sync; return k; }
static int w2(int n) { int k = 0; cilk_spawn fib(n); for (int i = (int)(fib(4)), j = (fib(5)); i < (int)(fib(6)); (i++), (void)(j += (fib(2)))) k += j, (void)fib(2), (k++); cilk_sync; return k; }
static int w3(int n) { int v[4] = { (fib(3)), fib(n), (int)fib(5) }; cilk_spawn fib(n); int u[2] = { [1] = (fib(n)) }; struct { long a, b; } s = { (fib(4)), .b = (long)(fib(n)) }; cilk_sync; return v[0] + v[1] + v[2] + u[1] + s.a + s.b; }
static int w4(int n) { cilk_spawn fib(n); if (n > 3) (fib(n)); else if (n > 2) ((void)fib(n)); else (void)0; switch (n) { case 1: case 5: (fib(n)); default: ((fib(n))); } cilk_sync; return !(fib(n)) + -(fib(n)) + ~(fib(n)) + (sizeof (fib(n))); }
static int w5(int n) { long (*p)(int) = n ? fib : fib; cilk_spawn (*p)(n); cilk_spawn (*fib)(n); (*fib)(n); ((*p)(n)); (&fib)(n); (void)(*fib)(n); (n ? fib : fib)(n); (p)(n); cilk_sync; return (*fib)(n) + ((&fib))(n); }
static int w6(int n) { cilk_spawn fib(n); ({ (fib(n)); (void)(fib(n)); 3; }); int k = ({ fib(n); }); (void)({ fib(n); }); cilk_sync; return k; }
static int w7(int n) { cilk_spawn fib(n); n > 3 && (fib(n)); n > 8 || (fib(n)); n > 3 ? (fib(n)) : (fib(2)); (void)(n > 3 ? (void)fib(n) : (void)0); (n > 2) ? (void)(n = (fib(n))) : (void)0; cilk_sync; return n; }
static int w8(int n) { int k; cilk_spawn fib(n); { (k = (n) = (fib(n))); } (k) = (fib(3)); ((k)) += (fib(3)); *(&k) = (int)fib(4) + k; cilk_sync; return (k); }
static void w9(int n, long *o) { cilk_spawn fib(n); (*o) = (fib(n)); (*(o)) = (long)((fib(n))); if (n > 2) { return (void)(fib(n)); } return w9(n + 1, (o)), (void)0; }
#define CALL(x) (x)
#define VOID(x) (void)(x)
#define CHECK(x) do { if (!(x)) abort(); } while (0)
static int w10(int n) { int k; cilk_spawn CALL(fib(n)); CALL(fib(n)); VOID(fib(n)); CALL(CALL(k = CALL(fib(n)))); CHECK(fib(n) > 0); VOID(k = fib(n)); cilk_sync; return CALL(k); }
static int w11(int n) { cilk_spawn fib(n); (/* a */ fib /* b */ (n) /* c */) /* d */ ; (
  fib(
   n)
  )
  ; (void)
 fib(n); // end
 (void) (
 fib (n)
 ); cilk_sync; return __LINE__; }
static int w12(int n) { _Complex double z = 1; cilk_spawn fib(n); z = (fib(n)); float f = (fib(n)); f *= (float)(fib(3)); unsigned char c = (fib(14)); char *p = (char *)(fib(3)); p = (void *)fib(5); enum { A, B } e = (fib(2)); cilk_sync; return (int)__real__ z + f + c + (long)p + e; }
int main(void) { node *t = (build(8)); int c = (count(t)), d = depth(t); (del(t)); long o = 0; (w9(1, &o));
 printf("%d %d %d %d %d %d %d %d %d %d %ld %d %d %d\n", c, d, w1(5), w2(4), w3(5), w4(5), w5(6), w6(6), w7(6), w8(5), o, w10(6), w11(4), w12(6)); return (0); }

/* Output:
255 8 20 40 25 -3 16 8 8 7 2 8 34 151
*/
