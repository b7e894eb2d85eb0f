// SPDX-License-Identifier: MIT
// Performance variables: what this rank has done, and what there is of it.
#include "mpi/core/interface/addresses.hpp"
#include "mpi/core/tools/functions.hpp"
#include "mpi/core/tools/handles.hpp"
#include "mpi/core/tools/interface.hpp"
#include "mpi/core/tools/variables.hpp"

#include <cstring>
#include <list>

namespace saguaro::mpi {

namespace tools {

namespace {

// A counter that a tool has: what it counted while it was started.
struct performance_handle {
    const performance_row *of;
    std::uint64_t counted = 0; // until the last stop
    std::uint64_t started = 0; // the library's own counter when it was started
    bool is_started = false;

    std::uint64_t value() const {
        if (!of->is_counted())
            return of->now();
        return counted + (is_started ? of->now() - started : 0);
    }
    void set(std::uint64_t to) {
        counted = to;
        started = of->now();
    }
};

struct session_object {
    std::list<performance_handle> handles;
};

std::list<session_object> &sessions() {
    static auto &made = *new std::list<session_object>;
    return made;
}

void *const all_handles = reinterpret_cast<void *>(addresses::all_pvars);

template <class object>
auto find_in(std::list<object> &all, const void *which) {
    auto found = all.begin();
    while (found != all.end() && &*found != which)
        ++found;
    return found;
}

const performance_row *performance_at(int index) {
    return index >= 0 && static_cast<std::size_t>(index) < performances().size()
               ? &performances()[static_cast<std::size_t>(index)]
               : nullptr;
}

// Calls act(session) under the lock.
template <class Act>
int with_session(void *session, Act act) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    const auto s = find_in(sessions(), session);
    return s != sessions().end() ? act(*s) : abi::t_err_invalid_session;
}

// Calls act(handle) of a handle of a session.
template <class Act>
int with_handle(void *session, void *handle, Act act) {
    return with_session(session, [&](session_object &s) {
        const auto h = find_in(s.handles, handle);
        return h != s.handles.end() ? act(*h) : abi::t_err_invalid_handle;
    });
}

// The same, or for all handles of the session that are counters.
template <class Act>
int with_counters(void *session, void *handle, int error_of_others, Act act) {
    if (handle != all_handles)
        return with_handle(session, handle, [&](performance_handle &h) {
            return h.of->is_counted() ? act(h) : error_of_others;
        });
    return with_session(session, [&](session_object &s) {
        for (performance_handle &each : s.handles)
            if (each.of->is_counted())
                act(each);
        return abi::success;
    });
}

void store(const performance_handle &of, void *buffer) {
    const std::uint64_t value = of.value();
    const int of_enumeration = static_cast<int>(value);
    if (of.of->names != nullptr)
        std::memcpy(buffer, &of_enumeration, sizeof(of_enumeration));
    else
        std::memcpy(buffer, &value, sizeof(value));
}

int start(performance_handle &h) {
    if (!h.is_started)
        h.started = h.of->now();
    h.is_started = true;
    return abi::success;
}

int stop(performance_handle &h) {
    h.counted = h.value();
    h.is_started = false;
    return abi::success;
}

int reset(performance_handle &h) {
    h.set(0);
    return abi::success;
}

} // namespace

void forget_sessions() {
    sessions().clear();
}

} // namespace tools

namespace core {

using namespace tools;

int t_pvar_get_num(int *count) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    *count = static_cast<int>(performances().size());
    return abi::success;
}

int t_pvar_get_index(const char *name, int var_class, int *index) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    for (std::size_t i = 0; i < performances().size(); ++i)
        if (std::strcmp(performances()[i].name, name) == 0 &&
            performances()[i].variable_class == var_class) {
            *index = static_cast<int>(i);
            return abi::success;
        }
    return abi::t_err_invalid_name;
}

int t_pvar_get_info(int index, char *name, int *name_len, int *verbosity, int *var_class,
                    datatype *type, void **enumtype, char *desc, int *desc_len, int *bind,
                    int *readonly, int *continuous, int *atomic) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    const performance_row *const row = performance_at(index);
    if (row == nullptr)
        return abi::t_err_invalid_index;
    tools::say(row->name, name, name_len);
    tools::say(row->meaning, desc, desc_len);
    put(verbosity, abi::t_verbosity_user_basic);
    put(var_class, row->variable_class);
    put(type, row->names != nullptr ? datatype::int_ : datatype::unsigned_long_long);
    put(enumtype, const_cast<void *>(static_cast<const void *>(row->names)));
    put(bind, abi::t_bind_no_object);
    put(readonly, row->is_counted() ? 0 : 1);
    put(continuous, row->is_counted() ? 0 : 1);
    put(atomic, row->is_counted() ? 1 : 0);
    return abi::success;
}

int t_pvar_session_create(void **session) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    *session = &sessions().emplace_back();
    return abi::success;
}

int t_pvar_session_free(void **session) {
    const entry inside;
    if (const int error = inside.error())
        return error;
    const auto s = find_in(sessions(), *session);
    if (s == sessions().end())
        return abi::t_err_invalid_session;
    sessions().erase(s);
    *session = nullptr;
    return abi::success;
}

int t_pvar_handle_alloc(void *session, int index, void *, void **handle, int *count) {
    return with_session(session, [&](session_object &s) {
        const performance_row *const row = performance_at(index);
        if (row == nullptr)
            return abi::t_err_invalid_index;
        *handle = &s.handles.emplace_back(performance_handle{row});
        *count = 1;
        return abi::success;
    });
}

int t_pvar_handle_free(void *session, void **handle) {
    return with_session(session, [&](session_object &s) {
        const auto h = find_in(s.handles, *handle);
        if (h == s.handles.end())
            return abi::t_err_invalid_handle;
        s.handles.erase(h);
        *handle = nullptr;
        return abi::success;
    });
}

int t_pvar_start(void *session, void *handle) {
    return with_counters(session, handle, abi::t_err_pvar_no_startstop, start);
}

int t_pvar_stop(void *session, void *handle) {
    return with_counters(session, handle, abi::t_err_pvar_no_startstop, stop);
}

int t_pvar_reset(void *session, void *handle) {
    return with_counters(session, handle, abi::t_err_pvar_no_write, reset);
}

int t_pvar_read(void *session, void *handle, void *buffer) {
    return with_handle(session, handle, [=](performance_handle &h) {
        if (buffer == nullptr)
            return abi::t_err_invalid;
        store(h, buffer);
        return abi::success;
    });
}

int t_pvar_readreset(void *session, void *handle, void *buffer) {
    return with_handle(session, handle, [=](performance_handle &h) {
        if (!h.of->is_counted())
            return abi::t_err_pvar_no_atomic;
        if (buffer == nullptr)
            return abi::t_err_invalid;
        store(h, buffer);
        return reset(h);
    });
}

int t_pvar_write(void *session, void *handle, const void *buffer) {
    return with_handle(session, handle, [=](performance_handle &h) {
        if (!h.of->is_counted())
            return abi::t_err_pvar_no_write;
        if (buffer == nullptr)
            return abi::t_err_invalid;
        std::uint64_t value = 0;
        std::memcpy(&value, buffer, sizeof(value));
        h.set(value);
        return abi::success;
    });
}

} // namespace core

} // namespace saguaro::mpi
