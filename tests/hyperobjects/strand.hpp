// SPDX-License-Identifier: MIT
// Lets a test play several workers: it is attached to one `local` at a time.
#pragma once

#include "hyperobjects/local.hpp"

namespace saguaro::hyperobjects {

// The calling thread is this worker while the object lives, and then again what it was.
class as_worker {
public:
    explicit as_worker(local &worker) : worker_(worker), before_(current_local()) {
        if (before_ != nullptr)
            before_->detach();
        worker.attach();
    }
    ~as_worker() {
        worker_.detach();
        if (before_ != nullptr)
            before_->attach();
    }
    as_worker(const as_worker &) = delete;
    as_worker &operator=(const as_worker &) = delete;

private:
    local &worker_;
    local *before_;
};

// Executes `body` as `worker`.
template <typename function>
auto as(local &worker, function &&body) {
    const as_worker here(worker);
    return body();
}

// Executes `body` as a whole run of `worker`.
template <typename function>
void run_on(local &worker, function &&body) {
    run root;
    const as_worker here(worker);
    worker.begin_run(root);
    body();
    worker.finish_run(root);
}

// Executes `body` as a strand that starts without views, and returns the views it leaves. The
// private set that `worker` has is put aside meanwhile.
template <typename function>
view_set strand(local &worker, function &&body) {
    const as_worker here(worker);
    const view_set aside = worker.take();
    body();
    const view_set left = worker.take();
    worker.put(aside);
    return left;
}

} // namespace saguaro::hyperobjects
