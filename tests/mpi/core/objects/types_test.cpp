// SPDX-License-Identifier: MIT
// Datatypes by their handles: how they were made, Fortran's kinds, and bytes in external32.
#include "mpi/core/ranks.hpp"
#include "mpi/core/short.hpp"

#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace saguaro::mpi {
namespace {

struct envelope_counts {
    std::int64_t integers, addresses, large_counts, types;
    int combiner;
    bool operator==(const envelope_counts &) const = default;
};

envelope_counts envelope_of(datatype of) {
    envelope_counts e{-1, -1, -1, -1, -1};
    core::type_get_envelope(of, &e.integers, &e.addresses, &e.large_counts, &e.types, &e.combiner);
    return e;
}

TEST(types, tell_how_they_were_made) {
    on_one_rank([] {
        datatype inner{};
        datatype outer{};
        core::type_contiguous(3, datatype::double_, &inner);
        core::type_create_hvector(2, 5, 700, inner, &outer);
        if (envelope_of(outer) != envelope_counts{2, 1, 0, 1, abi::combiner_hvector} ||
            envelope_of(datatype::int_) != envelope_counts{0, 0, 0, 0, abi::combiner_named})
            return 1;
        int integers[2];
        std::int64_t address = 0;
        datatype old{};
        const auto contents = [&](datatype of, std::int64_t room) {
            return core::type_get_contents(of, room, 1, 0, 1, integers, &address, nullptr, &old);
        };
        if (contents(outer, 2) != abi::success || integers[0] != 2 || integers[1] != 5 ||
            address != 700)
            return 2;
        // What comes out is a handle of its own, equal to the type that went in.
        core::type_free(&inner);
        if (envelope_of(old).combiner != abi::combiner_contiguous ||
            core::type_free(&old) != abi::success)
            return 3;
        if (contents(outer, 1) != abi::err_arg || contents(datatype::int_, 2) != abi::err_type ||
            contents(datatype::null, 2) != abi::err_type)
            return 4;
        return envelope_of(datatype::null).combiner == -1 ? 0 : 5;
    });
}

// Each use of a type for data; a function without arguments returns the error.
TEST(types, carry_data_when_they_are_committed) {
    on_one_rank([] {
        constexpr comm on = comm::world;
        datatype pair{};
        core::type_contiguous(2, datatype::int_, &pair);
        const int two[2] = {3, 4};
        int got[4] = {};
        const std::int64_t one = 1;
        const std::int64_t place = 0;
        win window{};
        core::win_create(got, sizeof(got), 1, info::null, on, &window);
        core::win_fence(0, window);
        op sum{};
        core::op_create({[](any_function, const void *, void *, std::int64_t, datatype) {}}, 1,
                        &sum);
        const std::vector<std::function<int()>> uses = {
            [&] { return core::send(two, 1, pair, 0, 0, on); },
            [&] { return core::recv(got, 1, pair, 0, 0, on, nullptr); },
            [&] { return core::bcast(got, 1, pair, 0, on); },
            [&] { return core::allgather(two, 2, datatype::int_, got, 1, pair, on); },
            [&] { return core::alltoallw(two, &one, &place, &pair, got, &one, &place, &pair, on); },
            [&] { return core::allreduce(two, got, 1, pair, sum, on); },
            [&] { return core::put(two, 2, datatype::int_, 0, 0, 1, pair, window); }};
        for (std::size_t i = 0; i < uses.size(); ++i)
            if (i != 1 && uses[i]() != abi::err_type)
                return 1 + static_cast<int>(i);
        core::send(two, 2, datatype::int_, 0, 0, on);
        if (uses[1]() != abi::err_type)
            return 20;
        core::recv(got, 2, datatype::int_, 0, 0, on, nullptr);
        core::type_commit(&pair);
        for (std::size_t i = 0; i < uses.size(); ++i)
            if (uses[i]() != abi::success)
                return 30 + static_cast<int>(i);
        core::win_fence(0, window);
        core::win_free(&window);
        return got[0] == 3 && got[1] == 4 ? 0 : 40;
    });
}

// Three bytes are no int. Where they come by the shortest way, and where the receive is posted.
TEST(types, receive_whole_elements) {
    on_one_rank([] {
        datatype apart{};
        core::type_vector(2, 1, 2, datatype::int_, &apart);
        core::type_commit(&apart);
        int x[3] = {};
        status s;
        core::send("abc", 3, datatype::char_, 0, 0, comm::world);
        const int error = core::recv(x, 1, apart, 0, 0, comm::world, &s);
        core::send("abcd", 4, datatype::char_, 0, 0, comm::world);
        return error == abi::err_type && core::recv(x, 1, apart, 0, 0, comm::world, &s) == 0 ? 0
                                                                                             : 1;
    });
    EXPECT_TRUE(all_well(run_ranks(2, [](int me) {
        if (me == 0)
            return core::send("abc", 3, datatype::char_, 1, 0, comm::world);
        datatype apart{};
        core::type_vector(2, 1, 2, datatype::int_, &apart);
        core::type_commit(&apart);
        int x[3] = {};
        return core::recv(x, 1, apart, 0, 0, comm::world, nullptr) == abi::err_type ? 0 : 1;
    })));
}

TEST(types, set_elements_are_those_that_a_status_tells) {
    on_one_rank([] {
        const std::int64_t lengths[] = {1, 1, 1, 1};
        const std::int64_t places[] = {0, 8, 16, 24};
        const datatype parts[] = {datatype::char_, datatype::int_, datatype::double_,
                                  datatype::short_};
        datatype one{};
        core::type_create_struct(4, lengths, places, parts, &one);
        datatype two{};
        core::type_contiguous(2, one, &two);
        for (const auto &[type, parts_of_it] : {std::pair(one, 4), {two, 8}})
            for (int n = 0; n <= 9; ++n) {
                status s{};
                std::int64_t elements = -1;
                std::int64_t whole = -1;
                core::status_set_elements(&s, type, n);
                core::get_elements(&s, type, &elements);
                core::get_count(&s, type, &whole);
                if (elements != n ||
                    whole != (n % parts_of_it == 0 ? n / parts_of_it : abi::undefined))
                    return 1 + n;
            }
        return 0;
    });
}

TEST(types, null_has_a_name) {
    on_one_rank([] {
        char name[abi::max_object_name] = "";
        int length = 0;
        const auto is = [&](const char *expected) {
            return std::strcmp(name, expected) == 0 &&
                   length == static_cast<int>(std::strlen(expected));
        };
        return first_false(
            {core::type_get_name(datatype::null, name, &length) == abi::success &&
                 is("MPI_DATATYPE_NULL"),
             core::comm_get_name(comm::null, name, &length) == abi::success && is("MPI_COMM_NULL"),
             core::win_get_name(win::null, name, &length) == abi::success && is("MPI_WIN_NULL"),
             core::comm_set_name(comm::null, "x") == abi::err_comm});
    });
}

TEST(types, of_fortrans_kinds_are_one_for_equal_digits) {
    on_one_rank([] {
        datatype a{};
        datatype b{};
        std::int64_t size = 0;
        if (core::type_create_f90_real(12, abi::undefined, &a) != abi::success ||
            core::type_create_f90_real(12, abi::undefined, &b) != abi::success || a != b ||
            core::type_size(a, &size) != abi::success || size != 8)
            return 1;
        if (core::type_free(&a) != abi::err_type)
            return 2;
        if (core::type_create_f90_complex(6, 30, &a) != abi::success ||
            core::type_size(a, &size) != abi::success || size != 8)
            return 3;
        if (core::type_create_f90_integer(5, &a) != abi::success ||
            core::type_size(a, &size) != abi::success || size != 4 ||
            core::type_create_f90_integer(100, &a) != abi::err_arg)
            return 4;
        return envelope_of(b) == envelope_counts{2, 0, 0, 0, abi::combiner_f90_real} ? 0 : 5;
    });
}

TEST(types, of_values_with_an_index) {
    on_one_rank([] {
        datatype pair{};
        if (core::type_get_value_index(datatype::float_, datatype::int_, &pair) != abi::success ||
            pair != datatype::float_int)
            return 1;
        if (core::type_get_value_index(datatype::int_, datatype::float_, &pair) != abi::success ||
            pair != datatype::null)
            return 2;
        return core::type_get_value_index(datatype::null, datatype::int_, &pair) == abi::err_type
                   ? 0
                   : 3;
    });
}

TEST(packing, in_external32_has_the_greatest_byte_first) {
    on_one_rank([] {
        const int in[2] = {0x01020304, -1};
        unsigned char packed[12] = {};
        std::int64_t size = 0;
        std::int64_t at = 1;
        if (core::pack_external_size("external32", 2, datatype::int_, &size) != 0 || size != 8)
            return 1;
        if (core::pack_external("external32", in, 2, datatype::int_, packed, 9, &at) != 0 ||
            at != 9 || packed[1] != 1 || packed[4] != 4 || packed[8] != 0xff || packed[9] != 0)
            return 2;
        int out[2] = {};
        at = 1;
        if (core::unpack_external("external32", packed, 9, &at, out, 2, datatype::int_) != 0 ||
            at != 9 || out[0] != in[0] || out[1] != in[1])
            return 3;
        at = 2;
        if (core::pack_external("external32", in, 2, datatype::int_, packed, 9, &at) !=
                abi::err_truncate ||
            core::unpack_external("external32", packed, 9, &at, out, 2, datatype::int_) !=
                abi::err_truncate ||
            at != 2)
            return 4;
        if (core::pack_external_size("native", 2, datatype::int_, &size) !=
                abi::err_unsupported_datarep ||
            core::pack_external_size("external32", -1, datatype::int_, &size) != abi::err_count ||
            core::pack_external_size("external32", 1, datatype::null, &size) != abi::err_type)
            return 5;
        return core::pack_external_size("external32", INT64_MAX, datatype::int_, &size) ==
                       abi::err_value_too_large
                   ? 0
                   : 6;
    });
}

} // namespace
} // namespace saguaro::mpi
