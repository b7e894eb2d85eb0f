// SPDX-License-Identifier: MIT
//
// strassen [N] [--check] ...: the product of two dense matrices by seven products a level, with
// OpenBLAS for the product of two tiles.
//
// Each level writes as much temporary memory as the matrices have: near the worker, its additions
// do not ask other nodes for it.
#include "strassen.hpp"

#include "product.hpp"

namespace {

using namespace saguaro::numa_examples;

class by_winograd : public product {
public:
    by_winograd(std::size_t n, variant where) : product(n, 128, where), where_(where) {}

    void solve(bool parallel) override {
        parallel ? strassen<saguaro_runtime>(c, a, b, where_)
                 : strassen<serial_runtime>(c, a, b, where_);
    }

private:
    variant where_;
};

} // namespace

int main(int argc, char **argv) {
    one_thread_for_blas();
    return run_program(
        {.name = "strassen",
         .meaning = "The product of two dense matrices, by Strassen and Winograd.",
         .argument_meaning = "the matrices are N x N",
         .otherwise = "1024",
         .least = 1,
         .most = 32768,
         .make = [](const arguments &given,
                    variant where) { return std::make_unique<by_winograd>(given.n, where); }},
        argc, argv);
}
