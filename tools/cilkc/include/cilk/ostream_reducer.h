/* SPDX-License-Identifier: MIT */
/* OpenCilk's stream to which strands write, in serial order: for C++ alone. */
#pragma once

#ifdef __cplusplus

#pragma GCC system_header

#include <cilk/cxx/ostream.hpp>

namespace cilk {

/* cilk::ostream_reducer<char> out(std::cout); out << x; */
template <typename Char, typename Traits = std::char_traits<Char>>
class ostream_reducer : public internal::stream_like<internal::ostream_monoid<Char, Traits>> {
public:
    explicit ostream_reducer(const std::basic_ostream<Char, Traits> &target)
        : internal::stream_like<internal::ostream_monoid<Char, Traits>>(target) {}
    operator std::basic_ostream<Char, Traits> &() { return this->view(); }
};

} // namespace cilk

#endif
