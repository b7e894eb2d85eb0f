/* SPDX-License-Identifier: MIT */
/* A reducer of a variable that lies elsewhere, as in MIT's Cilk-M: for C++ alone. */
#pragma once

#ifdef __cplusplus

#pragma GCC system_header

#include <cilk/cxx/hyperobject.hpp>
#include <cilk/reducer.h>

namespace cilk {

/* reducer_ptr<Monoid> sum(&x): *sum is the strand's view, and x has the serial program's value
 * after the sync. Copies are the same reducer, which ends with the last one. The monoid has no
 * data. */
template <class Monoid>
class reducer_ptr {
public:
    typedef typename Monoid::value_type value_type;
    typedef typename Monoid::view_type view_type;
    typedef view_type View;
    typedef Monoid monoid_type;

    reducer_ptr() : shared_(nullptr) {}
    explicit reducer_ptr(view_type *variable) : shared_(new shared(variable)) {}
    reducer_ptr(const reducer_ptr &from) : shared_(from.shared_) { share(); }
    /* What stands on the left is not looked at: programs assign to raw memory. Its reducer, if it
     * had one, stays until the program ends. */
    reducer_ptr &operator=(const reducer_ptr &from) {
        shared_ = from.shared_;
        share();
        return *this;
    }
    ~reducer_ptr() {
        /* Acquire and release: the last one comes after what the others did with the reducer. */
        if (shared_ != nullptr && __atomic_sub_fetch(&shared_->uses, 1, __ATOMIC_ACQ_REL) == 0)
            delete shared_;
    }

    view_type *view_ptr() const {
        return static_cast<view_type *>(__cilkrts_hyper_lookup(&shared_->hyper));
    }
    view_type &view_ref() const { return *view_ptr(); }
    view_type &view() const { return *view_ptr(); }
    view_type &operator*() const { return *view_ptr(); }
    view_type *operator->() const { return view_ptr(); }

private:
    struct shared {
        explicit shared(view_type *variable) : hyper(), uses(1) {
            hyper.__c_monoid.reduce_fn = &reduce;
            hyper.__c_monoid.identity_fn = &identity;
            hyper.__c_monoid.destroy_fn = &destroy;
            /* From here on the compiler counts on others that know the variable's address. */
            __asm__("" : "+r"(variable));
            hyper.__view_offset =
                reinterpret_cast<char *>(variable) - reinterpret_cast<char *>(&hyper);
            hyper.__view_size = sizeof(view_type);
            __cilkrts_hyper_create(&hyper);
        }
        ~shared() { __cilkrts_hyper_destroy(&hyper); }

        static void reduce(void *, void *left, void *right) {
            Monoid().reduce(static_cast<view_type *>(left), static_cast<view_type *>(right));
        }
        static void identity(void *, void *view) {
            Monoid().identity(static_cast<view_type *>(view));
        }
        static void destroy(void *, void *view) {
            Monoid().destroy(static_cast<view_type *>(view));
        }

        __cilkrts_hyperobject_base hyper;
        int uses;
    };

    void share() {
        /* Relaxed: whoever copies has a use of its own already. */
        if (shared_ != nullptr)
            __atomic_add_fetch(&shared_->uses, 1, __ATOMIC_RELAXED);
    }

    shared *shared_;
};

} // namespace cilk

#endif
