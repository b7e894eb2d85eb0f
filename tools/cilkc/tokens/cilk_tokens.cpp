// SPDX-License-Identifier: MIT
// Rewriting OpenCilk's keywords, grain sizes and reducers token by token.
#include "tokens/cilk_tokens.hpp"

#include "tokens/spawn_statements.hpp"

#include <algorithm>

namespace saguaro::cilkc {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    const std::size_t start = text.find_first_not_of(blanks);
    return start == text.npos ? std::string_view()
                              : text.substr(start, text.find_last_not_of(blanks) - start + 1);
}

std::string_view behind(std::string_view text, std::string_view word) {
    return trimmed(text.substr(word.size()));
}

bool starts_with_word(std::string_view text, std::string_view word) {
    return text.substr(0, word.size()) == word &&
           (text.size() == word.size() ||
            (blanks.find(text[word.size()]) != blanks.npos || text[word.size()] == '='));
}

// Where the increment of the loop's header begins: behind its second `;`. Zero: there is none.
std::size_t increment_of(const token_list &tokens, std::size_t loop) {
    if (!tokens[loop + 1].is("("))
        return 0;
    const std::size_t end = tokens.closing(loop + 1);
    int semicolons = 0;
    for (std::size_t at = loop + 2; at < end; at++) {
        if (tokens[at].is(";") && ++semicolons == 2)
            return at + 1 < end ? at + 1 : 0;
        if (tokens.closing(at) != tokens.size() && tokens.closing(at) > at)
            at = tokens.closing(at);
    }
    return 0;
}

void set_grain(token_edits &edits, const pragma &line, std::string_view grain) {
    const token_list &tokens = edits.tokens();
    if (grain.empty()) {
        edits.error_at(line.offset, "'#pragma cilk grainsize' needs a value: "
                                    "'#pragma cilk grainsize = expression'");
    } else if (!tokens[line.next].is("_Cilk_for")) {
        edits.error_at(line.offset, "'#pragma cilk grainsize' must stand right before a cilk_for");
    } else if (const std::size_t increment = increment_of(tokens, line.next)) {
        edits.before(increment, "_Cilk_grain (" + std::string(grain) + "), ");
        edits.blank(line);
    }
}

bool is_word(const token &t) {
    return t.is_one_of({"_Cilk_spawn", "_Cilk_sync", "_Cilk_for", "_Cilk_scope"});
}

bool at_file_scope(const token &t) {
    return t.braces == 0 && is_word(t);
}

// OpenCilk's own word for what its header calls cilk_reducer.
void hyperobject_to_core(token_edits &edits, std::size_t at) {
    if (!edits.tokens()[at + 1].is("(")) {
        edits.error(at, "a reducer needs an identity and a reduction: "
                        "'_Hyperobject(identity, reduce)'");
        return;
    }
    // One edit: Clang needs the arguments of its macro beside its name.
    const std::size_t end = edits.tokens().closing(at + 1);
    edits.replace(at, end, "_Cilk_reducer" + std::string(edits.text_of(at + 1, end)));
}

// `a[first:length]`, `a[:]`. Other colons in brackets are those of `?:` and of attributes.
bool is_section(const token_list &tokens, std::size_t open) {
    const std::size_t end = tokens.closing(open);
    if (end == tokens.size() || tokens[open - 1].is("[") || tokens[open + 1].is("["))
        return false;
    for (std::size_t at = open + 1; at < end; at++) {
        if (tokens[at].is("?"))
            return false;
        if (tokens[at].is(":"))
            return true;
        if (tokens.closing(at) != tokens.size() && tokens.closing(at) > at)
            at = tokens.closing(at);
    }
    return false;
}

std::string spelled(const token &t) {
    return "cilk_" + std::string(t.text.substr(sizeof "_Cilk_" - 1));
}

// `struct s { ... };`
bool declares_type_alone(const token_list &tokens, std::size_t at) {
    if (!tokens[at].is_one_of({"struct", "union", "enum"}))
        return false;
    const std::size_t next = tokens[at + 1].kind == token_kind::name ? at + 2 : at + 1;
    return tokens[next].is(";") ||
           (tokens[next].is("{") && tokens[tokens.closing(next) + 1].is(";"));
}

// What a spawn and a scope may not stand before, or the other words within, where the parser behind
// would speak of its own attributes; empty: nothing is wrong.
std::string misplaced(const token_list &tokens, std::size_t at) {
    const token &next = tokens[at + 1];
    const std::string word = spelled(tokens[at]);
    if (tokens[at].is("_Cilk_sync") && next.is("("))
        return std::string(sync_is_no_function);
    if (!tokens[at].is("_Cilk_spawn") && !tokens[at - 1].is("_Cilk_spawn") &&
        !begins_statement(tokens, at))
        return word + std::string(in_an_expression);
    if (!tokens[at].is_one_of({"_Cilk_spawn", "_Cilk_scope"}))
        return "";
    if (next.is_one_of({"typedef", "_Static_assert", "static_assert"}) ||
        declares_type_alone(tokens, at + 1))
        return word + " before a declaration: it must stand before a statement";
    if (next.is("case"))
        return word + " before a label: write 'case ...: " + word + " ...'";
    if (next.kind == token_kind::name && tokens[at + 2].is(":") && !tokens[at - 1].is("?"))
        return word + " before a label: write '" + std::string(next.text) + ": " + word + " ...'";
    return "";
}

// A word of the header that is used as one: not a function or a variable of the program's own.
bool has_missed_header(const token_list &tokens, std::size_t at) {
    const token &t = tokens[at];
    const token &next = tokens[at + 1];
    if (t.plain || t.kind != token_kind::name)
        return false;
    if (t.is("cilk_sync"))
        return t.braces > 0 && next.is(";") && begins_statement(tokens, at);
    if (t.is("cilk_scope"))
        return t.braces > 0 && next.is("{");
    if (t.is("cilk_spawn"))
        return t.braces > 0 && next.kind == token_kind::name;
    if (!next.is("("))
        return false;
    const std::size_t close = tokens.closing(at + 1);
    if (t.is("cilk_reducer"))
        return tokens[at - 1].kind == token_kind::name &&
               tokens[close + 1].kind == token_kind::name;
    return t.is("cilk_for") && std::any_of(&tokens[at + 1], &tokens[close],
                                           [](const token &one) { return one.is(";"); });
}

} // namespace

std::string without_header(const token &word) {
    return "'" + std::string(word.text) + "' without its header: #include <cilk/cilk.h>";
}

std::optional<std::string_view> grain_of(std::string_view pragma) {
    std::string_view text = trimmed(pragma);
    // Ligra's and PBBS's macros have an underscore there.
    if (starts_with_word(text, "cilk_grainsize")) {
        text = behind(text, "cilk_grainsize");
    } else {
        if (!starts_with_word(text, "cilk"))
            return std::nullopt;
        text = behind(text, "cilk");
        if (!starts_with_word(text, "grainsize"))
            return std::nullopt;
        text = behind(text, "grainsize");
    }
    return !text.empty() && text[0] == '=' ? behind(text, "=") : text;
}

void cilk_to_core(token_edits &edits) {
    const token_list &tokens = edits.tokens();
    for (std::size_t at = 0; at < tokens.size(); at++) {
        if (at_file_scope(tokens[at])) {
            edits.error(at, spelled(tokens[at]) + " outside of any function");
        } else if (is_word(tokens[at])) {
            if (const std::string problem = misplaced(tokens, at); !problem.empty())
                edits.error(at, problem);
            else if (tokens[at].is("_Cilk_spawn"))
                spawn_to_core(edits, at);
        } else if (has_missed_header(tokens, at)) {
            edits.error(at, without_header(tokens[at]));
        } else if (tokens[at].is("_Hyperobject")) {
            hyperobject_to_core(edits, at);
        } else if (tokens[at].is("[") && tokens[at].braces > 0 && !tokens[at].plain &&
                   is_section(tokens, at)) {
            edits.error(at, "an array section of Cilk Plus's, which cilkc does not have: write a "
                            "loop, 'cilk_for' if it is long");
        }
    }
    for (const pragma &line : tokens.pragmas())
        if (const std::optional<std::string_view> grain = grain_of(line.text))
            set_grain(edits, line, *grain);
}

} // namespace saguaro::cilkc
