// SPDX-License-Identifier: MIT
// Computing the edges of stencils and of R-MAT graphs from their places.
#include "generators.hpp"

#include "fault.hpp"
#include "progress.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <utility>

namespace saguaro::pbfs {

namespace {

constexpr std::string_view grid3d_prefix = "grid3d:";
constexpr std::string_view rmat_prefix = "rmat:";

/// What a search keeps for each vertex: its distance and, at the worst, a place in a queue.
constexpr std::uint64_t search_bytes = 8;

void check_range(const std::string &name, const char *parameter, unsigned long value,
                 unsigned long most) {
    if (value < 1 || value > most) {
        throw fault(name + ": " + parameter + " is out of range; accepted: 1 to " +
                    std::to_string(most));
    }
}

/// The number that stands behind a generator's prefix. One too large even to be read stands for the
/// largest one, which no generator accepts.
unsigned long parameter(const std::string &word, std::string_view prefix) {
    unsigned long value = ~0ul;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc::invalid_argument || end != word.data() + word.size()) {
        throw fault(std::string(prefix) + ": " + quoted(word) +
                    " is not a positive whole number; accepted: such as grid3d:100, rmat:20");
    }
    return value;
}

/// A bijective hash of 64 bits (the finalizer of SplitMix64): a random number that depends on
/// nothing but its place in the sequence.
std::uint64_t random_at(std::uint64_t place) {
    std::uint64_t x = (place + 1) * 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/// Edge number `place` of the R-MAT graph: each level takes 16 random bits to choose the quadrant
/// and so one bit of either end.
edge rmat_edge(std::uint64_t place, unsigned long scale) {
    constexpr std::uint32_t end_a = 45875; // 0.7, 0.8 and 0.9 of 2^16
    constexpr std::uint32_t end_b = 52429;
    constexpr std::uint32_t end_c = 58982;
    constexpr unsigned levels_a_number = 4;
    constexpr std::uint64_t numbers_an_edge = 8; // for 31 levels
    edge e = {0, 0};
    std::uint64_t bits = 0;
    for (unsigned level = 0; level < scale; ++level) {
        bits = level % levels_a_number == 0
                   ? random_at(place * numbers_an_edge + level / levels_a_number)
                   : bits >> 16;
        const auto draw = static_cast<std::uint32_t>(bits & 0xffff);
        const vertex low = draw >= end_b;                                      // quadrants c, d
        const vertex right = (draw >= end_a && draw < end_b) || draw >= end_c; // quadrants b, d
        e = {e.from * 2 + low, e.to * 2 + right};
    }
    return e;
}

/// Whether `name` is the prefix with a number in place of its colon, as published tables of graphs
/// have them: grid3d200, rmat23.
bool published(std::string_view name, std::string_view prefix) {
    const std::size_t family = prefix.size() - 1;
    return name.size() > family && name.substr(0, family) == prefix.substr(0, family) &&
           name.find_first_not_of("0123456789", family) == std::string_view::npos;
}

} // namespace

graph grid3d(unsigned long k) {
    constexpr unsigned long most = 1625; // the largest K with K^3 <= max_vertices
    const std::string name = std::string(grid3d_prefix) + std::to_string(k);
    check_range(name, "K", k, most);
    const auto side = static_cast<vertex>(k);
    const std::uint64_t vertices = k * k * k;
    const std::uint64_t edges = 7 * vertices - 6 * k * k;
    require_memory(name,
                   vertices * (sizeof(std::uint64_t) + search_bytes) + edges * sizeof(vertex));

    std::pmr::vector<std::uint64_t> offsets = {0};
    std::pmr::vector<vertex> targets;
    offsets.reserve(vertices + 1);
    targets.reserve(edges);
    progress shown("making " + name, vertices);
    const std::array<vertex, 3> stride = {side * side, side, 1};
    for (vertex v = 0; v < vertices; ++v) {
        const std::array<vertex, 3> at = {v / stride[0], v / stride[1] % side, v % side};
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (at[axis] > 0)
                targets.push_back(v - stride[axis]);
        targets.push_back(v);
        for (std::size_t axis = 3; axis-- > 0;)
            if (at[axis] + 1 < side)
                targets.push_back(v + stride[axis]);
        offsets.push_back(targets.size());
        shown.update(v);
    }
    return {std::move(offsets), std::move(targets)};
}

graph rmat(unsigned long scale) {
    const std::string name = std::string(rmat_prefix) + std::to_string(scale);
    check_range(name, "SCALE", scale, 31);
    const std::uint64_t vertices = std::uint64_t{1} << scale;
    const std::uint64_t draws = vertices * 95 / 8;
    require_memory(name, vertices * (sizeof(std::uint64_t) + search_bytes) +
                             draws * (sizeof(edge) + sizeof(vertex)));
    std::vector<edge> edges;
    edges.reserve(draws);
    progress shown("making " + name, draws);
    while (edges.size() < draws) {
        edges.push_back(rmat_edge(edges.size(), scale));
        shown.update(edges.size());
    }
    return build_graph(static_cast<vertex>(vertices), std::move(edges), direction::one_way);
}

std::optional<graph> generate(const std::string &name) {
    struct generator {
        std::string_view prefix;
        graph (*make)(unsigned long);
    };
    for (const auto [prefix, make] : {generator{grid3d_prefix, grid3d}, {rmat_prefix, rmat}}) {
        if (name.starts_with(prefix))
            return make(parameter(name.substr(prefix.size()), prefix));
        if (published(name, prefix))
            return make(parameter(name.substr(prefix.size() - 1), prefix));
    }
    return std::nullopt;
}

} // namespace saguaro::pbfs
