// SPDX-License-Identifier: MIT
// Inheritance of a thread's settings by the threads and processes that it makes.
//
// The kernel copies a thread's segment base (x86-64) to the threads that it creates, so a thread
// that a task creates would pass for the worker; and it copies the processors that the thread may
// use to all that it makes, so what a task of a pinned worker creates would have one. Here the
// creator has neither while it creates: a call of the C library's function, found once, and two
// instructions; two or three system calls more if it is pinned. The child of a fork gets its
// processors back.
//
// The shared library exports these functions without a version, or the dynamic linker would pass
// them over where a library asks for the C library's. In a program that is linked with -static
// there is no next one to look for: glibc's archive has its functions under a second name as well,
// which the link must ask for (-u __pthread_create and so on). Not with the sanitizers, which put
// their own functions in this place: there, tasks must not create threads that use the runtime.
//
// All in one file with what the runtime's threads need: a link with the archive takes no more.
#include "platform/arch.hpp"
#include "platform/thread.hpp"
#include "saguaro/detail/sanitizers.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>
#include <utility>

namespace saguaro::platform {

namespace {

// What keeps the calling thread where it is. Null: nothing.
thread_local pinned *keeper = nullptr;

// Its mask, for those who look for leaks: they do not look at a thread's own stack while it runs on
// another.
thread_local const cpu_set_t *keepers_mask = nullptr;

// The child's only thread has what its maker had before that was pinned.
void unpin_child() {
    if (pinned *const mine = std::exchange(keeper, nullptr))
        mine->put_back();
}

[[gnu::constructor(103)]] void handle_forks() {
    pthread_atfork(nullptr, nullptr, unpin_child);
}

} // namespace

pinned::pinned(int cpu)
    : former_(cpu_mask::of_thread(0)), cpu_(pin_to_cpu(cpu) ? cpu : -1),
      thread_(static_cast<pid_t>(syscall(SYS_gettid))) {
    keepers_mask = former_.data();
    if (this->cpu() >= 0)
        keeper = this;
}

pinned::~pinned() {
    keepers_mask = nullptr;
    if (keeper != this)
        return;
    keeper = nullptr;
    put_back();
}

// Unless somebody else has changed it since.
bool pinned::put_back() {
    const cpu_mask now = cpu_mask::of_thread(0);
    return now.count() == 1 && now.contains(cpu()) &&
           sched_setaffinity(0, former_.bytes(), former_.data()) == 0;
}

void pinned::move_to(int cpu) {
    cpu_mask mask(static_cast<std::size_t>(cpu) + 1);
    mask.add(cpu);
    if (sched_setaffinity(thread_, mask.bytes(), mask.data()) == 0)
        cpu_.store(cpu, std::memory_order_relaxed);
}

unpinned::unpinned() : who_(keeper != nullptr && keeper->put_back() ? keeper : nullptr) {}

unpinned::~unpinned() {
    if (who_ != nullptr)
        pin_to_cpu(who_->cpu());
}

} // namespace saguaro::platform

#if !SG_ADDRESS_SANITIZER && !SG_THREAD_SANITIZER

// Null but in a static program: a hidden name is never found in a shared library. So no program and
// no library asks libc.so for __libc_system, which is private to one version of glibc there.
extern "C" [[gnu::weak, gnu::visibility("hidden")]] decltype(pthread_create) __pthread_create;
extern "C" [[gnu::weak, gnu::visibility("hidden")]] decltype(thrd_create) __thrd_create;
extern "C" [[gnu::weak, gnu::visibility("hidden")]] decltype(posix_spawn) __posix_spawn;
extern "C" [[gnu::weak, gnu::visibility("hidden")]] decltype(posix_spawnp) __posix_spawnp;
extern "C" [[gnu::weak, gnu::visibility("hidden")]] decltype(system) __libc_system;
extern "C" [[gnu::weak, gnu::visibility("hidden")]] decltype(popen) _IO_popen;

namespace {

template <class Creator>
Creator c_librarys(const char *name, const char *second_name, Creator in_archive) {
    if (in_archive != nullptr)
        return in_archive;
    void *const found = dlsym(RTLD_NEXT, name);
    if (found == nullptr) {
        std::fprintf(stderr,
                     "saguaro: no %s behind this one: link without -static, or with -Wl,-u,%s\n",
                     name, second_name);
        std::_Exit(1);
    }
    return reinterpret_cast<Creator>(found);
}

// Calls create(arguments...) as a thread that is no worker and that may run anywhere.
template <class Creator, class... Arguments>
auto create_outside(Creator create, Arguments... arguments) {
    const saguaro::platform::unpinned anywhere;
    const std::uintptr_t base = saguaro::platform::region_base();
    if (base != 0)
        saguaro::platform::set_region_base(0);
    const auto result = create(arguments...);
    if (base != 0)
        saguaro::platform::set_region_base(base);
    return result;
}

// The same for a process, which has a region of its own if it has any.
template <class Creator, class... Arguments>
auto create_anywhere(Creator create, Arguments... arguments) {
    const saguaro::platform::unpinned anywhere;
    return create(arguments...);
}

} // namespace

extern "C" int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                              void *(*function)(void *), void *argument) noexcept {
    static const auto real = c_librarys("pthread_create", "__pthread_create", &__pthread_create);
    return create_outside(real, thread, attributes, function, argument);
}

// The C library's own goes a way inside that passes the one above by.
extern "C" int thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
    static const auto real = c_librarys("thrd_create", "__thrd_create", &__thrd_create);
    return create_outside(real, thread, function, argument);
}

extern "C" int posix_spawn(pid_t *process, const char *path,
                           const posix_spawn_file_actions_t *actions,
                           const posix_spawnattr_t *attributes, char *const arguments[],
                           char *const environment[]) {
    static const auto real = c_librarys("posix_spawn", "__posix_spawn", &__posix_spawn);
    return create_anywhere(real, process, path, actions, attributes, arguments, environment);
}

extern "C" int posix_spawnp(pid_t *process, const char *file,
                            const posix_spawn_file_actions_t *actions,
                            const posix_spawnattr_t *attributes, char *const arguments[],
                            char *const environment[]) {
    static const auto real = c_librarys("posix_spawnp", "__posix_spawnp", &__posix_spawnp);
    return create_anywhere(real, process, file, actions, attributes, arguments, environment);
}

extern "C" int system(const char *command) {
    static const auto real = c_librarys("system", "__libc_system", &__libc_system);
    return create_anywhere(real, command);
}

extern "C" FILE *popen(const char *command, const char *modes) {
    static const auto real = c_librarys("popen", "_IO_popen", &_IO_popen);
    return create_anywhere(real, command, modes);
}

#endif
