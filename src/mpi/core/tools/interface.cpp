// SPDX-License-Identifier: MIT
// Beginning and ending MPI_T; categories and enumerations; the events, of which there are none.
#include "mpi/core/tools/interface.hpp"

#include "mpi/core/tools/functions.hpp"
#include "mpi/core/tools/handles.hpp"
#include "mpi/core/tools/variables.hpp"

#include <algorithm>
#include <cstring>

namespace saguaro::mpi {

namespace tools {

namespace {

std::mutex guard;
int users = 0; // calls of MPI_T_init_thread without their MPI_T_finalize

} // namespace

entry::entry() : hold_(guard) {}

int entry::error() const {
    return users > 0 ? abi::success : abi::t_err_not_initialized;
}

void say(std::string_view text, char *to, int *length) {
    if (length == nullptr)
        return;
    if (to != nullptr && *length > 0) {
        const std::size_t kept = std::min(text.size(), static_cast<std::size_t>(*length) - 1);
        std::memcpy(to, text.data(), kept);
        to[kept] = '\0';
    }
    *length = static_cast<int>(text.size()) + 1;
}

namespace {

// Null if there is none.
template <class row>
const row *at(std::span<const row> all, int index) {
    return index >= 0 && static_cast<std::size_t>(index) < all.size()
               ? &all[static_cast<std::size_t>(index)]
               : nullptr;
}

template <class row>
int find_name(std::span<const row> all, const char *name, int *index) {
    for (std::size_t i = 0; i < all.size(); ++i)
        if (std::strcmp(all[i].name, name) == 0) {
            *index = static_cast<int>(i);
            return abi::success;
        }
    return abi::t_err_invalid_name;
}

// Stores the places of those in a category, as many as there is room for. How many there are.
template <class row>
int list(std::span<const row> all, int of, int room, int *to) {
    int found = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (static_cast<int>(all[i].in) == of && found++ < room)
            to[found - 1] = static_cast<int>(i);
    return found;
}

int list_categories(int of, int room, int *to) {
    int found = 0;
    const auto all = categories();
    for (std::size_t i = 1; i < all.size(); ++i) // the first one is its own parent
        if (static_cast<int>(all[i].parent) == of && found++ < room)
            to[found - 1] = static_cast<int>(i);
    return found;
}

// The error of a function that stores `length` indices of a category.
int check_list(const entry &inside, int of, int length, const int *to) {
    if (const int error = inside.error())
        return error;
    if (at(categories(), of) == nullptr)
        return abi::t_err_invalid_index;
    return length < 0 || (length > 0 && to == nullptr) ? abi::t_err_invalid : abi::success;
}

// Stores them by `store`, if the arguments are right.
template <class Store>
int store_list(int of, int length, const int *to, Store store) {
    const entry inside;
    const int error = check_list(inside, of, length, to);
    if (error == 0)
        store();
    return error;
}

const enumeration *find_enumeration(const void *handle) {
    for (const performance_row &each : performances())
        if (each.names != nullptr && each.names == handle)
            return each.names;
    return nullptr;
}

// There are no events and no sources of them, so nothing can be a handle or an index of one.
int no_event(int error) {
    const entry inside;
    return inside.error() != 0 ? inside.error() : error;
}

int no_events(int *count) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    *count = 0;
    return abi::success;
}

} // namespace

} // namespace tools

namespace core {

using namespace tools;

int t_init_thread(int required, int *provided) {
    const entry inside;
    ++users;
    // A rank counts without a lock, so tools must not read while it works.
    put(provided, std::min(required, abi::thread_serialized));
    return abi::success;
}

int t_finalize() {
    const entry inside;
    if (const int error = inside.error())
        return error;
    if (--users == 0)
        forget_handles();
    return abi::success;
}

int t_category_changed(int *update_number) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    *update_number = 0; // they are the same all the time
    return abi::success;
}

int t_category_get_num(int *count) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    *count = static_cast<int>(categories().size());
    return abi::success;
}

int t_category_get_index(const char *name, int *index) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    return find_name(categories(), name, index);
}

int t_category_get_info(int of, char *name, int *name_len, char *desc, int *desc_len,
                        int *num_cvars, int *num_pvars, int *num_categories) {
    const entry inside;
    if (const int error = check_list(inside, of, 0, nullptr))
        return error;
    const category_row &row = *at(categories(), of);
    tools::say(row.name, name, name_len);
    tools::say(row.meaning, desc, desc_len);
    put(num_cvars, list(controls(), of, 0, nullptr));
    put(num_pvars, list(performances(), of, 0, nullptr));
    put(num_categories, list_categories(of, 0, nullptr));
    return abi::success;
}

int t_category_get_cvars(int of, int length, int *indices) {
    return store_list(of, length, indices, [&] { list(controls(), of, length, indices); });
}

int t_category_get_pvars(int of, int length, int *indices) {
    return store_list(of, length, indices, [&] { list(performances(), of, length, indices); });
}

int t_category_get_categories(int of, int length, int *indices) {
    return store_list(of, length, indices, [&] { list_categories(of, length, indices); });
}

int t_category_get_events(int of, int length, int *indices) {
    const entry inside;
    return check_list(inside, of, length, indices);
}

int t_category_get_num_events(int of, int *count) {
    const entry inside;
    if (const int error = check_list(inside, of, 0, nullptr))
        return error;
    *count = 0;
    return abi::success;
}

int t_enum_get_info(void *handle, int *count, char *name, int *name_len) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    const enumeration *const found = find_enumeration(handle);
    if (found == nullptr)
        return abi::t_err_invalid_handle;
    put(count, static_cast<int>(found->items.size()));
    tools::say(found->name, name, name_len);
    return abi::success;
}

int t_enum_get_item(void *handle, int index, int *value, char *name, int *name_len) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    const enumeration *const found = find_enumeration(handle);
    if (found == nullptr)
        return abi::t_err_invalid_handle;
    if (index < 0 || static_cast<std::size_t>(index) >= found->items.size())
        return abi::t_err_invalid_index;
    put(value, index);
    tools::say(found->items[static_cast<std::size_t>(index)], name, name_len);
    return abi::success;
}

// ---- Events ----

int t_event_get_num(int *count) {
    return no_events(count);
}

int t_source_get_num(int *count) {
    return no_events(count);
}

int t_event_get_index(const char *, int *) {
    return no_event(abi::t_err_invalid_name);
}

int t_event_get_info(int, char *, int *, int *, datatype *, std::int64_t *, int *, void **, info *,
                     char *, int *, int *) {
    return no_event(abi::t_err_invalid_index);
}

int t_event_handle_alloc(int, void *, info, void **) {
    return no_event(abi::t_err_invalid_index);
}

int t_source_get_info(int, char *, int *, char *, int *, int *, std::int64_t *, std::int64_t *,
                      info *) {
    return no_event(abi::t_err_invalid_index);
}

int t_source_get_timestamp(int, std::int64_t *) {
    return no_event(abi::t_err_invalid_index);
}

int t_event_callback_get_info(void *, int, info *) {
    return no_event(abi::t_err_invalid_handle);
}

int t_event_callback_set_info(void *, int, info) {
    return no_event(abi::t_err_invalid_handle);
}

int t_event_copy(void *, void *) {
    return no_event(abi::t_err_invalid_handle);
}

int t_event_get_source(void *, int *) {
    return no_event(abi::t_err_invalid_handle);
}

int t_event_get_timestamp(void *, std::int64_t *) {
    return no_event(abi::t_err_invalid_handle);
}

int t_event_handle_free(void *, void *, any_function) {
    return no_event(abi::t_err_invalid_handle);
}

int t_event_handle_get_info(void *, info *) {
    return no_event(abi::t_err_invalid_handle);
}

int t_event_handle_set_info(void *, info) {
    return no_event(abi::t_err_invalid_handle);
}

int t_event_read(void *, int, void *) {
    return no_event(abi::t_err_invalid_handle);
}

int t_event_register_callback(void *, int, info, void *, any_function) {
    return no_event(abi::t_err_invalid_handle);
}

int t_event_set_dropped_handler(void *, any_function) {
    return no_event(abi::t_err_invalid_handle);
}

} // namespace core

} // namespace saguaro::mpi
