// SPDX-License-Identifier: MIT
// Random strands, transferals and merges, compared with strings that were joined by hand.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "hyperobjects/strand.hpp"
#include "saguaro/monoids.hpp"
#include "saguaro/reducer.hpp"

namespace saguaro::hyperobjects {
namespace {

using text = reducer<string_append>;

class model {
public:
    model(unsigned seed, std::size_t reducers) : random_(seed) {
        for (std::size_t at = 0; at < reducers; ++at) {
            texts_.push_back(std::make_unique<text>(std::string("^")));
            expected_[texts_.back().get()] = "^";
        }
        as(workers_[0], [&] { workers_[0].begin_run(root_); });
        pieces_.push_back({&workers_[0], {}, {}, {}});
    }

    void step() {
        const std::size_t at = pick(pieces_.size());
        switch (pick(16)) {
        case 0:
            insert_after(at);
            break;
        case 1:
            publish(pieces_[at]);
            break;
        case 2:
            resume(pieces_[at]);
            break;
        case 3:
        case 4:
            if (at + 1 < pieces_.size())
                join(at);
            break;
        case 5:
            give_birth(pieces_[at]);
            break;
        case 6:
            bury(pieces_[at]);
            break;
        default:
            write(pieces_[at]);
        }
    }

    // Joins what is left, ends the run and compares all values.
    void finish() {
        while (pieces_.size() > 1)
            join(0);
        piece &all = pieces_[0];
        while (!all.born.empty()) {
            resume(all);
            bury(all);
        }
        resume(all);
        as(*all.worker, [&] { all.worker->finish_run(root_); });
        for (const auto &[reducer, written] : all.written)
            expected_[reducer] += written;
        for (const auto &one : texts_)
            EXPECT_EQ(one->get(), expected_[one.get()]);
    }

    std::uint64_t merges() const {
        std::uint64_t sum = 0;
        for (const local &worker : workers_)
            sum += worker.count().merges;
        return sum;
    }

private:
    // A stretch of the serial program that is done or under way. Its views are a worker's private
    // set, or a public one.
    struct piece {
        local *worker;
        view_set set;
        std::map<text *, std::string> written;
        std::vector<std::unique_ptr<text>> born; // reducers that nobody else knows yet
    };

    std::size_t pick(std::size_t below) {
        return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
    }

    local *free_worker() {
        for (local &worker : workers_)
            if (std::none_of(pieces_.begin(), pieces_.end(),
                             [&](const piece &one) { return one.worker == &worker; }))
                return &worker;
        return nullptr;
    }

    void insert_after(std::size_t at) {
        if (pieces_.size() < 12)
            pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                           {free_worker(), {}, {}, {}});
    }

    void publish(piece &one) {
        if (one.worker == nullptr)
            return;
        one.set = as(*one.worker, [&] { return one.worker->take(); });
        EXPECT_TRUE(one.worker->idle());
        one.worker = nullptr;
    }

    void resume(piece &one) {
        local *const worker = free_worker();
        if (one.worker != nullptr || worker == nullptr)
            return;
        as(*worker, [&] { worker->put(one.set); });
        one.worker = worker;
    }

    // pieces_[at] = pieces_[at] (x) pieces_[at + 1], in one of the three ways.
    void join(std::size_t at) {
        piece &left = pieces_[at];
        piece &right = pieces_[at + 1];
        if (left.worker != nullptr && right.worker != nullptr)
            publish(pick(2) == 0 ? left : right);
        if (left.worker != nullptr) {
            as(*left.worker, [&] { left.worker->append(right.set); });
        } else if (right.worker != nullptr) {
            as(*right.worker, [&] { right.worker->prepend(left.set); });
            left.worker = right.worker;
        } else {
            local &anybody = workers_[pick(workers_.size())];
            left.set = as(anybody, [&] { return anybody.merge(left.set, right.set); });
        }
        for (auto &[reducer, written] : right.written)
            left.written[reducer] += written;
        std::move(right.born.begin(), right.born.end(), std::back_inserter(left.born));
        pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }

    void give_birth(piece &one) {
        if (one.worker == nullptr)
            return;
        as(*one.worker, [&] { one.born.push_back(std::make_unique<text>(std::string("*"))); });
        one.written[one.born.back().get()] = "*";
    }

    void bury(piece &one) {
        if (one.worker == nullptr || one.born.empty())
            return;
        std::swap(one.born[pick(one.born.size())], one.born.back());
        text *const reducer = one.born.back().get();
        as(*one.worker, [&] {
            EXPECT_EQ(reducer->get(), one.written[reducer]);
            one.born.pop_back();
        });
        one.written.erase(reducer);
    }

    void write(piece &one) {
        if (one.worker == nullptr)
            return;
        as(*one.worker, [&] {
            for (std::size_t count = pick(200); count > 0; --count) {
                text *const reducer = pick(8) == 0 && !one.born.empty()
                                          ? one.born[pick(one.born.size())].get()
                                          : texts_[pick(texts_.size())].get();
                const char letter = static_cast<char>('a' + pick(26));
                **reducer += letter;
                one.written[reducer] += letter;
            }
        });
    }

    std::mt19937 random_;
    std::array<local, 3> workers_;
    run root_;
    std::vector<std::unique_ptr<text>> texts_;
    std::map<text *, std::string> expected_;
    std::vector<piece> pieces_; // in the serial order
};

class against_a_model : public testing::TestWithParam<std::size_t> {};

TEST_P(against_a_model, any_order_of_merges_gives_the_serial_result) {
    std::uint64_t merges = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        model program(seed, GetParam());
        for (int step = 0; step < 400; ++step)
            program.step();
        program.finish();
        merges += program.merges();
    }
    EXPECT_GT(merges, 100U);
}

INSTANTIATE_TEST_SUITE_P(reducers, against_a_model, testing::Values(1, 7, 130, 700));

} // namespace
} // namespace saguaro::hyperobjects
