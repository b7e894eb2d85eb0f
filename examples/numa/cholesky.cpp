// SPDX-License-Identifier: MIT
//
// cholesky [N] [--check] ...: the Cholesky factor of a dense matrix, tile by tile, with OpenBLAS
// for the operations on tiles.
#include "dense_cholesky.hpp"
#include "dense_program.hpp"

namespace {

using namespace saguaro::numa_examples;

class dense : public problem {
public:
    dense(std::size_t n, variant where) : l_(n, 128, where), where_(where) {}

    void reset() override { fill_dense(l_); }

    void solve(bool parallel) override {
        parallel ? cholesky<saguaro_runtime>(l_, where_) : cholesky<serial_runtime>(l_, where_);
    }

    std::string difference() override {
        const double error = relative_error(l_);
        return error <= 1e-12 ? "" : "the relative error is " + std::to_string(error);
    }

    std::vector<line> describe() override {
        const std::string n = std::to_string(l_.n());
        const std::string tiles = std::to_string(l_.cut().tiles());
        const std::string side = std::to_string(l_.cut().side);
        return {{"matrix", n + " x " + n},
                {"tiles", tiles + " x " + tiles + " of " + side + " x " + side}};
    }

    std::vector<const data_array *> data() override { return {&l_.elements()}; }

private:
    tile_matrix l_;
    variant where_;
};

} // namespace

int main(int argc, char **argv) {
    return run_dense_program<dense>({.name = "cholesky",
                                     .meaning = "The Cholesky factor of a dense matrix.",
                                     .argument_meaning = "the matrix is N x N"},
                                    argc, argv);
}
