// SPDX-License-Identifier: MIT
// Taking jobs, computing them and sending what came of them.
#include "pools/worker.hpp"

#include "platform/clock.hpp"
#include "platform/exception_text.hpp"
#include "platform/thread.hpp"

#include <cstring>
#include <cxxabi.h>
#include <string>

struct sg_job_result {
    std::string bytes;
};

namespace saguaro::pools {

namespace {

// If it has failed, the result is the text that says why.
enum class outcome { good, failed, another_worker };

outcome compute(const duty &mine, std::size_t job, sg_job_result &result) {
    try {
        return mine.compute(mine.context, job, &result) == 0 ? outcome::good : outcome::failed;
    } catch (const another_worker_wanted &) {
        return outcome::another_worker;
#if !defined(_LIBCPP_VERSION) // see platform/forced_unwind.hpp
    } catch (const abi::__forced_unwind &) {
        throw; // the space says so, and ends
#endif
    } catch (...) {
        result.bytes = platform::current_exception_text();
        if (result.bytes.empty())
            result.bytes = "memory has run out";
        return outcome::failed;
    }
}

void send(sg_channel to, const message_head &head, const std::string &bytes) {
    char *const room =
        static_cast<char *>(sg_channel_reserve(to, sizeof(message_head) + bytes.size()));
    std::memcpy(room, &head, sizeof(message_head));
    std::memcpy(room + sizeof(message_head), bytes.data(), bytes.size());
    sg_channel_publish(to);
}

} // namespace

int work(const duty &mine) {
    // The kernel begins a worker beside its parent, and where other programs compute it leaves all
    // of them there: two took as long as one.
    platform::start_on_cpu(mine.cpu);
    lane &own = mine.all.lane_at(mine.lane);
    sg_job_result result;
    std::size_t job = mine.first != no_job ? mine.first : mine.all.await(mine.lane);
    for (; job != no_job; job = mine.all.await(mine.lane)) {
        result.bytes.clear();
        // Relaxed, all: the supervisor compares it with a time, and asks again after an end.
        const std::int64_t began = platform::now_ns();
        own.began.store(began, std::memory_order_relaxed);
        const outcome is = compute(mine, job, result);
        if (is == outcome::another_worker) {
            own.began.store(0, std::memory_order_relaxed);
            return 0; // the job has not failed
        }
        // It may wait for room, which is no time of the job's; if it ends, the job has no result.
        own.began.store(-began, std::memory_order_relaxed);
        send(mine.results, {job, is == outcome::good ? 0U : 1U}, result.bytes);
        // Release pairs with the acquire in `supervisor::look_at`: the message is there.
        const std::uint64_t sent = own.sent.fetch_add(1, std::memory_order_release) + 1;
        own.began.store(0, std::memory_order_relaxed);
        // Relaxed, both: a supervisor that sets it just now looks itself, after a nap.
        const std::uint64_t ring_at = own.ring_at.load(std::memory_order_relaxed);
        if (ring_at != 0 && sent >= ring_at) {
            own.ring_at.store(0, std::memory_order_relaxed);
            mine.all.ring();
        }
    }
    return 0;
}

} // namespace saguaro::pools

extern "C" void sg_job_result_append(sg_job_result *to, const void *data, size_t size) {
    to->bytes.append(static_cast<const char *>(data), size);
}
