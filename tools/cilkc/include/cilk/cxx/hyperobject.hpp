// SPDX-License-Identifier: MIT
// The hyperobjects of OpenCilk 1 and Cilk Plus by their functions: what <cilk/hyperobject_base.h>
// is in C++.
//
//     struct sum : __cilkrts_hyperobject_base { long first; };
//     sum s = ...;                        the functions, where `first` lies, its size
//     __cilkrts_hyper_create(&s);
//     ... in parallel: *static_cast<long *>(__cilkrts_hyper_lookup(&s)) += x;
//     __cilkrts_hyper_destroy(&s);        after the sync: s.first is the sum
//
// C++11.
#pragma once

#pragma GCC system_header

#include <saguaro/reducer.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <stdint.h>

struct __cilkrts_hyperobject_base;

// The first argument is the hyperobject.
typedef void (*cilk_reduce_fn_t)(void *hyper, void *left, void *right);
typedef void (*cilk_identity_fn_t)(void *hyper, void *view);
typedef void (*cilk_destroy_fn_t)(void *hyper, void *view);
typedef void *(*cilk_allocate_fn_t)(__cilkrts_hyperobject_base *hyper, std::size_t bytes);
typedef void (*cilk_deallocate_fn_t)(__cilkrts_hyperobject_base *hyper, void *view);

// left = left * right; a view's first value in raw memory; its end, also after a reduction; its
// memory. Null for the last three: no end, and memory from malloc.
struct cilk_c_monoid {
    cilk_reduce_fn_t reduce_fn;
    cilk_identity_fn_t identity_fn;
    cilk_destroy_fn_t destroy_fn;
    cilk_allocate_fn_t allocate_fn;
    cilk_deallocate_fn_t deallocate_fn;
};

// An aggregate. Programs give the first fields; the last two are the runtime's.
struct __cilkrts_hyperobject_base {
    cilk_c_monoid __c_monoid;
    unsigned long __id_num;       // means nothing here
    std::ptrdiff_t __view_offset; // from here to the view that is first in the serial order
    std::size_t __view_size;
    sg_reducer __reducer;
    sg_monoid __functions;
};

inline void *__cilkrts_hyper_alloc(__cilkrts_hyperobject_base *, std::size_t bytes) {
    return std::malloc(bytes);
}
inline void __cilkrts_hyper_dealloc(__cilkrts_hyperobject_base *, void *view) {
    std::free(view);
}
inline void __cilkrts_hyperobject_noop_destroy(void *, void *) {}

namespace cilk {

namespace internal {

// The runtime's views are pointers: the first one to the program's variable, the others to memory
// of their own.
struct hyperobject_views {
    typedef __cilkrts_hyperobject_base base;

    static base &of(void *hyper) { return *static_cast<base *>(hyper); }
    static void *&target(void *view) { return *static_cast<void **>(view); }
    static void *first(base &h) {
        char *place = reinterpret_cast<char *>(&h) + h.__view_offset;
        // It may lie in another object, of which a compiler would not think that an address which
        // begins in this one leads to it.
        __asm__("" : "+r"(place));
        return place;
    }

    static void make_first(void *view, void *hyper) { target(view) = first(of(hyper)); }
    static void make(void *view, void *hyper) {
        base &h = of(hyper);
        void *const memory = h.__c_monoid.allocate_fn != nullptr
                                 ? h.__c_monoid.allocate_fn(&h, h.__view_size)
                                 : std::malloc(h.__view_size);
        if (memory == nullptr)
            std::abort();
        h.__c_monoid.identity_fn(&h, memory);
        target(view) = memory;
    }
    static void reduce(void *left, void *right, void *hyper) {
        of(hyper).__c_monoid.reduce_fn(hyper, target(left), target(right));
    }
    static void destroy(void *view, void *hyper) {
        base &h = of(hyper);
        void *const memory = target(view);
        if (memory == first(h))
            return;
        if (h.__c_monoid.destroy_fn != nullptr)
            h.__c_monoid.destroy_fn(&h, memory);
        if (h.__c_monoid.deallocate_fn != nullptr)
            h.__c_monoid.deallocate_fn(&h, memory);
        else
            std::free(memory);
    }
};

} // namespace internal

} // namespace cilk

// Makes the variable a reducer. Ends the program if there is no memory.
inline void __cilkrts_hyper_create(__cilkrts_hyperobject_base *hyper) {
    typedef cilk::internal::hyperobject_views views;
    const sg_monoid functions = {&views::make,    &views::reduce, &views::destroy, sizeof(void *),
                                 alignof(void *), hyper,          nullptr};
    hyper->__functions = functions;
    if (sg_reducer_create_with(&hyper->__reducer, &hyper->__functions, &views::make_first, hyper) !=
        0)
        std::abort();
}

// Makes it a plain variable again, which has the serial program's value.
inline void __cilkrts_hyper_destroy(__cilkrts_hyperobject_base *hyper) {
    sg_reducer_destroy(&hyper->__reducer);
}

// The strand's view; good until the next spawn, sync, or call that contains one.
inline void *__cilkrts_hyper_lookup(__cilkrts_hyperobject_base *hyper) {
    return *static_cast<void **>(sg_reducer_view(&hyper->__reducer));
}
