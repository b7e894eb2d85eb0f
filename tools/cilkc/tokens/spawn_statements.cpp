// SPDX-License-Identifier: MIT
// What is made of a spawned statement:
//
//     _Cilk_spawn f(x);             stays
//     _Cilk_spawn (void)f(x);       _Cilk_spawn f(x);
//     _Cilk_spawn a[i] += f(x);     a[i] += _Cilk_spawn f(x);    if nothing else in it is a call
//     _Cilk_spawn any other         _Cilk_spawn_block any other
//     a[i] = _Cilk_spawn (b ? f(x) : g(x));    _Cilk_spawn_block a[i] = (b ? f(x) : g(x));
//
// A block takes what it reads as it is at the spawn, so that `for (...; i++) cilk_spawn k +=
// g(h(i));` means what it says.
#include "tokens/spawn_statements.hpp"

#include <array>
#include <string_view>

namespace saguaro::cilkc {

namespace {

using namespace std::string_view_literals;

constexpr std::array assignments = {"="sv,  "+="sv, "-="sv, "*="sv,  "/="sv, "%="sv,
                                    "&="sv, "|="sv, "^="sv, "<<="sv, ">>="sv};

bool is_header(const token &t) {
    return t.is_one_of({"if", "for", "while", "switch", "_Cilk_for"});
}

// A name that may be called: no word that stands before other parentheses.
bool is_callable(const token &t) {
    return t.kind == token_kind::name && !is_header(t) &&
           !t.is_one_of(
               {"sizeof", "_Alignof", "do", "else", "return", "_Cilk_scope", "_Cilk_spawn"});
}

class spawned_statement {
public:
    spawned_statement(token_edits &edits, std::size_t at)
        : edits_(edits), tokens_(edits.tokens()), at_(at), first_(at + 1), end_(end_from(first_)) {}

    void run() {
        if (is_cast_to_void(at_ - 3))
            blank_cast(at_ - 3);
        if (tokens_[first_].is("{")) {
            edits_.replace(at_, "_Cilk_spawn_block");
        } else if (in_parentheses(at_)) {
            return; // part of an expression, or of a loop's header
        } else if (!begins_here(at_)) {
            if (const std::size_t begin = assigned_choice(); begin != 0) {
                edits_.blank(at_);
                edits_.before(begin, "_Cilk_spawn_block ");
            }
        } else if (is_cast_to_void(first_) && is_call(first_ + 3, end_)) {
            blank_cast(first_);
        } else if (const std::size_t operation = assignment(); operation != 0) {
            edits_.blank(at_);
            edits_.after(operation, " _Cilk_spawn");
        } else if (!is_call(first_, end_)) {
            edits_.replace(at_, "_Cilk_spawn_block");
        }
    }

private:
    bool is_cast_to_void(std::size_t open) const {
        return tokens_[open].is("(") && tokens_[open + 1].is("void") && tokens_[open + 2].is(")");
    }

    void blank_cast(std::size_t open) {
        for (std::size_t part = open; part < open + 3; part++)
            edits_.blank(part);
    }

    // The next index, behind what is in parentheses, brackets or braces.
    std::size_t behind(std::size_t at) const {
        const std::size_t close = tokens_.closing(at);
        return close != tokens_.size() && close > at ? close + 1 : at + 1;
    }

    std::size_t end_from(std::size_t at) const {
        while (at < tokens_.size() && !tokens_[at].is(";") && !tokens_[at].is("}"))
            at = behind(at);
        return at;
    }

    bool begins_here(std::size_t at) const {
        return begins_statement(tokens_, at) || tokens_[at - 1].is("_Cilk_spawn");
    }

    // Or in brackets. A spawn is in a function, so that there is a brace before it.
    bool in_parentheses(std::size_t at) const {
        std::size_t before = at - 1;
        while (!tokens_[before].is_one_of({"(", "[", "{", "}"}))
            before = std::min(before, tokens_.opening(before)) - 1;
        return tokens_[before].is("(") || tokens_[before].is("[");
    }

    // `(long)`, `(void *)`. `(T)` may be a name as well: whether it is a type, tokens do not show.
    bool is_cast(std::size_t open) const {
        constexpr std::array types = {"void"sv,     "char"sv,   "short"sv, "int"sv,    "long"sv,
                                      "unsigned"sv, "signed"sv, "float"sv, "double"sv, "_Bool"sv,
                                      "bool"sv,     "struct"sv, "union"sv, "enum"sv,   "const"sv};
        return tokens_[open].is("(") &&
               (tokens_[open + 1].is_one_of(types) || tokens_[behind(open) - 2].is("*"));
    }

    // Whether the tokens are a call and nothing else: names, members and elements of them.
    bool is_call(std::size_t from, std::size_t to) const {
        if (tokens_[from].is("(") && behind(from) == to)
            return is_call(from + 1, to - 1);
        if (from >= to || !tokens_[to - 1].is(")") || tokens_.opening(to - 1) <= from ||
            is_cast(from))
            return false;
        for (std::size_t at = from; at < to; at = behind(at)) {
            const token &t = tokens_[at];
            const bool is_behind_cast =
                at > from && t.kind == token_kind::name && tokens_[at - 1].is(")");
            if (is_behind_cast || !(is_callable(t) || t.is_one_of({"(", "[", ".", "->"})))
                return false;
        }
        return true;
    }

    bool has_call(std::size_t from, std::size_t to) const {
        for (std::size_t at = from; at < to; at++) {
            if (tokens_[at + 1].is("(") &&
                (is_callable(tokens_[at]) || tokens_[at].is(")") || tokens_[at].is("]"))) {
                return true;
            }
        }
        return false;
    }

    // The assignment of a call's result, if there is nothing to do beside the call. What it is
    // assigned to, and the call's arguments, are then found before the spawn.
    std::size_t assignment() const {
        std::size_t at = first_;
        while (at < end_ && !tokens_[at].is_one_of(assignments))
            at = behind(at);
        if (at >= end_ || declares(first_, at) || has_call(first_, at) || !is_call(at + 1, end_))
            return 0;
        return has_call(tokens_.opening(end_ - 1) + 1, end_ - 1) ? 0 : at;
    }

    // Where the statement begins if it assigns a spawned expression in parentheses that has calls
    // and is none; 0: it does not. What it assigns to must mean the same in the child. Not so `+=`:
    // two children would write at the same time.
    std::size_t assigned_choice() const {
        if (!tokens_[at_ - 1].is("=") || !tokens_[first_].is("(") || behind(first_) != end_ ||
            is_call(first_, end_) || !has_call(first_, end_)) {
            return 0;
        }
        const std::size_t begin = beginning(at_ - 1);
        if (declares(begin, at_ - 1) || has_call(begin, at_))
            return 0;
        for (std::size_t at = begin; at + 1 < at_; at++)
            if (tokens_[at].is_one_of(assignments) || tokens_[at].is_one_of({"++", "--", ","}))
                return 0;
        return begin;
    }

    // Where the statement begins that the token, which is in no parentheses, is part of.
    std::size_t beginning(std::size_t at) const {
        while (!begins_here(at))
            at = std::min(at - 1, tokens_.opening(at - 1));
        return at;
    }

    // `T x`, `T *x`
    bool declares(std::size_t begin, std::size_t end) const {
        for (std::size_t at = behind(begin); at < end; at = behind(at)) {
            std::size_t before = at - 1;
            while (before > begin && tokens_[before].is("*"))
                before--;
            if (tokens_[at].kind == token_kind::name && tokens_[before].kind == token_kind::name)
                return true;
        }
        return false;
    }

    token_edits &edits_;
    const token_list &tokens_;
    const std::size_t at_;
    const std::size_t first_;
    const std::size_t end_;
};

} // namespace

void spawn_to_core(token_edits &edits, std::size_t at) {
    spawned_statement(edits, at).run();
}

} // namespace saguaro::cilkc
