// SPDX-License-Identifier: MIT
// The generator of nested datatypes together with their type maps.
#include "oracle.hpp"

#include "mpi/core/interface/constants.hpp"
#include "mpi/datatypes/arrays.hpp"
#include "mpi/datatypes/constructors.hpp"
#include "mpi/datatypes/predefined.hpp"

#include <gtest/gtest.h>

namespace datatypes_test {

using enum mpi::datatype;

const std::vector<mpi::datatype> usual_basics = {
    char_,  byte,       short_, int_,      int_,     double_,  double_,
    float_, long_,      int8_t, wchar,     two_int,  long_int, c_double_complex,
    aint,   double_int, c_bool, short_int, integer1, complex8, long_double};

namespace {

using numbers = std::vector<std::int64_t>;

// A type of more elements is not nested any further.
constexpr std::int64_t most_elements = 40;

class generator {
public:
    generator(std::mt19937 &random, const std::vector<mpi::datatype> &basics)
        : random_(random), basics_(basics) {}

    twins make(int depth) {
        if (depth == 0)
            return basic();
        twins old = make(depth - 1);
        if (old.map.elements() > most_elements)
            return old;
        form_ = between(0, 4) == 0 ? mpi::call_form::large : mpi::call_form::plain;
        twins made = derive(old);
        EXPECT_TRUE(made.type);
        return made;
    }

private:
    std::int64_t between(std::int64_t least, std::int64_t greatest) {
        return std::uniform_int_distribution<std::int64_t>(least, greatest)(random_);
    }
    numbers several(std::int64_t count, std::int64_t least, std::int64_t greatest) {
        numbers made;
        for (std::int64_t i = 0; i != count; ++i)
            made.push_back(between(least, greatest));
        return made;
    }

    twins basic() {
        const mpi::datatype which =
            basics_[static_cast<std::size_t>(between(0, std::ssize(basics_) - 1))];
        return {mpi::predefined_object(which), map_of(which)};
    }

    twins derive(const twins &old) {
        switch (between(0, 11)) {
        case 0:
            return contiguous(old);
        case 1:
            return vector(old);
        case 2:
            return hvector(old);
        case 3:
            return indexed(old);
        case 4:
            return hindexed(old);
        case 5:
            return indexed_block(old);
        case 6:
            return hindexed_block(old);
        case 7:
        case 8:
            return structure(old);
        case 9:
            return resized(old);
        case 10:
            return subarray(old);
        default:
            return darray(old);
        }
    }

    twins contiguous(const twins &old) {
        twins made;
        const std::int64_t count = between(0, 5);
        mpi::type_contiguous(count, old.type, &made.type, form_);
        made.map = repeat(old.map, count, old.map.extent());
        return made;
    }

    twins vector(const twins &old) {
        twins made;
        const std::int64_t count = between(0, 6);
        const std::int64_t length = between(0, 3);
        const std::int64_t stride = between(-4, 5);
        mpi::type_vector(count, length, stride, old.type, &made.type, form_);
        made.map = vector_map(count, length, stride * old.map.extent(), old.map);
        return made;
    }

    twins hvector(const twins &old) {
        twins made;
        const std::int64_t count = between(1, 6);
        const std::int64_t length = between(1, 3);
        const std::int64_t stride = between(-50, 80);
        mpi::type_hvector(count, length, stride, old.type, &made.type, form_);
        made.map = vector_map(count, length, stride, old.map);
        return made;
    }

    twins indexed(const twins &old) {
        twins made;
        const std::int64_t count = between(0, 5);
        const numbers lengths = several(count, 0, 3);
        const numbers places = several(count, -4, 8);
        mpi::type_indexed(count, lengths.data(), places.data(), old.type, &made.type, form_);
        made.map = indexed_map(lengths, places, old.map.extent(), old.map);
        return made;
    }

    twins hindexed(const twins &old) {
        twins made;
        const std::int64_t count = between(1, 5);
        const numbers lengths = several(count, 0, 3);
        const numbers places = several(count, -40, 90);
        mpi::type_hindexed(count, lengths.data(), places.data(), old.type, &made.type, form_);
        made.map = indexed_map(lengths, places, 1, old.map);
        return made;
    }

    twins indexed_block(const twins &old) {
        twins made;
        const std::int64_t count = between(0, 6);
        const std::int64_t length = between(0, 3);
        const numbers places = several(count, -4, 8);
        mpi::type_indexed_block(count, length, places.data(), old.type, &made.type, form_);
        made.map = indexed_map(numbers(places.size(), length), places, old.map.extent(), old.map);
        return made;
    }

    twins hindexed_block(const twins &old) {
        twins made;
        const std::int64_t count = between(1, 6);
        const std::int64_t length = between(1, 3);
        const numbers places = several(count, -40, 90);
        mpi::type_hindexed_block(count, length, places.data(), old.type, &made.type, form_);
        made.map = indexed_map(numbers(places.size(), length), places, 1, old.map);
        return made;
    }

    // One of the parts is the old type, others are basic types or the old one again.
    twins structure(const twins &old) {
        twins made;
        const std::int64_t count = between(1, 4);
        const numbers lengths = several(count, 0, 3);
        const numbers places = several(count, -30, 120);
        std::vector<mpi::type_pointer> types;
        std::vector<type_map> maps;
        for (std::int64_t i = 0; i != count; ++i) {
            const twins part = between(0, 1) == 0 ? old : basic();
            types.push_back(part.type);
            maps.push_back(part.map);
        }
        mpi::type_struct(count, lengths.data(), places.data(), types.data(), &made.type, form_);
        made.map = struct_map(lengths, places, maps);
        return made;
    }

    twins resized(const twins &old) {
        if (between(0, 3) == 0) {
            twins made{nullptr, old.map};
            mpi::type_dup(old.type, &made.type);
            return made;
        }
        twins made;
        const std::int64_t lower = between(-20, 20);
        const std::int64_t extent = between(-10, 90);
        mpi::type_resized(old.type, lower, extent, &made.type, form_);
        made.map = resized_map(old.map, lower, extent);
        return made;
    }

    twins subarray(const twins &old) {
        twins made;
        const auto dimensions = static_cast<int>(between(1, 3));
        numbers sizes = several(dimensions, 1, 4);
        numbers subsizes;
        numbers starts;
        for (std::int64_t size : sizes) {
            subsizes.push_back(between(0, size));
            starts.push_back(between(0, size - subsizes.back()));
        }
        const bool fortran = between(0, 1) != 0;
        mpi::type_subarray(dimensions, sizes.data(), subsizes.data(), starts.data(),
                           fortran ? mpi::abi::order_fortran : mpi::abi::order_c, old.type,
                           &made.type, form_);
        made.map = subarray_map(sizes, subsizes, starts, fortran, old.map);
        return made;
    }

    twins darray(const twins &old) {
        twins made;
        const auto dimensions = static_cast<int>(between(1, 3));
        std::vector<distribution> all;
        numbers sizes;
        std::vector<int> kinds, arguments, processes;
        int grid = 1;
        for (int i = 0; i != dimensions; ++i) {
            all.push_back(random_distribution());
            sizes.push_back(all.back().size);
            kinds.push_back(all.back().kind);
            arguments.push_back(all.back().argument);
            processes.push_back(all.back().processes);
            grid *= all.back().processes;
        }
        const auto rank = static_cast<int>(between(0, grid - 1));
        const bool fortran = between(0, 1) != 0;
        mpi::type_darray(grid, rank, dimensions, sizes.data(), kinds.data(), arguments.data(),
                         processes.data(), fortran ? mpi::abi::order_fortran : mpi::abi::order_c,
                         old.type, &made.type, form_);
        made.map = darray_map(all, rank, fortran, old.map);
        return made;
    }

    distribution random_distribution() {
        const std::int64_t size = between(1, 7);
        const auto processes = static_cast<int>(between(1, 3));
        const bool usual = between(0, 1) != 0;
        switch (between(0, 2)) {
        case 0:
            return {size, mpi::abi::distribute_none, mpi::abi::distribute_dflt_darg, 1};
        case 1: {
            const auto least = static_cast<int>((size + processes - 1) / processes);
            return {size, mpi::abi::distribute_block,
                    usual ? mpi::abi::distribute_dflt_darg
                          : static_cast<int>(between(least, least + 2)),
                    processes};
        }
        default:
            return {size, mpi::abi::distribute_cyclic,
                    usual ? mpi::abi::distribute_dflt_darg : static_cast<int>(between(1, 3)),
                    processes};
        }
    }

    std::mt19937 &random_;
    const std::vector<mpi::datatype> &basics_;
    mpi::call_form form_ = mpi::call_form::plain;
};

} // namespace

twins random_type(std::mt19937 &random, int depth, const std::vector<mpi::datatype> &basics) {
    return generator(random, basics).make(depth);
}

} // namespace datatypes_test
