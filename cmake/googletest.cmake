# SPDX-License-Identifier: MIT
# GoogleTest: installed for the machine that the tests run on, or built from Debian's sources
# (package googletest), which are the same for every machine. Sets GTest_FOUND.

find_package(GTest QUIET)

set(sg_googletest_sources /usr/src/googletest)
if(NOT GTest_FOUND AND CMAKE_CROSSCOMPILING AND EXISTS ${sg_googletest_sources}/CMakeLists.txt)
    set(BUILD_GMOCK OFF CACHE INTERNAL "Not used")
    set(INSTALL_GTEST OFF CACHE INTERNAL "Not ours to install")
    add_subdirectory(${sg_googletest_sources} ${PROJECT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)
    # Not this project's warnings; and nobody waits for its code, but for its compilation.
    set_target_properties(gtest gtest_main PROPERTIES COMPILE_OPTIONS -O0)
    set(GTest_FOUND TRUE)
endif()
