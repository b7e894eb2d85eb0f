// SPDX-License-Identifier: MIT
// Collecting small operations of one kind, and carrying them out with one system call.
#include "mpi/core/windows/bursts.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <sys/uio.h>

namespace saguaro::mpi {

namespace {

// Above this a call of the system costs little beside the copy.
constexpr std::int64_t most_bytes_each = 16'384;
// And a burst ends here, so that its copy is still in the processor's cache.
constexpr std::int64_t most_bytes_of_all = 262'144;

using operations = std::span<const operation *>;

enum class kind : std::uint8_t { reads, writes, updates };

kind kind_of(const operation &o) {
    return o.what == access::get   ? kind::reads
           : o.what == access::put ? kind::writes
                                   : kind::updates;
}

// A put that writes less than it names would let the rest be undefined.
bool joins(const operation &o) {
    return !o.there.memory->is_here && o.there.type->contiguous() && o.there.bytes() != 0 &&
           o.there.bytes() <= most_bytes_each &&
           (o.what != access::put || o.origin.bytes >= o.there.bytes());
}

std::uintptr_t first_of(const target_elements &piece) {
    return piece.address + static_cast<std::uintptr_t>(piece.type->true_lower_bound());
}

// A copy of all memory that some operations name, and nothing else: pieces that overlap or adjoin
// are one run.
class image {
public:
    explicit image(operations all) : process_(all.front()->there.memory->process) {
        for (const operation *const o : all) {
            const std::uintptr_t first = first_of(o->there);
            runs_.push_back({first, first + static_cast<std::uintptr_t>(o->there.bytes()), 0});
        }
        std::sort(runs_.begin(), runs_.end(),
                  [](const run &a, const run &b) { return a.first < b.first; });
        join_runs();
        std::size_t size = 0;
        for (run &r : runs_) {
            // Elements are aligned here as they are there.
            r.place = size + (r.first - size) % alignof(std::max_align_t);
            size = r.place + (r.last - r.first);
        }
        bytes_ = std::make_unique_for_overwrite<char[]>(size);
    }

    // Between the target and the copy. False if the target does not have all of the memory.
    bool copy(way direction) {
        std::vector<iovec> here;
        std::vector<iovec> there;
        for (const run &r : runs_) {
            here.push_back({bytes_.get() + r.place, r.last - r.first});
            there.push_back({reinterpret_cast<void *>(r.first), r.last - r.first});
        }
        return copy_pieces(process_, direction, here, there);
    }

    // An operation's elements in the copy.
    target_elements elements(const target_elements &there) const {
        const std::uintptr_t first = first_of(there);
        const run &r = *std::prev(
            std::upper_bound(runs_.begin(), runs_.end(), first,
                             [](std::uintptr_t value, const run &of) { return value < of.first; }));
        const char *const at = bytes_.get() + r.place + (first - r.first);
        target_elements found = there;
        found.memory = &local;
        found.address = reinterpret_cast<std::uintptr_t>(at) -
                        static_cast<std::uintptr_t>(there.type->true_lower_bound());
        return found;
    }

private:
    struct run {
        std::uintptr_t first;
        std::uintptr_t last; // behind it
        std::size_t place;   // in the copy
    };

    void join_runs() {
        std::size_t used = 0;
        for (const run &r : runs_)
            if (used != 0 && r.first <= runs_[used - 1].last)
                runs_[used - 1].last = std::max(runs_[used - 1].last, r.last);
            else
                runs_[used++] = r;
        runs_.resize(used);
    }

    static constexpr target_memory local{.is_here = true};

    const pid_t process_;
    std::vector<run> runs_; // in the order of addresses
    std::unique_ptr<char[]> bytes_;
};

int one_by_one(operations all) {
    int error = abi::success;
    for (const operation *const o : all) {
        const int own = o->carry_out();
        error = error != 0 ? error : own;
    }
    return error;
}

// Those of one target, at most `most_pieces`.
int carry_out_together(operations all) {
    if (all.size() == 1)
        return all.front()->carry_out();
    const kind what = kind_of(*all.front());
    image copy(all);
    // Where memory is missing, those behind have their effect nevertheless.
    if (what != kind::writes && !copy.copy(way::read))
        return one_by_one(all);
    int error = abi::success;
    for (const operation *const o : all) {
        const int own = o->carry_out(copy.elements(o->there));
        error = error != 0 ? error : own;
    }
    if (what == kind::reads || copy.copy(way::write))
        return error;
    // Puts may be repeated.
    return what == kind::writes ? one_by_one(all) : abi::err_rma_range;
}

} // namespace

int bursts::carry_out(const operation &o) {
    int error = abi::success;
    const bool is_of_it = joins(o);
    if (!burst_.empty() &&
        (!is_of_it || kind_of(*burst_.front()) != kind_of(o) || bytes_ >= most_bytes_of_all))
        error = finish();
    if (is_of_it) {
        burst_.push_back(&o);
        bytes_ += o.there.bytes();
        return error;
    }
    const int own = o.carry_out();
    return error != 0 ? error : own;
}

int bursts::finish() {
    const auto by_target = [](const operation *a, const operation *b) {
        return a->target < b->target;
    };
    std::stable_sort(burst_.begin(), burst_.end(), by_target);
    int error = abi::success;
    for (operations left = burst_; !left.empty();) {
        const auto same = static_cast<std::size_t>(
            std::upper_bound(left.begin(), left.end(), left.front(), by_target) - left.begin());
        const std::size_t some = std::min(same, most_pieces);
        const int own = carry_out_together(left.first(some));
        error = error != 0 ? error : own;
        left = left.subspan(some);
    }
    burst_.clear();
    bytes_ = 0;
    return error;
}

} // namespace saguaro::mpi
