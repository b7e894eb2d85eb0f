// SPDX-License-Identifier: MIT
// The datatypes of a rank by their handles, with what belongs to the handle and not to the type:
// its name, and whether it is committed. The caller sees to it that one thread uses a table at a
// time.
#pragma once

#include "mpi/core/interface/handles.hpp"
#include "mpi/datatypes/datatype.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace saguaro::mpi {

class datatype_table {
public:
    // The type of a handle; null if there is none: MPI_DATATYPE_NULL, freed, or never given out.
    // The reference is good until the table changes. It costs two loads.
    const type_pointer &find(datatype which) const;

    // A handle for a type: a predefined type's own number, else a new one, which is not committed.
    // MPI_Type_get_contents makes its handles in this way, too.
    datatype add(const type_pointer &type);

    // MPI_Type_create_f90_real and so on: `made_by` says which; f90_integer has no precision. It is
    // one of combiner::f90_..., and the handle is the same for the same arguments. err_arg: no such
    // kind.
    int add_f90(combiner made_by, int precision, int range, datatype *made);

    // The functions below return err_type if the handle is not of a type.

    // MPI_Type_commit. A committed or predefined type stays as it is.
    int commit(datatype which);
    // Whether messages may use it.
    bool committed(datatype which) const;

    // MPI_Type_free: *which becomes null. A predefined type and one of add_f90() cannot be
    // freed: err_type.
    int free(datatype *which);
    bool can_be_freed(datatype which) const;

    // A predefined type has a name from the start. set_name() cuts it to MPI_MAX_OBJECT_NAME - 1
    // characters. name_of() is empty if there is no name.
    int set_name(datatype which, std::string_view name);
    std::string_view name_of(datatype which) const;

    // How many handles are not freed, those that cannot be left out.
    std::int64_t in_use() const;

private:
    struct entry {
        type_pointer type;
        bool committed = false;
        bool permanent = false; // of add_f90()
        std::string name;
    };
    const entry *entry_of(datatype which) const;
    entry *entry_of(datatype which);

    std::vector<entry> entries_; // by number, from first_dynamic on
    std::vector<std::uint32_t> free_;
    std::map<std::tuple<combiner, int, int>, datatype> f90_;
    std::unordered_map<std::uint32_t, std::string> predefined_names_; // that were set
};

} // namespace saguaro::mpi
