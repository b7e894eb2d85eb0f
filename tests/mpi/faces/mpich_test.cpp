// SPDX-License-Identifier: MIT
// The face of MPICH's ABI, over a core that only compares. The numbers here are MPICH's.
#include "mpich_prototypes.hpp"

#include "calls.hpp"
#include "mpi/datatypes/bounds_rule.hpp"
#include "mpi/faces/callbacks.hpp"
#include "mpi/faces/mpich.hpp"

#include <cstdarg>

using MPI_Comm_copy_function = MPI_Comm_copy_attr_function *;
using MPI_Comm_delete_function = MPI_Comm_delete_attr_function *;

extern "C" int MPIR_Dup_fn(MPI_Comm, int, void *, void *, void *, int *);
extern "C" int *const MPI_UNWEIGHTED;

namespace here {

using face = saguaro::mpi::mpich::face;

constexpr int err_arg = 12, err_comm = 5, err_count = 2, err_keyval = 48, err_other = 15,
              err_request = 19, err_rma_sync = 50, err_truncate = 14, t_err_not_initialized = 60,
              undefined = -32766, proc_null = -1, any_source = -2, io = 0x64400005,
              host = 0x64400003, err_type = 3, combiner_darray = 14, distribute_block = 121,
              distribute_cyclic = 122, distribute_dflt_darg = -49767, order_fortran = 57;

MPI_Comm world() {
    return 0x44000000;
}
MPI_Datatype integer() {
    return 0x4c000405;
}
MPI_Datatype real_number() {
    return 0x4c00080b;
}
MPI_Op sum() {
    return 0x58000003;
}
MPI_Status *ignored() {
    return fake::pointer<MPI_Status *>(1);
}
MPI_Win window(std::uint32_t n) {
    return fake::handle<MPI_Win>(0xa0000000 | n);
}
MPI_Request request(std::uint32_t n) {
    return fake::handle<MPI_Request>(0xac000000 | n);
}
MPI_Request no_request() {
    return 0x2c000000;
}
MPI_Comm no_comm() {
    return 0x04000000;
}
MPI_Datatype no_type() {
    return 0x0c000000;
}
const void *in_place() {
    return fake::pointer<const void *>(-1);
}
const void *automatic() {
    return fake::pointer<const void *>(-2);
}
MPI_Comm_copy_function duplicate() {
    return MPIR_Dup_fn;
}

} // namespace here

#include "by_hand.hpp"

MPI_Status fake::status_of_face(int seed) {
    const mpi::status core = fake::status_of_core(seed);
    MPI_Status status{};
    status.count_lo = static_cast<int>(core.bytes % (std::int64_t{1} << 32));
    status.count_hi_and_cancelled =
        static_cast<int>(core.bytes / (std::int64_t{1} << 32) * 2 + core.cancelled);
    status.MPI_SOURCE = core.source == mpi::abi::any_source  ? -2
                        : core.source == mpi::abi::proc_null ? -1
                                                             : core.source;
    status.MPI_TAG = core.tag == mpi::abi::any_tag ? -1 : core.tag;
    status.MPI_ERROR = core.error == mpi::abi::err_truncate  ? 14
                       : core.error == mpi::abi::err_request ? 19
                                                             : 0;
    return status;
}

namespace {

static_assert(sizeof(MPI_Status) == 20);

TEST(mpich_face, special_numbers_of_the_core_mean_nothing) {
    // -2 is no tag in MPICH, and must not become the core's MPI_ANY_TAG.
    fake::begin("MPI_Probe", "probe",
                {fake::in(mpi::abi::any_source), fake::in(std::numeric_limits<int>::min()),
                 fake::in(mpi::comm::world), fake::ignored()});
    fake::end(MPI_Probe(-2, -2, here::world(), here::ignored()));
}

TEST(mpich_face, what_is_no_handle) {
    for (const int wrong : {0x4c000405, 0x44000007, static_cast<int>(0x84000001), 0, -1}) {
        fake::begin("MPI_Barrier", "barrier", {fake::in(0)});
        fake::end(MPI_Barrier(wrong));
    }
}

TEST(mpich_face, an_error_that_mpich_does_not_know) {
    fake::begin("MPI_Barrier", "barrier", {fake::in(mpi::comm::world)});
    fake::now.answer = mpi::abi::err_abi;
    EXPECT_EQ(MPI_Barrier(here::world()), here::err_other);
    fake::begin("MPI_Barrier", "barrier", {fake::in(mpi::comm::world)});
    fake::now.answer = mpi::abi::err_errhandler; // no name of 4.0's
    EXPECT_EQ(MPI_Barrier(here::world()), here::err_arg);
    EXPECT_EQ(here::face::to_core<mpi::faces::domain::error>(here::err_arg), mpi::abi::err_arg);
}

TEST(mpich_face, handles_of_fortran) {
    EXPECT_EQ(MPI_Comm_c2f(here::world()), here::world());
    EXPECT_EQ(MPI_Type_f2c(0x4c000405), 0x4c000405);
    EXPECT_EQ(MPI_File_c2f(fake::pointer<MPI_File>(4107)), 4107);
    EXPECT_EQ(MPI_File_f2c(4107), fake::pointer<MPI_File>(4107));
    EXPECT_EQ(MPI_File_f2c(0), nullptr);
}

TEST(mpich_face, statuses_have_63_bits_of_bytes) {
    for (int i = 0; i < 63; ++i) {
        mpi::status core = fake::status_of_core(1);
        core.bytes = (std::int64_t{1} << i) + i % 31;
        for (const bool cancelled : {false, true}) {
            core.cancelled = cancelled;
            MPI_Status status{};
            here::face::write(status, core);
            const mpi::status back = here::face::read(status);
            EXPECT_EQ(back.bytes, core.bytes) << i;
            EXPECT_EQ(back.cancelled, cancelled) << i;
        }
    }
}

TEST(mpich_face, statuses_of_fortran) {
    const MPI_Status status = fake::status_of_face(1);
    MPI_Fint array[5] = {};
    MPI_F08_status named{};
    EXPECT_EQ(MPI_Status_c2f(&status, array), 0);
    EXPECT_EQ(array[2], status.MPI_SOURCE);
    EXPECT_EQ(MPI_Status_f2f08(array, &named), 0);
    EXPECT_EQ(std::memcmp(&named, &status, sizeof status), 0);
}

TEST(mpich_face, names_that_would_be_too_long) {
    char name[129];
    std::memset(name, '#', sizeof name);
    int length = 0;
    const std::string text(200, 'x');
    fake::begin("MPI_Get_processor_name", "get_processor_name",
                {fake::text(text.c_str()), fake::out(200)});
    fake::end(MPI_Get_processor_name(name, &length));
    EXPECT_EQ(name[126], 'x');
    EXPECT_EQ(name[127], '\0');
    EXPECT_EQ(name[128], '#');
}

TEST(mpich_face, names_need_no_more_room_than_they_have) {
    char name[8] = "#######";
    int length = 0;
    fake::begin("MPI_Get_processor_name", "get_processor_name", {fake::text("ab"), fake::out(2)});
    fake::end(MPI_Get_processor_name(name, &length));
    EXPECT_STREQ(name, "ab");
    EXPECT_EQ(name[3], '#');
}

TEST(mpich_face, unweighted_is_data) {
    EXPECT_TRUE(saguaro::mpi::is_unweighted(MPI_UNWEIGHTED));
}

TEST(mpich_face, its_rule_of_bounds) {
    EXPECT_EQ(saguaro::mpi::bounds_by, saguaro::mpi::bounds_rule::outermost);
}

} // namespace
