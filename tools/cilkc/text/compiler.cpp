// SPDX-License-Identifier: MIT
// Setting up a Clang compiler instance for a text in memory.
#include "text/compiler.hpp"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/TargetParser/Host.h>

#include <string>

namespace saguaro::cilkc {

namespace {

llvm::StringRef reference(std::string_view text) {
    return {text.data(), text.size()};
}

clang::LangStandard::Kind standard_in_clang(standard version) {
    switch (version) {
    case standard::c17:
        return clang::LangStandard::lang_gnu17;
    case standard::c23:
        return clang::LangStandard::lang_gnu23;
    case standard::cxx14:
        return clang::LangStandard::lang_gnucxx14;
    case standard::cxx17:
        return clang::LangStandard::lang_gnucxx17;
    case standard::cxx20:
        return clang::LangStandard::lang_gnucxx20;
    case standard::cxx23:
        return clang::LangStandard::lang_gnucxx23;
    case standard::cxx26:
        break;
    }
    return clang::LangStandard::lang_gnucxx26;
}

// The number that the macro is defined as in the text; empty: it is not.
std::string_view number_of(std::string_view macro, std::string_view text) {
    const std::string definition = "#define " + std::string(macro) + " ";
    const std::size_t at = text.find(definition);
    return at == text.npos ? std::string_view() : text.substr(at + definition.size(), 6);
}

std::shared_ptr<clang::CompilerInvocation> make_invocation(std::span<const char *const> macros,
                                                           standard version) {
    auto invocation = std::make_shared<clang::CompilerInvocation>();
    invocation->getTargetOpts().Triple = llvm::sys::getDefaultTargetTriple();
    std::vector<std::string> no_includes;
    clang::LangOptions &language = invocation->getLangOpts();
    clang::LangOptions::setLangDefaults(
        language, is_cxx(version) ? clang::Language::CXX : clang::Language::C,
        llvm::Triple(invocation->getTargetOpts().Triple), no_includes, standard_in_clang(version));
    language.SpellChecking = false;
    if (is_cxx(version)) {
        language.Exceptions = language.CXXExceptions = true;
        language.Coroutines = language.Char8 = version >= standard::cxx20;
        language.AlignedAllocation = version >= standard::cxx17;
    }
    clang::PreprocessorOptions &preprocessor = invocation->getPreprocessorOpts();
    // The text is preprocessed: a name that is left in it, such as `linux`, is the user's.
    preprocessor.UsePredefines = false;
    for (const char *macro : macros)
        preprocessor.addMacroDef(macro);
    // Warnings are the business of the compiler that comes after.
    invocation->getDiagnosticOpts().Warnings = {"no-everything"};
    invocation->getDiagnosticOpts().ErrorLimit = 0;
    return invocation;
}

} // namespace

standard standard_of(std::string_view text) {
    const std::string_view cxx = number_of("__cplusplus", text);
    if (!cxx.empty()) {
        return cxx > "202302"   ? standard::cxx26
               : cxx > "202002" ? standard::cxx23
               : cxx > "201703" ? standard::cxx20
               : cxx > "201402" ? standard::cxx17
                                : standard::cxx14;
    }
    return number_of("__STDC_VERSION__", text) > "201710" ? standard::c23 : standard::c17;
}

std::unique_ptr<clang::CompilerInstance> make_compiler(std::string_view text, std::string_view name,
                                                       standard version,
                                                       std::span<const char *const> macros,
                                                       clang::DiagnosticConsumer *consumer) {
    auto compiler = std::make_unique<clang::CompilerInstance>();
    compiler->setInvocation(make_invocation(macros, version));
    compiler->createDiagnostics(consumer);
    compiler->createFileManager();
    compiler->createSourceManager(compiler->getFileManager());
    if (!compiler->createTarget())
        return compiler;
    clang::SourceManager &sources = compiler->getSourceManager();
    sources.setMainFileID(
        sources.createFileID(llvm::MemoryBuffer::getMemBuffer(reference(text), reference(name))));
    compiler->createPreprocessor(clang::TU_Complete);
    return compiler;
}

} // namespace saguaro::cilkc
