# SPDX-License-Identifier: MIT
# SG_SANITIZE builds everything, the library included, under one sanitizer. `address` includes the
# undefined-behaviour sanitizer. A report fails the test: with `address` the program ends at once,
# with `thread` it goes on, may report more, and exits with code 66.

if(SG_SANITIZE STREQUAL "address")
    set(sg_sanitizer_flags -fsanitize=address,undefined -fno-sanitize-recover=all)
elseif(SG_SANITIZE STREQUAL "thread")
    set(sg_sanitizer_flags -fsanitize=thread)
elseif(SG_SANITIZE STREQUAL "")
    return()
else()
    message(FATAL_ERROR "SG_SANITIZE=${SG_SANITIZE}: accepted are address, thread and nothing")
endif()

add_compile_options(
    "$<$<COMPILE_LANGUAGE:C,CXX>:${sg_sanitizer_flags};-fno-omit-frame-pointer>")
add_link_options(${sg_sanitizer_flags})
