// SPDX-License-Identifier: MIT
// Threads of Vthread whose code is a closure, on several numbers of cores.
#pragma once

#include "saguaro/vthread.h"
#include "vms/bare.hpp"

#include <functional>
#include <gtest/gtest.h>

namespace saguaro::vms {

// The code of a thread that returns null; must outlive it.
using code = std::function<void(sg_vp *)>;

inline void *run_thread_code(void *argument, sg_vp *me) {
    (*static_cast<const code *>(argument))(me);
    return nullptr;
}

inline sg_vthread start(const code &what, sg_vp *me) {
    return sg_vthread_create(run_thread_code, const_cast<code *>(&what), me);
}

inline sg_vthread start_on(unsigned core, const code &what, sg_vp *me) {
    return sg_vthread_create_on(core, run_thread_code, const_cast<code *>(&what), me);
}

class vthread_on : public testing::TestWithParam<unsigned> {
protected:
    int run(const vp_code &what) const {
        const sg_vms_options options = with_cores(GetParam());
        return sg_vthread_run(&options, run_code, const_cast<vp_code *>(&what));
    }
};

} // namespace saguaro::vms
