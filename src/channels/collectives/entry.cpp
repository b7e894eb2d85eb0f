// SPDX-License-Identifier: MIT
// The functions of collective.h.
#include "saguaro/collective.h"

#include "channels/collectives/choice.hpp"
#include "channels/collectives/team.hpp"
#include "spmc/lines.hpp"

#include <cerrno>
#include <cstdint>

namespace saguaro::channels {

namespace {

// For the time of a collective.
class call {
public:
    call(const char *function, spmc::place team, unsigned number)
        : function_(function), member_(member_of(function, team, number)) {
        member_.begin(function);
    }
    ~call() { member::end(); }
    call(const call &) = delete;
    call &operator=(const call &) = delete;

    member &as() const { return member_; }

    void needs_member(unsigned root) const {
        if (root >= member_.members())
            refuse_root(root);
    }

    // The bytes at an address, which may be null if there are none.
    const_bytes read(const void *data, std::size_t size) const {
        check(data, size);
        return {static_cast<const std::byte *>(data), size};
    }
    bytes written(void *data, std::size_t size) const {
        check(data, size);
        return {static_cast<std::byte *>(data), size};
    }

    std::size_t for_all(std::size_t size) const { return product(size, member_.members()); }

    std::size_t size_of(const sg_reduction *how) const {
        if (how == nullptr || how->combine == nullptr)
            fail("was given a null pointer for the reduction, or its operation");
        if (how->size == 0)
            fail("was given elements of 0 bytes");
        return product(how->count, how->size);
    }

private:
    [[noreturn]] void fail(const char *why) const {
        member::end();
        spmc::give_up("%s %s", function_, why);
    }
    [[noreturn]] void refuse_root(unsigned root) const {
        member::end();
        spmc::give_up("%s: team 0x%x has %u members, from 0; there is no member %u for the root",
                      function_, member_.team() * 64U, member_.members(), root);
    }
    void check(const void *data, std::size_t size) const {
        if (data == nullptr && size != 0)
            fail("was given a null pointer for some bytes");
    }
    std::size_t product(std::size_t count, std::size_t size) const {
        std::size_t all = 0;
        if (__builtin_mul_overflow(count, size, &all) || all > PTRDIFF_MAX)
            fail("was given more bytes than a process can have");
        return all;
    }

    const char *const function_;
    member &member_;
};

combination operation_of(const sg_reduction &how) {
    return {how.size, how.combine, how.context};
}

// Others give nothing for all members, or get nothing.
bool is_root(const member &m, unsigned root) {
    return m.self() == root;
}

} // namespace

} // namespace saguaro::channels

using namespace saguaro;
using namespace saguaro::channels;

extern "C" {

sg_team sg_team_create(unsigned members) {
    spmc::job &all = spmc::job::mine();
    read_choice();
    if (members == 0 || members > most_members) {
        spmc::say("sg_team_create was given %u members: 1 to %u are possible", members,
                  most_members);
        errno = EINVAL;
        return 0;
    }
    const sg_team made = make_team(all, members);
    if (made == 0) {
        spmc::say("sg_team_create: no room for a team: the job has %zu bytes for all",
                  all.control_bytes());
        errno = ENOMEM;
    }
    return made;
}

unsigned sg_team_members(sg_team team) {
    return team_at("sg_team_members", team).members;
}

void sg_barrier(sg_team team, unsigned member) {
    const call now("sg_barrier", team, member);
    barrier_for(now.as().members())(now.as());
}

void sg_broadcast(sg_team team, unsigned member, unsigned root, void *data, size_t size) {
    const call now("sg_broadcast", team, member);
    now.needs_member(root);
    broadcast_for(now.as().members(), size)(now.as(), root, now.written(data, size));
}

void sg_gather(sg_team team, unsigned member, unsigned root, const void *from, void *to,
               size_t size) {
    const call now("sg_gather", team, member);
    now.needs_member(root);
    const std::size_t all = is_root(now.as(), root) ? now.for_all(size) : 0;
    gather_for(now.as().members(), size)(now.as(), root, now.read(from, size),
                                         now.written(to, all));
}

void sg_scatter(sg_team team, unsigned member, unsigned root, const void *from, void *to,
                size_t size) {
    const call now("sg_scatter", team, member);
    now.needs_member(root);
    const std::size_t all = is_root(now.as(), root) ? now.for_all(size) : 0;
    scatter_for(now.as().members(), size)(now.as(), root, now.read(from, all),
                                          now.written(to, size));
}

void sg_alltoall(sg_team team, unsigned member, const void *from, void *to, size_t size) {
    const call now("sg_alltoall", team, member);
    const std::size_t all = now.for_all(size);
    alltoall_for(now.as().members(), size)(now.as(), now.read(from, all), now.written(to, all));
}

void sg_reduce(sg_team team, unsigned member, unsigned root, const void *from, void *to,
               const sg_reduction *how) {
    const call now("sg_reduce", team, member);
    now.needs_member(root);
    const std::size_t size = now.size_of(how);
    reduce_for(now.as().members(), size)(now.as(), root, operation_of(*how), now.read(from, size),
                                         now.written(to, is_root(now.as(), root) ? size : 0));
}

void sg_allreduce(sg_team team, unsigned member, const void *from, void *to,
                  const sg_reduction *how) {
    const call now("sg_allreduce", team, member);
    const std::size_t size = now.size_of(how);
    allreduce_for(now.as().members(), size)(now.as(), operation_of(*how), now.read(from, size),
                                            now.written(to, size));
}

void sg_scan(sg_team team, unsigned member, const void *from, void *to, const sg_reduction *how) {
    const call now("sg_scan", team, member);
    const std::size_t size = now.size_of(how);
    scan_for(now.as().members(), size)(now.as(), operation_of(*how), now.read(from, size),
                                       now.written(to, size));
}

} // extern "C"
