// SPDX-License-Identifier: MIT
// How data look in a file: external32, and what a program registers.
#include "files.hpp"
#include "mpi/core/short.hpp"

#include <cstring>
#include <gtest/gtest.h>

namespace saguaro::mpi {
namespace {

int set_view(file f, datatype etype, datatype filetype, const char *how) {
    return core::file_set_view(f, 0, etype, filetype, how, info::null);
}

std::int64_t extent_of(file f, datatype type) {
    std::int64_t extent = -1;
    core::file_get_type_extent(f, type, &extent);
    return extent;
}

TEST(external32, has_the_sizes_and_the_order_of_the_standard) {
    const test_file where;
    on_one_rank([&] {
        file f = open_file(where);
        // Every second one of the longs, which have 4 bytes in the file.
        datatype vector = datatype::null;
        core::type_vector(2, 1, 2, datatype::long_, &vector);
        datatype pairs = datatype::null;
        core::type_create_resized(vector, 0, 16, &pairs);
        core::type_commit(&vector);
        SG_CHECK(set_view(f, datatype::long_, vector, "external32") == 0);
        SG_CHECK(extent_of(f, datatype::long_) == 4 && extent_of(f, datatype::double_) == 8 &&
                 extent_of(f, vector) == 12);
        const long values[] = {1, -2, 0x01020304};
        status got;
        SG_CHECK(core::file_write(f, values, 3, datatype::long_, &got) == 0);
        SG_CHECK(got.bytes == 24);
        std::int64_t position = 0;
        core::file_get_position(f, &position);
        SG_CHECK(position == 3);
        long back[4] = {9, 9, 9, 9};
        SG_CHECK(core::file_read_at(f, 0, back, 4, datatype::long_, &got) == 0);
        SG_CHECK(got.bytes == 24 && back[0] == 1 && back[1] == -2 && back[2] == 0x01020304 &&
                 back[3] == 9);
        return core::file_close(&f);
    });
    const char expected[] = {0, 0, 0, 1, 0, 0, 0, 0, -1, -1, -1, -2, 1, 2, 3, 4};
    EXPECT_EQ(where.content(), std::vector<char>(expected, expected + sizeof(expected)));
}

TEST(external32, reads_what_a_file_has_of_the_last_element) {
    const test_file where;
    where.fill({0, 0, 0, 5, 0, 0, 0, 6, 0, 7});
    on_one_rank([&] {
        file f = open_file(where);
        SG_CHECK(set_view(f, datatype::byte, datatype::byte, "external32") == 0);
        struct two_kinds {
            long a;
            short b;
            long c;
        };
        const std::int64_t lengths[] = {1, 1, 1};
        const std::int64_t places[] = {offsetof(two_kinds, a), offsetof(two_kinds, b),
                                       offsetof(two_kinds, c)};
        const datatype types[] = {datatype::long_, datatype::short_, datatype::long_};
        datatype both = datatype::null;
        core::type_create_struct(3, lengths, places, types, &both);
        core::type_commit(&both);
        two_kinds read[2] = {{-1, -1, std::int64_t{1} << 40}, {-1, -1, -1}};
        status got;
        SG_CHECK(core::file_read(f, read, 2, both, &got) == 0);
        // A long, a short, and the begin of a long, of which nothing comes.
        SG_CHECK(got.bytes == 18 && read[0].a == 5 && read[0].b == 0 && read[0].c == 0x00060007);
        SG_CHECK(core::file_set_size(f, 7) == 0 && core::file_seek(f, 0, abi::seek_set) == 0);
        read[0].c = std::int64_t{1} << 40;
        SG_CHECK(core::file_read(f, read, 1, both, &got) == 0);
        SG_CHECK(got.bytes == 10 && read[0].a == 5 && read[0].c == std::int64_t{1} << 40);
        return core::file_close(&f);
    });
}

// A representation that writes an int as two bytes, the digits of its value.
int digits_extent(any_function, datatype type, std::int64_t *extent, void *) {
    *extent = type == datatype::int_ ? 2 : 1;
    return 0;
}

int write_digits(any_function, void *user, datatype, std::int64_t count, void *to,
                 std::int64_t position, void *state) {
    const int *const from = static_cast<int *>(user) + position;
    for (std::int64_t i = 0; i < count; ++i) {
        static_cast<char *>(to)[2 * i] = static_cast<char>('0' + from[i] / 10);
        static_cast<char *>(to)[2 * i + 1] = static_cast<char>('0' + from[i] % 10);
    }
    return state == nullptr ? 0 : abi::err_other;
}

int read_digits(any_function, void *user, datatype, std::int64_t count, void *from,
                std::int64_t position, void *) {
    const char *const digits = static_cast<char *>(from);
    for (std::int64_t i = 0; i < count; ++i)
        static_cast<int *>(user)[position + i] =
            (digits[2 * i] - '0') * 10 + digits[2 * i + 1] - '0';
    return 0;
}

TEST(programs, register_representations) {
    const test_file where;
    on_one_rank([&] {
        using core::register_datarep;
        SG_CHECK(register_datarep("digits", {read_digits}, {write_digits}, {digits_extent},
                                  nullptr) == 0);
        SG_CHECK(register_datarep("digits", {read_digits}, {write_digits}, {digits_extent},
                                  nullptr) == abi::err_dup_datarep);
        SG_CHECK(register_datarep("native", {}, {}, {digits_extent}, nullptr) ==
                 abi::err_dup_datarep);
        SG_CHECK(register_datarep("", {}, {}, {digits_extent}, nullptr) == abi::err_arg);
        SG_CHECK(register_datarep("bad", {}, {}, {}, nullptr) == abi::err_arg);
        SG_CHECK(register_datarep(std::string(200, 'x').c_str(), {}, {}, {digits_extent},
                                  nullptr) == abi::err_arg);
        int state = 0;
        SG_CHECK(
            register_datarep("fails", {read_digits}, {write_digits}, {digits_extent}, &state) == 0);
        file f = open_file(where);
        SG_CHECK(set_view(f, datatype::int_, datatype::int_, "fails") == 0);
        const int values[] = {12, 34, 56};
        SG_CHECK(core::file_write(f, values, 3, datatype::int_, nullptr) == abi::err_conversion);
        SG_CHECK(set_view(f, datatype::int_, datatype::int_, "digits") == 0);
        status got;
        SG_CHECK(core::file_write(f, values, 3, datatype::int_, &got) == 0 && got.bytes == 12);
        int back[4] = {};
        SG_CHECK(core::file_read_at(f, 1, back, 4, datatype::int_, &got) == 0);
        SG_CHECK(got.bytes == 8 && back[0] == 34 && back[1] == 56);
        // More than goes through the buffer at once.
        const std::vector<int> many(1000000, 78);
        std::vector<int> read(many.size());
        SG_CHECK(core::file_write_at(f, 3, many.data(), 1000000, datatype::int_, &got) == 0);
        SG_CHECK(core::file_read_at(f, 3, read.data(), 1000000, datatype::int_, &got) == 0);
        SG_CHECK(read == many);
        SG_CHECK(core::file_set_size(f, 6) == 0);
        return core::file_close(&f);
    });
    const std::vector<char> content = where.content();
    EXPECT_EQ(std::string(content.begin(), content.end()), "123456");
}

} // namespace
} // namespace saguaro::mpi
