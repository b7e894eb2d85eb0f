// SPDX-License-Identifier: MIT
// Looking at results, keeping and dropping them.
#include "pools/post.hpp"

namespace saguaro::pools {

namespace {

// Results of its last worker that a lane may still have when the next one begins.
constexpr std::size_t most_kept = 16;
constexpr std::size_t most_kept_bytes = 65536;

} // namespace

kept_result::kept_result(const result &from) : job(from.job), has_failed(from.has_failed) {
    bytes.reserve(from.size + 1); // an empty result has an address too
    const auto *const first = static_cast<const std::byte *>(from.data);
    bytes.assign(first, first + from.size);
}

bool post::has_result(const lane &own) {
    return !kept.empty() || look_at(own);
}

void post::drop_first_result() {
    if (!kept.empty())
        kept.pop_front();
    else
        leave_in_channel();
}

void post::keep_results(const lane &own) {
    while (look_at(own)) {
        kept.emplace_back(in_channel());
        leave_in_channel();
    }
}

bool post::is_full() const {
    std::size_t all = 0;
    for (const kept_result &each : kept)
        all += each.bytes.size();
    return kept.size() > most_kept || all > most_kept_bytes;
}

// Whether a result is in the channel.
bool post::look_at(const lane &own) {
    if (head != nullptr)
        return true;
    // Acquire pairs with the release in `work`.
    if (results == 0 || own.sent.load(std::memory_order_acquire) == received)
        return false;
    head = static_cast<const message_head *>(sg_channel_view(results, 0, &bytes));
    ++received;
    next_job = head->job + 1;
    return true;
}

// The one at `head`.
result post::in_channel() const {
    return {head->job, head->has_failed != 0, head + 1, bytes - sizeof(message_head)};
}

void post::leave_in_channel() {
    head = nullptr;
    sg_channel_done(results, 0);
}

} // namespace saguaro::pools
