// SPDX-License-Identifier: MIT
// Tests of MPI_Dims_create: balance, given dimensions and refusals.
#include "mpi/core/interface/functions.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace saguaro::mpi {
namespace {

std::vector<int> chosen(int nodes, std::vector<int> dims) {
    EXPECT_EQ(core::dims_create(nodes, static_cast<int>(dims.size()), dims.data()), abi::success);
    return dims;
}

int refused(int nodes, std::vector<int> dims) {
    return core::dims_create(nodes, static_cast<int>(dims.size()), dims.data());
}

using dims = std::vector<int>;

TEST(dimensions, are_as_close_as_the_factors_allow) {
    EXPECT_EQ(chosen(6, {0, 0}), (dims{3, 2}));
    EXPECT_EQ(chosen(7, {0, 0, 0}), (dims{7, 1, 1}));
    EXPECT_EQ(chosen(72, {0, 0}), (dims{9, 8}));
    EXPECT_EQ(chosen(1000000000, {0, 0, 0}), (dims{1000, 1000, 1000}));
    EXPECT_EQ(chosen(131072, dims(17)), dims(17, 2));
    // Equally close: 20 x 18 x 14 as well, and 24 x 20 x 13.
    EXPECT_EQ(chosen(5040, {0, 0, 0}), (dims{21, 16, 15}));
    EXPECT_EQ(chosen(6240, {0, 0, 0}), (dims{26, 16, 15}));
    EXPECT_EQ(chosen(98784, dims(5)), (dims{14, 14, 9, 8, 7}));
}

TEST(dimensions, keep_what_is_given) {
    EXPECT_EQ(chosen(6, {0, 3, 0}), (dims{2, 3, 1}));
    EXPECT_EQ(chosen(24, {0, 2, 0, 3}), (dims{2, 2, 2, 3}));
    EXPECT_EQ(chosen(6, {2, 3}), (dims{2, 3}));
}

TEST(dimensions, that_do_not_fit_are_refused) {
    EXPECT_EQ(refused(7, {0, 2}), abi::err_dims);
    EXPECT_EQ(refused(6, {2, 2}), abi::err_dims);
    EXPECT_EQ(refused(6, {-1, 0}), abi::err_dims);
    EXPECT_EQ(refused(0, {0}), abi::err_arg);
    EXPECT_EQ(core::dims_create(4, -1, nullptr), abi::err_dims);
    EXPECT_EQ(core::dims_create(4, 1, nullptr), abi::err_arg);
    EXPECT_EQ(core::dims_create(1, 0, nullptr), abi::success);
}

} // namespace
} // namespace saguaro::mpi
