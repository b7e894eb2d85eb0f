// SPDX-License-Identifier: MIT
// Info objects: what they keep, in which order, and what they refuse. No rank is begun, for
// programs use them before MPI_Init, too.
#include "mpi/core/info/info.hpp"
#include "mpi/core/interface/functions.hpp"

#include <cerrno>
#include <gtest/gtest.h>
#include <string>

namespace saguaro::mpi {
namespace {

std::string value_of(info of, const char *key, int room = 64) {
    char value[abi::max_info_val] = "untouched";
    int flag = 0;
    EXPECT_EQ(core::info_get_string(of, key, &room, value, &flag), abi::success);
    return flag != 0 ? value : "none";
}

info made_of(std::initializer_list<std::pair<const char *, const char *>> entries) {
    info out{};
    EXPECT_EQ(core::info_create(&out), abi::success);
    for (const auto &[key, value] : entries)
        EXPECT_EQ(core::info_set(out, key, value), abi::success);
    return out;
}

TEST(info_objects, keep_keys_in_order) {
    info some = made_of({{"one", "1"}, {"two", "2"}, {"three", "3"}});
    core::info_set(some, "one", "I");
    int count = 0;
    ASSERT_EQ(core::info_get_nkeys(some, &count), abi::success);
    ASSERT_EQ(count, 3);
    std::string keys;
    for (int n = 0; n < count; ++n) {
        char key[abi::max_info_key];
        ASSERT_EQ(core::info_get_nthkey(some, n, key), abi::success);
        keys += key + ("=" + value_of(some, key)) + " ";
    }
    EXPECT_EQ(keys, "one=I two=2 three=3 ");
    EXPECT_EQ(core::info_delete(some, "two"), abi::success);
    EXPECT_EQ(core::info_delete(some, "two"), abi::err_info_nokey);
    EXPECT_EQ(value_of(some, "two"), "none");
    EXPECT_EQ(value_of(some, "three"), "3");
    EXPECT_EQ(core::info_free(&some), abi::success);
    EXPECT_EQ(some, info::null);
}

TEST(info_objects, are_copied_whole) {
    const info some = made_of({{"a", "1"}});
    info copy{};
    ASSERT_EQ(core::info_dup(some, &copy), abi::success);
    core::info_set(copy, "a", "2");
    EXPECT_EQ(value_of(some, "a"), "1");
    EXPECT_EQ(value_of(copy, "a"), "2");
    info_list read;
    EXPECT_EQ(read_info(copy, read), abi::success);
    EXPECT_EQ(*find_value(read, "a"), "2");
    EXPECT_EQ(find_value(read, "b"), nullptr);
}

TEST(info_objects, cut_values_to_the_room) {
    const info some = made_of({{"key", "value"}});
    for (const auto &[room, text] :
         {std::pair(0, "untouched"), std::pair(1, ""), std::pair(3, "va"), std::pair(6, "value")}) {
        char value[16] = "untouched";
        int length = room;
        int flag = 0;
        ASSERT_EQ(core::info_get_string(some, "key", &length, value, &flag), abi::success);
        EXPECT_STREQ(value, text);
        EXPECT_EQ(length, 6);
        EXPECT_EQ(flag, 1);
    }
    char value[16] = "untouched";
    int flag = 0;
    ASSERT_EQ(core::info_get(some, "key", 3, value, &flag), abi::success);
    EXPECT_STREQ(value, "val");
    int length = 0;
    ASSERT_EQ(core::info_get_valuelen(some, "key", &length, &flag), abi::success);
    EXPECT_EQ(length, 5);
    ASSERT_EQ(core::info_get_valuelen(some, "other", &length, &flag), abi::success);
    EXPECT_EQ(flag, 0);
}

TEST(info_objects, refuse_what_is_none_of_theirs) {
    info some = made_of({});
    const std::string long_key(abi::max_info_key, 'k');
    const std::string long_value(abi::max_info_val, 'v');
    EXPECT_EQ(core::info_set(some, long_key.c_str() + 1, long_value.c_str() + 1), abi::success);
    EXPECT_EQ(core::info_set(some, long_key.c_str(), "v"), abi::err_info_key);
    EXPECT_EQ(core::info_set(some, "", "v"), abi::err_info_key);
    EXPECT_EQ(core::info_set(some, "k", long_value.c_str()), abi::err_info_value);
    char key[abi::max_info_key];
    EXPECT_EQ(core::info_get_nthkey(some, 1, key), abi::err_arg);
    EXPECT_EQ(core::info_get_nthkey(some, -1, key), abi::err_arg);
    info freed = some;
    core::info_free(&freed);
    for (info none : {some, info::null, info{}, static_cast<info>(last_dynamic)}) {
        int number = 0;
        info out{};
        EXPECT_EQ(core::info_set(none, "k", "v"), abi::err_info);
        EXPECT_EQ(core::info_delete(none, "k"), abi::err_info);
        EXPECT_EQ(core::info_get_nkeys(none, &number), abi::err_info);
        EXPECT_EQ(core::info_get_valuelen(none, "k", &number, &number), abi::err_info);
        EXPECT_EQ(core::info_dup(none, &out), abi::err_info);
        EXPECT_EQ(core::info_free(&none), abi::err_info);
    }
}

TEST(info_of_the_environment, is_what_the_process_began_with) {
    char program[] = "program";
    char first[] = "a";
    char second[] = "b";
    char *arguments[] = {program, first, second, nullptr};
    info said{};
    ASSERT_EQ(core::info_create_env(3, arguments, &said), abi::success);
    EXPECT_EQ(value_of(said, "command"), "program");
    EXPECT_EQ(value_of(said, "argv"), "a b");
    info found{};
    ASSERT_EQ(core::info_create_env(0, nullptr, &found), abi::success);
    EXPECT_NE(value_of(found, "command", 1000).find(program_invocation_short_name),
              std::string::npos);
    EXPECT_EQ(value_of(info::env, "arch"), value_of(found, "arch"));
    EXPECT_NE(value_of(info::env, "wdir", 1000), "none");
    // It is nobody's to change.
    info all = info::env;
    EXPECT_EQ(core::info_set(all, "k", "v"), abi::err_info);
    EXPECT_EQ(core::info_free(&all), abi::err_info);
}

} // namespace
} // namespace saguaro::mpi
