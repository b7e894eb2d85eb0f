// SPDX-License-Identifier: MIT
// The worker's side of a recording: roots, spawns, joins and loops as the recorder hears them.
#include "record/recording.hpp"

#include "saguaro/detail/cilk_profile.h"
#include "saguaro/detail/region.h"
#include "saguaro/record.h"
#include "scheduler/continuation.hpp"
#include "scheduler/variables.hpp"
#include "scheduler/worker.hpp"
#include "stacks/exceptions.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <system_error>
#include <unistd.h>
#include <utility>

unsigned sg_recording = 0;

namespace saguaro::record {

using scheduler::bad_setting;
using scheduler::current_deque;
using scheduler::current_worker;

namespace {

constexpr const char *variable = scheduler::variables::record.name;
constexpr const char *option = "-cilk-profile";

std::string refusal(const std::string &name, const std::string &why) {
    return std::string(variable) + "=" + name + ": the file cannot be written: " + why;
}

// The serial order is that of one worker.
void ask_for_one_worker(settings &s, const char *who, const char *does) {
    static std::atomic_flag is_said;
    // Relaxed: nothing else is told by it.
    if (s.workers != 1 && !s.has_default_workers &&
        !is_said.test_and_set(std::memory_order_relaxed))
        std::fprintf(stderr,
                     "saguaro: %s %s the serial order: one worker runs, not the %u of "
                     "SAGUARO_WORKERS\n",
                     who, does, s.workers);
    s.workers = 1;
}

// Written where there is one thread.
bool is_forked = false;

// How many recordings of the process have anything in them. Written at the first root of each, read
// where workers start: after the last root of the one before.
unsigned recordings = 0;
unsigned recordings_begun = 0; // with those that have not; where workers start

// FILE, FILE-2, ...; with the number before the name's last dot.
std::string next_name(const std::string &name) {
    if (recordings == 0)
        return name;
    const std::size_t slash = name.rfind('/');
    const std::size_t dot = name.rfind('.');
    const bool has_dot = dot != name.npos && (slash == name.npos || dot > slash + 1) && dot != 0;
    const std::size_t at = has_dot ? dot : name.size();
    return name.substr(0, at) + "-" + std::to_string(recordings + 1) + name.substr(at);
}

// What is in the strand of a path that is mistaken for a short one is not worth more.
std::chrono::nanoseconds longest_doze(const settings &s) {
    constexpr std::int64_t least = 100'000; // how often a thread may look without being felt
    return std::chrono::nanoseconds(std::max(least, recorder::short_grains * s.record_grain));
}

// What the flow that runs handles just now, and in how many handlers: an exception that is thrown
// again is in one more. The sum tells all apart, because exceptions are farther from each other.
std::uint64_t exception_here() {
    const void *const caught = SG_REGION_GET(void **, exceptions)[0];
    return reinterpret_cast<std::uintptr_t>(caught) + stacks::handlers_of(caught);
}

void prepare(settings &s) {
    if (is_forked)
        s.record.clear();
    if (s.record.empty())
        return;
    const std::string name = next_name(s.record);
    const bool is_pipe = record::is_pipe(name);
    const int made = is_pipe ? access(name.c_str(), W_OK) : open_alone(name);
    if (made < 0 && errno == EWOULDBLOCK) {
        // A program that a recorded one has begun, most often.
        std::fprintf(stderr, "saguaro: %s=%s: another process records there; this one does not\n",
                     variable, s.record.c_str());
        s.record.clear();
        return;
    }
    if (made < 0)
        throw bad_setting(refusal(s.record, std::generic_category().message(errno)));
    if (!is_pipe)
        close(made);
    ask_for_one_worker(s, variable, "records");
}

bool is_wanted(const settings &s) {
    return !s.record.empty();
}

std::unique_ptr<scheduler::observer> make(const settings &s) {
    return std::make_unique<recording>(s);
}

// Whether a file of the program was compiled to be measured.
std::atomic<bool> is_to_be_measured{false};

// A run that is recorded measures nothing.
void prepare_measuring(settings &s) {
    // Relaxed: static initialisers of the one thread have written it.
    if (is_to_be_measured.load(std::memory_order_relaxed) && s.record.empty())
        ask_for_one_worker(s, option, "measures");
}

bool is_to_measure(const settings &s) {
    return is_to_be_measured.load(std::memory_order_relaxed) && s.record.empty(); // as above
}

void go_on_measuring() {}

} // namespace

const scheduler::observer_kind recording_kind{"recording", true, prepare,
                                              is_wanted,   make, recording::forget};
const scheduler::observer_kind measuring_kind{"measuring",   true, prepare_measuring,
                                              is_to_measure, make, go_on_measuring};

std::atomic<recording *> recording::now_{nullptr};

hearing::hearing(const settings &s)
    : name_(s.record.empty() ? s.record : next_name(s.record)), measures_(name_.empty()),
      out_(name_, s.record_grain), dozing_(longest_doze(s)),
      may_doze_(!s.statistics && !measures_) {}

recording::recording(const settings &s) : hearing(s), number_(measures_ ? 0 : ++recordings_begun) {
    if (measures_)
        return;
    // Relaxed, both: the strands that read them begin later, and by the runtime's own orders.
    now_.store(this, std::memory_order_relaxed);
    __atomic_store_n(&sg_recording, 1, __ATOMIC_RELAXED);
}

recording::~recording() {
    if (is_under_way_)
        finish();
}

recording *recording::of_this_strand() {
    recording *const r = now();
    if (r == nullptr || scheduler::current_worker() == nullptr)
        return nullptr;
    r->listen();
    return r;
}

namespace {

// What a public header tells programs of recordings.
void say_that_none_is_under_way() {
    sg_recording_dozes = 0;
    // Relaxed: no strand reads it later but those of this thread.
    __atomic_store_n(&sg_recording, 0, __ATOMIC_RELAXED);
}

} // namespace

void recording::forget() {
    is_forked = true;
    // Relaxed: there is one thread.
    now_.store(nullptr, std::memory_order_relaxed);
    say_that_none_is_under_way();
}

namespace {

void add_up(recording &r) {
    const scheduler::profile_totals more = r.measured();
    scheduler::add_to_profile(more.work, more.path);
}

} // namespace

scheduler::profile_totals recording::measured() {
    if (!measures_)
        return {0, 0};
    const scheduler::profile_totals all = out_.time.measured(),
                                    told = scheduler::totals_of_profile();
    return {all.work + before_.work - told.work, all.path + before_.path - told.path};
}

void recording::finish() {
    listen();
    if (measures_) {
        out_.end_root();
        add_up(*this);
    }
    is_under_way_ = false;
    observer::remove();
    if (!measures_) {
        // Relaxed: no strand reads it later but those of this thread.
        now_.store(nullptr, std::memory_order_relaxed);
        say_that_none_is_under_way();
    }
    if (const int error = out_.finish(); error != 0)
        std::fprintf(stderr, "saguaro: %s\n",
                     refusal(name_, std::generic_category().message(error)).c_str());
    if (!is_complete_)
        std::fprintf(stderr,
                     "saguaro: %s: spawns of C functions are missing, which were not compiled "
                     "with cilkc -cilk-profile\n",
                     measures_ ? option : variable);
    if (has_unknown_)
        std::fprintf(stderr,
                     "saguaro: %s: footprints are missing that lie in no object: see "
                     "sg_record_object\n",
                     variable);
}

void recording::process_ends(bool here) {
    if (here) {
        finish();
        return;
    }
    if (measures_)
        return;
    std::fprintf(stderr,
                 "saguaro: %s=%s: the file is cut off: a thread outside has ended the process "
                 "during a run\n",
                 variable, name_.c_str());
}

void recording::root_begins(const worker &, const deque &first) {
    listen();
    if (!has_roots_ && !measures_)
        ++recordings;
    has_roots_ = true;
    flow_ = &first;
    out_.begin_root(&first);
}

void recording::root_ends(const worker &) {
    listen();
    out_.end_root();
    if (measures_)
        add_up(*this);
    flow_ = nullptr;
}

// ---- Dozing ----

// What has ended in the child meanwhile is not known, and never will be: it is the child's strand.
void hearing::wake() {
    out_.time.stamp();
    out_.wake();
    find_pushed();
    dozing_.end();
    flow_ = current_deque();
}

// What was pushed in the child that dozes and is still there begins now: the functions that wait in
// the same deque, or the parents in the chain. A loop begins at its next step. In a handler nothing
// does, because it cannot be told in which one each function was pushed.
void hearing::find_pushed() {
    if (exception_here() != 0)
        return;
    if (sg_frame **slot = dozing_.in_deque(); slot != nullptr) {
        deque &d = *current_deque();
        // If another flow runs, the slot lies before its deque, or behind the tail.
        if (slot < d.slots())
            return;
        for (; slot < d.tail; ++slot)
            if (detail::is_full(slot) && (*slot)->site->kind == &sg_closure_frames)
                push_closure(*reinterpret_cast<detail::closure_frame *>(*slot), slot);
    } else if (deque **parent = dozing_.in_chain(); parent != nullptr) {
        deque **const end = reinterpret_cast<deque **>(SG_REGION_GET(void **, chain));
        for (; parent < end; ++parent) {
            detail::scope_head &spawning = *(*parent)->spawning;
            const bool is_new = spawning.record() == nullptr;
            push_parent(parent, scheduler::record_for(spawning), is_new, nullptr);
        }
    }
}

// ---- C++ ----

namespace {

// Of the iterations from `first` on: divides them until a block is left, and returns its end.
std::uint64_t halve(recorder &out, const void *loop, std::uint64_t first, std::uint64_t last,
                    std::uint64_t block) {
    while (last - first > block) {
        const std::uint64_t middle = first + (last - first + 1) / 2; // as thieves do
        out.begin(part::lower_half, loop, middle, last);
        last = middle;
    }
    return last;
}

// As long as nothing is known of the iterations each is a block.
std::uint64_t begin_loop(recorder &out, sg_frame **slot, std::uint64_t first, std::uint64_t last) {
    out.begin(part::loop, slot, 1, static_cast<std::uint64_t>(out.time.measured().work));
    return halve(out, slot, first, last, 1);
}

} // namespace

void hearing::frame_pushed(sg_frame **slot) {
    if (flow_ == nullptr)
        return;
    listen();
    const moments::long_moment here(out_.time);
    sg_frame *const frame = *slot;
    if (frame->site == &sg_range_site) {
        const auto &range = *reinterpret_cast<const detail::range_frame *>(frame);
        begin_loop(out_, slot, range.next, range.end);
    } else if (frame->site->kind == &sg_closure_frames) {
        if (push_closure(*reinterpret_cast<detail::closure_frame *>(frame), slot))
            doze(*current_deque(), slot + 1, slot);
    }
}

bool hearing::push_closure(detail::closure_frame &frame, sg_frame **slot) {
    out_.begin(part::invocation, frame.taken);
    return out_.begin_child(part::first_closure, frame.head.site, slot,
                            reinterpret_cast<std::uintptr_t>(&frame), exception_here());
}

void hearing::parent_pushed(deque **slot, const detail::scope_record &s, bool is_new,
                            const void *site) {
    if (flow_ == nullptr)
        return;
    const bool has_dozed = dozing_.is_on();
    listen();
    const moments::long_moment here(out_.time);
    // It has been looked for among what begins late.
    if (has_dozed)
        return;
    if (push_parent(slot, s, is_new, site))
        doze(current_worker()->parents, slot + 1, slot);
    flow_ = current_deque();
}

bool hearing::push_parent(deque **slot, const detail::scope_record &s, bool is_new,
                          const void *site) {
    // One that a child called instead has made by its exception is in no frame yet.
    if (is_new || out_.find(part::scope, &s) == nullptr)
        out_.begin(part::scope, &s);
    return out_.begin_child(part::scope_child, site, *slot);
}

detail::closure_frame *hearing::popped(sg_frame **slot) {
    out_.time.stamp();
    listen_behind(slot);
    // One or the other: a slot has one frame.
    const begun *const child = out_.find(part::first_closure, part::loop, slot);
    if (child == nullptr)
        return nullptr;
    if (child->what == part::loop) {
        out_.end(part::loop, slot);
        return nullptr;
    }
    auto *const frame = reinterpret_cast<detail::closure_frame *>(child->first);
    const bool returned = child->second == exception_here();
    out_.end(part::first_closure, slot);
    if (returned) {
        begin_second(*frame, slot);
        return frame;
    }
    // An exception leaves: the second function is not called.
    out_.end(part::invocation, frame->taken);
    return nullptr;
}

// What it pushes has the slot that its own frame had.
void hearing::begin_second(const detail::closure_frame &frame, sg_frame **slot) {
    // Not the site of the first function.
    const void *const site = reinterpret_cast<const char *>(frame.head.site) + 1;
    if (out_.judge(site))
        doze(*current_deque(), slot, frame.taken);
}

void hearing::invocation_ends(const void *taken) {
    out_.time.stamp();
    listen_behind(taken);
    out_.end(part::invocation, taken);
}

std::uint64_t hearing::loop_goes_on(sg_frame **slot, std::uint64_t next, std::uint64_t end) {
    listen();
    const moments::long_moment here(out_.time);
    begun *const loop = out_.find(part::loop, slot);
    if (loop == nullptr)
        return begin_loop(out_, slot, next, end); // nobody heard of its begin
    // Blocks that take less than half of what is one strand need not be told apart. This is what a
    // loop with a short body costs: a call for each block.
    const std::int64_t work = out_.time.measured().work;
    const std::int64_t took = work - static_cast<std::int64_t>(loop->second);
    if (2 * took < out_.grain)
        loop->first *= 2;
    else if (took > 2 * out_.grain)
        loop->first = std::max<std::uint64_t>(loop->first / 2, 1);
    loop->second = static_cast<std::uint64_t>(work);
    const std::uint64_t block = loop->first;
    for (;;) {
        const begun &youngest = *out_.youngest();
        const bool is_half = youngest.what == part::lower_half && youngest.key == slot;
        if (is_half && youngest.first > next)
            return youngest.first;
        if (is_half)
            end = youngest.second;
        else if (youngest.what == part::loop && youngest.key == slot)
            break;
        out_.end_youngest();
        if (is_half)
            return halve(out_, slot, next, end, block);
    }
    return halve(out_, slot, next, end, block);
}

void hearing::child_ends(deque &parent, deque **slot) {
    const moments::long_moment here(out_.time);
    listen_behind(slot);
    out_.end(part::scope_child, &parent);
    flow_ = &parent;
}

void hearing::scope_syncs(const detail::scope_record &) {
    listen();
    out_.sync();
}

void hearing::scope_ends(const detail::scope_record &s) {
    listen();
    const moments::long_moment here(out_.time);
    out_.end(part::scope, &s);
}

} // namespace saguaro::record

extern "C" void sg_profile_each_spawn(void) {
    // Relaxed: see prepare_measuring.
    saguaro::record::is_to_be_measured.store(true, std::memory_order_relaxed);
}
