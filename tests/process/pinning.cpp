// SPDX-License-Identifier: MIT
// The program of pinning_test.py: the processors of workers, and of the threads that their tasks
// make.
#include "platform/cpus.hpp"
#include "process/modes.hpp"
#include "saguaro/detail/sanitizers.h"
#include "saguaro/vthread.h"
#include "support/another_worker.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sched.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

extern char **environ;

namespace {

std::mutex lock;            // guards what follows
std::map<pid_t, int> homes; // by thread

} // namespace

// The program's own, before the C library's: notes on which single processor a thread is put first.
// It may be moved from there while another one enters.
extern "C" int sched_setaffinity(pid_t thread, std::size_t bytes, const cpu_set_t *mask) noexcept {
    if (CPU_COUNT_S(bytes, mask) == 1) {
        const std::lock_guard guard(lock);
        int cpu = 0;
        while (!CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, mask))
            ++cpu;
        homes.try_emplace(thread != 0 ? thread : gettid(), cpu);
    }
    return syscall(SYS_sched_setaffinity, thread, bytes, mask) < 0 ? -1 : 0;
}

namespace {

using namespace process;

int processors() {
    return static_cast<int>(saguaro::platform::allowed_cpus().size());
}

void print(const char *who, int count) {
    std::printf("%s %d\n", who, count);
    std::fflush(stdout);
}

// Calls f() in a task on a thread of the runtime's. Two workers at least.
template <class F>
void on_another_worker(F f) {
    saguaro::run([&] { saguaro::test::on_another_worker(f); });
}

// What `nproc` says, as that of a program which is made by make(command).
template <class Make>
void print_of_program(const char *who, Make make) {
    std::fflush(stdout);
    const std::string command = std::string("echo ") + who + " $(nproc)";
    make(command.c_str());
}

void wait_for(pid_t child) {
    int status = 0;
    check(waitpid(child, &status, 0) == child && status == 0, "the child's end");
}

void spawn(decltype(posix_spawn) *how, const char *program, const char *command) {
    std::string shell = "sh", option = "-c", text = command;
    char *const arguments[] = {shell.data(), option.data(), text.data(), nullptr};
    pid_t child = -1;
    check(how(&child, program, nullptr, nullptr, arguments, environ) == 0, "spawn");
    wait_for(child);
}

void print_children() {
    print("worker", processors());
    std::thread([] { print("std::thread", processors()); }).join();
#if !SG_THREAD_SANITIZER // it knows no threads of thrd_create
    thrd_t thread;
    const thrd_start_t body = [](void *) -> int {
        print("thrd_create", processors());
        return 0;
    };
    check(thrd_create(&thread, body, nullptr) == thrd_success, "thrd_create");
    thrd_join(thread, nullptr);
#endif
    const pid_t child = fork();
    if (child == 0) {
        print("fork", processors());
        _exit(0);
    }
    wait_for(child);
    print_of_program("system", [](const char *c) { check(std::system(c) == 0, "system"); });
    print_of_program("popen", [](const char *c) {
        FILE *const out = popen(c, "r");
        std::array<char, 80> line{};
        check(std::fgets(line.data(), line.size(), out) != nullptr, "popen");
        std::fputs(line.data(), stdout);
        pclose(out);
    });
    print_of_program("vfork", [](const char *c) {
        const pid_t made = vfork();
        if (made == 0) {
            execl("/bin/sh", "sh", "-c", c, static_cast<char *>(nullptr));
            _exit(127);
        }
        wait_for(made);
    });
    print_of_program("clone", [](const char *c) {
        const auto made = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
        if (made == 0) {
            execl("/bin/sh", "sh", "-c", c, static_cast<char *>(nullptr));
            _exit(127);
        }
        wait_for(made);
    });
    print_of_program("posix_spawn", [](const char *c) { spawn(posix_spawn, "/bin/sh", c); });
    print_of_program("posix_spawnp", [](const char *c) { spawn(posix_spawnp, "sh", c); });
    print("worker", processors());
}

void children() {
    on_another_worker(print_children);
}

// The child of a task on such a thread starts workers of its own.
void workers_of_a_child() {
    on_another_worker([] {
        const pid_t child = fork();
        if (child == 0) {
            std::thread([] { print("workers", static_cast<int>(saguaro::workers())); }).join();
            _exit(0);
        }
        wait_for(child);
    });
}

void worker() {
    on_another_worker([] { print("worker", processors()); });
}

// Starts the workers, and returns when each has begun.
void start_and_meet() {
    saguaro::start();
    saguaro::run([] {
        std::atomic<unsigned> here{0};
        saguaro::scope all;
        for (unsigned i = 0; i < saguaro::workers(); ++i)
            all.spawn([&] {
                ++here;
                while (here < saguaro::workers())
                    std::this_thread::yield();
            });
        all.sync();
    });
}

// Where the runtime has put its threads for a start, and how many processors one may use.
void starts() {
    start_and_meet();
    {
        const std::lock_guard guard(lock);
        std::string list;
        for (const auto &[thread, cpu] : homes)
            list += (list.empty() ? "" : ",") + std::to_string(cpu);
        std::printf("started %s\n", list.empty() ? "-" : list.c_str());
    }
    worker();
}

// The thread that enters is nobody's to move.
void entering() {
    print("before", processors());
    saguaro::run([] { print("inside", processors()); });
    print("after", processors());
}

// Whoever changes what a worker may use has the last word, for what it makes as well.
void changed() {
    on_another_worker([] {
        cpu_set_t all;
        CPU_ZERO(&all);
        for (const int cpu : {0, 1})
            CPU_SET(cpu, &all);
        sched_setaffinity(0, sizeof(all), &all);
        const int mine = processors();
        std::thread([] {}).join();
        check(processors() == mine, "as it was told");
    });
}

// The homes of all threads whose name begins so.
void print_places(const std::string &prefix) {
    std::map<std::string, std::string> places;
    for (const auto &thread : std::filesystem::directory_iterator("/proc/self/task")) {
        std::string name;
        std::getline(std::ifstream(thread.path() / "comm"), name);
        const std::lock_guard guard(lock);
        const auto found = homes.find(std::stoi(thread.path().filename()));
        if (name.starts_with(prefix))
            places[name] = found != homes.end() ? std::to_string(found->second) : "-";
    }
    for (const auto &[name, cpus] : places)
        std::printf("%s %s\n", name.c_str(), cpus.c_str());
}

void places() {
    start_and_meet();
    std::printf("workers %u\n", saguaro::workers());
    print_places("saguaro/");
}

// Twice: each run starts threads.
void places_of_cores() {
    for (int i = 0; i < 2; ++i)
        check(sg_vthread_run(
                  nullptr, [](void *, sg_vp *) { print_places("sg-vms-"); }, nullptr) == 0,
              "run");
}

constexpr mode modes[] = {{"children", children}, {"workers-of-a-child", workers_of_a_child},
                          {"worker", worker},     {"starts", starts},
                          {"entering", entering}, {"changed", changed},
                          {"places", places},     {"places-of-cores", places_of_cores}};

} // namespace

int main(int argc, char **argv) {
    return run_mode(modes, argc, argv);
}
