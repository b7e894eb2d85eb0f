// SPDX-License-Identifier: MIT
//
// The discrete Fourier transform of n complex numbers, n a power of two: the even and the odd half
// in parallel, then joined in a parallel loop.
#include "example.h"

#include <cilk/cilk.h>
#include <math.h>
#include <stdlib.h>

enum {
    // Up to this length a transform is serial: 32 KB, some tens of microseconds.
    leaf = 2048
};

struct number {
    double re;
    double im;
};

/// out[k] and out[k + half] from the transforms of both halves, which stand in out.
static void join(struct number *out, long half, long k, struct number root) {
    struct number even = out[k];
    struct number odd = out[k + half];
    struct number turned = {odd.re * root.re - odd.im * root.im,
                            odd.re * root.im + odd.im * root.re};
    out[k].re = even.re + turned.re;
    out[k].im = even.im + turned.im;
    out[k + half].re = even.re - turned.re;
    out[k + half].im = even.im - turned.im;
}

/// The transform of in[0], in[stride], ..., n of them, whose n * stride is the length of all.
/// roots[i] is e^(-2 pi i j / (n * stride)).
static void transform_serially(struct number *out, const struct number *in, long n, long stride,
                               const struct number *roots) {
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    long half = n / 2;
    transform_serially(out, in, half, 2 * stride, roots);
    transform_serially(out + half, in + stride, half, 2 * stride, roots);
    for (long k = 0; k < half; k++)
        join(out, half, k, roots[k * stride]);
}

static void transform(struct number *out, const struct number *in, long n, long stride,
                      const struct number *roots) {
    if (n <= leaf) {
        transform_serially(out, in, n, stride, roots);
        return;
    }
    long half = n / 2;
    cilk_spawn transform(out, in, half, 2 * stride, roots);
    transform(out + half, in + stride, half, 2 * stride, roots);
    cilk_sync;
    cilk_for(long k = 0; k < half; k++) {
        join(out, half, k, roots[k * stride]);
    }
}

/// Whether some of the numbers are what the definition says, and all together have the energy that
/// Parseval's theorem says.
static int is_right(const struct number *out, const struct number *in, const struct number *roots,
                    long n) {
    double energy_in = 0;
    double energy_out = 0;
    for (long i = 0; i < n; i++) {
        energy_in += in[i].re * in[i].re + in[i].im * in[i].im;
        energy_out += out[i].re * out[i].re + out[i].im * out[i].im;
    }
    int right = fabs(energy_out / (double)n - energy_in) <= 1e-10 * energy_in;
    uint64_t seed = 3;
    for (int probe = 0; probe < 8; probe++) {
        long k = (long)(example_random(&seed) % (uint64_t)n);
        struct number sum = {0, 0};
        for (long i = 0; i < n; i++) {
            long turn = (long)((uint64_t)i * (uint64_t)k % (uint64_t)n);
            struct number root = roots[turn < n / 2 || n == 1 ? turn : turn - n / 2];
            double sign = turn < n / 2 || n == 1 ? 1 : -1;
            sum.re += sign * (in[i].re * root.re - in[i].im * root.im);
            sum.im += sign * (in[i].re * root.im + in[i].im * root.re);
        }
        double error = hypot(sum.re - out[k].re, sum.im - out[k].im);
        right = right && error <= 1e-10 * sqrt((double)n * energy_in);
    }
    return right;
}

static const struct example program = {
    .name = "fft",
    .meaning = "The Fourier transform of random complex numbers",
    .size = {"N", "how many numbers; cut down to a power of two", 1 << 20, 1, 1 << 28},
    .options = {{"seed", "of the random numbers", 1, 0, INT32_MAX}},
};

int main(int argc, char *argv[]) {
    struct example_run run = example_begin(argc, argv, &program);
    long n = 1;
    while (2 * n <= run.size)
        n *= 2;
    struct number *in = example_memory((uint64_t)n, sizeof *in);
    struct number *out = example_memory((uint64_t)n, sizeof *out);
    struct number *roots = example_memory((uint64_t)n / 2 + 1, sizeof *roots);
    uint64_t seed = (uint64_t)run.options[0];
    for (long i = 0; i < n; i++) {
        in[i].re = 2 * example_random_double(&seed) - 1;
        in[i].im = 2 * example_random_double(&seed) - 1;
    }
    double turn = -2 * acos(-1.0) / (double)n;
    cilk_for(long i = 0; i <= n / 2; i++) {
        roots[i].re = cos(turn * (double)i);
        roots[i].im = sin(turn * (double)i);
    }
    double start = example_seconds();
    transform(out, in, n, 1, roots);
    double seconds = example_seconds() - start;
    int right = !run.check || is_right(out, in, roots, n);
    return example_end(&run, seconds, right, "%ld numbers, the sum of all is %.9f%+.9fi", n,
                       out[0].re, out[0].im);
}
