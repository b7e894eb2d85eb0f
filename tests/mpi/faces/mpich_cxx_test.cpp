// SPDX-License-Identifier: MIT
// Tests of the symbols that MPICH's C++ layer needs, by the calls that it makes. Handles are
// MPICH's ints.
#include <gtest/gtest.h>

#include <cstdint>

extern "C" {
using function = void (*)();
using user_function = void (*)(void *, void *, int *, int *);
using handler_function = void (*)(int *, int *, ...);
using copy_function = int (*)(int, int, void *, void *, void *, int *);
using delete_function = int (*)(int, int, void *, void *);

int MPI_Init(int *, char ***);
int MPI_Finalize(void);
int MPI_Op_create(user_function, int, int *);
int MPI_Reduce_local(const void *, void *, int, int, int);
int MPI_Comm_create_errhandler(handler_function, int *);
int MPI_Comm_set_errhandler(int, int);
int MPI_Comm_get_errhandler(int, int *);
int MPI_Win_create_errhandler(handler_function, int *);
int MPI_Win_set_errhandler(int, int);
int MPI_Win_call_errhandler(int, int);
int MPI_Win_allocate(std::intptr_t, int, int, int, void *, int *);
int MPI_Win_free(int *);
int MPI_Send(const void *, int, int, int, int, int);
int MPI_Comm_create_keyval(copy_function, delete_function, int *, void *);
int MPI_Comm_set_attr(int, int, void *);
int MPI_Comm_get_attr(int, int, void *, int *);
int MPI_Comm_delete_attr(int, int);
int MPI_Comm_dup(int, int *);
int MPI_Comm_free(int *);

void MPII_Op_set_cxx(int, function);
void MPII_Errhandler_set_cxx(int, function);
void MPII_Keyval_set_proxy(int, int (*)(function, int, int, void *, int, void *, void **, int *),
                           int (*)(function, int, int, int, void *, void *));
}

namespace {

constexpr int world = 0x44000000;
constexpr int integer = 0x4c000405;
constexpr int no_info = 0x1c000000;
constexpr int errors_throw = 0x54000002;
constexpr int err_rank = 6;

// What the layer's functions have been called with.
struct {
    function of_program;
    int kind, handle, error, calls;
} seen;

// The program's, which only the layer may call.
template <int number>
void of_program() {
    FAIL() << "called as if it were a C program's " << number;
}

void call_reduction(const void *in, void *inout, int count, int type, function f) {
    seen.of_program = f;
    EXPECT_EQ(type, integer);
    for (int i = 0; i < count; ++i)
        static_cast<int *>(inout)[i] += 10 * static_cast<const int *>(in)[i];
}

void call_handler(int kind, int *on, int *code, function f) {
    seen = {f, kind, *on, *code & 0x7f, seen.calls + 1};
}

int call_copy(function f, int from, int, void *extra_state, int type, void *value, void **copy,
              int *flag) {
    seen.of_program = f;
    EXPECT_EQ(type, 0);
    *copy = static_cast<char *>(value) + *static_cast<int *>(extra_state);
    *flag = 1;
    return from == world ? 0 : err_rank;
}

int call_delete(function f, int, int, int type, void *, void *) {
    seen.of_program = f;
    EXPECT_EQ(type, 0);
    return 0;
}

class cxx_layer : public testing::Test {
protected:
    static void SetUpTestSuite() { MPI_Init(nullptr, nullptr); }
    static void TearDownTestSuite() { MPI_Finalize(); }
    void SetUp() override { seen = {}; }
};

TEST_F(cxx_layer, calls_operators) {
    int op = 0;
    MPI_Op_create(reinterpret_cast<user_function>(of_program<1>), 1, &op);
    MPII_Op_set_cxx(op, reinterpret_cast<function>(call_reduction));
    const int in[2] = {1, 2};
    int inout[2] = {3, 4};
    EXPECT_EQ(MPI_Reduce_local(in, inout, 2, integer, op), 0);
    EXPECT_EQ(inout[0], 13);
    EXPECT_EQ(inout[1], 24);
    EXPECT_EQ(seen.of_program, of_program<1>);
}

TEST_F(cxx_layer, calls_error_handlers_once) {
    int handler = 0;
    MPI_Comm_create_errhandler(reinterpret_cast<handler_function>(of_program<2>), &handler);
    MPII_Errhandler_set_cxx(handler, reinterpret_cast<function>(call_handler));
    MPI_Comm_set_errhandler(world, handler);
    // No error is left for the layer.
    EXPECT_EQ(MPI_Send(nullptr, 0, integer, 99, 0, world), 0);
    EXPECT_EQ(seen.of_program, of_program<2>);
    EXPECT_EQ(seen.kind, 0);
    EXPECT_EQ(seen.handle, world);
    EXPECT_EQ(seen.error, err_rank);
    EXPECT_EQ(seen.calls, 1);
}

TEST_F(cxx_layer, calls_error_handlers_of_windows) {
    int handler = 0;
    int window = 0;
    void *memory = nullptr;
    MPI_Win_create_errhandler(reinterpret_cast<handler_function>(of_program<3>), &handler);
    MPII_Errhandler_set_cxx(handler, reinterpret_cast<function>(call_handler));
    ASSERT_EQ(MPI_Win_allocate(8, 1, no_info, world, static_cast<void *>(&memory), &window), 0);
    MPI_Win_set_errhandler(window, handler);
    MPI_Win_call_errhandler(window, err_rank);
    EXPECT_EQ(seen.kind, 2);
    EXPECT_EQ(seen.handle, window);
    MPI_Win_free(&window);
}

// The functions return the error, and the layer throws.
TEST_F(cxx_layer, throws_errors) {
    EXPECT_EQ(MPI_Comm_set_errhandler(world, errors_throw), 0);
    EXPECT_EQ(MPI_Send(nullptr, 0, integer, 99, 0, world) & 0x7f, err_rank);
    int handler = 0;
    MPI_Comm_get_errhandler(world, &handler);
    EXPECT_EQ(handler, errors_throw);
}

TEST_F(cxx_layer, calls_functions_of_attributes) {
    int key = 0;
    int copy = 0;
    int offset = 3;
    int flag = 0;
    char value[8];
    char *got = nullptr;
    MPI_Comm_create_keyval(reinterpret_cast<copy_function>(of_program<4>),
                           reinterpret_cast<delete_function>(of_program<5>), &key, &offset);
    MPII_Keyval_set_proxy(key, call_copy, call_delete);
    MPI_Comm_set_attr(world, key, value);
    ASSERT_EQ(MPI_Comm_dup(world, &copy), 0);
    EXPECT_EQ(seen.of_program, of_program<4>);
    MPI_Comm_get_attr(copy, key, static_cast<void *>(&got), &flag);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(got, value + 3);
    EXPECT_EQ(MPI_Comm_free(&copy), 0);
    EXPECT_EQ(seen.of_program, of_program<5>);
    MPI_Comm_delete_attr(world, key);
}

// Who passed no function has none to be called.
TEST_F(cxx_layer, leaves_attributes_without_functions_alone) {
    int key = 0;
    int copy = 0;
    int flag = 1;
    void *got = nullptr;
    MPI_Comm_create_keyval(nullptr, nullptr, &key, nullptr);
    MPII_Keyval_set_proxy(key, call_copy, call_delete);
    MPI_Comm_set_attr(world, key, &key);
    ASSERT_EQ(MPI_Comm_dup(world, &copy), 0);
    MPI_Comm_get_attr(copy, key, static_cast<void *>(&got), &flag);
    EXPECT_EQ(flag, 0);
    EXPECT_EQ(MPI_Comm_free(&copy), 0);
    EXPECT_EQ(seen.of_program, nullptr);
}

} // namespace
