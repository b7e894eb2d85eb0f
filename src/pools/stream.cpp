// SPDX-License-Identifier: MIT
// Giving jobs, and waiting for their ends.
#include "pools/stream.hpp"

#include "platform/clock.hpp"
#include "platform/futex.hpp"
#include "pools/options.hpp"
#include "spmc/ends.hpp"
#include "spmc/job.hpp"
#include "spmc/lines.hpp"
#include "spmc/spaces.hpp"

#include <algorithm>
#include <cerrno>
#include <new>

struct sg_job_stream {
    sg_job_stream(const sg_worker_pool_options &options, const sg_job_stream_functions &functions)
        : all(options, functions) {}

    saguaro::pools::stream all;
};

namespace saguaro::pools {

namespace {

// Results in a lane after which its worker ends the caller's nap, where many jobs have none.
constexpr std::uint64_t many_in_a_stream = 32;

// How long workers may take to return from their loop.
constexpr std::int64_t longest_end_ns = 1'000'000'000;

} // namespace

stream::stream(const sg_worker_pool_options &options, const sg_job_stream_functions &functions)
    : supervisor(options, room, compute, this), functions_(functions), attempts_(options.attempts),
      jobs_(room), is_done_(room) {
    if (functions.interpreter != nullptr)
        interpreter_ = *functions.interpreter;
}

stream::~stream() {
    drop_taken();
    if (!has_open_jobs())
        end_well();
}

// ---- Giving ----

int stream::give(const void *data, std::size_t size, unsigned attempts) {
    const std::size_t job = memory().given();
    // Acquire pairs with the release in `drop_taken`: that job's place is read no more.
    if (job - oldest_.load(std::memory_order_acquire) >= room)
        return EAGAIN;
    if (const int refused = jobs_.write(job, data, size, attempts != 0 ? attempts : attempts_))
        return refused;
    memory().give_up_to(job + 1);
    // The store of the job and this load, and in `sleeps` a store of the flag and a load of the
    // jobs, are in one order: so one of both sees the other.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (wants_jobs_.load(std::memory_order_relaxed) &&
        wants_jobs_.exchange(false, std::memory_order_relaxed))
        memory().ring();
    return 0;
}

bool stream::has_open_jobs() const {
    // Relaxed: the thread that writes it.
    return oldest_.load(std::memory_order_relaxed) != memory().given();
}

// ---- Workers ----

int stream::compute(void *self, std::size_t job, sg_job_result *result) {
    auto &mine = *static_cast<stream *>(self);
    mine.jobs_.read(job, mine.data_);
    const int ended = mine.functions_.compute(mine.functions_.context, mine.data_.data(),
                                              mine.data_.size(), result);
    if (ended == SG_JOB_NEEDS_NEW_WORKER)
        throw another_worker_wanted();
    return ended;
}

int stream::begin_worker(const duty &its, spmc::slot &out) {
    struct told {
        stream &self;
        const duty &its;
        int entered;
    } its_own{*this, its, 0};
    const sg_interpreter &around = interpreter_;
    if (around.enter != nullptr) {
        its_own.entered = around.enter();
        around.before_fork();
    }
    const int refused = spmc::begin_space(
        [](void *of) {
            const auto &mine = *static_cast<const told *>(of);
            if (mine.self.interpreter_.enter != nullptr) {
                mine.self.interpreter_.in_child();
                mine.self.interpreter_.leave(mine.entered);
            }
            if (mine.self.functions_.begin != nullptr)
                mine.self.functions_.begin(mine.self.functions_.context);
            return work(mine.its);
        },
        &its_own, out);
    if (around.enter != nullptr) {
        around.in_parent();
        around.leave(its_own.entered);
    }
    return refused;
}

unsigned stream::attempts_at(std::size_t job) const {
    return jobs_.attempts_at(job);
}

// As many as there are jobs that no worker has.
std::size_t stream::enough_idle() const {
    // Relaxed: a hint, which the next look corrects.
    const std::size_t taken = memory().words().next.load(std::memory_order_relaxed);
    return memory().given() - std::min(taken, memory().given());
}

// When each job's end was taken, all workers wait for another one.
void stream::end_well() {
    memory().close();
    const std::int64_t until = platform::now_ns() + longest_end_ns;
    std::atomic<std::uint32_t> &bell = memory().words().bell;
    for (;;) {
        // Acquire pairs with the release of who rings: the ends are seen below.
        const std::uint32_t heard = bell.load(std::memory_order_acquire);
        const bool lives_any = std::any_of(posts().begin(), posts().end(), [](const post &each) {
            return each.worker != 0 && spmc::ended_with(spmc::job::mine(), each.worker) == 0;
        });
        if (!lives_any)
            return await_ends();
        if (!platform::futex_wait(bell, heard, until, platform::futex_scope::all_processes))
            return; // it is killed
    }
}

// ---- Ends ----

// The caller is done with what it has: its job's word may be another's.
void stream::drop_taken() {
    if (taken_ == nullptr)
        return;
    const std::size_t job = taken_->first_result().job;
    forget_failures(job);
    taken_->drop_first_result();
    taken_ = nullptr;
    is_done_[job % room] = true;
    std::size_t oldest = oldest_.load(std::memory_order_relaxed); // this thread's
    for (; is_done_[oldest % room]; ++oldest)
        is_done_[oldest % room] = false;
    jobs_.done_up_to(oldest);
    oldest_.store(oldest, std::memory_order_release); // pairs with `give`
}

bool stream::take_any(sg_job_end &end) {
    for (std::size_t i = 0; i < posts().size(); ++i) {
        post &each = posts()[(turn_ + i) % posts().size()];
        if (!each.has_result(memory().lane_at(each.number)))
            continue;
        taken_ = &each;
        turn_ = turn_ + i + 1;
        const result its = each.first_result();
        end = {its.job, its.data, its.size, nullptr};
        if (its.has_failed) {
            error_.assign(static_cast<const char *>(its.data), its.size);
            end = {its.job, nullptr, 0, error_.c_str()};
        }
        return true;
    }
    return false;
}

int stream::next(std::uint64_t wait_ns, sg_job_end &end) {
    drop_taken();
    const std::int64_t begin = platform::now_ns();
    const std::int64_t until =
        begin + static_cast<std::int64_t>(
                    std::min(wait_ns, highest_limit - static_cast<std::uint64_t>(begin)));
    bool is_time = is_time_to_look();
    for (;;) {
        if (!is_time && take_any(end))
            return 0;
        is_time = false;
        seen_ = memory().given();
        if (const int refused = look_after_workers())
            return refused;
        if (take_any(end))
            return 0;
        // Acquire pairs with the release in `wake`.
        if (was_woken_.exchange(false, std::memory_order_acquire))
            return EINTR;
        if (!sleeps(until))
            return ETIMEDOUT;
    }
}

// False if it is time to return.
bool stream::sleeps(std::int64_t until_ns) {
    const std::int64_t left = until_ns - platform::now_ns();
    if (left <= 0)
        return false;
    wants_jobs_.store(true, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst); // as in `give`
    const bool is_new = memory().given() != seen_;
    if (!is_new && !has_open_jobs()) {
        sleep_until(until_ns);
    } else if (!is_new) {
        const std::size_t open = memory().given() - oldest_.load(std::memory_order_relaxed);
        for (const post &each : posts())
            // Relaxed: a worker that does not see it sends on, and the nap ends.
            memory()
                .lane_at(each.number)
                .ring_at.store(each.received + (open > many_in_a_stream ? many_in_a_stream : 1),
                               std::memory_order_relaxed);
        sleep(left);
    }
    wants_jobs_.store(false, std::memory_order_relaxed);
    return true;
}

void stream::wake() {
    was_woken_.store(true, std::memory_order_release); // pairs with `next`
    memory().ring();
}

} // namespace saguaro::pools

extern "C" sg_job_stream *sg_job_stream_open(const sg_worker_pool_options *options,
                                             const sg_job_stream_functions *functions) {
    saguaro::spmc::job::mine(); // the process is a space from now on
    if (functions == nullptr || functions->compute == nullptr) {
        saguaro::spmc::say("sg_job_stream_open was given a null pointer for the function that "
                           "computes");
        errno = EINVAL;
        return nullptr;
    }
    sg_worker_pool_options all = options != nullptr ? *options : sg_worker_pool_options{};
    if (!saguaro::pools::complete(all, "sg_job_stream_open")) {
        errno = EINVAL;
        return nullptr;
    }
    try {
        return new sg_job_stream(all, *functions);
    } catch (const std::bad_alloc &) {
        errno = ENOMEM;
        return nullptr;
    }
}

extern "C" int sg_job_stream_give(sg_job_stream *stream, const void *data, size_t size,
                                  unsigned attempts) {
    return stream->all.give(data, size, attempts);
}

extern "C" int sg_job_stream_next(sg_job_stream *stream, uint64_t wait_ns, sg_job_end *end) {
    return stream->all.next(wait_ns, *end);
}

extern "C" void sg_job_stream_wake(sg_job_stream *stream) {
    stream->all.wake();
}

extern "C" size_t sg_job_stream_restarts(const sg_job_stream *stream) {
    return stream->all.restarts();
}

extern "C" void sg_job_stream_free(sg_job_stream *stream) {
    delete stream;
}
