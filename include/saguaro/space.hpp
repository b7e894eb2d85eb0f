// SPDX-License-Identifier: MIT
// Spaces, for C++: spmc.h with function objects.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/exceptions.hpp"

#include <saguaro/spmc.h>

#include <concepts>
#include <memory>
#include <system_error>
#include <type_traits>

namespace saguaro {

// A process that runs a function object in a copy of the caller's memory: spmc_space_create. The
// object goes with that copy, so it may refer to the caller's variables; what it changes of them,
// it changes in its own. A handle: copy it freely; the space goes on without it.
class space {
public:
    // The function object returns the exit code, or nothing, which is 0. What it throws ends the
    // space, with a line and exit code 2. The constructor throws std::system_error
    // if the system refuses. 200 µs.
    template <class Function>
        requires std::invocable<Function &> && (!std::same_as<std::remove_cvref_t<Function>, space>)
    explicit space(Function &&function) {
        using object = std::remove_reference_t<Function>;
        const auto run = [](void *it) {
            if constexpr (std::is_void_v<std::invoke_result_t<object &>>) {
                (*static_cast<object *>(it))();
                return 0;
            } else {
                return static_cast<int>((*static_cast<object *>(it))());
            }
        };
        using plain = std::remove_const_t<object>;
        if (const int refused =
                spmc_space_create(&name_, run, const_cast<plain *>(std::addressof(function))))
            saguaro::detail::throw_error<std::system_error>(refused, std::generic_category(),
                                                            "a space");
    }

    // Returns when the space has ended with exit code 0. Otherwise the caller ends with a line.
    void wait() const { spmc_space_wait(name_, nullptr); }

    // Returns when the space has ended, and how: as waitpid tells.
    int wait_for_status() const {
        int status = 0;
        spmc_space_wait(name_, &status);
        return status;
    }

    // Ends the space, wherever it is, if the caller has begun it, and returns when it has ended:
    // spmc_space_terminate. Otherwise says a line, and returns at once.
    void terminate() const { spmc_space_terminate(name_); }

    // What it is called: spmc_space.
    spmc_space name() const { return name_; }

private:
    spmc_space name_ = 0;
};

} // namespace saguaro
