// SPDX-License-Identifier: MIT
// Random numbers that do not depend on who runs what: the same on any number of workers.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/pedigree.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace saguaro {

// A generator after DotMix (Leiserson, Schardl, Sukha, 2012, section 4). A number is a hash of the
// seed and of the pedigree of the strand that asks (pedigree()). Any strand that descends from
// the one that made the generator may ask, all at once, and each has a stream of numbers of its
// own. Two strands, or two seeds, get equal numbers no more often than chance would have it. Not
// for cryptography.
//
//     saguaro::dotmix random(42);
//     saguaro::parallel_for(0, n, [&](int i) { x[i] = random.uniform(); });
//
// It satisfies std::uniform_random_bit_generator, so it works with the distributions of <random>.
// It must be a local variable; strands have pedigrees while one lives. A number costs the same at
// every depth.
class dotmix {
public:
    using result_type = std::uint64_t;

    explicit dotmix(std::uint64_t seed = 0) : seed_(seed) {}

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

    static void *operator new(std::size_t) = delete;

    // The strand's next number. Throws std::logic_error if the caller does not descend from the
    // strand that made the generator: another thread, or C code whose frame was taken.
    result_type operator()() const;

    // In [0, 1), with 53 bits.
    double uniform() const { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

private:
    const pedigree_root pedigrees_;
    const std::uint64_t seed_;
};

} // namespace saguaro
