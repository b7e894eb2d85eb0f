// SPDX-License-Identifier: MIT
// A set of processors in the kernel's form, for any number of them.
#pragma once

#include <cstddef>
#include <memory>
#include <sched.h>
#include <sys/types.h>

namespace saguaro::platform {

// glibc's cpu_set_t holds 1024 processors; this one as many as it was made for.
class cpu_mask {
public:
    // Empty, for the processors 0 to `cpus` - 1.
    explicit cpu_mask(std::size_t cpus) : set_(CPU_ALLOC(cpus)), bytes_(CPU_ALLOC_SIZE(cpus)) {
        CPU_ZERO_S(bytes_, set_.get());
    }

    // What thread `thread` may use; 0: the calling one. Processor 0 alone where the kernel does not
    // say.
    static cpu_mask of_thread(pid_t thread);

    void add(int cpu) { CPU_SET_S(static_cast<std::size_t>(cpu), bytes_, set_.get()); }

    bool contains(int cpu) const {
        return CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes_, set_.get());
    }

    int size() const { return static_cast<int>(bytes_ * 8); }

    int count() const { return CPU_COUNT_S(bytes_, set_.get()); }

    cpu_set_t *data() { return set_.get(); }
    std::size_t bytes() const { return bytes_; }

private:
    struct deleter {
        void operator()(cpu_set_t *set) const { CPU_FREE(set); }
    };

    std::unique_ptr<cpu_set_t, deleter> set_;
    std::size_t bytes_;
};

} // namespace saguaro::platform
