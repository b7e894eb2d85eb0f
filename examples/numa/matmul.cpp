// SPDX-License-Identifier: MIT
//
// matmul [N] [--check] ...: the product of two dense matrices, tile by tile, with OpenBLAS for the
// product of two tiles.
//
// Each worker reads tiles of a and b that lie anywhere and writes tiles of c: spread over the
// nodes, no node has to serve all workers.
#include "matmul.hpp"

#include "product.hpp"

namespace {

using namespace saguaro::numa_examples;

class by_textbook : public product {
public:
    by_textbook(std::size_t n, variant where) : product(n, 128, where), where_(where) {}

    void solve(bool parallel) override {
        parallel ? matmul<saguaro_runtime>(c, a, b, where_)
                 : matmul<serial_runtime>(c, a, b, where_);
    }

private:
    variant where_;
};

} // namespace

int main(int argc, char **argv) {
    one_thread_for_blas();
    return run_program(
        {.name = "matmul",
         .meaning = "The product of two dense matrices, by the textbook.",
         .argument_meaning = "the matrices are N x N",
         .otherwise = "1024",
         .least = 1,
         .most = 32768,
         .make = [](const arguments &given,
                    variant where) { return std::make_unique<by_textbook>(given.n, where); }},
        argc, argv);
}
