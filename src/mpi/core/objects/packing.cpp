// SPDX-License-Identifier: MIT
// Elements as bytes in a program's buffer, in the machine's format or in external32.
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/requests/requests.hpp"
#include "mpi/datatypes/external32.hpp"

#include <string_view>

namespace saguaro::mpi::core {

int pack_size(std::int64_t count, datatype type, comm, std::int64_t *size) {
    const datatype_object *const t = object_of(type);
    if (t == nullptr)
        return abi::err_type;
    if (count < 0)
        return abi::err_count;
    *size = count * t->size();
    return abi::success;
}

int pack(const void *in, std::int64_t count, datatype type, void *out, std::int64_t size,
         std::int64_t *position, comm) {
    typed_buffer from;
    if (const int error = make_buffer(from, in, count, type))
        return error;
    if (*position < 0 || from.bytes > size - *position)
        return abi::err_truncate;
    from.read(static_cast<char *>(out) + *position, static_cast<std::size_t>(from.bytes));
    *position += from.bytes;
    return abi::success;
}

int unpack(const void *in, std::int64_t size, std::int64_t *position, void *out, std::int64_t count,
           datatype type, comm) {
    typed_buffer to;
    if (const int error = make_buffer(to, out, count, type))
        return error;
    if (*position < 0 || to.bytes > size - *position)
        return abi::err_truncate;
    to.write(static_cast<const char *>(in) + *position, static_cast<std::size_t>(to.bytes));
    *position += to.bytes;
    return abi::success;
}

namespace {

// The bytes of so many elements in a representation; the standard has only one for all machines.
int external_bytes(std::string_view representation, std::int64_t count, datatype type,
                   std::int64_t *bytes) {
    const datatype_object *const t = object_of(type);
    if (t == nullptr)
        return abi::err_type;
    if (count < 0)
        return abi::err_count;
    if (representation != "external32")
        return abi::err_unsupported_datarep;
    *bytes = external32_size(*t, count);
    return *bytes < 0 ? abi::err_value_too_large : abi::success;
}

// The same, if they fit behind a position in a buffer.
int external_bytes_at(const char *representation, std::int64_t count, datatype type,
                      std::int64_t position, std::int64_t size, std::int64_t *bytes) {
    if (const int error = external_bytes(representation, count, type, bytes))
        return error;
    return position < 0 || *bytes > size - position ? abi::err_truncate : abi::success;
}

} // namespace

int pack_external_size(const char *representation, std::int64_t count, datatype type,
                       std::int64_t *size) {
    return external_bytes(representation, count, type, size);
}

int pack_external(const char *representation, const void *in, std::int64_t count, datatype type,
                  void *out, std::int64_t size, std::int64_t *position) {
    std::int64_t bytes = 0;
    if (const int error = external_bytes_at(representation, count, type, *position, size, &bytes))
        return error;
    pack_external32(*object_of(type), in, count, static_cast<char *>(out) + *position);
    *position += bytes;
    return abi::success;
}

int unpack_external(const char *representation, const void *in, std::int64_t size,
                    std::int64_t *position, void *out, std::int64_t count, datatype type) {
    std::int64_t bytes = 0;
    if (const int error = external_bytes_at(representation, count, type, *position, size, &bytes))
        return error;
    unpack_external32(*object_of(type), out, count, static_cast<const char *>(in) + *position);
    *position += bytes;
    return abi::success;
}

} // namespace saguaro::mpi::core
