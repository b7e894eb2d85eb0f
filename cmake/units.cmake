# SPDX-License-Identifier: MIT
# few_units(target): compiles the C++ files of each of the target's folders as one translation unit.

# Most of a file's compile time is its headers': as one unit a folder takes a fifth to a half of the
# time. A file that is compiled alone shows that it includes what it needs. The files of a folder must
# not have equal file-local names. The library itself has units only where it is named: src/CMakeLists.txt.
# The target concurrent_tests in the list stands for the test programs of the floors where threads meet.
set(SG_FEW_UNITS OFF CACHE STRING "One unit for a folder's C++ files: ON, OFF or a list of targets")

function(few_units target)
    # A project that embeds this one may set CMAKE_UNITY_BUILD, and then has the same groups.
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
    if(SG_FEW_UNITS STREQUAL "ON" OR target IN_LIST SG_FEW_UNITS)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON)
    endif()
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "^[^$]*\\.cpp$")
    foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
        cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE folder)
        cmake_path(GET folder PARENT_PATH folder)
        string(MAKE_C_IDENTIFIER "${folder}" folder)
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
    endforeach()
endfunction()
