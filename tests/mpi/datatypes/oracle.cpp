// SPDX-License-Identifier: MIT
// The type maps of all constructors, spelled out element by element.
#include "oracle.hpp"

#include "mpi/core/interface/constants.hpp"
#include "mpi/datatypes/predefined.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace datatypes_test {
namespace {

std::int64_t size_of(mpi::datatype basic) {
    return mpi::size_of(mpi::find_predefined(basic)->kind);
}

// The least and greatest place of entries of one kind; false if there are none.
bool places(const type_map &map, entry::kind what, std::int64_t *least, std::int64_t *greatest) {
    bool any = false;
    for (const entry &each : map.entries) {
        if (each.what != what)
            continue;
        std::int64_t end = each.displacement;
        if (what == entry::kind::data)
            end += size_of(each.basic);
        *least = any ? std::min(*least, each.displacement) : each.displacement;
        *greatest = any ? std::max(*greatest, end) : end;
        any = true;
    }
    return any;
}

} // namespace

std::int64_t type_map::size() const {
    std::int64_t sum = 0;
    for (const entry &each : entries)
        if (each.what == entry::kind::data)
            sum += size_of(each.basic);
    return sum;
}

std::int64_t type_map::lower() const {
    std::int64_t least = 0;
    std::int64_t greatest = 0;
    if (!places(*this, entry::kind::lower_marker, &least, &greatest))
        places(*this, entry::kind::data, &least, &greatest);
    return least;
}

std::int64_t type_map::upper() const {
    std::int64_t least = 0;
    std::int64_t greatest = 0;
    if (places(*this, entry::kind::upper_marker, &least, &greatest))
        return greatest;
    std::int64_t reach = 0;
    if (!places(*this, entry::kind::data, &least, &greatest))
        return 0;
    if (places(*this, entry::kind::reach, &least, &reach))
        greatest = std::max(greatest, reach);
    return greatest;
}

std::int64_t type_map::true_lower() const {
    std::int64_t least = 0;
    std::int64_t greatest = 0;
    places(*this, entry::kind::data, &least, &greatest);
    return least;
}

std::int64_t type_map::true_upper() const {
    std::int64_t least = 0;
    std::int64_t greatest = 0;
    places(*this, entry::kind::data, &least, &greatest);
    return greatest;
}

std::int64_t type_map::alignment() const {
    std::int64_t strictest = 1;
    for (const entry &each : entries)
        if (each.what == entry::kind::data)
            strictest =
                std::max(strictest, mpi::alignment_of(mpi::find_predefined(each.basic)->kind));
    return strictest;
}

std::int64_t type_map::elements() const {
    return std::count_if(entries.begin(), entries.end(),
                         [](const entry &each) { return each.what == entry::kind::data; });
}

std::vector<std::int64_t> type_map::bytes(std::int64_t count) const {
    std::vector<std::int64_t> all;
    const std::int64_t step = extent();
    for (const entry &each : entries) {
        const std::int64_t bytes_of_it = each.what == entry::kind::data ? size_of(each.basic) : 0;
        for (std::int64_t byte = 0; byte != bytes_of_it; ++byte)
            all.push_back(each.displacement + byte);
    }
    const std::size_t of_one = all.size();
    if (count == 0)
        all.clear();
    for (std::int64_t i = 1; i < count; ++i)
        for (std::size_t place = 0; place != of_one; ++place)
            all.push_back(all[place] + i * step);
    return all;
}

type_map map_of(mpi::datatype basic) {
    const mpi::predefined_type *row = mpi::find_predefined(basic);
    auto data = [](std::int64_t at, mpi::datatype of) { return entry{entry::kind::data, at, of}; };
    struct two {
        int first;
        int second;
    };
    struct long_and_int {
        long value;
        int index;
    };
    struct double_and_int {
        double value;
        int index;
    };
    struct short_and_int {
        short value;
        int index;
    };
    auto reach = [](std::size_t at) {
        return entry{entry::kind::reach, static_cast<std::int64_t>(at), mpi::datatype::null};
    };
    switch (basic) {
    case mpi::datatype::two_int:
        return {{data(0, mpi::datatype::int_), data(offsetof(two, second), mpi::datatype::int_)}};
    case mpi::datatype::long_int:
        return {{data(0, mpi::datatype::long_),
                 data(offsetof(long_and_int, index), mpi::datatype::int_),
                 reach(sizeof(long_and_int))}};
    case mpi::datatype::double_int:
        return {{data(0, mpi::datatype::double_),
                 data(offsetof(double_and_int, index), mpi::datatype::int_),
                 reach(sizeof(double_and_int))}};
    case mpi::datatype::short_int:
        return {{data(0, mpi::datatype::short_),
                 data(offsetof(short_and_int, index), mpi::datatype::int_),
                 reach(sizeof(short_and_int))}};
    default:
        EXPECT_NE(row->group, mpi::basic_group::pair);
        return {{data(0, basic)}};
    }
}

void append(type_map &to, const type_map &of, std::int64_t displacement) {
    for (entry each : of.entries) {
        each.displacement += displacement;
        to.entries.push_back(each);
    }
}

type_map repeat(const type_map &of, std::int64_t count, std::int64_t stride) {
    type_map made;
    for (std::int64_t i = 0; i != count; ++i)
        append(made, of, i * stride);
    return made;
}

type_map vector_map(std::int64_t count, std::int64_t length, std::int64_t stride_bytes,
                    const type_map &old) {
    return repeat(repeat(old, length, old.extent()), count, stride_bytes);
}

type_map indexed_map(const std::vector<std::int64_t> &lengths,
                     const std::vector<std::int64_t> &places_of_blocks, std::int64_t unit,
                     const type_map &old) {
    type_map made;
    for (std::size_t i = 0; i != lengths.size(); ++i)
        append(made, repeat(old, lengths[i], old.extent()), places_of_blocks[i] * unit);
    return made;
}

type_map struct_map(const std::vector<std::int64_t> &lengths,
                    const std::vector<std::int64_t> &places_of_blocks,
                    const std::vector<type_map> &old) {
    type_map made;
    for (std::size_t i = 0; i != lengths.size(); ++i)
        append(made, repeat(old[i], lengths[i], old[i].extent()), places_of_blocks[i]);
    // Without an explicit upper bound the extent is a multiple of the alignment.
    const std::int64_t alignment = made.alignment();
    std::int64_t upper = made.upper();
    while ((upper - made.lower()) % alignment != 0)
        ++upper;
    if (upper != made.upper())
        made.entries.push_back({entry::kind::reach, upper, mpi::datatype::null});
    return made;
}

type_map resized_map(const type_map &old, std::int64_t lower, std::int64_t extent) {
    type_map made;
    for (const entry &each : old.entries)
        if (each.what == entry::kind::data)
            made.entries.push_back(each);
    made.entries.push_back({entry::kind::lower_marker, lower, mpi::datatype::null});
    made.entries.push_back({entry::kind::upper_marker, lower + extent, mpi::datatype::null});
    return made;
}

namespace {

// The elements of an array of which `has` says that they belong to the type, the array's own order.
type_map array_map(const std::vector<std::int64_t> &sizes, bool fortran, const type_map &old,
                   const std::function<bool(const std::vector<std::int64_t> &)> &has) {
    const std::size_t dimensions = sizes.size();
    std::int64_t total = 1;
    for (std::int64_t size : sizes)
        total *= size;
    const std::int64_t step = old.extent();
    type_map made;
    for (std::int64_t place = 0; place != total; ++place) {
        std::vector<std::int64_t> index(dimensions);
        std::int64_t rest = place;
        for (std::size_t i = 0; i != dimensions; ++i) {
            const std::size_t at = fortran ? i : dimensions - 1 - i;
            index[at] = rest % sizes[at];
            rest /= sizes[at];
        }
        if (has(index))
            append(made, old, place * step);
    }
    return resized_map(made, 0, total * step);
}

} // namespace

type_map subarray_map(const std::vector<std::int64_t> &sizes,
                      const std::vector<std::int64_t> &subsizes,
                      const std::vector<std::int64_t> &starts, bool fortran, const type_map &old) {
    return array_map(sizes, fortran, old, [&](const std::vector<std::int64_t> &index) {
        for (std::size_t i = 0; i != index.size(); ++i)
            if (index[i] < starts[i] || index[i] >= starts[i] + subsizes[i])
                return false;
        return true;
    });
}

bool owns(const distribution &dimension, std::int64_t index, int coordinate) {
    namespace constants = mpi::abi;
    const int processes = dimension.processes;
    std::int64_t argument = dimension.argument;
    switch (dimension.kind) {
    case constants::distribute_block:
        if (dimension.argument == constants::distribute_dflt_darg)
            argument = (dimension.size + processes - 1) / processes;
        return index / argument == coordinate;
    case constants::distribute_cyclic:
        if (dimension.argument == constants::distribute_dflt_darg)
            argument = 1;
        return index / argument % processes == coordinate;
    default:
        return true;
    }
}

type_map darray_map(const std::vector<distribution> &dimensions, int rank, bool fortran,
                    const type_map &old) {
    std::vector<int> coordinates(dimensions.size());
    for (std::size_t i = dimensions.size(); i-- != 0;) {
        coordinates[i] = rank % dimensions[i].processes;
        rank /= dimensions[i].processes;
    }
    std::vector<std::int64_t> sizes;
    for (const distribution &dimension : dimensions)
        sizes.push_back(dimension.size);
    return array_map(sizes, fortran, old, [&](const std::vector<std::int64_t> &index) {
        for (std::size_t i = 0; i != index.size(); ++i)
            if (!owns(dimensions[i], index[i], coordinates[i]))
                return false;
        return true;
    });
}

void expect_same_bounds(const mpi::datatype_object &type, const type_map &map) {
    EXPECT_EQ(type.size(), map.size());
    EXPECT_EQ(type.lower_bound(), map.lower());
    EXPECT_EQ(type.extent(), map.extent());
    EXPECT_EQ(type.true_lower_bound(), map.true_lower());
    EXPECT_EQ(type.true_extent(), map.true_upper() - map.true_lower());
    EXPECT_EQ(type.elements(), map.elements());
}

memory::memory(const type_map &map, std::int64_t count, std::mt19937 &random) {
    std::int64_t last = 0;
    for (std::int64_t displacement : map.bytes(count)) {
        first_ = std::min(first_, displacement);
        last = std::max(last, displacement + 1);
    }
    bytes_.resize(static_cast<std::size_t>(last - first_));
    // A period that no stride of a test divides; cheap, because most of this memory is between the
    // elements.
    std::byte pattern[1021];
    for (std::byte &each : pattern)
        each = static_cast<std::byte>(random());
    for (std::size_t at = 0; at < bytes_.size(); at += sizeof pattern)
        std::copy_n(pattern, std::min(sizeof pattern, bytes_.size() - at), bytes_.data() + at);
}

} // namespace datatypes_test
