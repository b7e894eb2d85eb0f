// SPDX-License-Identifier: MIT
// Strands that arrive in every order: the views end up in serial order, with the last one.
#include "scheduler/join.hpp"

#include "saguaro/monoids.hpp"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/reducer.hpp"
#include "scheduler/worker.hpp"
#include "support/scripted_policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace saguaro::scheduler {
namespace {

using test::force_steal;
using test::scripted_workers;
using text = reducer<string_append>;

// A child that is counted while it lives.
struct counted_child : child {
    explicit counted_child(join &j) : child(j) { ++alive; }
    ~counted_child() override { --alive; }

    static std::atomic<int> alive;
};
std::atomic<int> counted_child::alive{0};

// One whose memory is used again when it has arrived.
struct lent_child : counted_child {
    explicit lent_child(join &j) : counted_child(j) { is_lent = true; }
    void discard() override {}
};

// The private views of the worker that calls, put aside while the object lives, so that the caller
// can play one strand after the other. What they leave comes after them in the end.
class apart {
public:
    apart() : aside_(here.views.take()) {}
    ~apart() {
        spend();
        here.views.put(aside_);
        here.views.append(spent_);
    }
    apart(const apart &) = delete;
    apart &operator=(const apart &) = delete;

    // The private views are none again.
    void spend() { spent_ = here.views.merge(spent_, here.views.take()); }

    worker &here = *current_worker();

private:
    const hyperobjects::view_set aside_;
    hyperobjects::view_set spent_;
};

// One join with its strands, played by one worker.
class stage {
public:
    stage(apart &scene, std::array<text *, 2> texts) : scene_(scene), texts_(texts) {}

    // A child, and its letter in the serial order.
    void add_before_owner() { add(new counted_child(meeting_), true); }
    void add_after_owner() { add(new counted_child(meeting_), false); }
    // A lent one, which comes before the owner.
    void lend() { add(new lent_child(meeting_), true); }

    // The strand with this place in the serial order comes to its end: every other strand has a
    // view of the second text as well. True: it was the last.
    bool arrive(std::size_t place) {
        if (const std::string letter = letters_[place]; letter != silent) {
            **texts_[0] += letter;
            if (letter[0] % 2 == 0)
                **texts_[1] += letter;
        }
        strand &s = *strands_[place];
        const bool lent = s.is_lent; // another may be gone when it has arrived
        const bool last = meeting_.arrive(scene_.here, s);
        if (lent) {
            EXPECT_TRUE(s.before == nullptr && s.after == nullptr) << "it is in the list";
            delete static_cast<lent_child *>(&s);
        }
        EXPECT_TRUE(last || scene_.here.views.idle()) << "who is not the last keeps no views";
        return last;
    }

    // The strands with these places, a bit for each, will have no views at all.
    void silence(unsigned places) {
        for (std::size_t place = 0; place < letters_.size(); ++place)
            if ((places >> place & 1) != 0)
                letters_[place] = silent;
    }

    // What is to be in the texts when all have arrived.
    std::array<std::string, 2> expected() const {
        std::array<std::string, 2> result;
        for (const std::string &letter : letters_)
            if (letter != silent) {
                result[0] += letter;
                if (letter[0] % 2 == 0)
                    result[1] += letter;
            }
        return result;
    }

    void expect_serial_order() {
        EXPECT_EQ(counted_child::alive, 0);
        EXPECT_TRUE(meeting_.only_owner_is_out());
        const auto [first, second] = expected();
        EXPECT_EQ(texts_[0]->take(), first);
        EXPECT_EQ(texts_[1]->take(), second);
        // The texts have views now, with nothing in them.
        scene_.spend();
    }

    std::size_t size() const { return strands_.size(); }
    std::size_t owner_place() const { return owner_; }
    join &meeting() { return meeting_; }

private:
    static constexpr const char *silent = "-";

    void add(child *c, bool before) {
        const auto place = static_cast<std::ptrdiff_t>(before ? owner_ : owner_ + 1);
        strands_.insert(strands_.begin() + place, c);
        letters_.insert(letters_.begin() + place, std::string(1, next_letter_++));
        if (before) {
            ++owner_;
            meeting_.add_before_owner(*c);
        } else {
            meeting_.add_after_owner(*c);
        }
    }

    apart &scene_;
    const std::array<text *, 2> texts_;
    join meeting_;
    std::vector<strand *> strands_{&meeting_.owner}; // in serial order
    std::vector<std::string> letters_{"#"};          // what each appends
    std::size_t owner_ = 0;
    char next_letter_ = 'a';
};

class joins : public testing::Test {
protected:
    // Plays on a worker that nobody robs.
    template <class Play>
    void play(Play play) {
        const scripted_workers one(1);
        text first, second;
        run([&] {
            apart scene;
            play(scene, std::array{&first, &second});
        });
        EXPECT_EQ(counted_child::alive, 0);
    }
};

// All arrive in this order; only the last one is told that it is the last.
void arrive_all(stage &s, const std::vector<std::size_t> &order) {
    for (std::size_t i = 0; i < order.size(); ++i)
        ASSERT_EQ(s.arrive(order[i]), i + 1 == order.size()) << "at step " << i;
}

std::vector<std::size_t> first_order(std::size_t size) {
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    return order;
}

// A stage for each order in which so many strands can arrive, up to the first failure; `prepare`
// puts them there.
template <class Prepare>
void try_all_orders(apart &scene, const std::array<text *, 2> &texts, std::size_t strands,
                    Prepare prepare) {
    std::vector<std::size_t> order = first_order(strands);
    for (bool goes_on = true; goes_on && !testing::Test::HasFailure();
         goes_on = std::next_permutation(order.begin(), order.end())) {
        stage s(scene, texts);
        prepare(s);
        arrive_all(s, order);
        s.expect_serial_order();
    }
}

TEST_F(joins, the_owner_alone_is_the_last) {
    play([](apart &scene, auto texts) {
        stage s(scene, texts);
        EXPECT_TRUE(s.meeting().only_owner_is_out());
        EXPECT_TRUE(s.arrive(0));
        s.expect_serial_order();
    });
}

// Up to five strands, any number of them before and after the owner, in all orders.
TEST_F(joins, every_order_of_arrival_gives_the_serial_result) {
    play([](apart &scene, auto texts) {
        for (std::size_t before = 0; before <= 4; ++before)
            for (std::size_t after = 0; before + after <= 4; ++after)
                try_all_orders(scene, texts, before + 1 + after, [&](stage &s) {
                    for (std::size_t i = 0; i < before; ++i)
                        s.add_before_owner();
                    for (std::size_t i = 0; i < after; ++i)
                        s.add_after_owner();
                    EXPECT_EQ(s.meeting().only_owner_is_out(), before + after == 0);
                });
    });
}

// Strands that touched no reducer hand over nothing and disturb nothing.
TEST_F(joins, strands_without_views_leave_no_trace) {
    play([](apart &scene, auto texts) {
        for (unsigned silent = 0; silent < 16; ++silent)
            try_all_orders(scene, texts, 4, [&](stage &s) {
                s.add_before_owner();
                s.add_before_owner();
                s.add_after_owner();
                s.silence(silent);
            });
    });
}

// Lent strands, with views and without, among others or alone: each leaves the list as it arrives.
TEST_F(joins, lent_strands_are_their_workers_again_when_they_have_arrived) {
    play([](apart &scene, auto texts) {
        constexpr std::size_t children = 4;
        for (unsigned lent = 1; lent < 1U << children; ++lent)
            for (unsigned silent = 0; silent < 1U << (children + 1); ++silent)
                try_all_orders(scene, texts, children + 1, [&](stage &s) {
                    for (std::size_t place = 0; place < children; ++place)
                        (lent >> place & 1) != 0 ? s.lend() : s.add_before_owner();
                    s.silence(silent);
                });
    });
}

// The owner goes on and is robbed again while its first children have come to their ends.
TEST_F(joins, children_may_come_while_others_have_arrived) {
    play([](apart &scene, auto texts) {
        std::minstd_rand random(7);
        for (int round = 0; round < 3000; ++round) {
            stage s(scene, texts);
            std::vector<std::size_t> out;        // places of the children that are out
            const bool both = random() % 2 == 0; // only one side, as real joins have it, or both
            const bool side = random() % 2 == 0;
            const auto add = [&] {
                const bool before = both ? random() % 2 == 0 : side;
                const std::size_t place = before ? s.owner_place() : s.owner_place() + 1;
                for (std::size_t &other : out)
                    other += other >= place;
                out.push_back(place);
                before ? s.add_before_owner() : s.add_after_owner();
            };
            const auto end_one = [&] {
                const std::size_t which = random() % out.size();
                const bool last = s.arrive(out[which]);
                out.erase(out.begin() + static_cast<std::ptrdiff_t>(which));
                return last;
            };
            for (auto steps = random() % 10; steps != 0; --steps)
                if (out.empty() || random() % 2 == 0)
                    add();
                else
                    ASSERT_FALSE(end_one()) << "the owner is out";
            const bool owner_last = out.empty();
            ASSERT_EQ(s.arrive(s.owner_place()), owner_last);
            while (!out.empty()) {
                const bool only = out.size() == 1;
                ASSERT_EQ(end_one(), only);
            }
            s.expect_serial_order();
            if (testing::Test::HasFailure())
                return;
        }
    });
}

// After the last arrival the join is as new: a loop's scope meets many times.
TEST_F(joins, meets_again) {
    play([](apart &scene, auto texts) {
        join meeting;
        for (int round = 0; round < 3; ++round)
            for (const bool owner_first : {false, true}) {
                auto *const c = new counted_child(meeting);
                meeting.add_before_owner(*c);
                EXPECT_FALSE(meeting.only_owner_is_out());
                strand *const order[] = {owner_first ? &meeting.owner : c,
                                         owner_first ? c : &meeting.owner};
                for (strand *s : order) {
                    **texts[0] += s == c ? "child " : "owner ";
                    EXPECT_EQ(meeting.arrive(scene.here, *s), s == order[1]);
                }
                EXPECT_TRUE(meeting.only_owner_is_out());
                EXPECT_EQ(texts[0]->take(), "child owner ");
                scene.spend();
            }
    });
}

// When it is discarded, another thread asks its join something.
struct asking_child : counted_child {
    using counted_child::counted_child;

    void discard() override {
        asks = std::thread([&j = *parent] {
            j.only_owner_is_out();
            answered = true;
        });
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!answered && std::chrono::steady_clock::now() < deadline)
            sched_yield();
        was_answered = answered;
        delete this;
    }

    static inline std::thread asks;
    static inline std::atomic<bool> answered{false};
    static inline bool was_answered = false;
};

// To free its memory may take long: meanwhile nobody waits for the join's lock.
TEST_F(joins, discard_neighbours_without_the_lock) {
    play([](apart &scene, auto) {
        for (const bool before : {true, false}) {
            join meeting;
            auto *const first = new asking_child(meeting);
            auto *const second = new counted_child(meeting);
            for (child *each : {before ? first : static_cast<child *>(second),
                                before ? static_cast<child *>(second) : first})
                meeting.add_before_owner(*each);
            asking_child::answered = asking_child::was_answered = false;
            EXPECT_FALSE(meeting.arrive(scene.here, *first));
            EXPECT_FALSE(meeting.arrive(scene.here, *second)); // takes the first one in
            asking_child::asks.join();
            EXPECT_TRUE(asking_child::was_answered);
            EXPECT_TRUE(meeting.arrive(scene.here, meeting.owner));
        }
    });
}

// Appends, and calls a hook meanwhile.
struct interrupted_append {
    using value_type = std::string;
    std::string identity() const { return {}; }
    void reduce(std::string &left, std::string &&right) const {
        left += right;
        if (hook)
            std::exchange(hook, nullptr)();
    }
    static inline std::function<void()> hook;
};

// A strand merges without the lock. Another that arrives meanwhile, on another worker, leaves its
// views to the one that merges, even if that one thereby becomes the last.
TEST_F(joins, arrivals_during_a_merge_are_not_missed) {
    const scripted_workers two(2);
    for (const bool from_the_left : {false, true}) {
        reducer<interrupted_append> letters;
        run([&] {
            join meeting;
            // Serially a, b, c, owner.
            auto *const a = new counted_child(meeting);
            auto *const b = new counted_child(meeting);
            auto *const c = new counted_child(meeting);
            for (child *each : {a, b, c})
                meeting.add_before_owner(*each);
            std::atomic<bool> go{false}, gone{false};
            // The one that arrives during the merge is the one whose neighbour merges.
            child *const late = from_the_left ? a : c;
            child *const early = from_the_left ? c : a;
            parallel_invoke(
                [&] {
                    ASSERT_TRUE(force_steal());
                    const apart scene;
                    EXPECT_FALSE(meeting.arrive(scene.here, meeting.owner));
                    *letters += early == a ? "a" : "c";
                    EXPECT_FALSE(meeting.arrive(scene.here, *early));
                    *letters += "b";
                    interrupted_append::hook = [&] {
                        go = true;
                        while (!gone)
                            sched_yield();
                    };
                    EXPECT_TRUE(meeting.arrive(scene.here, *b)) << "the late one was there before";
                    EXPECT_EQ(*letters, "abc");
                },
                [&] {
                    while (!go)
                        sched_yield();
                    {
                        const apart scene;
                        *letters += late == a ? "a" : "c";
                        EXPECT_FALSE(meeting.arrive(scene.here, *late)) << "b is on its way";
                    }
                    gone = true;
                });
        });
        EXPECT_EQ(letters.get(), "abc");
        EXPECT_EQ(counted_child::alive, 0);
    }
}

// A lent strand without views brings its neighbours together, and the owner arrives meanwhile: what
// stood in for the strand goes as all others do.
TEST_F(joins, nothing_stays_of_a_lent_strand_that_is_the_last_by_then) {
    const scripted_workers two(2);
    reducer<interrupted_append> letters;
    run([&] {
        join meeting;
        auto *const a = new counted_child(meeting);
        auto *const lent = new lent_child(meeting);
        auto *const c = new counted_child(meeting);
        for (child *each :
             {static_cast<child *>(a), static_cast<child *>(lent), static_cast<child *>(c)})
            meeting.add_before_owner(*each);
        std::atomic<bool> go{false}, gone{false};
        parallel_invoke(
            [&] {
                ASSERT_TRUE(force_steal());
                const apart scene;
                *letters += "a";
                EXPECT_FALSE(meeting.arrive(scene.here, *a));
                *letters += "c";
                EXPECT_FALSE(meeting.arrive(scene.here, *c));
                interrupted_append::hook = [&] {
                    go = true;
                    while (!gone)
                        sched_yield();
                };
                EXPECT_TRUE(meeting.arrive(scene.here, *lent)) << "the owner was there before";
                EXPECT_EQ(*letters, "ac");
                delete lent;
            },
            [&] {
                while (!go)
                    sched_yield();
                {
                    const apart scene;
                    EXPECT_FALSE(meeting.arrive(scene.here, meeting.owner));
                }
                gone = true;
            });
    });
    EXPECT_EQ(letters.get(), "ac");
    EXPECT_EQ(counted_child::alive, 0);
}

} // namespace
} // namespace saguaro::scheduler
