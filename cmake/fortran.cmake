# SPDX-License-Identifier: MIT
# Makes Fortran a language of the build if there is a gfortran that can compile MPI's modules:
# SG_HAS_FORTRAN. A compiler of this machine makes none for another one, unless the user names it.
set(SG_HAS_FORTRAN OFF)
# CMake remembers that it has found none, and would not see one that was installed since.
if(NOT CMAKE_Fortran_COMPILER)
    unset(CMAKE_Fortran_COMPILER CACHE)
endif()
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_Fortran_COMPILER)
    include(CheckLanguage)
    check_language(Fortran)
endif()
if(CMAKE_Fortran_COMPILER)
    enable_language(Fortran)
    if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU"
            AND CMAKE_Fortran_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
        set(SG_HAS_FORTRAN ON)
    endif()
endif()
if(NOT SG_HAS_FORTRAN)
    left_out("MPI's Fortran modules" gfortran)
endif()
