// SPDX-License-Identifier: MIT
// Simulated memory: on which node each page is, and what its lines take on their way.
#pragma once

#include "costs.hpp"
#include "machine.hpp"
#include "program.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace saguaro::sim {

// Where the pages of all objects are.
struct placement {
    std::optional<layout> where; // nothing: as the recording says
    unsigned node = 0;           // of on_node: the kernel's number
    // Objects that the program makes once it has spawned, its temporaries, are where they are
    // touched first.
    bool has_local_temporaries = false;
};

// What memory has taken, beyond the work.
struct traffic {
    std::uint64_t own_lines = 0;
    std::vector<std::uint64_t> remote_lines; // by the machine's levels
    ps distance = 0; // how much longer the ways to other nodes took than to the own one
    ps queues = 0;   // what lines waited because memory and links were busy
    std::uint64_t wrapped_nodes = 0; // objects recorded on a node that the machine has not
};

class memory {
public:
    memory(const machine &on, const costs &c, const placement &where);

    void make(const object_event &o, bool is_temporary);
    void free(std::uint64_t id);

    // A worker of `node` misses these bytes at `now`, after it has worked for `slack` since its
    // last misses; lines travel meanwhile. Returns how much longer that takes it than the work
    // says, which has the time of local lines.
    ps touch(const range_event &r, unsigned node, ps now, ps slack);

    const traffic &seen() const { return seen_; }

private:
    struct object {
        std::uint64_t bytes = 0;
        layout where = layout::first_touch;
        unsigned node = 0;
        // Of first_touch: the node of each page, or nobody's. In pieces, which are made when a page
        // of theirs is touched: a program may reserve far more than it uses.
        std::vector<std::vector<std::uint16_t>> pieces;
    };
    // Memory or a link, which serves one line after the other.
    struct channel {
        ps free_at = 0;
    };

    unsigned node_of_page(object &o, std::uint64_t page, unsigned toucher);
    void count_lines(const range_event &r, unsigned node);
    ps pass(channel &through, ps service, ps since) const;
    ps transfer(unsigned to, unsigned from, std::uint64_t lines, ps now, ps slack);

    const machine &machine_;
    placement placement_;
    ps line_;
    ps line_in_memory_;            // what a line keeps the memory of a node busy
    std::vector<ps> line_in_link_; // by levels
    std::vector<object> objects_;
    std::vector<channel> memories_;
    std::vector<std::vector<channel>> links_;
    std::vector<std::uint64_t> lines_; // of a touch, by nodes
    std::vector<unsigned> nodes_touched_;
    traffic seen_;
};

} // namespace saguaro::sim
