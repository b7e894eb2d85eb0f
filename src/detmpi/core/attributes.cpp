// SPDX-License-Identifier: MIT
// What programs attach to communicators.
#include "detmpi/core/arguments.hpp"
#include "detmpi/core/functions.hpp"
#include "detmpi/core/process.hpp"

#include <algorithm>

namespace saguaro::detmpi {

namespace {

keyval_object *find_key(int number) {
    return process::mine->keyvals.find(static_cast<keyval>(number));
}

// A key goes with its last attribute.
void leave_key(int number) {
    if (--find_key(number)->users == 0)
        process::mine->keyvals.remove(static_cast<keyval>(number));
}

auto find_attribute(comm_object &of, int key) {
    return std::find_if(of.attributes.begin(), of.attributes.end(),
                        [key](const auto &each) { return each.first == key; });
}

int delete_attribute(comm_object &of, int key, void *value) {
    const keyval_object &k = *find_key(key);
    if (k.forget.thunk == nullptr)
        return mpi::success;
    return k.forget.thunk(k.forget.function, of.handle, key, value, k.extra_state);
}

} // namespace

int copy_attributes(comm_object &from, comm_object &to) {
    for (const auto &[key, value] : from.attributes) {
        keyval_object &k = *find_key(key);
        if (k.copy.thunk == nullptr)
            continue;
        void *copied = nullptr;
        int wanted = 0;
        if (const int error = k.copy.thunk(k.copy.function, from.handle, key, k.extra_state, value,
                                           &copied, &wanted))
            return error;
        if (wanted == 0)
            continue;
        to.attributes.emplace_back(key, copied);
        ++k.users;
    }
    return mpi::success;
}

int delete_attributes(comm_object &of) {
    while (!of.attributes.empty()) {
        const auto [key, value] = of.attributes.back();
        if (const int error = delete_attribute(of, key, value))
            return error;
        of.attributes.pop_back();
        leave_key(key);
    }
    return mpi::success;
}

namespace core {

int comm_create_keyval(attribute_copy<comm> copy, attribute_delete<comm> forget, int *key,
                       void *extra_state) {
    *key = static_cast<int>(
        number(process::mine->keyvals.add(keyval_object{copy, forget, extra_state})));
    return mpi::success;
}

int comm_free_keyval(int *key) {
    if (find_key(*key) == nullptr)
        return mpi::err_keyval;
    leave_key(*key);
    *key = mpi::keyval_invalid;
    return mpi::success;
}

int comm_set_attr(comm which, int key, void *value) {
    comm_object *const c = find(which);
    if (c == nullptr)
        return mpi::err_comm;
    keyval_object *const k = find_key(key);
    if (k == nullptr)
        return mpi::err_keyval;
    if (const auto old = find_attribute(*c, key); old != c->attributes.end()) {
        const int error = delete_attribute(*c, key, old->second);
        if (error == 0)
            old->second = value;
        return error;
    }
    c->attributes.emplace_back(key, value);
    ++k->users;
    return mpi::success;
}

int comm_delete_attr(comm which, int key) {
    comm_object *const c = find(which);
    if (c == nullptr)
        return mpi::err_comm;
    if (find_key(key) == nullptr)
        return mpi::err_keyval;
    const auto old = find_attribute(*c, key);
    if (old == c->attributes.end())
        return mpi::err_keyval;
    if (const int error = delete_attribute(*c, key, old->second))
        return error;
    c->attributes.erase(old);
    leave_key(key);
    return mpi::success;
}

int comm_get_attr(comm which, int key, void **value, int *flag) {
    comm_object *const c = find(which);
    if (c == nullptr)
        return mpi::err_comm;
    static int tag_ub = greatest_tag;
    static int host = mpi::proc_null;
    static int io = mpi::any_source;
    static int wtime_is_global = 1;
    static int appnum = 0;
    static int universe_size = 0;
    static int lastusedcode = mpi::err_lastcode;
    *flag = 1;
    universe_size = static_cast<int>(rank::mine->size());
    switch (key) {
    case mpi::tag_ub:
        *value = &tag_ub;
        return mpi::success;
    case mpi::host:
        *value = &host;
        return mpi::success;
    case mpi::io:
        *value = &io;
        return mpi::success;
    case mpi::wtime_is_global:
        *value = &wtime_is_global;
        return mpi::success;
    case mpi::appnum:
        *value = &appnum;
        return mpi::success;
    case mpi::universe_size:
        *value = &universe_size;
        return mpi::success;
    case mpi::lastusedcode:
        *value = &lastusedcode;
        return mpi::success;
    default:
        break;
    }
    if (find_key(key) == nullptr)
        return mpi::err_keyval;
    const auto found = find_attribute(*c, key);
    *flag = found != c->attributes.end() ? 1 : 0;
    if (*flag != 0)
        *value = found->second;
    return mpi::success;
}

} // namespace core

} // namespace saguaro::detmpi
