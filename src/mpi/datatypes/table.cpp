// SPDX-License-Identifier: MIT
// Adding, committing, naming and freeing the datatypes of one rank.
#include "mpi/datatypes/table.hpp"

#include "mpi/core/interface/constants.hpp"
#include "mpi/datatypes/fortran.hpp"
#include "mpi/datatypes/predefined.hpp"

#include <utility>

namespace saguaro::mpi {
namespace {

// MPI_MAX_OBJECT_NAME of the standard ABI and of MPICH, less the final 0.
constexpr std::size_t longest_name = 127;

} // namespace

const datatype_table::entry *datatype_table::entry_of(datatype which) const {
    const std::uint32_t place = number(which) - first_dynamic;
    return place < entries_.size() && entries_[place].type ? &entries_[place] : nullptr;
}

datatype_table::entry *datatype_table::entry_of(datatype which) {
    return const_cast<entry *>(std::as_const(*this).entry_of(which));
}

const type_pointer &datatype_table::find(datatype which) const {
    if (const entry *found = entry_of(which))
        return found->type;
    return predefined_object(which);
}

datatype datatype_table::add(const type_pointer &type) {
    if (type->predefined() != datatype::null)
        return type->predefined();
    std::uint32_t place = 0;
    if (free_.empty()) {
        place = static_cast<std::uint32_t>(entries_.size());
        entries_.emplace_back();
    } else {
        place = free_.back();
        free_.pop_back();
    }
    entries_[place].type = type;
    return datatype{first_dynamic + place};
}

int datatype_table::add_f90(combiner made_by, int precision, int range, datatype *made) {
    auto [found, is_new] = f90_.try_emplace({made_by, precision, range}, datatype::null);
    if (is_new) {
        type_pointer type;
        int error = made_by == combiner::f90_real      ? type_f90_real(precision, range, &type)
                    : made_by == combiner::f90_complex ? type_f90_complex(precision, range, &type)
                                                       : type_f90_integer(range, &type);
        if (error) {
            f90_.erase(found);
            return error;
        }
        found->second = add(type);
        entry *of_it = entry_of(found->second);
        of_it->committed = of_it->permanent = true;
    }
    *made = found->second;
    return abi::success;
}

int datatype_table::commit(datatype which) {
    if (entry *found = entry_of(which))
        found->committed = true;
    else if (!predefined_object(which))
        return abi::err_type;
    return abi::success;
}

bool datatype_table::committed(datatype which) const {
    const entry *found = entry_of(which);
    return found ? found->committed : predefined_object(which) != nullptr;
}

int datatype_table::free(datatype *which) {
    if (!can_be_freed(*which))
        return abi::err_type;
    *entry_of(*which) = {};
    free_.push_back(number(*which) - first_dynamic);
    *which = datatype::null;
    return abi::success;
}

bool datatype_table::can_be_freed(datatype which) const {
    const entry *found = entry_of(which);
    return found && !found->permanent;
}

int datatype_table::set_name(datatype which, std::string_view name) {
    name = name.substr(0, longest_name);
    if (entry *found = entry_of(which))
        found->name = name;
    else if (predefined_object(which))
        predefined_names_[number(which)] = name;
    else
        return abi::err_type;
    return abi::success;
}

std::string_view datatype_table::name_of(datatype which) const {
    if (const entry *found = entry_of(which))
        return found->name;
    if (auto set = predefined_names_.find(number(which)); set != predefined_names_.end())
        return set->second;
    const predefined_type *row = find_predefined(which);
    return row ? row->name : "";
}

std::int64_t datatype_table::in_use() const {
    return static_cast<std::int64_t>(entries_.size() - free_.size() - f90_.size());
}

} // namespace saguaro::mpi
