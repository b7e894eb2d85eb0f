// SPDX-License-Identifier: MIT
// <cilk/cilk_api.h>: what a program in Cilk Plus's or OpenCilk's dialect asks of the runtime.
#include "platform/forks.hpp"
#include "platform/settings.hpp"
#include "platform/variables.hpp"
#include "saguaro/detail/cilk_library.h"
#include "saguaro/saguaro.h"
#include "scheduler/runtime.hpp"
#include "scheduler/variables.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>

namespace saguaro::cilk {

namespace {

// What __cilkrts_set_param returns.
enum status { success, unknown, out_of_range, invalid, late };

std::mutex chosen_lock;  // guards the two; taken before the scheduler's
sg_options chosen{};     // what the program has set
bool started_so = false; // the workers that run were started with that

// A whole number of C's; false: it is none.
bool read_number(const char *text, unsigned long &number) {
    if (text == nullptr || *text < '0' || *text > '9')
        return false;
    char *end;
    errno = 0;
    number = std::strtoul(text, &end, 0);
    return *end == '\0' && errno == 0;
}

// Nobody knows when the program spawns for the first time, so the workers start with each change.
status start_with_changes(const sg_options &changed) {
    if (scheduler::running() != nullptr && (!started_so || sg_stop() != 0))
        return late;
    started_so = sg_start(&changed) == 0;
    if (!started_so)
        return out_of_range;
    chosen = changed;
    return success;
}

std::mutex expected_lock; // guards the two
std::string read_from;
unsigned expected = 0;

// After the scheduler's handlers (103): what is registered later is called first.
[[gnu::constructor(104)]] void hold_choices_across_forks() {
    platform::hold_across_forks<chosen_lock>();
    platform::hold_across_forks<expected_lock>();
}

// How many workers there would be. Programs ask in their inner loops, also in the serial elision,
// which starts none: the machine's files are read only when the settings have changed.
unsigned expected_workers() {
    std::string settings = "workers";
    for (const platform::setting *one :
         {&scheduler::variables::workers, &platform::variables::cpus})
        if (const char *const text = platform::value_of(*one))
            settings += std::string(" ") + one->name + "=" + text;
    const std::lock_guard guard(expected_lock);
    if (settings != read_from) {
        expected = sg_workers();
        read_from = settings;
    }
    return expected;
}

} // namespace

} // namespace saguaro::cilk

using namespace saguaro;

extern "C" {

int sg_c_set_parameter(const char *name, const char *value) {
    const std::lock_guard guard(cilk::chosen_lock);
    sg_options changed = cilk::chosen;
    unsigned long number = 0;
    const std::string_view parameter = name != nullptr ? name : "";
    if (parameter != "nworkers" && parameter != "stack size")
        return cilk::unknown;
    if (!cilk::read_number(value, number))
        return cilk::invalid;
    if (parameter == "nworkers") {
        if (number > scheduler::most_workers)
            return cilk::out_of_range;
        changed.workers = static_cast<unsigned>(number);
    } else {
        if (number < scheduler::least_stack_bytes || number > scheduler::most_stack_bytes)
            return cilk::out_of_range;
        changed.stack_bytes = number;
    }
    return cilk::start_with_changes(changed);
}

void sg_c_start(void) {
    const scheduler::held_runtime started;
}

int sg_c_is_started(void) {
    return scheduler::running() != nullptr;
}

unsigned sg_c_workers(void) {
    return scheduler::running() != nullptr ? sg_workers() : cilk::expected_workers();
}
}
