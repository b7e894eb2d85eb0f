# SPDX-License-Identifier: MIT
# The target saguaro_programs, all that there is without the tests: `make build`.

add_custom_target(saguaro_programs)

function(depend_on_all_of directory)
    get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
        get_target_property(is_left_out ${target} EXCLUDE_FROM_ALL)
        if(NOT is_left_out)
            add_dependencies(saguaro_programs ${target})
        endif()
    endforeach()
    get_property(folders DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
    foreach(folder IN LISTS folders)
        depend_on_all_of(${folder})
    endforeach()
endfunction()

# The tests are added after this.
depend_on_all_of(${PROJECT_SOURCE_DIR})
