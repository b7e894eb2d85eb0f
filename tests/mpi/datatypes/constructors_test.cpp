// SPDX-License-Identifier: MIT
// Bounds by the standard's examples, errors, and counts that no memory would hold.
#include "oracle.hpp"

#include "mpi/core/interface/constants.hpp"
#include "mpi/datatypes/arrays.hpp"
#include "mpi/datatypes/bounds_rule.hpp"
#include "mpi/datatypes/constructors.hpp"
#include "mpi/datatypes/layout.hpp"
#include "mpi/datatypes/predefined.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace {

using namespace datatypes_test;
using mpi::type_pointer;
namespace constants = mpi::abi;

struct record {
    int number;
    double value;
    char text[3];
};

type_pointer type_of_record() {
    const std::int64_t lengths[] = {1, 1, 3};
    const std::int64_t places[] = {offsetof(record, number), offsetof(record, value),
                                   offsetof(record, text)};
    const type_pointer types[] = {an_int(), basic(mpi::datatype::double_),
                                  basic(mpi::datatype::char_)};
    type_pointer made;
    EXPECT_EQ(mpi::type_struct(3, lengths, places, types, &made), 0);
    return made;
}

TEST(constructors, give_a_struct_the_compilers_extent) {
    const type_pointer type = type_of_record();
    EXPECT_EQ(type->size(), 15);
    EXPECT_EQ(type->extent(), std::int64_t{sizeof(record)});
    EXPECT_EQ(type->true_extent(), 19);
    EXPECT_FALSE(type->contiguous());
}

TEST(constructors, let_set_bounds_win) {
    type_pointer resized, made;
    mpi::type_resized(an_int(), -4, 2, &resized);
    EXPECT_EQ(resized->lower_bound(), -4);
    EXPECT_EQ(resized->extent(), 2);
    EXPECT_EQ(resized->true_lower_bound(), 0);
    EXPECT_EQ(resized->true_extent(), 4);
    const std::int64_t lengths[] = {1, 1};
    const std::int64_t places[] = {0, 100};
    const type_pointer types[] = {resized, basic(mpi::datatype::double_)};
    mpi::type_struct(2, lengths, places, types, &made);
    EXPECT_EQ(made->lower_bound(), -4);
    EXPECT_EQ(made->extent(), 2);
    EXPECT_EQ(made->true_extent(), 108);
}

TEST(constructors, know_what_is_contiguous) {
    type_pointer made;
    mpi::type_vector(5, 2, 2, an_int(), &made);
    EXPECT_TRUE(made->contiguous());
    mpi::type_vector(5, 2, 3, an_int(), &made);
    EXPECT_FALSE(made->contiguous());
    const std::int64_t lengths[] = {2, 3};
    const std::int64_t places[] = {4, 6};
    mpi::type_indexed(2, lengths, places, an_int(), &made);
    EXPECT_TRUE(made->contiguous());
    EXPECT_EQ(made->true_lower_bound(), 16);
    mpi::type_resized(made, 0, 40, &made);
    EXPECT_FALSE(made->contiguous());
    EXPECT_TRUE(an_int()->contiguous());
    EXPECT_FALSE(basic(mpi::datatype::double_int)->contiguous());
    EXPECT_TRUE(basic(mpi::datatype::two_int)->contiguous());
}

TEST(constructors, take_no_elements) {
    type_pointer empty, made;
    ASSERT_EQ(mpi::type_contiguous(0, an_int(), &empty), 0);
    expect_same_bounds(*empty, {});
    const std::int64_t lengths[] = {2, 1};
    const std::int64_t places[] = {100, 8};
    const type_pointer types[] = {empty, an_int()};
    ASSERT_EQ(mpi::type_struct(2, lengths, places, types, &made), 0);
    EXPECT_EQ(made->lower_bound(), 8);
    EXPECT_EQ(made->extent(), 4);
    ASSERT_EQ(mpi::type_struct(0, nullptr, nullptr, nullptr, &made), 0);
    EXPECT_EQ(made->extent(), 0);
    mpi::type_resized(empty, 0, 10, &made);
    mpi::type_contiguous(3, made, &made);
    EXPECT_EQ(made->size(), 0);
    EXPECT_EQ(made->extent(), 30);
    EXPECT_EQ(made->count_in(0), 0);
    EXPECT_EQ(made->count_in(1), -1);
}

TEST(constructors, report_errors_and_leave_the_result) {
    const std::int64_t good[] = {1, 1};
    const std::int64_t bad[] = {1, -1};
    const type_pointer with_null[] = {an_int(), nullptr};
    const type_pointer ints[] = {an_int(), an_int()};
    const type_pointer before = type_of_record();
    type_pointer made = before;
    EXPECT_EQ(mpi::type_contiguous(1, nullptr, &made), constants::err_type);
    EXPECT_EQ(mpi::type_contiguous(-1, an_int(), &made), constants::err_count);
    EXPECT_EQ(mpi::type_vector(1, 1, 1, nullptr, &made), constants::err_type);
    EXPECT_EQ(mpi::type_vector(-1, 1, 1, an_int(), &made), constants::err_count);
    EXPECT_EQ(mpi::type_vector(1, -1, 1, an_int(), &made), constants::err_count);
    EXPECT_EQ(mpi::type_hvector(1, 1, 1, nullptr, &made), constants::err_type);
    EXPECT_EQ(mpi::type_hvector(1, -1, 1, an_int(), &made), constants::err_count);
    EXPECT_EQ(mpi::type_indexed(2, good, good, nullptr, &made), constants::err_type);
    EXPECT_EQ(mpi::type_indexed(-1, good, good, an_int(), &made), constants::err_count);
    EXPECT_EQ(mpi::type_indexed(2, bad, good, an_int(), &made), constants::err_count);
    EXPECT_EQ(mpi::type_hindexed(2, good, good, nullptr, &made), constants::err_type);
    EXPECT_EQ(mpi::type_hindexed(2, bad, good, an_int(), &made), constants::err_count);
    EXPECT_EQ(mpi::type_indexed_block(2, 1, good, nullptr, &made), constants::err_type);
    EXPECT_EQ(mpi::type_indexed_block(2, -1, good, an_int(), &made), constants::err_count);
    EXPECT_EQ(mpi::type_hindexed_block(2, 1, good, nullptr, &made), constants::err_type);
    EXPECT_EQ(mpi::type_hindexed_block(-1, 1, good, an_int(), &made), constants::err_count);
    EXPECT_EQ(mpi::type_struct(2, good, good, with_null, &made), constants::err_type);
    EXPECT_EQ(mpi::type_struct(2, bad, good, ints, &made), constants::err_count);
    EXPECT_EQ(mpi::type_resized(nullptr, 0, 1, &made), constants::err_type);
    EXPECT_EQ(mpi::type_dup(nullptr, &made), constants::err_type);
    EXPECT_EQ(made, before);
}

int subarray(std::int64_t size, std::int64_t subsize, std::int64_t start, int order,
             int dimensions = 1) {
    type_pointer made;
    return mpi::type_subarray(dimensions, &size, &subsize, &start, order, an_int(), &made);
}

TEST(constructors, report_arguments_of_arrays_that_cannot_be) {
    EXPECT_EQ(subarray(4, 2, 2, constants::order_c), 0);
    EXPECT_EQ(subarray(4, 2, 3, constants::order_c), constants::err_arg);
    EXPECT_EQ(subarray(4, 5, 0, constants::order_c), constants::err_arg);
    EXPECT_EQ(subarray(4, -1, 0, constants::order_c), constants::err_arg);
    EXPECT_EQ(subarray(4, 1, -1, constants::order_c), constants::err_arg);
    EXPECT_EQ(subarray(0, 0, 0, constants::order_c), constants::err_arg);
    EXPECT_EQ(subarray(4, 1, 0, 13), constants::err_arg);
    EXPECT_EQ(subarray(4, 1, 0, constants::order_c, 0), constants::err_arg);

    auto darray = [](int processes, int rank, int kind, int argument, int grid) {
        const std::int64_t size = 10;
        type_pointer made;
        return mpi::type_darray(processes, rank, 1, &size, &kind, &argument, &grid,
                                constants::order_c, an_int(), &made);
    };
    EXPECT_EQ(darray(3, 2, constants::distribute_block, 4, 3), 0);
    EXPECT_EQ(darray(3, 2, constants::distribute_block, 3, 3), constants::err_arg);
    EXPECT_EQ(darray(3, 3, constants::distribute_block, 4, 3), constants::err_arg);
    EXPECT_EQ(darray(4, 2, constants::distribute_block, 4, 3), constants::err_arg);
    EXPECT_EQ(darray(3, 2, constants::distribute_cyclic, 0, 3), constants::err_arg);
    EXPECT_EQ(darray(3, 2, constants::distribute_none, 1, 3), constants::err_arg);
    EXPECT_EQ(darray(3, 2, 1, 1, 3), constants::err_arg);
}

TEST(constructors, report_what_takes_more_than_63_bits) {
    constexpr std::int64_t much = std::int64_t{1} << 40;
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const std::int64_t one = 1;
    type_pointer big, made;
    ASSERT_EQ(mpi::type_contiguous(much, an_int(), &big), 0);
    EXPECT_EQ(mpi::type_contiguous(much, big, &made), constants::err_count);
    EXPECT_EQ(mpi::type_vector(2, 1, much, big, &made), constants::err_count);
    EXPECT_EQ(mpi::type_hvector(3, 1, most, an_int(), &made), constants::err_count);
    EXPECT_EQ(mpi::type_indexed(1, &one, &most, an_int(), &made), constants::err_count);
    EXPECT_EQ(mpi::type_hindexed(1, &one, &most, an_int(), &made), constants::err_count);
    EXPECT_EQ(mpi::type_resized(an_int(), most, 1, &made), constants::err_count);
    const std::int64_t sizes[] = {much, much};
    const std::int64_t ones[] = {1, 1};
    const std::int64_t zeros[] = {0, 0};
    EXPECT_EQ(mpi::type_subarray(2, sizes, ones, zeros, constants::order_c, an_int(), &made),
              constants::err_count);
    // The same data again and again: the bounds are small, the size is not.
    EXPECT_EQ(mpi::type_hvector(most, 1, 0, an_int(), &made), constants::err_count);
}

TEST(constructors, take_more_elements_than_an_int_counts) {
    constexpr std::int64_t count = (std::int64_t{1} << 31) + 5;
    type_pointer row, matrix;
    ASSERT_EQ(mpi::type_vector(count, 1, 3, basic(mpi::datatype::double_), &row), 0);
    EXPECT_EQ(row->size(), count * 8);
    EXPECT_EQ(row->extent(), (count - 1) * 24 + 8);
    EXPECT_EQ(row->elements(), count);
    EXPECT_EQ(row->elements_in(count * 8 - 8), count - 1);
    ASSERT_EQ(mpi::type_hvector(1000, 2, count * 100, row, &matrix), 0);
    EXPECT_EQ(matrix->elements(), count * 2000);
    EXPECT_EQ(matrix->count_in(count * 32000), 2);
    EXPECT_EQ(matrix->elements_in(count * 32000), count * 4000);

    // A few bytes far away: element `count` of contiguous chars, in the middle of the stream.
    type_pointer pairs, all;
    ASSERT_EQ(mpi::type_vector(2, 1, 2, basic(mpi::datatype::char_), &pairs), 0);
    ASSERT_EQ(mpi::type_contiguous(count, pairs, &all), 0);
    const char text[] = "0123456789";
    const std::int64_t before = (count - 3) * pairs->extent();
    char stream[5] = {};
    mpi::pack(*all,
              reinterpret_cast<const void *>(reinterpret_cast<std::uintptr_t>(text) -
                                             static_cast<std::uintptr_t>(before)),
              1, 2 * (count - 3) + 1, stream, 4);
    EXPECT_STREQ(stream, "2356");
}

// Steps that no type takes must not be computed: they need more than 63 bits.
TEST(constructors, take_steps_that_end_before_the_second) {
    type_pointer row, made;
    ASSERT_EQ(mpi::type_hvector(2, 1, std::int64_t{1} << 62, an_int(), &row), 0);
    ASSERT_EQ(mpi::type_hvector(2, 1, 4, row, &made), 0);
    EXPECT_EQ(made->size(), 16);
    EXPECT_EQ(made->true_extent(), (std::int64_t{1} << 62) + 8);

    constexpr int most = std::numeric_limits<int>::max();
    const std::int64_t size = 10;
    for (int kind : {constants::distribute_block, constants::distribute_cyclic})
        for (int rank : {0, 1, most - 1}) {
            ASSERT_EQ(mpi::type_darray(most, rank, 1, &size, &kind, &most, &most,
                                       constants::order_c, basic(mpi::datatype::long_double),
                                       &made),
                      0);
            EXPECT_EQ(made->size(), rank == 0 ? 160 : 0);
            EXPECT_EQ(made->extent(), 160);
        }
}

// What keeps nested types fast.
TEST(constructors, bring_nested_types_to_normal_form) {
    using mpi::layouts::node;
    type_pointer inner, made;
    // Vectors whose steps go on are one.
    mpi::type_vector(4, 1, 2, basic(mpi::datatype::double_), &inner);
    mpi::type_hvector(5, 1, 64, inner, &made);
    const node *shape = made->layout().shape.get();
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->what, node::kind::strided);
    EXPECT_EQ(shape->count, 20);
    EXPECT_FALSE(shape->child);
    // Indices in even steps are a vector; blocks that touch are one.
    const std::int64_t even[] = {0, 2, 4};
    mpi::type_indexed_block(3, 1, even, an_int(), &made);
    EXPECT_EQ(made->layout().shape->what, node::kind::strided);
    const std::int64_t touching[] = {0, 1, 2, 3, 6, 7};
    mpi::type_indexed_block(6, 1, touching, an_int(), &made);
    EXPECT_EQ(made->layout().shape->what, node::kind::list);
    EXPECT_EQ(made->layout().shape->displacements.size(), 2U);
    // Only a few of these touch.
    const std::int64_t uneven[] = {0, 2, 6, 7};
    mpi::type_indexed_block(4, 1, uneven, an_int(), &made);
    EXPECT_EQ(made->layout().shape->what, node::kind::blocks);
    EXPECT_EQ(made->layout().shape->displacements.size(), 4U);
    // A struct of structs is one list.
    const std::int64_t lengths[] = {1, 2};
    const std::int64_t offsets[] = {0, 24};
    const type_pointer types[] = {type_of_record(), type_of_record()};
    mpi::type_struct(2, lengths, offsets, types, &made);
    ASSERT_EQ(made->layout().shape->what, node::kind::list);
    EXPECT_EQ(made->layout().shape->displacements.size(), 6U);
    EXPECT_TRUE(made->layout().shape->children.empty());
}

// A struct of these at these places.
type_pointer struct_of(std::initializer_list<std::pair<mpi::datatype, std::int64_t>> parts) {
    const std::vector<std::int64_t> lengths(parts.size(), 1);
    std::vector<std::int64_t> places;
    std::vector<type_pointer> types;
    for (const auto &[type, place] : parts) {
        types.push_back(basic(type));
        places.push_back(place);
    }
    type_pointer made;
    EXPECT_EQ(
        mpi::type_struct(std::ssize(types), lengths.data(), places.data(), types.data(), &made),
        constants::success);
    return made;
}

TEST(structs, have_the_bounds_that_mpi_1_marked) {
    using mpi::datatype;
    const auto bounded = struct_of({{datatype::lb, -3}, {datatype::int_, 0}, {datatype::ub, 6}});
    EXPECT_EQ(bounded->lower_bound(), -3);
    EXPECT_EQ(bounded->extent(), 9);
    EXPECT_EQ(bounded->size(), 4);
    EXPECT_EQ(bounded->true_extent(), 4);
    EXPECT_EQ(bounded->elements(), 1);
    // The bounds stay in what is made of it: the outermost ones.
    type_pointer two;
    mpi::type_contiguous(2, bounded, &two);
    EXPECT_EQ(two->lower_bound(), -3);
    EXPECT_EQ(two->extent(), 18);
    const auto around = struct_of({{datatype::lb, -7}, {datatype::int_, 0}, {datatype::lb, -3}});
    EXPECT_EQ(around->lower_bound(), -7);
    // One alone leaves the other end where the bytes are.
    const auto above = struct_of({{datatype::int_, 10}, {datatype::ub, 20}});
    EXPECT_EQ(above->lower_bound(), 10);
    EXPECT_EQ(above->extent(), 10);
    const auto below = struct_of({{datatype::lb, 2}, {datatype::int_, 10}});
    EXPECT_EQ(below->lower_bound(), 2);
    EXPECT_EQ(below->extent(), 12);
    const auto alone = struct_of({{datatype::lb, 10}});
    EXPECT_EQ(alone->lower_bound(), 10);
    EXPECT_EQ(alone->extent(), -10);
    EXPECT_EQ(alone->size(), 0);
    EXPECT_EQ(basic(datatype::ub)->extent(), 0);
}

// MPICH's rule, whose numbers are what MPICH 4.0.2 says.
class mpichs_bounds : public testing::Test {
protected:
    mpichs_bounds() { mpi::bounds_by = mpi::bounds_rule::outermost; }
    ~mpichs_bounds() override { mpi::bounds_by = mpi::bounds_rule::marked; }

    static type_pointer resized(const type_pointer &of, std::int64_t lower, std::int64_t extent) {
        type_pointer made;
        EXPECT_EQ(mpi::type_resized(of, lower, extent, &made), constants::success);
        return made;
    }

    struct member {
        type_pointer type;
        std::int64_t at;
    };
    static type_pointer struct_with(const std::vector<member> &members) {
        const std::vector<std::int64_t> lengths(members.size(), 1);
        std::vector<std::int64_t> places;
        std::vector<type_pointer> types;
        for (const member &each : members) {
            types.push_back(each.type);
            places.push_back(each.at);
        }
        type_pointer made;
        EXPECT_EQ(
            mpi::type_struct(std::ssize(types), lengths.data(), places.data(), types.data(), &made),
            constants::success);
        return made;
    }

    static void expect_bounds(const type_pointer &of, std::int64_t lower, std::int64_t extent) {
        EXPECT_EQ(of->lower_bound(), lower);
        EXPECT_EQ(of->extent(), extent);
    }
};

TEST_F(mpichs_bounds, of_a_struct_reach_beyond_a_resized_member) {
    const type_pointer number = basic(mpi::datatype::double_);
    type_pointer three;
    mpi::type_contiguous(3, number, &three);
    const type_pointer point = struct_with({{resized(three, 0, 24), 0}, {number, 24}});
    expect_bounds(point, 0, 32);
    EXPECT_TRUE(point->contiguous());
    expect_bounds(struct_with({{resized(an_int(), 0, 16), 0}, {number, 80}}), 0, 88);
    // A resized member's own bounds count as well, and the whole is rounded up.
    expect_bounds(struct_with({{resized(an_int(), -4, 2), 0}, {number, 100}}), -4, 112);
    expect_bounds(struct_with({{resized(an_int(), 0, 29), 0}, {number, 8}}), 0, 32);
}

TEST_F(mpichs_bounds, of_other_constructors_are_those_of_the_standard) {
    const type_pointer wide = resized(an_int(), -3, 9);
    type_pointer made;
    mpi::type_contiguous(2, wide, &made);
    expect_bounds(made, -3, 18);
    mpi::type_vector(2, 2, 3, wide, &made);
    expect_bounds(made, -3, 45);
}

TEST_F(mpichs_bounds, of_members_of_one_type_are_not_rounded_up) {
    type_pointer copy;
    mpi::type_dup(an_int(), &copy);
    expect_bounds(struct_with({{an_int(), 0}, {copy, 5}}), 0, 9);
    expect_bounds(struct_with({{an_int(), 0}, {basic(mpi::datatype::unsigned_), 5}}), 0, 9);
    expect_bounds(struct_with({{an_int(), 0}, {basic(mpi::datatype::float_), 5}}), 0, 12);
    expect_bounds(struct_with({{an_int(), 0}, {basic(mpi::datatype::wchar), 5}}), 0, 12);
}

TEST_F(mpichs_bounds, that_are_marked_end_with_their_struct) {
    using mpi::datatype;
    const type_pointer least = basic(datatype::lb);
    const type_pointer most = basic(datatype::ub);
    const type_pointer little = basic(datatype::short_);
    expect_bounds(struct_with({{least, -3}, {an_int(), 0}, {little, 5}, {most, 40}}), -3, 43);
    expect_bounds(struct_with({{least, -3}, {an_int(), 0}, {little, 5}}), -3, 11);
    const type_pointer marked = struct_with({{an_int(), 0}, {little, 5}, {most, 40}});
    expect_bounds(marked, 0, 40);
    expect_bounds(struct_with({{marked, 0}, {basic(datatype::double_), 64}}), 0, 72);
    // Of several the last one counts.
    expect_bounds(struct_with({{least, -3}, {most, 40}, {an_int(), 0}, {least, -1}, {most, 20}}),
                  -1, 21);
}

TEST_F(mpichs_bounds, that_are_too_far_from_each_other_are_refused) {
    const type_pointer types[] = {basic(mpi::datatype::lb), an_int(), basic(mpi::datatype::ub)};
    const std::int64_t lengths[] = {1, 1, 1};
    const std::int64_t places[] = {std::numeric_limits<std::int64_t>::min(), 0, 1};
    type_pointer made;
    EXPECT_EQ(mpi::type_struct(3, lengths, places, types, &made), constants::err_count);
}

TEST_F(mpichs_bounds, of_no_bytes_are_a_place) {
    type_pointer empty;
    mpi::type_contiguous(0, an_int(), &empty);
    expect_bounds(struct_with({{empty, 100}, {an_int(), 8}}), 8, 92);
    expect_bounds(struct_with({{empty, 100}, {empty, 8}}), 0, 0);
}

} // namespace
