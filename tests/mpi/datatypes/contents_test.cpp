// SPDX-License-Identifier: MIT
// Tests that a constructor's arguments can be queried, and make the same type again.
#include "oracle.hpp"

#include "mpi/core/interface/constants.hpp"
#include "mpi/datatypes/arrays.hpp"
#include "mpi/datatypes/constructors.hpp"
#include "mpi/datatypes/predefined.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace {

using namespace datatypes_test;
using mpi::combiner;
using mpi::contents;
using mpi::type_pointer;
using numbers = std::vector<std::int64_t>;

// The arguments of a call one after the other, wherever the contents have them.
class arguments {
public:
    explicit arguments(const contents &of) : of_(of), large_(!of.counts.empty()) {}

    mpi::call_form form() const { return large_ ? mpi::call_form::large : mpi::call_form::plain; }
    int integer() { return of_.integers.at(integer_++); }
    std::int64_t count() { return large_ ? of_.counts.at(count_++) : integer(); }
    std::int64_t address() {
        return large_ ? of_.counts.at(count_++) : of_.addresses.at(address_++);
    }
    numbers counts(std::int64_t how_many) {
        numbers made;
        for (std::int64_t i = 0; i != how_many; ++i)
            made.push_back(count());
        return made;
    }
    numbers addresses(std::int64_t how_many) {
        numbers made;
        for (std::int64_t i = 0; i != how_many; ++i)
            made.push_back(address());
        return made;
    }
    std::vector<int> integers(int how_many) {
        std::vector<int> made;
        for (int i = 0; i != how_many; ++i)
            made.push_back(integer());
        return made;
    }
    bool all_used() const {
        return integer_ == of_.integers.size() && count_ == of_.counts.size() &&
               address_ == of_.addresses.size();
    }

private:
    const contents &of_;
    bool large_;
    std::size_t integer_ = 0, count_ = 0, address_ = 0;
};

type_pointer made_again(const type_pointer &type);

type_pointer call_again(const contents &of, const std::vector<type_pointer> &types,
                        arguments &with) {
    type_pointer made;
    const mpi::call_form form = with.form();
    switch (of.made_by) {
    case combiner::dup:
        mpi::type_dup(types.at(0), &made);
        break;
    case combiner::contiguous:
        mpi::type_contiguous(with.count(), types.at(0), &made, form);
        break;
    case combiner::vector:
    case combiner::hvector: {
        const std::int64_t count = with.count();
        const std::int64_t length = with.count();
        if (of.made_by == combiner::vector)
            mpi::type_vector(count, length, with.count(), types.at(0), &made, form);
        else
            mpi::type_hvector(count, length, with.address(), types.at(0), &made, form);
        break;
    }
    case combiner::indexed: {
        const std::int64_t count = with.count();
        const numbers lengths = with.counts(count);
        mpi::type_indexed(count, lengths.data(), with.counts(count).data(), types.at(0), &made,
                          form);
        break;
    }
    case combiner::hindexed: {
        const std::int64_t count = with.count();
        const numbers lengths = with.counts(count);
        mpi::type_hindexed(count, lengths.data(), with.addresses(count).data(), types.at(0), &made,
                           form);
        break;
    }
    case combiner::indexed_block: {
        const std::int64_t count = with.count();
        const std::int64_t length = with.count();
        mpi::type_indexed_block(count, length, with.counts(count).data(), types.at(0), &made, form);
        break;
    }
    case combiner::hindexed_block: {
        const std::int64_t count = with.count();
        const std::int64_t length = with.count();
        mpi::type_hindexed_block(count, length, with.addresses(count).data(), types.at(0), &made,
                                 form);
        break;
    }
    case combiner::structure: {
        const std::int64_t count = with.count();
        const numbers lengths = with.counts(count);
        mpi::type_struct(count, lengths.data(), with.addresses(count).data(), types.data(), &made,
                         form);
        break;
    }
    case combiner::subarray: {
        const int dimensions = with.integer();
        const numbers sizes = with.counts(dimensions);
        const numbers subsizes = with.counts(dimensions);
        const numbers starts = with.counts(dimensions);
        mpi::type_subarray(dimensions, sizes.data(), subsizes.data(), starts.data(), with.integer(),
                           types.at(0), &made, form);
        break;
    }
    case combiner::darray: {
        const int processes = with.integer();
        const int rank = with.integer();
        const int dimensions = with.integer();
        const numbers sizes = with.counts(dimensions);
        const std::vector<int> kinds = with.integers(dimensions);
        const std::vector<int> extra = with.integers(dimensions);
        const std::vector<int> grid = with.integers(dimensions);
        mpi::type_darray(processes, rank, dimensions, sizes.data(), kinds.data(), extra.data(),
                         grid.data(), with.integer(), types.at(0), &made, form);
        break;
    }
    case combiner::resized: {
        const std::int64_t lower = with.address();
        mpi::type_resized(types.at(0), lower, with.address(), &made, form);
        break;
    }
    default:
        ADD_FAILURE() << "combiner " << static_cast<int>(of.made_by);
    }
    return made;
}

type_pointer made_again(const type_pointer &type) {
    if (type->predefined() != mpi::datatype::null)
        return type;
    const contents &of = type->made_from();
    std::vector<type_pointer> types;
    for (const type_pointer &each : of.types)
        types.push_back(made_again(each));
    arguments with(of);
    type_pointer made = call_again(of, types, with);
    EXPECT_TRUE(with.all_used());
    return made;
}

TEST(contents, make_the_same_type_again) {
    std::mt19937 random(17);
    for (int round = 0; round != 3000; ++round) {
        SCOPED_TRACE(round);
        const twins of = random_type(random, 1 + round % 4, usual_basics);
        const type_pointer again = made_again(of.type);
        ASSERT_TRUE(again);
        expect_same_bounds(*again, of.map);
        memory from(of.map, 2, random);
        const auto size = static_cast<std::size_t>(2 * of.map.size());
        std::vector<std::byte> one(size), other(size);
        mpi::pack(*of.type, from.buffer(), 2, 0, one.data(), std::ssize(one));
        mpi::pack(*again, from.buffer(), 2, 0, other.data(), std::ssize(other));
        ASSERT_EQ(one, other);
        if (HasFailure())
            return;
    }
}

TEST(contents, of_a_predefined_type_are_its_name) {
    const contents &of = an_int()->made_from();
    EXPECT_EQ(of.made_by, combiner::named);
    EXPECT_TRUE(of.integers.empty() && of.addresses.empty() && of.counts.empty());
    EXPECT_TRUE(of.types.empty());
}

TEST(contents, are_in_the_standards_order) {
    const std::int64_t lengths[] = {1, 2};
    const std::int64_t places[] = {0, 16};
    const type_pointer types[] = {an_int(), mpi::predefined_object(mpi::datatype::double_)};
    type_pointer type;

    mpi::type_struct(2, lengths, places, types, &type);
    EXPECT_EQ(type->made_from().made_by, combiner::structure);
    EXPECT_EQ(type->made_from().integers, (std::vector<int>{2, 1, 2}));
    EXPECT_EQ(type->made_from().addresses, (numbers{0, 16}));
    EXPECT_TRUE(type->made_from().counts.empty());
    EXPECT_EQ(type->made_from().types, (std::vector<type_pointer>{types[0], types[1]}));

    mpi::type_struct(2, lengths, places, types, &type, mpi::call_form::large);
    EXPECT_TRUE(type->made_from().integers.empty() && type->made_from().addresses.empty());
    EXPECT_EQ(type->made_from().counts, (numbers{2, 1, 2, 0, 16}));

    const std::int64_t sizes[] = {5, 6};
    const std::int64_t subsizes[] = {2, 3};
    const std::int64_t starts[] = {1, 2};
    mpi::type_subarray(2, sizes, subsizes, starts, mpi::abi::order_c, an_int(), &type);
    EXPECT_EQ(type->made_from().integers, (std::vector<int>{2, 5, 6, 2, 3, 1, 2, 12}));
    mpi::type_subarray(2, sizes, subsizes, starts, mpi::abi::order_fortran, an_int(), &type,
                       mpi::call_form::large);
    EXPECT_EQ(type->made_from().integers, (std::vector<int>{2, 15}));
    EXPECT_EQ(type->made_from().counts, (numbers{5, 6, 2, 3, 1, 2}));

    const int kinds[] = {mpi::abi::distribute_block, mpi::abi::distribute_cyclic};
    const int extra[] = {3, mpi::abi::distribute_dflt_darg};
    const int grid[] = {2, 3};
    mpi::type_darray(6, 4, 2, sizes, kinds, extra, grid, mpi::abi::order_c, an_int(), &type);
    EXPECT_EQ(type->made_from().integers,
              (std::vector<int>{6, 4, 2, 5, 6, 17, 18, 3, 19, 2, 3, 12}));
    mpi::type_darray(6, 4, 2, sizes, kinds, extra, grid, mpi::abi::order_c, an_int(), &type,
                     mpi::call_form::large);
    EXPECT_EQ(type->made_from().integers, (std::vector<int>{6, 4, 2, 17, 18, 3, 19, 2, 3, 12}));
    EXPECT_EQ(type->made_from().counts, (numbers{5, 6}));
}

TEST(contents, are_counts_where_an_int_has_no_room) {
    type_pointer type;
    mpi::type_contiguous(std::int64_t{3} << 30, an_int(), &type);
    EXPECT_TRUE(type->made_from().integers.empty());
    EXPECT_EQ(type->made_from().counts, (numbers{std::int64_t{3} << 30}));
}

TEST(contents, keep_the_old_types_alive) {
    type_pointer inner, outer;
    mpi::type_contiguous(3, an_int(), &inner);
    std::weak_ptr<const mpi::datatype_object> watched = inner;
    mpi::type_vector(2, 1, 2, inner, &outer);
    inner.reset();
    EXPECT_FALSE(watched.expired());
    EXPECT_EQ(outer->made_from().types.at(0), watched.lock());
    outer.reset();
    EXPECT_TRUE(watched.expired());
}

} // namespace
