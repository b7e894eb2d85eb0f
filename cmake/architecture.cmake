# SPDX-License-Identifier: MIT
# SG_ARCH names the folder, in each floor, with the code that depends on the processor. `generic` is
# the port that uses only the compiler's builtins; -DSG_ARCH=generic selects it on any processor.

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(sg_arch_found x86_64)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(sg_arch_found aarch64)
else()
    set(sg_arch_found generic)
endif()

set(SG_ARCH ${sg_arch_found} CACHE STRING "Architecture folder: x86_64, aarch64 or generic")
set_property(CACHE SG_ARCH PROPERTY STRINGS x86_64 aarch64 generic)

if(NOT SG_ARCH STREQUAL "generic" AND NOT SG_ARCH STREQUAL sg_arch_found)
    message(FATAL_ERROR
        "SG_ARCH=${SG_ARCH}: this is a ${CMAKE_SYSTEM_PROCESSOR}; "
        "accepted are ${sg_arch_found} and generic")
endif()
