// SPDX-License-Identifier: MIT
// The main function of a MIT Cilk program.
#pragma once

#include "tokens/token_edits.hpp"

#include <string>
#include <string_view>

namespace saguaro::cilkc {

// A Cilk program's first procedure, `cilk int main(int argc, char *argv[])`, with as many of its
// parts as the user wrote, or `cilk_main`. It is called cilk_main in the translation, and C's
// `main` hands it to the runtime.
class mit_main {
public:
    explicit mit_main(token_edits &edits) : edits_(edits) {}

    // A procedure's name, at this index, has been met. `typed`: a type stands before it.
    void declared(std::size_t name, bool typed);

    // Gives every `main` its new name. Returns C's main; nothing if no procedure is the first one.
    std::string finish();

private:
    bool has_plain_main() const;

    token_edits &edits_;
    std::size_t body_of_ = 0; // the index of its name, where it is defined
    bool returns_void_ = false;
    bool renamed_ = false;
};

} // namespace saguaro::cilkc
