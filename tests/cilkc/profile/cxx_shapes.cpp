// SPDX-License-Identifier: MIT
// Computations of known work and span in C++: the one that the argument names. With EARLY in the
// environment a static initialiser spawns as well.
// clang-format off
#include <cilk/cilk.h>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "busy.h"

enum { unit = 100 };

static int pair(int n) {
    if (n == 1) {
        busy(unit);
        return 1;
    }
    int x = cilk_spawn pair(n / 2);
    int y = pair(n / 2);
    cilk_sync;
    return x + y;
}

static const int early = std::getenv("EARLY") != nullptr ? pair(4) : 0;

// Four times a child that throws beside a unit of its parent's.
static int fails() {
    busy(unit);
    throw std::string("as expected");
}

static void thrown() {
    for (int i = 0; i < 4; i++) {
        try {
            int x = cilk_spawn fails();
            busy(unit);
            cilk_sync;
            std::cout << x << '\n';
        } catch (const std::string &) {
        }
    }
}

static void range() {
    std::vector<int> units(16, +unit);
    #pragma cilk grainsize 1
    cilk_for (int microseconds : units)
        busy(microseconds);
}

// Children that make objects; the sync of each block.
static std::string word(int units) {
    busy(unit * units);
    return std::string("a word that is longer than what strings hold themselves");
}

static void objects() {
    for (int i = 0; i < 2; i++) {
        cilk_scope {
            std::string first = cilk_spawn word(1);
            std::string second = cilk_spawn word(2);
            busy(unit);
            cilk_sync;
            if (first != second)
                std::cout << "wrong\n";
        }
    }
}

// Blocks of 1 µs: the loop is cut where it takes less than a half.
static void fine() {
    #pragma cilk grainsize 1
    cilk_for (int i = 0; i < 1600; i++)
        busy(1);
}

static void in_thread() {
    std::thread other([] { pair(8); });
    other.join();
}

template <class F>
struct twice {
    F body;
    void operator()(int depth) const {
        if (depth == 0)
            return body();
        cilk_spawn (*this)(depth - 1);
        (*this)(depth - 1);
    }
};

static void operators() {
    const auto body = [] { busy(unit); };
    twice<decltype(body)>{body}(4);
}

static const struct {
    const char *name;
    void (*run)();
} shapes[] = {{"thrown", thrown}, {"range", range},         {"objects", objects},
              {"fine", fine},     {"in_thread", in_thread}, {"operators", operators}};

int main(int argc, char *argv[]) {
    for (const auto &shape : shapes)
        if (argc > 1 && std::strcmp(argv[1], shape.name) == 0)
            shape.run();
    return early == 0 || early == 4 ? 0 : 1;
}
