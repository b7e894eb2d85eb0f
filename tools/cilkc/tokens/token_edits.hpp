// SPDX-License-Identifier: MIT
// The workspace of both dialects' token passes: tokens to read, edits and problems to write.
#pragma once

#include "text/diagnostics.hpp"
#include "text/text_edits.hpp"
#include "tokens/tokens.hpp"

#include <string>
#include <utility>
#include <vector>

namespace saguaro::cilkc {

class token_edits {
public:
    token_edits(const token_list &tokens, const line_map &lines)
        : tokens_(tokens), lines_(lines), edits_(tokens.text()) {}

    const token_list &tokens() const { return tokens_; }
    const line_map &lines() const { return lines_; }

    void replace(std::size_t index, std::string with) {
        edits_.replace(tokens_[index].offset, tokens_[index].text.size(), std::move(with));
    }
    // From one token to another, with what stands between them.
    void replace(std::size_t first, std::size_t last, std::string with) {
        edits_.replace(tokens_[first].offset, length(first, last), std::move(with));
    }
    std::string_view text_of(std::size_t first, std::size_t last) const {
        return tokens_.text().substr(tokens_[first].offset, length(first, last));
    }
    void before(std::size_t index, std::string what) {
        edits_.insert(tokens_[index].offset, std::move(what));
    }
    void after(std::size_t index, std::string what) {
        edits_.insert(tokens_[index].offset + tokens_[index].text.size(), std::move(what));
    }
    void blank(std::size_t index) {
        edits_.blank(tokens_[index].offset, tokens_[index].text.size());
    }
    void blank(const pragma &line) { edits_.blank(line.offset, line.length); }

    void error(std::size_t index, std::string text) { error_at(tokens_[index].offset, text); }
    void error_at(std::size_t offset, std::string text) {
        const place where = lines_.where(offset);
        problems_.push_back({where.file, where.line, where.column, std::move(text)});
    }

    std::string apply() const { return edits_.apply(lines_); }
    std::vector<problem> take_problems() { return std::move(problems_); }

private:
    std::size_t length(std::size_t first, std::size_t last) const {
        return tokens_[last].offset + tokens_[last].text.size() - tokens_[first].offset;
    }

    const token_list &tokens_;
    const line_map &lines_;
    text_edits edits_;
    std::vector<problem> problems_;
};

} // namespace saguaro::cilkc
