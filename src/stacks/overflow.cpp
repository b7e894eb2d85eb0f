// SPDX-License-Identifier: MIT
// The handler that recognises a touched guard page and prints the report.
#include "stacks/overflow.hpp"

#include "platform/arch.hpp"
#include "platform/copies.hpp"
#include "platform/fault_signal.hpp"
#include "platform/memory.hpp"
#include "stacks/slab.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <mutex>
#include <new>
#include <pthread.h>
#include <unistd.h>

namespace saguaro::stacks {

namespace {

constinit platform::fault_signal fault_signals[] = {platform::fault_signal(SIGSEGV),
                                                    platform::fault_signal(SIGBUS)};

constinit std::mutex reports_lock; // guards whether handlers are installed, and
unsigned reports = 0;              // how many want them to be

// A line of text, composed without anything that a signal handler must not call.
class line {
public:
    void add(const char *text) {
        while (*text && used_ < sizeof(text_))
            text_[used_++] = *text++;
    }

    void add(std::size_t number, unsigned base = 10) {
        char digits[24];
        char *first = digits + sizeof(digits) - 1;
        *first = '\0';
        do
            *--first = "0123456789abcdef"[number % base];
        while (number /= base);
        add(first);
    }

    void print() const {
        // Nobody could be told of a failure.
        [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text_, used_);
    }

private:
    char text_[160];
    std::size_t used_ = 0;
};

void report(const found_stack &overflowed) {
    const purpose &use = *overflowed.use;
    const runner by = use.who != nullptr ? use.who(*overflowed.which) : runner{};
    line text;
    text.add("saguaro: ");
    if (by.is_known) {
        text.add(use.what);
        text.add(by.is_an_address ? " 0x" : " ");
        text.add(by.which, by.is_an_address ? 16 : 10);
        text.add(" overflowed its stack of ");
    } else {
        text.add("a thread that is no worker overflowed a stack of ");
    }
    text.add(overflowed.bytes);
    text.add(" bytes; ");
    text.add(use.setting);
    text.add("=BYTES makes it larger\n");
    text.print();
}

bool is_fatal(int number) {
    return std::any_of(std::begin(fault_signals), std::end(fault_signals),
                       [=](const platform::fault_signal &each) { return each.is_fatal(number); });
}

// The stack that the fault overflowed.
found_stack find_overflowed(int number, const siginfo_t &info, const void *machine_state) {
    if (!platform::is_fault(info))
        return {};
    // First: the guard that was touched may be another stack's. Not where somebody else handles the
    // fault, as a collector of garbage does its barriers: that code may run on stacks of its own
    // below ours. Not without the state: a handler that calls this one may have none.
    if (machine_state != nullptr && is_fatal(number)) {
        const char *const pointer = platform::stack_pointer_of(machine_state);
        if (const found_stack found = find_stepped_over(pointer, info.si_addr); found.which)
            return found;
    }
    return find_guard(info.si_addr);
}

void on_fault(int number, siginfo_t *info, void *machine_state) {
    const int interrupted_errno = errno;
    if (const found_stack found = find_overflowed(number, *info, machine_state); found.which) {
        report(found);
        platform::take_default_action(number, *info);
    } else {
        for (const platform::fault_signal &each : fault_signals)
            each.hand_on(number, info, machine_state);
    }
    errno = interrupted_errno;
}

// Enough for a handler of somebody else's that prints a backtrace.
constexpr std::size_t alternate_bytes = 64 * 1024;

} // namespace

std::mutex &overflow_lock() {
    return reports_lock;
}

overflow_report::overflow_report() {
    const std::lock_guard guard(reports_lock);
    platform::page_size(); // found out here, not in the handler
    if (reports++ > 0)
        return;
    for (platform::fault_signal &each : fault_signals)
        each.install(on_fault);
}

overflow_report::~overflow_report() {
    const std::lock_guard guard(reports_lock);
    if (--reports > 0)
        return;
    for (platform::fault_signal &each : fault_signals)
        each.remove();
}

alternate_stack::alternate_stack() {
    // The kernel's part, the registers, may be larger than anybody's constant says.
    const long registers = sysconf(_SC_MINSIGSTKSZ);
    bytes_ = alternate_bytes +
             platform::round_to_pages(registers > 0 ? static_cast<std::size_t>(registers) : 0);
    memory_ = platform::reserve(bytes_);
    if (!memory_)
        return;
    stack_t ours{};
    ours.ss_sp = memory_;
    ours.ss_size = bytes_;
    stack_t former{};
    if (sigaltstack(&ours, &former) != 0) {
        platform::release(memory_, bytes_);
        memory_ = nullptr;
        return;
    }
    former_memory_ = former.ss_sp;
    former_bytes_ = former.ss_size;
    former_flags_ = former.ss_flags;
}

alternate_stack::~alternate_stack() {
    if (!memory_)
        return;
    stack_t now{};
    sigaltstack(nullptr, &now);
    stack_t former{};
    former.ss_sp = former_memory_;
    former.ss_size = former_bytes_;
    former.ss_flags = former_flags_;
    if (now.ss_sp == memory_)
        sigaltstack(&former, nullptr);
    platform::release(memory_, bytes_);
}

namespace {

// What each thread has been lent: a key, not a thread_local object, whose destructor would keep a
// library that is to be unloaded from being so.
pthread_key_t lent;
// Relaxed, everywhere: who enters while the process ends may come to the key when it is gone, and
// is then told that it has nothing there.
std::atomic<bool> lends{false};

// The key's value for a thread that needs none.
char its_own;

void take_back(void *what) {
    if (what != &its_own)
        delete static_cast<alternate_stack *>(what);
}

[[gnu::constructor(101)]] void begin_to_lend() {
    if (platform::is_displaced())
        return;
    lends.store(pthread_key_create(&lent, take_back) == 0, std::memory_order_relaxed);
}

// At the end of the library: of the others nobody asks any more.
[[gnu::destructor(101)]] void end_lending() {
    if (!lends.exchange(false, std::memory_order_relaxed))
        return;
    if (void *const mine = pthread_getspecific(lent))
        take_back(mine);
    pthread_key_delete(lent);
}

} // namespace

void lend_alternate_stack() {
    if (!lends.load(std::memory_order_relaxed) || pthread_getspecific(lent) != nullptr) [[likely]]
        return;
    stack_t now{};
    const bool has_one = sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0;
    pthread_setspecific(lent, has_one ? static_cast<void *>(&its_own)
                                      : new (std::nothrow) alternate_stack);
}

} // namespace saguaro::stacks
