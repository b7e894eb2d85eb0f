// SPDX-License-Identifier: MIT
//
// A stream of pages from one space to another: a region of 512 pages and one more, which is
// extended over the same addresses when the pages are used up.
#pragma once

#include "driver/measure.hpp"
#include "micro/messages/two_processes.hpp"

#include <cstddef>
#include <saguaro/channel.hpp>
#include <saguaro/spmc.h>

namespace saguaro::bench {

/// Throws wrong_answer if a call was refused: it gave this error number.
inline void must(int refused) {
    expect_equal(0L, long{refused});
}

inline constexpr long page_words = SPMC_PAGE / sizeof(long);

class page_stream {
public:
    /// `pages` pages in all, which their producer fixes so many at a time.
    page_stream(long pages, long at_a_time)
        : pages_(pages), at_a_time_(at_a_time),
          region_(static_cast<long *>(spmc_alloc(nullptr, bytes))) {}

    /// In the space that consumes; the stream's maker does it.
    void give_to(const space &producer) const {
        must(spmc_transfer_ownership(producer.name(), region_, region_, bytes));
    }

    /// Calls write(words, number) for each page. Not ahead of the consumer by more than four
    /// generations.
    template <typename Write>
    void produce(Write write) const {
        for (long page = 0; page < pages_; ++page) {
            write(address(page), page);
            if ((page + 1) % at_a_time_ == 0 || page + 1 == pages_) {
                const long first = page / at_a_time_ * at_a_time_;
                must(spmc_fix(address(first),
                              static_cast<std::size_t>(page + 1 - first) * SPMC_PAGE));
            }
            extend_behind(page);
            if ((page + 1) % lead == 0)
                consumed_.receive();
        }
    }

    /// Calls read(words, number) for each page.
    template <typename Read>
    void consume(Read read) const {
        for (long page = 0; page < pages_; ++page) {
            read(address(page), page);
            extend_behind(page);
            if ((page + 1) % lead == 0)
                consumed_.send(page);
        }
    }

private:
    static constexpr long window = 512;
    static constexpr long lead = 4 * window;
    static constexpr std::size_t bytes = (window + 1) * SPMC_PAGE;

    long *address(long page) const { return region_ + page % window * page_words; }

    void extend_behind(long page) const {
        if ((page + 1) % window == 0)
            must(spmc_extend(region_ + window * page_words, region_, bytes));
    }

    const long pages_;
    const long at_a_time_;
    long *const region_;
    const channel<long> consumed_;
};

} // namespace saguaro::bench
