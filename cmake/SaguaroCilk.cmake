# SPDX-License-Identifier: MIT
# Cilk in a project of CMake's: files in either dialect are compiled by cilkc, with the project's C
# compiler behind it, and files in C++ by cilkc++, with the C++ compiler behind it.
#
#   add_cilk_executable(<name> <source>...)
#       as add_executable: .c, .cilk, .cpp, .cc and .cxx files go through cilkc or cilkc++, all others
#       to their compilers.
#   target_cilk_sources(<target> <PRIVATE> <source>...)
#       adds such files to a target: a program or a library, but not an interface or imported one.
#       Called in the directory that made the target.
#
# Each file is compiled with the target's include directories, definitions, options for C and
# C_STANDARD, and with CMAKE_C_FLAGS and those of the build type, or the same of C++; again when a header that it
# includes has changed. The target is linked with saguaro::saguaro. Generators with one build type
# only.
#
# SaguaroCilk_COMPILER is the driver; find_package(Saguaro COMPONENTS cilk) sets it.

include_guard()

# Sets `variable` to what all files of the target are compiled with. What depends on the language is
# known only to file(GENERATE), so that the options are in a file, whose name is among them.
# `language`: C or CXX.
function(_saguaro_cilk_options target language options_file variable)
    set(options $<TARGET_PROPERTY:${target},COMPILE_OPTIONS>)
    get_target_property(is_generated ${target} SG_CILK_OPTIONS_FILE)
    if(NOT is_generated)
        file(GENERATE OUTPUT ${options_file}-$<COMPILE_LANGUAGE>
            CONTENT "$<$<BOOL:${options}>:'$<JOIN:${options},'\n'>'>\n")
        set_target_properties(${target} PROPERTIES SG_CILK_OPTIONS_FILE ON)
    endif()
    separate_arguments(flags NATIVE_COMMAND "${CMAKE_${language}_FLAGS}")
    set(result ${flags})
    if(CMAKE_BUILD_TYPE)
        string(TOUPPER ${CMAKE_BUILD_TYPE} type)
        separate_arguments(flags NATIVE_COMMAND "${CMAKE_${language}_FLAGS_${type}}")
        list(APPEND result ${flags})
    endif()
    # Expressions: the project may set the properties later.
    get_target_property(type ${target} TYPE)
    if(type MATCHES "^(SHARED|MODULE)_LIBRARY$")
        list(APPEND result -fPIC)
    endif()
    set(standard $<TARGET_PROPERTY:${target},${language}_STANDARD>)
    set(extensions $<TARGET_PROPERTY:${target},${language}_EXTENSIONS>)
    set(dialect $<IF:$<OR:$<STREQUAL:${extensions},>,$<BOOL:${extensions}>>,gnu,c>)
    if(language STREQUAL "CXX")
        string(APPEND dialect "++")
    endif()
    set(includes $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    set(definitions $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
    list(APPEND result
        "$<$<BOOL:$<TARGET_PROPERTY:${target},POSITION_INDEPENDENT_CODE>>:-fPIC>"
        "$<$<BOOL:${standard}>:-std=${dialect}${standard}>"
        "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
        "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
        @${options_file}-${language})
    set(${variable} "${result}" PARENT_SCOPE)
endfunction()

function(target_cilk_sources target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "PRIVATE" "" "")
    if(NOT TARGET ${target})
        message(FATAL_ERROR "target_cilk_sources: '${target}' is not a target of this project")
    endif()
    if(NOT arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "target_cilk_sources(${target}): no files")
    endif()
    set(place ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cilk)
    foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
        set(language C)
        set(driver ${SaguaroCilk_COMPILER})
        if(source MATCHES "\\.(cpp|cc|cxx)$")
            set(language CXX)
            string(APPEND driver "++")
        endif()
        get_target_property(options ${target} SG_CILK_OPTIONS_${language})
        if(NOT options)
            _saguaro_cilk_options(${target} ${language} ${place}/options options)
            set_target_properties(${target} PROPERTIES SG_CILK_OPTIONS_${language} "${options}")
        endif()
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE
            OUTPUT_VARIABLE file)
        cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
            OUTPUT_VARIABLE name)
        string(REPLACE ".." "__" name ${name})
        set(object ${place}/${name}.o)
        cmake_path(GET object PARENT_PATH directory)
        file(MAKE_DIRECTORY ${directory})
        add_custom_command(OUTPUT ${object}
            COMMAND ${driver} --cc=${CMAKE_${language}_COMPILER} "${options}"
                -MD -MF ${object}.d -MT ${object} -c ${file} -o ${object}
            COMMAND_EXPAND_LISTS VERBATIM
            DEPENDS ${file} ${place}/options-${language} ${SaguaroCilk_DEPENDS}
            DEPFILE ${object}.d
            COMMENT "Building Cilk object ${name}.o")
        target_sources(${target} PRIVATE ${object})
        set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    endforeach()
    target_link_libraries(${target} PRIVATE saguaro::saguaro)
    # A target of objects alone has no language to be linked in.
    get_target_property(language ${target} LINKER_LANGUAGE)
    if(NOT language)
        set(language C)
        if("${arg_UNPARSED_ARGUMENTS}" MATCHES "\\.(cpp|cc|cxx)(;|$)")
            set(language CXX)
        endif()
        set_target_properties(${target} PROPERTIES LINKER_LANGUAGE ${language})
    endif()
endfunction()

function(add_cilk_executable name)
    set(cilk ${ARGN})
    list(FILTER cilk INCLUDE REGEX "\\.(c|cilk|cpp|cc|cxx)$")
    set(others ${ARGN})
    list(FILTER others EXCLUDE REGEX "\\.(c|cilk|cpp|cc|cxx)$")
    add_executable(${name} ${others})
    target_cilk_sources(${name} PRIVATE ${cilk})
endfunction()
