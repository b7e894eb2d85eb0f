// SPDX-License-Identifier: MIT
// A stream for each strand, in serial order: for <cilk/reducer_ostream.h> and
// <cilk/ostream_reducer.h>.
#pragma once

#pragma GCC system_header

#include <cilk/cxx/reducer.hpp>

#include <ios>
#include <ostream>
#include <sstream>
#include <string>

namespace cilk {

namespace internal {

// The first strand's view writes to the target, each other one to a buffer of its own.
template <typename Char, typename Traits>
class ostream_view : public std::basic_ostream<Char, Traits> {
    typedef std::basic_ostream<Char, Traits> stream;

public:
    typedef stream value_type;
    typedef const stream &return_type_for_get_value;

    explicit ostream_view(const stream &target) : stream(target.rdbuf()) {
        this->copyfmt(target);
        this->tie(nullptr);
        this->clear(target.rdstate());
    }
    // Begins with the format that `format` has.
    ostream_view(const std::basic_ios<Char, Traits> &format, int) : stream(&buffer_) {
        this->copyfmt(format);
    }

    void reduce(ostream_view *right) {
        const std::basic_string<Char, Traits> text = right->buffer_.str();
        if (!text.empty())
            this->write(text.data(), static_cast<std::streamsize>(text.size()));
        // In the serial program a stream that an insertion has failed on would not be good any
        // more.
        this->setstate(right->rdstate());
    }

private:
    std::basic_stringbuf<Char, Traits> buffer_;
};

// The format of the target when the reducer was made is what strands begin with.
template <typename Char, typename Traits>
class ostream_monoid
    : public monoid_base<std::basic_ostream<Char, Traits>, ostream_view<Char, Traits>> {
    typedef std::basic_ostream<Char, Traits> stream;
    typedef ostream_view<Char, Traits> view;

public:
    ostream_monoid() : format_(nullptr) { format_.exceptions(std::ios_base::goodbit); }
    ostream_monoid(const ostream_monoid &) = delete;
    ostream_monoid &operator=(const ostream_monoid &) = delete;

    void identity(view *v) const { ::new (static_cast<void *>(v)) view(format_, 0); }
    void reduce(view *left, view *right) const { left->reduce(right); }

    template <typename Monoid>
    static void construct(Monoid *monoid, view *v, const stream &target) {
        Monoid *const made = ::new (static_cast<void *>(monoid)) Monoid();
        made->format_.copyfmt(target);
        made->format_.tie(nullptr);
        made->format_.exceptions(std::ios_base::goodbit);
        ::new (static_cast<void *>(v)) view(target);
    }
    template <typename Monoid>
    static void construct(Monoid *monoid, view *v, stream &target) {
        construct(monoid, v, static_cast<const stream &>(target));
    }

private:
    std::basic_ios<Char, Traits> format_;
};

// A reducer that is written to as a stream is.
template <class Monoid>
class stream_like : public reducer<Monoid> {
    typedef typename Monoid::value_type stream;

public:
    explicit stream_like(const stream &target) : reducer<Monoid>(target) {}
    stream &get_reference() { return this->view(); }
    template <typename T>
    stream &operator<<(const T &x) {
        return this->view() << x;
    }
    stream &operator<<(stream &(*manipulator)(stream &)) { return manipulator(this->view()); }
};

} // namespace internal

} // namespace cilk
