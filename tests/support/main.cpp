// SPDX-License-Identifier: MIT
// The main of test programs: runs the cases of the test that the command line names.
#include "support/things.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fnmatch.h>
#include <set>
#include <string>
#include <string_view>

namespace saguaro::test_support {

namespace {

before_cases *first = nullptr;

// Compilers write the path of a source in their own way, but all end with the path in the project.
bool is_path_of(std::string_view file, std::string_view source) {
    return file == source || file.ends_with("/" + std::string(source));
}

// The test that the cases of a file belong to, or null.
const thing *thing_of(std::string_view file) {
    for (const thing *each = things; each->name != nullptr; ++each)
        if (is_path_of(file, each->source))
            return each;
    return nullptr;
}

bool has_one_test() {
    for (const thing *each = things; each->name != nullptr; ++each)
        if (each->name != std::string_view(things->name))
            return false;
    return true;
}

std::string all_names() {
    std::string names;
    std::string_view last;
    for (const thing *each = things; each->name != nullptr; last = each++->name)
        if (each->name != last)
            names.append(" ").append(each->name);
    return names;
}

// As GoogleTest reads a filter: patterns, then after a minus those that are left out.
bool matches_any(std::string_view patterns, const std::string &name) {
    while (!patterns.empty()) {
        const std::size_t length = std::min(patterns.find(':'), patterns.size());
        if (fnmatch(std::string(patterns.substr(0, length)).c_str(), name.c_str(), 0) == 0)
            return true;
        patterns.remove_prefix(std::min(length + 1, patterns.size()));
    }
    return false;
}

bool passes(std::string_view filter, const std::string &name) {
    const std::size_t minus = std::min(filter.find('-'), filter.size());
    const std::string_view wanted = filter.substr(0, minus);
    const std::string_view unwanted = filter.substr(std::min(minus + 1, filter.size()));
    return (wanted.empty() || matches_any(wanted, name)) && !matches_any(unwanted, name);
}

const testing::TestSuite &suite_at(int i) {
    return *testing::UnitTest::GetInstance()->GetTestSuite(i);
}

int suites() {
    return testing::UnitTest::GetInstance()->total_test_suite_count();
}

// False, with a line, if a source has no case here, or a case belongs to no test: neither would be
// missed, because a test that runs no case passes.
bool is_complete() {
    std::set<const thing *> found;
    for (int i = 0; i < suites(); ++i)
        for (int k = 0; k < suite_at(i).total_test_count(); ++k) {
            const testing::TestInfo &one = *suite_at(i).GetTestInfo(k);
            const thing *const owner = thing_of(one.file());
            if (owner == nullptr && !has_one_test()) {
                std::fprintf(stderr, "%s: the case %s.%s belongs to no test of this program\n",
                             one.file(), one.test_suite_name(), one.name());
                return false;
            }
            found.insert(owner);
        }
    for (const thing *each = things; each->name != nullptr; ++each)
        if (!found.contains(each)) {
            std::fprintf(stderr, "%s: this program has no case of it\n", each->source);
            return false;
        }
    return true;
}

// A filter for the cases of the test that the present filter lets through. Empty if there are none.
std::string filter_for(const std::string &test) {
    const std::string filter = GTEST_FLAG_GET(filter);
    std::string chosen;
    for (int i = 0; i < suites(); ++i) {
        const std::string suite = std::string(suite_at(i).name()) + ".";
        std::string some;
        int left_out = 0;
        for (int k = 0; k < suite_at(i).total_test_count(); ++k) {
            const testing::TestInfo &one = *suite_at(i).GetTestInfo(k);
            const thing *const owner = thing_of(one.file());
            const std::string name = suite + one.name();
            if ((owner == nullptr || owner->name == test) && passes(filter, name))
                some += name + ":";
            else
                ++left_out;
        }
        chosen += left_out == 0 ? suite + "*:" : some;
    }
    return chosen;
}

#if defined(SG_DELAYED)
// Each test has a seed of its own, made of its name: a commit is not stopped by what another one
// has brought and a seed shows by chance. A run may have another one in its environment. It is
// printed, and processes that this one starts have it.
void delay_at_random(std::string_view test) {
    unsigned own = 1;
    for (const char c : test)
        own = 31 * own + static_cast<unsigned char>(c);
    setenv(delays::seed_variable, std::to_string(own).c_str(), 0);
    const char *const seed = std::getenv(delays::seed_variable);
    std::printf("pauses before atomic operations: again the same with %s=%s\n",
                delays::seed_variable, seed);
    std::fflush(stdout);
    delays::begin(std::strtoull(seed, nullptr, 10));
}
#endif

} // namespace

before_cases::before_cases(const char *source, void (*call)())
    : source_(source), call_(call), next_(first) {
    first = this;
}

void before_cases::call_for(const char *test) {
    for (const before_cases *each = first; each != nullptr; each = each->next_) {
        const thing *const owner = thing_of(each->source_);
        if (owner != nullptr && owner->name == std::string_view(test))
            each->call_();
    }
}

} // namespace saguaro::test_support

int main(int argc, char **argv) {
    using namespace saguaro::test_support;
    constexpr int wrong_use = 2;
    testing::InitGoogleTest(&argc, argv);
    const char *const test = argc > 1 ? argv[1] : has_one_test() ? things->name : nullptr;
    if (test == nullptr || argc > 2) {
        std::fprintf(stderr, "usage: %s TEST [--gtest_...]; TEST is one of:%s\n", argv[0],
                     all_names().c_str());
        return wrong_use;
    }
    if (!is_complete())
        return wrong_use;
    const std::string chosen = filter_for(test);
    if (chosen.empty()) {
        std::fprintf(stderr, "%s: no case of '%s' matches '%s'; tests are:%s\n", argv[0], test,
                     GTEST_FLAG_GET(filter).c_str(), all_names().c_str());
        return wrong_use;
    }
    GTEST_FLAG_SET(filter, chosen);
#if defined(SG_DELAYED)
    delay_at_random(test);
#endif
    before_cases::call_for(test);
    return RUN_ALL_TESTS();
}
