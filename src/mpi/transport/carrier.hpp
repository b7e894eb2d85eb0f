// SPDX-License-Identifier: MIT
// Carries messages and bounds between the ranks of this machine and those of others. README.md
#pragma once

#include "mpi/core/clock/clock_board.hpp"
#include "mpi/core/rings/rings.hpp"
#include "mpi/transport/link.hpp"
#include "mpi/transport/picture.hpp"
#include "mpi/transport/shares.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace saguaro::mpi::transport {

// How the job ends on this host or on others.
struct ending {
    bool is_over = false; // no rank is left
    int code = 0;         // the exit code
    bool fails = false;   // all others shall end, with the code
};

class carrier {
public:
    // The world has been divided, and no rank has begun. A host that was begun with another text is
    // refused.
    carrier(const world &of, const shares &among, link &by, std::string in_common = "");

    // Carries what there is to carry. False if there was nothing.
    bool turn();

    // What has become of the ranks of this host: any time, the same once more or something later.
    void tell(const ending &own);

    // Another host has failed: the ranks of this one shall end.
    bool fails_elsewhere() const { return fails_elsewhere_; }
    // The first exit code other than 0 that another host has told, with a failure or with its end;
    // or 0.
    int code_elsewhere() const { return code_elsewhere_; }
    // No rank is left on any host, and all of them know.
    bool is_over() const { return is_over_; }

    // A host that sends nothing for so long is gone, in ns: then `lost` is called with its number.
    std::int64_t most_silence = 5'000'000'000;
    std::function<void(std::uint32_t)> lost = [](std::uint32_t) {};

private:
    struct host {
        byte_row in; // that has come, from `read` on
        std::size_t read = 0;
        bool has_no_room = false;    // a reader's ring: nothing behind that is read
        byte_row out;                // to be sent at the end of the turn
        std::uint32_t next_ring = 0; // to it, which is carried next
        bool is_over = false;        // it has no rank left
        std::int64_t heard = 0;
        std::int64_t spoke = 0;
    };

    bool receive(std::uint32_t from);
    bool obey(std::uint32_t from, std::uint32_t kind, unpacker &what);
    bool put_into_ring(std::uint32_t from, unpacker &what);
    void learn_code(unpacker &what);
    bool is_ending() const { return own_.is_over || own_.fails || fails_elsewhere_; }
    void learn(std::uint32_t from, unpacker &what);
    void learn_state(std::uint32_t which, rank_state now);
    void raise_bounds();

    void look_at_own();
    rank_state state_of(std::uint32_t which, const wait_graph &seen) const;
    bool carry_to(std::uint32_t to, bool &is_all);
    bool carry(std::uint32_t reader, std::uint32_t writer, std::uint32_t to, std::size_t part);
    bool report();

    void frame(std::uint32_t to, std::uint32_t kind, const byte_row &what);
    void frame_for_all(std::uint32_t kind, const byte_row &what);
    void frame_record(std::uint32_t to, std::uint32_t reader, std::uint32_t writer,
                      const record &from);
    void mind_silence(std::int64_t now);

    in_ring &from_here(std::uint32_t writer, std::uint32_t reader) {
        return in_[std::size_t{writer - shares_.begin(shares_.me())} * shares_.ranks() + reader];
    }
    out_ring &to_here(std::uint32_t writer, std::uint32_t reader) {
        return out_[std::size_t{reader - shares_.begin(shares_.me())} * shares_.ranks() + writer];
    }

    world world_;
    shares shares_;
    link &link_;
    const std::string in_common_;
    clock_board board_;
    std::vector<host> hosts_;
    std::vector<in_ring> in_;   // from each rank of this host to each other one
    std::vector<out_ring> out_; // the other way around
    // What is known of all. Of the own ranks it is what the last report says.
    picture picture_;
    std::vector<rank_state> looked_; // the own ranks, in this turn
    host_counts counts_;             // of this host, by now
    wait_graph graph_;
    clock_bounds bounds_;
    bool is_changed_ = false; // `picture_`, since bounds were derived
    std::uint32_t told_flags_ = 0;
    std::int64_t reported_ = 0; // when
    std::int64_t last_turn_ = 0;
    ending own_;
    bool has_told_failure_ = false;
    bool has_told_end_ = false;
    bool fails_elsewhere_ = false;
    int code_elsewhere_ = 0;
    bool is_over_ = false;
};

} // namespace saguaro::mpi::transport
