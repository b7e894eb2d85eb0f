// SPDX-License-Identifier: MIT
// Clang's front end over core Cilk C (see ../README.md) that is held in memory.
#pragma once

#include "text/compiler.hpp"
#include "text/diagnostics.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clang {
class ASTContext;
class CompilerInstance;
} // namespace clang

namespace saguaro::cilkc {

// The syntax tree of one text, for as long as it lives. Only bodies with a marker in them are
// parsed; the others may hold whatever the C compiler takes. Positions are offsets in the text
// (SourceManager::getFileOffset), and the user's lines by the line markers in it
// (SourceManager::getPresumedLoc).
class unit {
public:
    // Parses `text`. Line markers count; nothing is read from any file. `name` is what text before
    // the first line marker is called in messages. Some milliseconds for a text with the C
    // library's headers.
    unit(std::string text, std::string_view name, standard version);
    ~unit();
    unit(const unit &) = delete;
    unit &operator=(const unit &) = delete;

    // Errors outside of system headers, in the order of the text. With an error in the list the
    // tree is not to be used.
    const std::vector<problem> &errors() const { return errors_; }

    clang::ASTContext &ast() const;
    std::string_view text() const { return text_; }

private:
    std::string text_;
    std::string parsed_; // of the same length
    std::vector<problem> errors_;
    std::unique_ptr<clang::CompilerInstance> compiler_;
};

} // namespace saguaro::cilkc
