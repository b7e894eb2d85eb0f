// SPDX-License-Identifier: MIT
// A rank that does what its argument says, for launcher_test.py.
#include "mpi/core/communicators/communicators.hpp"
#include "mpi/core/interface/functions.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

using namespace saguaro::mpi;

namespace {

// Two groups of children, spawned at the same time by ranks 0 and 1, whose parents all take
// messages from all of them. Rank 0 prints in which order they came.
void spawn_two(char *program) {
    int me = 0;
    comm children{};
    comm halves{};
    comm between{};
    comm all{};
    core::comm_rank(comm::world, &me);
    // So rank 1 asks first, and its children have the lower numbers.
    if (me == 0)
        usleep(100'000);
    std::string word = "hello";
    char *words[] = {word.data(), nullptr};
    core::comm_spawn(program, words, 2, info::null, 0, comm::self, &children, nullptr);
    core::intercomm_merge(children, 0, &halves);
    core::intercomm_create(halves, 0, comm::world, 1 - me, 0, &between);
    core::intercomm_merge(between, me, &all);
    for (int i = 0; i < 4 && me == 0; ++i) {
        status s;
        core::recv(nullptr, 0, datatype::byte, abi::any_source, 1, all, &s);
        std::printf("%d\n", s.source);
    }
}

void hello(comm parent) {
    comm halves{};
    comm between{};
    comm all{};
    core::intercomm_merge(parent, 1, &halves);
    core::intercomm_create(halves, 0, comm::world, 0, 0, &between);
    // Rank 0 and its children come first.
    const bool is_of_rank_0 = find(between)->local->members[0] == 0;
    core::intercomm_merge(between, is_of_rank_0 ? 0 : 1, &all);
    core::send(nullptr, 0, datatype::byte, 0, 1, all);
}

// Children that leave at once, 50 at a time.
void spawn_many(char *program) {
    std::string word = "leave";
    char *words[] = {word.data(), nullptr};
    for (int i = 0; i < 6; ++i) {
        comm children{};
        core::comm_spawn(program, words, 50, info::null, 0, comm::self, &children, nullptr);
        core::comm_disconnect(&children);
    }
}

// Rank 0 waits at its port before rank 1 spawns the guest that connects to it. Rank 1 looks up what
// the guest publishes later, but at a lower clock.
void spawn_guest(char *program, int rank) {
    char port[abi::max_port_name] = "";
    comm made{};
    if (rank == 0) {
        core::open_port(info::null, port);
        core::send(port, abi::max_port_name, datatype::char_, 1, 0, comm::world);
        const int error = core::comm_accept(port, info::null, 0, comm::self, &made);
        std::printf("%s\n", error == 0 ? "met" : "?");
        return;
    }
    core::recv(port, abi::max_port_name, datatype::char_, 0, 0, comm::world, nullptr);
    usleep(100'000);
    std::string word = "guest";
    char *words[] = {word.data(), port, nullptr};
    core::comm_spawn(program, words, 1, info::null, 0, comm::self, &made, nullptr);
    core::declare_cost(1'000'000);
    char found[abi::max_port_name] = "nothing";
    core::lookup_name("guest", info::null, found);
    std::printf("%s\n", found == std::string(port) ? "found" : found);
}

void be_guest(const char *port) {
    comm made{};
    usleep(50'000);
    core::publish_name("guest", info::null, port);
    core::comm_connect(port, info::null, 0, comm::self, &made);
}

int spawn(char *program, const std::string &what, int rank, int size) {
    if (what == "spawn_two" || what == "spawn_many" || what == "spawn_guest") {
        if (what == "spawn_two")
            spawn_two(program);
        else if (what == "spawn_many")
            spawn_many(program);
        else
            spawn_guest(program, rank);
        core::finalize();
        return 0;
    }
    const std::string said = what.substr(std::string("spawn_").size());
    std::string word = said;
    char *words[] = {word.data(), nullptr};
    char nothing[] = "/no/such/program";
    comm children{};
    const int number = said == "crowd" ? 1024 : 2;
    std::vector<int> errors(number, -1);
    core::comm_set_errhandler(comm::world, errhandler::errors_return);
    const int root = size - 1;
    const int error = core::comm_spawn(said == "nothing" ? nothing : program, words, number,
                                       info::null, root, comm::world, &children, errors.data());
    if (said == "nothing" || said == "crowd") {
        std::printf("%s", error == abi::err_spawn && errors[0] == error ? "refused\n" : "?\n");
    } else if (said == "answer") {
        // Each rank sends its number to both children, and hears the sum of all from child 0.
        for (int i = 0; i < 2; ++i)
            core::send(&rank, 1, datatype::int_, i, 0, children);
        int sum = -1;
        core::recv(&sum, 1, datatype::int_, 0, 0, children, nullptr);
        std::printf("%d\n", sum);
        core::comm_disconnect(&children);
    } else {
        int x = 0; // which comes for "memory" alone
        core::recv(&x, 1, datatype::int_, 0, 0, children, nullptr);
    }
    core::finalize();
    return 0;
}

int be_child(comm parent, const std::string &what, const char *word) {
    if (what == "guest") {
        be_guest(word);
        core::finalize();
        return 0;
    }
    int me = 0;
    int parents = 0;
    core::comm_rank(comm::world, &me);
    core::comm_remote_size(parent, &parents);
    if (what == "hello" || what == "leave") {
        if (what == "hello")
            hello(parent);
        else
            core::comm_disconnect(&parent);
        core::finalize();
        return 0;
    }
    if (what == "memory" && me == 0) {
        const char *const kept = std::getenv("GLIBC_TUNABLES");
        std::printf("%s\n", kept != nullptr ? kept : "");
        std::fflush(stdout);
        core::send(&me, 1, datatype::int_, 0, 0, parent);
    }
    if (what == "memory") {
        core::finalize();
        return 0;
    }
    if (what == "die" && me == 1)
        std::exit(6);
    if (what == "die" || what == "wait") {
        char x = 0;
        core::recv(&x, 1, datatype::byte, 0, 0, parent, nullptr);
    }
    int sum = 0;
    for (int i = 0; i < parents; ++i) {
        int got = 0;
        core::recv(&got, 1, datatype::int_, i, 0, parent, nullptr);
        sum += got;
    }
    if (me == 0)
        for (int i = 0; i < parents; ++i)
            core::send(&sum, 1, datatype::int_, i, 0, parent);
    core::comm_disconnect(&parent);
    core::finalize();
    return 0;
}

} // namespace

int main(int count, char **words) {
    const std::string what = count > 1 ? words[1] : "";
    if (what == "stranger")
        return 0;
    core::init(nullptr, nullptr);
    int rank = 0;
    int size = 0;
    core::comm_rank(comm::world, &rank);
    core::comm_size(comm::world, &size);
    char x = 0;
    comm parent{};
    core::comm_get_parent(&parent);
    if (what.rfind("spawn", 0) == 0 || parent != comm::null)
        return parent == comm::null ? spawn(words[0], what, rank, size)
                                    : be_child(parent, what, words[count - 1]);
    if (what == "two" && rank == 0) {
        core::finalize();
        return 3;
    }
    if (what == "two" && rank == 1) {
        usleep(300'000);
        std::exit(7);
    }
    if (what == "wait" || what == "two")
        core::recv(&x, 1, datatype::byte, 1, 0, comm::world, nullptr);
    if (rank == 1) {
        if (what == "signal")
            raise(SIGSEGV);
        if (what == "exit")
            std::exit(7);
        if (what == "early")
            std::exit(0);
        if (what == "abort")
            core::abort(comm::world, 5);
        if (what == "abort_well")
            core::abort(comm::world, 256);
    }
    if (what == "circle")
        core::recv(&x, 1, datatype::byte, (rank + 1) % size, 0, comm::world, nullptr);
    if (what == "say")
        for (int i = 0; i < 200; ++i) {
            const char *const color = std::getenv("COLOR");
            std::printf("rank %d of %d, ", rank, size);
            std::fflush(stdout);
            std::printf("%s\n", color != nullptr ? color : "none");
        }
    if (what == "faults") {
        rusage before;
        rusage after;
        getrusage(RUSAGE_SELF, &before);
        for (int other = 0; other < size; ++other)
            if (other != rank)
                core::send(&x, 1, datatype::byte, other, 0, comm::world);
        for (int other = 0; other < size; ++other)
            if (other != rank)
                core::recv(&x, 1, datatype::byte, other, 0, comm::world, nullptr);
        getrusage(RUSAGE_SELF, &after);
        std::printf("%ld\n", after.ru_minflt - before.ru_minflt);
    }
    if (what == "read") {
        char line[100] = "nothing\n";
        std::printf("rank %d: %s", rank,
                    std::fgets(line, sizeof(line), stdin) != nullptr ? line : "nothing\n");
    }
    core::barrier(comm::world);
    core::finalize();
    return what == "code" && rank == 1 ? 9 : 0;
}
