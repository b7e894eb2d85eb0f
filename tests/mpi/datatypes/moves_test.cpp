// SPDX-License-Identifier: MIT
// Random types, whose streams are cut at random places, against explicit type maps.
#include "oracle.hpp"

#include "mpi/datatypes/arrays.hpp"
#include "mpi/datatypes/constructors.hpp"
#include "mpi/datatypes/predefined.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace {

using namespace datatypes_test;

using bytes = std::vector<std::byte>;

struct chunk {
    std::int64_t offset, bytes;
};

// A stream in pieces of any size, among them empty ones.
std::vector<chunk> cut(std::int64_t size, std::mt19937 &random) {
    std::vector<chunk> made;
    const std::int64_t longest = std::uniform_int_distribution<std::int64_t>(1, 1 + size)(random);
    for (std::int64_t offset = 0; offset != size;) {
        std::int64_t next = std::uniform_int_distribution<std::int64_t>(0, longest)(random);
        next = std::min(next, size - offset);
        made.push_back({offset, next});
        offset += next;
    }
    return made;
}

bytes oracle_pack(memory &from, const std::vector<std::int64_t> &places) {
    bytes stream;
    for (std::int64_t place : places)
        stream.push_back(from.at(place));
    return stream;
}

void oracle_unpack(memory &to, const std::vector<std::int64_t> &places, const bytes &stream) {
    for (std::size_t i = 0; i != stream.size(); ++i)
        to.at(places[i]) = stream[i];
}

void check_pack(const twins &of, std::int64_t count, std::mt19937 &random) {
    memory from(of.map, count, random);
    const bytes expected = oracle_pack(from, of.map.bytes(count));
    bytes stream(expected.size());
    std::vector<chunk> chunks = cut(std::ssize(expected), random);
    std::shuffle(chunks.begin(), chunks.end(), random);
    for (const chunk &each : chunks)
        mpi::pack(*of.type, from.buffer(), count, each.offset, stream.data() + each.offset,
                  each.bytes);
    ASSERT_EQ(stream, expected);
}

void check_unpack(const twins &of, std::int64_t count, std::mt19937 &random) {
    memory to(of.map, count, random);
    memory expected = to;
    const std::vector<std::int64_t> places = of.map.bytes(count);
    bytes stream(places.size());
    for (std::byte &each : stream)
        each = static_cast<std::byte>(random());
    oracle_unpack(expected, places, stream);
    std::vector<chunk> chunks = cut(std::ssize(stream), random);
    // Where elements overlap, the last one in the stream stays.
    std::vector<std::int64_t> sorted = places;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) == sorted.end())
        std::shuffle(chunks.begin(), chunks.end(), random);
    for (const chunk &each : chunks)
        mpi::unpack(*of.type, to.buffer(), count, each.offset, stream.data() + each.offset,
                    each.bytes);
    ASSERT_EQ(to, expected);
}

void check_copy(const twins &source, std::int64_t source_count, const twins &target,
                std::int64_t target_count, std::mt19937 &random) {
    memory from(source.map, source_count, random);
    memory to(target.map, target_count, random);
    memory expected = to;
    const std::vector<std::int64_t> places = target.map.bytes(target_count);
    bytes stream = oracle_pack(from, source.map.bytes(source_count));
    stream.resize(std::min(stream.size(), places.size()));
    oracle_unpack(expected, places, stream);
    mpi::copy(*source.type, from.buffer(), source_count, *target.type, to.buffer(), target_count,
              std::ssize(stream));
    ASSERT_EQ(to, expected);
}

void check_elements(const twins &of, std::int64_t count) {
    std::vector<std::int64_t> after{0};
    for (std::int64_t i = 0; i != count; ++i)
        for (const entry &each : of.map.entries)
            if (each.what == entry::kind::data)
                after.push_back(after.back() + mpi::predefined_object(each.basic)->size());
    for (std::int64_t prefix = 0; prefix <= after.back(); ++prefix) {
        auto found = std::find(after.begin(), after.end(), prefix);
        ASSERT_EQ(of.type->elements_in(prefix), found == after.end() ? -1 : found - after.begin());
        if (found != after.end())
            ASSERT_EQ(of.type->bytes_of(found - after.begin()), prefix);
        const std::int64_t size = of.map.size();
        const bool fits = size == 0 ? prefix == 0 : prefix % size == 0;
        ASSERT_EQ(of.type->count_in(prefix), !fits ? -1 : size == 0 ? 0 : prefix / size);
    }
}

// One of the paths that copy one count of bytes at a time, by name.
twins path(const char *name, std::int64_t width) {
    const twins unit{nullptr, repeat(map_of(mpi::datatype::byte), width, 1)};
    twins made = unit;
    mpi::type_contiguous(width, mpi::predefined_object(mpi::datatype::byte), &made.type);
    const mpi::type_pointer old = made.type;
    const std::string_view which = name;
    const std::vector<std::int64_t> places{0,         2 * width + 1, 5 * width + 2, 3 * width + 1,
                                           9 * width, 7 * width,     -2 * width};
    if (which == "runs") {
        mpi::type_hvector(7, 1, width + 3, old, &made.type);
        made.map = repeat(unit.map, 7, width + 3);
    } else if (which == "rows") {
        mpi::type_pointer row;
        mpi::type_hvector(6, 1, width + 1, old, &row);
        mpi::type_hvector(3, 1, 10 * width + 5, row, &made.type);
        made.map = repeat(repeat(unit.map, 6, width + 1), 3, 10 * width + 5);
    } else {
        mpi::type_hindexed_block(std::ssize(places), 1, places.data(), old, &made.type);
        made.map = indexed_map(std::vector<std::int64_t>(places.size(), 1), places, 1, unit.map);
    }
    return made;
}

TEST(moves, of_random_types_are_those_of_their_type_maps) {
    std::mt19937 random(14);
    twins last = random_type(random, 0, usual_basics);
    std::int64_t last_count = 1;
    for (int round = 0; round != 12000; ++round) {
        SCOPED_TRACE(round);
        const twins of = random_type(random, 1 + round % 5, usual_basics);
        const std::int64_t count = std::uniform_int_distribution<>(0, 4)(random);
        expect_same_bounds(*of.type, of.map);
        check_pack(of, count, random);
        check_unpack(of, count, random);
        check_copy(last, last_count, of, count, random);
        if (round % 8 == 0)
            check_elements(of, count);
        if (HasFailure())
            return;
        last = of;
        last_count = count;
    }
}

TEST(moves, of_each_width_are_right_on_each_path) {
    std::mt19937 random(15);
    for (const char *name : {"runs", "rows", "blocks"})
        for (std::int64_t width = 1; width <= 140; ++width) {
            SCOPED_TRACE(testing::Message() << name << ' ' << width);
            const twins of = path(name, width);
            for (std::int64_t count = 1; count != 3; ++count) {
                check_pack(of, count, random);
                check_unpack(of, count, random);
            }
            if (HasFailure())
                return;
        }
}

TEST(moves, copy_streams_that_are_longer_than_its_buffer) {
    std::mt19937 random(16);
    twins doubles;
    mpi::type_vector(3001, 1, 2, mpi::predefined_object(mpi::datatype::double_), &doubles.type);
    doubles.map = vector_map(3001, 1, 16, map_of(mpi::datatype::double_));
    twins pieces;
    mpi::type_vector(2001, 3, 5, mpi::predefined_object(mpi::datatype::int_), &pieces.type);
    pieces.map = vector_map(2001, 3, 20, map_of(mpi::datatype::int_));
    check_copy(doubles, 1, pieces, 1, random);
    check_copy(pieces, 1, doubles, 1, random);
}

TEST(moves, use_absolute_addresses_with_no_buffer) {
    int values[3] = {1, 2, 3};
    const std::int64_t lengths[] = {1, 2};
    const std::int64_t places[] = {reinterpret_cast<std::int64_t>(&values[2]),
                                   reinterpret_cast<std::int64_t>(&values[0])};
    mpi::type_pointer type;
    mpi::type_hindexed(2, lengths, places, mpi::predefined_object(mpi::datatype::int_), &type);
    int stream[3] = {};
    mpi::pack(*type, nullptr, 1, 0, stream, 12);
    EXPECT_EQ(stream[0], 3);
    EXPECT_EQ(stream[1], 1);
    EXPECT_EQ(stream[2], 2);
    const int other[3] = {7, 8, 9};
    mpi::unpack(*type, nullptr, 1, 0, other, 12);
    EXPECT_EQ(values[2], 7);
    EXPECT_EQ(values[0], 8);
}

} // namespace
