// SPDX-License-Identifier: MIT
// Functions of MPICH's own, whose names begin with MPIX_. Some remove what MPI_Add_error_class and
// its like have added, as MPI 4.1 does by other names. The others tell whether a program may pass
// memory of a graphics processor. It may not.
#include "mpi/core/interface/functions.hpp"
#include "mpi/faces/arguments.hpp"
#include "mpi/faces/call.hpp"
#include "mpi/faces/mpich.hpp"

namespace core = saguaro::mpi::core;
namespace mpi = saguaro::mpi;
namespace faces = saguaro::mpi::faces;
using domain = faces::domain;
using face = mpi::mpich::face;
using arg = faces::arguments<face>;

namespace {

// MPIX_GPU_SUPPORT_CUDA, _ZE and _HIP.
constexpr int kinds_of_processors = 3;

int query_support(std::int64_t kind, int *is_supported) {
    if (kind < 0 || kind >= kinds_of_processors)
        return mpi::abi::err_arg;
    *is_supported = 0;
    return mpi::abi::success;
}

} // namespace

extern "C" {

int PMPIX_Delete_error_class(int errorclass) {
    return faces::call_any_time<face>(mpi::comm::self, "MPIX_Delete_error_class",
                                      core::remove_error_class,
                                      arg::integer<domain::error>(errorclass));
}
int PMPIX_Delete_error_code(int errorcode) {
    return faces::call_any_time<face>(mpi::comm::self, "MPIX_Delete_error_code",
                                      core::remove_error_code,
                                      arg::integer<domain::error>(errorcode));
}
int PMPIX_Delete_error_string(int errorcode) {
    return faces::call_any_time<face>(mpi::comm::self, "MPIX_Delete_error_string",
                                      core::remove_error_string,
                                      arg::integer<domain::error>(errorcode));
}
int PMPIX_GPU_query_support(int gpu_type, int *is_supported) {
    return faces::call_any_time<face>(mpi::comm::self, "MPIX_GPU_query_support", query_support,
                                      faces::number<int>(gpu_type),
                                      faces::required<int>(is_supported));
}
int PMPIX_Query_cuda_support(void) {
    return 0;
}
int PMPIX_Query_hip_support(void) {
    return 0;
}
int PMPIX_Query_ze_support(void) {
    return 0;
}

int MPIX_Delete_error_class(int errorclass)
    __attribute__((weak, alias("PMPIX_Delete_error_class")));
int MPIX_Delete_error_code(int errorcode) __attribute__((weak, alias("PMPIX_Delete_error_code")));
int MPIX_Delete_error_string(int errorcode)
    __attribute__((weak, alias("PMPIX_Delete_error_string")));
int MPIX_GPU_query_support(int gpu_type, int *is_supported)
    __attribute__((weak, alias("PMPIX_GPU_query_support")));
int MPIX_Query_cuda_support(void) __attribute__((weak, alias("PMPIX_Query_cuda_support")));
int MPIX_Query_hip_support(void) __attribute__((weak, alias("PMPIX_Query_hip_support")));
int MPIX_Query_ze_support(void) __attribute__((weak, alias("PMPIX_Query_ze_support")));

} // extern "C"
