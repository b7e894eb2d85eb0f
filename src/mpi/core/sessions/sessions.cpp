// SPDX-License-Identifier: MIT
// The functions of sessions and of their process sets.
#include "mpi/core/sessions/sessions.hpp"

#include "mpi/core/errors/errors.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/waiting/threads.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <strings.h>

namespace saguaro::mpi {

session_object *find(session which) {
    return process::mine != nullptr ? process::mine->sessions.find(which) : nullptr;
}

namespace core {

namespace {

constexpr std::array<std::string_view, 2> sets = {"mpi://WORLD", "mpi://SELF"};

// Names of sets are URIs, and the case of their letters does not matter: MPI 4.1, 11.3.2.
bool are_same(std::string_view a, std::string_view b) {
    return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

const comm_object *find_set(std::string_view name) {
    return are_same(name, sets[0])   ? process::mine->world_comm.get()
           : are_same(name, sets[1]) ? process::mine->self_comm.get()
                                     : nullptr;
}

std::string_view name_of_level(int level) {
    return level == abi::thread_single       ? "MPI_THREAD_SINGLE"
           : level == abi::thread_funneled   ? "MPI_THREAD_FUNNELED"
           : level == abi::thread_serialized ? "MPI_THREAD_SERIALIZED"
                                             : "MPI_THREAD_MULTIPLE";
}

// What the program asks for. If it asks for nothing, and threads may call MPI at the same time
// already, they may use the session in this way, too: they need not know of each other.
int level_of(const info_list &hints) {
    const std::string *const wanted = find_value(hints, "thread_level");
    for (const int level : {abi::thread_funneled, abi::thread_serialized, abi::thread_multiple})
        if (wanted != nullptr && *wanted == name_of_level(level))
            return level;
    return wanted == nullptr && process::mine->thread_level == abi::thread_multiple
               ? abi::thread_multiple
               : abi::thread_single;
}

} // namespace

int session_init(info hints, errhandler handler, session *out) {
    // Threads may begin sessions at the same time: MPI 4.1, 11.6.
    const inside here(true);
    session_object made;
    if (const int error = read_info(hints, made.hints))
        return error;
    if (const int error = begin_session())
        return error;
    made.level = level_of(made.hints);
    allow_threads(made.level);
    set_value(made.hints, "thread_level", name_of_level(made.level));
    *out = process::mine->sessions.add(std::move(made));
    if (const int error = session_set_errhandler(*out, handler)) {
        session_finalize(out);
        return error;
    }
    return abi::success;
}

int session_finalize(session *which) {
    const session_object *const s = find(*which);
    if (s == nullptr)
        return abi::err_session;
    leave_handler(s->handler);
    forget_threads(s->level);
    process::mine->sessions.remove(*which);
    *which = session::null;
    end_session();
    return abi::success;
}

int session_get_info(session of, info *out) {
    const session_object *const s = find(of);
    if (s == nullptr)
        return abi::err_session;
    *out = make_info(s->hints);
    return abi::success;
}

int session_get_num_psets(session of, info, int *count) {
    if (find(of) == nullptr)
        return abi::err_session;
    *count = static_cast<int>(sets.size());
    return abi::success;
}

int session_get_nth_pset(session of, info, int n, int *length, char *name) {
    if (find(of) == nullptr)
        return abi::err_session;
    if (n < 0 || static_cast<std::size_t>(n) >= sets.size() || *length < 0)
        return abi::err_arg;
    const std::string_view set = sets[static_cast<std::size_t>(n)];
    if (*length != 0) {
        if (name == nullptr)
            return abi::err_arg;
        const std::size_t bytes = std::min(set.size(), static_cast<std::size_t>(*length) - 1);
        std::memcpy(name, set.data(), bytes);
        name[bytes] = '\0';
    }
    *length = static_cast<int>(set.size()) + 1;
    return abi::success;
}

int session_get_pset_info(session of, const char *name, info *out) {
    if (find(of) == nullptr)
        return abi::err_session;
    const comm_object *const set = find_set(name);
    if (set == nullptr)
        return abi::err_arg;
    *out = make_info({{"mpi_size", std::to_string(set->size())}});
    return abi::success;
}

int group_from_session_pset(session of, const char *name, group *out) {
    if (find(of) == nullptr)
        return abi::err_session;
    const comm_object *const set = find_set(name);
    if (set == nullptr)
        return abi::err_arg;
    *out = process::mine->groups.add(set->local);
    return abi::success;
}

} // namespace core

} // namespace saguaro::mpi
