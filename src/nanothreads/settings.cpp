// SPDX-License-Identifier: MIT
// Reading the settings of nano-threads from the environment.
#include "nanothreads/settings.hpp"

#include "scheduler/settings.hpp"

namespace saguaro::nanothreads {

void settings::set_processors(std::size_t count) {
    processors = static_cast<unsigned>(
        platform::number_of(scheduler::variables::workers, std::to_string(count)));
}

void settings::set_stack_bytes(std::size_t bytes) {
    stack_bytes =
        static_cast<std::size_t>(platform::number_of(variables::stack_size, std::to_string(bytes)));
}

void settings::set_design(const std::string &name) {
    design = platform::choice_of(variables::design, name);
}

settings settings_from_environment() {
    const scheduler::settings of_workers = scheduler::settings_from_environment();
    return {of_workers.workers, of_workers.spin_ns, platform::choice_of(variables::design),
            static_cast<std::size_t>(platform::number_of(variables::stack_size))};
}

} // namespace saguaro::nanothreads
