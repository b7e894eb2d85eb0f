// SPDX-License-Identifier: MIT
// Rendering a text with its edits, from the innermost outwards.
#include "parse/nested_edits.hpp"

#include <algorithm>
#include <iterator>

namespace saguaro::cilkc {

void nested_edits::replace(span where, std::string with, bool brings_back) {
    for (auto e = edits_.lower_bound(where.begin); e != edits_.end() && e->first < where.end;)
        e = edits_.erase(e);
    edits_.emplace(where.begin, edit{where.end, std::move(with), brings_back});
}

void nested_edits::insert(unsigned at, std::string what) {
    edits_.emplace(at, edit{at, std::move(what), true});
}

// Where a line ends anyway, the marker of the next one is enough. An edit at its end comes first.
unsigned nested_edits::bring_back(unsigned from, unsigned end, unsigned next_edit,
                                  std::string &out) const {
    const std::string_view text = source_.text();
    const auto next =
        static_cast<unsigned>(std::min(text.find_first_not_of(" \t\r", from), text.size()));
    if (next >= end || (text[next] == '\n' && next_edit <= next))
        return from;
    if (text[next] != '\n') {
        out += source_.lines().jump(from);
        return from;
    }
    out += '\n';
    if (next + 1 < end && text[next + 1] != '#')
        out += source_.lines().marker(next + 1);
    return next + 1;
}

std::string nested_edits::render(span where) const {
    std::string out;
    unsigned from = where.begin;
    const std::string_view text = source_.text();
    for (auto e = edits_.lower_bound(where.begin); e != edits_.end() && e->first < where.end; ++e) {
        out += text.substr(from, e->first - from);
        out += e->second.with;
        from = e->second.end;
        const auto next = std::next(e);
        if (e->second.brings_back)
            from = bring_back(from, where.end, next != edits_.end() ? next->first : where.end, out);
    }
    out += text.substr(from, where.end - from);
    return out;
}

} // namespace saguaro::cilkc
