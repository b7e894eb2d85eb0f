// SPDX-License-Identifier: MIT
// The search for a deadlock, and the line that names who waits for whom.
#include "mpi/core/waiting/deadlock.hpp"

#include "mpi/core/clock/order.hpp"
#include "mpi/core/communicators/communicators.hpp"
#include "mpi/core/reports/diagnostics.hpp"

#include <charconv>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

namespace saguaro::mpi {

namespace {

bool has_finalized(const rank_record &which) {
    return which.life.load(std::memory_order_relaxed) == life::finished;
}

// "rank 3 waits for 1 or 2".
std::string wait_of(const world &of, std::uint32_t r) {
    const rank_record &record = of.rank(r);
    std::string text = "rank " + std::to_string(r) + " waits for";
    unsigned waited_for = 0;
    for (std::uint32_t s = 0; s < of.size(); ++s)
        if ((of.waits_for(record)[s / 64].load(std::memory_order_relaxed) >> (s % 64) & 1) != 0) {
            if (++waited_for > 8)
                continue;
            text += (waited_for == 1 ? " " : " or ") + std::to_string(s);
            if (has_finalized(of.rank(s)))
                text += " (which has finalized)";
        }
    if (waited_for > 8)
        text += " or others";
    return text;
}

// The text that a rank has about its call.
std::string call_of(const rank_record &which) {
    std::uint64_t words[call_words];
    for (std::size_t i = 0; i < call_words; ++i)
        words[i] = which.in_call[i].load(std::memory_order_relaxed); // for a line alone
    char text[sizeof(words)];
    std::memcpy(text, words, sizeof(words));
    return {text, strnlen(text, sizeof(text))};
}

// "0 to 3, 5".
class ranks_in_words {
public:
    void add(std::uint32_t rank) {
        if (!text_.empty() && rank == last_ + 1) {
            last_ = rank;
            return;
        }
        end();
        first_ = last_ = rank;
        text_ += (text_.empty() ? "" : ", ") + std::to_string(rank);
    }
    std::string text() {
        end();
        first_ = last_;
        return text_;
    }

private:
    void end() {
        if (last_ != first_)
            text_ += (last_ == first_ + 1 ? ", " : " to ") + std::to_string(last_);
    }

    std::string text_;
    std::uint32_t first_ = 0;
    std::uint32_t last_ = 0;
};

// Who is in which call, unless all are in one: "; MPI_Barrier on MPI_COMM_WORLD: rank 0 to 3, 5".
std::string calls_of_all(const world &of) {
    std::map<std::string, ranks_in_words> calls;
    for (std::uint32_t r = 0; r < of.size(); ++r)
        if (!has_finalized(of.rank(r)))
            calls[call_of(of.rank(r))].add(r);
    std::string text;
    for (auto &[call, ranks] : calls)
        if (calls.size() > 1 && !call.empty()) // another machine's ranks tell nothing
            text += "; in " + call + ": rank " + ranks.text();
    return text;
}

} // namespace

// No memory of the program's is taken: which waits are so long depends on who is faster.
void tell_call(const world &of, std::uint32_t me, const awaited_event &what) {
    char text[call_words * sizeof(std::uint64_t)] = {};
    std::size_t used = 0;
    const auto add = [&](std::string_view more) {
        used += more.copy(text + used, sizeof(text) - 1 - used);
    };
    add(what.call);
    if (what.receive != nullptr && what.receive->on != nullptr) {
        const comm_object &on = *what.receive->on;
        add(" on ");
        if (!on.name.empty()) {
            add(on.name);
        } else {
            char size[16];
            const auto end = std::to_chars(size, size + sizeof(size), on.size()).ptr;
            add("a communicator of ");
            add({size, static_cast<std::size_t>(end - size)});
            add(" ranks");
        }
    }
    std::uint64_t words[call_words];
    std::memcpy(words, text, sizeof(words));
    for (std::size_t i = 0; i < call_words; ++i)
        of.rank(me).in_call[i].store(words[i], std::memory_order_relaxed); // for a line alone
}

void look_for_a_deadlock(const world &of, std::uint32_t me, known_bounds &bounds,
                         const char *call) {
    // A thread that computes may let a rank go on whose other threads all wait.
    if (of.head().has_threads.load(std::memory_order_relaxed) != 0)
        return;
    // The first of those that have not finalized looks, and says it: a snapshot takes a time with
    // the square of the ranks. Not while any rank runs, which each tells in its record.
    for (std::uint32_t r = 0; r < of.size(); ++r) {
        const rank_record &record = of.rank(r);
        if (has_finalized(record))
            continue;
        if (r < me || record.is_blocked.load(std::memory_order_relaxed) == 0)
            return;
    }
    if (!bounds.are_all_stuck())
        return;
    std::string names;
    for (std::uint32_t r = 0; r < of.size(); ++r) {
        if (has_finalized(of.rank(r)) || names.size() > 600)
            continue;
        names += (names.empty() ? "" : "; ") + wait_of(of, r);
    }
    fail("%s: deadlock, no rank can go on: %s%s%s", call, names.c_str(), calls_of_all(of).c_str(),
         order::by == order::rule::replay
             ? "; or -order replay has the file of another program, input or number of ranks"
             : "");
}

} // namespace saguaro::mpi
