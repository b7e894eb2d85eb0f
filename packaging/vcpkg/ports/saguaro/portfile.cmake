# The checkout that this port lies in. A port in vcpkg's registry downloads a release instead; see
# packaging/README.md.
cmake_path(SET SOURCE_PATH NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../../..")

# Not cilkc: it is made of Clang 19's libraries, and vcpkg would build all of Clang for it. Not the
# MPI library: its compilers and its launcher are programs to be called, not a library to be linked.
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DSG_BUILD_TESTS=OFF
        -DSG_BUILD_BENCH=OFF
        -DSG_BUILD_EXAMPLES=OFF
        -DSG_BUILD_CILKC=OFF
        -DSG_BUILD_MPI=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/Saguaro)
vcpkg_fixup_pkgconfig()

# Both libraries are installed. The triplet says which of them saguaro::saguaro is.
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
    vcpkg_replace_string("${CURRENT_PACKAGES_DIR}/share/${PORT}/SaguaroConfig.cmake"
        "set(_saguaro_kind shared)" "set(_saguaro_kind static)")
endif()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
