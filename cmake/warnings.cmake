# SPDX-License-Identifier: MIT
# Warnings for every C and C++ file of this project, and for no file of a project that includes it.

add_compile_options(
    "$<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion>")

if(SG_WERROR)
    add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-Werror>")
endif()
