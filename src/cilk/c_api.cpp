// SPDX-License-Identifier: MIT
// <cilk/cilk_api.h> by its own names, because programs declare them themselves, too. Weak, because
// some define a few of them, for compilers without Cilk.
#include "saguaro/detail/cilk_library.h"
#include "saguaro/saguaro.h"

extern "C" {

[[gnu::weak]] int __cilkrts_set_param(const char *name, const char *value) {
    return sg_c_set_parameter(name, value);
}

[[gnu::weak]] void __cilkrts_init(void) {
    sg_c_start();
}

[[gnu::weak]] void __cilkrts_end_cilk(void) {
    sg_stop();
}

[[gnu::weak]] int __cilkrts_get_nworkers(void) {
    return static_cast<int>(sg_c_workers());
}

[[gnu::weak]] int __cilkrts_get_total_workers(void) {
    return static_cast<int>(sg_c_workers());
}

[[gnu::weak]] int __cilkrts_get_worker_number(void) {
    const int worker = sg_worker_id();
    return worker < 0 ? 0 : worker;
}

[[gnu::weak]] int __cilkrts_is_initialized(void) {
    return sg_c_is_started();
}

[[gnu::weak]] int __cilkrts_running_on_workers(void) {
    return sg_worker_id() >= 0 ? 1 : 0;
}

[[gnu::weak]] int __cilkrts_get_force_reduce(void) {
    return 0;
}
}
