// SPDX-License-Identifier: MIT
// Carrying out one get, put, accumulate, fetch or swap.
#include "mpi/core/windows/operation.hpp"

#include "mpi/core/operators/operators.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/datatypes/predefined.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace saguaro::mpi {

namespace {

// The stream of a buffer: its very memory, if that is one piece, or else a copy.
class stream_of {
public:
    explicit stream_of(const typed_buffer &of) : bytes_(of.first()) {
        if (of.is_contiguous())
            return;
        copy_.resize(static_cast<std::size_t>(of.bytes));
        of.read(copy_.data(), copy_.size());
        bytes_ = copy_.data();
    }
    const char *data() const { return bytes_; }

private:
    std::vector<char> copy_;
    const char *bytes_;
};

// inout = in op inout, for streams of basic elements.
void combine(op which, datatype basic, const char *in, char *inout, std::int64_t bytes) {
    const datatype_object &t = *object_of(basic);
    const std::int64_t count = bytes / t.size();
    if (t.size() == t.extent()) {
        reduce_elements(which, basic, in, inout, count);
        return;
    }
    // Pairs have gaps in memory that their stream has not.
    std::vector<char> a(static_cast<std::size_t>(count * t.extent()));
    std::vector<char> b(a.size());
    unpack(t, a.data(), count, 0, in, bytes);
    unpack(t, b.data(), count, 0, inout, bytes);
    reduce_elements(which, basic, a.data(), b.data(), count);
    pack(t, b.data(), count, 0, inout, bytes);
}

int get(const operation &o, const target_elements &there) {
    const std::int64_t bytes = std::min(o.result.bytes, there.bytes());
    if (o.result.is_contiguous())
        return read_target(there, o.result.first(), bytes);
    std::vector<char> stream(static_cast<std::size_t>(bytes));
    const int error = read_target(there, stream.data(), bytes);
    o.result.write(stream.data(), stream.size());
    return error;
}

int put(const operation &o, const target_elements &there) {
    return write_target(there, stream_of(o.origin).data(), std::min(o.origin.bytes, there.bytes()));
}

// Bytes whose contents are undefined at first.
using bytes_pointer = std::unique_ptr<char[]>;

bytes_pointer make_bytes(std::int64_t count) {
    return std::make_unique_for_overwrite<char[]>(static_cast<std::size_t>(count));
}

// The elements in memory of this process that is one piece; null if it is not.
char *piece_of(const target_elements &of) {
    if (!of.memory->is_here || !of.type->contiguous())
        return nullptr;
    return reinterpret_cast<char *>(of.address) + of.type->true_lower_bound();
}

// Hands out what is there, if that is wanted, and replaces it. change(stream) says whether anything
// is to be replaced.
template <class Change>
int update(const operation &o, const target_elements &there, Change change) {
    const std::int64_t bytes = there.bytes();
    char *const piece = piece_of(there);
    bytes_pointer copy;
    if (piece == nullptr) {
        copy = make_bytes(bytes);
        if (const int error = read_target(there, copy.get(), bytes))
            return error;
    }
    char *const stream = piece != nullptr ? piece : copy.get();
    // The result may lie where the operands do, so it is written at last.
    bytes_pointer before;
    if (o.result.type != nullptr) {
        before = make_bytes(bytes);
        std::memcpy(before.get(), stream, static_cast<std::size_t>(bytes));
    }
    const bool changes = change(stream);
    if (before != nullptr)
        o.result.write(before.get(), static_cast<std::size_t>(std::min(bytes, o.result.bytes)));
    return changes && piece == nullptr ? write_target(there, stream, bytes) : abi::success;
}

int accumulate(const operation &o, const target_elements &there) {
    if (o.with == op::replace && o.result.type == nullptr)
        return put(o, there);
    if (o.with == op::no_op && o.result.type == nullptr)
        return abi::success;
    return update(o, there, [&](char *inout) {
        if (o.with == op::no_op)
            return false;
        const stream_of operand(o.origin);
        const std::int64_t bytes = std::min(o.origin.bytes, there.bytes());
        if (o.with == op::replace)
            std::memmove(inout, operand.data(), static_cast<std::size_t>(bytes));
        else
            combine(o.with, o.basic, operand.data(), inout, bytes);
        return true;
    });
}

int compare_and_swap(const operation &o, const target_elements &there) {
    return update(o, there, [&](char *inout) {
        const auto bytes = static_cast<std::size_t>(there.bytes());
        if (std::memcmp(inout, o.compared, bytes) != 0)
            return false;
        std::memcpy(inout, o.origin.base, bytes);
        return true;
    });
}

} // namespace

int operation::carry_out(const target_elements &at) const {
    if (at.bytes() == 0)
        return abi::success;
    switch (what) {
    case access::put:
        return put(*this, at);
    case access::get:
        return get(*this, at);
    case access::accumulate:
        return accumulate(*this, at);
    case access::compare_and_swap:
        return compare_and_swap(*this, at);
    }
    return abi::err_intern;
}

datatype basic_of(const datatype_object &type) {
    if (const predefined_type *const row = find_row(type))
        return row->number;
    datatype found = datatype::null;
    for (const type_pointer &part : type.made_from().types) {
        if (part->size() == 0)
            continue;
        const datatype basic = basic_of(*part);
        if (basic == datatype::null || (found != datatype::null && found != basic))
            return datatype::null;
        found = basic;
    }
    return found;
}

} // namespace saguaro::mpi
