// SPDX-License-Identifier: MIT
// The colours of all pictures by their names, and the rules that turn them on a dark page.
#pragma once

#include <array>

namespace saguaro::drawing {

#define SG_COLOUR(name, light, dark) inline constexpr const char name[] = light;
#include "drawing/palette.def"
#undef SG_COLOUR

// For things that are told apart by nothing else, in turn.
inline constexpr std::array<const char *, 8> series{green, orange, violet, blue,
                                                    teal,  brown,  rose,   gold};

// Styles by the very attributes: a viewer that knows no styles shows the light picture.
inline constexpr std::array dark_rules{
#define SG_COLOUR(name, light, dark)                                                               \
    "[fill=\"" light "\"]{fill:" dark "}[stroke=\"" light "\"]{stroke:" dark "}\n",
#include "drawing/palette.def"
#undef SG_COLOUR
};

} // namespace saguaro::drawing
