// SPDX-License-Identifier: MIT
// Functions that have begun and not ended.
#pragma once

#include "program.hpp"

#include <cstdint>
#include <vector>

namespace saguaro::sim {

struct frame {
    std::uint32_t parent;
    std::uint32_t apart; // children that run on other workers than this frame
    position resume;     // while it waits: where it goes on when the last of them has ended
    bool is_waiting;
};

// Their memory is used again.
class frames {
public:
    static constexpr std::uint32_t none = UINT32_MAX;

    std::uint32_t make(std::uint32_t parent) {
        const frame fresh{parent, 0, 0, false};
        if (free_.empty()) {
            all_.push_back(fresh);
            return static_cast<std::uint32_t>(all_.size() - 1);
        }
        const std::uint32_t at = free_.back();
        free_.pop_back();
        all_[at] = fresh;
        return at;
    }
    void end(std::uint32_t at) { free_.push_back(at); }

    frame &operator[](std::uint32_t at) { return all_[at]; }

private:
    std::vector<frame> all_;
    std::vector<std::uint32_t> free_;
};

} // namespace saguaro::sim
