// SPDX-License-Identifier: MIT
// Tests of external32: octets, sign extension and ranges.
#include "mpi/datatypes/external32.hpp"

#include "oracle.hpp"

#include "mpi/datatypes/constructors.hpp"
#include "mpi/datatypes/predefined.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <limits>

namespace {

using namespace datatypes_test;
using octets = std::vector<int>;

// What a value of a basic type becomes.
template <class type>
octets external(mpi::datatype which, const type &value) {
    std::vector<unsigned char> made(
        static_cast<std::size_t>(mpi::external32_size(*basic(which), 1)));
    mpi::pack_external32(*basic(which), &value, 1, made.data());
    return {made.begin(), made.end()};
}

// What it is after the way there and back.
template <class type>
type there_and_back(mpi::datatype which, type value) {
    std::byte between[64];
    type back{};
    mpi::pack_external32(*basic(which), &value, 1, between);
    mpi::unpack_external32(*basic(which), &back, 1, between);
    return back;
}

TEST(external32, has_the_standards_bytes) {
    using enum mpi::datatype;
    EXPECT_EQ(external(int_, 0x01020304), (octets{1, 2, 3, 4}));
    EXPECT_EQ(external(short_, short{-2}), (octets{0xff, 0xfe}));
    EXPECT_EQ(external(long_, 0x01020304L), (octets{1, 2, 3, 4}));
    EXPECT_EQ(external(long_, -2L), (octets{0xff, 0xff, 0xff, 0xfe}));
    EXPECT_EQ(external(unsigned_long, 0xfffffffeUL), (octets{0xff, 0xff, 0xff, 0xfe}));
    EXPECT_EQ(external(long_long, 0x0102030405060708LL), (octets{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(external(aint, std::int64_t{1}), (octets{0, 0, 0, 0, 0, 0, 0, 1}));
    EXPECT_EQ(external(char_, 'a'), (octets{'a'}));
    EXPECT_EQ(external(wchar, L'\u20ac'), (octets{0x20, 0xac}));
    EXPECT_EQ(external(float_, 1.5F), (octets{0x3f, 0xc0, 0, 0}));
    EXPECT_EQ(external(double_, -2.0), (octets{0xc0, 0, 0, 0, 0, 0, 0, 0}));
    const float parts[] = {1.5F, -2.0F};
    EXPECT_EQ(external(c_float_complex, parts), (octets{0x3f, 0xc0, 0, 0, 0xc0, 0, 0, 0}));
    struct {
        double value = 1;
        int index = 2;
    } pair;
    EXPECT_EQ(external(double_int, pair), (octets{0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}));
}

TEST(external32, has_long_doubles_as_ieee_numbers_of_16_bytes) {
    using enum mpi::datatype;
    EXPECT_EQ(external(long_double, 1.0L),
              (octets{0x3f, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(external(long_double, -1.75L),
              (octets{0xbf, 0xff, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(external(long_double, std::numeric_limits<long double>::infinity()),
              (octets{0x7f, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    for (long double value : {0.0L, 1.0L / 3, LDBL_MAX, LDBL_MIN, LDBL_MIN / 1024, -1e-3000L})
        EXPECT_EQ(there_and_back(long_double, value), value);
}

TEST(external32, extends_the_sign_of_integers_that_grow) {
    using enum mpi::datatype;
    EXPECT_EQ(there_and_back(long_, -7L), -7L);
    EXPECT_EQ(there_and_back(long_, 7L), 7L);
    EXPECT_EQ(there_and_back(unsigned_long, 0xfffffff0UL), 0xfffffff0UL);
    EXPECT_EQ(there_and_back(long_, 0x1'0000'0005L), 5L);
    EXPECT_EQ(there_and_back(wchar, L'\u20ac'), L'\u20ac');
}

TEST(external32, tells_apart_what_is_the_same_in_memory) {
    const std::int64_t lengths[] = {1, 1};
    const std::int64_t places[] = {0, 8};
    const mpi::type_pointer types[] = {basic(mpi::datatype::long_),
                                       basic(mpi::datatype::long_long)};
    mpi::type_pointer type;
    mpi::type_struct(2, lengths, places, types, &type);
    ASSERT_EQ(mpi::external32_size(*type, 1), 12);
    const long long values[] = {1, 2};
    unsigned char stream[12];
    mpi::pack_external32(*type, values, 1, stream);
    EXPECT_EQ(octets(stream, stream + 12), (octets{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2}));
}

TEST(external32, of_fortrans_pairs_has_both_parts) {
    const double pair[] = {1.0, -2.0};
    EXPECT_EQ(external(mpi::datatype::two_double_precision, pair),
              (octets{0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0}));
}

// All of these are the same in external32 but for the order of the octets.
const std::vector<mpi::datatype> same_sizes = {mpi::datatype::char_,      mpi::datatype::short_,
                                               mpi::datatype::int_,       mpi::datatype::float_,
                                               mpi::datatype::double_,    mpi::datatype::two_int,
                                               mpi::datatype::double_int, mpi::datatype::aint};

TEST(external32, of_random_types_is_that_of_their_elements) {
    std::mt19937 random(18);
    for (int round = 0; round != 2000; ++round) {
        SCOPED_TRACE(round);
        const twins of = random_type(random, 1 + round % 4, same_sizes);
        const std::int64_t count = std::uniform_int_distribution<>(0, 3)(random);
        memory from(of.map, count, random);
        const std::int64_t extent = of.map.extent();
        std::vector<std::byte> expected;
        for (std::int64_t i = 0; i != count; ++i)
            for (const entry &each : of.map.entries)
                if (each.what == entry::kind::data)
                    for (std::int64_t byte = basic(each.basic)->size(); byte-- != 0;)
                        expected.push_back(from.at(i * extent + each.displacement + byte));
        ASSERT_EQ(mpi::external32_size(*of.type, count), std::ssize(expected));
        std::vector<std::byte> stream(expected.size());
        mpi::pack_external32(*of.type, from.buffer(), count, stream.data());
        ASSERT_EQ(stream, expected);

        // Back into the same places. What is not part of the type must stay.
        const memory before = from;
        mpi::unpack_external32(*of.type, from.buffer(), count, stream.data());
        ASSERT_EQ(from, before);
    }
}

TEST(external32, of_long_streams_crosses_the_buffers_end) {
    struct part {
        char letter;
        double value;
        long number;
    };
    const std::int64_t lengths[] = {1, 1, 1};
    const std::int64_t places[] = {offsetof(part, letter), offsetof(part, value),
                                   offsetof(part, number)};
    const mpi::type_pointer types[] = {basic(mpi::datatype::char_), basic(mpi::datatype::double_),
                                       basic(mpi::datatype::long_)};
    mpi::type_pointer type;
    mpi::type_struct(3, lengths, places, types, &type);
    std::vector<part> parts;
    for (int i = 0; i != 5000; ++i)
        parts.push_back({static_cast<char>(i), i / 7.0, -i});
    ASSERT_EQ(mpi::external32_size(*type, 5000), 5000 * 13);
    std::vector<std::byte> stream(5000 * 13);
    mpi::pack_external32(*type, parts.data(), 5000, stream.data());
    std::vector<part> back(5000);
    mpi::unpack_external32(*type, back.data(), 5000, stream.data());
    for (std::size_t i = 0; i != parts.size(); ++i) {
        ASSERT_EQ(back[i].letter, parts[i].letter);
        ASSERT_EQ(back[i].value, parts[i].value);
        ASSERT_EQ(back[i].number, parts[i].number);
    }
}

} // namespace
