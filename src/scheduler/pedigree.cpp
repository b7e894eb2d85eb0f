// SPDX-License-Identifier: MIT
// Pedigrees, and the random numbers made of them.
#include "saguaro/detail/strand_node.hpp"

#include "platform/arithmetic.hpp"
#include "saguaro/cancellable_scope.hpp"
#include "saguaro/dotmix.hpp"
#include "scheduler/next_number.hpp"
#include "scheduler/worker.hpp"

#include <algorithm>
#include <stdexcept>

namespace saguaro {

namespace {

// The greatest prime below 2^64. DotMix adds and multiplies modulo it.
constexpr std::uint64_t prime = 0 - std::uint64_t{59};

__extension__ using wide = unsigned __int128;

std::uint64_t modulo_prime(wide x) {
    // 2^64 is 59 modulo the prime. The high half is below 2^64, then below 60, then 0 or 1.
    for (int fold = 0; fold < 3; ++fold)
        x = static_cast<std::uint64_t>(x) + (x >> 64) * 59;
    const std::uint64_t low = static_cast<std::uint64_t>(x);
    return low >= prime ? low - prime : low;
}

// DotMix multiplies the rank at each depth by a random number. Here it is the depth's hash, so that
// there is no table, and no depth beyond which it ends. The seed comes in later, with the mixing.
std::uint64_t factor(std::uint64_t depth) {
    return modulo_prime(platform::mixed((depth + 1) * platform::golden));
}

// The dot product with one more term. No pedigree is the beginning of another, since each event of
// a strand is either a child or a number: so terms of 0 do no harm.
std::uint64_t add_term(std::uint64_t sum, std::uint64_t depth, std::uint64_t rank) {
    return modulo_prime(static_cast<wide>(factor(depth)) * rank + sum);
}

// DotMix's mixing, as in RC6: a permutation of the 64-bit numbers, four times.
std::uint64_t mix(std::uint64_t x) {
    for (int round = 0; round < 4; ++round) {
        x *= 2 * x + 1;
        x = x << 32 | x >> 32;
    }
    return x;
}

thread_local detail::ancestor *strand_node_outside = nullptr;

} // namespace

namespace detail {

ancestor *strand_node() {
    return scheduler::current_worker() != nullptr ? SG_REGION_GET(ancestor *, strand_node)
                                                  : strand_node_outside;
}

void set_strand_node(ancestor *node) {
    if (scheduler::current_worker() != nullptr)
        SG_REGION_SET(strand_node, node);
    else
        strand_node_outside = node;
}

ancestor ancestor::child(std::uint64_t number) const {
    ancestor child;
    child.parent = this;
    child.birth = number;
    child.sum = add_term(sum, depth, number);
    child.depth = depth + 1;
    child.cancel = cancel;
    return child;
}

} // namespace detail

std::uint64_t scheduler::next_number(detail::ancestor &self, std::uint64_t seed) {
    return mix(mix(seed) ^ add_term(self.sum, self.depth, self.rank++));
}

bool cancelled() {
    const detail::ancestor *const self = detail::strand_node();
    return self != nullptr && self->cancelled();
}

std::vector<std::uint64_t> pedigree() {
    std::vector<std::uint64_t> path;
    const detail::ancestor *node = detail::strand_node();
    if (node == nullptr)
        return path;
    path.push_back(node->rank);
    for (; node->parent != nullptr; node = node->parent)
        path.push_back(node->birth);
    std::reverse(path.begin(), path.end());
    return path;
}

dotmix::result_type dotmix::operator()() const {
    detail::ancestor *const self = detail::strand_node();
    if (self == nullptr)
        throw std::logic_error("saguaro::dotmix: the caller does not descend from the strand that "
                               "made the generator");
    return scheduler::next_number(*self, seed_);
}

} // namespace saguaro
