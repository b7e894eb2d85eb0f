// SPDX-License-Identifier: MIT
// Single, collective, ordered and shared-pointer accesses, and the turns they take.
#include "mpi/core/files/access_methods.hpp"

#include "mpi/core/collectives/values.hpp"
#include "mpi/core/files/agreement.hpp"
#include "mpi/core/process/process.hpp"

#include <optional>

namespace saguaro::mpi {

namespace {

// Checks what all accesses by explicit offset and by the rank's own pointer need.
int prepare(file_access &access, const access_arguments &what, access_place where) {
    const int error = access.prepare(what.which, what.way, what.buffer, what.count, what.type);
    if (error == 0 && access.on().is_sequential())
        return abi::err_unsupported_operation;
    return error != 0 ? error : where.check();
}

// The part of a file that an access is about, from its first to its last byte.
struct file_range {
    std::int64_t begin = 0;
    std::int64_t end = 0;

    bool meets(const file_range &other) const { return begin < other.end && other.begin < end; }
};

file_range range_of(const file_access &access, std::int64_t position) {
    if (access.bytes_in_file() == 0)
        return {};
    const file_view &view = access.on().view;
    const std::int64_t first = position * view.etype_size();
    return {view.place_of(first), view.place_of(first + access.bytes_in_file() - 1) + 1};
}

// Nobody leaves before all have done their part.
void wait_for_all(collective &all) {
    everybodys(all, char{0});
}

} // namespace

int access_alone(const access_arguments &what, access_place where, status *out) {
    file_access access;
    if (const int error = prepare(access, what, where))
        return error;
    const file_object &f = access.on();
    std::optional<file_turn> own;
    if (f.is_atomic)
        own.emplace(f.among, f.shared(), what.call);
    const int error = access.run(where.in(f), out);
    where.move_on(access);
    return error;
}

int access_in_turn(const access_arguments &what, access_place where, status *out) {
    file_access access;
    if (const int error = prepare(access, what, where))
        return error;
    const file_object &f = access.on();
    const file_turn own(f.among, f.shared(), what.call);
    const int error = access.run(where.in(f), out);
    where.move_on(access);
    return error;
}

// Where the ranges of two ranks meet, the second one writes behind the first. A rank with an error
// takes part all the same, so that no other waits for it.
int access_together(const access_arguments &what, access_place where, status *out) {
    file_access access;
    int error = prepare(access, what, where);
    if (!access.has_file())
        return error;
    const file_object &f = access.on();
    collective all(f.among, what.call);
    const file_range mine =
        error == 0 && what.way == direction::write ? range_of(access, where.in(f)) : file_range{};
    const std::vector<file_range> ranges = everybodys(all, mine);
    for (int r = 0; r < all.me(); ++r)
        if (ranges[static_cast<std::size_t>(r)].meets(mine))
            all.receive(r, {});
    if (error == 0) {
        error = access.run(where.in(f), out);
        where.move_on(access);
    }
    for (int r = all.me() + 1; r < all.size(); ++r)
        if (ranges[static_cast<std::size_t>(r)].meets(mine))
            all.send(r, {});
    wait_for_all(all);
    return error;
}

// In its turn from begin to end: how much there is to read may depend on who has written.
int access_by_shared_pointer(const access_arguments &what, status *out) {
    file_access access;
    if (const int error = access.prepare(what.which, what.way, what.buffer, what.count, what.type))
        return error;
    const file_object &f = access.on();
    const file_turn own(f.among, f.shared(), what.call);
    // Relaxed: the turn orders it.
    return access.run(f.shared().position.fetch_add(access.etypes(), std::memory_order_relaxed),
                      out);
}

int access_in_order_of_ranks(const access_arguments &what, status *out) {
    file_access access;
    int error = access.prepare(what.which, what.way, what.buffer, what.count, what.type);
    if (!access.has_file())
        return error;
    const file_object &f = access.on();
    collective all(f.among, what.call);
    // All earlier accesses have moved the pointer, and no later one moves it before this.
    const std::int64_t begin = answer_of_first(
        all, error == 0 ? access.etypes() : 0, [&](const std::vector<std::int64_t> &etypes) {
            std::vector<std::int64_t> begins;
            for (const std::int64_t each : etypes)
                begins.push_back(f.shared().position.fetch_add(each, std::memory_order_relaxed));
            return begins;
        });
    if (error == 0)
        error = access.run(begin, out);
    wait_for_all(all);
    return error;
}

int make_complete_request(file which, const status &result, request *out) {
    request_object done;
    done.what = action::send; // which is complete, too, when it begins
    done.is_complete = true;
    done.posted = done.completed = rank::mine->clock();
    done.on = &find(which)->among;
    done.got_bytes = static_cast<std::uint64_t>(result.bytes);
    ++done.on->users;
    *out = process::mine->requests.add(std::move(done));
    return abi::success;
}

} // namespace saguaro::mpi
