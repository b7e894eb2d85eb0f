// SPDX-License-Identifier: MIT
// Questions about the process: is this thread in exit, is an object static, whose is the program;
// and handlers of its exit.
#pragma once

namespace saguaro::platform {

// Whether the calling thread is inside `exit`: it has called it, or is the thread on which `main`
// returned, and runs exit handlers and destructors of static objects. False on other threads, which
// go on meanwhile, and during `quick_exit` and `_exit`.
//
// No handler could tell: those that are registered later are called earlier, and destructors of
// static objects are registered at any time. So this looks for `exit` among the callers: some
// microseconds, longer on a deep stack. Code between `exit` and here that was compiled without
// unwind tables hides it.
bool thread_is_exiting() noexcept;

// Whether `address` may lie in an object of static storage: in the program or in a shared object.
// True where the C library cannot tell (before glibc 2.35). Some 10 ns.
bool may_be_static(const void *address) noexcept;

// Whether the program itself was linked with this library: it contains it, or names its shared
// object among those that it needs. False in a plug-in, in a module of Python, in a library that
// the program needs: there the program is another one's, and not to be ended. Some microseconds.
bool program_uses_this_library() noexcept;

// Has handler(nullptr) called when the process exits, or the object that contains the library is
// unloaded: as std::atexit, which a sanitizer replaces by one that forgets the object. False: no
// memory.
bool at_exit(void (*handler)(void *)) noexcept;

} // namespace saguaro::platform
