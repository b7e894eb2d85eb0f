# SPDX-License-Identifier: MIT
# What `cmake --install` and `make install` put under the prefix: headers, both libraries, what
# CMake and pkg-config need to find them, and the manual pages; tools/saguaro-topology adds the
# program that prints the machine, tools/saguaro-sim the simulator, tools/cilkc/driver the
# translator; src/mpi/faces,
# tools/detmpicc and tools/detmpiexec add the MPI library, as the component `mpi`. No installed file
# names the prefix, so the installed tree may be moved. The other programs are examples; they and
# their manual pages are not installed.
include(CMakePackageConfigHelpers)

install(TARGETS saguaro saguaro_shared EXPORT saguaro
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/saguaro
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

# find_package(Saguaro)
set(sg_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Saguaro)
file(RELATIVE_PATH sg_cilkc_from_prefix
    ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_BINDIR}/cilkc)
configure_package_config_file(cmake/SaguaroConfig.cmake.in SaguaroConfig.cmake
    INSTALL_DESTINATION ${sg_package_dir}
    NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may take something away.
write_basic_package_version_file(SaguaroConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT saguaro
    NAMESPACE saguaro::
    FILE SaguaroTargets.cmake
    DESTINATION ${sg_package_dir})
install(FILES
    ${CMAKE_CURRENT_BINARY_DIR}/SaguaroConfig.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/SaguaroConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/cmake/SaguaroCilk.cmake
    DESTINATION ${sg_package_dir})

# pkg-config saguaro: pkg-config derives the prefix from the place of the file. Absolute paths of
# directories stay as they were given.
foreach(which LIBDIR INCLUDEDIR)
    if(IS_ABSOLUTE ${CMAKE_INSTALL_${which}})
        set(sg_pc_${which} ${CMAKE_INSTALL_${which}})
    else()
        set(sg_pc_${which} "\${prefix}/${CMAKE_INSTALL_${which}}")
    endif()
endforeach()
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    set(sg_pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
    file(RELATIVE_PATH sg_pc_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    string(REGEX REPLACE "/$" "" sg_pc_up "${sg_pc_up}")
    set(sg_pc_prefix "\${pcfiledir}/${sg_pc_up}")
endif()
set(sg_pc_cflags)
if(SG_ARCH STREQUAL "generic")
    set(sg_pc_cflags -DSG_GENERIC)
endif()
configure_file(cmake/saguaro.pc.in saguaro.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/saguaro.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET saguaro_race)
    get_target_property(sg_race_pc_calls saguaro_race SG_PC_CALLS)
    get_target_property(sg_race_pc_wraps saguaro_race SG_PC_WRAPS)
    configure_file(cmake/saguaro-race.pc.in saguaro-race.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/saguaro-race.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

install(FILES ${PROJECT_SOURCE_DIR}/docs/man/saguaro.7 ${PROJECT_SOURCE_DIR}/docs/man/spmc.7
    DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
