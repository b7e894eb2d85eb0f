// SPDX-License-Identifier: MIT
// How windows are made, what they tell of themselves, and how they go.
#include "mpi/core/communicators/making.hpp"
#include "mpi/core/errors/errors.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/windows/window.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <numeric>
#include <unistd.h>

namespace saguaro::mpi {

win_object *find(win which) {
    std::unique_ptr<win_object> *const found = process::mine->windows.find(which);
    return found != nullptr ? found->get() : nullptr;
}

namespace {

// What a rank brings to the making of a window.
struct memory_offer {
    context_value context; // the first rank's: of the window
    std::int32_t unit;
    std::int32_t process;
    place memory;         // a block of the control area; 0: the memory is the rank's own
    place records;        // the first rank's: of all
    std::uint64_t offset; // in the block, or the address
    std::int64_t size;
};

// A block of zeros.
block &take_zeros(std::size_t bytes) {
    world &all = rank::mine->all();
    block &taken = all.take_block(bytes);
    // A large one has given back all pages but the first.
    const bool is_large = std::size_t{1} << taken.order > world::most_kept;
    std::memset(taken.data(), 0, is_large ? spmc::page_bytes : bytes);
    return taken;
}

// The hints of the standard, with its defaults. Any of them allows less or more order than there
// is.
constexpr std::array<std::pair<const char *, const char *>, 7> known_hints{{
    {"no_locks", "false"},
    {"accumulate_ordering", "rar,raw,war,waw"},
    {"accumulate_ops", "same_op_no_op"},
    {"mpi_accumulate_granularity", "0"},
    {"same_size", "false"},
    {"same_disp_unit", "false"},
    {"alloc_shared_noncontig", "false"},
}};

// Those of the new hints that are known replace the old ones.
void add_hints(info_list &to, const info_list &added) {
    for (const auto &[key, standard] : known_hints)
        if (const std::string *const value = find_value(added, key))
            set_value(to, key, *value);
}

int check_arguments(comm on, std::int64_t size, std::int64_t unit, info hints, comm_object *&out) {
    out = find(on);
    if (out == nullptr || out->is_inter())
        return abi::err_comm;
    info_list unused;
    if (const int error = read_info(hints, unused))
        return error;
    if (refuses_machines(*out, "a window"))
        return abi::err_unsupported_operation;
    if (size < 0)
        return abi::err_size;
    return unit <= 0 || unit > INT_MAX ? abi::err_disp : abi::success;
}

target_memory target_of(const memory_offer &from, bool is_mine) {
    target_memory t;
    t.size = from.size;
    t.unit = from.unit;
    t.process = from.process;
    t.base = from.offset;
    t.is_here = is_mine || from.memory != 0;
    if (from.memory != 0 && from.size == 0)
        t.base = 0; // as programs expect that look for the ranks with memory
    else if (from.memory != 0)
        t.base += reinterpret_cast<std::uintptr_t>(
            rank::mine->all().job().at<block>(from.memory)->data());
    return t;
}

// Makes the window of what all ranks offer. `mine` has this rank's memory; the rest is set here.
win_object &make_window(collective &all, int flavor, memory_offer mine, info hints, block *own) {
    auto made = std::make_unique<win_object>();
    win_object &w = *made;
    const world &shared = rank::mine->all();
    const auto ranks = static_cast<std::uint32_t>(all.size());
    mine.process = getpid();
    if (own != nullptr)
        w.blocks.push_back(own);
    if (all.me() == 0) {
        mine.context = take_context();
        w.blocks.push_back(&take_zeros(shared_records::bytes_for(ranks)));
        mine.records = shared.job().place_of(w.blocks.back());
    }
    const std::vector<memory_offer> offers = everybodys(all, mine);
    w.on = &make_comm(offers[0].context, all.on().local, nullptr);
    w.records = shared_records(shared.job().at<block>(offers[0].records)->data(), ranks);
    for (int r = 0; r < all.size(); ++r)
        w.targets.push_back(target_of(offers[static_cast<std::size_t>(r)], r == all.me()));
    w.flavor = flavor;
    for (const auto &[key, standard] : known_hints)
        set_value(w.hints, key, standard);
    info_list given;
    read_info(hints, given);
    add_hints(w.hints, given);
    w.locks.resize(ranks);
    const target_memory &here = w.targets[static_cast<std::size_t>(all.me())];
    w.base = reinterpret_cast<void *>(here.base);
    w.size = here.size;
    w.unit = here.unit;
    w.handle = process::mine->windows.add(std::move(made));
    return w;
}

memory_offer of_memory(std::int64_t size, std::int64_t unit) {
    memory_offer o{};
    o.size = size;
    o.unit = static_cast<std::int32_t>(unit);
    return o;
}

void tell_base(const win_object &of, void *base) {
    std::memcpy(base, &of.base, sizeof(of.base));
}

bool is_idle(const win_object &w) {
    return w.pending.empty() && !w.has_started && !w.is_exposed && !w.is_passive();
}

} // namespace

namespace core {

int win_create(void *base, std::int64_t size, std::int64_t unit, info hints, comm on, win *out) {
    comm_object *c = nullptr;
    if (const int error = check_arguments(on, size, unit, hints, c))
        return error;
    allow_access();
    collective all(*c, "MPI_Win_create");
    memory_offer mine = of_memory(size, unit);
    mine.offset = reinterpret_cast<std::uintptr_t>(base);
    *out = make_window(all, abi::win_flavor_create, mine, hints, nullptr).handle;
    return abi::success;
}

int win_create_dynamic(info hints, comm on, win *out) {
    comm_object *c = nullptr;
    if (const int error = check_arguments(on, 0, 1, hints, c))
        return error;
    allow_access();
    collective all(*c, "MPI_Win_create_dynamic");
    *out = make_window(all, abi::win_flavor_dynamic, of_memory(0, 1), hints, nullptr).handle;
    return abi::success;
}

int win_allocate(std::int64_t size, std::int64_t unit, info hints, comm on, void *base, win *out) {
    comm_object *c = nullptr;
    if (const int error = check_arguments(on, size, unit, hints, c))
        return error;
    collective all(*c, "MPI_Win_allocate");
    memory_offer mine = of_memory(size, unit);
    block &own = take_zeros(static_cast<std::size_t>(size));
    mine.memory = rank::mine->all().job().place_of(&own);
    const win_object &made = make_window(all, abi::win_flavor_allocate, mine, hints, &own);
    tell_base(made, base);
    *out = made.handle;
    return abi::success;
}

int win_allocate_shared(std::int64_t size, std::int64_t unit, info hints, comm on, void *base,
                        win *out) {
    comm_object *c = nullptr;
    if (const int error = check_arguments(on, size, unit, hints, c))
        return error;
    collective all(*c, "MPI_Win_allocate_shared");
    // One piece of memory for all, without gaps: the first rank takes it.
    const std::vector<std::int64_t> sizes = everybodys(all, size);
    block *own = nullptr;
    place where = 0;
    if (all.me() == 0) {
        own = &take_zeros(
            static_cast<std::size_t>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0})));
        where = rank::mine->all().job().place_of(own);
    }
    memory_offer mine = of_memory(size, unit);
    mine.memory = everybodys(all, where)[0];
    mine.offset = static_cast<std::uint64_t>(
        std::accumulate(sizes.begin(), sizes.begin() + all.me(), std::int64_t{0}));
    const win_object &made = make_window(all, abi::win_flavor_shared, mine, hints, own);
    tell_base(made, base);
    *out = made.handle;
    return abi::success;
}

int win_shared_query(win of, int rank, std::int64_t *size, std::int64_t *unit, void *base) {
    const win_object *const w = find(of);
    if (w == nullptr)
        return abi::err_win;
    if (w->flavor != abi::win_flavor_shared && w->flavor != abi::win_flavor_allocate)
        return abi::err_rma_flavor;
    if (rank != abi::proc_null && (rank < 0 || rank >= w->ranks()))
        return abi::err_rank;
    target_memory found;
    found.unit = 0;
    if (rank != abi::proc_null) {
        found = w->targets[static_cast<std::size_t>(rank)];
    } else if (const auto first = std::find_if(w->targets.begin(), w->targets.end(),
                                               [](const target_memory &t) { return t.size != 0; });
               first != w->targets.end()) {
        found = *first;
    }
    *size = found.size;
    *unit = found.unit;
    std::memcpy(base, &found.base, sizeof(found.base));
    return abi::success;
}

int win_attach(win which, void *base, std::int64_t size) {
    win_object *const w = find(which);
    if (w == nullptr)
        return abi::err_win;
    if (w->flavor != abi::win_flavor_dynamic)
        return abi::err_rma_flavor;
    if (size < 0)
        return abi::err_size;
    const auto first = reinterpret_cast<std::uintptr_t>(base);
    // Of what begins before the new memory's end, the last one may reach into it.
    auto next = w->attached.lower_bound(first + static_cast<std::uintptr_t>(size));
    if (next != w->attached.begin()) {
        const auto before = std::prev(next);
        if (before->first == first ||
            before->first + static_cast<std::uintptr_t>(before->second) > first)
            return abi::err_rma_attach;
    }
    w->attached.emplace(first, size);
    return abi::success;
}

int win_detach(win which, const void *base) {
    win_object *const w = find(which);
    if (w == nullptr)
        return abi::err_win;
    if (w->flavor != abi::win_flavor_dynamic)
        return abi::err_rma_flavor;
    return w->attached.erase(reinterpret_cast<std::uintptr_t>(base)) != 0 ? abi::success
                                                                          : abi::err_rma_attach;
}

int win_free(win *which) {
    win_object *const w = find(*which);
    if (w == nullptr)
        return abi::err_win;
    if (!is_idle(*w))
        return abi::err_rma_sync;
    if (const int error = delete_attributes(*which))
        return error;
    // Behind the barrier nobody reaches the memory any more.
    barrier(w->on->handle);
    for (block *const b : w->blocks)
        rank::mine->all().give_block(*b);
    leave_handler(w->handler);
    leave(w->on);
    process::mine->windows.remove(*which);
    *which = win::null;
    return abi::success;
}

int win_get_group(win of, group *out) {
    const win_object *const w = find(of);
    if (w == nullptr)
        return abi::err_win;
    *out = process::mine->groups.add(w->on->local);
    return abi::success;
}

int win_set_info(win which, info hints) {
    win_object *const w = find(which);
    if (w == nullptr)
        return abi::err_win;
    info_list given;
    if (const int error = read_info(hints, given))
        return error;
    add_hints(w->hints, given);
    return abi::success;
}

int win_get_info(win of, info *out) {
    const win_object *const w = find(of);
    if (w == nullptr)
        return abi::err_win;
    *out = make_info(w->hints);
    return abi::success;
}

int win_set_name(win which, const char *name) {
    win_object *const w = find(which);
    if (w == nullptr)
        return abi::err_win;
    w->name.assign(name, strnlen(name, abi::max_object_name - 1));
    return abi::success;
}

int win_get_name(win which, char *name, int *length) {
    if (which == win::null)
        return give_name("MPI_WIN_NULL", name, length);
    const win_object *const w = find(which);
    return w != nullptr ? give_name(w->name, name, length) : abi::err_win;
}

int win_get_attr(win of, int keyval, void **value, int *flag) {
    win_object *const w = find(of);
    if (w == nullptr)
        return abi::err_win;
    *flag = 1;
    switch (keyval) {
    case abi::win_base:
        *value = w->base;
        return abi::success;
    case abi::win_size:
        *value = &w->size;
        return abi::success;
    case abi::win_disp_unit:
        *value = &w->unit;
        return abi::success;
    case abi::win_create_flavor:
        *value = &w->flavor;
        return abi::success;
    case abi::win_model:
        *value = &w->model;
        return abi::success;
    default:
        return get_attribute(of, keyval, value, flag);
    }
}

} // namespace core

} // namespace saguaro::mpi
