// SPDX-License-Identifier: MIT
// Which processor each worker has.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace saguaro::platform {

// As many processors can be listed.
inline constexpr unsigned most_workers = 4096;

// Whether each thread of the runtime has a processor of its own.
enum class pinning {
    automatic, // if they are as many as the machine has, and the process may use them all
    none,
    always, // if they are no more than the process may use
};

struct placement {
    unsigned workers;      // threads that run the program
    pinning pin;           // each worker on a processor of its own
    std::vector<int> cpus; // the processors of the workers, in turn; empty: see pin
    double quota = -1;     // the processors that the control group pays for; negative: not known
};

// "0,2,4-7", in this order. Nothing if the text is something else, names a processor twice, or has
// more of them than there may be workers.
std::optional<std::vector<int>> read_processors(std::string_view text);

// Which of these it is, for a line that refuses the text; empty if it is something else.
std::string fault_of_processors(const std::string &text);

// The same the other way round.
std::string list_of_processors(const std::vector<int> &cpus);

// Before the first thread starts. Throws bad_setting if `s.cpus` has a processor that the calling
// thread may not use. Says on stderr, each once in a process, that there are more workers than
// `s.cpus` has processors, and that SAGUARO_PIN=1 cannot be done.
void check_processors(const placement &s);

// The processors for so many threads, one for each; empty: the kernel is to place them.
std::vector<int> processors_for(unsigned threads, pinning how, double quota = -1);

// The processor of each worker: from `s.cpus`, and after its last one from the first again; else
// from those above. Empty: the kernel is to place them.
std::vector<int> processors_of(const placement &s);

// How many processors there are for the threads of these settings.
std::size_t processors_there(const placement &s);

// The processor of each worker, or -1. The first is left for the threads that enter, which are not
// bound. Where the user has no say, it is `here`: where the thread that starts them runs.
std::vector<int> cpus_of_workers(const placement &s, int here);

} // namespace saguaro::platform
