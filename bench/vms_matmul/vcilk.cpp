// SPDX-License-Identifier: MIT
// vms-matmul on VCilk.
#include "vms_matmul/vms_matmul.hpp"

#include <saguaro/vcilk.h>

#include <tuple>

namespace saguaro::bench {

namespace {

/// VCilk as the kernels see it: all functions but the last are spawned.
struct vcilk_runtime {
    static void enter(int workers, auto &&work) {
        sg_vms_options options{};
        options.cores = static_cast<unsigned>(workers);
        if (sg_vcilk_run(&options, call<std::remove_reference_t<decltype(work)>>, &work) != 0)
            throw wrong_answer("VCilk has failed");
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

} // namespace

double vms_matmul_vcilk(long n, int workers) {
    return measure_blocked_matmul<vcilk_runtime>(n, workers);
}

} // namespace saguaro::bench
