// SPDX-License-Identifier: MIT
#include "record/recorder.hpp"

#include "platform/clock.hpp"
#include "platform/no_memory.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace saguaro::record {

namespace {

bool is_child(part p) {
    return p == part::spawned || p == part::first_closure || p == part::scope_child ||
           p == part::lower_half;
}

} // namespace

tick_clock tick_clock::measured() {
    constexpr std::int64_t long_enough = 2'000'000; // ns: the rate is right to some 50 ppm
    tick_clock clock;
    const std::int64_t since = platform::now_ns();
    clock.origin_ = platform::ticks();
    std::int64_t passed = 0;
    std::uint64_t ticks = 0;
    do {
        passed = platform::now_ns() - since;
        ticks = platform::ticks() - clock.origin_;
    } while (passed < long_enough || ticks == 0);
    __extension__ using wide = unsigned __int128;
    clock.rate_ = static_cast<std::uint64_t>((static_cast<wide>(passed) << 32) / ticks);
    return clock;
}

recorder::recorder(const std::string &name, std::int64_t grain)
    : out_(name), clock_(tick_clock::measured()), grain_(grain) {
    open_.reserve(1024);
    reading_ = clock_.usual_reading();
}

void recorder::stop_clock() {
    if (open_.empty())
        return; // between two roots
    std::int64_t lost = 0;
    const std::int64_t now = clock_.read(lost);
    const std::int64_t piece = std::max<std::int64_t>(now - since_ - reading_ - lost, 0);
    work_ += piece;
    unwritten_ += piece;
}

void recorder::start_clock() {
    since_ = clock_.start();
}

void recorder::put_work() {
    out_.make_room();
    if (unwritten_ == 0)
        return;
    out_.put(event::work);
    out_.put(static_cast<std::uint64_t>(std::exchange(unwritten_, 0)));
}

void recorder::begin(const begun &b) {
    if (b.what == part::root)
        clock_.change_threads();
    begun made = b;
    made.work = work_;
    made.unwritten = unwritten_;
    out_.make_room();
    made.before = out_.position();
    put_work();
    out_.put(is_child(b.what) ? event::spawn : event::call);
    made.inside = out_.position();
    if (is_child(b.what) && !open_.empty())
        open_.back().has_children = true;
    try {
        open_.push_back(made);
    } catch (const std::bad_alloc &) {
        platform::end_without_memory("a recording");
    }
}

void recorder::end_youngest() {
    const begun b = open_.back();
    open_.pop_back();
    const std::int64_t inside = work_ - b.work;
    const bool child = is_child(b.what);
    const std::uint64_t first = child ? b.inside : b.before;
    // Nobody could gain by stealing a part of so little.
    if (inside < grain_ && out_.can_go_back_to(first) && footprints_ <= b.inside) {
        out_.go_back_to(first);
        unwritten_ = child ? inside : b.unwritten + inside;
        if (!child)
            return;
    }
    put_work();
    out_.put(child ? event::ret : event::leave);
}

begun *recorder::find(part what, part or_what, const void *key) {
    for (auto at = open_.rbegin(); at != open_.rend() && at->what != part::root; ++at) {
        ++looked_at_;
        if ((at->what == what || at->what == or_what) && at->key == key)
            return &*at;
    }
    return nullptr;
}

void recorder::end(part what, const void *key) {
    const begun *const b = find(what, key);
    if (b == nullptr)
        return;
    const auto left = static_cast<std::size_t>(b - open_.data());
    while (open_.size() > left)
        end_youngest();
}

void recorder::end_root() {
    while (!open_.empty())
        end_youngest();
}

void recorder::sync() {
    if (open_.empty() || !open_.back().has_children)
        return;
    open_.back().has_children = false;
    put_work();
    out_.put(event::sync);
}

void recorder::put_memory(event e) {
    put_work();
    out_.put(e);
}

void recorder::touch(bool in_cache, std::uint64_t id, std::uint64_t offset, std::uint64_t bytes) {
    put_memory(in_cache ? event::reuse : event::touch);
    out_.put(id);
    out_.put(offset);
    out_.put(bytes);
    footprints_ = out_.position();
}

std::uint64_t recorder::add_object(std::uint64_t bytes, layout how, std::uint64_t node) {
    put_memory(event::object);
    out_.put(objects_);
    out_.put(bytes);
    out_.put(static_cast<std::uint64_t>(how));
    if (how == layout::on_node)
        out_.put(node);
    footprints_ = out_.position();
    return objects_++;
}

void recorder::free_object(std::uint64_t id) {
    put_memory(event::free);
    out_.put(id);
    footprints_ = out_.position();
}

int recorder::finish() {
    end_root();
    put_work();
    out_.put(event::end);
    return out_.close();
}

} // namespace saguaro::record
