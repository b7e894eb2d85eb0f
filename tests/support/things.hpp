// SPDX-License-Identifier: MIT
// The tests that a program holds, and what one source of them needs before its cases run.
#pragma once

namespace saguaro::test_support {

// A source with cases of a test. Several sources may belong to one test.
struct thing {
    const char *name;   // of the ctest FOLDER.NAME
    const char *source; // in the project: tests/FOLDER/NAME_test.cpp
};

// All of the program, in the order of its CMakeLists.txt; ends with an entry of null pointers.
// tests/CMakeLists.txt generates it.
extern const thing things[];

// Made by SG_BEFORE_CASES. The object lives as long as the program.
class before_cases {
public:
    before_cases(const char *source, void (*call)());

    // Calls what the sources of the test have asked for, in no particular order.
    static void call_for(const char *test);

private:
    const char *source_;
    void (*call_)();
    before_cases *next_;
};

} // namespace saguaro::test_support

// At namespace scope in a source of tests: calls the function once before the first case, and only
// in a process that runs cases of this source. The other sources of the program do not notice.
#define SG_BEFORE_CASES(...) SG_BEFORE_CASES_NAMED(__COUNTER__, __VA_ARGS__)
#define SG_BEFORE_CASES_NAMED(number, ...) SG_BEFORE_CASES_NUMBERED(number, __VA_ARGS__)
#define SG_BEFORE_CASES_NUMBERED(number, ...)                                                      \
    namespace {                                                                                    \
    const ::saguaro::test_support::before_cases before_cases_##number{__FILE__, __VA_ARGS__};      \
    }
