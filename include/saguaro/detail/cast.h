/* SPDX-License-Identifier: MIT */
/*
 * A cast between pointers and integers that neither a C nor a C++ program gets a warning for.
 */
#pragma once

#ifdef __cplusplus
extern "C++" {
namespace saguaro {
namespace detail {

template <class To, class From>
__attribute__((always_inline)) inline To pointer_cast(From from) {
    return reinterpret_cast<To>(from);
}

template <class To>
__attribute__((always_inline)) inline To pointer_cast(decltype(nullptr)) {
    return nullptr;
}

} // namespace detail
} // namespace saguaro
}
#define SG_CAST(type, value) (::saguaro::detail::pointer_cast<type>(value))
#else
#define SG_CAST(type, value) ((type)(value))
#endif
