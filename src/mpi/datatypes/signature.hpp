// SPDX-License-Identifier: MIT
// Type signatures: the basic elements of a stream of bytes in their order, without their places.
#pragma once

#include "mpi/datatypes/basic.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace saguaro::mpi {

struct signature;
using signature_pointer = std::shared_ptr<const signature>;

// A tree of basic elements:
//   basic     `count` elements of one kind
//   repeated  the only part `count` times
//   joined    the parts, one after the other
struct signature {
    enum class shape : std::uint8_t { basic, repeated, joined };

    shape what = shape::joined;
    std::int64_t size = 0;          // bytes in memory's format,
    std::int64_t external_size = 0; // in external32,
    std::int64_t elements = 0;      // and the basic elements in them
    std::int64_t count = 0;

    // basic: one element
    basic_kind kind = basic_kind::none;
    std::int64_t kind_size = 0;
    std::int64_t kind_external_size = 0;

    std::vector<signature_pointer> parts;
    // joined: the bytes and the elements before each part
    std::vector<std::int64_t> bytes_before;
    std::vector<std::int64_t> elements_before;

    // How many basic elements the first `bytes` are, 0 <= bytes <= size: -1 if the last one is not
    // whole.
    std::int64_t elements_in(std::int64_t bytes) const;

    // The other way round: the bytes of the first `some` basic elements, 0 <= some <= elements.
    std::int64_t bytes_of(std::int64_t some) const;
};

// One element, `of` so many times, and the parts in their order. What has no elements may be null.
signature_pointer basic_signature(basic_kind kind, std::int64_t external_size);
signature_pointer repeated_signature(const signature_pointer &of, std::int64_t count);
signature_pointer joined_signature(const std::vector<signature_pointer> &parts);

} // namespace saguaro::mpi
