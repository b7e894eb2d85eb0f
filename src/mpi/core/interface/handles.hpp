// SPDX-License-Identifier: MIT
// Handles as the core has them: 32-bit numbers, a type of its own for each kind of object.
//
// Predefined objects have the numbers of the MPI 5 standard ABI. All other objects of a kind have
// numbers from `first_dynamic` to `last_dynamic`; what the number says beyond that is up to who
// gives it. No object has the number 0: a face turns a handle that it cannot read into 0. The
// faces' table (functions/constants.txt) repeats the numbers, and generated code compares both.
#pragma once

#include <cstdint>

namespace saguaro::mpi {

inline constexpr std::uint32_t first_dynamic = 4096;
// MPICH's handles have 26 bits for an object's number.
inline constexpr std::uint32_t last_dynamic = (std::uint32_t{1} << 26) - 1;

enum class comm : std::uint32_t {
    null = 0x100,
    world = 0x101,
    self = 0x102,
};

enum class group : std::uint32_t {
    null = 0x108,
    empty = 0x109,
};

enum class datatype : std::uint32_t {
    null = 0x200,
    aint = 0x201,
    count = 0x202,
    offset = 0x203,
    lb = 0x205, // MPI 3 removed MPI_LB and MPI_UB; the standard ABI leaves their numbers free
    ub = 0x206,
    packed = 0x207,
    short_ = 0x208,
    int_ = 0x209,
    long_ = 0x20a,
    long_long = 0x20b,
    unsigned_short = 0x20c,
    unsigned_ = 0x20d,
    unsigned_long = 0x20e,
    unsigned_long_long = 0x20f,
    float_ = 0x210,
    c_float16 = 0x211, // _Float16, MPICH's MPIX_C_FLOAT16
    c_float_complex = 0x212,
    cxx_float_complex = 0x213,
    double_ = 0x214,
    c_double_complex = 0x216,
    cxx_double_complex = 0x217,
    logical = 0x218,
    integer = 0x219,
    real = 0x21a,
    complex = 0x21b,
    double_precision = 0x21c,
    double_complex = 0x21d,
    character = 0x21e,
    long_double = 0x220,
    c_long_double_complex = 0x224,
    cxx_long_double_complex = 0x225,
    float_int = 0x228,
    double_int = 0x229,
    long_int = 0x22a,
    two_int = 0x22b,
    short_int = 0x22c,
    long_double_int = 0x22d,
    two_real = 0x230,
    two_double_precision = 0x231,
    two_integer = 0x232,
    c_bool = 0x238,
    cxx_bool = 0x239,
    wchar = 0x23c,
    int8_t = 0x240,
    uint8_t = 0x241,
    char_ = 0x243,
    signed_char = 0x244,
    unsigned_char = 0x245,
    byte = 0x247,
    int16_t = 0x248,
    uint16_t = 0x249,
    int32_t = 0x250,
    uint32_t = 0x251,
    int64_t = 0x258,
    uint64_t = 0x259,
    logical1 = 0x2c0,
    integer1 = 0x2c1,
    logical2 = 0x2c8,
    integer2 = 0x2c9,
    real2 = 0x2ca,
    logical4 = 0x2d0,
    integer4 = 0x2d1,
    real4 = 0x2d2,
    complex4 = 0x2d3,
    logical8 = 0x2d8,
    integer8 = 0x2d9,
    real8 = 0x2da,
    complex8 = 0x2db,
    logical16 = 0x2e0,
    integer16 = 0x2e1,
    real16 = 0x2e2,
    complex16 = 0x2e3,
    complex32 = 0x2eb,
};

enum class request : std::uint32_t {
    null = 0x180,
};

enum class op : std::uint32_t {
    null = 0x020,
    sum = 0x021,
    min = 0x022,
    max = 0x023,
    prod = 0x024,
    band = 0x028,
    bor = 0x029,
    bxor = 0x02a,
    land = 0x030,
    lor = 0x031,
    lxor = 0x032,
    minloc = 0x038,
    maxloc = 0x039,
    replace = 0x03c,
    no_op = 0x03d,
};

enum class errhandler : std::uint32_t {
    null = 0x140,
    errors_are_fatal = 0x141,
    errors_abort = 0x142,
    errors_return = 0x143,
    errors_throw_exceptions = 0x144, // of C++ layers, which throw then
};

enum class info : std::uint32_t {
    null = 0x130,
    env = 0x131,
};

enum class win : std::uint32_t {
    null = 0x110,
};

enum class file : std::uint32_t {
    null = 0x118,
};

enum class session : std::uint32_t {
    null = 0x120,
};

enum class message : std::uint32_t {
    null = 0x128,
    no_proc = 0x129,
};

template <class handle>
constexpr std::uint32_t number(handle of) {
    return static_cast<std::uint32_t>(of);
}

template <class handle>
constexpr bool is_predefined(handle of) {
    return number(of) < first_dynamic;
}

} // namespace saguaro::mpi
