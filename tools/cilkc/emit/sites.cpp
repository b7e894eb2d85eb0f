// SPDX-License-Identifier: MIT
// What becomes of spawns, calls and syncs in the clones. Each is one line, the user's.
#include "analyse/frame_layout.hpp"
#include "emit/clone.hpp"
#include "parse/syntax.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace saguaro::cilkc {

namespace {

std::string name_at(const char *kind, const procedure &p, const site &s) {
    return kind + p.name + "_" + std::to_string(s.number);
}

std::string label(const site &s) {
    return "_cilk_at_" + std::to_string(s.number);
}

std::string temporary(unsigned i) {
    return "_cilk_" + std::to_string(i + 1);
}

// An argument before the call makes a transparent union of it.
const clang::Expr &value_of(const clang::Expr &argument) {
    const auto *literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(peel(&argument));
    const clang::Expr *given = literal != nullptr ? given_to_union(*literal) : nullptr;
    return given != nullptr ? *given : argument;
}

} // namespace

// What an unwinding clone returns.
std::string nothing(const procedure &p) {
    const clang::QualType type = p.function->getReturnType();
    if (type->isVoidType())
        return "";
    return type->isScalarType() ? " 0" : " _cilk_nothing_" + p.name;
}

// A call of an inlet in the serial elision.
std::string clone_writer::serial_text(const site &s) const {
    const bool is_void = s.call->getType()->isVoidType();
    std::string text = "{ " +
                       (is_void ? "" : declare(source_, s.call->getType(), "_cilk_r") + " = ") +
                       text_of(*s.call) + "; ";
    if (s.destination != nullptr)
        text += text_of(*s.destination) + " = ";
    text += "_cilk_in_" + p_.name + "_" + s.in->name->getNameAsString() + "(&_cilk_frame, 0" +
            (is_void ? "" : ", _cilk_r");
    for (const clang::Expr *argument : s.inlet_arguments)
        text += ", " + text_of(*argument);
    return text + "); }";
}

std::string clone_writer::site_text(const site &s) {
    if (which_ == clone::serial)
        return serial_text(s);
    switch (s.kind) {
    case site_kind::spawn:
        return "{ { " + spawn_text(s) + " }";
    case site_kind::call:
        return "{ " + call_text(s) + " }";
    case site_kind::sync:
        break;
    }
    return sync_text(s);
}

// The arguments' values come before all else: they belong to the parent's strand.
std::string clone_writer::arguments(const site &s) const {
    std::string text;
    if (s.call->getDirectCallee() == nullptr)
        text += declare(source_, s.call->getCallee()->getType(), "_cilk_callee") + " = " +
                text_of(*s.call->getCallee()) + "; ";
    for (unsigned i = 0; i < s.call->getNumArgs(); ++i)
        text += declare(source_, value_of(*s.call->getArg(i)).getType(), temporary(i)) + " = " +
                text_of(*s.call->getArg(i)) + "; ";
    return text;
}

std::string clone_writer::call_expression(const site &s) const {
    std::string text;
    const char *separator = "";
    if (s.callee != nullptr) {
        text = "_cilk_fast_" + s.callee->getNameAsString() + "(_cilk_deque, _cilk_tail" +
               (s.kind == site_kind::spawn ? " + 1" : "");
        separator = ", ";
    } else {
        text = (s.call->getDirectCallee() == nullptr ? "_cilk_callee"
                                                     : text_of(*s.call->getCallee())) +
               "(";
    }
    for (unsigned i = 0; i < s.call->getNumArgs(); ++i) {
        text += separator + temporary(i);
        separator = ", ";
    }
    return text + ")";
}

std::string clone_writer::use_result(const site &s) {
    switch (s.use) {
    case result_use::none:
        return s.call->getType()->isVoidType() ? "" : "(void)_cilk_r;";
    case result_use::assigned:
        return access(*s.variable) + " = _cilk_r;";
    case result_use::stored:
        return text_of(*s.destination) + " " + s.operation + " _cilk_r;";
    case result_use::returned:
        if (s.call->getType()->isVoidType())
            return return_value("");
        return return_value("_cilk_r");
    case result_use::to_inlet:
        break;
    }
    return "";
}

// A child may run in this thread, and what comes behind the spawn in another one.
std::string clone_writer::save_errno() const {
    return p_.saves_errno ? frame("_cilk_errno") + " = *__errno_location(); " : "";
}

std::string clone_writer::restore_errno() const {
    return p_.saves_errno ? " *__errno_location() = " + frame("_cilk_errno") + ";" : "";
}

// What is live, into the frame. There a child that is out writes its result.
std::string clone_writer::save(const site &s) const {
    std::string text;
    for (const clang::VarDecl *v : s.live)
        if (access(*v) == v->getName())
            text += (is_result(*v) ? "if (!" + is_out(*v) + ") " : "") + frame(p_.find(v)->member) +
                    " = " + v->getName().str() + "; ";
    return text;
}

std::string clone_writer::restore(const site &s) const {
    std::string text;
    for (const clang::VarDecl *v : s.live)
        if (access(*v) == v->getName())
            text += (is_result(*v) ? "if (!" + is_out(*v) + ") " : "") + v->getName().str() +
                    " = " + frame(p_.find(v)->member) + "; ";
    return text;
}

// Whether a slow clone has the variable from children at times.
bool clone_writer::is_result(const clang::VarDecl &v) const {
    return which_ == clone::slow && p_.find(&v)->at == home::result;
}

std::string clone_writer::is_out(const clang::VarDecl &v) const {
    return frame("_cilk_out_" + p_.find(&v)->member);
}

// The results that children have left in a slow clone's frame, each as an operand before a comma.
std::string clone_writer::fetch(span where) const {
    std::string text;
    for (const clang::VarDecl *v : p_.at_home(home::result))
        if (is_result(*v) && source_.offset(v->getLocation()) < where.begin &&
            where.end <= p_.find(v)->scope.end)
            text += "(void)(" + is_out(*v) + " && ((void)(" + v->getName().str() + " = " +
                    frame(p_.find(v)->member) + "), (void)(" + is_out(*v) + " = 0), 1)), ";
    return text;
}

std::string clone_writer::inlet_arguments(const site &s) const {
    const std::string to = frame("_cilk_arguments_" + std::to_string(s.number)) + ".";
    std::string text;
    const bit_field field = bit_field_of(s);
    if (stores_by_address(p_, s))
        text += to + "to = " + (field.is_pointer ? "(" : "&(") +
                (field.owner != nullptr     ? text_of(*field.owner)
                 : s.destination != nullptr ? text_of(*s.destination)
                                            : access(*s.variable)) +
                "); ";
    unsigned i = 0;
    for (const clang::Expr *argument : s.inlet_arguments)
        text += to + "a" + std::to_string(++i) + " = " + text_of(*argument) + "; ";
    return text;
}

// Leaves a clone whose activation goes on elsewhere, or not at all.
std::string clone_writer::return_if(const std::string &condition) const {
    const std::string leaves = "return" + (which_ == clone::slow ? "" : nothing(p_)) + "; ";
    if (!p_.is_profiled)
        return "if (" + condition + ") " + leaves;
    return "if (" + condition + ") { " + profile_leave() + leaves + "} ";
}

std::string clone_writer::spawn_text(const site &s) {
    const bool is_void = s.call->getType()->isVoidType();
    const bool is_slow = which_ == clone::slow;
    const std::string result = declare(source_, s.call->getType(), "_cilk_r");
    std::string text =
        arguments(s) + inlet_arguments(s) + save_errno() + save(s) + profile("spawn");
    text += frame("head.site") + " = &" + name_at(is_slow ? "_cilk_full_" : "_cilk_site_", p_, s) +
            "; ";
    text += "sg_push(_cilk_tail, &" + frame("head") + "); ";
    // Plain C does not say when it begins and ends.
    const bool is_measured_here = p_.is_profiled && s.callee == nullptr;
    if (is_measured_here)
        text += "sg_profile *_cilk_child = sg_profile_begin(_cilk_deque); ";
    text += (is_void ? "" : result + " = ") + call_expression(s) + "; " +
            (is_measured_here ? "sg_profile_end(_cilk_deque, _cilk_child); " : "") +
            profile("returned");
    const std::string pop = "sg_pop(_cilk_deque, _cilk_tail) && ";
    if (is_slow)
        text += return_if(pop + "sg_is_stolen(_cilk_deque, _cilk_tail, " +
                          (is_void ? "(void *)0" : "&_cilk_r") + ")");
    else
        text += return_if(pop + name_at("_cilk_stolen_", p_, s) + "(_cilk_deque, _cilk_tail" +
                          (is_void ? "" : ", _cilk_r") + (p_.has_block() ? ", _cilk_block" : "") +
                          (p_.has_chain ? ", " + frame("_cilk_chain") : "") +
                          (p_.is_profiled ? ", " + frame("_cilk_profile") : "") + ")");
    text += profile("go_on");
    if (needs_inlet(p_, s))
        text +=
            name_at("_cilk_inlet_", p_, s) + "(&" + frame("head") + ", " + (is_slow ? "1" : "0") +
            ", " +
            (has_inlet_arguments(p_, s) ? "&" + frame("_cilk_arguments_" + std::to_string(s.number))
                                        : "(void *)0") +
            ", " + (is_void ? "(void *)0" : "&_cilk_r") + ");";
    else
        text += use_result(s);
    text += " }";
    if (is_slow) {
        if (has_inlets(p_))
            text += " sg_poll(&_cilk_frame->head);";
        text += " if (0) { " + label(s) + ": ; " + restore(s);
        if (s.use == result_use::assigned && is_result(*s.variable))
            text += is_out(*s.variable) + " = 1; ";
        text += profile("go_on") + "}";
    }
    return text + restore_errno();
}

std::string clone_writer::call_text(const site &s) {
    const bool is_void = s.call->getType()->isVoidType();
    const std::string result = declare(source_, s.call->getType(), "_cilk_r");
    if (s.callee == nullptr)
        return arguments(s) + (is_void ? "" : result + " = ") + call_expression(s) + "; " +
               use_result(s);
    std::string text =
        arguments(s) + save_errno() + (is_void ? "" : result + " = ") + call_expression(s) + "; ";
    text += "if (__builtin_expect(_cilk_deque->incomplete != (void *)0, 0)";
    if (which_ == clone::slow) {
        text += ") { " + save(s) + "_cilk_frame->head.site = &" + name_at("_cilk_full_", p_, s) +
                "; " +
                return_if("sg_suspend(_cilk_deque, &_cilk_frame->head, " +
                          std::string(is_void ? "(void *)0" : "&_cilk_r") + ")") +
                profile("go_on") + "} ";
        text +=
            "if (0) { " + label(s) + ": ; " + restore(s) +
            (is_void ? "" : "_cilk_r = _cilk_frame->_cilk_r" + std::to_string(s.number) + "; ") +
            profile("go_on") + "}" + restore_errno() + " ";
        return text + use_result(s);
    }
    std::string call = name_at("_cilk_suspend_", p_, s) + "(_cilk_deque";
    if (p_.has_saved_state())
        call += ", &_cilk_frame";
    else if (p_.has_block())
        call += ", _cilk_block";
    for (const clang::VarDecl *v : s.live)
        call += ", " + v->getName().str();
    call += ")";
    if (is_void)
        text += ") { " + return_if(call) + profile("go_on") + "} ";
    else
        text += ") { struct " + name_at("_cilk_late_", p_, s) + " _cilk_late = " + call + "; " +
                return_if("_cilk_late.state") + "_cilk_r = _cilk_late.result; " + profile("go_on") +
                "} ";
    return text + restore_errno() + " " + use_result(s);
}

std::string clone_writer::sync_text(const site &s) {
    if (which_ == clone::fast)
        return p_.is_profiled ? "{ " + profile("sync") + "}" : ";";
    std::string fetched = fetch(s.where);
    if (!fetched.empty())
        fetched += "(void)0; ";
    return "{ " + save_errno() + save(s) + profile("wait") +
           "if (sg_sync(_cilk_deque, &_cilk_frame->head, &" + name_at("_cilk_full_", p_, s) +
           ")) return; if (0) { " + label(s) + ": ; " + restore(s) + "}" + restore_errno() + " " +
           fetched + profile("go_on") + profile("sync") + "}";
}

} // namespace saguaro::cilkc
