// SPDX-License-Identifier: MIT
// What happens to a loop whose bounds make no sense.
#include "saguaro/detail/bounds.hpp"

#include <stdexcept>

namespace saguaro::detail {

void refuse_negative_bound() {
    throw std::invalid_argument("saguaro: a bound is negative, and the other one is unsigned");
}

} // namespace saguaro::detail
