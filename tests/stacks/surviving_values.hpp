// SPDX-License-Identifier: MIT
// Values in registers that must survive while a flow is left, and a flow in between that spoils
// them.
#pragma once

#include <gtest/gtest.h>

namespace saguaro::test {

// Hides a value from the compiler, so that it must keep it across the calls that follow.
template <typename type>
type opaque(type value) {
    __asm__ __volatile__("" : "+r"(value));
    return value;
}

// Fills the registers that a callee preserves, so that the function which this is a part of must
// save them; on x86-64 those of floating point as well, which a callee need not preserve.
[[gnu::always_inline]] inline void spoil_registers() {
#if defined(__x86_64__)
    __asm__ __volatile__("pcmpeqd %%xmm0, %%xmm0\n\tpcmpeqd %%xmm1, %%xmm1\n\t"
                         "pcmpeqd %%xmm2, %%xmm2\n\tpcmpeqd %%xmm3, %%xmm3\n\t"
                         "pcmpeqd %%xmm4, %%xmm4\n\tpcmpeqd %%xmm5, %%xmm5\n\t"
                         "pcmpeqd %%xmm6, %%xmm6\n\tpcmpeqd %%xmm7, %%xmm7\n\t"
                         "pcmpeqd %%xmm8, %%xmm8\n\tpcmpeqd %%xmm9, %%xmm9\n\t"
                         "pcmpeqd %%xmm10, %%xmm10\n\tpcmpeqd %%xmm11, %%xmm11\n\t"
                         "pcmpeqd %%xmm12, %%xmm12\n\tpcmpeqd %%xmm13, %%xmm13\n\t"
                         "pcmpeqd %%xmm14, %%xmm14\n\tpcmpeqd %%xmm15, %%xmm15"
                         :
                         :
                         : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                           "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
    __asm__ __volatile__("mov $-1, %%rbx\n\tmov $-1, %%r12\n\tmov $-1, %%r13\n\t"
                         "mov $-1, %%r14\n\tmov $-1, %%r15"
                         :
                         :
                         : "rbx", "r12", "r13", "r14", "r15");
#elif defined(__aarch64__)
    __asm__ __volatile__("mov x19, #-1\n\tmov x20, #-1\n\tmov x21, #-1\n\tmov x22, #-1\n\t"
                         "mov x23, #-1\n\tmov x24, #-1\n\tmov x25, #-1\n\tmov x26, #-1\n\t"
                         "mov x27, #-1\n\tmov x28, #-1\n\tfmov d8, #1.0\n\tfmov d9, #1.0\n\t"
                         "fmov d10, #1.0\n\tfmov d11, #1.0\n\tfmov d12, #1.0\n\t"
                         "fmov d13, #1.0\n\tfmov d14, #1.0\n\tfmov d15, #1.0"
                         :
                         :
                         : "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
                           "d8", "d9", "d10", "d11", "d12", "d13", "d14", "d15");
#endif
}

// Ten integers and eight floating-point numbers that live across what `pass` does.
template <typename function>
void expect_values_survive(function pass) {
    const long a = opaque(1L), b = opaque(2L), c = opaque(3L), d = opaque(4L), e = opaque(5L);
    const long f = opaque(6L), g = opaque(7L), h = opaque(8L), i = opaque(9L), j = opaque(10L);
    double x[8];
    for (int k = 0; k < 8; ++k)
        x[k] = static_cast<double>(opaque(k)) + 0.5;
    const double p = x[0], q = x[1], r = x[2], s = x[3], t = x[4], u = x[5], v = x[6], w = x[7];
    pass();
    EXPECT_EQ(a, 1);
    EXPECT_EQ(b, 2);
    EXPECT_EQ(c, 3);
    EXPECT_EQ(d, 4);
    EXPECT_EQ(e, 5);
    EXPECT_EQ(f * 10000 + g * 1000 + h * 100 + i * 10 + j, 67900);
    EXPECT_EQ(p + q * 2 + r * 4 + s * 8 + t * 16 + u * 32 + v * 64 + w * 128, 1665.5);
}

} // namespace saguaro::test
