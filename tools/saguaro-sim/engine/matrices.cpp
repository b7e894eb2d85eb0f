// SPDX-License-Identifier: MIT
// Workloads on dense matrices of tiles. The bytes of a tile are in one piece, as in blocked
// layouts, row of tiles by row.
#include "kernels.hpp"

#include <bit>
#include <cmath>

namespace saguaro::sim {

namespace {

// A square part of a matrix, measured in tiles.
struct part {
    std::uint64_t object;
    std::uint64_t row;
    std::uint64_t column;
    std::uint64_t width; // of the whole matrix

    part quarter(std::uint64_t which, std::uint64_t half) const {
        return {object, row + which / 2 * half, column + which % 2 * half, width};
    }
};

class tiles {
public:
    tiles(program_builder &out, const std::vector<double> &values)
        : out_(out), side_(static_cast<std::uint64_t>(values[1])), flops_(values[2]),
          misses_{values[3]}, count_((static_cast<std::uint64_t>(values[0]) + side_ - 1) / side_) {}

    std::uint64_t count() const { return count_; }

    // A matrix of so many tiles in each direction.
    part make(std::uint64_t width) {
        return {out_.object(width * width * tile_bytes()), 0, 0, width};
    }

    // So many operations for each element of a tile, to the power of 3 or 2.
    void compute(double operations, int power) {
        const double elements = std::pow(static_cast<double>(side_), power);
        out_.work(static_cast<std::uint64_t>(operations * elements / flops_));
    }
    void use(const part &p, std::uint64_t row = 0, std::uint64_t column = 0) {
        const std::uint64_t tile = (p.row + row) * p.width + p.column + column;
        misses_.write(out_, {p.object, tile * tile_bytes(), tile_bytes()});
    }

    // to += left * right, all of one tile.
    void product(const part &to, const part &left, const part &right) {
        compute(2, 3);
        use(left);
        use(right);
        use(to);
    }

private:
    std::uint64_t tile_bytes() const { return side_ * side_ * sizeof(double); }

    program_builder &out_;
    std::uint64_t side_;
    double flops_;
    misses misses_;
    std::uint64_t count_;
};

// to += left * right, of `size` tiles in each direction: two steps of four products.
void multiply(program_builder &out, tiles &t, const part &to, const part &left, const part &right,
              std::uint64_t size) {
    if (size == 1) {
        t.product(to, left, right);
        return;
    }
    const std::uint64_t half = size / 2;
    for (std::uint64_t step = 0; step < 2; ++step) {
        for (std::uint64_t quarter = 0; quarter < 4; ++quarter) {
            out.spawn();
            multiply(out, t, to.quarter(quarter, half), left.quarter(quarter / 2 * 2 + step, half),
                     right.quarter(step * 2 + quarter % 2, half), half);
            out.child_ends();
        }
        out.sync();
    }
}

// One addition of square parts, tile by tile, in parallel.
void add(program_builder &out, tiles &t, const part &to, const part &left, const part &right,
         std::uint64_t size) {
    halves(out, 0, size * size, 1, [&](std::uint64_t at, std::uint64_t) {
        t.compute(1, 2);
        t.use(left, at / size, at % size);
        t.use(right, at / size, at % size);
        t.use(to, at / size, at % size);
    });
}

// Seven products and eighteen additions, Winograd's form: eight sums of quarters, and three
// products that have no room in the result.
void strassen(program_builder &out, tiles &t, const part &to, const part &left, const part &right,
              std::uint64_t size) {
    if (size == 1) {
        t.product(to, left, right);
        return;
    }
    const std::uint64_t half = size / 2;
    std::vector<part> sums;
    for (unsigned sum = 0; sum < 8; ++sum) {
        sums.push_back(t.make(half));
        const part &from = sum < 4 ? left : right;
        const part &before = sum % 4 == 0 ? from.quarter(2, half) : sums[sum - sum % 4];
        out.spawn();
        add(out, t, sums[sum], before, from.quarter(sum % 4, half), half);
        out.child_ends();
        if (sum % 4 == 0)
            out.sync(); // the others need it
    }
    out.sync();
    std::vector<part> results;
    for (unsigned product = 0; product < 7; ++product) {
        results.push_back(product < 4 ? to.quarter(product, half) : t.make(half));
        const part &a = product < 4 ? sums[product] : left.quarter(product - 4, half);
        const part &b = product < 4 ? sums[4 + product] : right.quarter(product - 4, half);
        out.spawn();
        strassen(out, t, results[product], a, b, half);
        out.child_ends();
    }
    out.sync();
    for (unsigned quarter = 0; quarter < 4; ++quarter) {
        out.spawn();
        add(out, t, results[quarter], results[quarter], results[4 + quarter % 3], half);
        out.child_ends();
    }
    out.sync();
    for (const part &each : sums)
        out.free(each.object);
    for (unsigned product = 4; product < 7; ++product)
        out.free(results[product].object);
}

// `compute` is one of the two above.
void make_product(program_builder &out, const std::vector<double> &values,
                  decltype(multiply) compute) {
    tiles t(out, values);
    const std::uint64_t size = std::bit_ceil(t.count());
    const part a = t.make(size);
    const part b = t.make(size);
    compute(out, t, t.make(size), a, b, size);
}

} // namespace

void make_matmul(program_builder &out, const std::vector<double> &values) {
    make_product(out, values, multiply);
}

void make_strassen(program_builder &out, const std::vector<double> &values) {
    make_product(out, values, strassen);
}

void make_cholesky(program_builder &out, const std::vector<double> &values) {
    tiles t(out, values);
    const std::uint64_t n = t.count();
    const part matrix = t.make(n);
    for (std::uint64_t k = 0; k < n; ++k) {
        t.compute(1.0 / 3, 3);
        t.use(matrix, k, k);
        const std::uint64_t below = n - k - 1;
        if (below == 0)
            break;
        halves(out, 0, below, 1, [&](std::uint64_t at, std::uint64_t) {
            t.compute(1, 3);
            t.use(matrix, k, k);
            t.use(matrix, k + 1 + at, k);
        });
        // The lower half of the rest, row by row.
        halves(out, 0, below * (below + 1) / 2, 1, [&](std::uint64_t at, std::uint64_t) {
            auto row =
                static_cast<std::uint64_t>((std::sqrt(8.0 * static_cast<double>(at) + 1) - 1) / 2);
            while (row * (row + 1) / 2 > at)
                --row;
            while ((row + 1) * (row + 2) / 2 <= at)
                ++row;
            const std::uint64_t column = at - row * (row + 1) / 2;
            t.compute(2, 3);
            t.use(matrix, k + 1 + row, k);
            t.use(matrix, k + 1 + column, k);
            t.use(matrix, k + 1 + row, k + 1 + column);
        });
    }
}

} // namespace saguaro::sim
