// SPDX-License-Identifier: MIT
// Collecting macro definitions, and expanding those in grain sizes.
#include "tokens/macros.hpp"

#include "text/compiler.hpp"
#include "tokens/cilk_tokens.hpp"
#include "tokens/literals.hpp"

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>

namespace saguaro::cilkc {

namespace {

// What follows `#name` on the line; nothing if another directive, or none, stands there.
std::optional<std::string_view> behind_directive(std::string_view line, std::string_view name) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty() || line[0] != '#' || line.substr(1, name.size()) != name)
        return std::nullopt;
    return line.substr(1 + name.size());
}

bool has_name(std::string_view expression) {
    return std::any_of(expression.begin(), expression.end(),
                       [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; });
}

// What Clang's preprocessor makes of the expression behind the definitions. What is wrong with it
// will be said where the expression is parsed.
std::string expanded(const std::string &definitions, std::string_view expression) {
    const std::string text = definitions + std::string(expression) + '\n';
    const auto compiler =
        make_compiler(text, "", standard_of(definitions), {}, new clang::IgnoringDiagConsumer);
    if (!compiler->hasPreprocessor())
        return std::string(expression);
    clang::Preprocessor &preprocessor = compiler->getPreprocessor();
    preprocessor.EnterMainSourceFile();
    std::string result;
    clang::Token next;
    while (preprocessor.Lex(next), !next.is(clang::tok::eof))
        result += ' ' + preprocessor.getSpelling(next);
    return result;
}

// Whether the next line begins in a raw string literal, where `#define` defines nothing.
class raw_literals {
public:
    bool is_open() const { return !end_.empty(); }

    void pass(std::string_view line) {
        if (!is_open() && line.find("R\"") == line.npos)
            return;
        for (std::size_t at = 0; at < line.size();) {
            if (is_open()) {
                at = line.find(end_, at);
                if (at == line.npos)
                    return;
                at += end_.size();
                end_.clear();
            } else if (line[at] == '"' || line[at] == '\'') {
                at = behind_literal(line, at);
            } else if (is_part_of_name(line[at])) {
                at = behind_word_or_open(line, at);
            } else {
                ++at;
            }
        }
    }

private:
    // Behind a word, or behind the parenthesis of the raw literal that it begins.
    std::size_t behind_word_or_open(std::string_view line, std::size_t begin) {
        const std::size_t at = behind_word(line, begin);
        const std::size_t open = line.find('(', at);
        if (open == line.npos || !begins_raw_literal(line.substr(begin, at - begin), line, at))
            return at;
        end_ = end_of_raw_literal(line, at, open);
        return open + 1;
    }

    std::string end_; // what closes the open literal
};

} // namespace

std::string resolve_macros(std::string_view text) {
    std::string out;
    std::string definitions;
    raw_literals literals;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const bool is_text = literals.is_open();
        if (is_text || line.find_first_not_of(" \t") != line.find('#'))
            literals.pass(line);
        if (is_text) {
            out += line;
            out += '\n';
            continue;
        }
        const auto pragma = behind_directive(line, "pragma ");
        const auto grain = pragma ? grain_of(*pragma) : std::nullopt;
        if (behind_directive(line, "define ") || behind_directive(line, "undef ")) {
            definitions += std::string(line) + '\n';
        } else if (grain && has_name(*grain)) {
            out += line.substr(0, static_cast<std::size_t>(grain->data() - line.data()));
            out += expanded(definitions, *grain);
        } else {
            out += line;
        }
        out += '\n';
    }
    return out;
}

} // namespace saguaro::cilkc
