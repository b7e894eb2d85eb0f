// SPDX-License-Identifier: MIT
#include "text/text_edits.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace saguaro::cilkc {

namespace {

// gcc indents what a macro of a system's header expands to by one blank too few, and so the rest of
// the user's line. That rest is known by a blank in the place of flags.
constexpr std::string_view macro_flags = " 3 4";
constexpr std::string_view behind_macro = " ";

std::size_t skip(std::string_view text, std::size_t at, std::string_view blanks) {
    return std::min(text.find_first_not_of(blanks, at), text.size());
}

bool is_digit(std::string_view text, std::size_t at) {
    return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
}

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
        const std::size_t next = skip(text_, at_, " \t\r");
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

line_map::line_map(std::string_view text) : text_(text) {
    origins_.push_back({0, 1, {}, {}});
    for (std::size_t start = 0; start < text.size();) {
        starts_.push_back(start);
        const std::size_t end = std::min(text.find('\n', start), text.size());
        if (text[start] == '#')
            read_marker(text.substr(start, end - start));
        start = end + 1;
    }
    starts_.push_back(text.size());
}

// `# 12 "file" 1 3` or `#line 12 "file"`.
void line_map::read_marker(std::string_view line) {
    std::size_t at = skip(line, 1, " \t");
    if (line.substr(at, 5) == "line ")
        at = skip(line, at + 5, " \t");
    if (!is_digit(line, at))
        return;
    origin next = {starts_.size(), 0, origins_.back().file, {}};
    for (; is_digit(line, at); at++)
        next.user_line = next.user_line * 10 + static_cast<std::uint32_t>(line[at] - '0');
    const std::size_t quote = skip(line, at, " \t");
    const std::size_t end = line.rfind('"');
    if (quote < line.size() && line[quote] == '"' && end > quote) {
        next.file = line.substr(quote + 1, end - quote - 1);
        const origin &last = origins_.back();
        if (line.find('3', end) != line.npos)
            next.flags = line.find(macro_flags, end) != line.npos ? macro_flags : " 3";
        else if (last.flags == macro_flags && last.user_line == next.user_line)
            next.flags = behind_macro;
    }
    origins_.push_back(std::move(next));
}

std::size_t line_map::line_at(std::size_t offset) const {
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
    return static_cast<std::size_t>(next - starts_.begin()) - 1;
}

const line_map::origin &line_map::origin_of(std::size_t line) const {
    const auto next =
        std::upper_bound(origins_.begin(), origins_.end(), line,
                         [](std::size_t wanted, const origin &o) { return wanted < o.line; });
    return *(next - 1);
}

place line_map::where(std::size_t offset) const {
    const std::size_t line = line_at(offset);
    const origin &from = origin_of(line);
    const bool is_short =
        from.flags == macro_flags || (from.flags == behind_macro && line == from.line);
    const std::size_t column = offset - starts_[line] + (is_short ? 2 : 1);
    return {from.file, static_cast<std::uint32_t>(from.user_line + (line - from.line)),
            static_cast<std::uint32_t>(column), from.flags.find('3') != from.flags.npos};
}

std::string line_map::marker(std::size_t offset) const {
    const std::size_t line = line_at(offset);
    const origin &from = origin_of(line);
    return "# " + std::to_string(from.user_line + (line - from.line)) + " \"" + from.file + "\"" +
           from.flags + "\n";
}

std::string line_map::jump(std::size_t offset) const {
    const std::size_t line = line_at(offset);
    const bool stays_short = origin_of(line).flags == macro_flags;
    return "\n" + marker(offset) +
           std::string(stays_short ? offset - starts_[line] : where(offset).column - 1, ' ');
}

const std::string &line_map::main_file() const {
    return origins_[origins_.size() > 1 ? 1 : 0].file;
}

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
