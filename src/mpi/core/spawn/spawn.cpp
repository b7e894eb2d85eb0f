// SPDX-License-Identifier: MIT
// MPI_Comm_spawn: the root asks the launcher, and tells the others. README.md.
#include "mpi/core/communicators/making.hpp"
#include "mpi/core/info/info.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/reports/diagnostics.hpp"
#include "mpi/core/spawn/request.hpp"
#include "platform/futex.hpp"
#include "spmc/shared_list.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unistd.h>

namespace saguaro::mpi::core {

namespace {

// What the root says behind the launcher's answer.
struct outcome {
    int error;
    std::uint32_t first;
    std::uint32_t children;
    context_value context;
};

// A program in one of the folders that a list with colons between them names; or the name alone.
std::string find_in(const std::string &folders, const std::string &name) {
    for (std::size_t at = 0; at <= folders.size() && name.find('/') == std::string::npos;) {
        const std::size_t end = std::min(folders.find(':', at), folders.size());
        std::string file = folders.substr(at, end - at) + "/" + name;
        if (end != at && ::access(file.c_str(), X_OK) == 0)
            return file;
        at = end + 1;
    }
    return name;
}

// An error class if the root's arguments are wrong.
int read_part(const char *command, char **arguments, int count, info hints, spawned_part &out) {
    if (command == nullptr || count < 0)
        return abi::err_arg;
    info_list read;
    if (const int error = read_info(hints, read))
        return error;
    out.ranks = static_cast<std::uint32_t>(count);
    if (const std::string *const folder = find_value(read, "wdir"))
        out.folder = *folder;
    const std::string *const folders = find_value(read, "path");
    out.command.push_back(folders != nullptr ? find_in(*folders, command) : command);
    for (char **each = arguments; each != nullptr && *each != nullptr; ++each)
        out.command.emplace_back(*each);
    return abi::success;
}

void ask_launcher(block &memory, spawn_request &request) {
    world &all = rank::mine->all();
    // Relaxed: the list publishes it.
    request.answer.store(spawn_answer::none, std::memory_order_relaxed);
    spmc::put_back(all.job(), all.head().spawn_requests, memory);
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(process::mine->launcher, &one, sizeof(one));
    // Acquire pairs with the launcher's release: the ranks are there.
    while (request.answer.load(std::memory_order_acquire) == spawn_answer::none)
        platform::futex_wait(request.answer, spawn_answer::none, platform::never,
                             platform::futex_scope::all_processes);
}

// The family stays in memory: its members look at it when they begin.
family_record &make_family(const comm_object &parents, std::uint32_t children) {
    const auto &members = parents.local->members;
    const std::size_t bytes = members.size() * sizeof(std::uint32_t);
    block &memory = rank::mine->all().take_block(sizeof(family_record) + bytes);
    auto &family = *reinterpret_cast<family_record *>(memory.data());
    family = {0, children, static_cast<std::uint32_t>(members.size()), take_context(),
              take_context()};
    std::memcpy(&family + 1, members.data(), bytes);
    return family;
}

outcome begin_ranks(const comm_object &parents, const std::vector<spawned_part> &parts) {
    const std::uint32_t children =
        std::accumulate(parts.begin(), parts.end(), 0U,
                        [](std::uint32_t sum, const spawned_part &p) { return sum + p.ranks; });
    if (children == 0)
        return {abi::err_arg, 0, 0, 0};
    if (process::mine->launcher < 0)
        return {abi::err_spawn, 0, 0, 0};
    rank &me = *rank::mine;
    world &all = me.all();
    family_record &family = make_family(parents, children);
    const std::string text = text_of(parts);
    block &memory = all.take_block(sizeof(spawn_request) + text.size());
    auto &request = *reinterpret_cast<spawn_request *>(memory.data());
    request.ranks = children;
    request.parent = me.number();
    request.family = all.job().place_of(&family);
    request.clock = me.clock();
    request.bytes = text.size();
    std::memcpy(request.text(), text.data(), text.size());
    ask_launcher(memory, request);
    const bool is_refused = request.answer.load(std::memory_order_relaxed) == spawn_answer::refused;
    all.give_block(memory);
    return {is_refused ? abi::err_spawn : abi::success, family.first_child, children,
            family.parents_context};
}

// `parts` and `error` are the root's.
int spawn(comm_object &on, int root, const std::vector<spawned_part> &parts, int error,
          const char *call, comm *out, int *errors) {
    // The ranks begin when all have come.
    std::vector<int> told;
    {
        collective all(on, call);
        told = everybodys(all, error);
    }
    if (const int wrong = told[static_cast<std::size_t>(root)])
        return wrong;
    outcome result{};
    if (on.rank == root)
        result = begin_ranks(on, parts);
    {
        collective all(on, call);
        if (on.rank == root)
            all.send_to_all(bytes_at(&result, sizeof(result)));
        else
            all.receive(root, bytes_at(&result, sizeof(result)));
    }
    if (errors != nullptr)
        std::fill(errors, errors + result.children, result.error);
    if (result.error != 0)
        return result.error;
    std::vector<std::uint32_t> children(result.children);
    std::iota(children.begin(), children.end(), result.first);
    comm_object &made =
        make_comm(result.context, on.local, std::make_shared<group_object>(std::move(children)));
    inherit(made, on);
    *out = made.handle;
    return abi::success;
}

int find_spawner(comm on, int root, comm_object *&out) {
    out = find(on);
    if (out == nullptr || out->is_inter())
        return abi::err_comm;
    // Other machines would not learn of the new ranks.
    if (rank::mine->all().head().hosts > 1) {
        if (out->rank == 0)
            say("MPI_Comm_spawn: the ranks are on several machines, and none can be added");
        return abi::err_unsupported_operation;
    }
    return root < 0 || root >= out->size() ? abi::err_root : abi::success;
}

} // namespace

int comm_spawn(const char *command, char **arguments, int count, info hints, int root, comm on,
               comm *out, int *errors) {
    comm_object *c = nullptr;
    if (const int error = find_spawner(on, root, c))
        return error;
    std::vector<spawned_part> parts(1);
    int error = 0;
    if (c->rank == root)
        error = read_part(command, arguments, count, hints, parts[0]);
    return spawn(*c, root, parts, error, "MPI_Comm_spawn", out, errors);
}

int comm_spawn_multiple(int count, char **commands, char ***arguments, const int *counts,
                        const info *hints, int root, comm on, comm *out, int *errors) {
    comm_object *c = nullptr;
    if (const int error = find_spawner(on, root, c))
        return error;
    std::vector<spawned_part> parts;
    int error = 0;
    if (c->rank == root && (count < 1 || commands == nullptr || counts == nullptr))
        error = abi::err_arg;
    for (int i = 0; c->rank == root && i < count && error == 0; ++i)
        error = read_part(commands[i], arguments != nullptr ? arguments[i] : nullptr, counts[i],
                          hints != nullptr ? hints[i] : info::null, parts.emplace_back());
    return spawn(*c, root, parts, error, "MPI_Comm_spawn_multiple", out, errors);
}

int comm_get_parent(comm *out) {
    *out = process::mine->parent;
    return abi::success;
}

} // namespace saguaro::mpi::core
