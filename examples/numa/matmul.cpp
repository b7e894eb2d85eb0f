// SPDX-License-Identifier: MIT
//
// matmul [N] [--check] ...: the product of two dense matrices, tile by tile, with OpenBLAS for the
// product of two tiles.
//
// Each worker reads tiles of a and b that lie anywhere and writes tiles of c: spread over the
// nodes, no node has to serve all workers.
#include "matmul.hpp"

#include "dense_program.hpp"
#include "product.hpp"

namespace {

using namespace saguaro::numa_examples;

struct by_textbook {
    template <class runtime>
    static void multiply(const tile_matrix &c, const tile_matrix &a, const tile_matrix &b,
                         variant where) {
        matmul<runtime>(c, a, b, where);
    }
};

} // namespace

int main(int argc, char **argv) {
    return run_dense_program<product<by_textbook>>(
        {.name = "matmul",
         .meaning = "The product of two dense matrices, by the textbook.",
         .argument_meaning = "the matrices are N x N"},
        argc, argv);
}
