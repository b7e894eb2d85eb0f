// SPDX-License-Identifier: MIT
// Hashing signatures as sequences of basic elements: a polynomial, so that parts can be joined.
#include "mpi/datatypes/signature_hash.hpp"

#include "mpi/datatypes/signature.hpp"

namespace saguaro::mpi {

namespace {

// Of a sequence: the sum of its elements times powers of a number, and the power for its length.
// The sum and power of two sequences one after the other follow from theirs.
struct sequence_hash {
    std::uint64_t sum = 0;
    std::uint64_t power = 1;

    sequence_hash then(const sequence_hash &next) const {
        return {sum * next.power + next.sum, power * next.power};
    }
    sequence_hash repeated(std::int64_t times) const {
        sequence_hash whole;
        sequence_hash square = *this;
        for (; times > 0; times /= 2, square = square.then(square))
            if (times % 2 != 0)
                whole = whole.then(square);
        return whole;
    }
};

constexpr std::uint64_t step = 0x9e3779b97f4a7c15; // odd, so no power is 0

sequence_hash hash_of(const signature &of) {
    if (of.what == signature::shape::basic) {
        const auto element = static_cast<std::uint64_t>(of.kind) + 1;
        return sequence_hash{element * element * 0xbf58476d1ce4e5b9, step}.repeated(of.count);
    }
    sequence_hash whole;
    for (const signature_pointer &part : of.parts)
        whole = whole.then(hash_of(*part));
    return of.what == signature::shape::repeated ? whole.repeated(of.count) : whole;
}

} // namespace

std::uint64_t signature_hash(const datatype_object &type, std::int64_t count) {
    if (type.group() == basic_group::packed || count == 0 || type.basics() == nullptr)
        return 0;
    const std::uint64_t sum = hash_of(*type.basics()).repeated(count).sum;
    return sum != 0 ? sum : 1;
}

} // namespace saguaro::mpi
