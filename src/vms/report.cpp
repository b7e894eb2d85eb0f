// SPDX-License-Identifier: MIT
// Error lines of an instance: one line, for the first error that it has.
#include "platform/exception_text.hpp"
#include "vms/instance.hpp"

#include <cerrno>
#include <cstdio>
#include <string>

namespace saguaro::vms {

namespace {

// VPs that a report names; of the others it gives the number.
constexpr std::size_t named = 8;

} // namespace

std::string describe(const instance &in, const vp &v, const void *request) {
    if (request == nullptr)
        return v.has_returned ? "returns" : "has not begun";
    char text[256] = "waits";
    if (in.plugin.describe != nullptr) {
        try {
            in.plugin.describe(in.state, &v, request, text, sizeof(text));
        } catch (...) {
            return "waits, and `describe` threw " + platform::current_exception_text();
        }
    }
    return text;
}

void fail(instance &in, int error, const char *format, va_list arguments) {
    if (in.error != 0)
        return;
    in.error = error;
    char text[1024];
    std::vsnprintf(text, sizeof(text), format, arguments);
    std::fprintf(stderr, "saguaro: %s: %s\n", in.plugin.name, text);
    stop(in);
}

void fail(instance &in, int error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail(in, error, format, arguments);
    va_end(arguments);
}

void fail_in_deadlock(instance &in) {
    std::string who;
    std::size_t told = 0;
    in.vps.for_each_live([&](const vp &v) {
        if (told++ < named)
            who.append(who.empty() ? "VP " : "; VP ")
                .append(std::to_string(v.number) + " " + describe(in, v, v.request));
    });
    if (told > named)
        who += "; and " + std::to_string(told - named) + " more";
    const std::string all =
        in.live == 1 ? "the only VP is" : "all " + std::to_string(in.live) + " VPs are";
    fail(in, EDEADLK, "deadlock: %s blocked: %s", all.c_str(), who.c_str());
}

} // namespace saguaro::vms

using namespace saguaro::vms;

extern "C" [[gnu::noinline]] void sg_vms_fail(sg_vms *in, int error, const char *format, ...) {
    // A VP may give up as well, and takes the lock for it.
    core *const caller = core_of_this_thread();
    const bool by_vp = caller != nullptr && &caller->owner == in && caller->master_of == nullptr &&
                       caller->current != nullptr;
    if (!by_vp && (in == nullptr || !is_master(instance_of(in)))) {
        refuse_outside("sg_vms_fail", in, true);
        return;
    }
    if (by_vp)
        acquire(*caller);
    va_list arguments;
    va_start(arguments, format);
    fail(instance_of(in), error != 0 ? error : EPROTO, format != nullptr ? format : "(null)",
         arguments);
    va_end(arguments);
    if (by_vp)
        release(*caller);
}
