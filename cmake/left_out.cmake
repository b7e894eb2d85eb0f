# SPDX-License-Identifier: MIT
# What the build leaves out because this machine lacks packages of Debian's.

# left_out(what package...) notes one such thing.
function(left_out what)
    set_property(GLOBAL APPEND PROPERTY sg_left_out ${what})
    set_property(GLOBAL APPEND PROPERTY sg_left_out_packages ${ARGN})
endfunction()

# Says all of it in one line, here and again at the end of an installation, which prints hundreds.
function(say_what_is_left_out)
    get_property(things GLOBAL PROPERTY sg_left_out)
    if(NOT things)
        return()
    endif()
    get_property(packages GLOBAL PROPERTY sg_left_out_packages)
    list(REMOVE_DUPLICATES packages)
    list(JOIN things ", " things)
    list(JOIN packages " " packages)
    set(line "Left out: ${things}. For these, install ${packages} and run make again.")
    message(STATUS "${line}")
    if(SG_INSTALL)
        install(CODE "message(STATUS [[${line}]])")
    endif()
endfunction()
