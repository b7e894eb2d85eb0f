// SPDX-License-Identifier: MIT
// The face of Open MPI's ABI, over a core that only compares. The numbers here are Open MPI's.
#include "ompi_prototypes.hpp"

#include "calls.hpp"
#include "mpi/datatypes/bounds_rule.hpp"
#include "mpi/faces/callbacks.hpp"
#include "mpi/faces/ompi.hpp"

#include <cstdarg>

using MPI_Comm_copy_function = MPI_Comm_copy_attr_function *;
using MPI_Comm_delete_function = MPI_Comm_delete_attr_function *;

extern "C" int OMPI_C_MPI_COMM_DUP_FN(MPI_Comm, int, void *, void *, void *, int *);

namespace here {

using face = saguaro::mpi::ompi::face;

constexpr int err_arg = 13, err_comm = 5, err_count = 2, err_keyval = 36, err_other = 16,
              err_request = 7, err_rma_sync = 47, err_truncate = 15, t_err_not_initialized = 55,
              undefined = -32766, proc_null = -2, any_source = -1, io = 2, host = 1, err_type = 3,
              combiner_darray = 13, distribute_block = 0, distribute_cyclic = 1,
              distribute_dflt_darg = -1, order_fortran = 1;

MPI_Comm world() {
    return fake::address_of<MPI_Comm>(ompi_mpi_comm_world);
}
MPI_Datatype integer() {
    return fake::address_of<MPI_Datatype>(ompi_mpi_int);
}
MPI_Datatype real_number() {
    return fake::address_of<MPI_Datatype>(ompi_mpi_double);
}
MPI_Op sum() {
    return fake::address_of<MPI_Op>(ompi_mpi_op_sum);
}
MPI_Status *ignored() {
    return nullptr;
}
MPI_Win window(std::uint32_t n) {
    return fake::handle<MPI_Win>(n * 2 + 1);
}
MPI_Request request(std::uint32_t n) {
    return fake::handle<MPI_Request>(n * 2 + 1);
}
MPI_Request no_request() {
    return fake::address_of<MPI_Request>(ompi_request_null);
}
MPI_Comm no_comm() {
    return fake::address_of<MPI_Comm>(ompi_mpi_comm_null);
}
MPI_Datatype no_type() {
    return fake::address_of<MPI_Datatype>(ompi_mpi_datatype_null);
}
const void *in_place() {
    return fake::pointer<const void *>(1);
}
const void *automatic() {
    return fake::pointer<const void *>(4);
}
MPI_Comm_copy_function duplicate() {
    return OMPI_C_MPI_COMM_DUP_FN;
}

} // namespace here

#include "by_hand.hpp"

MPI_Status fake::status_of_face(int seed) {
    const mpi::status core = fake::status_of_core(seed);
    MPI_Status status{};
    status.MPI_SOURCE = core.source == mpi::abi::any_source  ? -1
                        : core.source == mpi::abi::proc_null ? -2
                                                             : core.source;
    status.MPI_TAG = core.tag == mpi::abi::any_tag ? -1 : core.tag;
    status.MPI_ERROR = core.error == mpi::abi::err_truncate  ? 15
                       : core.error == mpi::abi::err_request ? 7
                                                             : 0;
    status.cancelled = core.cancelled;
    status.bytes = static_cast<std::size_t>(core.bytes);
    return status;
}

namespace {

static_assert(sizeof(MPI_Status) == 24);

TEST(ompi_face, special_numbers_of_the_core_mean_nothing) {
    // -3 is the core's MPI_PROC_NULL, and -2 its MPI_ANY_TAG.
    constexpr int none = std::numeric_limits<int>::min();
    fake::begin("MPI_Probe", "probe",
                {fake::in(none), fake::in(none), fake::in(mpi::comm::world), fake::ignored()});
    fake::end(MPI_Probe(-3, -2, here::world(), here::ignored()));
}

TEST(ompi_face, what_is_no_handle) {
    alignas(8) static char data[64] = {};
    for (const MPI_Comm wrong :
         {fake::address_of<MPI_Comm>(data), fake::pointer<MPI_Comm>(std::intptr_t{1} << 40 | 1),
          MPI_Comm{nullptr}}) {
        fake::begin("MPI_Barrier", "barrier", {fake::in(0)});
        fake::end(MPI_Barrier(wrong));
    }
}

// A program that is not position-independent has its copies of the objects at such addresses, which
// are numbers of the core as well.
TEST(ompi_face, numbers_are_odd_and_addresses_even) {
    EXPECT_EQ(here::face::out(mpi::comm{0x404000}), fake::pointer<MPI_Comm>(0x808001));
    EXPECT_EQ(here::face::in<mpi::comm>(fake::pointer<MPI_Comm>(0x808001)), mpi::comm{0x404000});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(ompi_mpi_comm_world) % 2, 0u);
}

TEST(ompi_face, a_type_that_has_no_object) {
    constexpr mpi::datatype core_alone = mpi::datatype{0x2ef};
    const MPI_Datatype outer = here::face::out(core_alone);
    EXPECT_EQ(outer, fake::pointer<MPI_Datatype>(0x5df));
    EXPECT_EQ(here::face::in<mpi::datatype>(outer), core_alone);
}

TEST(ompi_face, an_error_that_open_mpi_does_not_know) {
    fake::begin("MPI_Barrier", "barrier", {fake::in(mpi::comm::world)});
    fake::now.answer = mpi::abi::err_abi;
    EXPECT_EQ(MPI_Barrier(here::world()), here::err_other);
    fake::begin("MPI_Barrier", "barrier", {fake::in(mpi::comm::world)});
    fake::now.answer = mpi::abi::err_errhandler;
    EXPECT_EQ(MPI_Barrier(here::world()), here::err_arg);
}

TEST(ompi_face, handles_of_fortran) {
    EXPECT_EQ(MPI_Comm_c2f(here::world()), 0);
    EXPECT_EQ(MPI_Comm_c2f(here::no_comm()), 2);
    EXPECT_EQ(MPI_Type_c2f(here::integer()), 39);
    EXPECT_EQ(MPI_Comm_f2c(1), fake::address_of<MPI_Comm>(ompi_mpi_comm_self));
    EXPECT_EQ(MPI_Op_f2c(3), here::sum());
    EXPECT_EQ(MPI_Comm_c2f(MPI_Comm_f2c(4107)), 4107);
    EXPECT_EQ(here::face::in<mpi::comm>(MPI_Comm_f2c(4107)), mpi::comm{4107});
    // The core's own numbers of predefined handles are not Fortran's.
    EXPECT_EQ(here::face::in<mpi::op>(MPI_Op_f2c(0x21)), mpi::op{});
    EXPECT_EQ(here::face::in<mpi::comm>(MPI_Comm_f2c(-1)), mpi::comm{});
    // Open MPI's Fortran has no number for this one.
    const auto abort = fake::address_of<MPI_Errhandler>(ompi_mpi_errors_abort);
    EXPECT_EQ(MPI_Errhandler_f2c(MPI_Errhandler_c2f(abort)), abort);
}

TEST(ompi_face, statuses_of_fortran) {
    const MPI_Status status = fake::status_of_face(1);
    MPI_Fint array[6] = {};
    MPI_F08_status named{};
    EXPECT_EQ(MPI_Status_c2f(&status, array), 0);
    EXPECT_EQ(array[0], status.MPI_SOURCE);
    EXPECT_EQ(MPI_Status_f2f08(array, &named), 0);
    EXPECT_EQ(std::memcmp(&named, &status, sizeof status), 0);
}

TEST(ompi_face, names_that_would_be_too_long) {
    char name[65];
    std::memset(name, '#', sizeof name);
    int length = 0;
    const std::string text(100, 'x');
    fake::begin("MPI_Comm_get_name", "comm_get_name",
                {fake::in(mpi::comm::world), fake::text(text.c_str()), fake::out(100)});
    fake::end(MPI_Comm_get_name(here::world(), name, &length));
    EXPECT_EQ(name[62], 'x');
    EXPECT_EQ(name[63], '\0');
    EXPECT_EQ(name[64], '#');
}

// Constants of the program's code, which differ from the core's.
TEST(ompi_face, weights) {
    EXPECT_TRUE(mpi::is_unweighted(here::face::weights(fake::pointer<const int *>(2))));
    EXPECT_EQ(here::face::weights(fake::pointer<const int *>(3)),
              fake::pointer<const int *>(mpi::addresses::weights_empty));
    const int one = 1;
    EXPECT_EQ(here::face::weights(&one), &one);
}

TEST(ompi_face, its_rule_of_bounds) {
    EXPECT_EQ(saguaro::mpi::bounds_by, saguaro::mpi::bounds_rule::marked);
}

} // namespace
