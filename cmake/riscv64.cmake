# SPDX-License-Identifier: MIT
# A cross build for RISC-V Linux with Debian's cross packages (g++-riscv64-linux-gnu, qemu-user). No
# floor has a folder for this processor, so this is the generic port with RISC-V's C library and
# order of memory.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)

# How ctest runs a program of the target.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-riscv64 -L /usr/riscv64-linux-gnu)

# gcc 12 calls libatomic for exchanges of a byte, which the processor has only for words.
set(CMAKE_C_STANDARD_LIBRARIES_INIT -latomic)
set(CMAKE_CXX_STANDARD_LIBRARIES_INIT -latomic)
