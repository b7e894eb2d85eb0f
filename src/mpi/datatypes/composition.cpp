// SPDX-License-Identifier: MIT
// Repeating, joining and resizing types, with checks that their bounds fit into 63 bits.
#include "mpi/datatypes/composition.hpp"

#include "mpi/core/interface/constants.hpp"
#include "mpi/datatypes/bounds_rule.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace saguaro::mpi {
namespace {

// Where a product of two 63-bit numbers and a sum of them have room.
__extension__ using wide = __int128;

bool fits(wide number) {
    return number >= std::numeric_limits<std::int64_t>::min() &&
           number <= std::numeric_limits<std::int64_t>::max();
}

struct range_of_bytes {
    wide from = 0;
    wide to = 0;
    bool any = false;

    void add(wide lower, wide upper) {
        from = any ? std::min(from, lower) : lower;
        to = any ? std::max(to, upper) : upper;
        any = true;
    }
};

// The least and greatest of `value + i * stride` for 0 <= i < count.
wide least(std::int64_t value, std::int64_t count, std::int64_t stride) {
    return std::min<wide>(value, value + wide{count - 1} * stride);
}
wide greatest(std::int64_t value, std::int64_t count, std::int64_t stride) {
    return std::max<wide>(value, value + wide{count - 1} * stride);
}

// Gathers the bounds of parts. Bounds that were set win over others.
class gathered_bounds {
public:
    void add(const composition &part, std::int64_t displacement, std::int64_t count,
             std::int64_t stride) {
        const bounds &range = part.range;
        if (count != 0 && part.layout.size == 0 && bounds_by == bounds_rule::outermost) {
            // MPICH counts what has no bytes as a place without extent.
            found_.add(displacement, displacement);
            true_.add(displacement, displacement);
            alignment_ = std::max(alignment_, range.alignment);
            return;
        }
        if (count == 0 || (part.layout.size == 0 && !range.lower_is_set && !range.upper_is_set))
            return;
        const wide lower = displacement + least(range.lower, count, stride);
        const wide upper = displacement + greatest(range.upper, count, stride);
        if (range.lower_is_set)
            set_lower_.add(lower, lower);
        if (range.upper_is_set)
            set_upper_.add(upper, upper);
        // What only marks a bound is nowhere else: a struct of MPI_LB alone has its upper bound at
        // 0.
        if (part.layout.size != 0) {
            found_.add(lower, upper);
            true_.add(displacement + least(range.true_lower, count, stride),
                      displacement + greatest(range.true_upper, count, stride));
        }
        alignment_ = std::max(alignment_, range.alignment);
        size_ += wide{part.layout.size} * count;
    }

    int finish(bounds *made) const {
        if (size_ == 0 && bounds_by == bounds_rule::outermost) {
            *made = {};
            return abi::success;
        }
        const wide lower = set_lower_.any ? set_lower_.from : found_.from;
        const wide upper = set_upper_.any ? set_upper_.to : found_.to;
        if (!fits(lower) || !fits(upper) || !fits(upper - lower) || !fits(true_.from) ||
            !fits(true_.to) || !fits(true_.to - true_.from) || !fits(size_))
            return abi::err_count;
        made->lower = static_cast<std::int64_t>(lower);
        made->upper = static_cast<std::int64_t>(upper);
        made->true_lower = static_cast<std::int64_t>(true_.from);
        made->true_upper = static_cast<std::int64_t>(true_.to);
        made->lower_is_set = set_lower_.any;
        made->upper_is_set = set_upper_.any;
        made->alignment = alignment_;
        return abi::success;
    }

private:
    range_of_bytes found_, set_lower_, set_upper_, true_;
    std::int64_t alignment_ = 1;
    wide size_ = 0;
};

// Blocks of equal length share their shape.
class repeated_shapes {
public:
    const layouts::placed &get(const composition &of, std::int64_t count) {
        auto [found, is_new] = made_.try_emplace({&of, count});
        if (is_new)
            found->second = layouts::repeated(of.layout, count, of.extent());
        return found->second;
    }

private:
    std::map<std::pair<const composition *, std::int64_t>, layouts::placed> made_;
};

bool is_dense(const composition &of) {
    return !of.layout.shape && of.layout.size == of.extent();
}

} // namespace

composition composition_of(const datatype_object &type) {
    return {type.layout(), type.basics(), type.all_bounds()};
}

int repeat(const composition &of, std::int64_t count, std::int64_t stride, composition *made) {
    gathered_bounds all;
    all.add(of, 0, count, stride);
    bounds range;
    if (int error = all.finish(&range))
        return error;
    *made = {layouts::repeated(of.layout, count, stride), repeated_signature(of.basics, count),
             range};
    return abi::success;
}

int join(const std::vector<block> &blocks, composition *made) {
    gathered_bounds all;
    for (const block &each : blocks)
        all.add(*each.of, each.displacement, each.count, each.of->extent());
    bounds range;
    if (int error = all.finish(&range))
        return error;

    layouts::sequence layout;
    layout.reserve(blocks.size());
    repeated_shapes shapes;
    std::vector<signature_pointer> basics;
    const composition *last = nullptr;
    std::int64_t last_count = 0;
    for (const block &each : blocks) {
        const composition &of = *each.of;
        if (is_dense(of))
            layout.add(layouts::run(of.layout.first, of.layout.size * each.count),
                       each.displacement);
        else
            layout.add(shapes.get(of, each.count), each.displacement);
        if (last == each.of) {
            last_count += each.count;
            continue;
        }
        if (last)
            basics.push_back(repeated_signature(last->basics, last_count));
        last = each.of;
        last_count = each.count;
    }
    if (last)
        basics.push_back(repeated_signature(last->basics, last_count));
    *made = {layout.finish(), joined_signature(basics), range};
    return abi::success;
}

int resize(const composition &of, std::int64_t lower, std::int64_t extent, composition *made) {
    if (!fits(wide{lower} + extent))
        return abi::err_count;
    composition resized = of;
    resized.range.lower = lower;
    resized.range.upper = lower + extent;
    resized.range.lower_is_set = resized.range.upper_is_set = bounds_by == bounds_rule::marked;
    *made = std::move(resized);
    return abi::success;
}

} // namespace saguaro::mpi
