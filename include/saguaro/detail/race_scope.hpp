// SPDX-License-Identifier: MIT
// The scope of scope.hpp under the race detector: its children run at once, and are told.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/exceptions.hpp"
#include "saguaro/detail/first_error.hpp"
#include "saguaro/detail/race_calls.hpp"
#include "saguaro/detail/strand_node.hpp"

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace saguaro {

// Its promises are in scope.hpp.
class scope {
public:
    // The parent moves the closure, and the child destroys it.
    template <class F>
    SG_NOT_CHECKED void spawn(F &&f) {
        std::optional<std::decay_t<F>> kept(std::in_place, std::forward<F>(f));
        const detail::race_break until_joined; // to drop an exception comes after the sync
        SG_TRY {
            const detail::race_child here(__builtin_return_address(0), __builtin_frame_address(0));
            run(kept);
        }
        SG_CATCH_ALL {
            if (first_ == nullptr)
                first_ = detail::caught_error();
        }
    }

    SG_NOT_CHECKED void sync() {
        sg_race_sync();
        if (first_ != nullptr)
            std::rethrow_exception(std::exchange(first_, nullptr));
    }

private:
    template <class F>
    static void run(std::optional<F> &kept) {
        const detail::race_checks of_child;
        struct at_end {
            std::optional<F> &kept;
            ~at_end() { kept.reset(); }
        } const destroyed{kept};
        const detail::descend here;
        if (!here.cancelled())
            (*kept)();
    }

    std::exception_ptr first_;
    const detail::race_call here_;
};

} // namespace saguaro
