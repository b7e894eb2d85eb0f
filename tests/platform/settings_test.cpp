// SPDX-License-Identifier: MIT
// The table of settings, how a row is read, and what is said of unknown variables.
#include "platform/settings.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace saguaro::platform {
namespace {

constexpr setting number{.name = "SAGUARO_TEST_NUMBER",
                         .fallback = "3",
                         .kind = setting_kind::number,
                         .low = 1,
                         .high = 9,
                         .meaning = "a number",
                         .synonym = "OTHER_NUMBER"};
constexpr setting choice{.name = "SAGUARO_TEST_CHOICE",
                         .fallback = "none",
                         .kind = setting_kind::choice,
                         .accepted = "none, FILE.txt, FILE.svg",
                         .meaning = "a file"};

// Variables of this test, unset at its end.
class settings_table : public testing::Test {
protected:
    ~settings_table() override {
        for (const std::string &each : set_)
            unsetenv(each.c_str());
    }
    void set(const char *name, const char *value) {
        setenv(name, value, 1);
        set_.insert(name);
    }

private:
    std::set<std::string> set_;
};

template <class Read>
std::string refusal(Read read) {
    try {
        read();
    } catch (const bad_setting &bad) {
        return bad.what();
    }
    return "accepted";
}

TEST_F(settings_table, a_variable_counts_before_its_synonym_and_both_before_the_default) {
    EXPECT_EQ(number_of(number), 3);
    EXPECT_EQ(value_of(number), nullptr);
    set("OTHER_NUMBER", "4");
    EXPECT_EQ(number_of(number), 4);
    EXPECT_STREQ(find_value(number).name, "OTHER_NUMBER");
    set("SAGUARO_TEST_NUMBER", "5");
    EXPECT_EQ(number_of(number), 5);
    EXPECT_STREQ(find_value(number).name, "SAGUARO_TEST_NUMBER");
}

TEST_F(settings_table, a_refusal_names_the_variable_that_has_the_value) {
    set("OTHER_NUMBER", "10");
    EXPECT_EQ(refusal([] { number_of(number); }),
              "OTHER_NUMBER=10 is not accepted: a whole number from 1 to 9");
    EXPECT_EQ(refusal([] { number_of(number, "0"); }),
              "SAGUARO_TEST_NUMBER=0 is not accepted: a whole number from 1 to 9");
}

TEST_F(settings_table, a_choice_is_a_name_or_a_file_with_that_end) {
    EXPECT_EQ(choice_of(choice), "none");
    EXPECT_EQ(choice_of(choice, "a.txt"), "a.txt");
    EXPECT_EQ(choice_of(choice, "b.svg"), "b.svg");
    EXPECT_EQ(refusal([] { choice_of(choice, "b.png"); }),
              "SAGUARO_TEST_CHOICE=b.png is not accepted: one of none, FILE.txt, FILE.svg");
}

TEST_F(settings_table, rows_are_complete_and_their_names_differ) {
    std::set<std::string> names;
    for (const setting_rows &floor : all_settings())
        for (const setting *const each : floor) {
            EXPECT_TRUE(names.insert(each->name).second) << each->name;
            EXPECT_STRNE(each->meaning, "") << each->name;
            if (each->user == setting_user::internal)
                continue;
            EXPECT_STRNE(each->fallback, "") << each->name;
            EXPECT_NE(range_of(*each), "") << each->name;
        }
    EXPECT_GE(names.size(), 17U);
}

// The ranges that the manual prints are enforced, and the defaults lie within.
TEST_F(settings_table, defaults_and_bounds_are_accepted_and_what_lies_beyond_is_not) {
    for (const setting_rows &floor : all_settings())
        for (const setting *const each : floor) {
            if (each->kind == setting_kind::choice)
                EXPECT_EQ(refusal([&] { choice_of(*each, each->fallback); }), "accepted");
            if (each->kind != setting_kind::number)
                continue;
            for (const std::int64_t inside : {each->low, each->high})
                EXPECT_EQ(number_of(*each, std::to_string(inside)), inside) << each->name;
            for (const std::int64_t outside : {each->low - 1, each->high + 1})
                EXPECT_NE(refusal([&] { number_of(*each, std::to_string(outside)); }), "accepted")
                    << each->name;
        }
}

// A new row must not forget it.
TEST_F(settings_table, what_names_a_file_or_hands_over_memory_needs_rights_of_its_own) {
    for (const setting_rows &floor : all_settings())
        for (const setting *const each : floor) {
            const std::string accepted = each->accepted;
            const bool names_file =
                accepted.find("FILE") != accepted.npos || accepted.find("FOLDER") != accepted.npos;
            const bool hands_over = each->user == setting_user::internal &&
                                    std::string(each->name) != "SAGUARO_SPMC_ANEW";
            EXPECT_EQ(each->needs_own_rights, names_file || hands_over) << each->name;
        }
}

TEST_F(settings_table, the_nearest_name_has_the_fewest_differences) {
    const auto nearest = [](const char *name) { return nearest_setting(all_settings(), name); };
    EXPECT_EQ(nearest("SAGUARO_WORKER"), "SAGUARO_WORKERS");
    EXPECT_EQ(nearest("SAGUARO_NWORKERS"), "SAGUARO_WORKERS");
    EXPECT_EQ(nearest("SAGUARO_STAT"), "SAGUARO_STATS");
    EXPECT_EQ(nearest("SAGUARO_RECORD_GRAIM"), "SAGUARO_RECORD_GRAIN");
    EXPECT_EQ(nearest("SAGUARO_MPI_REDUCTION"), "SAGUARO_MPI_REDUCE");
    EXPECT_EQ(nearest("SAGUARO_"), "");
    EXPECT_EQ(nearest("SAGUARO_QQQQQQQQQQQQQQQQ"), "");
}

TEST_F(settings_table, names_of_all_floors_and_of_tests_are_known) {
    for (const char *name :
         {"SAGUARO_WORKERS", "CILK_NWORKERS", "SAGUARO_VMS_TRACE", "SAGUARO_MPI_ORDER",
          "SAGUARO_SPMC_JOB", "SAGUARO_COLLECTIVE", "SAGUARO_TEST_SEED"})
        EXPECT_TRUE(is_known_setting(all_settings(), name)) << name;
    for (const char *name : {"SAGUARO_WORKER", "SAGUARO_", "saguaro_workers"})
        EXPECT_FALSE(is_known_setting(all_settings(), name)) << name;
}

// In a process of its own: what it writes to stderr when it is called so often.
std::string said_with(const char *name, int times, const char *also = nullptr) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        setenv(name, "2", 1);
        if (also != nullptr)
            setenv(also, "3,4,5", 1);
        for (int i = 0; i < times; ++i)
            warn_once_of_unknown_settings();
        std::fflush(nullptr);
        _exit(0);
    }
    close(ends[1]);
    std::string said;
    char bytes[512];
    for (ssize_t count; (count = read(ends[0], bytes, sizeof bytes)) > 0;)
        said.append(bytes, static_cast<std::size_t>(count));
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return said;
}

TEST_F(settings_table, an_unknown_variable_is_named_once) {
    EXPECT_EQ(said_with("SAGUARO_WORKER", 2),
              "saguaro: there is no setting SAGUARO_WORKER; the nearest is SAGUARO_WORKERS\n");
    EXPECT_EQ(said_with("SAGUARO_QQQQQQQQ\n", 1),
              "saguaro: there is no setting SAGUARO_QQQQQQQQ\\n\n");
    EXPECT_EQ(said_with("SAGUARO_WORKERS", 1), "");
    EXPECT_EQ(said_with("SAGUARO_TEST_ANYTHING", 1), "");
}

TEST_F(settings_table, the_first_process_of_a_job_alone_names_it) {
    EXPECT_EQ(said_with("SAGUARO_WORKER", 1, "SAGUARO_SPMC_JOB"), "");
    EXPECT_EQ(said_with("SAGUARO_WORKER", 1, "SAGUARO_MPI_RANK"), "");
}

} // namespace
} // namespace saguaro::platform
