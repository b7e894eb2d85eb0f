// SPDX-License-Identifier: MIT
// What the reductions share: elements are combined from left to right, ((a0 op a1) op a2) ..., in
// the order of the ranks. So a result has the same bits in every run, at every rank and with every
// root.
#pragma once

#include "detmpi/core/collectives/collective.hpp"
#include "detmpi/core/operators.hpp"

namespace saguaro::detmpi {

class reduction_of {
public:
    // 0, or the class of what is wrong with the arguments.
    int check(std::int64_t count, datatype type, op which);

    std::int64_t count() const { return count_; }
    const datatype_object &type() const { return *type_; }
    typed_buffer at(const void *base) const { return elements(base, 0, count_, *type_); }

    // Combines the elements of all ranks, which the others send here, into `result`, which may be
    // `own`: this rank's.
    void combine_all(collective &all, const void *own, void *result) const;

    // right = left op right.
    void combine(const void *left, void *right) const {
        reduce_elements(which_, number_, left, right, count_);
    }

private:
    std::int64_t count_ = 0;
    datatype number_ = datatype::null;
    op which_ = op::null;
    const datatype_object *type_ = nullptr;
};

} // namespace saguaro::detmpi
