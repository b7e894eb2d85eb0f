// SPDX-License-Identifier: MIT
// Rewriting MIT Cilk's keywords where the language lets them stand.
#include "tokens/mit_tokens.hpp"

#include "tokens/inlet_parameters.hpp"
#include "tokens/mit_main.hpp"

#include <set>

namespace saguaro::cilkc {

namespace {

class mit_pass {
public:
    explicit mit_pass(token_edits &edits) : edits_(edits), tokens_(edits.tokens()), main_(edits) {}

    std::string run() {
        for (std::size_t at = 0; at < tokens_.size(); at++) {
            enter_and_leave(at);
            if (tokens_[at].kind == token_kind::name && !tokens_[at].plain && !is_member(at))
                visit(at);
        }
        for (const pragma &line : tokens_.pragmas())
            if (line.is_language())
                edits_.blank(line);
        return main_.finish();
    }

private:
    enum class inside { nothing, function, procedure, inlet };

    // What the text around a token is. Outside of bodies, a declaration that says `cilk` is one of
    // a procedure until it ends.
    inside around(std::size_t at) const {
        if (tokens_[at].braces == 0)
            return inside::nothing;
        if (at < inlet_end_)
            return inside::inlet;
        return procedure_ ? inside::procedure : inside::function;
    }

    void enter_and_leave(std::size_t at) {
        const token &t = tokens_[at];
        if (t.braces == 0 && (t.is(";") || t.is("}"))) {
            procedure_ = false;
            inlets_.clear();
        }
    }

    bool is_member(std::size_t at) const {
        return at > 0 && (tokens_[at - 1].is(".") || tokens_[at - 1].is("->"));
    }

    bool begins_statement(std::size_t at) const {
        if (at == 0)
            return true;
        const token &before = tokens_[at - 1];
        return before.is(";") || before.is("{") || before.is("}") || before.is(")") ||
               before.is("else") || before.is("do") || before.is(":");
    }

    bool before_name(std::size_t at) const { return tokens_[at + 1].kind == token_kind::name; }

    void visit(std::size_t at) {
        const token &t = tokens_[at];
        if (t.is("cilk") && before_name(at))
            procedure(at);
        else if (t.is("spawn") && (before_name(at) || tokens_[at + 1].is("(")))
            spawn(at);
        else if ((t.is("sync") || t.is("abort")) && tokens_[at + 1].is(";") && begins_statement(at))
            statement(at);
        else if (t.is("SYNCHED"))
            synched(at);
        else if ((t.is("shared") || t.is("private")) && before_name(at))
            edits_.blank(at);
        else if (t.is("inlet") && before_name(at))
            inlet(at);
        else if (is_foreign(at))
            foreign(at);
        else if (t.is("return") && around(at) == inside::inlet)
            inlet_return(at);
        else if (around(at) == inside::function)
            plain_call(at);
    }

    // The words of other Cilks. A program that has macros of these names has replaced them.
    bool is_foreign(std::size_t at) const {
        const token &t = tokens_[at];
        const token &next = tokens_[at + 1];
        return t.braces > 0 &&
               ((t.is("cilk_spawn") && (before_name(at) || next.is("("))) ||
                (t.is("cilk_sync") && next.is(";")) || (t.is("cilk_for") && next.is("(")));
    }

    // Names the first of them alone: the same is wrong with all others.
    void foreign(std::size_t at) {
        if (!has_foreign_) {
            edits_.error(at, std::string(tokens_[at].text) +
                                 " in a .cilk file, which is MIT Cilk 5.4: a file for OpenCilk or "
                                 "Cilk Plus ends in .c; one in C++, for cilkc++, in .cpp");
        }
        has_foreign_ = true;
    }

    // Reports a word where there is no procedure around it. `in_inlet`: inlets may use it.
    bool allowed(std::size_t at, bool in_inlet) {
        const std::string word(tokens_[at].text);
        switch (around(at)) {
        case inside::procedure:
            return true;
        case inside::inlet:
            if (!in_inlet) {
                edits_.error(at, word + " in an inlet: an inlet runs as one piece, it can neither "
                                        "spawn nor sync, nor have inlets of its own");
            }
            return in_inlet;
        case inside::function:
            edits_.error(at, word + " outside of a cilk procedure: this function is not declared "
                                    "with 'cilk'");
            return false;
        default:
            edits_.error(at, word + " outside of a cilk procedure");
            return false;
        }
    }

    void procedure(std::size_t at) {
        const bool has_type = at > 0 && tokens_[at - 1].kind == token_kind::name &&
                              !is_qualifier(tokens_[at - 1]) && !begins_statement(at);
        std::size_t next = at + 1;
        while (is_qualifier(tokens_[next]))
            next = behind_word(tokens_, next);
        const bool implicit_int = !has_type && !is_type_word(tokens_[next]) &&
                                  tokens_[next + 1].is("(") && !tokens_[next + 2].is("*");
        edits_.replace(at, implicit_int ? "_Cilk_procedure int" : "_Cilk_procedure");
        const std::size_t name = declared_function(at + 1);
        if (tokens_[at].braces == 0) {
            procedure_ = true;
        } else if (name != 0 && tokens_[tokens_.closing(name + 1) + 1].is("{")) {
            edits_.error(name, "a cilk procedure inside a function: procedures are defined at file "
                               "scope");
        }
        if (name == 0)
            return;
        const std::size_t behind = tokens_.closing(name + 1) + 1;
        if (tokens_[behind].kind == token_kind::name && !is_qualifier(tokens_[behind]) &&
            !tokens_[behind].is("__asm__")) {
            edits_.error(name, "a cilk procedure declares its parameters in its parentheses");
        }
        procedures_.insert(tokens_[name].text);
        main_.declared(name, has_type || !implicit_int);
    }

    // The name of the function that the specifiers at `at` belong to; 0 if they declare another
    // thing, such as a pointer or a type.
    std::size_t declared_function(std::size_t at) const {
        while (tokens_[at].kind == token_kind::name || tokens_[at].is("*")) {
            const std::size_t next = behind_word(tokens_, at);
            if (tokens_[next].is("(") && !is_type_word(tokens_[at]) &&
                tokens_[at].kind == token_kind::name && !is_qualifier(tokens_[at])) {
                const bool in_parentheses = tokens_[tokens_.closing(next) + 1].is("(");
                return tokens_[next + 1].is("*") || in_parentheses ? 0 : at;
            }
            at = next;
        }
        return 0;
    }

    void spawn(std::size_t at) {
        if (!allowed(at, false))
            return;
        edits_.replace(at, "_Cilk_spawn");
        if (at >= 2 && tokens_[at - 1].is("(") && inlets_.count(tokens_[at - 2].text) != 0)
            inlet_call(at - 2);
    }

    // `[lhs =] in(spawn f(x), a)` -> `_Cilk_inlet_call [lhs,] in, _Cilk_spawn f(x), a`.
    void inlet_call(std::size_t name) {
        const std::size_t close = tokens_.closing(name + 1);
        std::size_t first = name;
        if (name > 0 && tokens_[name - 1].is("=")) {
            first = start_of_statement(name - 1);
            edits_.replace(name - 1, ",");
        }
        if (!begins_statement(first) || !tokens_[close + 1].is(";")) {
            edits_.error(name, "the call of an inlet with a spawn is a statement of its own: "
                               "'inlet(spawn procedure(...), ...);' or 'x = inlet(...);'");
            return;
        }
        edits_.before(first, "_Cilk_inlet_call ");
        edits_.replace(name + 1, ",");
        edits_.blank(close);
    }

    std::size_t start_of_statement(std::size_t at) const {
        while (at > 0) {
            const token &before = tokens_[at - 1];
            if (before.is(")") || before.is("]")) {
                const std::size_t open = tokens_.opening(at - 1);
                const bool condition =
                    before.is(")") && open > 0 &&
                    (tokens_[open - 1].is("if") || tokens_[open - 1].is("while") ||
                     tokens_[open - 1].is("for") || tokens_[open - 1].is("switch"));
                if (condition || open >= at)
                    return at;
                at = open;
            } else if (begins_statement(at)) {
                return at;
            } else {
                at--;
            }
        }
        return at;
    }

    void statement(std::size_t at) {
        if (allowed(at, tokens_[at].is("abort")))
            edits_.replace(at, "_Cilk_" + std::string(tokens_[at].text));
    }

    void synched(std::size_t at) {
        if (allowed(at, true))
            edits_.replace(at, "_Cilk_synched");
    }

    // `inlet T in(P) { ... }` -> `_Cilk_inlet T (*in)(P); _Cilk_inlet_body { P; ... }`.
    void inlet(std::size_t at) {
        if (!allowed(at, false))
            return;
        const std::size_t name = declared_function(at + 1);
        const std::size_t open = name + 1;
        if (name == 0 || tokens_.closing(open) == tokens_.size()) {
            edits_.error(at, "inlet declares a function inside a cilk procedure: "
                             "'inlet type name(parameters) { ... }'");
            return;
        }
        const std::size_t body = tokens_.closing(open) + 1;
        if (!tokens_[body].is("{")) {
            edits_.error(name, "an inlet is declared with its body, and its parameters in its "
                               "parentheses");
            return;
        }
        edits_.replace(at, name == at + 1 ? "_Cilk_inlet int" : "_Cilk_inlet");
        edits_.before(name, "(*");
        edits_.after(name, ")");
        edits_.before(body, "; _Cilk_inlet_body ");
        edits_.after(body, parameters_as_variables(edits_, open));
        inlets_.insert(tokens_[name].text);
        inlet_end_ = tokens_.closing(body);
    }

    void inlet_return(std::size_t at) {
        edits_.replace(at, "_Cilk_inlet_return (");
        if (tokens_[at + 1].is(";"))
            edits_.after(at, "0");
        std::size_t end = at + 1;
        while (end < inlet_end_ && !tokens_[end].is(";")) {
            const std::size_t close = tokens_.closing(end);
            end = close > end && close < inlet_end_ ? close + 1 : end + 1;
        }
        edits_.before(end, ")");
    }

    // Plain functions are not parsed, so this rule is checked here.
    void plain_call(std::size_t at) {
        const bool named = at > 0 && tokens_[at - 1].kind == token_kind::name &&
                           !tokens_[at - 1].is("return") && !tokens_[at - 1].is("else") &&
                           !tokens_[at - 1].is("do");
        if (tokens_[at + 1].is("(") && !named && procedures_.count(tokens_[at].text) != 0) {
            edits_.error(at, "cilk procedure '" + std::string(tokens_[at].text) +
                                 "' called from a plain C function: procedures are spawned, "
                                 "from procedures");
        }
    }

    token_edits &edits_;
    const token_list &tokens_;
    mit_main main_;
    bool procedure_ = false;
    bool has_foreign_ = false;
    std::size_t inlet_end_ = 0;
    std::set<std::string_view> inlets_;     // of the procedure around
    std::set<std::string_view> procedures_; // declared so far
};

} // namespace

std::string mit_to_core(token_edits &edits) {
    return mit_pass(edits).run();
}

} // namespace saguaro::cilkc
