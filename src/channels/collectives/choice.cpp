// SPDX-License-Identifier: MIT
// The tables of collective algorithms, the reader of SAGUARO_COLLECTIVE and the default choice.
#include "channels/collectives/choice.hpp"

#include "channels/variables.hpp"
#include "platform/settings.hpp"
#include "spmc/lines.hpp"

#include <mutex>
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
struct {
    barrier_algorithm *barrier;
    broadcast_algorithm *broadcast;
    reduce_algorithm *reduce;
    allreduce_algorithm *allreduce;
    scan_algorithm *scan;
    gather_algorithm *gather;
    scatter_algorithm *scatter;
    alltoall_algorithm *alltoall;
} constinit named{};

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

void store_entry(std::string_view entry) {
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

} // namespace

void read_choice() {
    static std::once_flag once;
    std::call_once(once, [] {
        const char *const set = platform::value_of(variables::collective);
        if (set == nullptr || std::string_view(set) == "auto")
            return;
        std::string_view rest = set;
        for (;;) {
            const std::size_t comma = rest.find(',');
            store_entry(rest.substr(0, comma));
            if (comma == rest.npos)
                return;
            rest.remove_prefix(comma + 1);
        }
    });
}

// The thresholds are measured: README.md of the folder above, "Which algorithm is chosen".

barrier_algorithm *barrier_for(unsigned members) {
    if (named.barrier != nullptr)
        return named.barrier;
    return members <= few_members ? barrier_dissemination : barrier_flat;
}

broadcast_algorithm *broadcast_for(unsigned, std::size_t) {
    return named.broadcast != nullptr ? named.broadcast : broadcast_multicast;
}

reduce_algorithm *reduce_for(unsigned, std::size_t size) {
    if (named.reduce != nullptr)
        return named.reduce;
    return size <= large_size ? reduce_flat : reduce_binomial;
}

allreduce_algorithm *allreduce_for(unsigned members, std::size_t size) {
    if (named.allreduce != nullptr)
        return named.allreduce;
    if (size > large_size)
        return allreduce_multicast;
    return members < few_members ? allreduce_doubling : allreduce_flat;
}

scan_algorithm *scan_for(unsigned members, std::size_t size) {
    if (named.scan != nullptr)
        return named.scan;
    return members <= few_members / 2 && size < large_size ? scan_chain : scan_flat;
}

gather_algorithm *gather_for(unsigned, std::size_t) {
    return named.gather != nullptr ? named.gather : gather_flat;
}

scatter_algorithm *scatter_for(unsigned, std::size_t) {
    return named.scatter != nullptr ? named.scatter : scatter_flat;
}

alltoall_algorithm *alltoall_for(unsigned, std::size_t) {
    return named.alltoall != nullptr ? named.alltoall : alltoall_flat;
}

} // namespace saguaro::channels
