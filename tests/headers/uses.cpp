// SPDX-License-Identifier: MIT
// Uses of the C++ headers, to be looked at by compilers and never run: every template is
// instantiated, with types that conversions would hurt where that is possible.
#include <saguaro/cilk_abi.h>
#include <saguaro/collective.hpp>
#include <saguaro/nanothreads.hpp>
#include <saguaro/saguaro.hpp>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

// Integers of 128 bits are integral to the standard library in one of -std=c++20 and -std=gnu++20.
__extension__ typedef __int128 int_128;
static_assert(saguaro::detail::advanced(int_128{-5}, 2) == int_128{-3});
static_assert(saguaro::detail::distance(-(int_128{1} << 70), int_128{1} << 70) ==
              ~std::uint64_t{0});

template <class... Monoids>
struct reducers_of {
    static void use() { (use_one<Monoids>(), ...); }

    template <class M>
    static void use_one() {
        saguaro::reducer<M> r;
        *r = r.take();
        r.set(M().identity());
        static_cast<void>(r.get());
    }
};

void monoids() {
    reducers_of<saguaro::add<short>, saguaro::mul<unsigned short>, saguaro::mul<double>,
                saguaro::min<short>, saguaro::max<float>, saguaro::min<std::string>,
                saguaro::min_index<short, float>, saguaro::max_index<std::string, long>,
                saguaro::band<unsigned char>, saguaro::bor<short>, saguaro::bxor<bool>,
                saguaro::list_append<std::unique_ptr<int>>,
                saguaro::vector_append<std::unique_ptr<int>>, saguaro::string_append,
                saguaro::exact_sum<float>, saguaro::exact_sum<double>, saguaro::serial_sum<float>,
                saguaro::serial_sum<double>, saguaro::histogram<8, unsigned short>,
                saguaro::histogram<>, saguaro::map_merge<std::map<int, short>, saguaro::keep_last>,
                saguaro::map_merge<std::unordered_map<int, long>, std::plus<>>,
                saguaro::set_merge<std::set<short>>>::use();
    saguaro::reducer<saguaro::top_k<short>> best{saguaro::top_k<short>(3)};
    best->push(1);
    saguaro::reducer<saguaro::exact_sum<float>> exact;
    *exact += 1.0F;
    saguaro::reducer<saguaro::serial_sum<float>> serial;
    *serial += 1.0F;
    saguaro::reducer<saguaro::min_index<short, float>> where;
    saguaro::min_index<short, float>::update(*where, 1, 2.0F);
    saguaro::holder scratch([] { return std::vector<char>(3); });
    scratch->push_back(1);
    std::ostringstream text;
    saguaro::ostream_reducer out(text);
    *out << 'x';
}

void loops(std::vector<short> &v) {
    const auto increment = [](short &x) { ++x; };
    const auto negative = [](short x) { return static_cast<short>(-x); };
    const auto sum = [](long a, long b) { return a + b; };
    saguaro::parallel_for(v.begin(), v.end(), increment);
    saguaro::parallel_for(v.begin(), v.end(), increment, saguaro::grain{8});
    saguaro::parallel_for(0, v.size(), [&](std::size_t i) { ++v[i]; });
    saguaro::parallel_for(static_cast<short>(0), static_cast<short>(9), [](short) {});
    saguaro::parallel_for(static_cast<short>(0), static_cast<short>(9), 2U, [](short) {});
    saguaro::parallel_for(9U, 0U, static_cast<short>(-2), [](unsigned) {}, saguaro::grain{8});
    saguaro::parallel_for(v, 2, increment);
    saguaro::parallel_for(int_128{0}, int_128{9}, static_cast<signed char>(-2), [](int_128) {});
    saguaro::parallel_for_blocks(0, 100L, [](long, long) {}, saguaro::grain{8});
    saguaro::parallel_for(saguaro::range_2d<short>{0, 3, 0, 4}, [](short, short) {});
    saguaro::parallel_for_tiles(saguaro::range_2d<long>{0, 3, 0, 4},
                                [](const saguaro::range_2d<long> &) {});
    static_cast<void>(
        saguaro::parallel_reduce(v.begin(), v.end(), 0L, sum, [](short x) { return long{x}; }));
    saguaro::parallel_transform(v.begin(), v.end(), v.begin(), negative);
    static_cast<void>(saguaro::parallel_find(v.begin(), v.end(), 3));
    static_cast<void>(saguaro::parallel_find_if(0, 9, [](int i) { return i == 3; }));
    std::vector<long> wide(v.begin(), v.end());
    saguaro::parallel_scan(wide.begin(), wide.end(), wide.begin());
    saguaro::parallel_scan(wide.begin(), wide.end(), wide.begin(), sum, 1L);
    const auto size = [](auto b, auto e) { return e - b; };
    const auto after = [](auto b, auto e, std::ptrdiff_t before) { return before + (e - b); };
    saguaro::parallel_scan_blocks(v, std::ptrdiff_t{0}, std::plus<>(), size, after);
    saguaro::parallel_scan_blocks(
        v.begin(), v.cend(), short{0}, std::plus<>(), size,
        [](auto, auto, short before) { return before; }, saguaro::grain{8});
    saguaro::parallel_exclusive_scan(wide.begin(), wide.end(), wide.begin(), 0L);
    saguaro::parallel_sort(v);
    saguaro::parallel_sort(v.begin(), v.end(), std::greater<>());
}

void forks() {
    const auto [a, b, c] = saguaro::parallel_invoke([] { return std::make_unique<int>(1); }, [] {},
                                                    [] { return 'x'; });
    static_cast<void>(a);
    static_cast<void>(b);
    static_cast<void>(c);
    {
        const saguaro::blocking wait;
    }
    saguaro::isolate([] {});
    saguaro::arena two({.workers = 2});
    static_cast<void>(two.run([] { return std::make_unique<int>(3); }));
    two.run([] {});
    saguaro::parallel_invoke([] {}, [] {});
    saguaro::scope s;
    s.spawn([owned = std::make_unique<int>(2)] { static_cast<void>(owned); });
    s.spawn(forks);
    s.sync();
    saguaro::with_scope([](saguaro::scope &inner) { inner.spawn([] {}); });
    saguaro::task_group tasks;
    tasks.run([&] { tasks.run([] {}); });
    if (tasks.run_and_wait([] {}) == saguaro::task_group_status::canceled ||
        saguaro::is_current_task_group_canceling())
        tasks.cancel();
    saguaro::cancellable_scope stoppable;
    stoppable.spawn([&] { stoppable.cancel(); });
    if (stoppable.sync() == saguaro::outcome::cancelled && saguaro::cancelled())
        return;
    const saguaro::pedigree_root root;
    saguaro::dotmix random(42);
    static_cast<void>(std::uniform_int_distribution<short>()(random));
    static_cast<void>(random.uniform() + static_cast<double>(saguaro::pedigree().size()));
}

} // namespace

void nano_threads() {
    namespace nt = saguaro::nt;
    nt::run({.processors = 1, .design = "lsa"}, [large = std::array<int, 9>()] {
        nt::thread *const last = nt::create([] { nt::block(); }, 1);
        nt::create([last, large] { nt::unblock(large.empty() ? nullptr : last); }, 0,
                   {last, nt::self()});
        nt::fork([] { nt::yield(); });
        nt::expect(1U + static_cast<unsigned>(nt::processor()));
        nt::join();
    });
    static_cast<void>(nt::run([] {}).stacks);
}

void collectives() {
    const saguaro::team two(2);
    std::vector<short> values(two.members());
    std::array<double, 4> sums{};
    two.barrier(0);
    two.broadcast(0, 0, sums[0]);
    two.broadcast(0, 0, values);
    two.reduce(0, 0, 1.5, [](double a, double b) { return a < b ? b : a; });
    two.reduce(0, 0, sums, sums);
    two.allreduce(0, 3L, std::bit_or<>());
    two.allreduce(0, sums, sums, std::multiplies<>());
    two.scan(0, 'a', [](char a, char b) { return a < b ? b : a; });
    two.scan(0, sums, sums);
    values = two.gather(0, 0, values);
    two.gather(0, 0, 1U);
    two.scatter(0, 0, values, std::array<short, 1>());
    two.scatter(0, 0, values);
    two.alltoall(0, values);
}

int main() {
    nano_threads();
    collectives();
    saguaro::start({.workers = 1});
    std::vector<short> v(9);
    saguaro::run([&] { loops(v); });
    saguaro::run(forks);
    const std::unique_ptr<int> result = saguaro::run([] { return std::make_unique<int>(1); });
    monoids();
    static_cast<void>(saguaro::stats().spawns + saguaro::workers());
    saguaro::stop();
    return saguaro::worker_id() + *result;
}
