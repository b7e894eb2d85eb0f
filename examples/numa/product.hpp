// SPDX-License-Identifier: MIT
// The problem of matmul and of strassen: two matrices to multiply.
#pragma once

#include "program.hpp"
#include "runtimes.hpp"
#include "tiles.hpp"

#include <algorithm>

namespace saguaro::numa_examples {

/// `Method` has multiply<runtime>(c, a, b, where), which computes c = a * b.
template <class Method>
class product : public problem {
public:
    product(std::size_t n, variant where)
        : a(n, 128, where), b(n, 128, where), c(n, 128, where), where_(where) {
        a.fill([](auto row, auto column) { return small_number(1, row, column); });
        b.fill([](auto row, auto column) { return small_number(2, row, column); });
    }

    void reset() override { std::fill(c.elements().begin(), c.elements().end(), 0); }

    void solve(bool parallel) override {
        parallel ? Method::template multiply<saguaro_runtime>(c, a, b, where_)
                 : Method::template multiply<serial_runtime>(c, a, b, where_);
    }

    /// c x is a (b x) for a vector x, exactly: an element that is wrong is seen but where others
    /// that are wrong make good for it (Freivalds).
    std::string difference() override {
        const std::vector<double> x = probe(c.n());
        const std::vector<double> expected = a.times(b.times(x));
        const std::vector<double> found = c.times(x);
        const auto at = std::mismatch(expected.begin(), expected.end(), found.begin()).first;
        return at == expected.end()
                   ? ""
                   : "row " + std::to_string(at - expected.begin()) + " is not the product's";
    }

    std::vector<line> describe() override {
        const std::string n = std::to_string(c.n());
        const std::string tiles = std::to_string(c.cut().tiles());
        const std::string side = std::to_string(c.cut().side);
        return {{"matrices", n + " x " + n},
                {"tiles", tiles + " x " + tiles + " of " + side + " x " + side}};
    }

    std::vector<const data_array *> data() override {
        return {&a.elements(), &b.elements(), &c.elements()};
    }

private:
    tile_matrix a, b, c; // c = a * b
    variant where_;
};

} // namespace saguaro::numa_examples
