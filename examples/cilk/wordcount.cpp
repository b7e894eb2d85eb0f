// SPDX-License-Identifier: MIT
//
// How often each word comes in a text: a monoid of one's own. The reducer's views are maps; joining
// two adds the counts of the later one to those of the earlier one.
#include "example.h"

#include <cilk/cilk.h>
#include <cilk/reducer.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

using counts = std::unordered_map<std::string, long>;

// The identity is the empty map, which monoid_base makes.
struct add_counts : cilk::monoid_base<counts> {
    static void reduce(counts *left, counts *right) {
        if (left->size() < right->size())
            left->swap(*right); // addition may begin with either
        for (const auto &[word, times] : *right)
            (*left)[word] += times;
    }
};

// A text whose words are the shorter, and the more frequent, the luckier the draw.
std::string text_of(long words, std::uint64_t seed) {
    static const char *const syllables[] = {"ci", "lk", "sa", "gua", "ro", "ta", "sk", "wo"};
    std::string text;
    for (long i = 0; i < words; i++) {
        std::uint64_t draw = example_random(&seed);
        do {
            text += syllables[draw % 8];
            draw /= 8;
        } while (draw % 4 != 0);
        text += ' ';
    }
    return text;
}

// A piece begins and ends between two words.
std::vector<std::size_t> cut(const std::string &text, std::size_t pieces) {
    std::vector<std::size_t> ends{0};
    for (std::size_t i = 1; i <= pieces; i++) {
        const std::size_t space = text.find(' ', i * text.size() / pieces);
        ends.push_back(space == text.npos ? text.size() : space);
    }
    return ends;
}

void count(const std::string &text, std::size_t begin, std::size_t end, counts &into) {
    while (begin < end) {
        const std::size_t first = text.find_first_not_of(' ', begin);
        if (first >= end)
            return;
        const std::size_t last = std::min(text.find(' ', first), end);
        ++into[text.substr(first, last - first)];
        begin = last;
    }
}

} // namespace

int main(int argc, char *argv[]) {
    static const example program = {
        "wordcount",
        "how often each word comes in a text of random syllables",
        {"WORDS", "of the text", 1000000, 1, 100000000},
        {{"pieces", "of the text", 256, 1, 100000}, {"seed", "of the text", 1, 0, 1000000000}}};
    const example_run run = example_begin(argc, argv, &program);
    const std::string text = text_of(run.size, static_cast<std::uint64_t>(run.options[1]));
    const auto ends = cut(text, static_cast<std::size_t>(run.options[0]));

    cilk::reducer<add_counts> all;
    const double begin = example_seconds();
    cilk_for(std::size_t piece = 1; piece < ends.size(); piece++)
        count(text, ends[piece - 1], ends[piece], *all); // the strand's own map
    const double seconds = example_seconds() - begin;

    const counts &found = all.get_value();
    const auto most = *std::max_element(found.begin(), found.end(), [](auto &a, auto &b) {
        return std::pair(a.second, b.first) < std::pair(b.second, a.first);
    });
    counts serial;
    if (run.check)
        count(text, 0, text.size(), serial);
    return example_end(&run, seconds, !run.check || serial == found,
                       "%zu words, the most frequent is '%s': %ld times", found.size(),
                       most.first.c_str(), most.second);
}
