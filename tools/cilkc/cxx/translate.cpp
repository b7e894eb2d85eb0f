// SPDX-License-Identifier: MIT
// The steps of the translation of C++, and which of Clang's errors are the user's.
#include "cxx/translate.hpp"

#include "cxx/cxx_tokens.hpp"
#include "cxx/hyperobjects.hpp"
#include "cxx/walk.hpp"
#include "cxx/workspace.hpp"
#include "parse/unit.hpp"
#include "tokens/macros.hpp"
#include "tokens/user_columns.hpp"

namespace saguaro::cilkc {

namespace {

// Whether exceptions are on. A text without definitions says nothing.
bool has_exceptions(const std::string &text) {
    return text.find("\n#define __cplusplus ") == text.npos ||
           text.find("\n#define __EXCEPTIONS 1\n") != text.npos;
}

// What Clang says about the same line is the reason of what the translation says: a name that is
// not declared is no call.
void put_reasons_first(std::vector<problem> &problems, const unit &parsed) {
    std::vector<problem> said;
    for (problem &one : problems) {
        bool has_reason = false;
        for (const problem &reason : parsed.errors())
            if (reason.file == one.file && reason.line == one.line) {
                said.push_back(reason);
                has_reason = true;
            }
        if (!has_reason)
            said.push_back(std::move(one));
    }
    problems = std::move(said);
}

// A word that no step has met stands where Cilk's words cannot. The user is told so, by Clang's
// errors about the line if there are any.
void check_words(workspace &space, const unit &parsed) {
    for (const cilk_word &word : space.marked.words) {
        if (space.met.count(word.offset) != 0)
            continue;
        const place where = space.source.lines().where(word.offset);
        bool has_reason = false;
        for (const problem &one : parsed.errors()) {
            if (one.file != where.file || one.line != where.line)
                continue;
            has_reason = true;
            if (one.column == where.column)
                space.error(word.offset, std::string(spawn_in_expression));
            else
                space.problems.push_back(one);
        }
        if (!has_reason && parsed.errors().empty())
            space.error(word.offset, "cilk_" + word.text.substr(6) +
                                         " is not understood here: it stands before a call or a "
                                         "block, as a statement or as the right side of an "
                                         "assignment or initialization");
        else if (!has_reason && space.problems.empty())
            space.problems = parsed.errors();
    }
}

} // namespace

std::string translate_cxx(const std::string &text, std::string_view name, bool serial,
                          std::vector<problem> &problems) {
    const marked_text marked = mark_cxx(resolve_macros(with_users_columns(text)));
    problems = marked.problems;
    if (!problems.empty())
        return {};
    if (serial)
        return serial_cxx(marked);
    const unit parsed(marked.text, name, standard_of(text));
    const bool is_clang = text.find("\n#define __clang__ ") != text.npos;
    workspace space(parsed, marked, has_exceptions(text), is_clang);
    translate_hyperobjects(space);
    translate_all(space);
    put_reasons_first(space.problems, parsed);
    check_hyperobjects(space, parsed);
    check_words(space, parsed);
    problems = std::move(space.problems);
    if (!problems.empty())
        return {};
    // clang calls line markers an extension, unless it is told not to.
    return (is_clang ? "#pragma clang diagnostic ignored \"-Wgnu-line-marker\"\n" : "") +
           space.edits.apply(space.source.lines());
}

} // namespace saguaro::cilkc
