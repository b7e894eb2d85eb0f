// SPDX-License-Identifier: MIT
// The text of a cilk_for up to its body: a call with a closure.
#include "cxx/loop_text.hpp"

#include "cxx/loop_header.hpp"
#include "cxx/variable_uses.hpp"
#include "cxx/workspace.hpp"

#include <clang/AST/StmtCXX.h>

namespace saguaro::cilkc {

namespace {

std::string grain_at(const workspace &space, unsigned marker) {
    const auto found = space.marked.grains.find(marker);
    return found == space.marked.grains.end() ? "0" : "(" + found->second + ")";
}

// Of the loop's body. Its variable is declared behind the marker, and so has no value to copy.
std::string captures(const workspace &space, const variable_uses &uses, unsigned marker,
                     const clang::Stmt &body) {
    const span where = space.source.of(body.getSourceRange());
    return uses.captures(where, {marker, where.end});
}

void write_header(workspace &space, const variable_uses &uses, unsigned marker,
                  const clang::ForStmt &loop, const cxx_loop_header &header,
                  const std::string &begin) {
    const std::string type = header.type;
    space.edits.replace(marker, header.first.begin,
                        "::saguaro::cilk::loop<::saguaro::cilk::until::" + header.until + ">{" +
                            grain_at(space, marker) + ", " +
                            (header.first_bracket != 0
                                 ? "::saguaro::cilk::exactly<" + type + ">" + header.first_bracket
                             : header.is_deduced ? "("
                                                 : "static_cast<" + type + ">("));
    space.edits.replace(header.first.end, header.limit.begin,
                        header.first_bracket == '{' ? "}, (" : "), (");
    const std::string tail = std::string(header.down ? "true" : "false") + ", " +
                             captures(space, uses, marker, *loop.getBody()) +
                             "(__attribute__((unused)) " + header.variable + ") {" + begin;
    const unsigned close = space.source.offset(loop.getRParenLoc()) + 1;
    if (header.step) {
        space.edits.replace(header.limit.end, header.step->begin, "), (");
        space.edits.replace(header.step->end, close, "), " + tail);
    } else {
        space.edits.replace(header.limit.end, close, "), 1, " + tail);
    }
}

} // namespace

bool write_loop_head(workspace &space, const variable_uses &uses, unsigned marker,
                     const clang::ForStmt &loop, const std::string &begin) {
    const auto header = read_cxx_header(space, loop);
    if (header)
        write_header(space, uses, marker, loop, *header, begin);
    return header.has_value();
}

void write_range_head(workspace &space, const variable_uses &uses, unsigned marker,
                      const clang::CXXForRangeStmt &loop, const std::string &begin) {
    const span range = space.source.of(loop.getRangeInit()->getSourceRange());
    const std::string variable =
        space.text_of({space.source.offset(loop.getLoopVariable()->getBeginLoc()),
                       space.source.offset(loop.getColonLoc())});
    const std::string element = space.new_name();
    space.edits.replace(marker, range.begin,
                        "::saguaro::cilk::for_each_in(" + grain_at(space, marker) + ", (");
    space.edits.replace(range.end, space.source.offset(loop.getRParenLoc()) + 1,
                        "), " + captures(space, uses, marker, *loop.getBody()) + "(auto &&" +
                            element + ") { " + variable + " = static_cast<decltype(" + element +
                            ")>(" + element + ");" + begin);
}

} // namespace saguaro::cilkc
