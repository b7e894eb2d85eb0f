// SPDX-License-Identifier: MIT
//
// strassen [N] [--check] ...: the product of two dense matrices by seven products a level, with
// OpenBLAS for the product of two tiles.
//
// Each level writes as much temporary memory as the matrices have: near the worker, its additions
// do not ask other nodes for it.
#include "strassen.hpp"

#include "dense_program.hpp"
#include "product.hpp"

namespace {

using namespace saguaro::numa_examples;

struct by_winograd {
    template <class runtime>
    static void multiply(const tile_matrix &c, const tile_matrix &a, const tile_matrix &b,
                         variant where) {
        strassen<runtime>(c, a, b, where);
    }
};

} // namespace

int main(int argc, char **argv) {
    return run_dense_program<product<by_winograd>>(
        {.name = "strassen",
         .meaning = "The product of two dense matrices, by Strassen and Winograd.",
         .argument_meaning = "the matrices are N x N"},
        argc, argv);
}
