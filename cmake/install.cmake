# SPDX-License-Identifier: MIT
# What `cmake --install` and `make install` put under the prefix: headers, both libraries, what
# CMake and pkg-config need to find them, and the manual pages. Nothing of it names the prefix, so
# that the tree may be moved. The programs are examples and stay in the build.
include(CMakePackageConfigHelpers)

install(TARGETS saguaro saguaro_shared EXPORT saguaro
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/saguaro
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

# find_package(Saguaro)
set(sg_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Saguaro)
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
    DESTINATION ${sg_package_dir})

# pkg-config saguaro: the prefix is found from where the file lies. A directory that was given as
# an absolute path is taken as it is.
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

# Manual pages, each to the section that its name ends with.
file(GLOB sg_manual_pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/*.[1-8])
foreach(page IN LISTS sg_manual_pages)
    string(REGEX REPLACE ".*\\.([1-8])$" "\\1" section ${page})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()
