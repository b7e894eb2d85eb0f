// SPDX-License-Identifier: MIT
// The tables of control and performance variables, and how each is read.
#include "mpi/core/tools/variables.hpp"

#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/process/process.hpp"
#include "spmc/variables.hpp"

#include <array>
#include <cstdlib>
#include <map>

namespace saguaro::mpi::tools {

namespace {

constexpr std::array<category_row, 5> all_categories{{
    {"saguaro", "all that this library shows", category::library},
    {"saguaro_messages", "what this rank sends and receives", category::library},
    {"saguaro_waiting", "how long this rank waits, and for what", category::library},
    {"saguaro_objects", "what this rank has made and not freed", category::library},
    {"saguaro_settings", "what was set when the job began, and what never changes",
     category::library},
}};

constexpr std::array<control_row, 5> all_controls{{
    {spmc::variables::enforce.name, "1: memory that a space must not write is protected", 0,
     &spmc::variables::enforce, category::settings},
    {spmc::variables::randomize.name, "1: addresses differ between runs", 0,
     &spmc::variables::randomize, category::settings},
    {spmc::variables::trace.name, "the file to which the steps of spaces are written", 0,
     &spmc::variables::trace, category::settings},
    {"saguaro_most_in_ring", "bytes up to which a message lies in the ring between two ranks",
     static_cast<int>(most_in_ring), nullptr, category::messages},
    {"saguaro_greatest_tag", "MPI_TAG_UB", greatest_tag, nullptr, category::messages},
}};

rank_counters counted() {
    return rank::mine != nullptr ? rank::mine->counters : rank_counters{};
}

constexpr std::array<const char *, 3> states{"before MPI_Init", "active", "after MPI_Finalize"};
constexpr enumeration states_of_process{"saguaro_process_states", states};

std::uint64_t state() {
    return process::mine == nullptr ? 0 : core::active() ? 1 : 2;
}

template <std::uint64_t rank_counters::*member>
std::uint64_t counter() {
    return counted().*member;
}

template <auto table>
std::uint64_t live() {
    return process::mine != nullptr ? (process::mine->*table).live() : 0;
}

std::uint64_t clock_of_rank() {
    return rank::mine != nullptr ? rank::mine->clock() : 0;
}

std::uint64_t live_types() {
    return process::mine != nullptr ? static_cast<std::uint64_t>(process::mine->types.in_use()) : 0;
}

constexpr std::array<performance_row, 11> all_performances{{
    {"saguaro_messages_sent", "messages, those of collectives included", abi::t_pvar_class_counter,
     counter<&rank_counters::messages_sent>, nullptr, category::messages},
    {"saguaro_bytes_sent", "bytes of data in these messages", abi::t_pvar_class_aggregate,
     counter<&rank_counters::bytes_sent>, nullptr, category::messages},
    {"saguaro_wildcards_decided", "receives from any source that have got their message",
     abi::t_pvar_class_counter, counter<&rank_counters::wildcards_decided>, nullptr,
     category::messages},
    {"saguaro_blocked_waits", "waits for what had not come yet", abi::t_pvar_class_counter,
     counter<&rank_counters::blocked_waits>, nullptr, category::waiting},
    {"saguaro_blocked_ns", "nanoseconds in these waits", abi::t_pvar_class_timer,
     counter<&rank_counters::blocked_ns>, nullptr, category::waiting},
    {"saguaro_order_ns", "nanoseconds in those of them that asked for the clocks of other ranks",
     abi::t_pvar_class_timer, counter<&rank_counters::order_ns>, nullptr, category::waiting},
    {"saguaro_clock", "the logical clock of the rank", abi::t_pvar_class_counter, clock_of_rank,
     nullptr, category::waiting},
    {"saguaro_requests", "requests that are not freed", abi::t_pvar_class_level,
     live<&process::requests>, nullptr, category::objects},
    {"saguaro_communicators", "communicators that the program has made and not freed",
     abi::t_pvar_class_level, live<&process::comms>, nullptr, category::objects},
    {"saguaro_datatypes", "datatypes that the program has made and not freed",
     abi::t_pvar_class_level, live_types, nullptr, category::objects},
    {"saguaro_process_state", "where the process is between its beginning and its end",
     abi::t_pvar_class_state, state, &states_of_process, category::library},
}};

} // namespace

std::span<const category_row> categories() {
    return all_categories;
}

std::span<const control_row> controls() {
    return all_controls;
}

const std::string &setting(const control_row &of) {
    static auto &all = *new std::map<std::string, std::string>([] {
        std::map<std::string, std::string> read;
        for (const control_row &each : all_controls)
            if (const char *const value = each.is_string() ? platform::value_of(*each.of) : nullptr)
                read[each.name] = value;
        return read;
    }());
    return all[of.name];
}

bool performance_row::is_counted() const {
    return variable_class == abi::t_pvar_class_counter ||
           variable_class == abi::t_pvar_class_aggregate ||
           variable_class == abi::t_pvar_class_timer;
}

std::span<const performance_row> performances() {
    return all_performances;
}

} // namespace saguaro::mpi::tools
