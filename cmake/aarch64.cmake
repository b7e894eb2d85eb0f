# SPDX-License-Identifier: MIT
# A cross build for AArch64 Linux with Debian's cross packages (g++-aarch64-linux-gnu, qemu-user).
# The preset names the compiler: the cross gcc, or clang, which takes the former's headers and
# libraries.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)

# For clang only; gcc is made for one target.
set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_ASM_COMPILER_TARGET aarch64-linux-gnu)

# How ctest runs a program of the target.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
