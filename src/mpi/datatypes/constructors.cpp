// SPDX-License-Identifier: MIT
// The constructors from MPI_Type_contiguous to MPI_Type_create_resized, with their checks.
#include "mpi/datatypes/constructors.hpp"

#include "mpi/core/interface/constants.hpp"
#include "mpi/datatypes/bounds_rule.hpp"
#include "mpi/datatypes/composition.hpp"
#include "mpi/datatypes/record.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace saguaro::mpi {
namespace {

bool is_another_name(const contents &made_from) {
    const auto is_1 = [](const auto &counts) { return counts.size() == 1 && counts[0] == 1; };
    return made_from.made_by == combiner::dup ||
           (made_from.made_by == combiner::contiguous &&
            (is_1(made_from.integers) || is_1(made_from.counts)));
}

// MPICH knows basic types by what they are to the machine, whatever their sign and their name.
bool are_same_for_mpich(const datatype_object &a, const datatype_object &b) {
    const auto without_sign = [](basic_kind kind) {
        return kind == basic_kind::uint8    ? basic_kind::int8
               : kind == basic_kind::uint16 ? basic_kind::int16
               : kind == basic_kind::uint32 ? basic_kind::int32
               : kind == basic_kind::uint64 ? basic_kind::int64
                                            : kind;
    };
    return &a == &b || (a.predefined() != datatype::null && b.predefined() != datatype::null &&
                        a.predefined() != datatype::wchar && b.predefined() != datatype::wchar &&
                        without_sign(a.kind()) == without_sign(b.kind()));
}

// MPICH takes a struct whose members are all of one type for an array of that, whose extent it does
// not round up. A duplicate is the same type as its original, and so is a contiguous one of 1.
bool is_array_for_mpich(const std::vector<type_pointer> &members) {
    const datatype_object *of = nullptr;
    for (const type_pointer &member : members) {
        const datatype_object *each = member.get();
        while (is_another_name(each->made_from()))
            each = each->made_from().types.front().get();
        if (of != nullptr && !are_same_for_mpich(*each, *of))
            return false;
        of = each;
    }
    return true;
}

// Block i of an old type: how long it is, and where.
template <class lengths, class places>
int make_blocks(std::int64_t count, const lengths &length, const places &place, std::int64_t unit,
                const type_pointer &old, call_record &&record, type_pointer *made) {
    const composition of = composition_of(*old);
    std::vector<block> blocks;
    blocks.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i != count; ++i) {
        std::int64_t displacement = 0;
        if (length(i) < 0 || __builtin_mul_overflow(place(i), unit, &displacement))
            return abi::err_count;
        if (length(i) != 0)
            blocks.push_back({displacement, length(i), &of});
    }
    composition result;
    if (int error = join(blocks, &result))
        return error;
    return finish(std::move(result), std::move(record), made);
}

int make_vector(std::int64_t count, std::int64_t block_length, std::int64_t stride,
                const type_pointer &old, call_record &&record, type_pointer *made) {
    const composition of = composition_of(*old);
    composition one;
    composition all;
    if (int error = repeat(of, block_length, of.extent(), &one))
        return error;
    if (int error = repeat(one, count, stride, &all))
        return error;
    return finish(std::move(all), std::move(record), made);
}

// The displacements are in bytes or in elements. `record` has what is said before them.
template <class lengths>
int make_at(const std::int64_t *displacements, bool in_bytes, std::int64_t count,
            const lengths &length, const type_pointer &old, call_record &&record,
            type_pointer *made) {
    if (in_bytes)
        record.add_addresses(displacements, count);
    else
        record.add_counts(displacements, count);
    record.add_type(old);
    return make_blocks(
        count, length, [=](std::int64_t i) { return displacements[i]; },
        in_bytes ? 1 : old->extent(), old, std::move(record), made);
}

int make_indexed(combiner how, std::int64_t count, const std::int64_t *block_lengths,
                 const std::int64_t *displacements, const type_pointer &old, type_pointer *made,
                 call_form form) {
    if (!old)
        return abi::err_type;
    if (count < 0)
        return abi::err_count;
    call_record record(how, form);
    record.add_count(count);
    record.add_counts(block_lengths, count);
    return make_at(
        displacements, how == combiner::hindexed, count,
        [=](std::int64_t i) { return block_lengths[i]; }, old, std::move(record), made);
}

int make_indexed_block(combiner how, std::int64_t count, std::int64_t block_length,
                       const std::int64_t *displacements, const type_pointer &old,
                       type_pointer *made, call_form form) {
    if (!old)
        return abi::err_type;
    if (count < 0 || block_length < 0)
        return abi::err_count;
    call_record record(how, form);
    record.add_count(count);
    record.add_count(block_length);
    return make_at(
        displacements, how == combiner::hindexed_block, count,
        [=](std::int64_t) { return block_length; }, old, std::move(record), made);
}

} // namespace

int type_contiguous(std::int64_t count, const type_pointer &old, type_pointer *made,
                    call_form form) {
    if (!old)
        return abi::err_type;
    if (count < 0)
        return abi::err_count;
    call_record record(combiner::contiguous, form);
    record.add_count(count);
    record.add_type(old);
    composition all;
    if (int error = repeat(composition_of(*old), count, old->extent(), &all))
        return error;
    return finish(std::move(all), std::move(record), made);
}

int type_vector(std::int64_t count, std::int64_t block_length, std::int64_t stride,
                const type_pointer &old, type_pointer *made, call_form form) {
    if (!old)
        return abi::err_type;
    std::int64_t stride_bytes = 0;
    if (count < 0 || block_length < 0 ||
        __builtin_mul_overflow(stride, old->extent(), &stride_bytes))
        return abi::err_count;
    call_record record(combiner::vector, form);
    record.add_count(count);
    record.add_count(block_length);
    record.add_count(stride);
    record.add_type(old);
    return make_vector(count, block_length, stride_bytes, old, std::move(record), made);
}

int type_hvector(std::int64_t count, std::int64_t block_length, std::int64_t stride,
                 const type_pointer &old, type_pointer *made, call_form form) {
    if (!old)
        return abi::err_type;
    if (count < 0 || block_length < 0)
        return abi::err_count;
    call_record record(combiner::hvector, form);
    record.add_count(count);
    record.add_count(block_length);
    record.add_address(stride);
    record.add_type(old);
    return make_vector(count, block_length, stride, old, std::move(record), made);
}

int type_indexed(std::int64_t count, const std::int64_t *block_lengths,
                 const std::int64_t *displacements, const type_pointer &old, type_pointer *made,
                 call_form form) {
    return make_indexed(combiner::indexed, count, block_lengths, displacements, old, made, form);
}

int type_hindexed(std::int64_t count, const std::int64_t *block_lengths,
                  const std::int64_t *displacements, const type_pointer &old, type_pointer *made,
                  call_form form) {
    return make_indexed(combiner::hindexed, count, block_lengths, displacements, old, made, form);
}

int type_indexed_block(std::int64_t count, std::int64_t block_length,
                       const std::int64_t *displacements, const type_pointer &old,
                       type_pointer *made, call_form form) {
    return make_indexed_block(combiner::indexed_block, count, block_length, displacements, old,
                              made, form);
}

int type_hindexed_block(std::int64_t count, std::int64_t block_length,
                        const std::int64_t *displacements, const type_pointer &old,
                        type_pointer *made, call_form form) {
    return make_indexed_block(combiner::hindexed_block, count, block_length, displacements, old,
                              made, form);
}

int type_struct(std::int64_t count, const std::int64_t *block_lengths,
                const std::int64_t *displacements, const type_pointer *types, type_pointer *made,
                call_form form) {
    if (count < 0)
        return abi::err_count;
    call_record record(combiner::structure, form);
    record.add_count(count);
    record.add_counts(block_lengths, count);
    record.add_addresses(displacements, count);
    const bool is_for_mpich = bounds_by == bounds_rule::outermost;
    std::optional<std::int64_t> lower; // what MPI_LB and MPI_UB say by MPICH's rule
    std::optional<std::int64_t> upper;
    std::vector<type_pointer> members; // for that rule
    std::vector<composition> parts;
    std::vector<block> blocks;
    parts.reserve(static_cast<std::size_t>(count));
    blocks.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i != count; ++i) {
        if (!types[i])
            return abi::err_type;
        if (block_lengths[i] < 0)
            return abi::err_count;
        record.add_type(types[i]);
        // No members for MPICH: the last of each says where the bound is, of this struct alone.
        if (is_for_mpich && types[i]->predefined() == datatype::lb) {
            lower = displacements[i];
            continue;
        }
        if (is_for_mpich && types[i]->predefined() == datatype::ub) {
            upper = displacements[i];
            continue;
        }
        if (is_for_mpich)
            members.push_back(types[i]);
        // Equal neighbours are one part, so that their shapes and signatures are recognized.
        if (parts.empty() || types[i] != types[i - 1])
            parts.push_back(composition_of(*types[i]));
        if (block_lengths[i] != 0)
            blocks.push_back({displacements[i], block_lengths[i], &parts.back()});
    }
    composition result;
    if (int error = join(blocks, &result))
        return error;
    if (!result.range.upper_is_set && !(is_for_mpich && is_array_for_mpich(members))) {
        const std::int64_t over = result.extent() % result.range.alignment;
        if (over != 0 && __builtin_add_overflow(result.range.upper, result.range.alignment - over,
                                                &result.range.upper))
            return abi::err_count;
    }
    if (lower || upper) {
        result.range.lower = lower.value_or(result.range.lower);
        result.range.upper = upper.value_or(result.range.upper);
        std::int64_t extent = 0;
        if (__builtin_sub_overflow(result.range.upper, result.range.lower, &extent))
            return abi::err_count;
    }
    return finish(std::move(result), std::move(record), made);
}

int type_resized(const type_pointer &old, std::int64_t lower_bound, std::int64_t extent,
                 type_pointer *made, call_form form) {
    if (!old)
        return abi::err_type;
    call_record record(combiner::resized, form);
    record.add_address(lower_bound);
    record.add_address(extent);
    record.add_type(old);
    composition result;
    if (int error = resize(composition_of(*old), lower_bound, extent, &result))
        return error;
    return finish(std::move(result), std::move(record), made);
}

int type_dup(const type_pointer &old, type_pointer *made) {
    if (!old)
        return abi::err_type;
    call_record record(combiner::dup, call_form::plain);
    record.add_type(old);
    return finish(composition_of(*old), std::move(record), made, old->group());
}

} // namespace saguaro::mpi
