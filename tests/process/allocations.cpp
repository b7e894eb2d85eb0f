// SPDX-License-Identifier: MIT
// The program of allocations_test.py: KIND ENTRY lets each allocation of this kind fail in turn
// that an entry point of the library makes, each in a process of its own, and prints the outcomes
// that are not as promised.
//
// Promised is the right result, an error code, std::bad_alloc where the program called, or one line
// of the library's and an exit code.
#include <saguaro/saguaro.hpp>

#include <saguaro/task_group.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <new>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

// How many allocations there will be before the one that fails; less than 0: all succeed.
std::atomic<long> before_failure{-1};
bool fails_mappings = false; // or else malloc and its like

bool fails(bool is_mapping) {
    // Relaxed, both: which of several at once fails makes no difference.
    return is_mapping == fails_mappings && before_failure.load(std::memory_order_relaxed) >= 0 &&
           before_failure.fetch_sub(1, std::memory_order_relaxed) == 0;
}

bool fails_with_error(bool is_mapping) {
    if (!fails(is_mapping))
        return false;
    errno = ENOMEM;
    return true;
}

} // namespace

// The C library's functions, by the names that it has for such cases.
extern "C" {

void *__libc_malloc(std::size_t bytes);
void *__libc_calloc(std::size_t count, std::size_t bytes);
void *__libc_realloc(void *memory, std::size_t bytes);
void *__libc_memalign(std::size_t alignment, std::size_t bytes);

void *malloc(std::size_t bytes) noexcept {
    return fails_with_error(false) ? nullptr : __libc_malloc(bytes);
}

void *calloc(std::size_t count, std::size_t bytes) noexcept {
    return fails_with_error(false) ? nullptr : __libc_calloc(count, bytes);
}

void *realloc(void *memory, std::size_t bytes) noexcept {
    return fails_with_error(false) ? nullptr : __libc_realloc(memory, bytes);
}

void *aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
    return fails_with_error(false) ? nullptr : __libc_memalign(alignment, bytes);
}

void *mmap(void *address, std::size_t bytes, int protection, int flags, int file,
           off_t offset) noexcept {
    if (fails_with_error(true))
        return MAP_FAILED;
    return reinterpret_cast<void *>(
        syscall(SYS_mmap, address, bytes, protection, flags, file, offset));
}
}

namespace {

// What a child ends with, unless it has a line to say.
constexpr int right = 0, refused = 40, wrong = 41, not_reached = 42;

int since_failure_or(int outcome) {
    return before_failure.exchange(-1) >= 0 ? not_reached : outcome;
}

// So long that another worker comes, if it can. One that cannot is waited for once, not in each
// task: beside busy programs a pause takes many times as long as it shall.
void work() {
    static std::atomic<unsigned> seen{0};
    static std::atomic<int> pauses{100};
    const int here = sg_worker_id();
    if (here < 0) // a child that could not be put aside
        return;
    const auto mine = 1U << here;
    while ((seen.fetch_or(mine) | mine) == mine && pauses.fetch_sub(1) > 0)
        usleep(50);
}

bool loops() {
    std::atomic<long> sum{0};
    saguaro::parallel_for(0L, 100L, [&](long i) {
        work();
        sum += i;
    });
    return sum == 4950;
}

bool starts() {
    const int error = sg_start(nullptr);
    if (before_failure >= 0)
        return true; // it needs no more
    if (error == EAGAIN)
        throw std::bad_alloc();
    return error == 0 && loops() && sg_stop() == 0;
}

bool runs_first() {
    return saguaro::run([] { return 42; }) == 42;
}

bool reduces() {
    return saguaro::parallel_reduce(
               0L, 100L, 0L, [](long a, long b) { return a + b; },
               [](long i) {
                   work();
                   return i;
               }) == 4950;
}

bool sorts() {
    std::vector<int> numbers(20'000);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<int>(i * 7919 % 10'007);
    saguaro::parallel_sort(numbers.begin(), numbers.end());
    return std::is_sorted(numbers.begin(), numbers.end());
}

bool scans() {
    std::vector<long> numbers(20'000, 1);
    saguaro::parallel_scan(
        numbers.begin(), numbers.end(), numbers.begin(), [](long a, long b) { return a + b; }, 0L);
    return numbers.back() == 20'000;
}

struct wide_sum {
    using value_type = std::vector<long>;
    value_type identity() const { return value_type(20); }
    void reduce(value_type &left, value_type &&later) const {
        for (std::size_t i = 0; i < left.size(); ++i)
            left[i] += later[i];
    }
};

bool updates_reducers() {
    saguaro::reducer<wide_sum> wide;
    saguaro::reducer<saguaro::add<long>> sum;
    saguaro::parallel_for(0L, 100L, [&](long i) {
        work();
        ++(*wide)[static_cast<std::size_t>(i) % 20];
        *sum += i;
    });
    return sum.get() == 4950 && wide.get()[7] == 5;
}

bool spawns() {
    std::atomic<int> ran{0};
    saguaro::reducer<saguaro::add<int>> sum;
    saguaro::scope s;
    for (int i = 0; i < 20; ++i)
        s.spawn([&] {
            work();
            *sum += 1;
            saguaro::parallel_invoke([&] { ++ran; }, work);
        });
    s.sync();
    return ran == 20 && sum.get() == 20;
}

bool spawns_in_a_run() {
    return saguaro::run(spawns);
}

bool throws_from_children() {
    saguaro::scope s;
    for (int i = 0; i < 8; ++i)
        s.spawn([i] {
            work();
            throw i;
        });
    try {
        s.sync();
    } catch (int first) {
        return first == 0;
    }
    return false;
}

bool throws_in_a_run() {
    return saguaro::run(throws_from_children);
}

bool runs_tasks() {
    std::atomic<int> ran{0};
    saguaro::task_group group;
    for (int i = 0; i < 20; ++i)
        group.run([&] {
            work();
            group.run([&] { ++ran; });
        });
    group.wait();
    return ran == 20;
}

bool runs_tasks_in_a_run() {
    return saguaro::run(runs_tasks);
}

bool runs_tasks_of_others() {
    std::atomic<int> ran{0};
    saguaro::task_group group(saguaro::any_flow);
    saguaro::parallel_for(0, 20, [&](int) {
        work();
        group.run([&] { ++ran; });
    });
    group.wait();
    return ran == 20;
}

bool works_in_an_arena() {
    saguaro::arena two({.workers = 2});
    return two.run(loops) && saguaro::run([&] { return two.run(loops); });
}

bool isolates() {
    return saguaro::run([] { return saguaro::isolate(loops); });
}

bool blocks() {
    return saguaro::run([] {
        saguaro::parallel_invoke(
            [] {
                const saguaro::blocking wait;
                usleep(100);
            },
            work);
        return loops();
    });
}

// Both threads of the program's are inside.
bool runs_from_threads() {
    std::atomic<int> rights{0};
    std::exception_ptr error;
    std::thread other([&] {
        try {
            rights += loops() && spawns();
        } catch (...) {
            error = std::current_exception();
        }
    });
    const struct joins {
        std::thread &other;
        ~joins() {
            if (other.joinable())
                other.join();
        }
    } at_the_end{other};
    rights += loops() && spawns();
    other.join();
    if (error != nullptr)
        std::rethrow_exception(error);
    return rights == 2;
}

bool is_called_from_c() {
    std::atomic<int> ran{0};
    const auto count = [](void *n) { ++*static_cast<std::atomic<int> *>(n); };
    sg_run(count, &ran);
    sg_isolate(count, &ran);
    sg_task_group *const group = sg_task_group_create();
    if (group == nullptr)
        throw std::bad_alloc();
    int wanted = 2, error = 0;
    for (int i = 0; i < 10 && error == 0; ++i)
        wanted += (error = sg_task_group_run(group, count, &ran)) == 0;
    const bool ends = sg_task_group_wait(group) == 0;
    sg_task_group_destroy(group);
    if (error == ENOMEM && ends && ran == wanted)
        throw std::bad_alloc();
    return ends && ran == wanted;
}

bool stops() {
    return loops() && sg_stop() == 0;
}

constexpr struct {
    const char *name;
    bool (*call)();
    bool starts_itself = false;
} entries[] = {{"start", starts, true},
               {"first run", runs_first, true},
               {"first loop", loops, true},
               {"first spawn", spawns, true},
               {"first task", runs_tasks, true},
               {"loop", loops},
               {"reduce", reduces},
               {"sort", sorts},
               {"scan", scans},
               {"reducers", updates_reducers},
               {"scope", spawns},
               {"scope in a run", spawns_in_a_run},
               {"exceptions", throws_from_children},
               {"exceptions in a run", throws_in_a_run},
               {"group", runs_tasks},
               {"group in a run", runs_tasks_in_a_run},
               {"group of other flows", runs_tasks_of_others},
               {"arena", works_in_an_arena},
               {"isolate", isolates},
               {"blocking", blocks},
               {"threads", runs_from_threads},
               {"c", is_called_from_c},
               {"stop", stops}};

// In a process of its own.
[[noreturn]] void call_without(long number, bool (*call)(), bool starts_itself) {
    alarm(60);
    if (!starts_itself && sg_start(nullptr) != 0)
        std::_Exit(wrong);
    before_failure = number;
    try {
        const bool is_right = call();
        std::_Exit(since_failure_or(is_right ? right : wrong));
    } catch (const std::bad_alloc &) {
        std::_Exit(since_failure_or(refused));
    } catch (const std::system_error &) { // of a thread
        std::_Exit(since_failure_or(refused));
    }
}

// The outcome, and whether it is a promised one; `text` is what the process said.
bool is_promised(int status, const std::string &text, std::string &outcome) {
    if (WIFSIGNALED(status)) {
        outcome = "signal " + std::to_string(WTERMSIG(status)) + ": " + text;
        // What the runtime refuses while a flow cannot go on ends by abort, as any such line does.
        return false;
    }
    const int code = WEXITSTATUS(status);
    outcome = "exit code " + std::to_string(code) + ": " + text;
    const auto lines = std::count(text.begin(), text.end(), '\n');
    const bool is_a_line = lines == 1 && text.starts_with("saguaro: ") && text.ends_with("\n");
    switch (code) {
    case right:
    case refused:
        return text.empty() || is_a_line; // a warning, of fewer workers for instance
    case 1:
    case 2:
        return is_a_line;
    default:
        return false;
    }
}

// False: there are no more allocations than `number`.
bool try_without(long number, bool (*call)(), bool starts_itself, const char *name) {
    int ends[2];
    if (pipe(ends) != 0)
        std::_Exit(9);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        call_without(number, call, starts_itself);
    }
    close(ends[1]);
    std::string text;
    char part[512];
    for (ssize_t bytes; (bytes = read(ends[0], part, sizeof part)) > 0;)
        text.append(part, static_cast<std::size_t>(bytes));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == not_reached)
        return false;
    std::string outcome;
    if (!is_promised(status, text, outcome))
        std::printf("%s, without allocation %ld: %s\n", name, number, outcome.c_str());
    std::fflush(stdout);
    return true;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    fails_mappings = std::strcmp(argv[1], "mmap") == 0;
    // Workers may allocate more or less: two processes that do not get so far end the search.
    constexpr int short_ones = 2;
    for (const auto &entry : entries)
        if (std::strcmp(entry.name, argv[2]) == 0) {
            int ended = 0;
            for (long number = 0; ended < short_ones; ++number)
                ended += !try_without(number, entry.call, entry.starts_itself, entry.name);
            return 0;
        }
    return 2;
}
