// SPDX-License-Identifier: MIT
// Deriving a type's form in a file, and converting elements to it and back.
#include "mpi/core/files/representation.hpp"

#include "mpi/datatypes/arrays.hpp"
#include "mpi/datatypes/constructors.hpp"
#include "mpi/datatypes/external32.hpp"
#include "mpi/datatypes/predefined.hpp"
#include "mpi/datatypes/signature.hpp"

#include <algorithm>
#include <cstring>

namespace saguaro::mpi {

namespace {

// A basic type's bytes in the file.
int basic_size(const representation &how, const datatype_object &of, std::int64_t *bytes) {
    *bytes = of.size();
    if (how.what == representation::form::external32)
        *bytes = external32_size(of, 1);
    else if (how.what == representation::form::program && of.predefined() != datatype::null &&
             how.extent.thunk(how.extent.function, of.predefined(), bytes, how.extra_state) != 0)
        return abi::err_conversion;
    return *bytes < 0 ? abi::err_conversion : abi::success;
}

// The arguments of a constructor as MPI_Type_get_contents lists them, one after the other.
class recorded_arguments {
public:
    explicit recorded_arguments(const contents &of) : of_(of) {}

    // What a plain call has as an int, and a large one as a count.
    std::int64_t count() { return of_.counts.empty() ? integer() : of_.counts[count_++]; }
    // What a plain call has as an address.
    std::int64_t address() {
        return of_.counts.empty() ? of_.addresses[address_++] : of_.counts[count_++];
    }
    int integer() { return of_.integers[integer_++]; }

    std::vector<std::int64_t> counts(std::int64_t n) {
        return list<std::int64_t>(n, [this] { return count(); });
    }
    std::vector<std::int64_t> addresses(std::int64_t n) {
        return list<std::int64_t>(n, [this] { return address(); });
    }
    std::vector<int> integers(std::int64_t n) {
        return list<int>(n, [this] { return integer(); });
    }

private:
    template <class T, class Next>
    static std::vector<T> list(std::int64_t n, Next next) {
        std::vector<T> all(static_cast<std::size_t>(n));
        std::generate(all.begin(), all.end(), next);
        return all;
    }

    const contents &of_;
    std::size_t integer_ = 0;
    std::size_t address_ = 0;
    std::size_t count_ = 0;
};

// The same constructor called with other old types.
int construct_again(const contents &call, const std::vector<type_pointer> &olds,
                    type_pointer *made) {
    recorded_arguments next(call);
    const type_pointer &old = olds.front();
    switch (call.made_by) {
    case combiner::dup:
        return type_dup(old, made);
    case combiner::contiguous:
        return type_contiguous(next.count(), old, made);
    case combiner::vector: {
        const std::vector<std::int64_t> v = next.counts(3);
        return type_vector(v[0], v[1], v[2], old, made);
    }
    case combiner::hvector: {
        const std::vector<std::int64_t> v = next.counts(2);
        return type_hvector(v[0], v[1], next.address(), old, made);
    }
    case combiner::indexed: {
        const std::int64_t n = next.count();
        const std::vector<std::int64_t> lengths = next.counts(n);
        return type_indexed(n, lengths.data(), next.counts(n).data(), old, made);
    }
    case combiner::hindexed: {
        const std::int64_t n = next.count();
        const std::vector<std::int64_t> lengths = next.counts(n);
        return type_hindexed(n, lengths.data(), next.addresses(n).data(), old, made);
    }
    case combiner::indexed_block: {
        const std::vector<std::int64_t> v = next.counts(2);
        return type_indexed_block(v[0], v[1], next.counts(v[0]).data(), old, made);
    }
    case combiner::hindexed_block: {
        const std::vector<std::int64_t> v = next.counts(2);
        return type_hindexed_block(v[0], v[1], next.addresses(v[0]).data(), old, made);
    }
    case combiner::structure: {
        const std::int64_t n = next.count();
        const std::vector<std::int64_t> lengths = next.counts(n);
        return type_struct(n, lengths.data(), next.addresses(n).data(), olds.data(), made);
    }
    case combiner::resized: {
        const std::vector<std::int64_t> v = next.addresses(2);
        return type_resized(old, v[0], v[1], made);
    }
    case combiner::subarray: {
        const int n = next.integer();
        const std::vector<std::int64_t> sizes = next.counts(n);
        const std::vector<std::int64_t> subsizes = next.counts(n);
        const std::vector<std::int64_t> starts = next.counts(n);
        return type_subarray(n, sizes.data(), subsizes.data(), starts.data(), next.integer(), old,
                             made);
    }
    case combiner::darray: {
        const std::vector<int> v = next.integers(3);
        const std::vector<std::int64_t> sizes = next.counts(v[2]);
        const std::vector<int> distributions = next.integers(v[2]);
        const std::vector<int> arguments = next.integers(v[2]);
        const std::vector<int> processes = next.integers(v[2]);
        return type_darray(v[0], v[1], v[2], sizes.data(), distributions.data(), arguments.data(),
                           processes.data(), next.integer(), old, made);
    }
    default:
        return abi::err_intern;
    }
}

// The bytes in memory of the whole basic elements in the first bytes of a stream of external32.
std::int64_t native_bytes(const signature &of, std::int64_t external) {
    if (of.what == signature::shape::basic)
        return external / of.kind_external_size * of.kind_size;
    if (of.what == signature::shape::repeated) {
        const signature &part = *of.parts.front();
        return external / part.external_size * part.size +
               native_bytes(part, external % part.external_size);
    }
    std::int64_t bytes = 0;
    for (const signature_pointer &part : of.parts) {
        const std::int64_t here = std::min(external, part->external_size);
        bytes += native_bytes(*part, here);
        external -= here;
    }
    return bytes;
}

} // namespace

typed_buffer elements_of(const typed_buffer &all, std::int64_t first, std::int64_t count) {
    // As a number: the base may be MPI_BOTTOM.
    const auto base = reinterpret_cast<std::uintptr_t>(all.base) +
                      static_cast<std::uintptr_t>(first * all.type->extent());
    return {reinterpret_cast<void *>(base), count, all.type, count * all.type->size()};
}

int file_form(const representation &how, const type_pointer &of, type_pointer *made) {
    *made = of;
    if (how.what == representation::form::memory || of->size() == 0)
        return abi::success;
    const contents &call = of->made_from();
    if (call.types.empty()) {
        std::int64_t bytes = 0;
        const int error = basic_size(how, *of, &bytes);
        if (error != 0 || bytes == of->extent())
            return error;
        return type_contiguous(bytes, predefined_object(datatype::byte), made);
    }
    std::vector<type_pointer> olds(call.types.size());
    for (std::size_t i = 0; i < olds.size(); ++i)
        if (const int error = file_form(how, call.types[i], &olds[i]))
            return error;
    return olds == call.types ? abi::success : construct_again(call, olds, made);
}

int to_file(const representation &how, const converted_buffer &from, std::int64_t first,
            std::int64_t count, char *to) {
    if (how.what == representation::form::external32) {
        const typed_buffer part = elements_of(from.memory, first, count);
        pack_external32(*part.type, part.base, count, to);
        return abi::success;
    }
    const int error = how.write.thunk(how.write.function, from.memory.base, from.type, count, to,
                                      first, how.extra_state);
    return error == 0 ? abi::success : abi::err_conversion;
}

int from_file(const representation &how, const converted_buffer &to, std::int64_t first,
              std::int64_t count, char *from, std::int64_t bytes, std::int64_t *done) {
    const datatype_object &type = *to.memory.type;
    *done = 0;
    if (how.what == representation::form::program) {
        const std::int64_t whole = bytes / to.size_in_file;
        if (whole != 0 && how.read.thunk(how.read.function, to.memory.base, to.type, whole, from,
                                         first, how.extra_state) != 0)
            return abi::err_conversion;
        *done = whole * type.size();
        return abi::success;
    }
    const std::int64_t size = external32_size(type, 1);
    const std::int64_t whole = std::min(count, bytes / size);
    unpack_external32(type, elements_of(to.memory, first, whole).base, whole, from);
    *done = whole * type.size();
    if (const std::int64_t rest = bytes - whole * size; rest != 0) {
        // Of the last element the file has the begin only: what follows stays as it is in memory.
        const typed_buffer last = elements_of(to.memory, first + whole, 1);
        const std::int64_t begin = native_bytes(*type.basics(), rest);
        std::vector<char> kept(static_cast<std::size_t>(type.size()));
        pack(type, last.base, 1, 0, kept.data(), type.size());
        std::vector<char> padded(static_cast<std::size_t>(size));
        std::memcpy(padded.data(), from + whole * size, static_cast<std::size_t>(rest));
        unpack_external32(type, last.base, 1, padded.data());
        unpack(type, last.base, 1, begin, kept.data() + begin, type.size() - begin);
        *done += begin;
    }
    return abi::success;
}

const representation *representation_table::find(const char *name) const {
    static const representation always[] = {
        {"native"},
        {"internal"},
        {"external32", representation::form::external32},
    };
    for (const representation &each : always)
        if (each.name == name)
            return &each;
    for (const auto &each : registered_)
        if (each->name == name)
            return each.get();
    return nullptr;
}

int representation_table::add(representation made) {
    if (find(made.name.c_str()) != nullptr)
        return abi::err_dup_datarep;
    registered_.push_back(std::make_unique<const representation>(std::move(made)));
    return abi::success;
}

} // namespace saguaro::mpi
