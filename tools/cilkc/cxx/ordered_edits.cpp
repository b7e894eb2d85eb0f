// SPDX-License-Identifier: MIT
// Sorting edits and making them.
#include "cxx/ordered_edits.hpp"

#include "text/text_edits.hpp"

#include <algorithm>
#include <tuple>

namespace saguaro::cilkc {

// What is put before a piece belongs to what follows, what is put behind it to what is before.
bool ordered_edits::edit::belongs_to(unsigned from, unsigned to) const {
    if (begin != end)
        return begin >= from && end <= to;
    return rank == 3 ? begin >= from && begin < to : begin > from && begin <= to;
}

void ordered_edits::sort(std::vector<edit> &edits) {
    std::stable_sort(edits.begin(), edits.end(), [](const edit &a, const edit &b) {
        return std::tuple(a.begin, a.rank, a.depth) < std::tuple(b.begin, b.rank, b.depth);
    });
}

std::string ordered_edits::repeated(unsigned begin, unsigned end) const {
    std::vector<edit> mine;
    for (const edit &one : inner_)
        if (one.belongs_to(begin, end))
            mine.push_back(one);
    sort(mine);
    std::string out;
    for (const edit &one : mine) {
        out += text_.substr(begin, one.begin - begin);
        out += one.with;
        begin = one.end;
    }
    return out.append(text_.substr(begin, end - begin));
}

std::string ordered_edits::apply(const line_map &lines) {
    std::vector<edit> replaced;
    for (const edit &one : edits_)
        if (one.begin != one.end)
            replaced.push_back(one);
    sort(replaced);
    for (edit &one : inner_) {
        // The replacements do not overlap: only the last that begins before it can have it.
        auto next = std::upper_bound(
            replaced.begin(), replaced.end(), one.begin,
            [](unsigned offset, const edit &other) { return offset < other.begin; });
        const bool is_in_last =
            next != replaced.begin() && one.belongs_to(next[-1].begin, next[-1].end);
        const bool is_in_one_before = next - replaced.begin() > 1 && next[-1].begin == one.begin &&
                                      one.belongs_to(next[-2].begin, next[-2].end);
        if (!is_in_last && !is_in_one_before)
            edits_.push_back(std::move(one));
    }
    sort(edits_);
    text_edits edits(text_);
    for (edit &one : edits_)
        edits.replace(one.begin, one.end - one.begin, std::move(one.with));
    return edits.apply(lines);
}

} // namespace saguaro::cilkc
