// SPDX-License-Identifier: MIT
// The choice of the token pass for a dialect.
#include "tokens/token_pass.hpp"

#include "text/text_edits.hpp"
#include "tokens/cilk_tokens.hpp"
#include "tokens/mit_tokens.hpp"
#include "tokens/tokens.hpp"

namespace saguaro::cilkc {

core_text to_core(std::string_view text, dialect language) {
    const token_list tokens(text);
    const line_map lines(text);
    token_edits edits(tokens, lines);
    std::string behind;
    if (language == dialect::mit)
        behind = mit_to_core(edits);
    else
        cilk_to_core(edits);
    return {edits.apply() + behind, edits.take_problems()};
}

} // namespace saguaro::cilkc
