// SPDX-License-Identifier: MIT
// Programs for the race detector, one for each name: `cases NAME`. Those called racy_ have a
// determinacy race, those called right_ have none. Without a name: prints all names.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <saguaro/saguaro.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace saguaro;

struct shape {
    virtual ~shape() = default;
    virtual int area() const = 0;
};
struct square : shape {
    explicit square(int s) : side(s) {}
    int area() const override { return side * side; }
    int side;
};

// Compilers leave out what is stored in variables that nobody else can read.
extern char text[64];
extern int copied[64];
extern std::vector<int> known_list;
extern square known_square;
char text[64];
int copied[64];
std::vector<int> known_list;
square known_square(3);

namespace {

using program = void (*)();
struct entry {
    const char *name;
    program run;
};

void expect(bool holds) {
    if (!holds)
        std::abort();
}

long sum_of_all;
int cells[64];
struct big {
    long words[30];
} big_a, big_b;
struct fields {
    unsigned low : 4;
    unsigned high : 4;
} bits;
struct pair_of_bytes {
    char left, right;
} bytes_side_by_side;

// Uses its stack.
void leaf(int n) {
    volatile int local[32];
    for (int i = 0; i < 32; ++i)
        local[i] = n;
}

void nested(int depth) {
    leaf(depth);
    if (depth > 0)
        parallel_invoke([=] { nested(depth - 1); }, [=] { nested(depth - 1); });
    leaf(depth);
}

const std::vector<int> &table() {
    static const std::vector<int> made{1, 2, 3};
    return made;
}

int counted() {
    static int calls = 0;
    return ++calls;
}

int read(const int &of) {
    volatile int value = of;
    return value;
}

long fib(int n) {
    if (n < 2)
        return n;
    const auto [a, b] = parallel_invoke([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
    return a + b;
}

using list = std::vector<int>;
struct append {
    using value_type = list;
    list identity() const { return {}; }
    void reduce(list &left, list &&right) const {
        left.insert(left.end(), right.begin(), right.end());
    }
};

list numbers(int n) {
    list made(static_cast<std::size_t>(n));
    std::iota(made.begin(), made.end(), 0);
    return made;
}

const entry racy[] = {
    {"racy_sum", [] { parallel_for(0, 8, [](int i) { sum_of_all += i; }); }},
    {"racy_sum_by_reference",
     [] {
         int sum = 0;
         parallel_for(0, 8, [&](int i) { sum += i; });
     }},
    {"racy_last_value", [] { parallel_for(0, 8, [](int i) { cells[0] = i; }); }},
    {"racy_neighbours", [] { parallel_for(0, 63, [](int i) { cells[i] = cells[i + 1]; }); }},
    {"racy_far_apart", [] { parallel_for(0, 64, [](int i) { cells[i] = cells[63 - i]; }); }},
    {"racy_last_two", [] { parallel_for(0, 64, [](int i) { cells[i == 63 ? 62 : i] = i; }); }},
    {"racy_bytes",
     [] {
         parallel_for(0, 63, [](int i) {
             text[i] = 1;
             text[i + 1] = 2;
         });
     }},
    {"racy_byte_in_word",
     [] { parallel_invoke([] { text[5] = 1; }, [] { std::memset(text, 0, 8); }); }},
    {"racy_bit_fields",
     [] {
         parallel_invoke([] { bits.low = 1; }, [] { bits.high = 2; });
         expect(bits.low + bits.high < 100);
     }},
    {"racy_unaligned",
     [] { parallel_invoke([] { std::memset(text + 1, 1, 6); }, [] { text[6] = 2; }); }},
    {"racy_no_sync",
     [] {
         int x = 0;
         scope s;
         s.spawn([&] { x = 1; });
         ++x;
         s.sync();
     }},
    {"racy_read_then_write",
     [] {
         int x = 0;
         scope s;
         s.spawn([&] { read(x); });
         x = 3;
         s.sync();
     }},
    {"racy_loop_variable",
     [] {
         scope s;
         for (int i = 0; i < 4; ++i)
             s.spawn([&] { read(i); });
         s.sync();
     }},
    {"racy_result_too_early",
     [] {
         int x = 0;
         scope s;
         s.spawn([&] { x = static_cast<int>(fib(3)); });
         const int y = x + 1;
         s.sync();
         expect(y >= 0);
     }},
    {"racy_deep_child",
     [] {
         int x = 0;
         parallel_invoke(
             [&] { parallel_invoke([&] { parallel_invoke([&] { x = 1; }, [] {}); }, [] {}); },
             [&] { read(x); });
     }},
    {"racy_through_a_call",
     [] {
         int x = 0;
         const auto child = [&] {
             scope s;
             s.spawn([&] { x = 1; });
             s.sync();
         };
         parallel_invoke(child, [&] { x = 2; });
     }},
    {"racy_scope_of_caller",
     [] {
         int x = 0;
         scope s;
         const auto spawns = [&] { s.spawn([&] { x = 1; }); };
         spawns();
         x = 2;
         s.sync();
     }},
    {"racy_free",
     [] {
         int *const p = new int[8]{};
         parallel_invoke([=] { p[3] = 1; }, [=] { delete[] p; });
     }},
    {"racy_growing_vector",
     [] {
         list v;
         v.reserve(100);
         parallel_for(0, 8, [&](int i) { v.push_back(i); });
     }},
    {"racy_vector_size",
     [] {
         known_list.assign(4, 1);
         parallel_invoke([] { known_list.pop_back(); }, [] { expect(known_list.size() < 100); });
     }},
    {"racy_map",
     [] {
         std::map<int, int> m;
         parallel_for(0, 8, [&](int i) { m[i] = i; });
     }},
    {"racy_string",
     [] {
         std::string s = "a text that is longer than sixteen bytes";
         parallel_invoke([&] { s[3] = 'x'; }, [&] { expect(s.find('~') == std::string::npos); });
     }},
    {"racy_static_variable", [] { parallel_for(0, 4, [](int) { counted(); }); }},
    {"racy_member",
     [] {
         parallel_invoke([] { known_square.side = 4; }, [] { expect(known_square.area() > 0); });
     }},
    {"racy_memset", [] { parallel_for(0, 2, [](int) { std::memset(cells, 0, sizeof cells); }); }},
    {"racy_loops_like_memset",
     [] {
         const auto clear = [] {
             for (int &each : copied)
                 each = 0;
         };
         parallel_invoke(clear, clear);
     }},
    {"racy_memcpy",
     [] {
         parallel_invoke([] { std::memcpy(copied, cells, sizeof copied); }, [] { cells[5] = 1; });
     }},
    {"racy_memmove",
     [] { parallel_invoke([] { std::memmove(cells, cells + 1, 40); }, [] { read(cells[5]); }); }},
    {"racy_strlen",
     [] {
         static char s[32] = "text";
         parallel_invoke([] { s[2] = 'x'; },
                         [] { expect(std::strlen(const_cast<const char *>(s)) < 30); });
     }},
    {"racy_struct_copy",
     [] {
         parallel_invoke([] { big_a = big_b; }, [] { big_b.words[7] = 1; });
         expect(big_a.words[7] < 2);
     }},
    {"racy_swap",
     [] {
         parallel_invoke([] { std::swap(cells[1], cells[2]); },
                         [] { std::swap(cells[2], cells[3]); });
     }},
    {"racy_atomic_and_plain",
     [] {
         static long s;
         parallel_for(0, 8, [](int i) {
             if (i % 2 != 0)
                 __atomic_fetch_add(&s, 1, __ATOMIC_RELAXED);
             else
                 ++s;
         });
     }},
    {"racy_plain_and_then_atomic",
     [] {
         static long s;
         parallel_invoke([] { s = 1; }, [] { __atomic_fetch_add(&s, 1, __ATOMIC_RELAXED); });
     }},
    {"racy_write_before_a_serial_read",
     [] {
         int x = 0;
         int y = 0;
         parallel_invoke(
             [&] {
                 parallel_invoke([&] { x = 1; }, [] {});
                 read(x);
                 read(y);
             },
             [&] {
                 read(y);
                 read(x);
             });
     }},
    {"racy_flag_by_atomic",
     [] {
         static std::atomic<bool> is_there;
         static int value;
         parallel_invoke(
             [] {
                 value = 1;
                 is_there = true;
             },
             [] {
                 if (is_there)
                     read(value);
             });
     }},
    {"racy_reducer_read",
     [] {
         reducer<add<long>> s;
         parallel_invoke([&] { *s += 1; }, [&] { std::printf("%ld\n", s.get()); });
     }},
    {"racy_reducer_set",
     [] {
         reducer<add<long>> s;
         scope children;
         children.spawn([&] { *s += 1; });
         s.set(7);
         children.sync();
     }},
    {"racy_reducer_take",
     [] {
         reducer<append> s;
         parallel_for(0, 4, [&](int i) { s->push_back(static_cast<int>(s.take().size()) + i); });
     }},
    {"racy_reducer_ends_too_early",
     [] {
         scope children;
         {
             reducer<add<long>> s;
             children.spawn([&] { *s += 1; });
         }
         children.sync();
     }},
    {"racy_reference_to_view",
     [] {
         reducer<add<long>> s;
         long &view = *s;
         scope children;
         children.spawn([&] { view += 1; });
         view += 2;
         children.sync();
     }},
    {"racy_shared_data_beside_reducer",
     [] {
         reducer<add<long>> s;
         int last = 0;
         parallel_for(0, 8, [&](int i) {
             *s += i;
             last = i;
         });
     }},
    {"racy_parallel_reduce",
     [] {
         int calls = 0;
         parallel_reduce(0, 100, 0L, std::plus<>(), [&](int i) { return ++calls + i; });
     }},
    {"racy_parallel_scan",
     [] {
         const list in(2000, 1);
         list out(2000);
         int calls = 0;
         parallel_scan(in.begin(), in.end(), out.begin(), [&](int a, int b) {
             ++calls;
             return a + b;
         });
     }},
    {"racy_parallel_sort",
     [] {
         list v = numbers(20000);
         int calls = 0;
         parallel_sort(v.begin(), v.end(), [&](int a, int b) {
             ++calls;
             return a > b;
         });
     }},
    {"racy_two_dimensions",
     [] { parallel_for(range_2d<int>(8, 8), [](int i, int) { cells[i] += 1; }, grain{1}); }},
};

const entry right[] = {
    {"right_atomic_sum",
     [] {
         static std::atomic<long> s;
         parallel_for(0, 8, [](int i) { s += i; });
     }},
    {"right_fib", [] { expect(fib(12) == 144); }},
    {"right_sum_of_reducer",
     [] {
         reducer<add<long>> s;
         parallel_for(0, 8, [&](int i) { *s += i; });
         expect(s.get() == 28);
     }},
    {"right_list_of_reducer",
     [] {
         reducer<append> s;
         parallel_for(0, 2000, [&](int i) { s->push_back(i); });
         expect(s.get() == numbers(2000));
     }},
    {"right_nested_reducer",
     [] {
         reducer<append> s;
         parallel_for(0, 20, [&](int i) {
             s->push_back(3 * i);
             parallel_invoke([&] { s->push_back(3 * i + 1); }, [&] { s->push_back(3 * i + 2); });
         });
         expect(s.get() == numbers(60));
     }},
    {"right_reducer_between_spawns",
     [] {
         reducer<append> s;
         scope children;
         for (int i = 0; i < 30; i += 3) {
             children.spawn([&, i] { s->push_back(i); });
             s->push_back(i + 1);
             parallel_invoke([&, i] { s->push_back(i + 2); }, [] {});
         }
         children.sync();
         expect(s.get() == numbers(30));
     }},
    {"right_reducer_in_child",
     [] {
         parallel_for(0, 8, [](int i) {
             reducer<add<int>> local;
             parallel_for(0, i, [&](int k) { *local += k; });
             expect(local.get() == i * (i - 1) / 2);
         });
     }},
    {"right_ostream_reducer",
     [] {
         std::ostringstream out;
         {
             ostream_reducer r(out);
             parallel_for(0, 5, [&](int i) { *r << i; });
         }
         expect(out.str() == "01234");
     }},
    {"right_holder",
     [] {
         holder<list> h;
         parallel_for(0, 50, [&](int i) {
             h->assign(10, i);
             expect((*h)[9] == i);
         });
     }},
    {"right_neighbours",
     [] {
         parallel_for(0, 64, [](int i) { cells[i] = i; });
         parallel_for(0, 63, [](int i) { read(cells[i + 1]); });
     }},
    {"right_bytes", [] { parallel_for(0, 64, [](int i) { text[i] = static_cast<char>(i); }); }},
    {"right_bytes_of_one_word",
     [] {
         parallel_invoke([] { bytes_side_by_side.left = 1; }, [] { bytes_side_by_side.right = 2; });
         expect(bytes_side_by_side.left + bytes_side_by_side.right == 3);
         bytes_side_by_side = {0, 0};
     }},
    {"right_reads", [] { parallel_for(0, 64, [](int i) { read(cells[i % 3]); }); }},
    {"right_sync",
     [] {
         int x = 0;
         scope s;
         s.spawn([&] { x = 1; });
         s.sync();
         ++x;
         s.spawn([&] { x = 2; });
         s.sync();
         ++x;
         expect(x == 3);
     }},
    {"right_after_a_question_and_a_sync",
     [] {
         int x = 0;
         scope s;
         s.spawn([&] {
             read(cells[7]);
             x = 1;
         });
         read(cells[7]);
         s.sync();
         x = 2;
     }},
    {"right_results",
     [] {
         const auto [a, b, c] = parallel_invoke([] { return std::string(40, 'a'); },
                                                [] { return numbers(5); }, [] { return 7; });
         expect(a.size() == 40 && b.size() == 5 && c == 7);
     }},
    {"right_closures",
     [] {
         int out[100];
         scope s;
         for (int i = 0; i < 100; ++i) {
             const int copy[4] = {i, i, i, i};
             s.spawn([=, &out] {
                 leaf(i);
                 out[i] = copy[3];
             });
             leaf(i);
         }
         s.sync();
         expect(out[99] == 99);
     }},
    {"right_closure_with_heap",
     [] {
         scope s;
         for (int i = 0; i < 20; ++i)
             s.spawn([v = numbers(100)] { expect(v[50] == 50); });
         s.sync();
     }},
    {"right_stack", [] { nested(6); }},
    {"right_heap",
     [] {
         parallel_for(0, 200, [](int i) {
             list v(static_cast<std::size_t>(20 + i % 3), i);
             std::string t(40, 'x');
             t += std::to_string(i);
             v.push_back(1);
             std::map<int, int> m;
             m[i] = v[3];
         });
     }},
    {"right_large_heap",
     [] {
         for (const std::size_t size : {25001, 200000})
             parallel_for(0, 8, [&](int i) {
                 list v(size + static_cast<std::size_t>(i), i);
                 expect(v.back() == i);
             });
     }},
    {"right_free",
     [] {
         int *const p = new int[8]{};
         parallel_invoke([=] { p[3] = 1; }, [=] { p[4] = 2; });
         delete[] p;
     }},
    {"right_realloc",
     [] {
         parallel_for(0, 8, [](int i) {
             int *p = static_cast<int *>(std::malloc(sizeof(int)));
             for (std::size_t n = 1; n < 2000; n *= 2) {
                 p = static_cast<int *>(std::realloc(p, n * sizeof(int)));
                 p[n - 1] = i;
             }
             std::free(p);
         });
     }},
    {"right_static_variable",
     [] {
         parallel_for(0, 8, [](int i) { expect(table()[static_cast<std::size_t>(i % 3)] < 7); });
     }},
    {"right_virtual_calls",
     [] {
         const square s(3);
         parallel_for(0, 8, [&](int) { expect(static_cast<const shape &>(s).area() == 9); });
         parallel_for(0, 50, [](int i) {
             const std::unique_ptr<shape> p = std::make_unique<square>(i);
             expect(p->area() == i * i);
         });
     }},
    {"right_exception",
     [] {
         for (int i = 0; i < 3; ++i)
             try {
                 parallel_invoke(
                     [] {
                         leaf(1);
                         throw 1;
                     },
                     [] { leaf(2); });
                 expect(false);
             } catch (int) {
                 leaf(3);
             }
     }},
    {"right_exception_of_scope",
     [] {
         int thrown = 0;
         try {
             with_scope([](scope &s) {
                 s.spawn([] { throw 1; });
                 s.spawn([] { throw 2; });
             });
         } catch (int which) {
             thrown = which;
         }
         expect(thrown == 1);
     }},
    {"right_call_between_spawns",
     [] {
         int x = 0;
         scope s;
         s.spawn([] { leaf(1); });
         nested(3);
         x = 1;
         s.spawn([] { leaf(2); });
         x = 2;
         nested(2);
         s.sync();
         expect(x == 2);
     }},
    {"right_cancelled",
     [] {
         int ran = 0;
         cancellable_scope s;
         s.cancel();
         s.spawn([&] { ran = 1; });
         expect(s.sync() == outcome::cancelled && ran == 0);
     }},
    {"right_parallel_reduce",
     [] {
         expect(parallel_reduce(0, 1000, 0L, std::plus<>(), [](int i) { return long{i}; }) ==
                499500);
         const list v = numbers(300);
         expect(parallel_reduce(
                    v.begin(), v.end(), list(),
                    [](list a, list b) {
                        a.insert(a.end(), b.begin(), b.end());
                        return a;
                    },
                    [](int i) { return list{i}; }) == v);
     }},
    {"right_parallel_scan",
     [] {
         const list in(5000, 1);
         list out(5000);
         parallel_scan(in.begin(), in.end(), out.begin(), std::plus<>());
         expect(out[4999] == 5000);
     }},
    {"right_parallel_sort",
     [] {
         list v = numbers(30000);
         parallel_sort(v.begin(), v.end(), std::greater<>());
         expect(v.front() == 29999 && v.back() == 0);
     }},
    {"right_parallel_find",
     [] {
         const list v = numbers(50000);
         expect(parallel_find(v.begin(), v.end(), 40000) - v.begin() == 40000);
     }},
    {"right_parallel_transform",
     [] {
         const list v = numbers(3000);
         list out(3000);
         parallel_transform(v.begin(), v.end(), out.begin(), [](int i) { return 2 * i; });
         expect(out[2999] == 5998);
     }},
    {"right_two_dimensions",
     [] {
         static int grid[16][16];
         parallel_for(range_2d<int>(16, 16), [](int i, int j) { grid[i][j] = i * j; }, grain{1});
         expect(grid[15][15] == 225);
     }},
    {"right_random_numbers",
     [] {
         const pedigree_root root;
         dotmix random(7);
         std::atomic<std::uint64_t> all = 0;
         parallel_for(0, 50, [&](int) { all ^= random(); });
         parallel_invoke([&] { all ^= random(); }, [&] { all ^= random(); },
                         [&] { all ^= random(); });
         std::printf("%llx\n", static_cast<unsigned long long>(all.load()));
     }},
    {"right_run",
     [] {
         start();
         expect(run([] { return fib(8); }) == 21);
         stop();
         start(options{.workers = 2});
         stop();
         expect(isolate([] { return fib(7); }) == 13);
         expect(workers() == 1 && worker_id() == 0);
     }},
};

} // namespace

int main(int argc, char **argv) {
    for (const auto &[entries, count] :
         {std::pair{racy, std::size(racy)}, {right, std::size(right)}})
        for (const entry *each = entries; each != entries + count; ++each)
            if (argc < 2)
                std::puts(each->name);
            else if (std::strcmp(argv[1], each->name) == 0)
                return each->run(), 0;
    return argc < 2 ? 0 : 3;
}
