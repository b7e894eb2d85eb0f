// SPDX-License-Identifier: MIT
// Ranks as spaces that the test forks: each runs a function, and the test waits for all.
#pragma once

#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/world/world.hpp"
#include "saguaro/spmc.h"
#include "spmc/job.hpp"

#include <functional>
#include <sys/wait.h>
#include <vector>

namespace saguaro::mpi {

struct rank_start {
    place where;
    std::uint32_t me;
    const std::function<int(int)> *body;
};

inline int begin_rank(void *start) {
    const auto &s = *static_cast<const rank_start *>(start);
    begin_process(spmc::job::mine(), s.where, s.me);
    const int code = (*s.body)(static_cast<int>(s.me));
    // One that fails as well: the others get a line about a deadlock and need not be ended.
    core::finalize();
    return code;
}

// Runs body(rank) on so many ranks of a new world. The exit codes, -1 for a signal.
inline std::vector<int> run_ranks(std::uint32_t count, const std::function<int(int)> &body) {
    spmc::job &all = spmc::job::mine();
    const place where = world::make(all, count);
    std::vector<spmc_space> spaces(count);
    for (std::uint32_t r = 0; r < count; ++r) {
        rank_start start{where, r, &body};
        if (spmc_space_create(&spaces[r], begin_rank, &start) != 0)
            return {};
    }
    std::vector<int> codes;
    for (const spmc_space space : spaces) {
        int status = 0;
        spmc_space_wait(space, &status);
        codes.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    }
    return codes;
}

inline bool all_well(const std::vector<int> &codes) {
    for (const int code : codes)
        if (code != 0)
            return false;
    return !codes.empty();
}

// Memory that the test and its ranks share.
template <class T>
class shared_array {
public:
    explicit shared_array(std::size_t count);
    ~shared_array();
    T &operator[](std::size_t at) { return items_[at]; }

private:
    T *items_;
    std::size_t bytes_;
};

} // namespace saguaro::mpi

#include <sys/mman.h>

namespace saguaro::mpi {

template <class T>
shared_array<T>::shared_array(std::size_t count) : bytes_(count * sizeof(T)) {
    items_ = static_cast<T *>(
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
}

template <class T>
shared_array<T>::~shared_array() {
    munmap(items_, bytes_);
}

} // namespace saguaro::mpi
