// SPDX-License-Identifier: MIT
// Splitting ranks' output into lines and writing it without blocking.
#include "streams.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace saguaro::detmpiexec {

launcher_stream::launcher_stream(int to) : to_(to) {
    struct stat about;
    is_file_ = fstat(to, &about) == 0 && S_ISREG(about.st_mode);
}

void launcher_stream::flush() {
    while (done_ < pending_.size()) {
        // A pipe that can be written takes so much at once. It may be others' as well, so it must
        // not be told to refuse what it has no room for.
        pollfd room{to_, POLLOUT, 0};
        if (!is_file_ && poll(&room, 1, 0) == 0)
            break;
        const std::size_t left = pending_.size() - done_;
        const std::size_t most = is_file_ ? left : std::min<std::size_t>(left, PIPE_BUF);
        const ssize_t n = write(to_, pending_.data() + done_, most);
        if (n >= 0)
            done_ += static_cast<std::size_t>(n);
        else if (errno == EAGAIN)
            break;
        else if (errno != EINTR)
            done_ = pending_.size(); // the reader is gone
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
    pending_.append(buffer, static_cast<std::size_t>(n));
    put_lines(false);
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
    put_lines(true);
}

void rank_stream::put_lines(bool all) {
    const std::size_t last = pending_.rfind('\n');
    const std::size_t whole = all ? pending_.size() : last == std::string::npos ? 0 : last + 1;
    for (std::size_t at = 0; at < whole;) {
        // Without a tag all at once.
        const std::size_t newline = tag_.empty() ? std::string::npos : pending_.find('\n', at);
        const std::size_t end = newline < whole ? newline + 1 : whole;
        to_.put(tag_);
        to_.put(std::string_view(pending_).substr(at, end - at));
        at = end;
    }
    pending_.erase(0, whole);
}

} // namespace saguaro::detmpiexec
