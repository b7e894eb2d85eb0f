// SPDX-License-Identifier: MIT
// Functions of MPICH's own, over the library itself. Handles are MPICH's ints.
#include <gtest/gtest.h>

#include <cstring>

extern "C" {
using handler_function = void (*)(int *, int *, ...);

int MPI_Init(int *, char ***);
int MPI_Finalize(void);
int MPI_Add_error_class(int *);
int MPI_Add_error_code(int, int *);
int MPI_Add_error_string(int, const char *);
int MPI_Error_class(int, int *);
int MPI_Error_string(int, char *, int *);
int MPI_Comm_set_errhandler(int, int);

int MPIX_Delete_error_class(int);
int MPIX_Delete_error_code(int);
int MPIX_Delete_error_string(int);
int MPIX_GPU_query_support(int, int *);
int MPIX_Query_cuda_support(void);
int MPIX_Query_hip_support(void);
int MPIX_Query_ze_support(void);
int PMPIX_Delete_error_class(int);
int PMPIX_GPU_query_support(int, int *);
int PMPIX_Query_cuda_support(void);
}

namespace {

constexpr int comm_self = 0x44000001;
constexpr int errors_return = 0x54000001;
constexpr int err_arg = 12;

class mpich_x : public testing::Test {
protected:
    static void SetUpTestSuite() {
        MPI_Init(nullptr, nullptr);
        MPI_Comm_set_errhandler(comm_self, errors_return);
    }
    static void TearDownTestSuite() { MPI_Finalize(); }
};

TEST_F(mpich_x, removes_errors_that_were_added) {
    int added_class = 0;
    int added_code = 0;
    ASSERT_EQ(MPI_Add_error_class(&added_class), 0);
    ASSERT_EQ(MPI_Add_error_code(added_class, &added_code), 0);
    ASSERT_EQ(MPI_Add_error_string(added_code, "too late"), 0);
    char text[512] = {};
    int length = 0;
    EXPECT_EQ(MPI_Error_string(added_code, text, &length), 0);
    EXPECT_STREQ(text, "too late");

    // A class is removed behind its codes, and a code behind its text.
    EXPECT_NE(MPIX_Delete_error_class(added_class), 0);
    EXPECT_NE(MPIX_Delete_error_code(added_code), 0);
    EXPECT_EQ(MPIX_Delete_error_string(added_code), 0);
    EXPECT_EQ(MPIX_Delete_error_code(added_code), 0);
    EXPECT_EQ(PMPIX_Delete_error_class(added_class), 0);
    EXPECT_NE(MPIX_Delete_error_class(added_class), 0);
    int found = 0;
    EXPECT_TRUE(MPI_Error_class(added_code, &found) != 0 || found != added_class);
}

TEST_F(mpich_x, has_no_support_for_graphics_processors) {
    for (int kind = 0; kind < 3; ++kind) {
        int is_supported = 1;
        EXPECT_EQ(MPIX_GPU_query_support(kind, &is_supported), 0);
        EXPECT_EQ(is_supported, 0);
    }
    int kept = 7;
    for (const int kind : {-1, 3}) {
        int found = 0;
        EXPECT_EQ(MPI_Error_class(MPIX_GPU_query_support(kind, &kept), &found), 0);
        EXPECT_EQ(found, err_arg);
    }
    EXPECT_EQ(kept, 7);
    EXPECT_NE(PMPIX_GPU_query_support(0, nullptr), 0);
    EXPECT_EQ(MPIX_Query_cuda_support(), 0);
    EXPECT_EQ(PMPIX_Query_cuda_support(), 0);
    EXPECT_EQ(MPIX_Query_hip_support(), 0);
    EXPECT_EQ(MPIX_Query_ze_support(), 0);
}

} // namespace
