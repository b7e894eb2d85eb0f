// SPDX-License-Identifier: MIT
// Where the programs of this folder keep their data: the three variants that they compare.
#pragma once

#include <saguaro/place.h>
#include <saguaro/record.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

namespace saguaro::numa_examples {

enum class variant {
    plain,  ///< all memory is malloc's, and the thread that fills the data touches it first
    placed, ///< the pages of the data go to all nodes in turn
    local,  ///< as placed, and temporaries are on the node of the worker that uses them
};

inline constexpr variant all_variants[] = {variant::plain, variant::placed, variant::local};

inline const char *name_of(variant which) {
    switch (which) {
    case variant::plain:
        return "plain";
    case variant::placed:
        return "placed";
    case variant::local:
        return "local";
    }
    return "";
}

/// Bad input, or a machine that cannot do what is asked. what() is one line.
struct fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Recordings (docs/recording.md) know an array as an object as long as it lives.

inline void free_plain(void *p) {
    sg_record_free(p);
    std::free(p);
}

inline void free_placed(void *p) {
    sg_record_free(p);
    sg_free_place(p);
}

/// Of each array, the strand reads or writes `count` doubles from `first` on, which it does not
/// find in the cache.
inline void touch(std::size_t first, std::size_t count, const auto *...arrays) {
    if (sg_is_recording())
        (sg_record_touch(arrays + first, count * sizeof(double)), ...);
}

/// Doubles that begin with a page: the data of a program.
class data_array {
public:
    /// Zeros. Throws a fault where placement cannot be had, std::bad_alloc where memory ends.
    data_array(std::size_t count, variant where)
        : count_(count),
          begin_(allocate(bytes(), where), where == variant::plain ? free_plain : free_placed) {
        sg_record_object(begin_.get(), bytes());
        if (where == variant::plain)
            std::memset(begin_.get(), 0, bytes());
    }

    double *begin() const { return begin_.get(); }
    double *end() const { return begin() + count_; }
    std::size_t size() const { return count_; }
    std::size_t bytes() const { return count_ * sizeof(double); }

private:
    static constexpr std::size_t page = 4096;

    static double *allocate(std::size_t bytes, variant where) {
        if (where == variant::plain) {
            const std::size_t whole_pages = (bytes + page - 1) / page * page;
            if (void *const p = std::aligned_alloc(page, whole_pages))
                return static_cast<double *>(p);
            throw std::bad_alloc();
        }
        if (void *const p = sg_malloc_place(bytes, sg_layout_round_robin(nullptr, 0)))
            return static_cast<double *>(p);
        if (errno == ENOMEM)
            throw std::bad_alloc();
        throw fault(std::to_string(bytes) +
                    " bytes cannot be placed on all nodes: " + std::strerror(errno));
    }

    std::size_t count_;
    std::unique_ptr<double, void (*)(void *)> begin_;
};

/// Doubles for the time of a call, in no promised state.
class temporary {
public:
    temporary(std::size_t count, variant where)
        : begin_(allocate(count * sizeof(double), where),
                 where == variant::local ? free_placed : free_plain) {
        sg_record_object(begin_.get(), count * sizeof(double));
    }

    double *get() const { return begin_.get(); }

private:
    static double *allocate(std::size_t bytes, variant where) {
        void *const p = where == variant::local ? sg_malloc_local(bytes) : std::malloc(bytes);
        if (p == nullptr)
            throw std::bad_alloc();
        return static_cast<double *>(p);
    }

    std::unique_ptr<double, void (*)(void *)> begin_;
};

} // namespace saguaro::numa_examples
