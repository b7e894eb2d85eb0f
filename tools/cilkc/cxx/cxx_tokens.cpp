// SPDX-License-Identifier: MIT
// Finding spawns that are statements, grain sizes, and mistakes that tokens show.
#include "cxx/cxx_tokens.hpp"

#include "tokens/cilk_tokens.hpp"
#include "tokens/tokens.hpp"

#include <algorithm>
#include <array>

namespace saguaro::cilkc {

namespace {

using namespace std::string_view_literals;

bool is_keyword(const token &t) {
    return t.is_one_of({"_Cilk_spawn", "_Cilk_sync", "_Cilk_for", "_Cilk_scope"});
}

std::string spelled(const token &t) {
    return "cilk_" + std::string(t.text.substr(sizeof "_Cilk_" - 1));
}

class cxx_marks {
public:
    explicit cxx_marks(std::string text) : text_(std::move(text)), tokens_(text_), lines_(text_) {}

    marked_text run() {
        for (std::size_t at = 0; at < tokens_.size(); at++)
            look_at(at);
        for (const pragma &line : tokens_.pragmas())
            if (const std::optional<std::string_view> grain = grain_of(line.text))
                set_grain(line, *grain);
            else if (tokens_[line.next].is("_Cilk_for") && is_hint(line.text))
                drop(line);
        find_targets();
        for (const auto &[begin, length] : blanks_)
            std::fill_n(text_.begin() + static_cast<std::ptrdiff_t>(begin), length, ' ');
        found_.text = text_;
        for (const std::size_t begin : statements_)
            found_.text[begin + sizeof "_Cilk_" - 1] = 'S';
        for (const std::size_t begin : values_)
            found_.text.replace(begin, value_marker.size(), value_marker);
        for (const std::size_t begin : reducer_words_)
            found_.text.replace(begin, sizeof "cilk_reducer" - 1, "_Hyperobject");
        return std::move(found_);
    }

private:
    void error(std::size_t offset, std::string text) {
        const place where = lines_.where(offset);
        found_.problems.push_back({where.file, where.line, where.column, std::move(text)});
    }

    void look_at(std::size_t at) {
        const token &t = tokens_[at];
        if (t.kind != token_kind::name)
            return;
        if (is_keyword(t)) {
            found_.words.push_back({static_cast<unsigned>(t.offset), std::string(t.text)});
            if (t.braces == 0)
                error(t.offset, spelled(t) + " outside of any function");
            else if (t.is("_Cilk_spawn") && (begins_statement(tokens_, at) || is_cast_away(at))) {
                statements_.push_back(t.offset);
                if (is_cast_away(at))
                    for (std::size_t i = at - 3; i < at; i++)
                        blanks_.emplace_back(tokens_[i].offset, tokens_[i].text.size());
            } else if (t.is("_Cilk_spawn") && tokens_[at - 1].is("=") && is_operation(at + 1)) {
                values_.push_back(t.offset);
            } else if (t.is("_Cilk_sync") && tokens_[at + 1].is("("))
                error(t.offset, std::string(sync_is_no_function));
            else if (!t.is("_Cilk_spawn") && !begins_statement(tokens_, at) &&
                     !tokens_[at - 1].is("_Cilk_spawn"))
                error(t.offset, spelled(t) + std::string(in_an_expression));
        } else if (t.is("_Cilk_reducer") || t.is("_Hyperobject") || is_reducer_word(at)) {
            if (t.is("cilk_reducer"))
                reducer_words_.push_back(t.offset);
            if (!tokens_[at + 1].is("("))
                error(t.offset, "a reducer needs an identity and a reduction: 'long "
                                "cilk_reducer(identity, reduce) sum;'");
            else
                found_.reducers[static_cast<unsigned>(t.offset)] = {
                    static_cast<unsigned>(tokens_[at + 1].offset),
                    static_cast<unsigned>(tokens_[tokens_.closing(at + 1)].offset)};
        } else if (t.is_one_of({"cilk_spawn", "cilk_sync", "cilk_for", "cilk_scope"})) {
            error(t.offset, without_header(t));
        }
    }

    // Whether an expression that begins there, up to its `;`, has an operator that binds less
    // tightly than a call: `a + b`, `f(x) << y`; not `f<n + 1>(x)`, `p->m(x)`, `-a`.
    bool is_operation(std::size_t at) const {
        while (tokens_[at].kind == token_kind::punctuation && !tokens_[at].is("(") &&
               !tokens_[at].is("[") && !ends_operand(at))
            ++at;
        for (; !ends_operand(at); ++at) {
            const token &t = tokens_[at];
            if (t.is("(") || t.is("[") || t.is("{"))
                at = tokens_.closing(at);
            else if (t.is("<") && behind_template_arguments(at) != at)
                at = behind_template_arguments(at);
            else if (t.kind == token_kind::punctuation && !is_postfix(at))
                return true;
        }
        return false;
    }

    bool ends_operand(std::size_t at) const {
        return tokens_[at].kind == token_kind::end ||
               tokens_[at].is_one_of({";", ",", ")", "]", "}"});
    }

    bool is_postfix(std::size_t at) const {
        return tokens_[at].is_one_of({"::", ".", "->", "++", "--", "~"}) &&
               !tokens_[at + 1].is("*");
    }

    // The `>` before a `(`, `{` or `::`; `open` itself, where the `<` compares.
    std::size_t behind_template_arguments(std::size_t open) const {
        int depth = 0;
        for (std::size_t at = open; at < tokens_.size() && !tokens_[at].is(";"); ++at) {
            const token &t = tokens_[at];
            if (t.is("(") || t.is("[") || t.is("{"))
                at = tokens_.closing(at);
            depth += t.is("<") ? 1 : t.is(">") ? -1 : t.is(">>") ? -2 : 0;
            if (depth <= 0)
                return tokens_[at + 1].is_one_of({"(", "{", "::"}) ? at : open;
        }
        return open;
    }

    // `T cilk_reducer(identity, reduce) x` before the header, or without it, as OpenCilk has it.
    bool is_reducer_word(std::size_t at) const {
        if (!tokens_[at].is("cilk_reducer") || !tokens_[at + 1].is("("))
            return false;
        const token &before = tokens_[at - 1];
        const token &behind = tokens_[tokens_.closing(at + 1) + 1];
        return (before.kind == token_kind::name || before.is(">")) &&
               (behind.is("*") || behind.is("&") ||
                (behind.kind == token_kind::name &&
                 !behind.is_one_of({"const", "noexcept", "override", "final", "throw", "requires",
                                    "__attribute__"})));
    }

    // `(void)` before a spawned call says what a spawn does anyway.
    bool is_cast_away(std::size_t spawn) const {
        const std::size_t open = spawn - 3;
        return tokens_[open].is("(") && tokens_[spawn - 1].is(")") &&
               tokens_[open + 1].is("void") && begins_statement(tokens_, open);
    }

    void set_grain(const pragma &line, std::string_view grain) {
        const token &loop = tokens_[line.next];
        if (grain.empty()) {
            error(line.offset, "'#pragma cilk grainsize' needs a value: "
                               "'#pragma cilk grainsize = expression'");
        } else if (!loop.is("_Cilk_for")) {
            error(line.offset, "'#pragma cilk grainsize' must stand right before a cilk_for");
        } else {
            found_.grains[static_cast<unsigned>(loop.offset)] = std::string(grain);
            drop(line);
        }
    }

    // Where pragmas of gcc's say which instructions the processor has.
    void find_targets() {
        bool is_set = false;
        std::vector<bool> outer;
        for (const pragma &line : tokens_.pragmas()) {
            const std::string words = words_of(line.text);
            if (words.starts_with("GCC target")) {
                is_set = true;
            } else if (words.starts_with("GCC reset_options")) {
                is_set = false;
            } else if (words.starts_with("GCC push_options")) {
                outer.push_back(is_set);
            } else if (words.starts_with("GCC pop_options") && !outer.empty()) {
                is_set = outer.back();
                outer.pop_back();
            } else {
                continue;
            }
            found_.targets[static_cast<unsigned>(line.offset)] = is_set;
        }
    }

    void drop(const pragma &line) {
        std::fill_n(text_.begin() + static_cast<std::ptrdiff_t>(line.offset), line.length, ' ');
    }

    // Words with one blank between them.
    static std::string words_of(std::string_view text) {
        std::string words;
        for (const char c : text)
            if (c != ' ' && c != '\t')
                words += c;
            else if (!words.empty() && words.back() != ' ')
                words += ' ';
        return words;
    }

    // A pragma that says how to compile the loop after it. The compiler takes it before a loop of
    // C++ alone, and a cilk_for becomes none.
    static bool is_hint(std::string_view text) {
        const std::string words = words_of(text);
        return std::ranges::any_of(std::array{"GCC ivdep"sv, "GCC unroll"sv, "GCC novector"sv,
                                              "clang loop"sv, "ivdep"sv, "unroll"sv, "nounroll"sv},
                                   [&](std::string_view hint) { return words.starts_with(hint); });
    }

    std::string text_;
    const token_list tokens_;
    const line_map lines_;
    marked_text found_;
    std::vector<std::size_t> statements_;
    std::vector<std::size_t> values_;
    std::vector<std::size_t> reducer_words_;
    std::vector<std::pair<std::size_t, std::size_t>> blanks_;
};

} // namespace

marked_text mark_cxx(std::string text) {
    return cxx_marks(without_digraphs(std::move(text))).run();
}

std::string serial_cxx(const marked_text &marked) {
    std::string text = marked.text;
    for (const cilk_word &word : marked.words) {
        std::string plain = word.text == "_Cilk_for"    ? "for"
                            : word.text == "_Cilk_sync" ? "(void)0"
                                                        : "";
        plain.resize(word.text.size(), ' ');
        text.replace(word.offset, plain.size(), plain);
    }
    for (const auto &[begin, place] : marked.reducers)
        for (unsigned at = begin; at <= place.close; ++at)
            if (text[at] != '\n')
                text[at] = ' ';
    return text;
}

} // namespace saguaro::cilkc
