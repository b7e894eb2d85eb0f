// SPDX-License-Identifier: MIT
// Switches between stacks under a sanitizer: the same assembly with the announcements around it.
#include "stacks/sanitizers.hpp"

#include "platform/process.hpp"
#include "platform/spin_lock.hpp"
#include "stacks/stack.hpp"

#include <memory_resource>
#include <mutex>
#include <unordered_map>
#include <utility>

// ThreadSanitizer counts the functions that each fiber entered and left. A function that changes
// the fiber would be entered on one and left on the other: it must not be counted.
#if defined(__clang__)
#define SG_UNINSTRUMENTED [[clang::disable_sanitizer_instrumentation, gnu::noinline]]
#else
#define SG_UNINSTRUMENTED [[gnu::no_sanitize("address", "thread"), gnu::noinline]]
#endif

// The interfaces, which are there or not.
extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void **fake_stack, const void *bottom,
                                                  std::size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void *fake_stack, const void **bottom,
                                                   std::size_t *size);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void *memory, std::size_t bytes);
[[gnu::weak]] void *__asan_addr_is_in_fake_stack(void *fake_stack, void *address, void **begin,
                                                 void **end);
[[gnu::weak]] void __lsan_register_root_region(const void *memory, std::size_t bytes);
[[gnu::weak]] void __lsan_unregister_root_region(const void *memory, std::size_t bytes);
[[gnu::weak]] void *__tsan_get_current_fiber();
[[gnu::weak]] void *__tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void *fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void *fiber, unsigned flags);
}

namespace saguaro::stacks {

namespace {

constinit platform::spin_lock lock_of_annotations;

#if SG_ANNOTATE_STACKS

annotation &note_of(context &c) {
    return c.note;
}

void forget_note(context &) {}

#else

// The descriptors of the ordinary library have no room. An entry stays where it is until it is
// forgotten. Its memory is never freed, which ThreadSanitizer would take for a race: it does not
// see the lock.
struct table {
    table();

    std::pmr::monotonic_buffer_resource memory{std::pmr::new_delete_resource()};
    std::pmr::unsynchronized_pool_resource blocks{&memory};
    std::pmr::unordered_map<const context *, annotation> notes{&blocks};
};

table *all_notes = nullptr;

auto &notes() {
    if (all_notes == nullptr)
        all_notes = new table;
    return all_notes->notes;
}

SG_UNINSTRUMENTED annotation &note_of(context &c) {
    const std::lock_guard guard(lock_of_annotations);
    return notes()[&c];
}

void forget_note(context &c) {
    const std::lock_guard guard(lock_of_annotations);
    notes().erase(&c);
}

// LeakSanitizer shall take for used what the frames of a flow that was left point to: those on its
// stack, and the fake ones that these point to.
void show_frames(const context &left, const annotation &note) {
    auto *const sp = static_cast<char *const *>(left.sp);
    auto *const end =
        reinterpret_cast<char *const *>(static_cast<const char *>(note.bottom) + note.size);
    __lsan_register_root_region(sp, static_cast<std::size_t>(end - sp) * sizeof(*sp));
    for (char *const *word = sp; note.fake_stack != nullptr && word < end; ++word) {
        void *first = nullptr;
        void *last = nullptr;
        if (__asan_addr_is_in_fake_stack(note.fake_stack, *word, &first, &last) != nullptr)
            __lsan_register_root_region(
                first,
                static_cast<std::size_t>(static_cast<char *>(last) - static_cast<char *>(first)));
    }
}

// Where the process ends in a task, other flows are left for ever. Nothing is unmapped meanwhile.
void show_all_frames(void *) {
    const std::lock_guard guard(lock_of_annotations);
    for (const auto &[which, note] : notes())
        if (note.is_left)
            show_frames(*which, note);
}

// Without room for another exit handler, leaks may be reported that are none.
table::table() {
    if (platform::has_address_sanitizer() && &__lsan_register_root_region != nullptr)
        platform::at_exit(show_all_frames);
}

#endif

// What the flow that leaves tells the one that arrives on the same thread.
struct passage {
    context *left = nullptr;     // the flow that left; null if it ended
    void *fake_stack = nullptr;  // of the flow that arrives
    void *ended_fiber = nullptr; // to be destroyed: one cannot destroy the fiber one runs on
};

thread_local passage under_way;

// What a new flow is to do.
struct beginning {
    context *starter;
    stack *on;
    entry_point entry;
    void *argument;
};

// The last thing before a switch. `left` is null if the running flow ends, whose fake stack goes to
// `fake_stack`, or is destroyed if that is null. Not inlined, nor is `arrive`: each call must find
// the thread_local variable of the thread that makes it.
SG_UNINSTRUMENTED void depart(context *left, void **fake_stack, annotation &to) {
    under_way.left = left;
    under_way.fake_stack = to.fake_stack;
    to.is_left = false;
    if (platform::has_address_sanitizer())
        __sanitizer_start_switch_fiber(fake_stack, to.bottom, to.size);
    if (platform::has_thread_sanitizer()) {
        if (left)
            note_of(*left).fiber = __tsan_get_current_fiber();
        // With synchronization (flag 0): what one flow did on this thread happened before what the
        // next one does.
        __tsan_switch_to_fiber(to.fiber, 0);
    }
}

// The first thing after a switch, on the new flow. It learns the bounds of the stack that was left,
// which is how the bounds of a thread's own stack become known, and writes them into the context
// that was left: nobody else knows that context yet.
SG_UNINSTRUMENTED void arrive() {
    const passage from = std::exchange(under_way, passage{});
    if (platform::has_address_sanitizer()) {
        const void *bottom = nullptr;
        std::size_t size = 0;
        __sanitizer_finish_switch_fiber(from.fake_stack, &bottom, &size);
        if (from.left) {
            annotation &left = note_of(*from.left);
            left.bottom = bottom;
            left.size = size;
            left.is_left = true;
        }
    }
    if (platform::has_thread_sanitizer() && from.ended_fiber)
        __tsan_destroy_fiber(from.ended_fiber);
}

annotation &note_of_empty(stack &s) {
    annotation &note = note_of(s.ctx);
    note.bottom = s.low;
    note.size = static_cast<std::size_t>(s.high() - s.low);
    if (platform::has_thread_sanitizer() && !note.fiber) {
        platform::take_over(&s); // the fiber before this one has written to the same memory
        note.fiber = __tsan_create_fiber(0);
    }
    return note;
}

void *take_fiber(stack &s) {
    platform::hand_over(&s);
    return std::exchange(note_of(s.ctx).fiber, nullptr);
}

void end_fiber(stack &s) {
    if (platform::has_thread_sanitizer())
        if (void *const fiber = take_fiber(s))
            __tsan_destroy_fiber(fiber);
}

// The first function on each stack.
SG_UNINSTRUMENTED context *first_function(void *argument) {
    const beginning what = *static_cast<beginning *>(argument);
    arrive();
    context *to = what.entry(what.argument);
    if (!to)
        to = what.starter;
    // The fake stack stays with the stack: it still tells who uses a frame of the flow's after its
    // end, and takes 11 MB of addresses to map.
    depart(nullptr, &note_of(what.on->ctx).fake_stack, note_of(*to));
    return to;
}

// AddressSanitizer destroys the fake stack that a thread leaves for ever: goes over to this one, on
// the same stack, and leaves it so.
SG_UNINSTRUMENTED void end_fake_stack(stack &s) {
    if (!platform::has_address_sanitizer())
        return;
    void *const dying = std::exchange(note_of(s.ctx).fake_stack, nullptr);
    if (dying == nullptr)
        return;
    void *own = nullptr;
    const void *bottom = nullptr;
    std::size_t size = 0;
    __sanitizer_start_switch_fiber(&own, s.low, 0);
    __sanitizer_finish_switch_fiber(dying, &bottom, &size);
    __sanitizer_start_switch_fiber(nullptr, bottom, size);
    __sanitizer_finish_switch_fiber(own, nullptr, nullptr);
}

SG_UNINSTRUMENTED void switch_announced(context *from, context *to) noexcept {
    depart(from, &note_of(*from).fake_stack, note_of(*to));
    sg_stacks_switch(from, to);
    arrive();
}

SG_UNINSTRUMENTED void start_announced(context *from, stack *s, entry_point entry,
                                       void *argument) noexcept {
    beginning what{from, s, entry, argument};
    depart(from, &note_of(*from).fake_stack, note_of_empty(*s));
    sg_stacks_start(from, s, first_function, &what);
    arrive();
}

// After platform::sanitizers_here is known (101).
[[gnu::constructor(102)]] void announce_switches() {
    if (!platform::is_watched())
        return;
    switch_function = switch_announced;
    start_function = start_announced;
}

} // namespace

constinit decltype(&sg_stacks_switch) switch_function = sg_stacks_switch;
constinit decltype(&sg_stacks_start) start_function = sg_stacks_start;

void forget_annotations() {
#if !SG_ANNOTATE_STACKS
    const std::lock_guard guard(lock_of_annotations);
    if (platform::has_address_sanitizer())
        delete std::exchange(all_notes, nullptr);
#endif
}

platform::spin_lock &annotations_lock() {
    return lock_of_annotations;
}

SG_UNINSTRUMENTED void leave_announced(stack &dying, context &to) noexcept {
    if (platform::has_address_sanitizer()) {
        // The frames that will never be left take their red zones with them.
        char *const here = static_cast<char *>(__builtin_frame_address(0));
        __asan_unpoison_memory_region(here, static_cast<std::size_t>(dying.high() - here));
    }
    if (platform::has_thread_sanitizer())
        // The fiber counts functions that will never return: the stack gets a new one.
        under_way.ended_fiber = take_fiber(dying);
    depart(nullptr, nullptr, note_of(to));
    sg_stacks_leave(&to);
}

void introduce_stack(stack &s) {
    if (&__lsan_register_root_region != nullptr)
        __lsan_register_root_region(s.low, static_cast<std::size_t>(s.high() - s.low));
}

void forget_stack(stack &s) {
    if (&__lsan_unregister_root_region != nullptr)
        __lsan_unregister_root_region(s.low, static_cast<std::size_t>(s.high() - s.low));
    if (!platform::is_watched())
        return;
    end_fake_stack(s);
    end_fiber(s);
    forget_note(s.ctx);
}

void announce_no_frames(stack &s) {
    if (platform::has_address_sanitizer())
        // Frames that will never be left take their red zones with them.
        __asan_unpoison_memory_region(s.low, static_cast<std::size_t>(s.high() - s.low));
    end_fake_stack(s);
    end_fiber(s);
}

} // namespace saguaro::stacks
