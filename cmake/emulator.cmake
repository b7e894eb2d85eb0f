# SPDX-License-Identifier: MIT
# Tests that start a program as a process get its path. In a cross build the machine cannot start
# it, so they get a script that starts it in the emulator and is that process from then on.

# saguaro_program(variable target) sets `variable` to what starts the program `target`.
function(saguaro_program variable target)
    set(path $<TARGET_FILE:${target}>)
    if(CMAKE_CROSSCOMPILING)
        list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
        set(script ${CMAKE_CURRENT_BINARY_DIR}/emulated/${target})
        file(GENERATE OUTPUT ${script}
            CONTENT "#!/bin/sh\nexec ${emulator} ${path} \"$@\"\n"
            FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
        set(path ${script})
    endif()
    set(${variable} ${path} PARENT_SCOPE)
endfunction()
