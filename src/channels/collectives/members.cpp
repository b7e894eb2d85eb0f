// SPDX-License-Identifier: MIT
// Which members of teams this space has, and which of them the calling thread used last.
#include "channels/collectives/choice.hpp"
#include "channels/collectives/team.hpp"
#include "channels/per_process.hpp"
#include "spmc/lines.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace saguaro::channels {

namespace {

using member_name = std::pair<spmc::place, unsigned>;

struct all_members {
    std::mutex lock; // guards the rest
    std::map<member_name, std::unique_ptr<member>> known;
};

// What the calling thread is at present, in a collective.
constinit thread_local const member *acting = nullptr;

int describe_acting(char *text, std::size_t room) {
    return acting != nullptr ? acting->describe(text, room) : 0;
}

void describe_members() {
    spmc::set_activity(describe_acting);
}

using members_here = per_process<all_members, describe_members>;

[[gnu::constructor]] void renew_members_in_children() {
    members_here::renew_in_children();
}

struct last_member {
    std::uint64_t process = 0;
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
    const std::uint64_t process = members_here::number();
    if (last.process == process && last.team == team && last.number == number) [[likely]]
        return *last.it;
    const team_head &head = team_at(function, team);
    if (number >= head.members)
        spmc::give_up("%s: team 0x%x has %u members, from 0; there is no member %u", function,
                      team * 64U, head.members, number);
    read_choice();
    all_members &mine = members_here::get();
    const std::lock_guard guard(mine.lock);
    std::unique_ptr<member> &known = mine.known[{team, number}];
    if (!known)
        known = std::make_unique<member>(spmc::job::mine(), team, number);
    known->check_caller();
    last = {process, team, number, known.get()};
    return *known;
}

} // namespace saguaro::channels
