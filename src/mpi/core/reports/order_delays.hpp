// SPDX-License-Identifier: MIT
// The cost of waiting for an order: a rank has a message that it could take, or a poll that it
// could answer, and waits until no earlier message can come. For detmpiexec -stats and -patience.
#pragma once

#include <cstdint>
#include <span>

namespace saguaro::mpi::order_delays {

extern bool is_measured; // by this process

// Looks at the variables. Ends the process with a line if a value is wrong.
void begin();

// Says what was measured.
void end();

// A wait, as long as the object lives.
class wait {
public:
    explicit wait(const char *call) {
        if (is_measured) [[unlikely]]
            enter(call);
    }
    ~wait() {
        if (is_measured) [[unlikely]]
            leave();
    }
    wait(const wait &) = delete;
    wait &operator=(const wait &) = delete;

private:
    static void enter(const char *call);
    static void leave();
};

// The present wait could be over, but for the order. From the first such call on it counts.
void note();

// Whether the present wait is held up for longer than the user's patience, for the first time.
bool is_too_long();

// The line about it: these ranks hold it up.
void name(std::span<const std::uint32_t> ranks);

} // namespace saguaro::mpi::order_delays
