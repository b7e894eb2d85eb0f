// SPDX-License-Identifier: MIT
// The record of a constructor's call, which MPI_Type_get_contents shows.
#pragma once

#include "mpi/core/interface/constants.hpp"
#include "mpi/datatypes/composition.hpp"
#include "mpi/datatypes/constructors.hpp"
#include "mpi/datatypes/datatype.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace saguaro::mpi {

// Takes arguments in the order of the standard's table of contents. `count` is what is an int in a
// plain call and an MPI_Count in one of _c; `address` what is an MPI_Aint or an MPI_Count;
// `integer` what is an int in both.
class call_record {
public:
    call_record(combiner made_by, call_form form) : form_(form) { made_.made_by = made_by; }

    void add_integer(int value) { add(argument::integer, value); }
    void add_integers(const int *values, std::int64_t count);
    void add_count(std::int64_t value) { add(argument::count, value); }
    void add_counts(const std::int64_t *values, std::int64_t count);
    void add_address(std::int64_t value) { add(argument::address, value); }
    void add_addresses(const std::int64_t *values, std::int64_t count);
    void add_type(const type_pointer &type) { made_.types.push_back(type); }

    contents finish();

private:
    enum class argument : std::uint8_t { integer, count, address };
    void add(argument what, std::int64_t value);

    contents made_;
    call_form form_;
    std::vector<std::int64_t> values_;
    std::vector<argument> kinds_;
};

// The new type.
int finish(composition &&made_of, call_record &&record, type_pointer *made,
           basic_group group = basic_group::none);

} // namespace saguaro::mpi
