// SPDX-License-Identifier: MIT
// A set of processors in the kernel's form, for any number of them.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <sched.h>
#include <sys/types.h>

namespace saguaro::platform {

// glibc's cpu_set_t holds 1024 processors; this one as many as it was made for. Up to 1024 it takes
// no memory: threads are kept on processors where there may be none left.
class cpu_mask {
public:
    // Empty, for the processors 0 to `cpus` - 1. Throws std::bad_alloc.
    explicit cpu_mask(std::size_t cpus)
        : large_(cpus > CPU_SETSIZE ? CPU_ALLOC(cpus) : nullptr), bytes_(CPU_ALLOC_SIZE(cpus)) {
        if (cpus > CPU_SETSIZE && large_ == nullptr)
            throw std::bad_alloc();
        CPU_ZERO_S(bytes_, data());
    }

    // What thread `thread` may use; 0: the calling one. Processor 0 alone where the kernel does not
    // say.
    static cpu_mask of_thread(pid_t thread);

    void add(int cpu) { CPU_SET_S(static_cast<std::size_t>(cpu), bytes_, data()); }

    bool contains(int cpu) const {
        return CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes_, data());
    }

    int size() const { return static_cast<int>(bytes_ * 8); }

    int count() const { return CPU_COUNT_S(bytes_, data()); }

    cpu_set_t *data() { return large_ != nullptr ? large_.get() : &small_; }
    const cpu_set_t *data() const { return large_ != nullptr ? large_.get() : &small_; }
    std::size_t bytes() const { return bytes_; }

private:
    struct deleter {
        void operator()(cpu_set_t *set) const { CPU_FREE(set); }
    };

    cpu_set_t small_;
    std::unique_ptr<cpu_set_t, deleter> large_;
    std::size_t bytes_;
};

} // namespace saguaro::platform
