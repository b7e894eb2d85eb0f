// SPDX-License-Identifier: MIT
// The face of the standard ABI, over a core that only compares.
#include "mpi.h"

#include "calls.hpp"
#include "mpi/datatypes/bounds_rule.hpp"
#include "mpi/faces/abi.hpp"
#include "mpi/faces/callbacks.hpp"

using MPI_Comm_copy_function = MPI_Comm_copy_attr_function *;
using MPI_Comm_delete_function = MPI_Comm_delete_attr_function *;

namespace here {

using face = saguaro::mpi::abi::face;

constexpr int err_arg = MPI_ERR_ARG, err_comm = MPI_ERR_COMM, err_count = MPI_ERR_COUNT,
              err_keyval = MPI_ERR_KEYVAL, err_other = MPI_ERR_OTHER, err_request = MPI_ERR_REQUEST,
              err_rma_sync = MPI_ERR_RMA_SYNC, err_truncate = MPI_ERR_TRUNCATE,
              t_err_not_initialized = MPI_T_ERR_NOT_INITIALIZED, undefined = MPI_UNDEFINED,
              proc_null = MPI_PROC_NULL, any_source = MPI_ANY_SOURCE, io = MPI_IO, host = MPI_HOST,
              err_type = MPI_ERR_TYPE, combiner_darray = MPI_COMBINER_DARRAY,
              distribute_block = MPI_DISTRIBUTE_BLOCK, distribute_cyclic = MPI_DISTRIBUTE_CYCLIC,
              distribute_dflt_darg = MPI_DISTRIBUTE_DFLT_DARG, order_fortran = MPI_ORDER_FORTRAN;

MPI_Comm world() {
    return MPI_COMM_WORLD;
}
MPI_Datatype integer() {
    return MPI_INT;
}
MPI_Datatype real_number() {
    return MPI_DOUBLE;
}
MPI_Op sum() {
    return MPI_SUM;
}
MPI_Status *ignored() {
    return MPI_STATUS_IGNORE;
}
MPI_Win window(std::uint32_t n) {
    return fake::handle<MPI_Win>(n);
}
MPI_Request request(std::uint32_t n) {
    return fake::handle<MPI_Request>(n);
}
MPI_Request no_request() {
    return MPI_REQUEST_NULL;
}
MPI_Comm no_comm() {
    return MPI_COMM_NULL;
}
MPI_Datatype no_type() {
    return MPI_DATATYPE_NULL;
}
const void *automatic() {
    return MPI_BUFFER_AUTOMATIC;
}
const void *in_place() {
    return MPI_IN_PLACE;
}
MPI_Comm_copy_function duplicate() {
    return MPI_COMM_DUP_FN;
}

} // namespace here

#include "by_hand.hpp"

MPI_Status fake::status_of_face(int seed) {
    const mpi::status core = fake::status_of_core(seed);
    MPI_Status status{};
    status.MPI_SOURCE = core.source;
    status.MPI_TAG = core.tag;
    status.MPI_ERROR = core.error;
    status.MPI_internal[0] = static_cast<int>(core.bytes % (std::int64_t{1} << 32));
    status.MPI_internal[1] = static_cast<int>(core.bytes / (std::int64_t{1} << 32));
    status.MPI_internal[2] = core.cancelled;
    return status;
}

namespace {

static_assert(sizeof(MPI_Status) == 32);

TEST(abi_face, its_version) {
    int major = 0;
    int minor = -1;
    EXPECT_EQ(MPI_Abi_get_version(&major, &minor), 0);
    EXPECT_EQ(major, MPI_ABI_VERSION);
    EXPECT_EQ(minor, MPI_ABI_SUBVERSION);
    EXPECT_EQ(MPI_Get_version(&major, &minor), 0);
    EXPECT_EQ(major, 4);
    EXPECT_EQ(minor, 1);
}

TEST(abi_face, handles_as_integers) {
    EXPECT_EQ(MPI_Comm_toint(MPI_COMM_WORLD), 0x101);
    EXPECT_EQ(MPI_Comm_fromint(0x101), MPI_COMM_WORLD);
    EXPECT_EQ(MPI_Type_fromint(MPI_Type_toint(MPI_DOUBLE)), MPI_DOUBLE);
}

TEST(abi_face, what_is_no_handle) {
    fake::begin("MPI_Barrier", "barrier", {fake::in(0)});
    fake::end(MPI_Barrier(fake::pointer<MPI_Comm>(std::intptr_t{0x10101} << 32)));
}

TEST(abi_face, its_rule_of_bounds) {
    EXPECT_EQ(saguaro::mpi::bounds_by, saguaro::mpi::bounds_rule::marked);
}

} // namespace
