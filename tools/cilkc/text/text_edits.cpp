// SPDX-License-Identifier: MIT
// Applying edits, and writing line markers where positions would shift.
#include "text/text_edits.hpp"

#include <algorithm>
#include <tuple>

namespace saguaro::cilkc {

namespace {

// Writes an edited text and knows whether what it writes next is where the user wrote it.
class edited_text {
public:
    edited_text(std::string_view text, const line_map &lines) : text_(text), lines_(lines) {}

    void copy_until(std::size_t end) {
        if (moved_)
            come_back(end);
        out_ += text_.substr(at_, end - at_);
        at_ = end;
    }

    void put(std::size_t length, const std::string &with) {
        const std::string_view gone = text_.substr(at_, length);
        moved_ |=
            length != with.size() || gone.find('\n') != gone.npos || with.find('\n') != with.npos;
        out_ += with;
        at_ += length;
    }

    // Before text that is itself replaced: that, too, shall stand where the user wrote it.
    void settle() {
        if (moved_) {
            out_ += lines_.jump(at_);
            moved_ = false;
        }
    }

    std::string take() { return std::move(out_); }

private:
    // Copies on from the next text that is not blank, up to `end`, at its place.
    void come_back(std::size_t end) {
        const std::size_t next = std::min(text_.find_first_not_of(" \t\r", at_), text_.size());
        if (next >= end)
            return;
        if (text_[next] == '\n') {
            at_ = next + 1;
            out_ += '\n';
            if (at_ < text_.size())
                out_ += lines_.marker(at_);
        } else {
            at_ = next;
            out_ += lines_.jump(at_);
        }
        moved_ = false;
    }

    std::string_view text_;
    const line_map &lines_;
    std::string out_;
    std::size_t at_ = 0;
    bool moved_ = false;
};

} // namespace

void text_edits::replace(std::size_t offset, std::size_t length, std::string with) {
    edits_.push_back({offset, length, std::move(with)});
}

void text_edits::blank(std::size_t offset, std::size_t length) {
    std::string blanks(text_.substr(offset, length));
    std::replace_if(blanks.begin(), blanks.end(), [](char c) { return c != '\n'; }, ' ');
    replace(offset, length, std::move(blanks));
}

std::string text_edits::apply(const line_map &lines) const {
    std::vector<const edit *> order;
    for (const edit &one : edits_)
        order.push_back(&one);
    // Where nothing else decides, in the order of the calls, which is that of the addresses.
    std::sort(order.begin(), order.end(), [](const edit *a, const edit *b) {
        return std::tuple(a->offset, a->length > 0, a) < std::tuple(b->offset, b->length > 0, b);
    });
    edited_text out(text_, lines);
    for (const edit *one : order) {
        out.copy_until(one->offset);
        if (one->length > 0)
            out.settle();
        out.put(one->length, one->with);
    }
    out.copy_until(text_.size());
    return out.take();
}

} // namespace saguaro::cilkc
