// SPDX-License-Identifier: MIT
//
// stream [N] [--check] ...: updates of vectors that are larger than the caches, block by block. It
// misses the caches on purpose: what it takes is what memory takes.
#include "program.hpp"
#include "runtimes.hpp"

#include <algorithm>

namespace {

using namespace saguaro::numa_examples;

constexpr std::size_t block = 8192; // 64 KB of each vector
constexpr int sweeps = 10;

/// y += 3 x, ten times. A block's new values are put together in a temporary.
class updates : public problem {
public:
    updates(std::size_t n, variant where) : x_(n, where), y_(n, where), where_(where) {
        for (std::size_t i = 0; i < n; ++i)
            x_.begin()[i] = static_cast<double>(i % 1021);
    }

    void reset() override { std::fill(y_.begin(), y_.end(), 1); }

    void solve(bool parallel) override {
        for (int sweep = 0; sweep < sweeps; ++sweep)
            parallel ? all_blocks<saguaro_runtime>() : all_blocks<serial_runtime>();
    }

    std::string difference() override {
        for (std::size_t i = 0; i < y_.size(); ++i)
            if (y_.begin()[i] != 1 + 3 * sweeps * x_.begin()[i])
                return "element " + std::to_string(i) + " is " + std::to_string(y_.begin()[i]);
        return "";
    }

    std::vector<line> describe() override {
        return {{"vectors", "2 of " + std::to_string(x_.bytes() / 1024) + " KB, " +
                                std::to_string(sweeps) + " sweeps"}};
    }

    std::vector<const data_array *> data() override { return {&x_, &y_}; }

private:
    template <typename runtime>
    void all_blocks() {
        for_pieces<runtime>(0, y_.size(), block, [this](std::size_t first, std::size_t last) {
            const double *const x = x_.begin();
            double *const y = y_.begin();
            touch(first, last - first, x, y);
            const temporary sums(last - first, where_); // stays in the cache
            for (std::size_t i = first; i < last; ++i)
                sums.get()[i - first] = y[i] + 3 * x[i];
            std::copy(sums.get(), sums.get() + (last - first), y + first);
        });
    }

    data_array x_, y_;
    variant where_;
};

} // namespace

int main(int argc, char **argv) {
    return run_program(
        {.name = "stream",
         .meaning = "Updates of vectors that do not fit the caches.",
         .argument_meaning = "the vectors have N doubles",
         .otherwise = "8388608",
         .least = 1,
         .most = 1ul << 33,
         .make = [](const arguments &given,
                    variant where) { return std::make_unique<updates>(given.n, where); }},
        argc, argv);
}
