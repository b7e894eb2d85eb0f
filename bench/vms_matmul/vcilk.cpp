// SPDX-License-Identifier: MIT
//
// vms-matmul: the plug-in VCilk beside fork and join. cilkc.cpp brings the program that cilkc made.
#include "driver/registry.hpp"
#include "runtimes/saguaro.hpp"
#include "vms_matmul/vms_matmul.hpp"

#include <saguaro/vcilk.h>

#include <tuple>

namespace saguaro::bench {

namespace {

struct serial_runtime : no_runtime {
    static void invoke(auto &&...functions) { (functions(), ...); }
};

/// VCilk as the kernels see it: all functions but the last are spawned.
struct vcilk_runtime {
    static void enter(int workers, auto &&work) {
        sg_vms_options options{};
        options.cores = static_cast<unsigned>(workers);
        if (sg_vcilk_run(&options, call<std::remove_reference_t<decltype(work)>>, &work) != 0) {
            throw wrong_answer("VCilk has failed");
        }
    }

    template <typename function>
    static void invoke(function &&last) {
        last();
        sg_vcilk_sync(sg_vms_self());
    }

    template <typename function, typename... more>
    static void invoke(function &&first, more &&...others) {
        sg_vcilk_spawn(call<std::remove_reference_t<function>>, &first, sg_vms_self());
        invoke(others...);
    }

private:
    template <typename function>
    static void call(void *what, sg_vp *) {
        (*static_cast<function *>(what))();
    }
};

variant matmul_variant(const char *name, bool parallel, double (*run)(long, int)) {
    return {.bench = "vms-matmul",
            .name = name,
            .parallel = parallel,
            .greatest_size = any_size,
            .run = run};
}

} // namespace

std::vector<variant> vcilk_variants() {
    return {
        matmul_variant("serial", false, measure_blocked_matmul<serial_runtime>),
        matmul_variant("saguaro-invoke", true, measure_blocked_matmul<saguaro_runtime>),
        matmul_variant("vcilk", true, measure_blocked_matmul<vcilk_runtime>),
    };
}

} // namespace saguaro::bench
