// SPDX-License-Identifier: MIT
// Parts that begin and end, and what noting a moment costs.
#include "record/recorder.hpp"

#include <algorithm>
#include <array>

namespace saguaro::record {

recorder::recorder(const std::string &name, std::int64_t of_grain)
    : grain(of_grain), time(name, of_grain), levels_(time.ticks_in(short_grains * of_grain)) {
    const std::int64_t own = own_time();
    time.take_off(own);
    // A moment costs the run twice that. Where one comes so often it is slower by a quarter.
    constexpr int often = 8;
    levels_.fine_below((often * own) >> strands::shift);
}

// The usual time from one moment to the next where children do nothing. Of many together, because a
// counter may go on seldom, or one reading follow the one before at once.
std::int64_t recorder::own_time() {
    constexpr int count = 40;
    std::array<std::int64_t, 9> all;
    for (std::int64_t &each : all) {
        time.forget();
        time.stamp();
        const std::int64_t since = time.now();
        for (int i = 0; i < count; ++i) {
            time.stamp();
            begin_child(part::first_closure, this, this);
            time.stamp();
            end(part::first_closure, this);
        }
        each = ((time.now() - since) << strands::shift) / (2 * count);
    }
    time.forget();
    std::nth_element(all.begin(), all.begin() + all.size() / 2, all.end());
    return all[all.size() / 2];
}

void recorder::begin_root(const void *key) {
    time.start();
    begin(part::root, key);
}

void recorder::end_root() {
    time.hold();
    while (!open_.empty())
        end_youngest();
}

begun *recorder::find(part what, part or_what, const void *key) {
    for (begun *above = open_.end(); above != open_.begin(); --above) {
        begun &b = above[-1];
        if (b.what == part::root)
            break;
        ++looked_at_;
        if ((b.what == what || b.what == or_what) && b.key == key)
            return &b;
    }
    return nullptr;
}

void recorder::end_older(part what, const void *key) {
    const begun *const b = find(what, key);
    if (b == nullptr)
        return;
    while (open_.end() != b)
        end_youngest();
}

int recorder::finish() {
    end_root();
    return time.finish();
}

} // namespace saguaro::record
