// SPDX-License-Identifier: MIT
// Splitting ranks' output into lines and writing it without blocking.
#include "streams.hpp"

#include "platform/clock.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <poll.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace saguaro::detmpiexec {

launcher_stream::launcher_stream(int to) : to_(to) {
    struct stat about;
    is_file_ = fstat(to, &about) == 0 && S_ISREG(about.st_mode);
}

void launcher_stream::put(const rank_stream *from, std::string_view tag, std::string_view text) {
    if (text.empty() || error_ != 0)
        return;
    if (line_of_ != nullptr && line_of_ != from)
        break_line();
    if (line_of_ == nullptr)
        pending_ += tag;
    pending_ += text;
    line_of_ = text.back() == '\n' ? nullptr : from;
    has_ended_ = false;
    if (line_of_ != nullptr)
        last_put_ = platform::now_ns();
}

void launcher_stream::break_line() {
    pending_ += '\n';
    line_of_ = nullptr;
    has_ended_ = false;
}

// Without a wait: else -1 with EAGAIN. A pipe or a terminal may be others' as well, so it must not
// be told to refuse for good what it has no room for.
ssize_t launcher_stream::write_some(std::string_view text) {
    if (is_file_)
        return write(to_, text.data(), text.size());
    if (knows_nowait_) {
        const iovec all{const_cast<char *>(text.data()), text.size()};
        const ssize_t n = pwritev2(to_, &all, 1, -1, RWF_NOWAIT);
        if (n >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL))
            return n;
        knows_nowait_ = false;
    }
    // What can be written takes so much at once.
    pollfd room{to_, POLLOUT, 0};
    if (poll(&room, 1, 0) == 0) {
        errno = EAGAIN;
        return -1;
    }
    return write(to_, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
}

void launcher_stream::flush() {
    while (done_ < pending_.size()) {
        const ssize_t n = write_some(std::string_view(pending_).substr(done_));
        if (n >= 0)
            done_ += static_cast<std::size_t>(n);
        else if (errno == EAGAIN)
            break;
        else if (errno != EINTR) {
            error_ = errno;
            done_ = pending_.size();
        }
    }
    if (done_ == pending_.size() || done_ > most_kept) {
        pending_.erase(0, done_);
        done_ = 0;
    }
}

bool rank_stream::pass_on() {
    if (from_ < 0)
        return false;
    // One read: a rank that writes without end must not keep the launcher from the others.
    char buffer[1 << 16];
    const ssize_t n = read(from_, buffer, sizeof(buffer));
    if (n == 0)
        end();
    if (n <= 0)
        return n < 0 && errno == EINTR;
    std::string_view text(buffer, static_cast<std::size_t>(n));
    last_read_ = platform::now_ns();
    // What was there before has no newline, or waits anyway: no byte is looked at twice.
    const std::size_t last = text.rfind('\n');
    const std::size_t whole = last == std::string_view::npos ? 0 : last + 1;
    if (whole != 0 && pending_.empty() && to_.may_put(this)) {
        put(text.substr(0, whole));
        text.remove_prefix(whole);
    } else if (whole != 0) {
        lines_ = pending_.size() + whole;
    }
    pending_ += text;
    // The end of a line that is open already, or the middle of a very long one.
    if (to_.is_in_line_of(this) || pending_.size() - lines_ > longest_line)
        lines_ = pending_.size();
    put_lines();
    return true;
}

void rank_stream::take_rest() {
    constexpr int most_reads = 64; // a pipe holds less
    for (int i = 0; i < most_reads && pass_on(); ++i) {
    }
}

void rank_stream::end() {
    if (from_ >= 0)
        close(from_);
    from_ = -1;
    lines_ = pending_.size();
    put_lines();
}

void rank_stream::put_lines() {
    if (!to_.may_put(this))
        return;
    if (lines_ > 0) {
        put(std::string_view(pending_).substr(0, lines_));
        pending_.erase(0, lines_);
        lines_ = 0;
    }
    if (from_ < 0)
        to_.ended(this);
}

void rank_stream::put(std::string_view text) {
    // Without a tag all at once.
    while (!tag_.empty() && !text.empty()) {
        const std::size_t newline = text.find('\n');
        const std::size_t length = newline == std::string_view::npos ? text.size() : newline + 1;
        to_.put(this, tag_, text.substr(0, length));
        text.remove_prefix(length);
    }
    to_.put(this, tag_, text);
}

std::int64_t rank_stream::shows_at() const {
    if (pending_.empty() || to_.is_file() || !to_.may_put(this))
        return std::numeric_limits<std::int64_t>::max();
    return last_read_ + patience;
}

void rank_stream::show() {
    lines_ = pending_.size();
    put_lines();
}

} // namespace saguaro::detmpiexec
