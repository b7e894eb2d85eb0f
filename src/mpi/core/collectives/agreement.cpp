// SPDX-License-Identifier: MIT
// Comparing the collective calls of ranks, and the words for those that do not fit.
#include "mpi/core/collectives/agreement.hpp"

#include "mpi/core/collectives/collective.hpp"
#include "mpi/core/collectives/values.hpp"
#include "mpi/core/communicators/making.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/reports/leaks.hpp"
#include "mpi/core/reports/misfits.hpp"
#include "mpi/datatypes/signature_hash.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace saguaro::mpi {

bool compares_calls = false;

void begin_comparing_calls() {
    compares_calls = is_checking();
}

namespace {

std::string name_of_operator(op which) {
    static constexpr struct {
        op which;
        const char *name;
    } names[] = {
        {op::sum, "MPI_SUM"},         {op::min, "MPI_MIN"},       {op::max, "MPI_MAX"},
        {op::prod, "MPI_PROD"},       {op::band, "MPI_BAND"},     {op::bor, "MPI_BOR"},
        {op::bxor, "MPI_BXOR"},       {op::land, "MPI_LAND"},     {op::lor, "MPI_LOR"},
        {op::lxor, "MPI_LXOR"},       {op::minloc, "MPI_MINLOC"}, {op::maxloc, "MPI_MAXLOC"},
        {op::replace, "MPI_REPLACE"}, {op::no_op, "MPI_NO_OP"}};
    for (const auto &each : names)
        if (each.which == which)
            return each.name;
    return "the program's own operator";
}

std::string name_of_type(datatype which) {
    const std::string_view name = process::mine->types.name_of(which);
    return name.empty() ? "a derived type" : std::string(name);
}

// "MPI_Reduce(2 of MPI_INT, MPI_SUM, root 0)".
std::string in_words(const described_call &what) {
    std::string inside;
    const auto add = [&](const std::string &each) {
        inside += (inside.empty() ? "" : ", ") + each;
    };
    if (what.count != described_call::no_count)
        add(std::to_string(what.count) + " of " + name_of_type(what.type));
    else if (what.type != datatype::null)
        add(name_of_type(what.type));
    if (what.operation != op::null)
        add(name_of_operator(what.operation));
    if (what.root == abi::root)
        add("MPI_ROOT");
    else if (what.root == abi::proc_null)
        add("MPI_PROC_NULL");
    else if (what.root != described_call::no_root)
        add("root " + std::to_string(what.root));
    return what.call.name() + (inside.empty() ? "" : "(" + inside + ")");
}

std::uint32_t root_in_world(const comm_object &on, int root) {
    if (root == described_call::no_root)
        return 0; // of each rank
    if (root == abi::root)
        return rank::mine->number();
    return root < 0 ? call_message::any_root : on.world_rank(root);
}

// A type alone counts as one element of it.
std::uint64_t signature_of(const described_call &what) {
    const type_pointer *const type = find_type(what.type);
    return type == nullptr ? 0 : signature_hash(**type, what.count < 0 ? 1 : what.count);
}

bool fit(const call_message &a, const call_message &b) {
    const bool same_root =
        a.root == b.root || a.root == call_message::any_root || b.root == call_message::any_root;
    // A rank of an intercommunicator that takes no part knows only the call.
    const bool same_operation = a.operation == b.operation || a.operation == 0 || b.operation == 0;
    const bool same_elements = a.signature == b.signature || a.signature == 0 || b.signature == 0;
    return a.mark == b.mark && same_root && same_operation && same_elements;
}

std::string rank_in_words(std::uint32_t rank) {
    return "rank " + std::to_string(rank);
}

} // namespace

std::string name_of(const comm_object &which) {
    return !which.name.empty() ? which.name
                               : "a communicator of " + std::to_string(which.size()) + " ranks";
}

call_message message_of(const described_call &what, const comm_object &on) {
    call_message made{};
    made.signature = signature_of(what);
    made.root = root_in_world(on, what.root);
    // Handles of the program's own operators may differ: they are all one here.
    made.operation = is_predefined(what.operation) ? number(what.operation) : first_dynamic;
    made.operation = what.operation == op::null ? 0 : made.operation;
    made.mark = what.call.mark();
    const std::string text = in_words(what);
    std::copy_n(text.data(), std::min(text.size(), made.text.size() - 1), made.text.data());
    return made;
}

void compare_calls(const comm_object &on, std::uint32_t rank, const call_message &mine,
                   std::uint32_t other, const call_message &others, const char *function) {
    if (fit(mine, others))
        return;
    misfits::note(std::string(mine.text.data()) + " of " + rank_in_words(rank) + " on " +
                  name_of(on) + " does not fit " + others.text.data() + " of " +
                  rank_in_words(other));
    misfits::end_job(function, abi::err_other);
}

void compare_calls(comm_object &on, const described_call &what) {
    const call_message mine = message_of(what, on);
    comm_object united = unnamed_comm(on.context, united_group(on), nullptr);
    const std::vector<std::uint32_t> &members = united.local->members;
    collective all(united, what.call.name(), 0);
    if (united.rank != 0) {
        char go = 0;
        all.send(0, bytes_at(&mine, sizeof(mine)));
        all.receive(0, bytes_at(&go, 1));
        return;
    }
    std::vector<call_message> others(members.size());
    for (int r = 1; r < all.size(); ++r)
        all.receive(r, bytes_at(&others[static_cast<std::size_t>(r)], sizeof(call_message)));
    for (std::size_t r = 1; r < members.size(); ++r)
        compare_calls(on, members[0], mine, members[r], others[r], what.call.name());
    const char go = 1;
    all.send_to_all(bytes_at(&go, 1));
}

std::uint16_t hash_of_elements(const typed_buffer &what) {
    if (what.type == nullptr)
        return 0;
    const std::uint64_t hash = signature_hash(*what.type, what.count);
    if (hash == 0)
        return 0;
    const auto folded = static_cast<std::uint16_t>(hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48);
    return folded != 0 ? folded : 1;
}

bool fits_collective(const got_message &got, const comm_object &on, collective_call call,
                     std::uint32_t number, const typed_buffer &to) {
    const auto below = static_cast<std::uint16_t>(got.number);
    const auto expected = static_cast<std::uint16_t>(number);
    const bool has_order = !compares_calls;
    const bool fits_below = below == expected || (!has_order && (below == 0 || expected == 0));
    const auto room = static_cast<std::uint64_t>(to.bytes);
    if (mark_in(got.number) == call.mark() && fits_below && !got.is_cut && got.bytes == room)
        return true;
    const std::string other = rank_in_words(got.from);
    std::string text = std::string(call.name()) + " on " + name_of(on);
    if (mark_in(got.number) != call.mark()) {
        const char *const others = name_of_call(mark_in(got.number));
        text += std::string(" does not fit ") + (others != nullptr ? others : "another call") +
                ", which " + other + " has called";
    } else if (has_order && !fits_below) {
        const bool is_old = static_cast<std::int16_t>(below - expected) < 0;
        text += " does not fit " + other + "'s, which is " + (is_old ? "an earlier" : "a later") +
                " one: roots, or the order of calls, do not agree";
    } else if (got.is_cut || got.bytes != room) {
        text += ": " + other + " has given " +
                (got.is_cut ? "more than " + std::to_string(room) : std::to_string(got.bytes)) +
                " bytes, and " + std::to_string(room) +
                " belong here: the counts or types of the ranks do not agree";
    } else {
        text += ": " + other + " has given elements of other types than belong here";
    }
    misfits::note(std::move(text));
    return false;
}

} // namespace saguaro::mpi
