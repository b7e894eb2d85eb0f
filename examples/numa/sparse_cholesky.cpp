// SPDX-License-Identifier: MIT
//
// sparse_cholesky [MATRIX] [--check] ...: the Cholesky factor of a sparse matrix, such as those of
// the SuiteSparse collection, with OpenBLAS for its dense parts.
#include "program.hpp"
#include "sparse/multifrontal.hpp"
#include "sparse/symbolic.hpp"
#include "tiles.hpp"

#include <algorithm>
#include <cmath>

namespace {

using namespace saguaro::numa_examples;

/// The factor of `symbolic`, which all variants share.
class sparse : public problem {
public:
    sparse(std::shared_ptr<const symbolic_factor> symbolic, variant where)
        : symbolic_(std::move(symbolic)), blocks_(symbolic_->doubles, where), where_(where) {}

    void reset() override {}

    void solve(bool parallel) override {
        if (parallel)
            multifrontal<saguaro_runtime>(*symbolic_, blocks_.begin(), where_).factor();
        else
            multifrontal<serial_runtime>(*symbolic_, blocks_.begin(), where_).factor();
    }

    std::string difference() override {
        const std::vector<double> x = probe(symbolic_->matrix.n());
        const std::vector<double> expected = product(symbolic_->matrix, x);
        const std::vector<double> found = product_of_factor(*symbolic_, blocks_.begin(), x);
        double largest = 0, error = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            largest = std::max(largest, std::abs(expected[i]));
            // The negation sees what is not a number, too.
            if (const double e = std::abs(found[i] - expected[i]); !(e <= error))
                error = e;
        }
        return error <= 1e-10 * largest
                   ? ""
                   : "the relative error is " + std::to_string(error / largest);
    }

    std::vector<line> describe() override {
        const std::string n = std::to_string(symbolic_->matrix.n());
        return {{"matrix", n + " x " + n + ", " + std::to_string(symbolic_->matrix.rows.size()) +
                               " entries on and below the diagonal"},
                {"factor", std::to_string(symbolic_->supernodes.size()) + " dense blocks, " +
                               std::to_string(blocks_.bytes() / 1024) + " KB"}};
    }

    std::vector<const data_array *> data() override { return {&blocks_}; }

private:
    std::shared_ptr<const symbolic_factor> symbolic_;
    data_array blocks_;
    variant where_;
};

} // namespace

int main(int argc, char **argv) {
    one_thread_for_blas();
    std::shared_ptr<const symbolic_factor> symbolic;
    return run_program({.name = "sparse_cholesky",
                        .meaning = "The Cholesky factor of a sparse matrix.",
                        .argument = "MATRIX",
                        .argument_meaning =
                            "a Matrix Market file (.mtx, .mtx.gz), symmetric, real or integer;\n"
                            "or grid2d:K or grid3d:K, the Laplacian of a grid of K points a side",
                        .otherwise = "grid3d:20",
                        .make =
                            [&symbolic](const arguments &given, variant where) {
                                if (symbolic == nullptr)
                                    symbolic = std::make_shared<const symbolic_factor>(
                                        analyze(symmetric_by_name(given.input)));
                                return std::make_unique<sparse>(symbolic, where);
                            }},
                       argc, argv);
}
