// SPDX-License-Identifier: MIT
// The rule that all reductions follow: elements are combined from left to right, ((a0 op a1) op a2)
// ..., in the order of the ranks. So a result has the same bits in every run, at every rank and
// with every root. Or, by detmpiexec -reduce invariant, in a way that depends on no order
// (../invariant.hpp).
#pragma once

#include "mpi/core/collectives/collective.hpp"
#include "mpi/core/operators/operators.hpp"

#include <utility>
#include <vector>

namespace saguaro::mpi {

class reduction_of {
public:
    // 0, or the class of what is wrong with the arguments.
    int check(std::int64_t count, datatype type, op which) {
        count_ = count;
        return count < 0 ? abi::err_count : operator_.bind(which, type);
    }

    // The same of the buffer of a rank that has one alone, and of where it has its own elements and
    // gets the result.
    int check_one(const void *buffer) const { return check_memory(at(buffer)); }
    int check_buffers(const void *sent, const void *received) const {
        if (const int error = check_memory(at(received)))
            return error;
        if (is_in_place(sent))
            return abi::success;
        const int error = check_one(sent);
        return error != 0 ? error : check_distinct(at(sent), at(received));
    }

    std::int64_t count() const { return count_; }
    const datatype_object &type() const { return operator_.type(); }
    typed_buffer at(const void *base) const { return elements(base, 0, count_, type()); }

    // Combines the elements of the first `ranks` peers, which the others send here; this rank's are
    // `own`. take(elements) gets what comes out.
    template <class Take>
    void combine(collective &all, int ranks, const void *own, Take take) const;

    // right = left op right.
    void combine(const void *left, void *right) const { operator_.reduce(left, right, count_); }

    // Combines a value of each rank: the last one becomes the result.
    void combine_all(std::vector<scratch> &values) const;

    // The result cannot be had from results for fewer ranks.
    bool needs_all_values() const { return operator_.needs_all_values(); }

private:
    std::int64_t count_ = 0;
    bound_operator operator_;
};

template <class Take>
void reduction_of::combine(collective &all, int ranks, const void *own, Take take) const {
    const auto get = [&](int from, void *value) {
        if (!all.on().is_inter() && from == all.me())
            copy_elements(at(own), at(value));
        else
            all.receive(from, at(value));
    };
    if (needs_all_values()) {
        std::vector<scratch> values;
        for (int r = 0; r < ranks; ++r)
            get(r, values.emplace_back(count_, type()).base());
        combine_all(values);
        take(values.back().base());
        return;
    }
    scratch first(count_, type());
    scratch second(count_, type());
    char *left = first.base();
    char *right = second.base();
    for (int r = 0; r < ranks; ++r) {
        get(r, right);
        if (r != 0)
            combine(left, right);
        std::swap(left, right);
    }
    take(left);
}

} // namespace saguaro::mpi
