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

namespace saguaro::cilkc {

namespace {

llvm::StringRef reference(std::string_view text) {
    return {text.data(), text.size()};
}

std::shared_ptr<clang::CompilerInvocation> make_invocation(std::span<const char *const> macros,
                                                           standard version) {
    auto invocation = std::make_shared<clang::CompilerInvocation>();
    invocation->getTargetOpts().Triple = llvm::sys::getDefaultTargetTriple();
    std::vector<std::string> no_includes;
    clang::LangOptions &language = invocation->getLangOpts();
    clang::LangOptions::setLangDefaults(
        language, clang::Language::C, llvm::Triple(invocation->getTargetOpts().Triple), no_includes,
        version == standard::c23 ? clang::LangStandard::lang_gnu23
                                 : clang::LangStandard::lang_gnu17);
    language.SpellChecking = false;
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
    constexpr std::string_view definition = "#define __STDC_VERSION__ ";
    constexpr std::string_view c17 = "201710L";
    const std::size_t at = text.find(definition);
    return at != text.npos && text.substr(at + definition.size(), c17.size()) > c17 ? standard::c23
                                                                                    : standard::c17;
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
