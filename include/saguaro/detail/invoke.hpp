// SPDX-License-Identifier: MIT
// The pair of functions of which a thief may take the second: what parallel_invoke consists of.
#pragma once

#include "saguaro/detail/exceptions.hpp"
#include "saguaro/detail/stealable.hpp"
#include "saguaro/detail/strand_node.hpp"
#include "saguaro/run.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

namespace saguaro::detail {

// The address of `object`, found where it is asked for: the compiler would otherwise keep it in a
// register for a path that is seldom taken, and save that register at each call.
template <class T>
[[gnu::always_inline]] inline const char *address_here(const T &object) {
#if defined(__x86_64__)
    const char *address;
    __asm__("lea %1, %0" : "=r"(address) : "m"(object));
    return address;
#else
    return reinterpret_cast<const char *>(std::addressof(object));
#endif
}

// The frame with the closure and the place for its result, if a thief runs it.
template <class G>
struct typed_closure {
    using value = value_of<std::invoke_result_t<G>>;

    closure_frame frame;
    std::remove_reference_t<G> *closure;
    union {
        value result;
    };

    explicit typed_closure(G &&g) : closure(std::addressof(g)) {
        frame.head.site = &site; // the thief dispatches on it
    }
    ~typed_closure() {}
    typed_closure(const typed_closure &) = delete;
    typed_closure &operator=(const typed_closure &) = delete;

    static void run(sg_deque *, sg_frame **, sg_frame *head) {
        auto *const self = reinterpret_cast<typed_closure *>(head);
        ::new (static_cast<void *>(std::addressof(self->result)))
            value(call_for_value(std::forward<G>(*self->closure)));
    }

    // Hidden, as each variable of a header: the loader would let all copies of the library in a
    // process share the first one's.
    [[gnu::visibility("hidden")]] static constexpr sg_site site{
        &sg_closure_frames, &run, 0, 0, 0, 0, 0, 0, 0, 0, nullptr, nullptr};

    // The owner's pop must ask: whether a thief has the closure. If so, all that the owner looks at
    // next was written by the thief: it is fetched while the deque is, which was too.
    [[gnu::noinline, gnu::cold]] static bool is_gone(sg_deque *deque, sg_frame **tail,
                                                     const char *self) {
        constexpr std::size_t line = 64;
        for (std::size_t at = 0; at < sizeof(typed_closure); at += line)
            __builtin_prefetch(self + at, 1);
        return frame_is_gone(deque, tail);
    }

    void drop_result() { std::destroy_at(std::addressof(result)); }

    value claim_result() {
        struct at_end {
            typed_closure &self;
            ~at_end() { self.drop_result(); }
        } const destroyed{*this};
        return std::move(result);
    }
};

template <class F, class G>
using pair_of_values =
    std::pair<value_of<std::invoke_result_t<F>>, value_of<std::invoke_result_t<G>>>;

// Like invoke_pair, and gives each function a strand of its own, a child of the running strand.
template <class F, class G>
[[gnu::noinline, gnu::cold]] pair_of_values<F, G> invoke_descendants(F &&f, G &&g);

// As invoke_pair, where its deque's `tail` is not the first free slot, or there is no worker.
template <bool told_apart, class F, class G>
[[gnu::noinline, gnu::cold]] pair_of_values<F, G> invoke_beyond(sg_deque *deque, F &&f, G &&g);

// `told_apart`: whether the functions see to their strands' nodes themselves.
template <bool told_apart = false, class F, class G>
pair_of_values<F, G> invoke_pair(F &&f, G &&g) {
    using pair = pair_of_values<F, G>;
    const sg_region_header &here = *sg_region_here();
    if constexpr (!told_apart)
        if (here.strand_node != nullptr) [[unlikely]]
            return invoke_descendants(std::forward<F>(f), std::forward<G>(g));
    sg_deque *const deque = here.deque;
    sg_frame **const tail = deque->tail;
    if (is_full(tail)) [[unlikely]]
        return invoke_beyond<told_apart>(deque, std::forward<F>(f), std::forward<G>(g));

    typed_closure<G> second(std::forward<G>(g));
    sg_frame *head = &second.frame.head;
    __asm__("" : "+r"(head)); // as below: the compiler shall not keep it
    push(deque, tail, head);
    // Undoes the push; whether the closure is gone.
    const auto pop = [&] {
        deque->tail = tail;
        if (!sg_pop(deque, tail)) [[likely]]
            return false;
        return typed_closure<G>::is_gone(deque, tail, address_here(second));
    };
    // What follows an exception of f's is out of line: g is not run, or its result is dropped.
    const auto first = [&]() -> value_of<std::invoke_result_t<F>> {
        SG_TRY {
            return call_for_value(std::forward<F>(f));
        }
        SG_CATCH_ALL {
            if (pop() && join_closure(second.frame.taken, true))
                second.drop_result();
            SG_RETHROW;
        }
    };
    auto left = first();
    if (pop()) [[unlikely]] {
        join_closure(second.frame.taken, false);
        return pair(std::move(left), second.claim_result());
    }
    // Its address is read anew: kept in a register, the register would be saved at each call.
    __asm__("" : "+m"(second.closure));
    return pair(std::move(left), call_for_value(std::forward<G>(*second.closure)));
}

template <bool told_apart, class F, class G>
pair_of_values<F, G> invoke_beyond(sg_deque *deque, F &&f, G &&g) {
    sg_frame **const tail = search_free_slot(deque);
    if (tail == nullptr)
        return saguaro::run([&]() -> pair_of_values<F, G> {
            return invoke_pair<told_apart>(std::forward<F>(f), std::forward<G>(g));
        });
    // The C clones that pushed what is below will pop it, and leave the lower bound to this one.
    struct bound {
        sg_deque *deque;
        sg_frame **before;
        ~bound() { deque->tail = before; }
    } const restored{deque, std::exchange(deque->tail, tail)};
    return invoke_pair<told_apart>(std::forward<F>(f), std::forward<G>(g));
}

template <class F, class G>
pair_of_values<F, G> invoke_descendants(F &&f, G &&g) {
    ancestor &parent = *strand_node();
    ancestor first = parent.next_child();
    ancestor second = parent.next_child();
    return invoke_pair<true>(
        [&]() -> decltype(auto) {
            const as_strand here(first);
            return std::forward<F>(f)();
        },
        [&]() -> decltype(auto) {
            const as_strand here(second);
            return std::forward<G>(g)();
        });
}

template <class... F>
using tuple_of_results = std::tuple<returned_value<std::invoke_result_t<F>>...>;

template <class F>
tuple_of_results<F> invoke_all(F &&f) {
    return tuple_of_results<F>(call_for_value(std::forward<F>(f)));
}

template <class F, class G, class... Rest>
tuple_of_results<F, G, Rest...> invoke_all(F &&f, G &&g, Rest &&...rest) {
    if constexpr (sizeof...(Rest) == 0) {
        auto [left, right] = invoke_pair(std::forward<F>(f), std::forward<G>(g));
        return tuple_of_results<F, G>(std::move(left), std::move(right));
    } else {
        auto [left, others] = invoke_pair(std::forward<F>(f), [&] {
            return invoke_all(std::forward<G>(g), std::forward<Rest>(rest)...);
        });
        return std::tuple_cat(tuple_of_results<F>(std::move(left)), std::move(others));
    }
}

} // namespace saguaro::detail
