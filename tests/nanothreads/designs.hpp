// SPDX-License-Identifier: MIT
// Each test for each design, on one, two and eight processors.
#pragma once

#include "saguaro/nanothreads.hpp"

#include <gtest/gtest.h>
#include <string>
#include <tuple>

namespace saguaro::nt {

class on_each_design : public testing::TestWithParam<std::tuple<std::string, unsigned>> {
protected:
    static const std::string &design() { return std::get<0>(GetParam()); }
    static unsigned processors() { return std::get<1>(GetParam()); }

    static options chosen() {
        options o{};
        o.design = design().c_str();
        o.processors = processors();
        // Some sanitizers' frames are large.
        o.stack_bytes = 1 << 18;
        return o;
    }
};

inline std::string name_of(const testing::TestParamInfo<std::tuple<std::string, unsigned>> &info) {
    return std::get<0>(info.param) + std::to_string(std::get<1>(info.param));
}

#define SG_ON_EACH_DESIGN(suite)                                                                   \
    INSTANTIATE_TEST_SUITE_P(                                                                      \
        , suite, testing::Combine(testing::Values("dsr", "lsa", "dos"), testing::Values(1, 2, 8)), \
        name_of)

} // namespace saguaro::nt
