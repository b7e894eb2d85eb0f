// SPDX-License-Identifier: MIT
// Random trees of calls and spawns, each node with a construct of its own, with steals forced at
// random: what reducers gather is what the serial walk of the same tree gathers.
//
// A seed determines the tree, the number of workers, and where steals are tried; which thief comes,
// and what meets what at the joins, is up to the machine. SAGUARO_TEST_SEED=N runs the tree of seed
// N alone, many times.
#include "forkjoin/forcing.hpp"
#include "support/effort.hpp"
#include "tree.h"

#include "saguaro/saguaro.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <list>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace saguaro::test;

const unsigned trees = saguaro::test_support::third_of(is_slow ? 1'000 : 3'000);
const unsigned trees_that_throw = trees * 2 / 5;
constexpr unsigned most_workers = 8;
constexpr unsigned repetitions_of_one_seed = 300;

// --- Trees ---

// Spreads its arguments: the decisions of a run must not depend on its order.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    std::uint64_t x = a * 0x9e3779b97f4a7c15u + b;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

class tree {
public:
    explicit tree(unsigned seed, bool with_clones) : random_(seed) {
        const std::size_t size = 10 + draw(191);
        // Small: deep trees; large: flat ones.
        const std::size_t window = 1 + draw(12);
        // Of four nodes so many are clones: from none to all.
        clones_of_four_ = with_clones ? draw(5) : 0;
        std::vector<std::vector<std::size_t>> children(size);
        for (std::size_t i = 1; i < size; ++i)
            children[i > window ? i - 1 - draw(window) : draw(i)].push_back(i);
        nodes_.resize(size);
        edges_.resize(size);
        for (std::size_t i = 0; i < size; ++i)
            make_node(i, children[i]);
    }

    const tree_node &root() const { return nodes_[0]; }

private:
    std::size_t draw(std::size_t choices) { return random_() % choices; }

    void make_node(std::size_t i, const std::vector<std::size_t> &children) {
        const std::size_t others = tree_constructs - 1;
        nodes_[i].construct =
            draw(4) < clones_of_four_ ? tree_clones : static_cast<tree_construct>(1 + draw(others));
        nodes_[i].number = static_cast<int>(i);
        bool has_result = false;
        for (const std::size_t child : children) {
            auto how = static_cast<tree_how>(draw(tree_how_many));
            if (how == tree_spawn_result && std::exchange(has_result, true))
                how = tree_spawn_into;
            edges_[i].push_back({&nodes_[child], how, draw(5) == 0});
        }
        nodes_[i].edge_count = static_cast<int>(children.size());
        nodes_[i].edges = edges_[i].data();
    }

    std::minstd_rand random_;
    std::size_t clones_of_four_ = 0;
    std::vector<tree_node> nodes_;
    std::vector<std::vector<tree_edge>> edges_;
};

int entry(const tree_node &node, int where) {
    return node.number * 2048 + where;
}

std::uint64_t walk_serially(const tree_node &node, std::vector<int> &record) {
    std::vector<std::uint64_t> values;
    record.push_back(entry(node, tree_at_start));
    for (int i = 0; i < node.edge_count; ++i) {
        record.push_back(entry(node, i));
        values.push_back(walk_serially(*node.edges[i].child, record));
    }
    record.push_back(entry(node, tree_at_end));
    return tree_combine(&node, values.data());
}

// --- One run ---

// What all strands of a run share.
struct run_state {
    unsigned seed;
    unsigned workers;
    bool scripted;         // nobody steals unless forced
    unsigned steal_period; // an entry in so many lets a thief come
    unsigned throw_period; // a leaf in so many throws; 0: none does
    saguaro::reducer<saguaro::list_append<int>> list;
    saguaro::reducer<saguaro::vector_append<int>> vector;
    saguaro::reducer<saguaro::string_append> text;

    bool throws(const tree_node &node) const {
        return throw_period != 0 && node.edge_count == 0 &&
               mix(seed, static_cast<std::uint64_t>(node.number)) % throw_period == 0;
    }
};

// Written while nothing runs.
run_state *current = nullptr;

// The leaf that throws first in the serial order; -1 if none does.
int first_thrower(const tree_node &node) {
    if (current->throws(node))
        return node.number;
    for (int i = 0; i < node.edge_count; ++i)
        if (const int first = first_thrower(*node.edges[i].child); first >= 0)
            return first;
    return -1;
}

// The children of a node that is run by C++.
class family {
public:
    explicit family(const tree_node &node)
        : node_(node), values_(static_cast<std::size_t>(node.edge_count)) {}

    std::uint64_t value() const { return tree_combine(&node_, values_.data()); }

    void serially() {
        for (int i = 0; i < node_.edge_count; ++i)
            value_of(i) = enter_and_run(i);
    }

    void by_invoke(int first, int last) {
        if (last - first == 1) {
            value_of(first) = enter_and_run(first);
        } else if (last - first == 3) {
            std::tie(value_of(first), value_of(first + 1), value_of(first + 2)) =
                saguaro::parallel_invoke([&] { return enter_and_run(first); },
                                         [&] { return enter_and_run(first + 1); },
                                         [&] { return enter_and_run(first + 2); });
        } else if (last != first) {
            const int middle = first + (last - first) / 2;
            saguaro::parallel_invoke([&] { by_invoke(first, middle); },
                                     [&] { by_invoke(middle, last); });
        }
    }

    void by_scope() {
        saguaro::with_scope([&](saguaro::scope &s) {
            for (int i = 0; i < node_.edge_count; ++i) {
                tree_enter(&node_, i);
                if (node_.edges[i].how == tree_call)
                    value_of(i) = run_child(i);
                else
                    s.spawn([this, i] { value_of(i) = run_child(i); });
                if (node_.edges[i].sync_after) {
                    s.sync();
                    tree_check_synced(&node_, values_.data(), i);
                }
            }
        });
    }

    void by_loop() {
        saguaro::parallel_for(0, node_.edge_count, [&](int i) { value_of(i) = enter_and_run(i); });
    }

    void by_reduce() {
        using numbers = std::vector<int>;
        const auto join = [](numbers left, const numbers &right) {
            left.insert(left.end(), right.begin(), right.end());
            return left;
        };
        const numbers ran =
            saguaro::parallel_reduce(0, node_.edge_count, numbers(), join, [&](int i) {
                value_of(i) = enter_and_run(i);
                return numbers{i};
            });
        numbers all(values_.size());
        std::iota(all.begin(), all.end(), 0);
        EXPECT_EQ(ran, all);
    }

private:
    std::uint64_t &value_of(int i) { return values_[static_cast<std::size_t>(i)]; }
    std::uint64_t run_child(int i) { return tree_run(node_.edges[i].child); }
    std::uint64_t enter_and_run(int i) {
        tree_enter(&node_, i);
        return run_child(i);
    }

    const tree_node &node_;
    std::vector<std::uint64_t> values_;
};

// Whether a thief could come at once: waiting for one that is busy costs time and proves nothing.
bool somebody_is_idle() {
    for (unsigned i = 0; i < current->workers; ++i)
        if (is_idle(i))
            return true;
    return false;
}

} // namespace

extern "C" {

void tree_enter(const tree_node *node, int where) {
    const int e = entry(*node, where);
    current->list->push_back(e);
    current->vector->push_back(e);
    *current->text += std::to_string(e) + " ";
    const std::uint64_t lot = mix(current->seed, static_cast<std::uint64_t>(e));
    if (lot % current->steal_period != 0 || !somebody_is_idle())
        return;
    if (current->scripted)
        force_steal(std::chrono::milliseconds(1));
    // Sometimes the thief is to get ahead.
    for (std::uint64_t i = (lot >> 32) % 16; i > 8; --i)
        sched_yield();
}

void tree_check_synced(const tree_node *node, const std::uint64_t *values, int last) {
    for (int i = 0; i <= last; ++i)
        EXPECT_NE(values[i], 0u) << "node " << node->number << " has synced before child " << i
                                 << " has ended";
}

int tree_unwinds() {
    static std::atomic<unsigned> times{0};
    // Relaxed: a source of variety. Nothing of the run: a stack may still unwind when it is over.
    const std::uint64_t lot = mix(0, times.fetch_add(1, std::memory_order_relaxed));
    for (std::uint64_t i = lot % 64; i < 16; ++i)
        sched_yield();
    return 1;
}

uint64_t tree_combine(const tree_node *node, const uint64_t *values) {
    auto value = static_cast<std::uint64_t>(node->number);
    for (int i = 0; i < node->edge_count; ++i)
        value = mix(value, values[i]);
    return value | 1;
}

uint64_t tree_run(const tree_node *node) {
    if (node->construct == tree_clones)
        return tree_run_clones(node);
    const counted local(node->number);
    family children(*node);
    tree_enter(node, tree_at_start);
    switch (node->construct) {
    case tree_invoke:
        children.by_invoke(0, node->edge_count);
        break;
    case tree_scope:
        children.by_scope();
        break;
    case tree_loop:
        children.by_loop();
        break;
    case tree_reduce:
        children.by_reduce();
        break;
    default:
        children.serially();
    }
    if (current->throws(*node))
        throw thrown(node->number);
    tree_enter(node, tree_at_end);
    return children.value();
}
}

namespace {

// --- The tests ---

// SAGUARO_TEST_SEED, or -1.
long seed_from_environment() {
    const char *const text = std::getenv("SAGUARO_TEST_SEED");
    return text == nullptr ? -1 : std::strtol(text, nullptr, 10);
}

class random_trees : public testing::TestWithParam<unsigned> {
protected:
    // Calls check(seed) for the seeds of this number of workers until one fails.
    template <class Check>
    void for_all_seeds(unsigned how_many, Check check) {
        const unsigned workers = GetParam();
        const long only = seed_from_environment();
        if (only >= 0) {
            const auto seed = static_cast<unsigned>(only);
            for (unsigned i = 0; i < repetitions_of_one_seed && seed % most_workers + 1 == workers;
                 ++i)
                if (!check_one(seed, check))
                    return;
            return;
        }
        for (unsigned seed = workers - 1; seed < how_many; seed += most_workers)
            if (!check_one(seed, check))
                return;
    }

    bool scripted_ = true;

private:
    template <class Check>
    bool check_one(unsigned seed, Check check) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(GetParam()) +
                     " workers; SAGUARO_TEST_SEED=" + std::to_string(seed) + " repeats it");
        const unsigned periods[] = {4, 15, 50, 200};
        run_state state{.seed = seed,
                        .workers = GetParam(),
                        .scripted = scripted_,
                        .steal_period = periods[mix(seed, 1) % 4],
                        .throw_period = 0,
                        .list = {},
                        .vector = {},
                        .text = {}};
        current = &state;
        const nothing_leaks check_objects;
        check(seed, state);
        return !HasFailure();
    }
};

// One tree with all constructs.
void check_records(unsigned seed, run_state &state) {
    const tree t(seed, true);
    std::vector<int> serial;
    const std::uint64_t value = walk_serially(t.root(), serial);
    EXPECT_EQ(saguaro::run([&] { return tree_run(&t.root()); }), value);
    // No output of whole records: they have some hundred entries.
    EXPECT_TRUE(state.vector.get() == serial);
    EXPECT_TRUE(state.list.get() == std::list<int>(serial.begin(), serial.end()));
    std::string text;
    for (const int e : serial)
        text += std::to_string(e) + " ";
    EXPECT_TRUE(state.text.get() == text);
}

TEST_P(random_trees, reducers_gather_what_the_serial_walk_gathers) {
    const scripted_workers running(GetParam());
    for_all_seeds(trees, check_records);
    // A test in which nobody steals proves nothing.
    if (GetParam() > 1)
        EXPECT_GT(saguaro::stats().steals, trees / most_workers);
}

// Steals wherever the uniform policy's thieves happen to come, in the middle of a push or a pop.
TEST_P(random_trees, the_same_stolen_from_by_the_uniform_policy) {
    saguaro::start({.workers = GetParam(), .stack_bytes = 0, .policy = "uniform", .statistics = 0});
    scripted_ = false;
    for_all_seeds(trees / 4, check_records);
    saguaro::stop();
}

TEST_P(random_trees, the_serially_first_exception_leaves) {
    const scripted_workers running(GetParam());
    for_all_seeds(trees_that_throw, [](unsigned seed, run_state &state) {
        const tree t(seed, false);
        state.throw_period = 2 + seed % 7 * seed % 40;
        EXPECT_EQ(who_throws([&] { saguaro::run([&] { tree_run(&t.root()); }); }),
                  first_thrower(t.root()));
    });
}

INSTANTIATE_TEST_SUITE_P(workers, random_trees, testing::Range(1u, most_workers + 1),
                         testing::PrintToStringParamName());

} // namespace
