// SPDX-License-Identifier: MIT
// Calling Clang's parser on a text in memory, and sorting out its diagnostics.
#include "parse/unit.hpp"

#include "parse/marked_bodies.hpp"
#include "parse/markers.hpp"
#include "text/compiler.hpp"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Parse/ParseAST.h>

#include <algorithm>

namespace saguaro::cilkc {

namespace {

constexpr std::string_view marker_prefix = "_Cilk_";

// What Clang sees in the markers' place, and in the place of the types that gcc knows.
constexpr const char *c_macros[] = {
    "_Cilk_spawn=__extension__",
    "_Cilk_sync=__extension__ (void)0",
    "_Cilk_for=[[clang::suppress(\"cilk for\")]] for",
    "_Cilk_grain=__extension__ (void)",
    "_Cilk_scope=[[clang::suppress(\"cilk scope\")]]",
    "_Cilk_spawn_block=[[clang::suppress(\"cilk spawn block\")]]",
    "_Cilk_procedure=__attribute__((annotate(\"cilk procedure\")))",
    "_Cilk_inlet=__attribute__((annotate(\"cilk inlet\")))",
    "_Cilk_inlet_body=[[clang::suppress(\"cilk inlet body\")]]",
    "_Cilk_inlet_return=__extension__ (void)",
    "_Cilk_inlet_call=__extension__ (void)",
    "_Cilk_abort=__extension__ (void)0",
    "_Cilk_synched=(__extension__ 1)",
    // The arguments of an attribute are constants, and functions may be in variables.
    "_Cilk_reducer(I, R)=__attribute__((annotate(\"cilk reducer\", sizeof(I), sizeof(R))))",
    "_Float128=__float128",
    "_Float32=float",
    "_Float32x=double",
    "_Float64=double",
    "_Float64x=long double",
    "__float80=long double",
};

// In C++ the types that gcc knows are those of a header, or Clang's own; but for one, which is
// long double.
constexpr const char *cxx_macros[] = {
    "__float80=long double",
    "_Cilk_spawn=__extension__",
    "_Cilk_Spawn=[[clang::suppress(\"cilk spawn\")]]",
    "_Cilk_value=",
    "_Cilk_sync=__extension__ (void)0",
    "_Cilk_for=[[clang::suppress(\"cilk for\")]] for",
    "_Cilk_scope=[[clang::suppress(\"cilk scope\")]]",
    "_Cilk_reducer(...)=[[clang::annotate_type(\"cilk reducer\", "
    "::saguaro::cilk::identity_and_reduction(__VA_ARGS__))]]",
    "_Hyperobject(...)=[[clang::annotate_type(\"cilk reducer\", "
    "::saguaro::cilk::identity_and_reduction(__VA_ARGS__))]]",
    "__cilk_indices(T, N)=__make_integer_seq<::saguaro::cilk::index_list<T>::template list,"
    "decltype(sizeof 0), N>",
};

// What gcc's C++ library has as `list<T, __integer_pack(N)...>`, by the builtin of Clang's, in as
// many characters: without it neither std::index_sequence nor anything made of it is known.
std::string with_clangs_sequences(std::string text) {
    constexpr std::string_view word = "__integer_pack(", behind = ")...>";
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        const std::size_t close = std::min(text.find(')', at), text.size());
        const std::size_t open = text.rfind('<', at);
        if (open == text.npos || text.compare(close, behind.size(), behind) != 0)
            continue;
        const std::size_t name = text.find_last_of(" \t\n=", open) + 1;
        const std::string list = text.substr(name, open - name);
        const std::string before = text.substr(open + 1, at - open - 1); // `T, `, or nothing
        const std::string count = text.substr(at + word.size(), close - at - word.size());
        std::string sequence = before.empty()
                                   ? "__cilk_indices(" + list + "," + count + ")"
                                   : "__make_integer_seq<" + list + "," +
                                         before.substr(0, before.find(',')) + "," + count + ">";
        const std::size_t length = close + behind.size() - name;
        if (sequence.size() > length)
            continue;
        sequence.resize(length, ' ');
        text.replace(name, length, sequence);
    }
    return text;
}

// The braces of the outermost level: bodies, and what else stands in such braces.
struct group {
    unsigned begin;
    unsigned end;
    bool has_marker;
};

std::vector<group> outermost_groups(const std::string &text, const clang::LangOptions &options) {
    std::vector<group> groups;
    clang::Lexer lexer(clang::SourceLocation(), options, text.data(), text.data(),
                       text.data() + text.size());
    unsigned braces = 0;
    unsigned parentheses = 0;
    clang::Token token;
    while (lexer.LexFromRawLexer(token), !token.is(clang::tok::eof)) {
        const unsigned at = lexer.getCurrentBufferOffset() - token.getLength();
        if (token.is(clang::tok::hash) && token.isAtStartOfLine()) {
            lexer.seek(static_cast<unsigned>(std::min(text.find('\n', at), text.size())), true);
        } else if (token.is(clang::tok::l_paren)) {
            ++parentheses;
        } else if (token.is(clang::tok::r_paren) && parentheses != 0) {
            --parentheses;
        } else if (token.is(clang::tok::l_brace)) {
            if (braces++ == 0 && parentheses == 0)
                groups.push_back({at, at, false});
        } else if (token.is(clang::tok::r_brace) && braces != 0) {
            if (--braces == 0 && parentheses == 0 && !groups.empty())
                groups.back().end = at;
        } else if (token.is(clang::tok::raw_identifier) && braces != 0 && !groups.empty()) {
            const std::string_view name(text.data() + at, token.getLength());
            groups.back().has_marker |= name.substr(0, marker_prefix.size()) == marker_prefix;
        }
    }
    return groups;
}

// Keeps the bodies without markers from being parsed. Where there are reducers, plain functions of
// the user's may use them, too.
class body_filter : public clang::ASTConsumer {
public:
    body_filter(std::vector<group> groups, const clang::SourceManager &sources, bool reducers)
        : groups_(std::move(groups)), sources_(sources), reducers_(reducers) {}

    bool shouldSkipFunctionBody(clang::Decl *declaration) override {
        if (has_annotation(*declaration, "cilk procedure"))
            return false;
        if (reducers_ && !sources_.isInSystemHeader(declaration->getLocation()))
            return false;
        const unsigned name =
            sources_.getFileOffset(sources_.getExpansionLoc(declaration->getLocation()));
        const auto body =
            std::lower_bound(groups_.begin(), groups_.end(), name,
                             [](const group &g, unsigned offset) { return g.begin < offset; });
        return body == groups_.end() || !body->has_marker;
    }

private:
    std::vector<group> groups_;
    const clang::SourceManager &sources_;
    bool reducers_;
};

// The same for C++, where braces are of namespaces and classes, too.
class cxx_body_filter : public clang::ASTConsumer {
public:
    cxx_body_filter(marked_bodies bodies, const clang::SourceManager &sources, bool reducers)
        : bodies_(std::move(bodies)), sources_(sources), reducers_(reducers) {}

    bool shouldSkipFunctionBody(clang::Decl *declaration) override {
        if (reducers_ && !sources_.isInSystemHeader(declaration->getLocation()))
            return false;
        return !bodies_.has_marker(
            sources_.getFileOffset(sources_.getExpansionLoc(declaration->getLocation())));
    }

private:
    marked_bodies bodies_;
    const clang::SourceManager &sources_;
    bool reducers_;
};

// Collects the errors that are the user's. What a system's header has that Clang does not know is
// the C compiler's affair; but a marker in the user's file is the user's even if it comes out of a
// macro of such a header.
class error_collector : public clang::DiagnosticConsumer {
public:
    error_collector(std::vector<problem> &found, std::string main_file)
        : problems_(found), main_file_(std::move(main_file)) {}

    void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                          const clang::Diagnostic &diagnostic) override {
        if (level < clang::DiagnosticsEngine::Error)
            return;
        llvm::SmallString<128> text;
        diagnostic.FormatDiagnostic(text);
        if (!diagnostic.getLocation().isValid()) {
            problems_.push_back({"cilk2c", 0, 0, text.str().str()});
            return;
        }
        const clang::SourceManager &sources = diagnostic.getSourceManager();
        const clang::PresumedLoc where =
            sources.getPresumedLoc(sources.getExpansionLoc(diagnostic.getLocation()));
        if (sources.isInSystemHeader(diagnostic.getLocation()) && where.getFilename() != main_file_)
            return;
        problems_.push_back(
            {where.getFilename(), where.getLine(), where.getColumn(), text.str().str()});
    }

private:
    std::vector<problem> &problems_;
    std::string main_file_;
};

// Without this, __builtin_inf() would be some function without a declaration: an int. Those whose
// arguments' types are checked in ways of their own, as atomic operations, gcc and clang check each
// in its way: they are left to the compiler behind.
// In C++ headers have templates that call them: there Clang's own checks count.
void declare_builtins(clang::Preprocessor &preprocessor) {
    clang::Builtin::Context &builtins = preprocessor.getBuiltinInfo();
    clang::IdentifierTable &names = preprocessor.getIdentifierTable();
    builtins.initializeBuiltins(names, preprocessor.getLangOpts());
    if (preprocessor.getLangOpts().CPlusPlus)
        return;
    for (unsigned id = clang::Builtin::NotBuiltin + 1; id < clang::Builtin::FirstTSBuiltin; ++id)
        if (builtins.hasCustomTypechecking(id))
            names.get(builtins.getName(id)).clearBuiltinID();
}

} // namespace

unit::unit(std::string text, std::string_view name, standard version)
    : text_(std::move(text)), parsed_(with_clangs_sequences(text_)),
      compiler_(make_compiler(parsed_, name, version,
                              is_cxx(version) ? std::span<const char *const>(cxx_macros) : c_macros,
                              new error_collector(errors_, line_map(text_).main_file()))) {
    if (!compiler_->hasPreprocessor())
        return;
    declare_builtins(compiler_->getPreprocessor());
    compiler_->createASTContext();
    const clang::SourceManager &sources = compiler_->getSourceManager();
    const bool reducers = text_.find("_Cilk_reducer") != text_.npos;
    if (is_cxx(version)) {
        compiler_->setASTConsumer(std::make_unique<cxx_body_filter>(
            marked_bodies(text_, compiler_->getLangOpts()), sources,
            reducers || text_.find("_Hyperobject") != text_.npos));
    } else {
        compiler_->setASTConsumer(std::make_unique<body_filter>(
            outermost_groups(text_, compiler_->getLangOpts()), sources, reducers));
    }
    compiler_->createSema(clang::TU_Complete, nullptr);
    compiler_->getDiagnosticClient().BeginSourceFile(compiler_->getLangOpts(),
                                                     &compiler_->getPreprocessor());
    clang::ParseAST(compiler_->getSema(), false, true);
    compiler_->getDiagnosticClient().EndSourceFile();
}

unit::~unit() = default;

clang::ASTContext &unit::ast() const {
    return compiler_->getASTContext();
}

} // namespace saguaro::cilkc
