// SPDX-License-Identifier: MIT
// Calling the bench again for one run, and reading the outcome that it prints.
#include "driver/alone.hpp"

#include "driver/measure.hpp"
#include "driver/peer.hpp"

#include <cstdio>
#include <exception>
#include <sstream>

namespace saguaro::bench {

namespace {

// What the process says first: seconds and what it used, or why there are none.
constexpr const char *done = "done";
constexpr const char *skipped = "skipped";
constexpr const char *wrong = "wrong";
constexpr const char *failed = "failed";

outcome outcome_of(std::istringstream &text) {
    double seconds = 0;
    text >> seconds;
    outcome result = seconds;
    std::string name;
    double value = 0;
    while (text >> name >> value)
        result.uses.emplace_back(name, value);
    return result;
}

outcome read_outcome(const variant &of, const std::string &printed) {
    std::istringstream text(printed);
    std::string verdict;
    text >> verdict >> std::ws;
    if (verdict == done)
        return outcome_of(text);
    std::string why;
    std::getline(text, why);
    if (verdict == skipped)
        throw unknown_to_peer(why);
    if (verdict == wrong)
        throw wrong_answer(why);
    throw peer_failure(of.bench + " " + of.name + ", in a process of its own: " +
                       (verdict == failed ? why : "it ended without a word"));
}

} // namespace

variant in_own_process(const variant &inner) {
    variant outer = inner;
    outer.run = [inner](long n, int workers) {
        const std::string command = shell_quoted(own_program()) + " --alone " + inner.name + " " +
                                    inner.bench + " --n " + std::to_string(n) + " --workers " +
                                    std::to_string(workers);
        return read_outcome(inner, output_of(command));
    };
    return outer;
}

int run_alone(const std::vector<variant> &variants, const std::string &bench,
              const std::string &name, long n, int workers) {
    for (const variant &one : variants) {
        if (one.bench != bench || one.name != name)
            continue;
        try {
            const outcome result = one.run(n, workers);
            std::printf("%s %.9f", done, result.seconds);
            for (const auto &[what, value] : result.uses)
                std::printf(" %s %.9g", what.c_str(), value);
            std::printf("\n");
        } catch (const unknown_to_peer &why) {
            std::printf("%s %s\n", skipped, why.what());
        } catch (const wrong_answer &why) {
            std::printf("%s %s\n", wrong, why.fault());
        } catch (const std::exception &why) {
            std::printf("%s %s\n", failed, why.what());
        }
        return 0;
    }
    std::printf("%s there is no such variant\n", failed);
    return 0;
}

} // namespace saguaro::bench
