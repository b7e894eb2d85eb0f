// SPDX-License-Identifier: MIT
//
// wordcount FILE [WORDS] [--serial]: the words that a text has most often.
//
// The text is cut into blocks, and the blocks are counted in parallel. There is one map of counts,
// a reducer: each worker that takes part fills a private one, and `map_merge` adds up the counts of
// two maps when their workers join. No lock, no phase that gathers the results, and the loop's body
// is the serial one.
#include "example.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <functional>
#include <saguaro/map_merge.hpp>
#include <saguaro/parallel_for.hpp>
#include <saguaro/reducer.hpp>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace {

constexpr std::size_t block_size = 1 << 14;

using counts = std::unordered_map<std::string_view, long>;

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// Counts the words that begin in the block with this number.
void count_block(std::string_view text, std::size_t block, counts &words) {
    std::size_t at = block * block_size;
    const std::size_t end = std::min(at + block_size, text.size());
    // A word that begins in the block before is counted there.
    while (at != 0 && at < end && is_letter(text[at - 1]) && is_letter(text[at]))
        ++at;
    while (at < end) {
        const auto first = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at),
                                        text.begin() + static_cast<std::ptrdiff_t>(end), is_letter);
        const auto last = std::find_if_not(first, text.end(), is_letter);
        if (first != last && first < text.begin() + static_cast<std::ptrdiff_t>(end))
            ++words[std::string_view(first, last)];
        at = static_cast<std::size_t>(last - text.begin()) + 1;
    }
}

counts count_words(std::string_view text, bool serial) {
    const std::size_t blocks = (text.size() + block_size - 1) / block_size;
    if (serial) {
        counts words;
        for (std::size_t block = 0; block < blocks; ++block)
            count_block(text, block, words);
        return words;
    }
    saguaro::reducer<saguaro::map_merge<counts, std::plus<>>> words;
    saguaro::parallel_for(std::size_t{0}, blocks,
                          [&](std::size_t block) { count_block(text, block, *words); });
    return std::move(words.get());
}

/// The file in lower case.
std::string read(const std::string &name) {
    std::FILE *const file = std::fopen(name.c_str(), "rb");
    std::string text;
    for (int c = 0; file != nullptr && (c = std::getc(file)) != EOF;)
        text.push_back(static_cast<char>(std::tolower(c)));
    if (file == nullptr || std::ferror(file) != 0) {
        std::fprintf(stderr, "wordcount: %s: %s\n", name.c_str(), std::strerror(errno));
        std::exit(1);
    }
    std::fclose(file);
    return text;
}

} // namespace

int main(int argc, char **argv) {
    const example::arguments given(argc, argv, "wordcount FILE [WORDS] [--serial]", 1, 2);
    const unsigned shown = given.number(1, "wordcount: WORDS", 5, 0, 1000000000);
    const std::string text = read(given.words[0]);
    counts words;
    example::timed(given.serial, [&] { words = count_words(text, given.serial); });

    std::vector<std::pair<long, std::string_view>> order;
    for (const auto &[word, count] : words)
        order.emplace_back(-count, word); // the most first, then by the alphabet
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < std::min<std::size_t>(shown, order.size()); ++i)
        std::printf("%7ld %.*s\n", -order[i].first, static_cast<int>(order[i].second.size()),
                    order[i].second.data());
    std::printf("%7zu different words\n", order.size());
}
