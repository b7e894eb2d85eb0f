// SPDX-License-Identifier: MIT
// Strassen's product in Winograd's form: seven products of quadrants a level, which need memory for
// eleven more quadrants, and fifteen additions, which only move memory.
#pragma once

#include "blas.hpp"
#include "runtimes.hpp"
#include "tiles.hpp"

namespace saguaro::numa_examples {

/// One level: the quadrants, each of which is one piece of `size` doubles.
class strassen_level {
public:
    strassen_level(double *c, const double *a, const double *b, std::size_t size, variant where)
        : c_(c), a_(a), b_(b), size_(size), memory_(11 * size, where) {}

    /// What the products are made of: s and t in Winograd's names.
    template <typename runtime>
    void begin() const {
        const double *const a11 = a_, *const a12 = a_ + size_, *const a21 = a_ + 2 * size_,
                            *const a22 = a_ + 3 * size_;
        const double *const b11 = b_, *const b12 = b_ + size_, *const b21 = b_ + 2 * size_,
                            *const b22 = b_ + 3 * size_;
        double *const s1 = s(1), *const s2 = s(2), *const s3 = s(3), *const s4 = s(4);
        double *const t1 = t(1), *const t2 = t(2), *const t3 = t(3), *const t4 = t(4);
        for_pieces<runtime>(0, size_, grain, [=](std::size_t first, std::size_t last) {
            touch(first, last - first, a11, a12, a21, a22, b11, b12, b21, b22);
            touch(first, last - first, s1, s2, s3, s4, t1, t2, t3, t4);
            for (std::size_t i = first; i < last; ++i) {
                s1[i] = a21[i] + a22[i];
                s2[i] = s1[i] - a11[i];
                s3[i] = a11[i] - a21[i];
                s4[i] = a12[i] - s2[i];
                t1[i] = b12[i] - b11[i];
                t2[i] = b22[i] - t1[i];
                t3[i] = b22[i] - b12[i];
                t4[i] = t2[i] - b21[i];
            }
        });
    }

    struct factors {
        double *product;
        const double *left;
        const double *right;
    };

    /// Product 1 to 7. Four are put where the quadrants of c will be.
    factors product(int number) const {
        const double *const a22 = a_ + 3 * size_, *const b22 = b_ + 3 * size_;
        switch (number) {
        case 1:
            return {extra(0), a_, b_};
        case 2:
            return {c_, a_ + size_, b_ + 2 * size_};
        case 3:
            return {c_ + size_, s(4), b22};
        case 4:
            return {c_ + 2 * size_, a22, t(4)};
        case 5:
            return {extra(1), s(1), t(1)};
        case 6:
            return {extra(2), s(2), t(2)};
        default:
            return {c_ + 3 * size_, s(3), t(3)};
        }
    }

    /// Adds the products up.
    template <typename runtime>
    void end() const {
        const double *const p1 = extra(0), *const p5 = extra(1), *const p6 = extra(2);
        double *const c11 = c_, *const c12 = c_ + size_, *const c21 = c_ + 2 * size_,
                      *const c22 = c_ + 3 * size_;
        for_pieces<runtime>(0, size_, grain, [=](std::size_t first, std::size_t last) {
            touch(first, last - first, p1, p5, p6, c11, c12, c21, c22);
            for (std::size_t i = first; i < last; ++i) {
                const double u2 = p1[i] + p6[i];
                const double u3 = u2 + c22[i];
                c11[i] += p1[i];
                c12[i] += u2 + p5[i];
                c21[i] = u3 - c21[i];
                c22[i] = u3 + p5[i];
            }
        });
    }

private:
    static constexpr std::size_t grain = 8192; // 64 KB of each array

    double *s(std::size_t number) const { return memory_.get() + (number - 1) * size_; }
    double *t(std::size_t number) const { return memory_.get() + (number + 3) * size_; }
    double *extra(std::size_t number) const { return memory_.get() + (number + 8) * size_; }

    double *c_;
    const double *a_;
    const double *b_;
    std::size_t size_;
    temporary memory_;
};

/// c = a * b, each of 2^depth x 2^depth tiles, in quadrants of quadrants (tiles.hpp).
template <typename runtime>
void strassen(double *c, const double *a, const double *b, unsigned depth, std::size_t tile_side,
              variant where) {
    if (depth == 0) {
        touch(0, tile_side * tile_side, a, b, c);
        return multiply(c, a, b, tile_side, 0);
    }
    const std::size_t quadrant = (tile_side * tile_side) << (2 * (depth - 1));
    const strassen_level level(c, a, b, quadrant, where);
    level.begin<runtime>();
    const auto product = [&](int number) {
        const auto [p, left, right] = level.product(number);
        strassen<runtime>(p, left, right, depth - 1, tile_side, where);
    };
    runtime::invoke([&] { product(1); }, [&] { product(2); }, [&] { product(3); },
                    [&] { product(4); }, [&] { product(5); }, [&] { product(6); },
                    [&] { product(7); });
    level.end<runtime>();
}

template <typename runtime>
void strassen(const tile_matrix &c, const tile_matrix &a, const tile_matrix &b, variant where) {
    strassen<runtime>(c.data(), a.data(), b.data(), c.cut().depth, c.cut().side, where);
}

} // namespace saguaro::numa_examples
