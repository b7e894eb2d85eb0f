// SPDX-License-Identifier: MIT
// The sizes and variants of vms-matmul.
#include "driver/registry.hpp"
#include "runtimes/programs.hpp"
#include "vms_matmul/vms_matmul.hpp"

namespace saguaro::bench {

namespace {

struct serial_runtime : no_runtime {
    static void invoke(auto &&...functions) { (functions(), ...); }
};

} // namespace

registry_entry vms_matmul_bench() {
    const kernel problem = {
        .name = "vms-matmul",
        .meaning = "the product of two n x n matrices by quadrants, blocks of up to 64 x 64",
        .base = "serial",
        .sizes = {81, 324, 648, 1296},
        .greatest_peer_size = 0,
        .greatest_n = 16384};
    const std::vector<variant> linked = {
        fixed("serial", measure_blocked_matmul<serial_runtime>),
        parallel("saguaro-invoke", vms_matmul_saguaro),
        parallel("vcilk", vms_matmul_vcilk),
    };
    return entry_of(problem, {linked, cilkc_program(problem, "matmul")});
}

} // namespace saguaro::bench
