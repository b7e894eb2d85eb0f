// SPDX-License-Identifier: MIT
// Descriptors on an emulated machine with several nodes.
#include "numa/emulated.hpp"

#include "nanothreads/descriptors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

SG_BEFORE_CASES(emulated::install)

namespace saguaro::nanothreads {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

std::uintptr_t huge_page_of(const thread *t) {
    return reinterpret_cast<std::uintptr_t>(t) / huge_page;
}

} // namespace

// In areas that are large enough for huge pages no page is shared.
TEST(nanothreads_descriptors, of_two_nodes_share_no_page) {
    descriptors all;
    std::set<std::uintptr_t> of_one, of_other;
    std::set<thread *> taken;
    for (std::size_t i = 0; i < 6 * huge_page / sizeof(thread); i += descriptors::page) {
        const bool is_first = i / descriptors::page % 2 == 0;
        emulated::run_on(is_first ? 1 : 5);
        thread *const page = all.carve();
        taken.insert(page);
        if (i >= 2 * huge_page / sizeof(thread)) // both have used up their small areas
            (is_first ? of_one : of_other).insert(huge_page_of(page));
    }
    EXPECT_GT(of_one.size(), 0U);
    for (const std::uintptr_t each : of_one)
        EXPECT_FALSE(of_other.contains(each));
    std::size_t seen = 0;
    all.for_each([&](thread &t) { seen += taken.count(&t); });
    EXPECT_EQ(seen, taken.size());
}

} // namespace saguaro::nanothreads
