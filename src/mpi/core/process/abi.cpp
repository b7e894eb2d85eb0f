// SPDX-License-Identifier: MIT
// Queries about the standard ABI, and about the Fortran that the library knows: gfortran's.
#include "mpi/core/info/info.hpp"
#include "mpi/core/interface/functions.hpp"

#include <cstdint>
#include <cstring>

namespace saguaro::mpi::core {

namespace {

// .TRUE. and .FALSE. of each of gfortran's kinds of LOGICAL.
bool is_logical_size(int size) {
    return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

// An integer of so many bytes; the bytes above are 0.
void store_logical(int size, unsigned char value, void *to) {
    std::memset(to, 0, static_cast<std::size_t>(size));
    const auto least = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : size - 1;
    static_cast<unsigned char *>(to)[least] = value;
}

info_list fortran_sizes() {
    return {{"mpi_logical_size", "4"},
            {"mpi_integer_size", "4"},
            {"mpi_real_size", "4"},
            {"mpi_double_precision_size", "8"},
            {"mpi_logical1_supported", "true"},
            {"mpi_logical2_supported", "true"},
            {"mpi_logical4_supported", "true"},
            {"mpi_logical8_supported", "true"},
            {"mpi_logical16_supported", "true"},
            {"mpi_integer1_supported", "true"},
            {"mpi_integer2_supported", "true"},
            {"mpi_integer4_supported", "true"},
            {"mpi_integer8_supported", "true"},
            {"mpi_integer16_supported", "true"},
            {"mpi_real2_supported", "false"},
            {"mpi_real4_supported", "true"},
            {"mpi_real8_supported", "true"},
            {"mpi_real16_supported", "true"},
            {"mpi_complex4_supported", "false"},
            {"mpi_complex8_supported", "true"},
            {"mpi_complex16_supported", "true"},
            {"mpi_complex32_supported", "true"}};
}

} // namespace

int abi_get_info(info *out) {
    *out = make_info({{"mpi_aint_size", std::to_string(sizeof(std::intptr_t))},
                      {"mpi_count_size", std::to_string(sizeof(std::int64_t))},
                      {"mpi_offset_size", std::to_string(sizeof(std::int64_t))}});
    return abi::success;
}

int abi_get_fortran_info(info *out) {
    *out = make_info(fortran_sizes());
    return abi::success;
}

int abi_set_fortran_info(info wanted) {
    info_list list;
    if (const int error = wanted == info::null ? abi::err_info : read_info(wanted, list))
        return error;
    // Another Fortran than the one that is set already.
    const info_list own = fortran_sizes();
    for (const auto &[key, value] : list)
        if (const std::string *const is = find_value(own, key); is != nullptr && *is != value)
            return abi::err_abi;
    return abi::success;
}

int abi_get_fortran_booleans(int logical_size, void *logical_true, void *logical_false,
                             int *is_set) {
    if (!is_logical_size(logical_size) || logical_true == nullptr || logical_false == nullptr)
        return abi::err_arg;
    store_logical(logical_size, 1, logical_true);
    store_logical(logical_size, 0, logical_false);
    *is_set = 1;
    return abi::success;
}

int abi_set_fortran_booleans(int logical_size, void *logical_true, void *logical_false) {
    if (!is_logical_size(logical_size) || logical_true == nullptr || logical_false == nullptr)
        return abi::err_arg;
    unsigned char own[2][16];
    store_logical(logical_size, 1, own[0]);
    store_logical(logical_size, 0, own[1]);
    const auto size = static_cast<std::size_t>(logical_size);
    return std::memcmp(own[0], logical_true, size) == 0 &&
                   std::memcmp(own[1], logical_false, size) == 0
               ? abi::success
               : abi::err_abi;
}

} // namespace saguaro::mpi::core
