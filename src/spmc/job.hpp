// SPDX-License-Identifier: MIT
// The job that this process belongs to: one file in memory that only its spaces hold, and the place
// where this space maps the part of it that all of them write.
#pragma once

#include "spmc/layout.hpp"

#include <cstddef>
#include <cstdint>
#include <ranges>

namespace saguaro::spmc {

// Gives a descriptor that the library keeps a number above those of standard input, output and
// error: where the program was begun without one of them, it would read or write the library's
// file. Negative if `made` is, or if the system refuses.
int above_standard(int made);

class job {
public:
    // This process' job. The first call makes the process the root space of a new job, or, in a
    // program that `spmc_space_exec` started, the space as which it was started. Ends the process
    // with a line if the system refuses.
    static job &mine();

    // The same, but null where no call has been made so far. For signal handlers.
    static job *mine_if_any();

    job_header &header() const { return *at<job_header>(1); }

    // The object at that place of the control area.
    template <class T>
    T *at(place where) const {
        return reinterpret_cast<T *>(control_ + std::size_t{where} * unit_bytes);
    }

    // The entry of a page of a table.
    entry &entry_of(const table &of, std::uint64_t page) const {
        return at<entry>(of.entries)[page];
    }

    place place_of(const void *object) const {
        return static_cast<place>(
            static_cast<std::size_t>(static_cast<const char *>(object) - control_) / unit_bytes);
    }

    space &space_in(slot which) const { return spaces_[which]; }
    space &self() const { return spaces_[self_]; }
    slot self_slot() const { return self_; }

    // In a child, right after the fork: it is that space from now on.
    void become(slot which) { self_ = which; }

    // The file by a descriptor that may write, and by one with which pages can be mapped, or made,
    // readable only.
    int writable() const { return writable_; }
    int readable() const { return readable_; }

    // The slots below this one are all that the area has room for: a quarter of it.
    slot end_of_slots() const;

    // Those that were given to spaces so far, the root's first. Acquire: a slot that is new has its
    // life behind it, which is looked at then.
    auto given_slots() const {
        return std::views::iota(root_slot, header().slots.load(std::memory_order_acquire));
    }

    // The whole control area, for those who give memory back.
    char *control() const { return control_; }
    std::size_t control_bytes() const { return control_bytes_; }
    bool controls(std::uintptr_t address) const {
        return address - reinterpret_cast<std::uintptr_t>(control_) < control_bytes_;
    }

    // Whether SAGUARO_SPMC_ENFORCE=1: producers' pages are protected until they are touched.
    bool enforces() const { return enforces_; }

private:
    job();
    void begin_as_root();
    bool join_as_told();
    void take(space &s, const char *told);
    void map_control(std::size_t bytes);

    char *control_ = nullptr;
    std::size_t control_bytes_ = 0;
    space *spaces_ = nullptr;
    slot self_ = 0;
    int writable_ = -1;
    int readable_ = -1;
    bool enforces_ = false;
};

// So many bytes of the control area that nobody has used, zeros, at a unit's begin; at a page's for
// a page and more. 0 when there are no more.
place take_control(const job &all, std::size_t bytes);

} // namespace saguaro::spmc
