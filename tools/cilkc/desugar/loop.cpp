// SPDX-License-Identifier: MIT
// cilk_for (T i = first; i < limit; i += step) body becomes a call of sg_for, which divides the
// numbers of the iterations among the workers, and a function for a range of them:
//
//     struct _cilk_loop_1 { ...captured...; T _cilk_first; sg_uint64 _cilk_stride; };
//     static void _cilk_loop_1(void *, sg_uint64, sg_uint64) {
//         ...
//         T _cilk_now = (T)(first + _cilk_at * stride);
//         for (; _cilk_at < _cilk_end; _cilk_at++, _cilk_now += step) {
//             T i = _cilk_now;
//             body
//         }
//     }
//
// Numbers, distances and strides are sg_uint64 and wrap: so every range of every integer type
// works, up and down. A loop until `!=` may pass its type's last value, as in a serial program: its
// distance is counted in as many bits as the variable has. A stride that does not divide this
// distance is undefined, as with Cilk Plus; the loop then ends before it would pass the limit.
// Where an integer is wider than 64 bits, distances and strides have 128. Within a range the
// variable steps as the program says. A body that spawns is a function of its own, with a sync at
// its end as any.
#include "desugar/loop.hpp"

#include "desugar/captures.hpp"
#include "desugar/program.hpp"
#include "parse/declare.hpp"
#include "parse/markers.hpp"
#include "rules/loop_header.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

namespace {

// The `continue`s that belong to the loop with this body.
void find_continues(const clang::Stmt &s, std::vector<const clang::ContinueStmt *> &found) {
    if (const auto *one = llvm::dyn_cast<clang::ContinueStmt>(&s))
        found.push_back(one);
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(s))
        return;
    for (const clang::Stmt *child : s.children())
        if (child != nullptr)
            find_continues(*child, found);
}

// Whether each two values of the type have a distance in its own bits.
bool can_wrap(clang::QualType type) {
    return type->isIntegerType() && !type->isBooleanType();
}

bool is_wide(const rewriting &work, clang::QualType type) {
    return type->isIntegerType() && work.source.ast().getIntWidth(type) > 64;
}

const char *sign_of(loop_limit until) {
    switch (until) {
    case loop_limit::below:
        return "<";
    case loop_limit::up_to:
        return "<=";
    case loop_limit::above:
        return ">";
    case loop_limit::down_to:
        return ">=";
    case loop_limit::other:
        break;
    }
    return "!=";
}

class loop_writer {
public:
    loop_writer(rewriting &work, const clang::FunctionDecl &function, const clang::Stmt &loop,
                const loop_header &header)
        : work_(work), function_(function), loop_(loop), header_(header),
          number_(std::to_string(work.next_number())), name_("_cilk_loop_" + number_),
          type_(header.variable->getType().getUnqualifiedType()),
          is_wide_(is_wide(work, type_) || is_wide(work, header.compared)),
          spawns_(has_spawns(work.source, *header.body)) {}

    void run(around_function &around) {
        const std::string call_begin = distance();
        captured_ = take_captures(work_, function_, *header_.body, header_.variable);
        around.before += structure();
        around.behind += function_text();
        work_.edits.replace(work_.source.statement(loop_.getSourceRange()), call_begin + call(),
                            true);
    }

private:
    std::string named(const char *what) const { return "_cilk_" + (what + ("_" + number_)); }

    std::string declared(clang::QualType type, const std::string &name) const {
        return declared_as(work_.source.ast(), type, name);
    }

    // The types of distances and strides.
    const char *number() const { return is_wide_ ? "__uint128_t" : "sg_uint64"; }
    const char *signed_number() const { return is_wide_ ? "__int128_t" : "sg_int64"; }
    std::string as_number(const std::string &text) const {
        return std::string("(") + number() + ")" + text;
    }

    // What one iteration adds, as a number that wraps.
    std::string stride_value() const {
        if (header_.fixed)
            return as_number(std::to_string(*header_.fixed) + "LL");
        return (header_.minus ? "0 - " : "") + as_number("(" + work_.text_of(*header_.step) + ")");
    }

    // The same to be added to the variable, in its own arithmetic: what overflows there overflows
    // in the serial program, so compilers may take it that nothing does, as they do there.
    std::string step_value() const {
        if (!header_.fixed)
            return std::string("(") + signed_number() + ")_cilk_stride";
        const bool is_int = *header_.fixed == static_cast<int>(*header_.fixed);
        return std::to_string(*header_.fixed) + (is_int ? "" : "LL");
    }

    // Declares the first value, the limit, the stride and the number of iterations.
    std::string distance() const {
        const std::string first = named("first"), limit = named("limit"), stride = named("stride");
        std::string text = "{ " + declared(type_, first) + " = (" + work_.text_of(*header_.first) +
                           "); " + declared(header_.compared, limit) + " = (" +
                           work_.text_of(*header_.limit) + "); const " + number() + " " + stride +
                           " = " + stride_value() + "; ";
        const std::string begin = "(" + declared(header_.compared, "") + ")" + first;
        if (!header_.fixed)
            text += "if (" + begin + " " + sign_of(header_.until) + " " + limit + " && " +
                    step_size(stride) + " == 0) sg_refuse_step(); ";
        text += "sg_uint64 " + named("count") + " = ";
        if (header_.until == loop_limit::other && can_wrap(type_))
            return text + begin + " != " + limit + " ? " + wrapping_count(first, limit, stride) +
                   " : 0; ";
        const std::string up = count(begin, limit, step_size(stride));
        const std::string down = count(limit, begin, step_size("(0 - " + stride + ")"));
        if (header_.until != loop_limit::other)
            text += goes_up() ? up : down;
        else if (header_.fixed)
            text += *header_.fixed > 0 ? up : down;
        else
            text += std::string("(") + signed_number() + ")" + stride + " > 0 ? (" + up + ") : (" +
                    down + ")";
        return text + "; ";
    }

    // The value as the variable's bits would have it.
    std::string in_bits(bool is_signed, const std::string &text) const {
        clang::QualType type = type_;
        if (const auto *enumeration = type->getAs<clang::EnumType>())
            type = enumeration->getDecl()->getIntegerType();
        const clang::ASTContext &ast = work_.source.ast();
        if (is_signed != type->isSignedIntegerType())
            type = is_signed ? ast.getCorrespondingSignedType(type)
                             : ast.getCorrespondingUnsignedType(type);
        return "(" + declared(type.getUnqualifiedType(), "") + ")(" + text + ")";
    }

    // The size of a step in the direction in which the loop goes: an unsigned step may go down.
    std::string step_size(const std::string &stride) const {
        return header_.fixed || !can_wrap(type_) ? stride
                                                 : "(" + as_number(in_bits(false, stride)) + ")";
    }

    // How often the variable steps from `first` to another `limit` in its own bits, where a stride
    // is as well negative as large.
    std::string wrapping_count(const std::string &first, const std::string &limit,
                               const std::string &stride) const {
        const auto steps = [&](const std::string &from, const std::string &to,
                               const std::string &by) {
            return "(sg_uint64)((" +
                   as_number(in_bits(false, as_number(to) + " - " + as_number(from))) + " - 1) / " +
                   as_number(in_bits(false, by)) + " + 1)";
        };
        return "(" + in_bits(true, stride) + " > 0 ? " + steps(first, limit, stride) + " : " +
               steps(limit, first, "0 - " + stride) + ")";
    }

    bool goes_up() const {
        return header_.until == loop_limit::below || header_.until == loop_limit::up_to;
    }

    std::string count(const std::string &low, const std::string &high,
                      const std::string &step) const {
        const bool inclusive =
            header_.until == loop_limit::up_to || header_.until == loop_limit::down_to;
        const std::string between = header_.compared->isPointerType()
                                        ? "(sg_uint64)(" + high + " - " + low + ")"
                                        : "(" + as_number(high) + " - " + as_number(low) + ")";
        return low + (inclusive ? " <= " : " < ") + high + " ? (sg_uint64)((" + between +
               (inclusive ? ")" : " - 1)") + " / " + step + " + 1) : 0";
    }

    std::string call() const {
        const std::string data = named("captured"), tail = named("tail"), deque = named("deque");
        std::string text =
            "struct " + name_ + " " + data + " = {" + captured_.values() +
            (captured_.members.empty() ? "" : ", ") + named("first") + ", " + named("stride") +
            "}; sg_frame **" + tail + " = 0; sg_deque *" + deque + " = sg_enter(&" + tail + "); " +
            (work_.kind == program::profiled ? "sg_profile_for(" : "sg_for(") + deque + ", " +
            tail + ", " + name_ + ", &" + data + ", " + named("count") + ", " + grain() + "); ";
        if (!header_.declares) {
            text += header_.variable->getName().str() + " = " +
                    value(named("first"), named("count"), named("stride")) + "; " + used();
        }
        return text + "}";
    }

    std::string grain() const {
        return header_.grain == nullptr ? "0"
                                        : "(sg_uint64)(" + work_.text_of(*header_.grain) + ")";
    }

    // The variable's value in an iteration.
    std::string value(const std::string &first, const std::string &at,
                      const std::string &stride) const {
        const std::string offset = at + " * " + stride;
        return type_->isPointerType()
                   ? first + " + (sg_int64)(" + offset + ")"
                   : "(" + declared(type_, "") + ")(" + as_number(first) + " + " + offset + ")";
    }

    std::string structure() const {
        std::string text = "struct " + name_ + " { ";
        for (const taken &one : captured_.members)
            text += one.type_and_name + "; ";
        return text + declared(type_, "_cilk_first") + "; " + number() + " _cilk_stride; }; " +
               "static void " + name_ +
               "(void *_cilk_data, sg_uint64 _cilk_at, sg_uint64 _cilk_end); ";
    }

    std::string function_text() {
        const std::string iteration = spawns_ ? body_function() : std::string();
        std::string text = iteration + here() + "static void " + name_ +
                           "(void *_cilk_data, sg_uint64 _cilk_at, sg_uint64 _cilk_end) { struct " +
                           name_ + " *_cilk_c = _cilk_data; ";
        if (!spawns_) {
            for (const taken &one : captured_.members)
                text += one.type_and_name + " = _cilk_c->" + one.name + "; ";
            text += captured_.prologue;
        }
        const std::string stride = header_.fixed ? stride_value() : std::string("_cilk_stride");
        if (!header_.fixed)
            text += std::string("const ") + number() + " _cilk_stride = _cilk_c->_cilk_stride; ";
        text += declared(type_, "_cilk_now") + " = " +
                value("_cilk_c->_cilk_first", "_cilk_at", stride) +
                "; for (; _cilk_at < _cilk_end; _cilk_at++, _cilk_now += " + step_value() + ") { ";
        if (spawns_) {
            text += body_name() + "(" + captured_.arguments("_cilk_c->") +
                    (captured_.members.empty() ? "" : ", ") + "_cilk_now);";
        } else {
            text += declared(header_.variable->getType(), header_.variable->getName().str()) +
                    " = _cilk_now; " + used() + body();
        }
        return text + " } }\n";
    }

    std::string body_name() const { return "_cilk_body_" + number_; }

    std::string body_function() {
        std::vector<const clang::ContinueStmt *> continues;
        find_continues(*header_.body, continues);
        for (const clang::ContinueStmt *one : continues)
            work_.edits.replace(work_.source.of(one->getSourceRange()), "return", true);
        return here() + "static void " + body_name() + "(" + captured_.parameters() +
               (captured_.members.empty() ? "" : ", ") +
               declared(header_.variable->getType(), header_.variable->getName().str()) + ") { " +
               captured_.prologue + used() + body() + " }\n";
    }

    // The header that uses it anyway is gone, so compilers would warn of it.
    std::string used() const { return "(void)" + header_.variable->getName().str() + "; "; }

    std::string here() const {
        return work_.source.lines().jump(work_.source.offset(loop_.getBeginLoc()));
    }

    std::string body() const {
        const span where = work_.source.statement(header_.body->getSourceRange());
        return work_.source.lines().jump(where.begin) + work_.edits.render(where);
    }

    rewriting &work_;
    const clang::FunctionDecl &function_;
    const clang::Stmt &loop_;
    const loop_header &header_;
    std::string number_;
    std::string name_;
    clang::QualType type_;
    bool is_wide_; // distances have 128 bits
    bool spawns_;
    captures captured_;
};

} // namespace

void rewrite_loop(rewriting &work, const clang::FunctionDecl &function, const clang::Stmt &loop,
                  around_function &around) {
    const auto &statement = llvm::cast<clang::ForStmt>(annotated(loop));
    if (const auto header = read_header(work.source, statement, work.problems))
        loop_writer(work, function, loop, *header).run(around);
}

void check_loop(rewriting &work, const clang::Stmt &loop) {
    read_header(work.source, llvm::cast<clang::ForStmt>(annotated(loop)), work.problems);
}

} // namespace saguaro::cilkc
