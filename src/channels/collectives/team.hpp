// SPDX-License-Identifier: MIT
// A team of spaces, or threads: its place in the job's memory, and one member of it as a transport
// for collectives, over channels of channel.hpp.
//
// There is a channel for each pair of members that has sent anything, and one for each member that
// has published anything, whose consumers are all others. The producer makes it when it sends
// first, and stores its place in the team's table. The consumer waits for that word, and then for
// messages.
#pragma once

#include "channels/channel.hpp"
#include "channels/collectives/transport.hpp"

#include <atomic>
#include <memory>
#include <vector>

namespace saguaro::channels {

inline constexpr unsigned most_members = 1024;

// Set in a word of the table by who sleeps on it. No place is so large.
inline constexpr std::uint32_t awaits_channel = std::uint32_t{1} << 31;

// As it lies in the control area.
struct team_head {
    std::uint32_t no_consumers; // 0: a channel's head begins with another number
    std::uint32_t magic;
    std::uint32_t members;
    spmc::place slots;    // an array of words: the space that each member is in; 0: not known yet
    spmc::place channels; // an array of words: row `from`, column `to`; both equal: published
};
inline constexpr std::uint32_t team_magic = 0x5445414d; // "TEAM"

// A team's place; 0 if there is no memory.
spmc::place make_team(job &all, unsigned members);

// One member. One thread uses it.
class member final : public transport {
public:
    // The calling thread becomes that member. Ends this space with a line if another is.
    member(job &all, spmc::place team, unsigned number);

    // Ends this space with a line if the caller is not the thread that began.
    void check_caller() const;

    void send_piece(unsigned to, const_bytes data) override;
    const std::byte *receive_piece(unsigned from, std::size_t size) override;
    void done_with(unsigned from) override;
    void publish_piece(const_bytes data) override;
    const std::byte *read_piece(unsigned from, std::size_t size) override;
    void done_reading(unsigned from) override;

    spmc::place team() const { return team_; }

    // From the begin of a collective to its end, lines of the calling thread name it, and with whom
    // it is busy.
    void begin(const char *function);
    static void end();
    int describe(char *text, std::size_t room) const;

private:
    // A channel from another member. Small messages lie in it where their type may not.
    struct incoming {
        std::unique_ptr<receiver> end;
        alignas(64) std::byte small[(most_inline + 63) / 64 * 64];
    };

    std::atomic<std::uint32_t> &word_of(unsigned from, unsigned to) const;
    sender &open(unsigned to);
    receiver &find(unsigned from, unsigned to);
    void send_on(std::unique_ptr<sender> &end, unsigned to, const_bytes data);
    const std::byte *take(incoming &in, unsigned from, unsigned to, std::size_t size);

    job &all_;
    const spmc::place team_;
    std::atomic<spmc::slot> *const slots_;
    std::atomic<std::uint32_t> *const channels_;
    std::vector<std::unique_ptr<sender>> outgoing_; // its own: what it publishes
    std::vector<incoming> incoming_;
    std::vector<incoming> published_;
    const char *function_ = "";
    unsigned peer_ = 0;
    const std::uint64_t thread_;
};

// The member of the team that the calling thread is; it becomes that if nobody is yet. Ends this
// space with a line, which names the function, if there is no such team or member.
member &member_of(const char *function, spmc::place team, unsigned number);

// The team, which must be one. Otherwise the same.
team_head &team_at(const char *function, spmc::place team);

} // namespace saguaro::channels
