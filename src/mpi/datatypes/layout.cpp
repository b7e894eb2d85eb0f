// SPDX-License-Identifier: MIT
// The rules that keep a layout small and flat: repeating runs, joining them, flattening.
#include "mpi/datatypes/layout.hpp"

#include <algorithm>
#include <utility>

namespace saguaro::mpi::layouts {
namespace {

// A sequence of up to so many runs becomes a flat list of them, however it was nested.
constexpr std::int64_t most_flat = 64;

constexpr std::int64_t longest_short_run = 64;

constexpr std::int64_t many_runs = std::int64_t{1} << 62;

std::int64_t runs_of(const placed &of) {
    return of.shape ? of.shape->runs : 1;
}

std::int64_t times(std::int64_t runs, std::int64_t count) {
    std::int64_t product = 0;
    return __builtin_mul_overflow(runs, count, &product) ? many_runs : std::min(product, many_runs);
}

bool same(const placed &one, const placed &other) {
    return one.size == other.size && one.shape == other.shape;
}

// Whether the second one is a run that goes on where the first one, a run, ends.
bool touch(const placed &one, const placed &other) {
    return !one.shape && !other.shape && one.first + one.size == other.first;
}

// Whether a vector's own steps go on, when the next one begins `stride` bytes after it.
bool goes_on(const node &vector, std::int64_t stride) {
    std::int64_t next = 0;
    return !__builtin_mul_overflow(vector.stride, vector.count, &next) && next == stride;
}

// Calls f(first, size) for each run, in the order of the stream.
template <class function>
void each_run(std::int64_t first, std::int64_t size, const node *shape, const function &f) {
    if (!shape) {
        f(first, size);
        return;
    }
    if (shape->what == node::kind::strided)
        for (std::int64_t i = 0; i != shape->count; ++i)
            each_run(first + i * shape->stride, shape->child_size, shape->child.get(), f);
    else if (shape->what == node::kind::blocks)
        for (std::int64_t displacement : shape->displacements)
            each_run(first + displacement, shape->child_size, shape->child.get(), f);
    else
        for (std::size_t i = 0; i != shape->displacements.size(); ++i)
            each_run(first + shape->displacements[i], shape->starts[i + 1] - shape->starts[i],
                     shape->children.empty() ? nullptr : shape->children[i].get(), f);
}

} // namespace

placed run(std::int64_t first, std::int64_t size) {
    return {first, size, nullptr};
}

placed repeated(const placed &child, std::int64_t count, std::int64_t stride) {
    if (count == 0 || child.size == 0)
        return {};
    if (count == 1)
        return child;
    if (!child.shape && stride == child.size)
        return run(child.first, child.size * count);
    const node *inner = child.shape.get();
    if (inner && inner->what == node::kind::strided && goes_on(*inner, stride))
        return repeated({child.first, inner->child_size, inner->child}, inner->count * count,
                        inner->stride);
    node made;
    made.what = node::kind::strided;
    made.runs = times(runs_of(child), count);
    made.child_size = child.size;
    made.child = child.shape;
    made.count = count;
    made.stride = stride;
    return {child.first, child.size * count, std::make_shared<const node>(std::move(made))};
}

void sequence::add(const placed &next, std::int64_t moved_by) {
    if (next.size != 0)
        entries_.push_back({next.first + moved_by, next.size, next.shape});
}

void sequence::flatten() {
    std::int64_t runs = 0;
    for (const placed &entry : entries_) {
        runs += std::min(runs_of(entry), most_flat + 1);
        if (runs > most_flat)
            return;
    }
    const std::vector<placed> before = std::exchange(entries_, {});
    for (const placed &entry : before)
        each_run(entry.first, entry.size, entry.shape.get(),
                 [this](std::int64_t first, std::int64_t size) {
                     entries_.push_back(run(first, size));
                 });
}

// A run that begins where the one before ends makes that one longer. But short runs that are all
// equal are copied without asking each for its length, so a few that touch stay as they are.
void sequence::merge() {
    std::size_t gaps = 1;
    bool equal = true;
    for (std::size_t i = 1; i < entries_.size(); ++i) {
        gaps += !touch(entries_[i - 1], entries_[i]);
        equal = equal && same(entries_[i - 1], entries_[i]);
    }
    if (equal && entries_.front().size <= longest_short_run && gaps != 1 &&
        2 * gaps > entries_.size())
        return;
    std::size_t last = 0;
    for (std::size_t i = 1; i < entries_.size(); ++i)
        if (touch(entries_[last], entries_[i]))
            entries_[last].size += entries_[i].size;
        else if (++last != i)
            entries_[last] = std::move(entries_[i]);
    entries_.resize(last + 1);
}

placed sequence::finish() {
    if (entries_.size() > 1)
        flatten();
    if (entries_.empty())
        return {};
    merge();
    if (entries_.size() == 1)
        return entries_.front();
    return make();
}

placed sequence::make() const {
    const placed &front = entries_.front();
    const std::int64_t step = entries_[1].first - front.first;
    bool alike = true;
    bool even = true;
    for (std::size_t i = 1; i != entries_.size(); ++i) {
        alike = alike && same(entries_[i], front);
        even = even && entries_[i].first - entries_[i - 1].first == step;
    }
    if (alike && even)
        return repeated(front, static_cast<std::int64_t>(entries_.size()), step);

    node made;
    made.what = alike ? node::kind::blocks : node::kind::list;
    made.displacements.reserve(entries_.size());
    std::int64_t size = 0;
    bool all_runs = true;
    for (const placed &entry : entries_) {
        made.displacements.push_back(entry.first - front.first);
        made.runs = std::min(made.runs + runs_of(entry), many_runs);
        size += entry.size;
        all_runs = all_runs && !entry.shape;
    }
    if (alike) {
        made.child_size = front.size;
        made.child = front.shape;
    } else {
        made.starts.reserve(entries_.size() + 1);
        made.starts.push_back(0);
        for (const placed &entry : entries_) {
            made.starts.push_back(made.starts.back() + entry.size);
            if (!all_runs)
                made.children.push_back(entry.shape);
        }
    }
    return {front.first, size, std::make_shared<const node>(std::move(made))};
}

} // namespace saguaro::mpi::layouts
