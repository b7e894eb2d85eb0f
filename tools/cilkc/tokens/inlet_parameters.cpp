// SPDX-License-Identifier: MIT
// Parsing the parameters of an inlet and adjusting them to variables.
#include "tokens/inlet_parameters.hpp"

#include <algorithm>
#include <iterator>

namespace saguaro::cilkc {

namespace {

constexpr std::string_view qualifiers[] = {
    "const",         "volatile",  "restrict", "__restrict", "__restrict__",  "register",
    "extern",        "static",    "inline",   "__inline",   "__inline__",    "typedef",
    "auto",          "_Noreturn", "_Atomic",  "__const",    "__volatile__",  "__extension__",
    "cilk",          "shared",    "private",  "inlet",      "_Thread_local", "__thread",
    "__attribute__", "_Alignas",
};

constexpr std::string_view type_words[] = {
    "void",     "char",       "short",    "int",       "long",
    "float",    "double",     "signed",   "unsigned",  "_Bool",
    "_Complex", "__signed__", "__int128", "struct",    "union",
    "enum",     "__typeof__", "typeof",   "_Float128", "__builtin_va_list",
};

// Where a parameter's name is, or would be.
struct declared {
    std::size_t at;
    bool has_name;
};

// The first token that does not belong to the parameter's type.
std::size_t behind_specifiers(const token_list &tokens, std::size_t at, std::size_t end) {
    bool has_type = false;
    while (at < end && tokens[at].kind == token_kind::name) {
        if (is_qualifier(tokens[at])) {
            at = behind_word(tokens, at);
        } else if (is_type_word(tokens[at])) {
            has_type = true;
            at = behind_word(tokens, at);
        } else if (!has_type) {
            has_type = true;
            at++;
        } else {
            break;
        }
    }
    return at;
}

declared find_name(const token_list &tokens, std::size_t at, std::size_t end) {
    at = behind_specifiers(tokens, at, end);
    for (; at < end; at++) {
        const token &t = tokens[at];
        if (is_qualifier(t)) {
            at = behind_word(tokens, at) - 1;
        } else if (t.kind == token_kind::name) {
            return {at, true};
        } else if (!t.is("*") && !(t.is("(") && (tokens[at + 1].is("*") || tokens[at + 1].is("(") ||
                                                 (tokens[at + 1].kind == token_kind::name &&
                                                  !is_type_word(tokens[at + 1]))))) {
            return {at, false};
        }
    }
    return {end, false};
}

// What follows the name's part of the declarator: `[` of an array, `(` of a function.
std::size_t suffix_of(const token_list &tokens, const declared &name, std::size_t begin) {
    std::size_t left = name.at;
    std::size_t right = name.has_name ? name.at + 1 : name.at;
    while (left > begin && tokens[left - 1].is("(") && tokens.closing(left - 1) == right) {
        left--;
        right++;
    }
    return right;
}

// One parameter's tokens, between them what is between them in the text as far as it is one line.
class variable_text {
public:
    variable_text(const token_edits &edits, std::size_t begin)
        : edits_(edits), text_(edits.lines().jump(edits.tokens()[begin].offset)) {}

    void copy(std::size_t begin, std::size_t end) {
        for (std::size_t at = begin; at < end; at++) {
            const token &t = edits_.tokens()[at];
            text_ += t.is("cilk") ? "_Cilk_procedure" : std::string(t.text);
            text_ += gap(t, edits_.tokens()[at + 1]);
        }
    }
    void put(const std::string &what) { text_ += what; }
    std::string take() { return text_ + ";"; }

private:
    std::string gap(const token &left, const token &right) const {
        const std::size_t begin = left.offset + left.text.size();
        const std::string_view between = edits_.tokens().text().substr(begin, right.offset - begin);
        return between.find('\n') == between.npos ? std::string(between) : " ";
    }

    const token_edits &edits_;
    std::string text_;
};

std::string variable(const token_edits &edits, std::size_t begin, std::size_t end, int number) {
    const token_list &tokens = edits.tokens();
    const declared name = find_name(tokens, begin, end);
    const std::size_t suffix = suffix_of(tokens, name, begin);
    const bool array = suffix < end && tokens[suffix].is("[");
    const bool function = suffix < end && tokens[suffix].is("(");
    const std::string word = name.has_name ? std::string(tokens[name.at].text)
                                           : " _cilk_unnamed_" + std::to_string(number);
    const std::size_t behind_name = name.has_name ? name.at + 1 : name.at;
    variable_text text(edits, begin);
    text.copy(begin, name.at);
    text.put(array || function ? "(*" + word + ")" : word);
    text.copy(behind_name, suffix);
    text.copy(array ? tokens.closing(suffix) + 1 : suffix, end);
    return text.take();
}

} // namespace

bool is_qualifier(const token &t) {
    return t.kind == token_kind::name && t.is_one_of(qualifiers);
}

bool is_type_word(const token &t) {
    return t.kind == token_kind::name && t.is_one_of(type_words);
}

std::size_t behind_word(const token_list &tokens, std::size_t index) {
    const bool tagged =
        tokens[index].is("struct") || tokens[index].is("union") || tokens[index].is("enum");
    std::size_t next = index + 1;
    if (tagged && tokens[next].kind == token_kind::name)
        next++;
    const bool group = tagged ? tokens[next].is("{")
                              : tokens[next].is("(") &&
                                    (tokens[index].is("__attribute__") ||
                                     tokens[index].is("_Alignas") || tokens[index].is("_Atomic") ||
                                     tokens[index].is("typeof") || tokens[index].is("__typeof__"));
    return group ? tokens.closing(next) + 1 : next;
}

std::string parameters_as_variables(token_edits &edits, std::size_t open) {
    const token_list &tokens = edits.tokens();
    const std::size_t end = tokens.closing(open);
    if (end == open + 1 || (end == open + 2 && tokens[open + 1].is("void")))
        return {};
    std::string variables;
    int number = 0;
    for (std::size_t begin = open + 1, at = begin; at <= end; at++) {
        if (tokens[at].is("...")) {
            edits.error(at, "an inlet takes a fixed number of arguments");
            return {};
        }
        if (at == end || tokens[at].is(",")) {
            variables += variable(edits, begin, at, ++number);
            begin = at + 1;
        } else if (const std::size_t close = tokens.closing(at); close < end && close > at) {
            at = close;
        }
    }
    return variables;
}

} // namespace saguaro::cilkc
