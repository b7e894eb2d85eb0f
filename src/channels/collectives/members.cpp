// SPDX-License-Identifier: MIT
// Which members of teams this space has, and which of them the calling thread used last.
#include "channels/collectives/choice.hpp"
#include "channels/collectives/team.hpp"
#include "spmc/lines.hpp"

#include <map>
#include <mutex>
#include <pthread.h>
#include <utility>

namespace saguaro::channels {

namespace {

using member_name = std::pair<spmc::place, unsigned>;

struct all_members {
    std::mutex lock; // guards the rest
    std::map<member_name, std::unique_ptr<member>> known;
};

// Never destroyed: a thread may use a team until the process is gone.
all_members *here = nullptr;

// A child of a fork has none of its parent's members. Counted, so that no thread goes on with one
// that it used before the fork.
std::atomic<std::uint64_t> forks{1};

void forget_members() {
    here = new all_members;
    forks.fetch_add(1, std::memory_order_relaxed);
}

// What the calling thread is at present, in a collective.
constinit thread_local const member *acting = nullptr;

int describe_acting(char *text, std::size_t room) {
    return acting != nullptr ? acting->describe(text, room) : 0;
}

all_members &members_here() {
    static std::once_flag once;
    std::call_once(once, [] {
        here = new all_members;
        if (pthread_atfork(nullptr, nullptr, forget_members) != 0)
            spmc::give_up("no memory for what is to be done at a fork");
        spmc::set_activity(describe_acting);
    });
    return *here;
}

struct last_member {
    std::uint64_t fork = 0;
    spmc::place team = 0;
    unsigned number = 0;
    member *it = nullptr;
};
constinit thread_local last_member last_used_member;

} // namespace

void member::begin(const char *function) {
    function_ = function;
    acting = this;
}

void member::end() {
    acting = nullptr;
}

team_head &team_at(const char *function, spmc::place team) {
    spmc::job &all = spmc::job::mine();
    const bool is_within = team != 0 && team < all.control_bytes() / spmc::unit_bytes;
    if (!is_within || all.at<team_head>(team)->magic != team_magic ||
        all.at<team_head>(team)->no_consumers != 0)
        spmc::give_up("%s: there is no team 0x%x", function, team * 64U);
    return *all.at<team_head>(team);
}

member &member_of(const char *function, spmc::place team, unsigned number) {
    last_member &last = last_used_member;
    // Relaxed: only this process' one thread at a fork changes it.
    const std::uint64_t fork = forks.load(std::memory_order_relaxed);
    if (last.fork == fork && last.team == team && last.number == number) [[likely]]
        return *last.it;
    const team_head &head = team_at(function, team);
    if (number >= head.members)
        spmc::give_up("%s: team 0x%x has %u members, from 0; there is no member %u", function,
                      team * 64U, head.members, number);
    read_choice();
    all_members &mine = members_here();
    const std::lock_guard guard(mine.lock);
    std::unique_ptr<member> &known = mine.known[{team, number}];
    if (!known)
        known = std::make_unique<member>(spmc::job::mine(), team, number);
    known->check_caller();
    last = {fork, team, number, known.get()};
    return *known;
}

} // namespace saguaro::channels
