// SPDX-License-Identifier: MIT
// How data look in a file: as in memory ("native", "internal"), in external32, or as functions of
// the program make them.
#pragma once

#include "mpi/core/interface/callbacks.hpp"
#include "mpi/core/requests/requests.hpp"
#include "mpi/datatypes/datatype.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace saguaro::mpi {

struct representation {
    enum class form { memory, external32, program };

    std::string name;
    form what = form::memory;
    // What a program has registered.
    data_conversion read{};
    data_conversion write{};
    data_extent extent{};
    void *extra_state = nullptr;

    // Whether bytes go into the file as they are. What a program has registered may convert in one
    // direction only.
    bool reads_as_is() const {
        return what == form::memory || (what == form::program && read.thunk == nullptr);
    }
    bool writes_as_is() const {
        return what == form::memory || (what == form::program && write.thunk == nullptr);
    }
};

// Elements of the program's memory that are converted, and what of their type the conversion needs.
struct converted_buffer {
    typed_buffer memory;
    datatype type;             // which functions of the program get
    std::int64_t size_in_file; // of an element
};

// The type with the basic types as large as they are in the file. Displacements in bytes stay.
int file_form(const representation &how, const type_pointer &of, type_pointer *made);

// So many elements from element `first` on.
typed_buffer elements_of(const typed_buffer &all, std::int64_t first, std::int64_t count);

// Elements to their bytes in the file, and back. Of the elements `bytes` were read: what is whole
// comes to memory, *done bytes.
int to_file(const representation &how, const converted_buffer &from, std::int64_t first,
            std::int64_t count, char *to);
int from_file(const representation &how, const converted_buffer &to, std::int64_t first,
              std::int64_t count, char *from, std::int64_t bytes, std::int64_t *done);

// The representations that the program has registered, and those that are always there. Null: of no
// such name.
class representation_table {
public:
    const representation *find(const char *name) const;
    // err_dup_datarep: there is one of this name.
    int add(representation made);

private:
    std::vector<std::unique_ptr<const representation>> registered_;
};

} // namespace saguaro::mpi
