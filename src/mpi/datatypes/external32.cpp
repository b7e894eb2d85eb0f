// SPDX-License-Identifier: MIT
// The native stream goes through a buffer of a few kilobytes, where the signature says what its
// bytes are.
#include "mpi/datatypes/external32.hpp"

#include "mpi/datatypes/signature.hpp"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cstddef>
#include <cstring>

namespace saguaro::mpi {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::int64_t buffer_bytes = 4096;

// Numbers of several parts are converted part by part.
struct number_format {
    basic_kind kind;
    std::int64_t parts;
    std::int64_t size;          // of a part, in memory
    std::int64_t external_size; // and in external32
};

number_format format_of(const signature &basic) {
    const bool is_complex =
        basic.kind >= basic_kind::complex16 && basic.kind <= basic_kind::complex_long_double;
    const std::int64_t parts = is_complex ? 2 : 1;
    const basic_kind kind =
        basic.kind == basic_kind::complex_long_double ? basic_kind::long_double : basic.kind;
    return {kind, parts, basic.kind_size / parts, basic.kind_external_size / parts};
}

bool is_signed(basic_kind kind) {
    return kind >= basic_kind::int8 && kind <= basic_kind::int128;
}

template <class number>
number loaded_number(const std::byte *from) {
    number value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// Most numbers have 8 or 4 bytes.
void reverse(const std::byte *from, std::byte *to, std::int64_t bytes) {
    if (bytes == 8) {
        const auto value = __builtin_bswap64(loaded_number<std::uint64_t>(from));
        std::memcpy(to, &value, sizeof value);
    } else if (bytes == 4) {
        const auto value = __builtin_bswap32(loaded_number<std::uint32_t>(from));
        std::memcpy(to, &value, sizeof value);
    } else {
        std::reverse_copy(from, from + bytes, to);
    }
}

#if LDBL_MANT_DIG == 64
// x87's 80 bits: sign and exponent as IEEE's 128 bits have them, then the mantissa with its leading
// one, which IEEE leaves out. A mantissa of IEEE's has 49 bits more, which are cut off.
void to_quad(const std::byte *from, std::byte *to) {
    std::uint64_t mantissa = 0;
    std::memcpy(&mantissa, from, 8);
    reverse(from + 8, to, 2);
    const std::uint64_t fraction = mantissa << 1;
    std::memset(to + 2, 0, 14);
    reverse(reinterpret_cast<const std::byte *>(&fraction), to + 2, 8);
}

void from_quad(const std::byte *from, std::byte *to) {
    std::uint64_t fraction = 0;
    reverse(from + 2, reinterpret_cast<std::byte *>(&fraction), 8);
    std::uint16_t sign_and_exponent = 0;
    reverse(from, reinterpret_cast<std::byte *>(&sign_and_exponent), 2);
    const bool normal = (sign_and_exponent & 0x7fff) != 0;
    const std::uint64_t mantissa = fraction >> 1 | (normal ? std::uint64_t{1} << 63 : 0);
    std::memcpy(to, &mantissa, 8);
    std::memcpy(to + 8, &sign_and_exponent, 2);
    std::memset(to + 10, 0, sizeof(long double) - 10);
}

bool is_x87(const number_format &format) {
    return format.kind == basic_kind::long_double;
}
#else
void to_quad(const std::byte *from, std::byte *to) {
    reverse(from, to, 16);
}
void from_quad(const std::byte *from, std::byte *to) {
    reverse(from, to, 16);
}
bool is_x87(const number_format &) {
    return false;
}
#endif

void to_external(const number_format &format, const std::byte *from, std::byte *to) {
    if (is_x87(format))
        to_quad(from, to);
    else
        reverse(from, to, format.external_size);
}

void from_external(const number_format &format, const std::byte *from, std::byte *to) {
    if (is_x87(format)) {
        from_quad(from, to);
        return;
    }
    reverse(from, to, format.external_size);
    const bool negative = is_signed(format.kind) && (from[0] & std::byte{0x80}) != std::byte{0};
    std::memset(to + format.external_size, negative ? 0xff : 0,
                static_cast<std::size_t>(format.size - format.external_size));
}

// Reads the native stream of elements.
class reader {
public:
    reader(const datatype_object &type, const void *buffer, std::int64_t count)
        : type_(type), buffer_(buffer), count_(count), rest_(count * type.size()) {}

    // The next `bytes`, which are good until the next call.
    const std::byte *next(std::int64_t bytes) {
        if (end_ - at_ < bytes)
            refill();
        const std::byte *found = bytes_ + at_;
        at_ += bytes;
        return found;
    }

private:
    void refill() {
        // What is left over is read again.
        offset_ -= end_ - at_;
        rest_ += end_ - at_;
        at_ = 0;
        end_ = std::min(rest_, buffer_bytes);
        pack(type_, buffer_, count_, offset_, bytes_, end_);
        offset_ += end_;
        rest_ -= end_;
    }

    const datatype_object &type_;
    const void *buffer_;
    std::int64_t count_;
    std::int64_t offset_ = 0; // in the stream, of the end of what is in bytes_
    std::int64_t rest_;       // of the stream after that
    std::int64_t at_ = 0;
    std::int64_t end_ = 0;
    std::byte bytes_[buffer_bytes];
};

// Writes it. What was given room last is written by the call after it, or by flush().
class writer {
public:
    writer(const datatype_object &type, void *buffer, std::int64_t count)
        : type_(type), buffer_(buffer), count_(count) {}

    // Room for the next `bytes`.
    std::byte *next(std::int64_t bytes) {
        if (buffer_bytes - at_ < bytes)
            flush();
        std::byte *room = bytes_ + at_;
        at_ += bytes;
        return room;
    }

    void flush() {
        unpack(type_, buffer_, count_, offset_, bytes_, at_);
        offset_ += at_;
        at_ = 0;
    }

private:
    const datatype_object &type_;
    void *buffer_;
    std::int64_t count_;
    std::int64_t offset_ = 0;
    std::int64_t at_ = 0;
    std::byte bytes_[buffer_bytes];
};

// Calls f(format) for each part of a number, in the order of the stream.
template <class function>
void each_number(const signature &of, const function &f) {
    if (of.what == signature::shape::basic) {
        const number_format format = format_of(of);
        for (std::int64_t i = 0; i != of.count * format.parts; ++i)
            f(format);
        return;
    }
    for (std::int64_t i = 0; i != of.count; ++i)
        for (const signature_pointer &part : of.parts)
            each_number(*part, f);
}

} // namespace

std::int64_t external32_size(const datatype_object &type, std::int64_t count) {
    std::int64_t bytes = 0;
    const std::int64_t of_one = type.basics() ? type.basics()->external_size : 0;
    return __builtin_mul_overflow(of_one, count, &bytes) ? -1 : bytes;
}

void pack_external32(const datatype_object &type, const void *buffer, std::int64_t count,
                     void *out) {
    if (!type.basics())
        return;
    reader stream(type, buffer, count);
    auto *to = static_cast<std::byte *>(out);
    for (std::int64_t i = 0; i != count; ++i)
        each_number(*type.basics(), [&](const number_format &format) {
            to_external(format, stream.next(format.size), to);
            to += format.external_size;
        });
}

void unpack_external32(const datatype_object &type, void *buffer, std::int64_t count,
                       const void *in) {
    if (!type.basics())
        return;
    writer stream(type, buffer, count);
    auto *from = static_cast<const std::byte *>(in);
    for (std::int64_t i = 0; i != count; ++i)
        each_number(*type.basics(), [&](const number_format &format) {
            from_external(format, from, stream.next(format.size));
            from += format.external_size;
        });
    stream.flush();
}

} // namespace saguaro::mpi
