// SPDX-License-Identifier: MIT
// The tables of collective algorithms, the reader of SAGUARO_COLLECTIVE and the default choice.
#include "channels/collectives/choice.hpp"

#include "channels/variables.hpp"
#include "platform/forks.hpp"
#include "platform/settings.hpp"
#include "spmc/lines.hpp"

#include <string>
#include <string_view>

namespace saguaro::channels {

namespace {

template <class Function>
struct algorithm {
    const char *name;
    Function *run;
};

constexpr algorithm<barrier_algorithm> barriers[] = {{"flat", barrier_flat},
                                                     {"binomial", barrier_binomial},
                                                     {"dissemination", barrier_dissemination}};
constexpr algorithm<broadcast_algorithm> broadcasts[] = {{"flat", broadcast_flat},
                                                         {"binomial", broadcast_binomial},
                                                         {"chain", broadcast_chain},
                                                         {"multicast", broadcast_multicast}};
constexpr algorithm<reduce_algorithm> reductions[] = {
    {"flat", reduce_flat}, {"binomial", reduce_binomial}, {"pairwise", reduce_pairwise}};
constexpr algorithm<allreduce_algorithm> allreductions[] = {{"flat", allreduce_flat},
                                                            {"binomial", allreduce_binomial},
                                                            {"doubling", allreduce_doubling},
                                                            {"ring", allreduce_ring},
                                                            {"multicast", allreduce_multicast}};
constexpr algorithm<scan_algorithm> scans[] = {
    {"flat", scan_flat}, {"chain", scan_chain}, {"doubling", scan_doubling}};
constexpr algorithm<gather_algorithm> gathers[] = {{"flat", gather_flat},
                                                   {"binomial", gather_binomial}};
constexpr algorithm<scatter_algorithm> scatters[] = {{"flat", scatter_flat},
                                                     {"binomial", scatter_binomial}};
constexpr algorithm<alltoall_algorithm> exchanges[] = {
    {"flat", alltoall_flat}, {"pairwise", alltoall_pairwise}, {"bruck", alltoall_bruck}};

// What SAGUARO_COLLECTIVE names; null: nothing.
struct choices {
    barrier_algorithm *barrier = nullptr;
    broadcast_algorithm *broadcast = nullptr;
    reduce_algorithm *reduce = nullptr;
    allreduce_algorithm *allreduce = nullptr;
    scan_algorithm *scan = nullptr;
    gather_algorithm *gather = nullptr;
    scatter_algorithm *scatter = nullptr;
    alltoall_algorithm *alltoall = nullptr;
};

constexpr unsigned few_members = 8;
constexpr std::size_t large_size = 64 * 1024;

// If `operation` is what the setting names before its colon, stores the algorithm that it names
// behind it.
template <class Function, std::size_t Count>
bool store_choice(std::string_view entry, std::string_view operation,
                  const algorithm<Function> (&all)[Count], Function *&out) {
    const std::size_t colon = entry.find(':');
    if (colon == entry.npos || entry.substr(0, colon) != operation)
        return false;
    std::string accepted;
    for (const algorithm<Function> &each : all) {
        if (entry.substr(colon + 1) == each.name) {
            out = each.run;
            return true;
        }
        accepted.append(accepted.empty() ? "" : ", ").append(operation) += ':';
        accepted += each.name;
    }
    spmc::give_up("%s: %.*s is not accepted: one of %s", variables::collective.name,
                  static_cast<int>(entry.size()), entry.data(), accepted.c_str());
}

void store_entry(std::string_view entry, choices &named) {
    const bool is_known = store_choice(entry, "barrier", barriers, named.barrier) ||
                          store_choice(entry, "broadcast", broadcasts, named.broadcast) ||
                          store_choice(entry, "reduce", reductions, named.reduce) ||
                          store_choice(entry, "allreduce", allreductions, named.allreduce) ||
                          store_choice(entry, "scan", scans, named.scan) ||
                          store_choice(entry, "gather", gathers, named.gather) ||
                          store_choice(entry, "scatter", scatters, named.scatter) ||
                          store_choice(entry, "alltoall", exchanges, named.alltoall);
    if (!is_known)
        spmc::give_up("%s: '%.*s' is not accepted: OPERATION:ALGORITHM, and a comma between "
                      "several; operations are barrier, broadcast, reduce, allreduce, scan, "
                      "gather, scatter, alltoall",
                      variables::collective.name, static_cast<int>(entry.size()), entry.data());
}

choices read_choices() {
    choices named;
    const char *const set = platform::value_of(variables::collective);
    if (set == nullptr || std::string_view(set) == "auto")
        return named;
    std::string_view rest = set;
    for (;;) {
        const std::size_t comma = rest.find(',');
        store_entry(rest.substr(0, comma), named);
        if (comma == rest.npos)
            return named;
        rest.remove_prefix(comma + 1);
    }
}

const choices &named() {
    static constinit platform::made_once<choices> read;
    return read.get(read_choices);
}

template <class Function>
Function *named_or(Function *choices::*operation, Function *usual) {
    Function *const chosen = named().*operation;
    return chosen != nullptr ? chosen : usual;
}

} // namespace

void read_choice() {
    named();
}

// The thresholds are measured: README.md of the folder above, "Which algorithm is chosen".

barrier_algorithm *barrier_for(unsigned members) {
    return named_or(&choices::barrier,
                    members <= few_members ? barrier_dissemination : barrier_flat);
}

broadcast_algorithm *broadcast_for(unsigned, std::size_t) {
    return named_or(&choices::broadcast, broadcast_multicast);
}

reduce_algorithm *reduce_for(unsigned, std::size_t size) {
    return named_or(&choices::reduce, size <= large_size ? reduce_flat : reduce_binomial);
}

allreduce_algorithm *allreduce_for(unsigned members, std::size_t size) {
    allreduce_algorithm *const of_small =
        members < few_members ? allreduce_doubling : allreduce_flat;
    return named_or(&choices::allreduce, size > large_size ? allreduce_multicast : of_small);
}

scan_algorithm *scan_for(unsigned members, std::size_t size) {
    return named_or(&choices::scan,
                    members <= few_members / 2 && size < large_size ? scan_chain : scan_flat);
}

gather_algorithm *gather_for(unsigned, std::size_t) {
    return named_or(&choices::gather, gather_flat);
}

scatter_algorithm *scatter_for(unsigned, std::size_t) {
    return named_or(&choices::scatter, scatter_flat);
}

alltoall_algorithm *alltoall_for(unsigned, std::size_t) {
    return named_or(&choices::alltoall, alltoall_flat);
}

} // namespace saguaro::channels
