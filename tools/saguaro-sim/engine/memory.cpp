// SPDX-License-Identifier: MIT
// Placing pages at their first touch, and passing lines through channels.
#include "memory.hpp"

#include "numa/whereabouts.hpp"

#include <algorithm>

namespace saguaro::sim {

namespace {

constexpr std::uint16_t nobody = UINT16_MAX;

constexpr std::uint64_t piece_pages = piece_bytes / page_bytes;

// What a line takes of so many GB/s; 0 is without bound.
ps line_at(double gigabytes) {
    return gigabytes <= 0 ? 0 : nanoseconds(static_cast<double>(line_bytes) / gigabytes);
}

std::uint64_t page_count(std::uint64_t bytes) {
    return (bytes + page_bytes - 1) / page_bytes;
}

} // namespace

memory::memory(const machine &on, const costs &c, const placement &where)
    : machine_(on), placement_(where), line_(nanoseconds(c.line)),
      line_in_memory_(line_at(c.node_bandwidth)), memories_(on.nodes()), lines_(on.nodes(), 0) {
    for (std::size_t level = 0; level < on.levels().size(); ++level) {
        const double bandwidth = c.link_bandwidth[std::min(level, c.link_bandwidth.size() - 1)];
        line_in_link_.push_back(line_at(bandwidth));
        links_.emplace_back(on.links(level));
    }
    seen_.remote_lines.assign(on.levels().size(), 0);
}

void memory::make(const object_event &o, bool is_temporary) {
    object made;
    made.bytes = o.bytes;
    made.where = is_temporary && placement_.has_local_temporaries
                     ? layout::first_touch
                     : placement_.where.value_or(o.where);
    const std::uint64_t node = placement_.where ? placement_.node : o.node;
    const std::optional<unsigned> found = machine_.find_node(node);
    made.node = found.value_or(static_cast<unsigned>(node % machine_.nodes()));
    seen_.wrapped_nodes += made.where == layout::on_node && !found;
    if (objects_.size() <= o.id)
        objects_.resize(o.id + 1);
    objects_[o.id] = std::move(made);
}

void memory::free(std::uint64_t id) {
    objects_[id] = {};
}

unsigned memory::node_of_page(object &o, std::uint64_t page, unsigned toucher) {
    const std::uint64_t nodes = machine_.nodes();
    switch (o.where) {
    case layout::on_node:
        return o.node;
    case layout::round_robin:
        return static_cast<unsigned>(page % nodes);
    case layout::blocked:
        return static_cast<unsigned>(numa::block_of_page(page, page_count(o.bytes), nodes));
    case layout::first_touch:
        break;
    }
    if (o.pieces.empty())
        o.pieces.resize((page_count(o.bytes) + piece_pages - 1) / piece_pages);
    const std::uint64_t first = page / piece_pages * piece_pages;
    std::vector<std::uint16_t> &piece = o.pieces[page / piece_pages];
    if (piece.empty())
        piece.assign(std::min(piece_pages, page_count(o.bytes) - first), nobody);
    std::uint16_t &node = piece[page - first];
    if (node == nobody)
        node = static_cast<std::uint16_t>(toucher);
    return node;
}

// Fills lines_ and nodes_touched_.
void memory::count_lines(const range_event &r, unsigned node) {
    nodes_touched_.clear();
    object &o = objects_[r.id];
    const std::uint64_t end = r.offset + r.bytes;
    for (std::uint64_t at = r.offset; at < end;) {
        const std::uint64_t page = at / page_bytes;
        const std::uint64_t stop = std::min(end, (page + 1) * page_bytes);
        const unsigned from = node_of_page(o, page, node);
        if (lines_[from] == 0)
            nodes_touched_.push_back(from);
        lines_[from] += (stop - 1) / line_bytes - at / line_bytes + 1;
        at = stop;
    }
}

// Returns when the last line is through.
ps memory::pass(channel &through, ps service, ps since) const {
    through.free_at = std::max(through.free_at, since) + service;
    return through.free_at;
}

// Lines of one node for another. They travel while the worker works: what passes a channel may
// have begun when the work since the last misses did. So a worker waits only for what is busy
// with the lines of others.
ps memory::transfer(unsigned to, unsigned from, std::uint64_t lines, ps now, ps slack) {
    const ps count = static_cast<ps>(lines);
    const ps since = now - slack;
    ps through = pass(memories_[from], count * line_in_memory_, since);
    const std::size_t crossed = machine_.crossed(to, from);
    for (std::size_t level = 0; level < crossed; ++level) {
        const ps service = count * line_in_link_[level];
        through =
            std::max({through, pass(links_[level][machine_.link(level, from)], service, since),
                      pass(links_[level][machine_.link(level, to)], service, since)});
    }
    if (crossed == 0)
        seen_.own_lines += lines;
    else
        seen_.remote_lines[crossed - 1] += lines;
    const ps distance =
        static_cast<ps>(static_cast<double>(count * line_) * (machine_.latency(to, from) - 1));
    const ps waited = std::max<ps>(0, through - now - distance);
    seen_.distance += distance;
    seen_.queues += waited;
    return distance + waited;
}

ps memory::touch(const range_event &r, unsigned node, ps now, ps slack) {
    // A program that does not order its frees by spawns and syncs: somebody's time is earlier here.
    if (r.id >= objects_.size() || r.offset + r.bytes > objects_[r.id].bytes)
        return 0;
    count_lines(r, node);
    ps longer = 0;
    for (const unsigned from : nodes_touched_) {
        longer += transfer(node, from, lines_[from], now + longer, slack + longer);
        lines_[from] = 0;
    }
    return longer;
}

} // namespace saguaro::sim
