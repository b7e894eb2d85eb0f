// SPDX-License-Identifier: MIT
// A plug-in for tests: a request is a function, and the handler calls it. What a test wants of the
// Master stands where it wants it.
#pragma once

#include "saguaro/vms.h"
#include "vms/instance.hpp"

#include <functional>
#include <string>
#include <utility>

namespace saguaro::vms {

using handling = std::function<void(sg_vp *)>;
using vp_code = std::function<void(sg_vp *)>;

// The plug-in's state; a test that wants another scheduler, or to hear of VPs that return, says so.
struct bare {
    std::function<sg_vp *(sg_vms *, unsigned)> scheduler;
    std::function<void(sg_vp *)> when_returned;
};

inline void bare_handle(void *state, sg_vp *requester, void *request) {
    const bare &self = *static_cast<bare *>(state);
    if (request != nullptr)
        (*static_cast<const handling *>(request))(requester);
    else if (self.when_returned)
        self.when_returned(requester);
}

inline sg_vp *bare_schedule(void *state, sg_vms *in, unsigned core) {
    const bare &self = *static_cast<bare *>(state);
    return self.scheduler ? self.scheduler(in, core) : sg_vms_first_come(state, in, core);
}

inline void bare_describe(void *, const sg_vp *, const void *, char *text, size_t bytes) {
    snprintf(text, bytes, "waits for a test");
}

inline constexpr sg_vms_plugin bare_plugin = {"bare", bare_handle, bare_schedule, bare_describe,
                                              sizeof(int)};

// Suspends the VP; `f` is run by the Master and must see to it that the VP goes on some time.
template <class F>
void *ask(sg_vp *me, F f) {
    handling request(std::move(f));
    return sg_vms_request(me, &request);
}

// Does not suspend it.
template <class F>
void *tell(sg_vp *me, F f) {
    handling request(std::move(f));
    return sg_vms_send(me, &request);
}

// Only lets others go first.
inline void pause(sg_vp *me) {
    ask(me, sg_vms_resume);
}

inline void run_code(void *code, sg_vp *me) {
    (*static_cast<const vp_code *>(code))(me);
}

// Makes a VP that runs `code`, which must outlive it, and gives it to the scheduler.
inline sg_vp *make(sg_vp *me, const vp_code &code, unsigned place = SG_VMS_ANYWHERE) {
    return static_cast<sg_vp *>(tell(me, [&](sg_vp *v) {
        sg_vp *const made = sg_vms_create(v->instance, run_code, const_cast<vp_code *>(&code));
        made->place = place;
        sg_vms_resume(made);
        v->answer = made;
    }));
}

// Runs `code` on the first VP of an instance.
inline int run_bare(sg_vms_options options, const vp_code &code, bare state = {}) {
    return sg_vms_run(&bare_plugin, &state, &options, run_code, const_cast<vp_code *>(&code));
}

inline sg_vms_options with_cores(unsigned cores, unsigned slots = 1) {
    return {cores, slots, 0, nullptr};
}

inline instance &instance_of_vp(const sg_vp *v) {
    return instance_of(v->instance);
}

} // namespace saguaro::vms
