// SPDX-License-Identifier: MIT
// Tests that the parallel search finds the serial search's distances.
#include <pbfs/bfs.hpp>
#include <pbfs/fault.hpp>
#include <pbfs/generators.hpp>

#include <gtest/gtest.h>
#include <saguaro/saguaro.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <thread>
#include <vector>

namespace saguaro::pbfs {
namespace {

graph directed(vertex vertices, std::vector<edge> edges) {
    return build_graph(vertices, std::move(edges), direction::one_way);
}

/// Both searches from `source`, the parallel one with several numbers of workers; the answer.
bfs_result search_both(const graph &g, vertex source) {
    bfs_result serial = serial_bfs(g, source);
    EXPECT_EQ(serial.lookups, 0u);
    stop();
    for (const unsigned workers : {1u, 2u, 4u}) {
        start({.workers = workers});
        const bfs_result parallel = parallel_bfs(g, source);
        stop();
        EXPECT_EQ(parallel.distances, serial.distances) << workers << " workers";
        EXPECT_EQ(parallel.depth, serial.depth) << workers << " workers";
        // Each layer is looked at by a task at least, and that task has looked up the next one.
        EXPECT_GE(parallel.lookups, serial.depth) << workers << " workers";
    }
    return serial;
}

TEST(pbfs_bfs, distances_in_a_grid_are_the_sums_of_coordinates) {
    constexpr vertex k = 21;
    const bfs_result result = search_both(grid3d(k), 0);
    EXPECT_EQ(result.depth, 3 * k - 2);
    for (vertex v = 0; v < k * k * k; ++v)
        ASSERT_EQ(result.distances[v], v / (k * k) + v / k % k + v % k) << "vertex " << v;
}

TEST(pbfs_bfs, layers_of_many_blocks) {
    const bfs_result result = search_both(grid3d(64), 64 * 64 * 32 + 64 * 32 + 32);
    EXPECT_EQ(result.depth, 3u * 32 + 1);
}

TEST(pbfs_bfs, a_scale_free_graph_with_wide_vertices) {
    const graph g = rmat(17);
    ASSERT_GT(g.neighbours(0).size(), 4096u) << "no vertex whose edges are shared out";
    const bfs_result result = search_both(g, 0);
    EXPECT_GT(result.depth, 3u);
    EXPECT_LT(result.depth, 16u);
}

TEST(pbfs_bfs, a_star_is_two_layers) {
    constexpr vertex leaves = 300'000;
    std::vector<edge> edges;
    for (vertex v = 1; v <= leaves; ++v)
        edges.push_back({0, v});
    const bfs_result result = search_both(directed(leaves + 1, edges), 0);
    EXPECT_EQ(result.depth, 2u);
    EXPECT_EQ(result.distances[leaves], 1u);
}

TEST(pbfs_bfs, a_path_is_a_layer_a_vertex) {
    constexpr vertex length = 20'000;
    std::vector<edge> edges;
    for (vertex v = 0; v + 1 < length; ++v)
        edges.push_back({v, v + 1});
    const graph g = directed(length, edges);
    EXPECT_EQ(search_both(g, 0).depth, length);
    EXPECT_EQ(search_both(g, length - 1).depth, 1u);
}

TEST(pbfs_bfs, edges_are_followed_one_way_and_the_rest_is_unreached) {
    // 0 -> 1 -> 2 -> 0, a self loop, and 3 -> 0 that leads nowhere from 0.
    const bfs_result result = search_both(directed(4, {{0, 1}, {1, 2}, {2, 0}, {1, 1}, {3, 0}}), 0);
    EXPECT_EQ(result.distances, (std::pmr::vector<std::uint32_t>{0, 1, 2, unreached}));
    EXPECT_EQ(result.depth, 3u);
}

TEST(pbfs_bfs, a_single_vertex) {
    const bfs_result result = search_both(directed(1, {}), 0);
    EXPECT_EQ(result.distances, std::pmr::vector<std::uint32_t>{0});
    EXPECT_EQ(result.depth, 1u);
}

TEST(pbfs_bfs, several_searches_at_once) {
    const graph g = grid3d(30);
    const bfs_result serial = serial_bfs(g, 0);
    stop();
    start({.workers = 2});
    std::vector<bfs_result> results(3);
    {
        std::vector<std::jthread> threads;
        for (bfs_result &result : results)
            threads.emplace_back([&] { result = parallel_bfs(g, 0); });
    }
    stop();
    for (const bfs_result &result : results)
        EXPECT_EQ(result.distances, serial.distances);
}

/// new's memory, counted.
class counted final : public std::pmr::memory_resource {
public:
    std::atomic<std::size_t> taken{0}; // bytes, ever
    std::atomic<std::size_t> held{0};  // bytes, now

private:
    void *do_allocate(std::size_t bytes, std::size_t alignment) override {
        taken += bytes;
        held += bytes;
        return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    }
    void do_deallocate(void *p, std::size_t bytes, std::size_t alignment) override {
        held -= bytes;
        std::pmr::new_delete_resource()->deallocate(p, bytes, alignment);
    }
    bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override {
        return this == &other;
    }
};

TEST(pbfs_bfs, memory_is_where_the_caller_wants_it) {
    counted of_graph, of_distances, of_bags;
    {
        const graph plain = grid3d(30);
        const graph g(plain, &of_graph);
        EXPECT_EQ(of_graph.taken, (plain.vertices() + 1) * 8u + plain.edges() * 4);
        stop();
        start({.workers = 2});
        const bfs_result found = parallel_bfs(g, 0, {&of_distances, &of_bags});
        stop();
        EXPECT_EQ(found.distances, serial_bfs(plain, 0).distances);
        EXPECT_EQ(of_distances.taken, plain.vertices() * 4u);
        // Each vertex is in a bag once at least.
        EXPECT_GE(of_bags.taken, plain.vertices() * 4u);
        EXPECT_EQ(of_bags.held, 0u);
    }
    EXPECT_EQ(of_graph.held + of_distances.held, 0u);
}

TEST(pbfs_generators, grid3d_has_the_edges_of_the_7_point_stencil) {
    for (const unsigned long k : {1ul, 2ul, 3ul, 10ul}) {
        const graph g = grid3d(k);
        EXPECT_EQ(g.vertices(), k * k * k);
        EXPECT_EQ(g.edges(), 7 * k * k * k - 6 * k * k);
    }
    const graph g = grid3d(3);
    const auto middle = g.neighbours(13);
    EXPECT_EQ(std::vector<vertex>(middle.begin(), middle.end()),
              (std::vector<vertex>{4, 10, 12, 13, 14, 16, 22}));
}

TEST(pbfs_generators, rmat_is_the_same_everywhere) {
    const graph g = rmat(10);
    EXPECT_EQ(g.vertices(), 1024u);
    std::uint64_t fingerprint = 0;
    for (vertex v = 0; v < g.vertices(); ++v)
        for (const vertex to : g.neighbours(v))
            fingerprint = fingerprint * 6364136223846793005 + (std::uint64_t{v} << 32 | to) + 1;
    EXPECT_EQ(g.edges(), 6544u);
    EXPECT_EQ(fingerprint, 1935760049118309125u);
}

TEST(pbfs_generators, rows_are_sorted_and_have_no_edge_twice) {
    const graph g = build_graph(3, {{0, 2}, {0, 1}, {0, 2}, {2, 0}, {1, 1}}, direction::both_ways);
    std::vector<std::vector<vertex>> rows;
    for (vertex v = 0; v < 3; ++v) {
        const auto row = g.neighbours(v);
        rows.emplace_back(row.begin(), row.end());
    }
    EXPECT_EQ(rows, (std::vector<std::vector<vertex>>{{1, 2}, {0, 1}, {0}}));
    EXPECT_EQ(g.edges(), 5u);
}

TEST(pbfs_generators, names) {
    EXPECT_EQ(generate("grid3d:4")->vertices(), 64u);
    EXPECT_EQ(generate("rmat:4")->vertices(), 16u);
    EXPECT_FALSE(generate("grid4d:4").has_value());
    EXPECT_FALSE(generate("some.mtx").has_value());
}

TEST(pbfs_generators, faults_name_the_argument_and_what_is_accepted) {
    const auto message = [](const std::string &name) -> std::string {
        try {
            generate(name);
        } catch (const fault &error) {
            return error.what();
        }
        return "none";
    };
    EXPECT_EQ(message("grid3d:0"), "grid3d:0: K is out of range; accepted: 1 to 1625");
    EXPECT_EQ(message("grid3d:1626"), "grid3d:1626: K is out of range; accepted: 1 to 1625");
    EXPECT_EQ(message("rmat:32"), "rmat:32: SCALE is out of range; accepted: 1 to 31");
    for (const char *const name : {"grid3d:", "grid3d:-1", "grid3d:ten", "grid3d:10x", "rmat:1.5"})
        EXPECT_NE(message(name).find("is not a positive whole number"), std::string::npos) << name;
    EXPECT_NE(message("grid3d:99999999999999999999999").find("out of range"), std::string::npos);
}

} // namespace
} // namespace saguaro::pbfs
