// SPDX-License-Identifier: MIT
// Wrong calls, each with what the compiler must say of it, in one error: refused_test.py reads it.
#include <saguaro/saguaro.hpp>

#include <list>
#include <string>
#include <vector>

using namespace saguaro;

const auto plus = [](auto a, auto b) { return a + b; };
const auto ignore = [](auto &&...) {};

void bounds(std::vector<int> &v, unsigned size, int last) {
    std::list<int> list;
    std::list<long> other;
    std::list<char> third;
    // bounds are integers, or iterators with random access
    parallel_for(list.begin(), list.end(), ignore);
    // bounds are integers, or iterators with random access
    parallel_sort(other);
    // bounds are integers, or iterators with random access
    parallel_scan(third, v.begin());
    // bounds are integers, or iterators with random access
    parallel_for(0, 1.0, ignore);
    // refused_mix_of_signs
    parallel_for(-3, 3U, ignore);
    // refused_mix_of_signs
    parallel_for_blocks(-3L, 3UL, ignore);
    // refused_mix_of_signs
    parallel_reduce(-1, size, 0, plus);
    // refused_mix_of_signs
    parallel_find_if(-1, size, [](unsigned) { return true; });
    // refused_mix_of_signs
    parallel_for(range_2d(-1, size), ignore);
    // a mix of signs
    parallel_for(size, last, ignore);
    // the step of a loop is an integer
    parallel_for(0, 9, 0.5, ignore);
    // name the range first
    parallel_find(std::vector<char>{'a'}, 'a');
}

void functions(std::vector<int> &v, std::vector<std::string> &words) {
    // the body cannot be called with an index
    parallel_for(0, 9, [](std::string) {});
    // the body cannot be called with an index
    parallel_for(words, [](int) {}, grain{8});
    // the body cannot be called with an index
    parallel_for(v, &std::string::clear);
    // the body cannot be called with an index
    parallel_for(0L, 9L, 2, [](std::string) {});
    // cannot be called with the two bounds
    parallel_for_blocks(v, [](int) {});
    // cannot be called with a row and a column
    parallel_for(range_2d(3, 4), [](int) {});
    // cannot be called with a range_2d
    parallel_for_tiles(range_2d(3, 4), [](int) {});
    // what is reduced cannot become
    parallel_reduce(v, std::string(), plus);
    // the operation must take two
    parallel_reduce(v, 0, [](int) { return 0; });
    // the transform cannot be called
    parallel_reduce(v, 0, plus, [](std::string) { return 0; });
    // cannot be called with the two bounds
    parallel_reduce_blocks(v, 0, plus, [](int) { return 0; });
    // what is looked for cannot be compared
    parallel_find(words, 3);
    // what is looked for cannot be compared
    parallel_find_if(v, [](std::string) { return true; });
    // must take the two bounds
    parallel_find_blocks(v, [](int) { return 0; });
    // the function cannot be called
    parallel_transform(v, v.begin(), [](std::string) { return 0; });
    // what it returns cannot be written
    parallel_transform(v, words.begin(), [](int) { return &ignore; });
    // the operation must take two
    parallel_scan(v, v.begin(), [](int) { return 0; });
    // cannot be called with the two bounds
    parallel_scan_blocks(v, 0L, plus, [](int) { return 0; }, ignore);
    // the sum of a block cannot become
    parallel_scan_blocks(
        v, 0, plus, [](auto, auto) { return std::string(); },
        [](auto, auto, int all) { return all; });
    // the two bounds of a block and the sum
    parallel_scan_blocks(
        v, short{0}, plus, [](auto, auto) { return 0; }, [](auto, auto) { return 0; });
    // must take two constant elements
    parallel_sort(v, [](int &, int &) { return true; });
    // called without arguments
    parallel_invoke([](int) {}, [] {});
}

void elements(const std::vector<int> &constant) {
    std::vector<bool> bits;
    // share words
    parallel_for(bits, ignore);
    // cannot write elements
    parallel_sort(constant);
}
