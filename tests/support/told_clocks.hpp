// SPDX-License-Identifier: MIT
// Clocks that go on by themselves, in the place of the machine's.
#pragma once

#include <cstdint>

// A counter of so many ticks a nanosecond, and the clock beside it. Each reading of either takes 20
// ns, and now and then the host has the processor in between.
class told_clocks {
public:
    explicit told_clocks(std::uint64_t numerator, std::uint64_t denominator = 1)
        : numerator_(numerator), denominator_(denominator) {}

    std::uint64_t ticks() {
        read();
        return static_cast<std::uint64_t>(now_) * numerator_ / denominator_;
    }
    std::int64_t ns() {
        read();
        return now_;
    }

    // So many nanoseconds pass.
    void pass(std::int64_t ns) { now_ += ns; }
    // From here on each so-manieth reading takes 9 µs more. 0: none does.
    void interrupt_each(int reading) { interrupted_ = reading; }

    std::int64_t now() const { return now_; }
    static constexpr std::int64_t reading_ns = 20;

private:
    void read() {
        now_ += reading_ns;
        ++readings_;
        if (interrupted_ != 0 && readings_ % interrupted_ == 0)
            now_ += 9'000;
    }

    std::uint64_t numerator_;
    std::uint64_t denominator_;
    std::int64_t now_ = 1'000'000;
    int readings_ = 0;
    int interrupted_ = 0;
};
