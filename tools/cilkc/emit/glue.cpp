// SPDX-License-Identifier: MIT
// Site constants, cold helpers, prototypes and ordinary entries around a procedure's clones.
#include "emit/glue.hpp"

#include "analyse/frame_layout.hpp"
#include "parse/declare.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <functional>

namespace saguaro::cilkc {

namespace {

std::string parameter_name(const clang::FunctionDecl &function, unsigned i) {
    const std::string name = function.getParamDecl(i)->getName().str();
    return name.empty() ? "_cilk_parameter_" + std::to_string(i + 1) : name;
}

// Under the user's head: a parameter without a name has no value that the body could use.
std::string value_of_parameter(const source_text &source, const clang::FunctionDecl &function,
                               unsigned i) {
    const clang::ParmVarDecl &parameter = *function.getParamDecl(i);
    return parameter.getName().empty() ? "(" + declare(source, parameter.getType(), "") + "){0}"
                                       : parameter.getName().str();
}

std::string size_of_result(const procedure &p) {
    const clang::QualType type = p.function->getReturnType();
    if (type->isVoidType())
        return "0";
    return "sizeof(((struct _cilk_frame_" + p.name + " *)0)->_cilk_result)";
}

// One site's constant, for frames of fast clones or of slow ones.
std::string site_constant(const procedure &p, const site &s, bool is_full) {
    const std::string number = std::to_string(s.number);
    const std::string frame = "struct _cilk_frame_" + p.name;
    const bool all = is_full || s.kind != site_kind::spawn;
    std::string text =
        std::string("static const sg_site _cilk_") + (is_full ? "full_" : "site_") + p.name + "_" +
        number + " = {.kind = &" + (is_full ? "sg_full_frames" : "sg_spawned_frames") +
        ", .code = _cilk_slow_" + p.name + ", .entry = " + number + ", .saved_size = sizeof(" +
        (all ? frame : "struct _cilk_saved_" + p.name) + "), .frame_size = sizeof(" + frame +
        "), .return_size = " + size_of_result(p);
    std::string member;
    if (s.kind == site_kind::call && !s.call->getType()->isVoidType())
        member = "_cilk_r" + number;
    else if (s.kind == site_kind::spawn && s.use == result_use::assigned && !needs_inlet(p, s))
        member = p.find(s.variable)->member;
    if (!member.empty())
        text += ", .result_offset = __builtin_offsetof(" + frame + ", " + member +
                "), .result_size = sizeof(((" + frame + " *)0)->" + member + ")";
    if (s.kind == site_kind::spawn && needs_inlet(p, s)) {
        text += ", .inlet = _cilk_inlet_" + p.name + "_" + number;
        if (!s.call->getType()->isVoidType())
            text += ", .result_size = sizeof(_cilk_type_" + p.name + "_" + number + ")";
        if (has_inlet_arguments(p, s))
            text += ", .argument_offset = __builtin_offsetof(" + frame + ", _cilk_arguments_" +
                    number + "), .argument_size = sizeof(struct _cilk_arguments_" + p.name + "_" +
                    number + ")";
    }
    if (p.has_cleanup())
        text += ", .cleanup = &_cilk_cleanup_" + p.name;
    return text + "};";
}

// A site of a slow clone's that is no point of the program.
std::string other_site(const procedure &p, const std::string &name, std::size_t number) {
    return "static const sg_site " + name + p.name +
           " = {.kind = &sg_full_frames, .code = _cilk_slow_" + p.name +
           ", .entry = " + std::to_string(number) + ", .saved_size = sizeof(struct _cilk_frame_" +
           p.name + "), .frame_size = sizeof(struct _cilk_frame_" + p.name +
           "), .return_size = " + size_of_result(p);
}

std::string free_parameters(const procedure &p) {
    return std::string(p.has_block() ? ", struct _cilk_block_" + p.name + " *_cilk_block" : "") +
           (p.has_chain ? ", void *_cilk_chain" : "") +
           (p.is_profiled ? ", sg_profile *_cilk_profile" : "");
}

std::string frees(const procedure &p) {
    return std::string(p.has_block() ? "sg_block_free(_cilk_block); " : "") +
           (p.has_chain ? "sg_block_free_all(_cilk_chain); " : "") +
           (p.is_profiled ? "sg_profile_drop(_cilk_profile); " : "");
}

constexpr const char *cold = "__attribute__((noinline, cold)) static ";

std::string stolen_helper(const source_text &source, const procedure &p, const site &s) {
    const bool is_void = s.call->getType()->isVoidType();
    std::string text = cold;
    text += "int _cilk_stolen_" + p.name + "_" + std::to_string(s.number) +
            "(sg_deque *_cilk_deque, sg_frame **_cilk_tail" +
            (is_void ? "" : ", " + declare(source, s.call->getType(), "_cilk_r")) +
            free_parameters(p) + ") { int state = sg_is_stolen(_cilk_deque, _cilk_tail, " +
            (is_void ? "(void *)0" : "&_cilk_r") + "); ";
    if (!frees(p).empty())
        text += "if (state == 2) { " + frees(p) + "} ";
    return text + "return state; }";
}

std::string suspend_helper(const source_text &source, const procedure &p, const site &s) {
    const bool is_void = s.call->getType()->isVoidType();
    const std::string number = p.name + "_" + std::to_string(s.number);
    const std::string late = "struct _cilk_late_" + number;
    std::string text;
    if (!is_void)
        text = late + " { int state; " + declare(source, s.call->getType(), "result") + "; }; ";
    text += cold + (is_void ? std::string("int") : late) + " _cilk_suspend_" + number +
            "(sg_deque *_cilk_deque";
    if (p.has_saved_state())
        text += ", const struct _cilk_saved_" + p.name + " *_cilk_saved";
    else if (p.has_block())
        text += ", struct _cilk_block_" + p.name + " *_cilk_block";
    for (const clang::VarDecl *v : s.live)
        text += ", " + declare(source, v->getType(), v->getName().str());
    text += ") { struct _cilk_frame_" + p.name + " _cilk_frame; ";
    if (p.has_saved_state())
        text += "__builtin_memcpy(&_cilk_frame, _cilk_saved, sizeof *_cilk_saved); ";
    else if (p.has_block())
        text += "_cilk_frame._cilk_block = _cilk_block; ";
    text += "_cilk_frame.head.site = &_cilk_site_" + number + "; ";
    for (const clang::VarDecl *v : s.live)
        text += "_cilk_frame." + p.find(v)->member + " = " + v->getName().str() + "; ";
    const std::string call = "sg_suspend(_cilk_deque, &_cilk_frame.head, ";
    const std::string state = is_void ? "_cilk_state" : "_cilk_late.state";
    if (is_void)
        text += "int _cilk_state = " + call + "(void *)0); ";
    else
        text += late + " _cilk_late; _cilk_late.state = " + call + "&_cilk_late.result); ";
    if (!frees(p).empty())
        text += "if (" + state + " == 2) { " +
                (p.has_block() ? "sg_block_free(_cilk_frame._cilk_block); " : "") +
                (p.has_chain ? "sg_block_free_all(_cilk_frame._cilk_chain); " : "") +
                (p.is_profiled ? "sg_profile_drop(_cilk_frame._cilk_profile); " : "") + "} ";
    return text + "return " + (is_void ? "_cilk_state" : "_cilk_late") + "; }";
}

// Whether `holds` is true of a part of the statement, or of all of it.
bool has_part(const clang::Stmt &all, const std::function<bool(const clang::Stmt &)> &holds) {
    if (holds(all))
        return true;
    for (const clang::Stmt *part : all.children())
        if (part != nullptr && has_part(*part, holds))
            return true;
    return false;
}

// Whether the flow may come by the site again: it is in a loop, or a label may lead back to it.
bool may_come_again(const procedure &p, const site &s) {
    const auto is_site = [&](const clang::Stmt &part) { return &part == s.statement; };
    return has_part(*p.function->getBody(), [&](const clang::Stmt &part) {
        const bool is_loop = llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(part);
        return llvm::isa<clang::LabelStmt>(part) || (is_loop && has_part(part, is_site));
    });
}

} // namespace

bool has_silent_clone(const clang::FunctionDecl &function) {
    return function.getDefinition() != nullptr;
}

std::string silent_name(const clang::FunctionDecl &function) {
    return "_cilk_silent_" + function.getNameAsString();
}

bool begins_late(const procedure &p) {
    unsigned spawns = 0;
    for (const site &s : p.sites)
        if (s.kind == site_kind::spawn && (++spawns > 1 || may_come_again(p, s)))
            return true;
    return false;
}

std::string fast_name(const procedure &p) {
    return (p.external ? "_cilk_local_" : "_cilk_fast_") + p.name;
}

std::string clone_header(const source_text &source, const clang::FunctionDecl &function,
                         const std::string &name) {
    std::string text = name + "(sg_deque *_cilk_deque, sg_frame **_cilk_tail";
    for (unsigned i = 0; i < function.getNumParams(); ++i)
        text += ", " +
                declare(source, function.getParamDecl(i)->getType(), parameter_name(function, i));
    return declare(source, function.getReturnType(), text + ")");
}

std::vector<std::string> site_texts(const procedure &p) {
    std::vector<std::string> texts;
    const std::size_t last = p.sites.size();
    if (p.has_cleanup())
        texts.push_back(other_site(p, "_cilk_cleanup_", last + 2) + "};");
    for (const site &s : p.sites) {
        if (!s.is_left())
            continue;
        if (s.kind != site_kind::sync)
            texts.push_back(site_constant(p, s, false));
        texts.push_back(site_constant(p, s, true));
    }
    texts.push_back(other_site(p, "_cilk_end_", last + 1) +
                    (p.has_cleanup() ? ", .cleanup = &_cilk_cleanup_" + p.name : "") + "};");
    return texts;
}

std::vector<std::string> helper_texts(const source_text &source, const procedure &p) {
    std::vector<std::string> texts;
    const clang::QualType type = p.function->getReturnType();
    bool is_left = false;
    for (const site &s : p.sites)
        is_left |= s.is_left() && s.kind != site_kind::sync;
    if (is_left && !type->isVoidType() && !type->isScalarType())
        texts.push_back("static const " + declare(source, type, "_cilk_nothing_" + p.name) +
                        " = {0};");
    for (const site &s : p.sites)
        if (s.kind == site_kind::spawn)
            texts.push_back(stolen_helper(source, p, s));
        else if (s.kind == site_kind::call && s.is_left())
            texts.push_back(suspend_helper(source, p, s));
    return texts;
}

std::vector<std::string> entry_texts(const source_text &source, const procedure &p) {
    const clang::FunctionDecl &function = *p.function;
    const bool is_void = function.getReturnType()->isVoidType();
    std::string members;
    std::string arguments;
    for (unsigned i = 0; i < function.getNumParams(); ++i) {
        const std::string name = "a" + std::to_string(i + 1);
        members += " " + declare(source, function.getParamDecl(i)->getType(), name) + ";";
        arguments += (i == 0 ? "" : ", ") + ("_cilk_call->" + name);
    }
    if (!is_void)
        members += " " + declare(source, function.getReturnType(), "result") + ";";
    const std::string call = p.name + "(" + arguments + ");";
    if (members.empty())
        return {"static void _cilk_run_" + p.name + "(void *_cilk_argument);",
                "static void _cilk_run_" + p.name +
                    "(void *_cilk_argument) { (void)_cilk_argument; " + call + " }"};
    return {"struct _cilk_call_" + p.name + " {" + members + " };",
            "static void _cilk_run_" + p.name + "(void *_cilk_argument);",
            "static void _cilk_run_" + p.name + "(void *_cilk_argument) { struct _cilk_call_" +
                p.name + " *_cilk_call = _cilk_argument; " +
                (is_void ? "" : "_cilk_call->result = ") + call + " }"};
}

std::string entry_body(const source_text &source, const procedure &p, bool is_profiled) {
    const clang::FunctionDecl &function = *p.function;
    const bool is_void = function.getReturnType()->isVoidType();
    std::string arguments;
    std::string stores;
    for (unsigned i = 0; i < function.getNumParams(); ++i) {
        const std::string value = value_of_parameter(source, function, i);
        arguments += ", " + value;
        stores += "_cilk_call.a" + std::to_string(i + 1) + " = " + value + "; ";
    }
    std::string text = "{ sg_frame **_cilk_tail; sg_deque *_cilk_deque = sg_enter(&_cilk_tail); "
                       "if (_cilk_deque == (void *)0) { ";
    if (is_void && stores.empty())
        text += "sg_run(_cilk_run_" + p.name + ", (void *)0); return; } ";
    else
        text += "struct _cilk_call_" + p.name + " _cilk_call; " + stores + "sg_run(_cilk_run_" +
                p.name + ", &_cilk_call); return" + (is_void ? "" : " _cilk_call.result") + "; } ";
    const std::string call = fast_name(p) + "(_cilk_deque, _cilk_tail" + arguments + "); ";
    const std::string result = is_void ? "(void *)0" : "&_cilk_result";
    std::string await = "sg_await(_cilk_deque, " + result + "); ";
    std::string end;
    if (is_profiled) {
        text += "sg_profile *_cilk_profile = sg_profile_begin(_cilk_deque); ";
        await = "{ " + await + "sg_profile_go_on(_cilk_deque, _cilk_profile); } ";
        end = "sg_profile_end(_cilk_deque, _cilk_profile); ";
    }
    if (!is_void)
        text += declare(source, function.getReturnType(), "_cilk_result") + " = ";
    return text + call + "if (__builtin_expect(_cilk_deque->incomplete != (void *)0, 0)) " + await +
           end + (is_void ? "}" : "return _cilk_result; }");
}

std::string exported_entry(const source_text &source, const procedure &p) {
    const clang::FunctionDecl &function = *p.function;
    std::string text = "mt_" + p.name + "(sg_mit_context *_cilk_context";
    std::string arguments;
    for (unsigned i = 0; i < function.getNumParams(); ++i) {
        const std::string name = parameter_name(function, i);
        text += ", " + declare(source, function.getParamDecl(i)->getType(), name);
        arguments += (i == 0 ? "" : ", ") + name;
    }
    text = declare(source, function.getReturnType(), text + ")");
    return text + "; " + text + " { (void)_cilk_context; " +
           (function.getReturnType()->isVoidType() ? "" : "return ") + p.name + "(" + arguments +
           "); }";
}

} // namespace saguaro::cilkc
