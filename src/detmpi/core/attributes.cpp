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

// Tells the program that an attribute goes. Its function may change all attributes and free the
// key.
int call_delete(comm_object &of, int key, void *value) {
    keyval_object &k = *find_key(key);
    if (k.forget.thunk == nullptr)
        return mpi::success;
    ++k.users;
    const int error = k.forget.thunk(k.forget.function, of.handle, key, value, k.extra_state);
    leave_key(key);
    return error;
}

// Tells the program, and removes the attribute unless the program has done that, or refuses.
int delete_attribute(comm_object &of, int key, void *value) {
    if (const int error = call_delete(of, key, value))
        return error;
    if (const auto at = find_attribute(of, key); at != of.attributes.end()) {
        of.attributes.erase(at);
        leave_key(key);
    }
    return mpi::success;
}

} // namespace

int copy_attributes(comm_object &from, comm_object &to) {
    // The program's functions may change the attributes: those are copied that were there and stay.
    const auto before = from.attributes;
    for (const auto &each : before) {
        const int key = each.first;
        const auto at = find_attribute(from, key);
        if (at == from.attributes.end())
            continue;
        keyval_object &k = *find_key(key);
        if (k.copy.thunk == nullptr)
            continue;
        void *copied = nullptr;
        int wanted = 0;
        ++k.users; // the copy
        const int error = k.copy.thunk(k.copy.function, from.handle, key, k.extra_state, at->second,
                                       &copied, &wanted);
        if (error == 0 && wanted != 0)
            to.attributes.emplace_back(key, copied);
        else
            leave_key(key);
        if (error != 0)
            return error;
    }
    return mpi::success;
}

int delete_attributes(comm_object &of) {
    while (!of.attributes.empty()) {
        const auto [key, value] = of.attributes.back();
        if (const int error = delete_attribute(of, key, value))
            return error;
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
    keyval_object *const k = find_key(*key);
    if (k == nullptr)
        return mpi::err_keyval;
    // Through a copy of the key a program may free it again while attributes keep it: as in MPICH,
    // that is no error and does nothing.
    if (!k->is_freed) {
        k->is_freed = true;
        leave_key(*key);
    }
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
    ++k->users; // the new attribute, before the old one's function can free the key
    if (const auto old = find_attribute(*c, key); old != c->attributes.end())
        if (const int error = delete_attribute(*c, key, old->second)) {
            leave_key(key);
            return error;
        }
    c->attributes.emplace_back(key, value);
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
    return delete_attribute(*c, key, old->second);
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
