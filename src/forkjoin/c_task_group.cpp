// SPDX-License-Identifier: MIT
// Groups of tasks for C.
#include "saguaro/task_group.h"

#include "saguaro/task_group.hpp"

#include <cerrno>
#include <new>

struct sg_task_group : saguaro::task_group {
    sg_task_group() : task_group(saguaro::any_flow) {}
};

extern "C" {

sg_task_group *sg_task_group_create(void) {
    return new (std::nothrow) sg_task_group;
}

void sg_task_group_destroy(sg_task_group *group) {
    delete group;
}

int sg_task_group_run(sg_task_group *group, void (*function)(void *), void *argument) {
    if (group == nullptr || function == nullptr)
        return EINVAL;
    try {
        group->run([=] { function(argument); });
    } catch (const std::bad_alloc &) {
        return ENOMEM;
    }
    return 0;
}

int sg_task_group_wait(sg_task_group *group) {
    if (group == nullptr)
        return EINVAL;
    return group->wait() == saguaro::task_group_status::canceled ? ECANCELED : 0;
}

void sg_task_group_cancel(sg_task_group *group) {
    if (group != nullptr)
        group->cancel();
}

int sg_task_group_is_canceling(const sg_task_group *group) {
    return group != nullptr && group->is_canceling();
}
}
