// SPDX-License-Identifier: MIT
// Collecting the arguments of a constructor's call for MPI_Type_get_contents.
#include "mpi/datatypes/record.hpp"

#include <algorithm>
#include <limits>

namespace saguaro::mpi {
namespace {

bool is_int(std::int64_t value) {
    return value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
}

} // namespace

void call_record::add(argument what, std::int64_t value) {
    values_.push_back(value);
    kinds_.push_back(what);
}

void call_record::add_integers(const int *values, std::int64_t count) {
    for (std::int64_t i = 0; i != count; ++i)
        add_integer(values[i]);
}

void call_record::add_counts(const std::int64_t *values, std::int64_t count) {
    for (std::int64_t i = 0; i != count; ++i)
        add_count(values[i]);
}

void call_record::add_addresses(const std::int64_t *values, std::int64_t count) {
    for (std::int64_t i = 0; i != count; ++i)
        add_address(values[i]);
}

contents call_record::finish() {
    for (std::size_t i = 0; i != values_.size(); ++i)
        if (kinds_[i] == argument::count && !is_int(values_[i]))
            form_ = call_form::large;
    for (std::size_t i = 0; i != values_.size(); ++i) {
        const bool large = form_ == call_form::large && kinds_[i] != argument::integer;
        if (large)
            made_.counts.push_back(values_[i]);
        else if (kinds_[i] == argument::address)
            made_.addresses.push_back(values_[i]);
        else
            made_.integers.push_back(static_cast<int>(values_[i]));
    }
    return std::move(made_);
}

int finish(composition &&made_of, call_record &&record, type_pointer *made, basic_group group) {
    *made = std::make_shared<const datatype_object>(std::move(made_of), record.finish(), group);
    return abi::success;
}

} // namespace saguaro::mpi
