// SPDX-License-Identifier: MIT
//
// saguaro-bench-blas: the benches with OpenBLAS, by all runtimes. OpenBLAS begins threads when it
// is loaded, which other benches must not have beside them.
#include "blas/blas.hpp"
#include "runtimes/peer_main.hpp"

#include <vector>

int main(int argc, char **argv) {
    using namespace saguaro::bench;
    const std::vector<peer_entry> entries = {
        {"blas-strassen-serial", measure_blas_strassen<blas_serial>},
        {"blas-cholesky-serial", measure_blas_cholesky<blas_serial>},
        {"blas-strassen-saguaro", blas_strassen_saguaro},
        {"blas-cholesky-saguaro", blas_cholesky_saguaro},
#if SG_BENCH_TBB
        {"blas-strassen-tbb", blas_strassen_tbb},
        {"blas-cholesky-tbb", blas_cholesky_tbb},
#endif
    };
    return peer_main(argc, argv, entries);
}
