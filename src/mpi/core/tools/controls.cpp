// SPDX-License-Identifier: MIT
// Control variables: what was set when the job began.
#include "mpi/core/tools/functions.hpp"
#include "mpi/core/tools/handles.hpp"
#include "mpi/core/tools/interface.hpp"
#include "mpi/core/tools/variables.hpp"

#include <cstring>
#include <memory>
#include <set>

namespace saguaro::mpi {

namespace tools {

namespace {

struct control_handle {
    const control_row *of;
};

std::set<std::unique_ptr<control_handle>> &open_handles() {
    static auto &made = *new std::set<std::unique_ptr<control_handle>>;
    return made;
}

auto find_handle(const void *handle) {
    auto &all = open_handles();
    auto found = all.begin();
    while (found != all.end() && found->get() != handle)
        ++found;
    return found;
}

const control_row *row_at(int index) {
    return index >= 0 && static_cast<std::size_t>(index) < controls().size()
               ? &controls()[static_cast<std::size_t>(index)]
               : nullptr;
}

} // namespace

void forget_control_handles() {
    open_handles().clear();
}

} // namespace tools

namespace core {

using namespace tools;

int t_cvar_get_num(int *count) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    *count = static_cast<int>(controls().size());
    return abi::success;
}

int t_cvar_get_index(const char *name, int *index) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    for (std::size_t i = 0; i < controls().size(); ++i)
        if (std::strcmp(controls()[i].name, name) == 0) {
            *index = static_cast<int>(i);
            return abi::success;
        }
    return abi::t_err_invalid_name;
}

int t_cvar_get_info(int index, char *name, int *name_len, int *verbosity, datatype *type,
                    void **enumtype, char *desc, int *desc_len, int *bind, int *scope) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    const control_row *const row = row_at(index);
    if (row == nullptr)
        return abi::t_err_invalid_index;
    tools::say(row->name, name, name_len);
    tools::say(row->meaning, desc, desc_len);
    put(verbosity, abi::t_verbosity_user_basic);
    put(type, row->is_string() ? datatype::char_ : datatype::int_);
    put(enumtype, static_cast<void *>(nullptr));
    put(bind, abi::t_bind_no_object);
    put(scope, row->is_string() ? abi::t_scope_readonly : abi::t_scope_constant);
    return abi::success;
}

int t_cvar_handle_alloc(int index, void *, void **handle, int *count) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    const control_row *const row = row_at(index);
    if (row == nullptr)
        return abi::t_err_invalid_index;
    *handle = open_handles().insert(std::make_unique<control_handle>(row)).first->get();
    *count = row->is_string() ? static_cast<int>(setting(*row).size()) + 1 : 1;
    return abi::success;
}

int t_cvar_handle_free(void **handle) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    const auto found = find_handle(*handle);
    if (found == open_handles().end())
        return abi::t_err_invalid_handle;
    open_handles().erase(found);
    *handle = nullptr;
    return abi::success;
}

int t_cvar_read(void *handle, void *buffer) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    const auto found = find_handle(handle);
    if (found == open_handles().end())
        return abi::t_err_invalid_handle;
    if (buffer == nullptr)
        return abi::t_err_invalid;
    const control_row &row = *(*found)->of;
    if (row.is_string())
        std::memcpy(buffer, setting(row).c_str(), setting(row).size() + 1);
    else
        std::memcpy(buffer, &row.constant, sizeof(row.constant));
    return abi::success;
}

int t_cvar_write(void *handle, const void *) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    return find_handle(handle) == open_handles().end() ? abi::t_err_invalid_handle
                                                       : abi::t_err_cvar_set_never;
}

} // namespace core

} // namespace saguaro::mpi
