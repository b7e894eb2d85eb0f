// SPDX-License-Identifier: MIT
// Clang as a compiler of C and C++ over text that is held in memory, up to its preprocessor.
#pragma once

#include <memory>
#include <span>
#include <string_view>

namespace clang {
class CompilerInstance;
class DiagnosticConsumer;
} // namespace clang

namespace saguaro::cilkc {

// Which C or C++ the program is written in: what C23 has made keywords are names before. C++ of
// before 2014 is read as C++14, which the translation needs.
enum class standard { c17, c23, cxx14, cxx17, cxx20, cxx23, cxx26 };

constexpr bool is_cxx(standard version) {
    return version >= standard::cxx14;
}

// As the definitions in a preprocessed text say.
standard standard_of(std::string_view text);

// Nothing is read from any file, and nothing is predefined but `macros` ("NAME=TEXT"). `text` must
// end in a null byte and outlive the compiler, which takes the consumer. Without a preprocessor:
// Clang does not know this machine, and has told the consumer.
std::unique_ptr<clang::CompilerInstance> make_compiler(std::string_view text, std::string_view name,
                                                       standard version,
                                                       std::span<const char *const> macros,
                                                       clang::DiagnosticConsumer *consumer);

} // namespace saguaro::cilkc
