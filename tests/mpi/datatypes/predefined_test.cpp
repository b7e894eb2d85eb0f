// SPDX-License-Identifier: MIT
// The predefined types against the compiler's, Fortran's types by precision, and handles.
#include "mpi/core/interface/constants.hpp"
#include "mpi/datatypes/constructors.hpp"
#include "mpi/datatypes/fortran.hpp"
#include "mpi/datatypes/predefined.hpp"
#include "mpi/datatypes/table.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <string>

namespace saguaro::mpi {
namespace {

template <class value>
struct with_index {
    value first;
    int index;
};

template <class type>
void expect_type(datatype which, basic_kind kind) {
    const type_pointer &object = predefined_object(which);
    ASSERT_TRUE(object);
    EXPECT_EQ(object->extent(), std::int64_t{sizeof(type)});
    EXPECT_EQ(object->all_bounds().alignment, std::int64_t{alignof(type)});
    EXPECT_EQ(object->kind(), kind);
    EXPECT_EQ(object->predefined(), which);
}

TEST(predefined, are_those_of_the_compiler) {
    expect_type<char>(datatype::char_, basic_kind::int8);
    expect_type<short>(datatype::short_, basic_kind::int16);
    expect_type<unsigned>(datatype::unsigned_, basic_kind::uint32);
    expect_type<long>(datatype::long_, basic_kind::int64);
    expect_type<unsigned long>(datatype::unsigned_long, basic_kind::uint64);
    expect_type<long long>(datatype::long_long, basic_kind::int64);
    expect_type<float>(datatype::float_, basic_kind::float32);
    expect_type<double>(datatype::double_, basic_kind::float64);
    expect_type<long double>(datatype::long_double, basic_kind::long_double);
    expect_type<wchar_t>(datatype::wchar, basic_kind::uint32);
    expect_type<bool>(datatype::cxx_bool, basic_kind::uint8);
    expect_type<std::complex<float>>(datatype::c_float_complex, basic_kind::complex32);
    expect_type<std::complex<double>>(datatype::double_complex, basic_kind::complex64);
    expect_type<std::complex<long double>>(datatype::c_long_double_complex,
                                           basic_kind::complex_long_double);
    expect_type<with_index<float>>(datatype::float_int, basic_kind::float_int);
    expect_type<with_index<double>>(datatype::double_int, basic_kind::double_int);
    expect_type<with_index<long>>(datatype::long_int, basic_kind::long_int);
    expect_type<with_index<short>>(datatype::short_int, basic_kind::short_int);
    expect_type<with_index<int>>(datatype::two_int, basic_kind::int_int);
    expect_type<with_index<long double>>(datatype::long_double_int, basic_kind::long_double_int);
}

TEST(predefined, have_fortrans_sizes) {
    const struct {
        datatype which;
        std::int64_t size;
    } sizes[] = {{datatype::character, 1},
                 {datatype::logical, 4},
                 {datatype::integer, 4},
                 {datatype::real, 4},
                 {datatype::double_precision, 8},
                 {datatype::complex, 8},
                 {datatype::double_complex, 16},
                 {datatype::integer1, 1},
                 {datatype::integer2, 2},
                 {datatype::integer4, 4},
                 {datatype::integer8, 8},
                 {datatype::integer16, 16},
                 {datatype::real2, 2},
                 {datatype::real4, 4},
                 {datatype::real8, 8},
                 {datatype::real16, 16},
                 {datatype::complex4, 4},
                 {datatype::complex8, 8},
                 {datatype::complex16, 16},
                 {datatype::complex32, 32},
                 {datatype::logical1, 1},
                 {datatype::logical16, 16},
                 {datatype::two_real, 8},
                 {datatype::two_double_precision, 16},
                 {datatype::two_integer, 8}};
    for (auto &row : sizes) {
        SCOPED_TRACE(find_predefined(row.which)->name);
        EXPECT_EQ(predefined_object(row.which)->size(), row.size);
        EXPECT_EQ(predefined_object(row.which)->extent(), row.size);
    }
}

TEST(predefined, of_pairs_have_two_elements_and_no_padding_in_the_stream) {
    const type_pointer &pair = predefined_object(datatype::short_int);
    EXPECT_EQ(pair->size(), 6);
    EXPECT_EQ(pair->elements(), 2);
    EXPECT_EQ(pair->elements_in(8), 3);
    EXPECT_EQ(pair->elements_in(7), -1);
    EXPECT_EQ(predefined_object(datatype::long_double_int)->size(),
              std::int64_t{sizeof(long double) + sizeof(int)});
}

TEST(predefined, are_found_by_number_only) {
    EXPECT_FALSE(predefined_object(datatype::null));
    EXPECT_FALSE(predefined_object(datatype{0x204}));
    EXPECT_FALSE(predefined_object(datatype{0}));
    EXPECT_FALSE(predefined_object(datatype{5000}));
    EXPECT_STREQ(find_predefined(datatype::int32_t)->name, "MPI_INT32_T");
    for (const predefined_type &row : predefined_types())
        EXPECT_EQ(predefined_object(row.number)->predefined(), row.number) << row.name;
}

TEST(predefined, match_classes_sizes_and_pairs) {
    EXPECT_EQ(match_size(abi::typeclass_real, 8), datatype::real8);
    EXPECT_EQ(match_size(abi::typeclass_integer, 2), datatype::integer2);
    EXPECT_EQ(match_size(abi::typeclass_complex, 8), datatype::complex8);
    EXPECT_EQ(match_size(abi::typeclass_logical, 4), datatype::logical4);
    EXPECT_EQ(match_size(abi::typeclass_real, 3), datatype::null);
    EXPECT_EQ(match_size(7, 4), datatype::null);
    EXPECT_EQ(match_value_index(datatype::double_, datatype::int_), datatype::double_int);
    EXPECT_EQ(match_value_index(datatype::int_, datatype::double_), datatype::null);
}

TEST(predefined, have_groups_that_duplicates_keep) {
    type_pointer made;
    type_dup(predefined_object(datatype::logical), &made);
    EXPECT_EQ(made->group(), basic_group::logical);
    EXPECT_EQ(made->predefined(), datatype::null);
    EXPECT_EQ(made->kind(), basic_kind::int32);
    type_contiguous(2, predefined_object(datatype::logical), &made);
    EXPECT_EQ(made->group(), basic_group::none);
    EXPECT_EQ(made->kind(), basic_kind::int32);
}

TEST(predefined, give_their_kind_to_types_of_that_kind_alone) {
    const std::int64_t lengths[] = {1, 2};
    const std::int64_t places[] = {0, 8};
    const type_pointer same[] = {predefined_object(datatype::int_),
                                 predefined_object(datatype::integer)};
    const type_pointer different[] = {predefined_object(datatype::int_),
                                      predefined_object(datatype::float_)};
    type_pointer made;
    type_struct(2, lengths, places, same, &made);
    EXPECT_EQ(made->kind(), basic_kind::int32);
    EXPECT_EQ(made->elements(), 3);
    type_struct(2, lengths, places, different, &made);
    EXPECT_EQ(made->kind(), basic_kind::none);
}

std::int64_t real_size(int precision, int range) {
    type_pointer made;
    return type_f90_real(precision, range, &made) == 0 ? made->size() : -1;
}

TEST(fortran, picks_the_least_kind) {
    EXPECT_EQ(real_size(6, 37), 4);
    EXPECT_EQ(real_size(7, abi::undefined), 8);
    EXPECT_EQ(real_size(abi::undefined, 38), 8);
    EXPECT_EQ(real_size(16, 0), 16);
    EXPECT_EQ(real_size(33, 4931), 16);
    EXPECT_EQ(real_size(34, 0), -1);
    EXPECT_EQ(real_size(abi::undefined, abi::undefined), -1);
    type_pointer made;
    EXPECT_EQ(type_f90_complex(15, 307, &made), 0);
    EXPECT_EQ(made->size(), 16);
    EXPECT_EQ(made->group(), basic_group::complex);
    EXPECT_EQ(made->made_from().made_by, combiner::f90_complex);
    EXPECT_EQ(made->made_from().integers, (std::vector<int>{15, 307}));
    EXPECT_EQ(type_f90_integer(9, &made), 0);
    EXPECT_EQ(made->size(), 4);
    EXPECT_EQ(made->made_from().integers, (std::vector<int>{9}));
    EXPECT_EQ(type_f90_integer(39, &made), abi::err_arg);
}

TEST(table, gives_each_type_a_handle) {
    datatype_table table;
    type_pointer made;
    type_contiguous(2, predefined_object(datatype::int_), &made);
    datatype one = table.add(made);
    const datatype other = table.add(made);
    EXPECT_NE(one, other);
    EXPECT_EQ(number(one), first_dynamic);
    EXPECT_EQ(table.find(one), made);
    EXPECT_EQ(table.add(predefined_object(datatype::double_)), datatype::double_);
    EXPECT_EQ(table.in_use(), 2);
    EXPECT_EQ(table.free(&one), 0);
    EXPECT_EQ(one, datatype::null);
    EXPECT_EQ(table.in_use(), 1);
    EXPECT_EQ(table.find(other), made);
    EXPECT_FALSE(table.find(datatype{first_dynamic}));
    EXPECT_FALSE(table.find(datatype::null));
}

TEST(table, knows_what_is_committed_and_named) {
    datatype_table table;
    type_pointer made;
    type_contiguous(2, predefined_object(datatype::int_), &made);
    datatype which = table.add(made);
    EXPECT_FALSE(table.committed(which));
    EXPECT_EQ(table.commit(which), 0);
    EXPECT_TRUE(table.committed(which));
    EXPECT_TRUE(table.committed(datatype::int_));
    EXPECT_EQ(table.commit(datatype::int_), 0);
    EXPECT_EQ(table.commit(datatype::null), abi::err_type);
    EXPECT_EQ(table.name_of(which), "");
    EXPECT_EQ(table.set_name(which, std::string(300, 'x')), 0);
    EXPECT_EQ(table.name_of(which), std::string(127, 'x'));
    EXPECT_EQ(table.name_of(datatype::int_), "MPI_INT");
    EXPECT_EQ(table.set_name(datatype::int_, "whole"), 0);
    EXPECT_EQ(table.name_of(datatype::int_), "whole");
    EXPECT_EQ(table.set_name(datatype::null, "none"), abi::err_type);
    table.free(&which);
    // Its number is used again, for a type that has neither.
    which = table.add(made);
    EXPECT_EQ(number(which), first_dynamic);
    EXPECT_FALSE(table.committed(which));
    EXPECT_EQ(table.name_of(which), "");
}

TEST(table, frees_only_what_a_program_made) {
    datatype_table table;
    datatype which = datatype::int_;
    EXPECT_EQ(table.free(&which), abi::err_type);
    EXPECT_EQ(which, datatype::int_);
    which = datatype::null;
    EXPECT_EQ(table.free(&which), abi::err_type);
    datatype real, same, other;
    ASSERT_EQ(table.add_f90(combiner::f90_real, 15, abi::undefined, &real), 0);
    ASSERT_EQ(table.add_f90(combiner::f90_real, 15, abi::undefined, &same), 0);
    ASSERT_EQ(table.add_f90(combiner::f90_integer, 0, 9, &other), 0);
    EXPECT_EQ(real, same);
    EXPECT_NE(real, other);
    EXPECT_TRUE(table.committed(real));
    EXPECT_EQ(table.free(&real), abi::err_type);
    EXPECT_EQ(table.in_use(), 0);
    EXPECT_EQ(table.add_f90(combiner::f90_complex, 99, 0, &real), abi::err_arg);
    EXPECT_EQ(table.in_use(), 0);
}

} // namespace
} // namespace saguaro::mpi
