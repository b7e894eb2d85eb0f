// SPDX-License-Identifier: MIT
// Creating keys, and setting, copying and deleting the attributes of objects.
#include "mpi/core/objects/attributes.hpp"

#include "mpi/core/errors/errors.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/objects/kinds.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/variables.hpp"
#include "platform/settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace saguaro::mpi {

attribute_list *attributes_of(comm which) {
    comm_object *const c = find(which);
    return c != nullptr ? &c->attributes : nullptr;
}

attribute_list *attributes_of(datatype which) {
    return find_type(which) != nullptr ? &process::mine->type_attributes[which] : nullptr;
}

attribute_list *attributes_of(win which) {
    win_object *const w = find(which);
    return w != nullptr ? &w->attributes : nullptr;
}

namespace {

keyval_object *find_key(int number) {
    return process::mine->keyvals.find(static_cast<keyval>(number));
}

// A key that is not of this kind is none.
template <class handle>
keyval_object *find_key_of(int number) {
    keyval_object *const k = find_key(number);
    return k != nullptr && std::holds_alternative<attribute_functions<handle>>(k->functions)
               ? k
               : nullptr;
}

} // namespace

template <class handle>
attribute_functions<handle> *functions_of(int key) {
    keyval_object *const k = find_key_of<handle>(key);
    return k != nullptr ? &std::get<attribute_functions<handle>>(k->functions) : nullptr;
}

template attribute_functions<comm> *functions_of(int);
template attribute_functions<datatype> *functions_of(int);
template attribute_functions<win> *functions_of(int);

namespace {

// A key goes with its last attribute.
void leave_key(int number) {
    if (--find_key(number)->users == 0)
        process::mine->keyvals.remove(static_cast<keyval>(number));
}

auto find_attribute(attribute_list &in, int key) {
    return std::find_if(in.begin(), in.end(),
                        [key](const auto &each) { return each.first == key; });
}

// Tells the program that an attribute goes. Its function may change all attributes and free the
// key.
template <class handle>
int call_delete(handle of, int key, void *value) {
    keyval_object &k = *find_key(key);
    const auto forget = std::get<attribute_functions<handle>>(k.functions).forget;
    if (forget.thunk == nullptr)
        return abi::success;
    ++k.users;
    const int error = forget.thunk(forget.function, of, key, value, k.extra_state);
    leave_key(key);
    return error;
}

// Tells the program, and removes the attribute unless the program has done that, or refuses.
template <class handle>
int delete_attribute(handle of, attribute_list &in, int key, void *value) {
    if (const int error = call_delete(of, key, value))
        return error;
    if (const auto at = find_attribute(in, key); at != in.end()) {
        in.erase(at);
        leave_key(key);
    }
    return abi::success;
}

template <class handle>
int create_key(attribute_copy<handle> copy, attribute_delete<handle> forget, int *key,
               void *extra_state) {
    *key = static_cast<int>(number(process::mine->keyvals.add(
        keyval_object{attribute_functions<handle>{copy, forget}, extra_state})));
    return abi::success;
}

template <class handle>
int free_key(int *key) {
    keyval_object *const k = find_key_of<handle>(*key);
    if (k == nullptr)
        return abi::err_keyval;
    // Through a copy of the key a program may free it again while attributes keep it: as in MPICH,
    // that is no error and does nothing.
    if (!k->is_freed) {
        k->is_freed = true;
        leave_key(*key);
    }
    *key = abi::keyval_invalid;
    return abi::success;
}

template <class handle>
int set_attribute(handle of, int key, void *value) {
    attribute_list *const list = attributes_of(of);
    if (list == nullptr)
        return err_invalid<handle>;
    keyval_object *const k = find_key_of<handle>(key);
    if (k == nullptr)
        return abi::err_keyval;
    ++k->users; // the new attribute, before the old one's function can free the key
    if (const auto old = find_attribute(*list, key); old != list->end())
        if (const int error = delete_attribute(of, *list, key, old->second)) {
            leave_key(key);
            return error;
        }
    list->emplace_back(key, value);
    return abi::success;
}

template <class handle>
int remove_attribute(handle of, int key) {
    attribute_list *const list = attributes_of(of);
    if (list == nullptr)
        return err_invalid<handle>;
    if (find_key_of<handle>(key) == nullptr)
        return abi::err_keyval;
    const auto old = find_attribute(*list, key);
    if (old == list->end())
        return abi::err_keyval;
    return delete_attribute(of, *list, key, old->second);
}

// As the program was told; 0 if it was told nothing.
int universe() {
    const char *const size = platform::value_of(variables::universe);
    return size == nullptr ? 0 : std::max(0, std::atoi(size));
}

// Of a predefined key of communicators: null if it has no value. None if the key is no such.
std::optional<int *> predefined_attribute(int key) {
    static int tag_ub = greatest_tag;
    static int host = abi::proc_null;
    static int io = abi::any_source;
    static int wtime_is_global = 1;
    static int appnum = 0;
    static int universe_size = 0;
    static int lastusedcode = 0;
    switch (key) {
    case abi::tag_ub:
        return &tag_ub;
    case abi::host:
        return &host;
    case abi::io:
        return &io;
    case abi::wtime_is_global:
        return &wtime_is_global;
    case abi::appnum:
        appnum = static_cast<int>(rank::mine->all().rank(rank::mine->number()).application);
        return &appnum;
    case abi::universe_size:
        universe_size = universe();
        return universe_size == 0 ? nullptr : &universe_size;
    case abi::lastusedcode:
        lastusedcode = last_used_code();
        return &lastusedcode;
    default:
        return std::nullopt;
    }
}

} // namespace

template <class handle>
int copy_attributes(handle from, handle to) {
    attribute_list &here = *attributes_of(from);
    attribute_list &there = *attributes_of(to);
    // The program's functions may change the attributes: those are copied that were there and stay.
    const attribute_list before = here;
    for (const auto &each : before) {
        const int key = each.first;
        const auto at = find_attribute(here, key);
        if (at == here.end())
            continue;
        keyval_object &k = *find_key(key);
        const auto copy = std::get<attribute_functions<handle>>(k.functions).copy;
        if (copy.thunk == nullptr)
            continue;
        void *copied = nullptr;
        int wanted = 0;
        ++k.users; // the copy
        const int error =
            copy.thunk(copy.function, from, key, k.extra_state, at->second, &copied, &wanted);
        if (error == 0 && wanted != 0)
            there.emplace_back(key, copied);
        else
            leave_key(key);
        if (error != 0)
            return error;
    }
    return abi::success;
}

template <class handle>
int delete_attributes(handle of) {
    attribute_list &list = *attributes_of(of);
    while (!list.empty()) {
        const auto [key, value] = list.back();
        if (const int error = delete_attribute(of, list, key, value))
            return error;
    }
    return abi::success;
}

template <class handle>
int get_attribute(handle of, int key, void **value, int *flag) {
    attribute_list *const list = attributes_of(of);
    if (list == nullptr)
        return err_invalid<handle>;
    if (find_key_of<handle>(key) == nullptr)
        return abi::err_keyval;
    const auto found = find_attribute(*list, key);
    *flag = found != list->end() ? 1 : 0;
    if (*flag != 0)
        *value = found->second;
    return abi::success;
}

template int copy_attributes(comm, comm);
template int copy_attributes(datatype, datatype);
template int delete_attributes(comm);
template int delete_attributes(datatype);
template int delete_attributes(win);
template int get_attribute(win, int, void **, int *);

namespace core {

int comm_create_keyval(attribute_copy<comm> copy, attribute_delete<comm> forget, int *key,
                       void *extra_state) {
    return create_key(copy, forget, key, extra_state);
}

int comm_free_keyval(int *key) {
    return free_key<comm>(key);
}

int comm_set_attr(comm which, int key, void *value) {
    return set_attribute(which, key, value);
}

int comm_delete_attr(comm which, int key) {
    return remove_attribute(which, key);
}

int comm_get_attr(comm which, int key, void **value, int *flag) {
    const std::optional<int *> known = predefined_attribute(key);
    if (!known)
        return get_attribute(which, key, value, flag);
    if (attributes_of(which) == nullptr)
        return abi::err_comm;
    *flag = *known != nullptr ? 1 : 0;
    if (*flag != 0)
        *value = *known;
    return abi::success;
}

int type_create_keyval(attribute_copy<datatype> copy, attribute_delete<datatype> forget, int *key,
                       void *extra_state) {
    return create_key(copy, forget, key, extra_state);
}

int type_free_keyval(int *key) {
    return free_key<datatype>(key);
}

int type_set_attr(datatype which, int key, void *value) {
    return set_attribute(which, key, value);
}

int type_delete_attr(datatype which, int key) {
    return remove_attribute(which, key);
}

int type_get_attr(datatype which, int key, void **value, int *flag) {
    return get_attribute(which, key, value, flag);
}

int win_create_keyval(attribute_copy<win> copy, attribute_delete<win> forget, int *key,
                      void *extra_state) {
    return create_key(copy, forget, key, extra_state);
}

int win_free_keyval(int *key) {
    return free_key<win>(key);
}

int win_set_attr(win which, int key, void *value) {
    return set_attribute(which, key, value);
}

int win_delete_attr(win which, int key) {
    return remove_attribute(which, key);
}

} // namespace core

} // namespace saguaro::mpi
