// SPDX-License-Identifier: MIT
// The table of info objects and the functions that read and change them.
#include "mpi/core/info/info.hpp"

#include "mpi/core/info/functions.hpp"
#include "mpi/core/interface/constants.hpp"
#include "mpi/core/objects/objects.hpp"
#include "mpi/core/process/process.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace saguaro::mpi {

namespace {

// The table is no part of `process`, because programs use info objects before MPI_Init.
std::mutex guard;

object_table<info, info_list> &table() {
    static auto &made = *new object_table<info, info_list>; // for what runs at exit, too
    return made;
}

// MPI_INFO_ENV, which is the same from its first use on.
info_list &environment() {
    static auto &made = *new info_list([] {
        info_list list = describe_process(0, nullptr);
        if (process::mine != nullptr)
            set_value(list, "maxprocs", std::to_string(rank::mine->size()));
        return list;
    }());
    return made;
}

// Null if there is none.
info_list *find(info which) {
    return which == info::env ? &environment() : table().find(which);
}

// Keys and values are shorter than the constants, which count the final 0.
int check_key(const char *key) {
    const std::size_t length = strnlen(key, abi::max_info_key);
    return length == 0 || length >= abi::max_info_key ? abi::err_info_key : abi::success;
}

// What a reader of a key does: looks the object and the key up, and calls act(value) with null if
// the key has no value.
template <class Act>
int with_value(info of, const char *key, Act act) {
    const std::lock_guard hold(guard);
    const info_list *const list = find(of);
    if (list == nullptr)
        return abi::err_info;
    if (const int error = check_key(key))
        return error;
    return act(find_value(*list, key));
}

} // namespace

const std::string *find_value(const info_list &in, std::string_view key) {
    const auto at =
        std::find_if(in.begin(), in.end(), [&](const auto &e) { return e.first == key; });
    return at != in.end() ? &at->second : nullptr;
}

void set_value(info_list &in, std::string_view key, std::string_view value) {
    for (auto &[name, old] : in)
        if (name == key) {
            old = value;
            return;
        }
    in.emplace_back(key, value);
}

int read_info(info which, info_list &out) {
    out.clear();
    if (which == info::null)
        return abi::success;
    const std::lock_guard hold(guard);
    const info_list *const list = find(which);
    if (list == nullptr)
        return abi::err_info;
    out = *list;
    return abi::success;
}

info make_info(info_list list) {
    const std::lock_guard hold(guard);
    return table().add(std::move(list));
}

std::size_t live_infos() {
    const std::lock_guard hold(guard);
    return table().live();
}

namespace core {

int info_create(info *out) {
    *out = make_info({});
    return abi::success;
}

int info_create_env(int argc, char **argv, info *out) {
    *out = make_info(describe_process(argc, argv));
    return abi::success;
}

int info_dup(info from, info *out) {
    info_list list;
    const int error = from == info::null ? abi::err_info : read_info(from, list);
    if (error == abi::success)
        *out = make_info(std::move(list));
    return error;
}

int info_free(info *which) {
    const std::lock_guard hold(guard);
    if (table().find(*which) == nullptr)
        return abi::err_info;
    table().remove(*which);
    *which = info::null;
    return abi::success;
}

int info_set(info which, const char *key, const char *value) {
    const std::lock_guard hold(guard);
    info_list *const list = table().find(which);
    if (list == nullptr)
        return abi::err_info;
    if (const int error = check_key(key))
        return error;
    if (strnlen(value, abi::max_info_val) >= abi::max_info_val)
        return abi::err_info_value;
    set_value(*list, key, value);
    return abi::success;
}

int info_delete(info which, const char *key) {
    const std::lock_guard hold(guard);
    info_list *const list = table().find(which);
    if (list == nullptr)
        return abi::err_info;
    if (const int error = check_key(key))
        return error;
    const auto is_it = [&](const auto &each) { return each.first == key; };
    return std::erase_if(*list, is_it) != 0 ? abi::success : abi::err_info_nokey;
}

int info_get_string(info of, const char *key, int *length, char *value, int *flag) {
    if (*length < 0 || (*length > 0 && value == nullptr))
        return abi::err_arg;
    return with_value(of, key, [&](const std::string *found) {
        *flag = found != nullptr ? 1 : 0;
        if (found == nullptr)
            return abi::success;
        if (*length > 0) {
            const std::size_t kept = std::min(found->size(), static_cast<std::size_t>(*length) - 1);
            std::memcpy(value, found->data(), kept);
            value[kept] = '\0';
        }
        *length = static_cast<int>(found->size()) + 1;
        return abi::success;
    });
}

int info_get(info of, const char *key, int length, char *value, int *flag) {
    if (length < 0 || value == nullptr)
        return abi::err_arg;
    return with_value(of, key, [&](const std::string *found) {
        *flag = found != nullptr ? 1 : 0;
        if (found == nullptr)
            return abi::success;
        const std::size_t kept = std::min(found->size(), static_cast<std::size_t>(length));
        std::memcpy(value, found->data(), kept);
        value[kept] = '\0';
        return abi::success;
    });
}

int info_get_valuelen(info of, const char *key, int *length, int *flag) {
    return with_value(of, key, [&](const std::string *found) {
        *flag = found != nullptr ? 1 : 0;
        if (found != nullptr)
            *length = static_cast<int>(found->size());
        return abi::success;
    });
}

int info_get_nkeys(info of, int *count) {
    const std::lock_guard hold(guard);
    const info_list *const list = find(of);
    if (list == nullptr)
        return abi::err_info;
    *count = static_cast<int>(list->size());
    return abi::success;
}

int info_get_nthkey(info of, int n, char *key) {
    const std::lock_guard hold(guard);
    const info_list *const list = find(of);
    if (list == nullptr)
        return abi::err_info;
    if (n < 0 || static_cast<std::size_t>(n) >= list->size())
        return abi::err_arg;
    const std::string &found = (*list)[static_cast<std::size_t>(n)].first;
    std::memcpy(key, found.c_str(), found.size() + 1);
    return abi::success;
}

} // namespace core

} // namespace saguaro::mpi
