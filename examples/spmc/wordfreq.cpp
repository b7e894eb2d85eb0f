// SPDX-License-Identifier: MIT
//
// wordfreq FILE [SPACES] [WORDS]: the words that a text has most often, by a pipeline of spaces.
//
// One space reads the file and deals its blocks to the others in turn; each of these counts the
// words of its blocks, and sends the counts piece by piece; the root takes a piece of each in turn.
// A channel is closed when there is no more. A terminal on standard error sees how far the reading
// is.
#include "spmc_example.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <saguaro/channel.hpp>
#include <saguaro/merge.hpp>
#include <saguaro/space.hpp>
#include <span>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using text = saguaro::channel<char>;
using counts = std::map<std::string, long>;

constexpr std::size_t block_size = 1 << 18;
constexpr std::size_t piece_size = 1 << 14;

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

void show_progress(long done, long all) {
    if (isatty(STDERR_FILENO) != 0 && all > 0)
        std::fprintf(stderr, "\r%3ld %% read%s", done * 100 / all, done == all ? "\n" : "");
}

/// Deals blocks of whole words to the channels in turn.
int deal_blocks(const char *path, const std::vector<text> &to) {
    std::FILE *const file = std::fopen(path, "rb");
    if (file == nullptr)
        return 1;
    struct stat seen = {};
    fstat(fileno(file), &seen);
    std::string block;
    std::vector<char> buffer(block_size);
    std::size_t turn = 0;
    long done = 0;
    while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file)) {
        block.append(buffer.data(), got);
        std::size_t end = block.size();
        while (end > 0 && is_letter(block[end - 1]))
            --end;
        if (end > 0)
            to[turn++ % to.size()].send(std::span<const char>(block.data(), end));
        block.erase(0, end);
        done += static_cast<long>(got);
        show_progress(done, seen.st_size);
    }
    std::fclose(file);
    if (!block.empty())
        to[turn % to.size()].send(std::span<const char>(block.data(), block.size()));
    for (const text &each : to)
        each.close();
    return 0;
}

void count_words(std::span<const char> block, counts &words) {
    for (auto at = block.begin(); at != block.end();) {
        const auto first = std::find_if(at, block.end(), is_letter);
        at = std::find_if_not(first, block.end(), is_letter);
        if (first != at)
            ++words[std::string(first, at)];
    }
}

/// Counts the words of all blocks, and sends them as lines "count word", some in each message.
void count_blocks(text in, text out) {
    counts words;
    for (auto block = in.view(); block.data() != nullptr; block = in.view())
        count_words(block, words);
    std::string lines;
    for (const auto &[word, count] : words) {
        lines += std::to_string(count) + " " + word + "\n";
        if (lines.size() >= piece_size)
            out.send(std::span<const char>(std::exchange(lines, {})));
    }
    out.send(std::span<const char>(lines));
    out.close();
}

void add_counts(std::span<const char> lines, counts &into) {
    for (auto at = lines.begin(); at != lines.end();) {
        const auto end = std::find(at, lines.end(), '\n');
        const auto space = std::find(at, end, ' ');
        into[std::string(space + 1, end)] += std::stol(std::string(at, space));
        at = end + 1;
    }
}

} // namespace

int main(int argc, char **argv) {
    example::at_most(argc, 3, "wordfreq FILE [SPACES] [WORDS]");
    if (argc < 2)
        example::refuse("usage: wordfreq FILE [SPACES] [WORDS]");
    const int spaces = example::number(argc, argv, 2, "wordfreq: SPACES", 2, 1, 256);
    const int shown = example::number(argc, argv, 3, "wordfreq: WORDS", 10, 1, 1000000);
    if (access(argv[1], R_OK) != 0)
        example::refuse(std::string("wordfreq: ") + argv[1] + ": " + std::strerror(errno));

    std::vector<text> blocks(static_cast<std::size_t>(spaces));
    std::vector<text> results;
    std::vector<saguaro::space> counters;
    for (const text &in : blocks) {
        results.emplace_back();
        counters.emplace_back([=, out = results.back()] { count_blocks(in, out); });
    }
    const saguaro::space reader([&] { return deal_blocks(argv[1], blocks); });
    counts words;
    auto pieces = saguaro::merge<char>::in_turn(results);
    while (const auto lines = pieces.next())
        add_counts(lines->values, words);
    reader.wait();
    for (const saguaro::space &each : counters)
        each.wait();

    std::vector<std::pair<long, std::string>> ranking;
    for (const auto &[word, count] : words)
        ranking.emplace_back(-count, word);
    std::sort(ranking.begin(), ranking.end());
    ranking.resize(std::min(ranking.size(), static_cast<std::size_t>(shown)));
    for (const auto &[count, word] : ranking)
        std::printf("%ld %s\n", -count, word.c_str());
    return 0;
}
