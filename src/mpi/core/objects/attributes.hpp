// SPDX-License-Identifier: MIT
// Attributes, which programs attach to communicators, datatypes and windows.
#pragma once

#include "mpi/core/interface/callbacks.hpp"
#include "mpi/core/interface/handles.hpp"

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

namespace saguaro::mpi {

// Keys and values, in the order of setting.
using attribute_list = std::vector<std::pair<int, void *>>;

// Where an object keeps its attributes: the one thing that each kind has to say. Null if the handle
// is of no object.
attribute_list *attributes_of(comm which);
attribute_list *attributes_of(datatype which);
attribute_list *attributes_of(win which);

template <class handle>
struct attribute_functions {
    attribute_copy<handle> copy;
    attribute_delete<handle> forget;
};

// A key belongs to the kind of objects that it was made for.
struct keyval_object {
    std::variant<attribute_functions<comm>, attribute_functions<datatype>, attribute_functions<win>>
        functions;
    void *extra_state;
    std::uint32_t users = 1; // the key until it is freed, attributes, and their functions' calls
    bool is_freed = false;
};

enum class keyval : std::uint32_t {};

// The functions of a key that a program has made; null if it is none of this kind of objects.
template <class handle>
attribute_functions<handle> *functions_of(int key);

// For a function that duplicates an object: the attributes of one go to the other, as their keys
// want. An error of a copy function.
template <class handle>
int copy_attributes(handle from, handle to);

// For a function that frees an object: its attributes go, the newest first. An error of a delete
// function, which says that the object must stay.
template <class handle>
int delete_attributes(handle of);

// MPI_X_get_attr of keys that a program has made.
template <class handle>
int get_attribute(handle of, int key, void **value, int *flag);

} // namespace saguaro::mpi
