// SPDX-License-Identifier: MIT
// Finding the table of copies by the notes of the loaded objects, and taking a place in it.
#include "platform/copy_table.hpp"

#include <algorithm>
#include <cstring>
#include <link.h>
#include <sys/mman.h>

namespace saguaro::platform {

constinit std::atomic<copy_table *> the_copies{nullptr};

namespace {

// The note of this object: its type is the number of the table's layout, its content the distance
// from itself to the_copies. Notes stay when an object is stripped.
__asm__(".pushsection .note.saguaro,\"a\",%note\n"
        "    .balign 4\n"
        "    .long 8, 4, 1\n"
        "    .asciz \"Saguaro\"\n"
        "    .long _ZN7saguaro8platform10the_copiesE - .\n"
        ".popsection\n");
constexpr char note_name[] = "Saguaro";
constexpr ElfW(Word) layout = 1;

// This copy's; null where there was none. Stays when the copy has left it: threads that are in its
// runs while the process ends go on counting there. Written before the copy has threads.
constinit copy_slot *in_table = nullptr;

struct note {
    ElfW(Word) name_bytes, bytes, type;
    char name[sizeof(note_name)];
    std::int32_t distance;
};

// The table that the copy with this note has entered itself in.
copy_table *table_of(const note &found) {
    const char *const at = reinterpret_cast<const char *>(&found.distance) + found.distance;
    return reinterpret_cast<const std::atomic<copy_table *> *>(at)->load(std::memory_order_relaxed);
}

// The program, a shared object: looks for our notes in it, and into `table` for what they tell.
int look_for_table_in(dl_phdr_info *object, std::size_t, void *table) {
    const auto &found = *static_cast<copy_table **>(table);
    for (int i = 0; i < object->dlpi_phnum && found == nullptr; ++i) {
        const ElfW(Phdr) &part = object->dlpi_phdr[i];
        if (part.p_type != PT_NOTE)
            continue;
        const char *at = reinterpret_cast<const char *>(object->dlpi_addr + part.p_vaddr);
        const char *const end = at + part.p_memsz;
        const std::size_t align = part.p_align == 8 ? 8 : 4;
        const auto padded = [&](std::size_t bytes) { return (bytes + align - 1) & ~(align - 1); };
        while (static_cast<std::size_t>(end - at) >= sizeof(ElfW(Nhdr))) {
            const auto &each = *reinterpret_cast<const note *>(at);
            const std::size_t whole =
                padded(sizeof(ElfW(Nhdr)) + each.name_bytes) + padded(each.bytes);
            if (whole > static_cast<std::size_t>(end - at))
                break;
            if (each.type == layout && each.name_bytes == sizeof(note_name) &&
                each.bytes == sizeof(each.distance) &&
                std::memcmp(each.name, note_name, sizeof(note_name)) == 0)
                if (copy_table *const known = table_of(each))
                    *static_cast<copy_table **>(table) = known;
            at += whole;
        }
    }
    return found != nullptr ? 1 : 0;
}

copy_slot *take_slot(copy_table &table, std::ptrdiff_t pointer_at, void *outside) {
    for (copy_slot &each : table.slots) {
        const std::uint32_t before = each.generation.load(std::memory_order_relaxed);
        if (before % 2 != 0)
            continue;
        each.pointer_at.store(pointer_at, std::memory_order_relaxed);
        each.outside.store(outside, std::memory_order_relaxed);
        for (std::atomic<int> *count : {&each.awake, &each.inside, &each.away})
            count->store(0, std::memory_order_relaxed);
        for (chained_handler &handler : each.handlers)
            handler.ours.store(nullptr, std::memory_order_relaxed);
        // Release: pairs with other_copies_left::leave; the slot is filled in.
        each.generation.store(before + 1, std::memory_order_release);
        table.used.fetch_add(1, std::memory_order_relaxed);
        return &each;
    }
    return nullptr;
}

// Under the loader's lock: one copy at a time.
void enter_locked(std::ptrdiff_t pointer_at, void *outside) {
    copy_table *table = nullptr;
    dl_iterate_phdr(look_for_table_in, &table);
    if (table == nullptr) {
        void *const fresh = mmap(nullptr, sizeof(copy_table), PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (fresh == MAP_FAILED)
            return;
        table = static_cast<copy_table *>(fresh);
    }
    in_table = take_slot(*table, pointer_at, outside);
    if (in_table != nullptr)
        the_copies.store(table, std::memory_order_relaxed);
}

char *thread_pointer() {
    return static_cast<char *>(__builtin_thread_pointer());
}

// The calling thread's.
void *volatile *pointer_here(const copy_slot &of) {
    return reinterpret_cast<void *volatile *>(thread_pointer() +
                                              of.pointer_at.load(std::memory_order_relaxed));
}

} // namespace

int threads_away() noexcept {
    const copy_slot *const own = in_table;
    // Less than none: the child of a fork has come back with a thread that it had forgotten.
    return own != nullptr ? std::max(own->away.load(std::memory_order_relaxed), 0) : 0;
}

int threads_of_other_copies() noexcept {
    const copy_table *const table = the_copies.load(std::memory_order_relaxed);
    if (table == nullptr || table->used.load(std::memory_order_relaxed) <= 1) [[likely]]
        return 0;
    int all = 0;
    for (const copy_slot &each : table->slots)
        if (&each != in_table && each.generation.load(std::memory_order_relaxed) % 2 != 0)
            all += std::max(each.awake.load(std::memory_order_relaxed) +
                                each.inside.load(std::memory_order_relaxed) -
                                each.away.load(std::memory_order_relaxed),
                            0);
    return all;
}

void tell_other_copies(int awake) noexcept {
    if (in_table != nullptr)
        in_table->awake.store(awake, std::memory_order_relaxed);
}

void forget_threads() noexcept {
    if (in_table != nullptr)
        for (std::atomic<int> *each : {&in_table->awake, &in_table->inside, &in_table->away})
            each->store(0, std::memory_order_relaxed);
}

void enter_copy_table(void **pointer, void *outside) noexcept {
    const std::ptrdiff_t pointer_at = reinterpret_cast<char *>(pointer) - thread_pointer();
    under_loader_lock([=] { enter_locked(pointer_at, outside); });
}

chained_handler *place_for_handler() noexcept {
    if (the_copies.load(std::memory_order_relaxed) != nullptr)
        for (chained_handler &each : in_table->handlers)
            if (each.ours.load(std::memory_order_relaxed) == nullptr)
                return &each;
    return nullptr;
}

namespace {

void replace_former(chained_handler &of, const chained_handler &gone) {
    const int flags = gone.former_flags.load(std::memory_order_relaxed);
    // A function that takes one argument may be called with three, but not the other way round.
    // Release, both: a signal on any thread sees these in their order.
    if (flags != 0)
        of.former_flags.store(flags, std::memory_order_relaxed);
    of.former.store(gone.former.load(std::memory_order_relaxed), std::memory_order_release);
    of.former_flags.store(flags, std::memory_order_release);
}

} // namespace

bool leave_chain(const chained_handler &gone) noexcept {
    copy_table *const table = the_copies.load(std::memory_order_relaxed);
    if (table == nullptr)
        return false;
    for (copy_slot &copy : table->slots)
        for (chained_handler &each : copy.handlers)
            if (each.ours.load(std::memory_order_relaxed) != nullptr &&
                each.number.load(std::memory_order_relaxed) ==
                    gone.number.load(std::memory_order_relaxed) &&
                each.former.load(std::memory_order_relaxed) ==
                    gone.ours.load(std::memory_order_relaxed)) {
                replace_former(each, gone);
                return true;
            }
    return false;
}

void leave_copy_table() noexcept {
    copy_table *const table = the_copies.exchange(nullptr, std::memory_order_relaxed);
    if (table == nullptr)
        return;
    // Release: pairs with other_copies_left::leave. A thread that sees the slot as it was has seen
    // its own pointer while the copy was there.
    in_table->generation.fetch_add(1, std::memory_order_release);
    table->used.fetch_sub(1, std::memory_order_relaxed);
}

void other_copies_left::leave(copy_table &copies) noexcept {
    in_table->inside.fetch_add(1, std::memory_order_relaxed);
    is_counted_ = true;
    for (copy_slot &each : copies.slots) {
        // Acquire: pairs with take_slot.
        const std::uint32_t generation = each.generation.load(std::memory_order_acquire);
        if (generation % 2 == 0 || &each == in_table)
            continue;
        void *volatile *const pointer = pointer_here(each);
        void *const seen = *pointer;
        void *const outside = each.outside.load(std::memory_order_relaxed);
        if (seen == outside)
            continue;
        // Acquire orders the loads above before this one. The copy was there when the thread's
        // pointer was read, so the thread is in a run of that copy, and keeps it from being
        // unloaded.
        std::atomic_thread_fence(std::memory_order_acquire);
        if (each.generation.load(std::memory_order_relaxed) != generation)
            continue;
        left_ = &each;
        seen_ = seen;
        *pointer = outside;
        each.away.fetch_add(1, std::memory_order_relaxed);
        return; // of all others the thread is outside already
    }
}

void other_copies_left::come_back() noexcept {
    in_table->inside.fetch_sub(1, std::memory_order_relaxed);
    if (left_ == nullptr)
        return;
    left_->away.fetch_sub(1, std::memory_order_relaxed);
    *pointer_here(*left_) = seen_;
}

} // namespace saguaro::platform
