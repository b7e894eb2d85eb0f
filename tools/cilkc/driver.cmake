# SPDX-License-Identifier: MIT
# cilkc, the driver, and where it finds the rest: in this build by a file beside it, where it is
# installed by the paths from its directory to the others. Needs nothing of LLVM's.

add_executable(cilkc
    cilkc.cpp
    cilkc_arguments.cpp
    cilkc_build.cpp
    cilkc_commands.cpp
    cilkc_places.cpp
    cilkc_process.cpp
    cilkc_scan.cpp)
foreach(which INCLUDE LIBRARY DIALECTS)
    set(sg_cilkc_INCLUDE ${CMAKE_INSTALL_FULL_INCLUDEDIR})
    set(sg_cilkc_LIBRARY ${CMAKE_INSTALL_FULL_LIBDIR})
    set(sg_cilkc_DIALECTS ${CMAKE_INSTALL_FULL_LIBDIR}/saguaro/cilk/include)
    file(RELATIVE_PATH sg_cilkc_path ${CMAKE_INSTALL_FULL_BINDIR} ${sg_cilkc_${which}})
    target_compile_definitions(cilkc PRIVATE CILKC_${which}="${sg_cilkc_path}")
endforeach()
target_compile_definitions(cilkc PRIVATE
    CILKC_VERSION="${PROJECT_VERSION}"
    $<TARGET_PROPERTY:saguaro,INTERFACE_COMPILE_DEFINITIONS>)
add_dependencies(cilkc cilk2c saguaro saguaro_shared)

file(GENERATE OUTPUT $<TARGET_FILE_DIR:cilkc>/cilkc.places CONTENT
"translator=$<TARGET_FILE:cilk2c>
include=${PROJECT_SOURCE_DIR}/include
include=${CMAKE_CURRENT_SOURCE_DIR}/include
shared=$<TARGET_FILE_DIR:saguaro_shared>
archive=$<TARGET_FILE_DIR:saguaro>
")

# For the examples and tests of this build.
set(SaguaroCilk_COMPILER $<TARGET_FILE:cilkc> CACHE INTERNAL "")
set(SaguaroCilk_DEPENDS cilkc CACHE INTERNAL "")
include(${PROJECT_SOURCE_DIR}/cmake/SaguaroCilk.cmake)

if(SG_INSTALL)
    install(TARGETS cilkc cilk2c RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_LIBDIR}/saguaro/cilk/include
        FILES_MATCHING PATTERN "*.h" PATTERN "*.cilkh")
    install(FILES ${PROJECT_SOURCE_DIR}/docs/man/cilkc.1 ${PROJECT_SOURCE_DIR}/docs/man/cilk2c.1
        DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
