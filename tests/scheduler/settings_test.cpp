// SPDX-License-Identifier: MIT
// Tests of each setting's accepted and refused values.
#include "scheduler/settings.hpp"

#include "platform/cpus.hpp"
#include "platform/one_line.hpp"
#include "platform/variables.hpp"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/run.hpp"
#include "scheduler/policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace saguaro::scheduler {
namespace {

using platform::list_of_processors;
using platform::read_processors;

const char *const all_variables[] = {
    "SAGUARO_WORKERS", "SAGUARO_STACK_SIZE",  "SAGUARO_POLICY", "SAGUARO_STATS",
    "SAGUARO_SPIN",    "SAGUARO_TOPOLOGY",    "SAGUARO_PIN",    "SAGUARO_CPUS",
    "SAGUARO_RECORD",  "SAGUARO_RECORD_GRAIN"};

// The environment without any of our variables, and as it was afterwards.
class settings_of_a_runtime : public testing::Test {
protected:
    settings_of_a_runtime() {
        unsetenv("CILK_NWORKERS"); // a synonym
        for (const char *name : all_variables) {
            const char *const value = std::getenv(name);
            before_.push_back(value == nullptr ? std::nullopt : std::optional<std::string>(value));
            unsetenv(name);
        }
    }
    ~settings_of_a_runtime() override {
        for (std::size_t i = 0; i < before_.size(); ++i)
            if (before_[i].has_value())
                setenv(all_variables[i], before_[i]->c_str(), 1);
            else
                unsetenv(all_variables[i]);
    }

    // What the environment with only this variable gives.
    static settings with(const char *name, const std::string &value) {
        setenv(name, value.c_str(), 1);
        settings s;
        try {
            s = settings_from_environment();
        } catch (...) {
            unsetenv(name);
            throw;
        }
        unsetenv(name);
        return s;
    }

    // Why the value is not accepted; "accepted" if it is. Once more without the environment: the
    // two must agree.
    static std::string refusal(const char *name, const std::string &value) {
        std::string from_environment = "accepted";
        try {
            with(name, value);
        } catch (const bad_setting &bad) {
            from_environment = bad.what();
        }
        std::string from_program = "accepted";
        settings s = settings_from_environment();
        try {
            set(s, name, value);
        } catch (const bad_setting &bad) {
            from_program = bad.what();
        }
        EXPECT_EQ(from_environment, from_program);
        return from_environment;
    }

private:
    std::vector<std::optional<std::string>> before_;
};

// One row of what workers read.
struct described {
    std::string name, fallback, range, meaning;
};

std::vector<described> table() {
    std::vector<described> rows;
    for (const platform::setting_rows &floor :
         {platform::setting_rows(variables::all), platform::setting_rows(platform::variables::all),
          platform::setting_rows(variables::of_recordings)})
        for (const platform::setting *const each : floor)
            rows.push_back({each->name, each->fallback, platform::range_of(*each), each->meaning});
    return rows;
}

TEST_F(settings_of_a_runtime, defaults) {
    const settings s = settings_from_environment();
    EXPECT_EQ(s.workers, platform::default_workers());
    EXPECT_EQ(s.stack_bytes, 8U * 1024 * 1024);
    EXPECT_EQ(s.policy, "uniform");
    EXPECT_FALSE(s.statistics);
    EXPECT_EQ(s.pin, pinning::automatic);
    EXPECT_EQ(s.spin_ns, 100'000);
    EXPECT_EQ(s.record, "");
    EXPECT_EQ(s.record_grain, 500);
    EXPECT_TRUE(s.asymmetric_fences);
}

TEST_F(settings_of_a_runtime, each_variable_sets_its_own) {
    EXPECT_EQ(with("SAGUARO_WORKERS", "7").workers, 7U);
    EXPECT_EQ(with("SAGUARO_STACK_SIZE", "131072").stack_bytes, 131072U);
    EXPECT_EQ(with("SAGUARO_POLICY", "biased:4,2,1").policy, "biased:4,2,1");
    EXPECT_EQ(with("SAGUARO_TOPOLOGY", "this").topology, "");
    EXPECT_TRUE(with("SAGUARO_STATS", "1").statistics);
    EXPECT_FALSE(with("SAGUARO_STATS", "0").statistics);
    EXPECT_EQ(with("SAGUARO_PIN", "0").pin, pinning::none);
    EXPECT_EQ(with("SAGUARO_PIN", "1").pin, pinning::always);
    EXPECT_EQ(with("SAGUARO_PIN", "auto").pin, pinning::automatic);
    EXPECT_EQ(refusal("SAGUARO_PIN", "yes"), "SAGUARO_PIN=yes is not accepted: one of auto, 0, 1");
    EXPECT_EQ(with("SAGUARO_CPUS", "5,0-2").cpus, (std::vector{5, 0, 1, 2}));
    EXPECT_EQ(with("SAGUARO_CPUS", "auto").cpus, std::vector<int>());
    EXPECT_EQ(with("SAGUARO_SPIN", "250").spin_ns, 250'000);
    EXPECT_EQ(with("SAGUARO_SPIN", "0").spin_ns, 0);
    EXPECT_EQ(with("SAGUARO_RECORD", "some/file").record, "some/file");
    EXPECT_EQ(with("SAGUARO_RECORD", "none").record, "");
    EXPECT_EQ(with("SAGUARO_RECORD_GRAIN", "0").record_grain, 0);
    EXPECT_EQ(refusal("SAGUARO_RECORD_GRAIN", "1000001"),
              "SAGUARO_RECORD_GRAIN=1000001 is not accepted: a whole number from 0 to 1000000");
}

TEST_F(settings_of_a_runtime, empty_variables_are_unset) {
    EXPECT_EQ(with("SAGUARO_WORKERS", "").workers, platform::default_workers());
    EXPECT_EQ(with("SAGUARO_STACK_SIZE", "").stack_bytes, 8U * 1024 * 1024);
    EXPECT_EQ(with("SAGUARO_POLICY", "").policy, "uniform");
    EXPECT_EQ(with("SAGUARO_PIN", "").pin, pinning::automatic);
    EXPECT_EQ(with("SAGUARO_CPUS", "").cpus, std::vector<int>());
    EXPECT_EQ(with("SAGUARO_RECORD", "").record, "");
    setenv("CILK_NWORKERS", "7", 1);
    EXPECT_EQ(with("SAGUARO_WORKERS", "").workers, 7U);
    EXPECT_EQ(with("CILK_NWORKERS", "").workers, platform::default_workers());
}

TEST_F(settings_of_a_runtime, cilks_variable_is_a_synonym) {
    EXPECT_EQ(with("CILK_NWORKERS", "7").workers, 7U);
    setenv("CILK_NWORKERS", "7", 1);
    EXPECT_EQ(with("SAGUARO_WORKERS", "5").workers, 5U);
    setenv("CILK_NWORKERS", "many", 1);
    std::string why;
    try {
        settings_from_environment();
    } catch (const bad_setting &bad) {
        why = bad.what();
    }
    unsetenv("CILK_NWORKERS");
    EXPECT_EQ(why, "CILK_NWORKERS=many is not accepted: a whole number from 1 to 4096");
}

TEST_F(settings_of_a_runtime, the_program_overrules_the_environment) {
    settings s = with("SAGUARO_WORKERS", "7");
    set(s, "SAGUARO_WORKERS", "3");
    set(s, "SAGUARO_SPIN", "5");
    EXPECT_EQ(s.workers, 3U);
    EXPECT_EQ(s.spin_ns, 5000);
}

TEST_F(settings_of_a_runtime, ranges_end_where_they_say) {
    const struct {
        const char *name;
        long long low, high;
    } ranges[] = {{"SAGUARO_WORKERS", 1, 4096},
                  {"SAGUARO_STACK_SIZE", 65536, 1073741824},
                  {"SAGUARO_STATS", 0, 1},
                  {"SAGUARO_SPIN", 0, 1000000}};
    for (const auto &r : ranges) {
        const std::string accepted =
            "a whole number from " + std::to_string(r.low) + " to " + std::to_string(r.high);
        for (const long long inside : {r.low, r.high})
            EXPECT_EQ(refusal(r.name, std::to_string(inside)), "accepted") << r.name;
        for (const long long outside : {r.low - 1, r.high + 1})
            EXPECT_EQ(refusal(r.name, std::to_string(outside)),
                      std::string(r.name) + "=" + std::to_string(outside) +
                          " is not accepted: " + accepted);
    }
}

TEST_F(settings_of_a_runtime, what_is_no_number_is_refused) {
    for (const described &row : table()) {
        if (row.range.find(" to ") == std::string::npos)
            continue;
        const char *const name = row.name.c_str();
        for (const char *value : {" ", " 1", "1 ", "1x", "x", "+1", "0x1", "1.0", "1e0", "--1",
                                  "yes", "true", "99999999999999999999", "1\n1"}) {
            const std::string why = refusal(name, value);
            EXPECT_EQ(why.rfind(std::string(name) + "=" + platform::one_line(value) +
                                    " is not accepted: a whole",
                                0),
                      0U)
                << why;
        }
    }
}

TEST_F(settings_of_a_runtime, refusals_are_one_line_whatever_the_value_is) {
    EXPECT_EQ(refusal("SAGUARO_POLICY", "a\nb\t\x1b[31m\x7f\u00e9")
                  .rfind("SAGUARO_POLICY=a\\nb\\t\\x1b[31m\\x7f\u00e9 is not accepted", 0),
              0U);
}

TEST_F(settings_of_a_runtime, policies_go_by_their_exact_names) {
    for (const char *value :
         {"fastest", "Uniform", "uniform ", "uniform,uniform", "1", "nearest:1"})
        EXPECT_EQ(refusal("SAGUARO_POLICY", value), "SAGUARO_POLICY=" + std::string(value) +
                                                        " is not accepted: one of " +
                                                        policy_names());
    for (const char *value : {"biased:", "biased:4,", "biased:,4", "biased:4 2", "biased:-1",
                              "biased:0,0", "biased:1.5", "biased:1000001"})
        EXPECT_EQ(refusal("SAGUARO_POLICY", value),
                  "SAGUARO_POLICY=" + std::string(value) +
                      " is not accepted: a WEIGHT is a whole number from 0 to 1000000, and one of "
                      "them at least is not 0; one of " +
                      policy_names());
    EXPECT_NE(make_policy("uniform", nullptr), nullptr);
    EXPECT_EQ(make_policy("fastest", nullptr), nullptr);
}

TEST_F(settings_of_a_runtime, machines_are_described_or_read) {
    EXPECT_EQ(machine_of(settings_from_environment()), nullptr);
    for (const char *value : {"nonsense", "/no/such/file.xml"})
        EXPECT_EQ(refusal("SAGUARO_TOPOLOGY", value).rfind("SAGUARO_TOPOLOGY=", 0), 0U) << value;
    EXPECT_NE(
        refusal("SAGUARO_TOPOLOGY", "/no/such/file.xml").find(": No such file or directory; "),
        std::string::npos);
    EXPECT_EQ(refusal("SAGUARO_TOPOLOGY", "nonsense").find(';'), std::string::npos);
    EXPECT_NE(refusal("SAGUARO_TOPOLOGY", "core:8192 pu:1")
                  .find(" is not accepted: it has more than 4096 processors; one of this"),
              std::string::npos);
    if (!platform::topology::from_synthetic("pu:1"))
        GTEST_SKIP() << "hwloc is missing";
    const auto machine = machine_of(with("SAGUARO_TOPOLOGY", "pack:2 numa:1 core:3 pu:1"));
    ASSERT_NE(machine, nullptr);
    EXPECT_EQ(machine->cpus().size(), 6U);
}

TEST_F(settings_of_a_runtime, the_table_describes_every_variable) {
    const std::vector<described> rows = table();
    ASSERT_EQ(rows.size(), std::size(all_variables));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].name, all_variables[i]);
        EXPECT_FALSE(rows[i].fallback.empty()) << rows[i].name;
        EXPECT_FALSE(rows[i].meaning.empty()) << rows[i].name;
    }
}

TEST_F(settings_of_a_runtime, processors_are_a_list) {
    const std::pair<const char *, const char *> faults[] = {
        {"3-1", "3-1 runs backwards"},
        {"0,0", "it names processor 0 twice"},
        {"0,1,0", "it names processor 0 twice"},
        {"2,0-3", "it names processor 2 twice"},
        {"0-4096", "they are more than 4096 processors"},
        {"5000,0-4095", "they are more than 4096 processors"}};
    for (const auto &[value, fault] : faults)
        EXPECT_EQ(refusal("SAGUARO_CPUS", value), "SAGUARO_CPUS=" + std::string(value) +
                                                      " is not accepted: " + fault +
                                                      "; one of auto, a list as 0,2,4-7");
    for (const char *value : {"0,", ",0", "a", "0,,1", "0 1", "0, 1", "-1", "0-", "0--1", "+1",
                              "0x1", "1-99999999999", "any"})
        EXPECT_EQ(refusal("SAGUARO_CPUS", value), "SAGUARO_CPUS=" + std::string(value) +
                                                      " is not accepted: one of auto, a list as "
                                                      "0,2,4-7");
    EXPECT_EQ(read_processors("0-4095")->size(), most_workers);
    EXPECT_EQ(*read_processors("2147483647"), std::vector{2147483647});
    for (const char *text : {"0", "0,2,4-7", "7,0-3,5", "3,2,1"})
        EXPECT_EQ(list_of_processors(*read_processors(text)), text);
}

TEST_F(settings_of_a_runtime, listed_processors_say_how_many_workers_if_nobody_does) {
    EXPECT_EQ(with("SAGUARO_CPUS", "3,1,8").workers, 3U);
    setenv("SAGUARO_WORKERS", "2", 1);
    settings s = with("SAGUARO_CPUS", "3,1,8");
    EXPECT_EQ(s.workers, 2U);
    EXPECT_EQ(processors_of(s), (std::vector{3, 1}));
    unsetenv("SAGUARO_WORKERS");
    s = with("SAGUARO_CPUS", "3,1,8");
    set(s, "SAGUARO_CPUS", "4-7");
    EXPECT_EQ(s.workers, 4U);
    set(s, "SAGUARO_CPUS", "auto");
    EXPECT_EQ(s.workers, platform::default_workers());
    set(s, "SAGUARO_WORKERS", "9");
    set(s, "SAGUARO_CPUS", "4-7");
    EXPECT_EQ(s.workers, 9U);
}

TEST_F(settings_of_a_runtime, workers_beyond_the_list_begin_at_its_front) {
    settings s = with("SAGUARO_CPUS", "3,1");
    set(s, "SAGUARO_WORKERS", "5");
    EXPECT_EQ(processors_of(s), (std::vector{3, 1, 3, 1, 3}));
    // The user's list stays as it is, wherever the thread that starts them runs.
    EXPECT_EQ(cpus_of_workers(s, 1), (std::vector{3, 1, 3, 1, 3}));
    EXPECT_EQ(processors_there(s), 2U);
    s.pin = pinning::none;
    EXPECT_EQ(processors_of(s), std::vector<int>());
    EXPECT_EQ(cpus_of_workers(s, 1), std::vector<int>(5, -1));
}

TEST(cpus_of_workers, leave_that_of_the_thread_that_starts_them_for_those_that_enter) {
    settings s = settings_from_environment();
    const std::vector<int> allowed = platform::allowed_cpus();
    s.cpus.clear();
    s.pin = pinning::always;
    s.workers = static_cast<unsigned>(allowed.size());
    for (const int here : allowed) {
        std::vector<int> cpus = cpus_of_workers(s, here);
        EXPECT_EQ(cpus.front(), here);
        std::sort(cpus.begin(), cpus.end());
        EXPECT_EQ(cpus, allowed);
    }
}

// The ranges that the manual prints are those that are enforced, and the defaults lie within.
TEST_F(settings_of_a_runtime, the_table_tells_the_truth) {
    for (const described &row : table()) {
        const char *const name = row.name.c_str();
        if (row.name != "SAGUARO_WORKERS") // whose default is a matter of the machine
            EXPECT_EQ(refusal(name, row.fallback), "accepted") << name;
        const std::size_t gap = row.range.find(" to ");
        if (gap == std::string::npos) {
            EXPECT_EQ(refusal(name, row.range.substr(0, row.range.find(", "))), "accepted");
            continue;
        }
        const long long low = std::stoll(row.range.substr(0, gap));
        const long long high = std::stoll(row.range.substr(gap + 4));
        EXPECT_EQ(refusal(name, std::to_string(low)), "accepted") << name;
        EXPECT_EQ(refusal(name, std::to_string(high)), "accepted") << name;
        EXPECT_NE(refusal(name, std::to_string(low - 1)), "accepted") << name;
        EXPECT_NE(refusal(name, std::to_string(high + 1)), "accepted") << name;
    }
}

// Options of which one is set.
template <class T>
sg_options only(T sg_options::*option, T value) {
    sg_options options{};
    options.*option = value;
    return options;
}

// What sg_start returns for these options, which are not accepted; nothing may run then.
int refused_start(const sg_options &options, std::string &message) {
    testing::internal::CaptureStderr();
    const int error = sg_start(&options);
    message = testing::internal::GetCapturedStderr();
    EXPECT_EQ(saguaro::stats().stacks, 0U);
    return error;
}

TEST_F(settings_of_a_runtime, start_refuses_options_with_one_line) {
    std::string said;
    EXPECT_EQ(refused_start(only(&sg_options::workers, 4097U), said), EINVAL);
    EXPECT_EQ(said, "saguaro: sg_start: SAGUARO_WORKERS=4097 is not accepted: "
                    "a whole number from 1 to 4096\n");
    EXPECT_EQ(refused_start(only(&sg_options::stack_bytes, std::size_t{1}), said), EINVAL);
    EXPECT_EQ(said, "saguaro: sg_start: SAGUARO_STACK_SIZE=1 is not accepted: "
                    "a whole number from 65536 to 1073741824\n");
    EXPECT_EQ(refused_start(only(&sg_options::policy, "fastest"), said), EINVAL);
    EXPECT_EQ(said, "saguaro: sg_start: SAGUARO_POLICY=fastest is not accepted: one of " +
                        policy_names() + "\n");
    EXPECT_EQ(refused_start(only(&sg_options::statistics, 2), said), EINVAL);
    EXPECT_EQ(said, "saguaro: sg_start: SAGUARO_STATS=2 is not accepted: "
                    "a whole number from 0 to 1\n");
    EXPECT_EQ(refused_start(only(&sg_options::statistics, -1), said), EINVAL);
    EXPECT_EQ(refused_start(only(&sg_options::cpus, "0;1"), said), EINVAL);
    EXPECT_EQ(said, "saguaro: sg_start: SAGUARO_CPUS=0;1 is not accepted: "
                    "one of auto, a list as 0,2,4-7\n");
    EXPECT_EQ(refused_start(only(&sg_options::cpus, "123456"), said), EINVAL);
    EXPECT_EQ(said, "saguaro: sg_start: SAGUARO_CPUS=123456 is not accepted: this process may not "
                    "use processor 123456, but only " +
                        list_of_processors(platform::allowed_cpus()) + "\n");
    // Not one of them has left anything running.
    const sg_options good{
        .workers = 2, .stack_bytes = 65536, .policy = "uniform", .statistics = 1, .cpus = nullptr};
    EXPECT_EQ(sg_start(&good), 0);
    EXPECT_EQ(saguaro::workers(), 2U);
    EXPECT_EQ(sg_stop(), 0);
}

// Whether pops ask is known to a stack from when it was used last: those that one runtime leaves
// are not for another that differs.
TEST_F(settings_of_a_runtime, statistics_count_everything_on_stacks_that_others_have_left) {
    const auto spawns_of_a_run = [](int statistics) {
        sg_options chosen = only(&sg_options::workers, 1U);
        chosen.statistics = statistics;
        EXPECT_EQ(sg_start(&chosen), 0);
        run([] {
            for (int i = 0; i < 10; ++i)
                parallel_invoke([] {}, [] {});
        });
        const std::uint64_t spawns = stats().spawns;
        EXPECT_EQ(sg_stop(), 0);
        return spawns;
    };
    EXPECT_EQ(spawns_of_a_run(0), 0U);
    EXPECT_EQ(spawns_of_a_run(1), 10U);
    EXPECT_EQ(spawns_of_a_run(0), 0U);
    EXPECT_EQ(spawns_of_a_run(1), 10U);
}

TEST_F(settings_of_a_runtime, a_second_start_is_refused) {
    EXPECT_EQ(sg_start(nullptr), 0);
    EXPECT_EQ(sg_start(nullptr), EBUSY);
    const sg_options other = only(&sg_options::workers, 3U);
    EXPECT_EQ(sg_start(&other), EBUSY);
    EXPECT_EQ(saguaro::workers(), platform::default_workers());
    EXPECT_EQ(sg_stop(), 0);
    // Stopping what does not run is no error.
    EXPECT_EQ(sg_stop(), 0);
}

TEST_F(settings_of_a_runtime, errors_of_start_are_exceptions_in_cpp) {
    const auto code_of = [](const options &chosen) {
        try {
            start(chosen);
        } catch (const std::system_error &error) {
            return error.code();
        }
        return std::error_code();
    };
    testing::internal::CaptureStderr();
    EXPECT_EQ(code_of({.workers = 5000}), std::errc::invalid_argument);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("SAGUARO_WORKERS=5000"),
              std::string::npos);
    EXPECT_EQ(code_of({.workers = 2}), std::error_code());
    EXPECT_EQ(code_of({.workers = 2}), std::errc::device_or_resource_busy);
    stop();
}

} // namespace
} // namespace saguaro::scheduler
