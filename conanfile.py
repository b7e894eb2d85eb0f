# SPDX-License-Identifier: MIT
"""The library as a Conan package; packaging/README.md shows how it is built."""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rm, rmdir
from conan.tools.scm import Version

required_conan_version = ">=2.0"

OLDEST_COMPILER = {"gcc": "12", "clang": "16"}


class Saguaro(ConanFile):
    name = "saguaro"
    description = "A parallel runtime for C and C++ on multicore Linux"
    license = "MIT"
    author = "The Saguaro developers"
    topics = ("parallel", "fork-join", "work-stealing", "reducers", "cilk")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": False}
    exports_sources = "CMakeLists.txt", "LICENSE", "cmake/*", "docs/man/*", "include/*", "src/*"
    test_package_folder = "packaging/conan/test_package"

    def set_version(self):
        project = load(self, os.path.join(self.recipe_folder, "CMakeLists.txt"))
        self.version = re.search(r"project\(saguaro\s+VERSION (\S+)", project).group(1)

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration(f"saguaro runs on Linux, not on {self.settings.os}")
        compiler = str(self.settings.compiler)
        oldest = OLDEST_COMPILER.get(compiler)
        if oldest is None or Version(self.settings.compiler.version) < oldest:
            raise ConanInvalidConfiguration(
                f"saguaro needs gcc 12 or clang 16, or a later one, and not {compiler} "
                f"{self.settings.compiler.version}")

    def layout(self):
        cmake_layout(self)

    # Not cilkc: it takes Clang 19's libraries. Not the MPI library: its compilers and its launcher are
    # programs to be called, not a library to be linked.
    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "BENCH", "EXAMPLES", "CILKC", "MPI"):
            toolchain.cache_variables[f"SG_BUILD_{part}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    # Both libraries are built, of the same objects; the package has the one that is asked for. Conan
    # writes the files for CMake and pkg-config itself.
    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        library = os.path.join(self.package_folder, "lib")
        rm(self, "*.a" if self.options.shared else "*.so*", library)
        for unwanted in ("lib/cmake", "lib/pkgconfig", "share"):
            rmdir(self, os.path.join(self.package_folder, unwanted))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "Saguaro")
        self.cpp_info.set_property("cmake_target_name", "saguaro::saguaro")
        self.cpp_info.set_property("pkg_config_name", "saguaro")
        self.cpp_info.libs = ["saguaro"]
        self.cpp_info.system_libs = ["pthread"]
        if not self.options.shared:
            self.cpp_info.system_libs += ["dl", "stdc++"]
        if self.settings.arch not in ("x86_64", "armv8"):
            self.cpp_info.defines = ["SG_GENERIC"]
