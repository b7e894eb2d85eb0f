// SPDX-License-Identifier: MIT
// What happens to a loop whose bounds or step make no sense.
#include "saguaro/detail/bounds.hpp"
#include "saguaro/detail/places.hpp"

#include <stdexcept>

namespace saguaro::detail {

void refuse_negative_bound() {
    throw std::invalid_argument("saguaro: a bound is negative, and the other one is unsigned");
}

void refuse_step(const char *why) {
    throw std::invalid_argument(why);
}

} // namespace saguaro::detail
