// SPDX-License-Identifier: MIT
// What the algorithms of this folder ask of a runtime:
//
//     struct some_runtime {
//         // Calls all functions, in parallel if it can.
//         static void invoke(auto &&...functions);
//     };
//
// saguaro-bench puts others beside these two.
#pragma once

#include <saguaro/saguaro.hpp>

#include <cstddef>

namespace saguaro::numa_examples {

struct serial_runtime {
    static void invoke(auto &&...functions) { (functions(), ...); }
};

struct saguaro_runtime {
    static void invoke(auto &&...functions) { parallel_invoke(functions...); }
};

/// piece(first, last) for parts of first .. last-1 of at most `grain` each, in parallel.
template <typename runtime, typename work>
void for_pieces(std::size_t first, std::size_t last, std::size_t grain, const work &piece) {
    if (last - first <= grain) {
        if (first != last)
            piece(first, last);
        return;
    }
    const std::size_t middle = first + (last - first) / 2;
    runtime::invoke([&] { for_pieces<runtime>(first, middle, grain, piece); },
                    [&] { for_pieces<runtime>(middle, last, grain, piece); });
}

} // namespace saguaro::numa_examples
