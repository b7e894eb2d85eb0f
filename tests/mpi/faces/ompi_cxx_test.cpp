// SPDX-License-Identifier: MIT
// Tests of the symbols that Open MPI's C++ layer needs, by the calls that it makes: where it writes
// into an error handler, what it reads of a communicator, and what throws.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

extern "C" {
using function = void (*)();
using intercept = void (*)(const void *, void *, int *, char **, function);

int MPI_Init(int *, char ***);
int MPI_Finalize(void);
int MPI_Op_create(intercept, int, char **);
int MPI_Reduce_local(const void *, void *, int, char *, char *);
int MPI_Comm_set_errhandler(char *, char *);
int MPI_Comm_rank(char *, int *);
int MPI_Send(const void *, int, char *, int, int, char *);
int MPI_Comm_set_attr(char *, int, void *);
int MPI_Comm_get_attr(char *, int, void *, int *);
int MPI_Cart_create(char *, int, const int *, const int *, int, char **);
int MPI_Comm_dup(char *, char **);
int MPI_Comm_free(char **);

void ompi_op_set_cxx_callback(char *, function);
char *ompi_errhandler_create(int, function, int);
int ompi_attr_create_keyval(int, function, function, int *, void *, int, void *);
extern char ompi_mpi_comm_world[512], ompi_mpi_int[512], ompi_mpi_errors_return[1024],
    ompi_mpi_errors_throw_exceptions[1024];
}

namespace {

constexpr int err_rank = 6;

// What the layer's functions have been called with.
struct {
    function of_program;
    char *handle;
    int error, calls, kind;
} seen;

void of_program() {
    FAIL() << "called as if it were a C program's";
}

void call_reduction(const void *in, void *inout, int *count, char **type, function f) {
    seen.of_program = f;
    EXPECT_EQ(*type, ompi_mpi_int);
    for (int i = 0; i < *count; ++i)
        static_cast<int *>(inout)[i] += 10 * static_cast<const int *>(in)[i];
}

void call_handler(char **on, int *code, const char *message, function f) {
    EXPECT_STREQ(message, "");
    seen = {f, *on, *code & 0x7f, seen.calls + 1, 0};
    *code = 0;
}

void throw_exception(char **on, int *code, ...) {
    EXPECT_EQ(*on, ompi_mpi_comm_world);
    throw *code & 0x7f;
}

int call_copy(char *from, int, void *extra_state, void *in, void *out, int *flag, char *) {
    std::memcpy(&seen.kind, from + 0xe8, sizeof seen.kind);
    int rank = -1;
    EXPECT_EQ(MPI_Comm_rank(from, &rank), 0);
    *static_cast<void **>(out) = static_cast<char *>(in) + *static_cast<int *>(extra_state);
    *flag = 1;
    return rank;
}

int call_delete(char *, int, void *, void *) {
    ++seen.calls;
    return 0;
}

// Writes the address of the layer's function where the layer does.
template <class type>
void write_at(char *object, std::size_t offset, type f) {
    std::memcpy(object + offset, &f, sizeof f);
}

class ompi_cxx_layer : public testing::Test {
protected:
    static void SetUpTestSuite() { MPI_Init(nullptr, nullptr); }
    static void TearDownTestSuite() { MPI_Finalize(); }
    void SetUp() override { seen = {}; }
    void TearDown() override {
        MPI_Comm_set_errhandler(ompi_mpi_comm_world, ompi_mpi_errors_return);
    }
};

TEST_F(ompi_cxx_layer, calls_operators) {
    char *op = nullptr;
    MPI_Op_create(call_reduction, 1, &op);
    ompi_op_set_cxx_callback(op, of_program);
    const int in[2] = {1, 2};
    int inout[2] = {3, 4};
    EXPECT_EQ(MPI_Reduce_local(in, inout, 2, ompi_mpi_int, op), 0);
    EXPECT_EQ(inout[0], 13);
    EXPECT_EQ(inout[1], 24);
    EXPECT_EQ(seen.of_program, of_program);
}

TEST_F(ompi_cxx_layer, calls_error_handlers) {
    char *const handler = ompi_errhandler_create(1, of_program, 1);
    write_at(handler, 0x78, call_handler);
    EXPECT_EQ(MPI_Comm_set_errhandler(ompi_mpi_comm_world, handler), 0);
    EXPECT_EQ(MPI_Send(nullptr, 0, ompi_mpi_int, 99, 0, ompi_mpi_comm_world), 0);
    EXPECT_EQ(seen.of_program, of_program);
    EXPECT_EQ(seen.handle, ompi_mpi_comm_world);
    EXPECT_EQ(seen.error, err_rank);
    EXPECT_EQ(seen.calls, 1);
}

TEST_F(ompi_cxx_layer, throws_exceptions) {
    MPI_Comm_set_errhandler(ompi_mpi_comm_world, ompi_mpi_errors_throw_exceptions);
    // A C program has not said what throws.
    EXPECT_EQ(MPI_Send(nullptr, 0, ompi_mpi_int, 99, 0, ompi_mpi_comm_world) & 0x7f, err_rank);
    write_at(ompi_mpi_errors_throw_exceptions, 0x58, throw_exception);
    int caught = 0;
    try {
        MPI_Send(nullptr, 0, ompi_mpi_int, 99, 0, ompi_mpi_comm_world);
    } catch (int error) {
        caught = error;
    }
    EXPECT_EQ(caught, err_rank);
    // The library is as it was.
    int rank = -1;
    EXPECT_EQ(MPI_Comm_rank(ompi_mpi_comm_world, &rank), 0);
}

TEST_F(ompi_cxx_layer, reads_the_kind_of_a_communicator) {
    int key = 0;
    int state = 4;
    EXPECT_EQ(ompi_attr_create_keyval(1, reinterpret_cast<function>(call_copy),
                                      reinterpret_cast<function>(call_delete), &key, &state, 0,
                                      nullptr),
              0);
    char *grid = nullptr, *twin = nullptr;
    const int one = 1;
    MPI_Cart_create(ompi_mpi_comm_world, 1, &one, &one, 0, &grid);
    MPI_Comm_set_attr(grid, key, &seen);
    EXPECT_EQ(MPI_Comm_dup(grid, &twin), 0);
    EXPECT_EQ(seen.kind, 0x100);
    void *copied = nullptr;
    int flag = 0;
    MPI_Comm_get_attr(twin, key, &copied, &flag);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(copied, reinterpret_cast<char *>(&seen) + 4);
    MPI_Comm_free(&twin);
    MPI_Comm_free(&grid);
    EXPECT_EQ(seen.calls, 2);
}

} // namespace
