// SPDX-License-Identifier: MIT
// A shared object with a reducer of its own, for reducer_ends.cpp to load.
#include "saguaro/saguaro.hpp"

namespace {

saguaro::reducer<saguaro::add<long>> of_the_library;

} // namespace

extern "C" void count_one() {
    ++*of_the_library;
}
