// SPDX-License-Identifier: MIT
// Forking a space, watching its end and collecting its status.
#include "spmc/spaces.hpp"

#include "platform/arithmetic.hpp"
#include "platform/clock.hpp"
#include "platform/futex.hpp"
#include "platform/sanitizer.hpp"
#include "platform/thread.hpp"
#include "spmc/children.hpp"
#include "spmc/ends.hpp"
#include "spmc/grants.hpp"
#include "spmc/job.hpp"
#include "spmc/lines.hpp"
#include "spmc/pieces.hpp"
#include "spmc/regions.hpp"
#include "spmc/statuses.hpp"
#include "spmc/streams.hpp"
#include "spmc/trace/record.hpp"
#include "spmc/variables.hpp"
#include "spmc/waiting.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <fcntl.h>
#include <mutex>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace saguaro::spmc {

namespace {

// Guarded by the lock of children.hpp.
// Relaxed, all: others only ask how many there are.
std::atomic<std::uint32_t> children{0}; // that this space has begun
slot unborn = 0;                        // refused by the system: the next child's, of the same name
int watched = -1;                       // an epoll descriptor: a pidfd for each child that lives

// Whether the thread that watches over them has begun.
std::atomic<bool> watches{false};
std::atomic<std::uint32_t> watcher_runs{0}; // 1 from that thread's first step on

// ---- Watching over the children ----

// Waits for the end of a child that is no space.
void await_process(pid_t pid) {
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
}

// A child has ended: takes its status, and tells who waits for it. Others, who wait for its pages,
// see it after a nap.
void record_end(const job &all, slot which) {
    space &s = all.space_in(which);
    // A child that was forked in between holds the pidfd as well for a moment, so it would stay in
    // the set. Relaxed: a number of this process' own, which such a child may read too late.
    const int pidfd = s.pidfd.load(std::memory_order_relaxed);
    epoll_ctl(watched, EPOLL_CTL_DEL, pidfd, nullptr);
    const auto pid = static_cast<pid_t>(s.pid.load(std::memory_order_relaxed));
    s.status.store(await_status(all, which, pid, pidfd), std::memory_order_relaxed);
    end_child(job::mine(), which, [](const job &of, slot child) {
        // Under the lock: `terminate` uses it.
        close(of.space_in(child).pidfd.exchange(0, std::memory_order_relaxed));
        // Release pairs with the acquires of who waits for it: the status, and all that it did.
        of.space_in(child).state.store(life::ended, std::memory_order_release);
        wake_all(of.space_in(child).state);
    });
    drop_grants(job::mine(), which);
}

// A thread of the library's own, so that an end is seen while the program computes. It allocates
// nothing: the heap is the program's.
void *watch(void *) {
    // Release pairs with the acquire in `await_watcher`; nothing but the word is handed over.
    watcher_runs.store(1, std::memory_order_release);
    platform::futex_wake(watcher_runs, 1);
    const job &all = job::mine();
    for (;;) {
        epoll_event ended;
        const int count = epoll_wait(watched, &ended, 1, -1);
        if (count < 0 && errno != EINTR)
            give_up("the system refuses to watch over the space's children: %s",
                    std::strerror(errno));
        if (count == 1)
            record_end(all, ended.data.u32);
    }
}

// A thread that begins takes locks of a sanitizer's. If the process is forked while it spins for
// one, the child's copy of that lock counts on a thread that the child lacks, and a thread of the
// child may sleep on it without end. So no space is forked before the watching thread is through
// with its begin. Without a sanitizer there is nothing to wait for.
void await_watcher() {
    if (!platform::is_watched())
        return;
    while (watcher_runs.load(std::memory_order_acquire) == 0)
        platform::futex_wait(watcher_runs, 0);
}

// 0 or an error number. Under the lock.
int begin_to_watch() {
    if (watched >= 0)
        return 0;
    if (!prepare_children())
        return ENOMEM;
    watched = above_standard(epoll_create1(EPOLL_CLOEXEC));
    if (watched < 0)
        return errno;
    const platform::signals_blocked for_it;
    pthread_t thread;
    const int refused = pthread_create(&thread, nullptr, watch, nullptr);
    if (refused != 0) {
        close(watched);
        watched = -1;
        return refused;
    }
    pthread_detach(thread);
    await_watcher();
    // Relaxed: a thread that does not know it yet counts one too many, and waits longer.
    watches.store(true, std::memory_order_relaxed);
    return 0;
}

int watch_over(slot which) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u32 = which;
    const int pidfd = job::mine().space_in(which).pidfd.load(std::memory_order_relaxed);
    return epoll_ctl(watched, EPOLL_CTL_ADD, pidfd, &event) == 0 ? 0 : errno;
}

// The child's descriptor, by which its end is seen. Before the child does anything: whoever waits
// for any child, or ignores SIGCHLD, would take away one that has ended. Errors as `fork`.
bool take_descriptor(const job &all, slot which, pid_t pid) {
    // Not descriptor 0 either, which stands for none.
    const int pidfd = above_standard(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
    if (pidfd < 0)
        return false;
    space &s = all.space_in(which);
    // Relaxed, both: the child waits for the number alone.
    s.pidfd.store(pidfd, std::memory_order_relaxed);
    s.may_go.store(1, std::memory_order_relaxed);
    wake_all(s.may_go);
    return true;
}

void drop_descriptor(const job &all, slot which) {
    space &s = all.space_in(which);
    s.may_go.store(0, std::memory_order_relaxed);
    if (const int pidfd = s.pidfd.exchange(0, std::memory_order_relaxed))
        close(pidfd);
}

// In a child: what the parent watches its older children with. Of younger ones the child has none.
void close_inherited(const job &all) {
    if (watched >= 0)
        close(watched);
    watched = -1;
    watches.store(false, std::memory_order_relaxed);
    watcher_runs.store(0, std::memory_order_relaxed);
    for_each_child([&](slot s) {
        if (const int pidfd = all.space_in(s).pidfd.load(std::memory_order_relaxed))
            close(pidfd);
    });
    forget_children();
    unborn = 0; // the parent's
}

// ---- Names ----

// The children of the root are called 1, 2, 3; others by a number that comes from their parent's
// and their own, and from nothing else, with the highest bit set.
std::uint64_t index_of(const job &all, slot parent, std::uint32_t number) {
    if (parent == root_slot)
        return number;
    const std::uint64_t both = all.space_in(parent).index * platform::golden + number;
    return platform::mixed(both) | std::uint64_t{1} << 63;
}

// The spaces with such an index: the newest one, from which the others follow.
std::atomic<slot> &list_of(const job &all, std::uint64_t index) {
    return all.header().with_index[index % name_lists];
}

// One that no space has had; 0 if there are no more.
slot take_new_slot(const job &all) {
    std::atomic<std::uint32_t> &given = all.header().slots;
    // Relaxed: the release in `take_slot` is what others acquire.
    slot which = given.load(std::memory_order_relaxed);
    do
        if (which >= all.end_of_slots())
            return 0;
    while (!given.compare_exchange_weak(which, which + 1, std::memory_order_relaxed));
    return which;
}

void add_to_names(const job &all, slot which) {
    space &s = all.space_in(which);
    std::atomic<slot> &newest = list_of(all, s.index);
    // Relaxed, but for the last: a list that only grows. Release pairs with the acquire in
    // `find_slot`: what stands above.
    slot next = newest.load(std::memory_order_relaxed);
    do
        s.next_of_name.store(next, std::memory_order_relaxed);
    while (!newest.compare_exchange_weak(next, which, std::memory_order_release,
                                         std::memory_order_relaxed));
}

// A slot for a child that begins; 0 if there are no more. Under the lock.
slot take_slot(const job &all) {
    const slot again = std::exchange(unborn, 0);
    const slot which = again != 0 ? again : take_new_slot(all);
    if (which == 0)
        return 0;
    space &s = all.space_in(which);
    s.parent = all.self_slot();
    s.number = children.fetch_add(1, std::memory_order_relaxed) + 1;
    s.index = index_of(all, s.parent, s.number);
    s.fresh = fresh_address();
    if (again == 0)
        add_to_names(all, which);
    // Relaxed: read when this space has ended.
    all.self().has_children.store(1, std::memory_order_relaxed);
    // Release pairs with the acquires of who looks for spaces: what stands above.
    s.state.store(life::begins, std::memory_order_release);
    // Release pairs with the acquire in `slot_of`, which then finds the space.
    all.header().begun.fetch_add(1, std::memory_order_release);
    wake_all(all.header().begun);
    return which;
}

// ---- In the child ----

// A look at the word that the parent sets, which wakes the child as well.
constexpr std::int64_t longest_wait_to_go_ns = 10'000'000;

void become_child(job &all, slot which, pid_t parent) {
    close_inherited(all);
    all.become(which);
    children.store(0, std::memory_order_relaxed);
    // It ends with its parent, however that ends. Looks whether it has ended before the call.
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent)
        _exit(2);
    space &me = all.self();
    // The parent takes the descriptor meanwhile.
    while (me.may_go.load(std::memory_order_relaxed) == 0)
        platform::futex_wait(me.may_go, 0, platform::now_ns() + longest_wait_to_go_ns,
                             platform::futex_scope::all_processes);
    leave_code_at_exit();
    forget_input();
    me.pid.store(static_cast<std::uint32_t>(getpid()), std::memory_order_relaxed);
    me.state.store(life::lives, std::memory_order_release);
    trace::begin_space(all);
    say_where();
}

// Forks, with the lists of the library in order on both sides. In the child it is the new space.
pid_t fork_space(job &all, slot which) {
    const pid_t me = getpid();
    trace::note_creation(which);
    flush_streams(); // what is buffered would be written by both
    grants_before_fork();
    pieces::mine().before_fork();
    const pid_t pid = fork();
    pieces::mine().after_fork(pid == 0);
    grants_after_fork(pid == 0);
    if (pid == 0) {
        become_child(all, which, me);
    } else if (pid > 0 && !take_descriptor(all, which, pid)) {
        const int refused = errno;
        kill(pid, SIGKILL);
        await_process(pid);
        errno = refused;
        return -1;
    }
    return pid;
}

// Under the lock: 0, or an error number.
int adopt(slot which, pid_t pid) {
    // Both write the same.
    job::mine().space_in(which).pid.store(static_cast<std::uint32_t>(pid),
                                          std::memory_order_relaxed);
    const int refused = watch_over(which);
    if (refused == 0) {
        add_child(which);
    } else {
        kill(pid, SIGKILL);
        await_process(pid);
    }
    return refused;
}

// What execv needs, prepared by the parent: the child of a process with threads must not allocate.
class program {
public:
    program(const job &all, slot which, const char *path, char *const *arguments)
        : path_(path), arguments_(arguments) {
        std::snprintf(told_, sizeof(told_), "%s=%d,%d,%u", variables::job.name, all.writable(),
                      all.readable(), which);
        environment_.push_back(told_);
        // After clearenv there is no array.
        for (char **each = environ; each != nullptr && *each != nullptr; ++each)
            environment_.push_back(*each);
        environment_.push_back(nullptr);
    }

    // In the child. What is written to `failed` is why there is no program.
    [[noreturn]] void execute(const job &all, int failed) {
        fcntl(all.writable(), F_SETFD, 0);
        fcntl(all.readable(), F_SETFD, 0);
        // Its heap has the same addresses in each run. Where a policy forbids it, they are others.
        personality(static_cast<unsigned long>(personality(0xffffffff)) | ADDR_NO_RANDOMIZE);
        execve(path_, arguments_, environment_.data());
        const int refused = errno;
        [[maybe_unused]] const ssize_t written = write(failed, &refused, sizeof(refused));
        _exit(127);
    }

private:
    const char *path_;
    char *const *arguments_;
    char told_[64];
    std::vector<char *> environment_;
};

// False if nobody has written a number before the end.
bool read_fully(int from, int &number) {
    ssize_t got;
    do
        got = read(from, &number, sizeof(number));
    while (got < 0 && errno == EINTR);
    return got == sizeof(number);
}

slot find_slot(std::uint64_t index) {
    const job &all = job::mine();
    if (index == 0)
        return root_slot;
    // Acquire pairs with the release in `take_slot`.
    slot s = list_of(all, index).load(std::memory_order_acquire);
    while (s != 0 && (all.space_in(s).state.load(std::memory_order_acquire) == life::none ||
                      all.space_in(s).index != index))
        s = all.space_in(s).next_of_name.load(std::memory_order_relaxed);
    return s;
}

// The system refused it. Its name is free again, so that names do not depend on that. So is the
// slot, which stands among the spaces of that name, unless the process may have used the library.
void never_began(slot which, bool may_have_run) {
    children.fetch_sub(1, std::memory_order_relaxed);
    drop_descriptor(job::mine(), which);
    // A process that was to execute a program has begun to note. Relaxed: it is gone.
    job::mine().space_in(which).trace.store(0, std::memory_order_relaxed);
    job::mine().space_in(which).state.store(life::none, std::memory_order_release);
    if (!may_have_run)
        unborn = which;
}

// Calls the function of a space. What it throws would go on to the parent's handlers, in a copy of
// the parent's stack.
int call(int (*function)(void *), void *argument) {
    try {
        return function(argument);
#if !defined(_LIBCPP_VERSION) // see platform/forced_unwind.hpp
    } catch (const abi::__forced_unwind &) {
        flush_streams();
        give_up("its function called pthread_exit");
#endif
    } catch (const std::exception &thrown) {
        flush_streams();
        give_up("its function threw an exception: %s", thrown.what());
    } catch (...) {
        flush_streams();
        give_up("its function threw an exception");
    }
}

// ---- Ending a child ----

// The parent of a process; 0 if the process is gone.
std::uint32_t parent_of(std::uint32_t pid) {
    char text[512]; // enough for a name of 64 bytes, and what stands before the parent
    std::snprintf(text, sizeof(text), "/proc/%u/stat", pid);
    const int file = open(text, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    const ssize_t got = read(file, text, sizeof(text) - 1);
    close(file);
    text[got < 0 ? 0 : got] = '\0';
    const char *const name_end = std::strrchr(text, ')');
    unsigned parent = 0;
    return name_end != nullptr && std::sscanf(name_end, ") %*c %u", &parent) == 1 ? parent : 0;
}

// A descriptor of the process whose program the space is, where that is no process that this one
// has begun but a descendant of it: of a shell's, for example. Negative if there is none. The
// descriptor comes before the look at its ancestors: a number may be another process' by now.
int open_program(const space &s) {
    // Relaxed, both: they share nothing but the numbers.
    const std::uint32_t child = s.pid.load(std::memory_order_relaxed);
    const std::uint32_t taker = s.taker.load(std::memory_order_relaxed);
    if (taker == 0 || taker == child)
        return -1;
    const int opened = above_standard(static_cast<int>(syscall(SYS_pidfd_open, taker, 0)));
    if (opened < 0)
        return -1;
    std::uint32_t ancestor = parent_of(taker);
    while (ancestor > 1 && ancestor != child)
        ancestor = parent_of(ancestor);
    if (ancestor == child)
        return opened;
    close(opened);
    return -1;
}

// 0, also where the process has ended, and its end is about to be recorded; or an error number.
int end_process(int pidfd) {
    return syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, nullptr, 0) == 0 || errno == ESRCH
               ? 0
               : errno;
}

} // namespace

int begin_space(int (*function)(void *), void *argument, slot &out) {
    job &all = job::mine();
    flush_streams(); // a thread that reads what a pipe is full of may need the lock
    std::unique_lock guard(children_lock());
    if (const int refused = begin_to_watch())
        return refused;
    const slot which = take_slot(all);
    if (which == 0)
        return EAGAIN;
    const pid_t pid = fork_space(all, which);
    if (pid == 0) {
        guard.unlock();
        const int code = call(function, argument);
        end_well();
        flush_streams();
        leave_code(all, code);
        _exit(code);
    }
    const int refused = pid < 0 ? errno : adopt(which, pid);
    if (refused != 0) {
        never_began(which, pid > 0);
        return refused;
    }
    out = which;
    return 0;
}

int begin_program(const char *path, char *const *arguments, slot &out) {
    job &all = job::mine();
    flush_streams(); // as above
    const std::lock_guard guard(children_lock());
    if (const int refused = begin_to_watch())
        return refused;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    const slot which = take_slot(all);
    program what(all, which, path, arguments);
    const pid_t pid = which != 0 ? fork_space(all, which) : -1;
    if (pid == 0)
        what.execute(all, ends[1]);
    int refused = which == 0 ? EAGAIN : pid < 0 ? errno : 0;
    close(ends[1]);
    if (refused == 0 && read_fully(ends[0], refused))
        await_process(pid);
    close(ends[0]);
    const bool runs = refused == 0;
    if (runs)
        refused = adopt(which, pid);
    if (refused != 0) {
        if (which != 0)
            never_began(which, runs);
        return refused;
    }
    out = which;
    return 0;
}

int terminate(slot which) {
    const std::lock_guard guard(children_lock());
    space &s = job::mine().space_in(which);
    const int pidfd = s.pidfd.load(std::memory_order_relaxed);
    if (pidfd == 0)
        return 0; // it has ended
    // It may take long to die, and must not seem to wait meanwhile: for the caller, say, which
    // waits for its end. Relaxed: whoever sees a later wait of this thread acquires that wait's
    // record, and this store with it.
    s.is_about_to_end.store(1, std::memory_order_relaxed);
    // This store and the look at the taker, and in `job::take` a store of the taker and a look at
    // this word, are in one order: a program that is not seen here ends when it calls the library.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const int program = open_program(s);
    int refusal = end_process(pidfd);
    if (program >= 0) {
        if (refusal == 0)
            refusal = end_process(program);
        close(program);
    }
    if (refusal != 0)
        s.is_about_to_end.store(0, std::memory_order_relaxed);
    return refusal;
}

void wait_for_end(slot which) {
    job::mine().space_in(which).is_awaited.store(1, std::memory_order_relaxed); // for a line alone
    std::atomic<std::uint32_t> &state = job::mine().space_in(which).state;
    const auto look = [&](std::uint32_t &expected) {
        // Acquire pairs with the release in `record_end`.
        expected = state.load(std::memory_order_acquire);
        return ended_with(job::mine(), which) != 0;
    };
    const trace::wait shown(trace::kind::wait_end, which);
    wait_until({wait_kind::end, state, which, 0}, look, [] { /* always woken */ });
}

slot slot_of(std::uint64_t index) {
    std::atomic<std::uint32_t> &begun = job::mine().header().begun;
    slot found = 0;
    const auto look = [&](std::uint32_t &expected) {
        // Acquire pairs with the release in `take_slot`.
        expected = begun.load(std::memory_order_acquire);
        return (found = find_slot(index)) != 0;
    };
    wait_until({wait_kind::begin, begun, 0, index}, look, [] { /* always woken */ });
    return found;
}

void stay_with_parent() {
    const job &all = job::mine();
    const space &me = all.self();
    // Relaxed, all: numbers that were there before this space began. A shell's or a debugger's
    // child is not the parent's own.
    if (me.parent == 0 ||
        me.pid.load(std::memory_order_relaxed) != static_cast<std::uint32_t>(getpid()))
        return;
    const space &above = all.space_in(me.parent);
    const std::uint32_t taker = above.taker.load(std::memory_order_relaxed);
    const std::uint32_t parent = taker != 0 ? taker : above.pid.load(std::memory_order_relaxed);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (static_cast<std::uint32_t>(getppid()) != parent)
        kill(getpid(), SIGKILL);
}

std::uint32_t children_begun() {
    return children.load(std::memory_order_relaxed);
}

bool watches_children() {
    return watches.load(std::memory_order_relaxed);
}

void end_well() {
    job &all = *job::mine_if_any();
    if (all.self_slot() == 0)
        return; // a child of a fork, which has nothing to give up
    // Children may wait for a page that it never fixed.
    pieces::mine().fix_no_more();
    for (slot s = next_child(0); s != 0; s = next_child(s)) {
        wait_for_end(s);
        char name[name_bytes];
        char cause[cause_bytes];
        if (status_of(all, s) != 0)
            say("ends after space %s, which failed: %s", name_of(s, name), cause_of(all, s, cause));
    }
    drop_grants(all, all.self_slot());
    pieces::mine().unmap_all();
    trace::end_space(all);
    // Relaxed: read when the process is gone.
    all.self().has_ended_well.store(1, std::memory_order_relaxed);
}

} // namespace saguaro::spmc
