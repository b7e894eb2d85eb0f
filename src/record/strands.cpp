// SPDX-License-Identifier: MIT
// Turning moments into strands and their work, and leaving out what is too short.
#include "record/strands.hpp"

#include <algorithm>

namespace saguaro::record {

void strands::hear(const moment *first, const moment *last) {
    for (const moment *m = first; m != last; ++m) {
        if (m->what != step::go_on)
            count_to(m->tick);
        switch (m->what) {
        case step::go_on:
            runs_ = true;
            since_ = m->tick; // what was before it is not counted
            break;
        case step::stop:
            runs_ = false;
            break;
        case step::spawn:
            begin(event::spawn);
            break;
        case step::call:
            begin(event::call);
            break;
        case step::ret:
            end(event::ret);
            break;
        case step::leave:
            end(event::leave);
            break;
        case step::sync:
            if (out_)
                keep(event::sync);
            else
                spans_.sync();
            break;
        }
    }
}

inline void strands::count_to(std::int64_t tick) {
    if (!runs_ || tick == since_)
        return;
    const std::int64_t piece = std::max<std::int64_t>(((tick - since_) << shift) - own_, 0);
    since_ = tick;
    work_ += piece;
    spans_.add(piece);
}

inline void strands::keep(event e) {
    if (used_ > capacity - longest_event) [[unlikely]]
        write();
    kept_[used_++] = static_cast<std::uint64_t>(work_ - kept_work_) << event_bits |
                     static_cast<std::uint64_t>(e);
    kept_work_ = work_;
}

inline void strands::begin(event e) {
    if (!out_) {
        spans_.begin(e == event::spawn);
        return;
    }
    keep(e);
    part &p = open_.push();
    p.event = written_ + used_ - 1;
    p.work = work_;
}

inline void strands::end(event e) {
    if (!out_) {
        spans_.end();
        return;
    }
    const part &p = open_.back();
    open_.pop();
    const std::int64_t inside = work_ - p.work;
    const bool child = e == event::ret;
    // Nobody could gain by stealing a part of so little.
    if (inside < grain_ && p.event >= written_ && footprints_ <= p.event) {
        used_ = static_cast<std::size_t>(p.event - written_);
        kept_work_ = p.work;
        if (!child) {
            kept_work_ -= static_cast<std::int64_t>(kept_[used_] >> event_bits);
            return;
        }
        ++used_;
    }
    keep(e);
}

void strands::keep(event e, std::initializer_list<std::uint64_t> numbers) {
    keep(e);
    for (const std::uint64_t number : numbers)
        kept_[used_++] = number;
    footprints_ = written_ + used_;
}

std::uint64_t strands::add_object(std::uint64_t bytes, layout how, std::uint64_t node) {
    const auto layout = static_cast<std::uint64_t>(how);
    if (how == layout::on_node)
        keep(event::object, {objects_, bytes, layout, node});
    else
        keep(event::object, {objects_, bytes, layout});
    return objects_++;
}

namespace {

// Of an event whose first numbers are there.
unsigned numbers_of(event e, const std::uint64_t *numbers) {
    switch (e) {
    case event::object:
        return numbers[2] == static_cast<std::uint64_t>(layout::on_node) ? 4 : 3;
    case event::touch:
    case event::reuse:
        return 3;
    case event::free:
        return 1;
    default:
        return 0;
    }
}

} // namespace

void strands::write() {
    const std::uint64_t *const end = kept_.get() + used_;
    for (const std::uint64_t *word = kept_.get(); word != end;) {
        const auto e = static_cast<event>(*word & ((1U << event_bits) - 1));
        const std::int64_t ns = clock_.ns(static_cast<std::int64_t>(*word++ >> event_bits), shift);
        out_->make_room();
        if (ns != 0) {
            out_->put(event::work);
            out_->put(static_cast<std::uint64_t>(ns));
        }
        out_->put(e);
        for (unsigned left = numbers_of(e, word); left > 0; --left)
            out_->put(*word++);
    }
    written_ += used_;
    used_ = 0;
}

int strands::finish() {
    if (!out_)
        return 0;
    keep(event::end);
    write();
    return out_->close();
}

} // namespace saguaro::record
