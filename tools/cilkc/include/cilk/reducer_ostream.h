/* SPDX-License-Identifier: MIT */
/* A stream to which strands write, in serial order: Cilk Plus's, for C++ alone. See
 * <cilk/reducer.h>. */
#pragma once

#ifdef __cplusplus

#pragma GCC system_header

#include <cilk/cxx/ostream.hpp>

namespace cilk {

/* cilk::reducer<cilk::op_ostream> out(std::cout); *out << x; */
template <typename Char, typename Traits = std::char_traits<Char>, bool Align = false>
struct op_basic_ostream : internal::ostream_monoid<Char, Traits> {
    typedef op_basic_ostream monoid_type;
};

typedef op_basic_ostream<char> op_ostream;
typedef op_basic_ostream<wchar_t> op_wostream;

class reducer_ostream;
template <bool Align>
struct legacy_reducer_downcast<reducer<op_basic_ostream<char, std::char_traits<char>, Align>>> {
    typedef reducer_ostream type;
};

/* The older class: out << x. */
class reducer_ostream : public internal::stream_like<op_ostream> {
public:
    typedef op_ostream Monoid;

    explicit reducer_ostream(const std::ostream &target)
        : internal::stream_like<op_ostream>(target) {}
    reducer_ostream &operator*() { return *this; }
    reducer_ostream *operator->() { return this; }
};

} // namespace cilk

#endif
