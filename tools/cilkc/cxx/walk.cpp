// SPDX-License-Identifier: MIT
// Declarations, statements and expressions, in the order of the text.
#include "cxx/walk.hpp"

#include "cxx/activation.hpp"
#include "cxx/closed.hpp"
#include "cxx/entry.hpp"
#include "cxx/function_names.hpp"
#include "cxx/invocation.hpp"
#include "cxx/loop_text.hpp"
#include "cxx/spawn.hpp"
#include "cxx/statements.hpp"
#include "cxx/variable_uses.hpp"
#include "cxx/workspace.hpp"
#include "parse/markers.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclFriend.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

bool is_value_in(const clang::Expr &e, const clang::Stmt &of) {
    if (const auto *s = dyn_cast<clang::IfStmt>(&of))
        return &e == s->getCond();
    if (const auto *s = dyn_cast<clang::ForStmt>(&of))
        return &e != s->getBody();
    if (const auto *s = dyn_cast<clang::WhileStmt>(&of))
        return &e == s->getCond();
    if (const auto *s = dyn_cast<clang::DoStmt>(&of))
        return &e == s->getCond();
    if (const auto *s = dyn_cast<clang::SwitchStmt>(&of))
        return &e == s->getCond();
    if (const auto *s = dyn_cast<clang::CaseStmt>(&of))
        return &e != s->getSubStmt();
    if (const auto *s = dyn_cast<clang::CXXForRangeStmt>(&of))
        return &e != s->getBody();
    return !llvm::isa<clang::CompoundStmt, clang::LabelStmt, clang::DefaultStmt,
                      clang::AttributedStmt>(of);
}

bool is_in_header(const clang::Stmt &of) {
    return !llvm::isa<clang::CompoundStmt, clang::LabelStmt, clang::SwitchCase,
                      clang::AttributedStmt>(of);
}

bool is_call(const clang::Expr &e) {
    const clang::Expr *spelled = workspace::spelled(&e);
    return llvm::isa<clang::CallExpr, clang::CXXConstructExpr, clang::CXXFunctionalCastExpr>(
        spelled);
}

// Whether nothing but `operator=` itself can be called in the assignment, and may be.
bool is_only_assigned(const clang::Expr &assignment, const clang::Expr &value) {
    const clang::Expr *from = workspace::spelled(&value);
    const bool may_call =
        is_call(value) || (value.isTypeDependent() &&
                           llvm::isa<clang::CXXUnresolvedConstructExpr, clang::BinaryOperator,
                                     clang::UnaryOperator, clang::ArraySubscriptExpr>(from));
    return !may_call && (assignment.isTypeDependent() ||
                         llvm::isa<clang::CXXOperatorCallExpr>(workspace::spelled(&assignment)));
}

// A function that spawns is no constant expression, in none of its declarations.
void drop_constexpr(workspace &space, const clang::FunctionDecl &function) {
    constexpr std::string_view word = "constexpr";
    for (const clang::FunctionDecl *one : function.redecls()) {
        if (!one->isConstexprSpecified())
            continue;
        const unsigned begin = space.source.offset(one->getBeginLoc());
        const unsigned name = space.source.offset(one->getLocation());
        const std::size_t at = space.source.text().substr(begin, name - begin).find(word);
        if (at != std::string_view::npos)
            space.edits.replace(begin + static_cast<unsigned>(at),
                                begin + static_cast<unsigned>(at + word.size()), "inline   ");
    }
}

// Where the marker of an annotated statement stands: among attributes of the user's.
unsigned marker_of_annotation(const workspace &space, const clang::AttributedStmt &s) {
    for (const clang::Attr *one : s.getAttrs())
        if (llvm::isa<clang::SuppressAttr>(one)) {
            const unsigned at = space.source.offset(one->getLocation());
            if (space.has_word({at, at + 1}))
                return at;
        }
    return space.source.offset(s.getBeginLoc());
}

// Of what is refused as a whole nothing else needs to be said.
void meet_all(workspace &space, const clang::Stmt &s) {
    const span where = space.source.of(s.getSourceRange());
    for (const cilk_word &word : space.marked.words)
        if (word.offset >= where.begin && word.offset < where.end)
            space.met.insert(word.offset);
}

void refuse(workspace &space, unsigned offset, std::string text) {
    space.met.insert(offset);
    space.error(offset, std::move(text));
}

// Whether `cilk_spawn` spawns all of the right side: in `cilk_spawn f() + 1` it cannot.
bool is_whole(workspace &space, const spawned_value &spawned) {
    space.met.insert(spawned.marker);
    if (!spawned.is_operation || is_operator_call(*spawned.call))
        return true;
    refuse(space, spawned.marker, std::string(spawn_in_expression));
    return false;
}

// `return x;` where a child makes x: the variable itself would be moved, a reference not.
void move_result(workspace &space, const clang::FunctionDecl *in, const clang::Expr *value) {
    const auto *name =
        value == nullptr ? nullptr : dyn_cast<clang::DeclRefExpr>(workspace::spelled(value));
    const auto *variable = name == nullptr ? nullptr : dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr || space.made_by_children.count(variable) == 0 ||
        variable->getType().isConstQualified())
        return;
    const auto *function = dyn_cast<clang::FunctionDecl>(variable->getDeclContext());
    const clang::QualType result =
        function == nullptr ? clang::QualType() : function->getReturnType();
    if (function != in || function == nullptr || result->isReferenceType() ||
        (result->getContainedAutoType() != nullptr &&
         result->getContainedAutoType()->isDecltypeAuto()))
        return;
    const span where = space.source.of(name->getSourceRange());
    const std::string text = variable->getNameAsString();
    space.edits.replace(where.begin, where.end,
                        "static_cast<::saguaro::cilk::value_of<decltype(" + text + ")> &&>(" +
                            text + ")");
}

// Of the variables of each function that is gone through.
class uses_by_function {
public:
    explicit uses_by_function(const source_text &source) : source_(source) {}

    const variable_uses &of(const clang::FunctionDecl *function) {
        return found_.try_emplace(function, source_, *function).first->second;
    }

private:
    const source_text &source_;
    std::map<const clang::FunctionDecl *, variable_uses> found_;
};

class cxx_walk {
public:
    explicit cxx_walk(workspace &space) : space_(space), uses_(space.source) {}

    void run() {
        declarations(*space_.source.ast().getTranslationUnitDecl());
        for (const auto &edit : space_.later)
            edit();
    }

private:
    // ---- declarations

    void declarations(const clang::DeclContext &context) {
        for (const clang::Decl *one : context.decls())
            declaration(*one);
    }

    void declaration(const clang::Decl &one) {
        if (const auto *pattern = dyn_cast<clang::TemplateDecl>(&one)) {
            if (pattern->getTemplatedDecl() != nullptr)
                declaration(*pattern->getTemplatedDecl());
            return;
        }
        if (one.isImplicit() || one.getBeginLoc().isInvalid() ||
            !space_.has_word(space_.source.of(one.getSourceRange()))) {
            return;
        }
        if (const auto *function = dyn_cast<clang::FunctionDecl>(&one)) {
            this->function(*function);
        } else if (const auto *alien = dyn_cast<clang::FriendDecl>(&one)) {
            if (alien->getFriendDecl() != nullptr)
                declaration(*alien->getFriendDecl());
        } else if (const auto *variable = dyn_cast<clang::VarDecl>(&one)) {
            if (variable->getInit() != nullptr)
                expression(variable->getInit(), nullptr);
        } else if (const auto *field = dyn_cast<clang::FieldDecl>(&one)) {
            if (field->getInClassInitializer() != nullptr)
                expression(field->getInClassInitializer(), nullptr);
        } else if (const auto *context = dyn_cast<clang::DeclContext>(&one)) {
            declarations(*context);
        }
    }

    void function(const clang::FunctionDecl &function) {
        for (const clang::ParmVarDecl *parameter : function.parameters())
            if (parameter->hasDefaultArg() && !parameter->hasUninstantiatedDefaultArg() &&
                !parameter->hasUnparsedDefaultArg())
                expression(parameter->getDefaultArg(), nullptr);
        if (const auto *constructor = dyn_cast<clang::CXXConstructorDecl>(&function))
            for (const clang::CXXCtorInitializer *one : constructor->inits())
                if (one->isWritten())
                    expression(one->getInit(), nullptr);
        if (!function.doesThisDeclarationHaveABody())
            return;
        const clang::Stmt *body = function.getBody();
        if (space_.has_word(space_.source.of(body->getSourceRange())))
            write_function_names(space_, function);
        activation &self = new_activation(nullptr);
        const in_function here(*this, function);
        if (const auto *block = dyn_cast<clang::CompoundStmt>(body)) {
            invocations_.note_waiting_end(block);
            statement(block, self);
            if (self.spawns || self.has_inner) {
                if (function.isConsteval())
                    refuse(space_, space_.source.offset(function.getLocation()),
                           "cilk_spawn in a consteval function");
                const entry_text entry = entry_of(space_, function);
                wrap(*block, entry.begin + beginning_of(space_, self),
                     end_of(space_, self) + entry.end);
                drop_constexpr(space_, function);
            } else if (with_runtime_.count(&function) != 0) {
                drop_constexpr(space_, function);
            }
        } else if (const auto *attempt = dyn_cast<clang::CXXTryStmt>(body)) {
            statement(attempt, self);
        } else if (space_.has_word(space_.source.of(body->getSourceRange()))) {
            meet_all(space_, *body);
            refuse(space_, space_.source.offset(function.getLocation()), "Cilk in a coroutine");
        }
    }

    // ---- statements

    // While what is in a function is gone through.
    class in_function {
    public:
        in_function(cxx_walk &walk, const clang::FunctionDecl &function)
            : walk_(walk), before_(walk.function_) {
            enter(&function);
        }
        ~in_function() { enter(before_); }
        in_function(const in_function &) = delete;
        in_function &operator=(const in_function &) = delete;

    private:
        void enter(const clang::FunctionDecl *function) {
            walk_.function_ = function;
            walk_.space_.body = function == nullptr ? nullptr : function->getBody();
        }

        cxx_walk &walk_;
        const clang::FunctionDecl *const before_;
    };

    activation &new_activation(activation *outer) {
        activations_.push_back({outer, space_.new_name()});
        return activations_.back();
    }

    // Text at the beginning and at the end of a block.
    void wrap(const clang::CompoundStmt &block, std::string begin, std::string end) {
        space_.edits.open(space_.source.offset(block.getLBracLoc()) + 1, depth_, std::move(begin));
        space_.edits.close(space_.source.offset(block.getRBracLoc()), depth_, std::move(end));
    }

    void statement(const clang::Stmt *s, activation &in) {
        if (s == nullptr)
            return;
        if (!space_.has_word(space_.source.of(s->getSourceRange()))) {
            plain(*s, in);
            return;
        }
        ++depth_;
        if (llvm::isa<clang::AttributedStmt>(s))
            attributed(*s, in);
        else if (const auto *e = dyn_cast<clang::Expr>(s))
            expression_statement(*e, in);
        else if (const auto *declared = dyn_cast<clang::DeclStmt>(s))
            declaration_statement(*declared, in);
        else if (const auto *attempt = dyn_cast<clang::CXXTryStmt>(s))
            try_block(*attempt, in);
        else if (const auto *returned = dyn_cast<clang::ReturnStmt>(s)) {
            sync_before_result(space_, *function_, *returned, depth_, in);
            expression(returned->getRetValue(), &in);
        } else
            parts(*s, in);
        --depth_;
    }

    void parts(const clang::Stmt &s, activation &in) {
        // A child of a try block's must not end later than that.
        if (const auto *block = dyn_cast<clang::CompoundStmt>(&s);
            block != nullptr && (in.outer == nullptr || in.is_scope))
            invocations_.find(space_, uses_.of(function_), *block, depth_);
        for (const clang::Stmt *child : s.children())
            part(child, &s, in);
    }

    // How the spawn that the statement is shall be written.
    spawn_manner manner(const clang::Stmt &s, activation &in) {
        if (const spawn_manner *found = invocations_.spawn(s)) {
            with_runtime_.insert(function_);
            return *found;
        }
        in.note_spawn();
        return spawn_by_frame(space_, uses_.of(function_), in.frame, s);
    }

    // What is in a statement: statements, and expressions that are none.
    void part(const clang::Stmt *child, const clang::Stmt *of, activation &in) {
        if (child == nullptr)
            return;
        const auto *e = dyn_cast<clang::Expr>(child);
        const auto *declared = dyn_cast<clang::DeclStmt>(child);
        if (e != nullptr && is_value_in(*e, *of))
            expression(e, &in);
        else if (declared != nullptr && is_in_header(*of))
            declared_in_header(*declared, in);
        else
            statement(child, in);
    }

    // `for (int i = ...;`, `if (int x = ...)`
    void declared_in_header(const clang::DeclStmt &s, activation &in) {
        for (const clang::Decl *one : s.decls()) {
            const auto *variable = dyn_cast<clang::VarDecl>(one);
            if (variable != nullptr && variable->getInit() != nullptr)
                expression(variable->getInit(), &in);
            else
                declaration(*one);
        }
    }

    void attributed(const clang::Stmt &s, activation &in) {
        const std::string annotation = annotation_of(s);
        const clang::Stmt &inner = annotated(s);
        const unsigned marker = marker_of_annotation(space_, llvm::cast<clang::AttributedStmt>(s));
        if (annotation == "cilk spawn") {
            space_.met.insert(marker);
            spawned_statement(marker, s, in);
        } else if (annotation == "cilk for") {
            space_.met.insert(marker);
            parallel_loop(marker, inner);
        } else if (annotation == "cilk scope") {
            space_.met.insert(marker);
            scope(marker, inner, in);
        } else {
            statement(&inner, in);
        }
    }

    // `cilk_spawn` before a call, an assignment or a block.
    void spawned_statement(unsigned marker, const clang::Stmt &marked, activation &in) {
        const clang::Stmt &s = annotated(marked);
        if (const auto *e = dyn_cast<clang::Expr>(&s)) {
            const spawn_manner how = manner(marked, in);
            const auto [target, value] = assignment_in(*e);
            if (target == nullptr || is_only_assigned(*e, *value)) {
                write_spawn(space_, how, marker, *e);
            } else {
                expression(target, &in);
                if (value->isTypeDependent() || is_call(*value)) {
                    space_.edits.replace(marker, space_.source.of(target->getSourceRange()).begin,
                                         "");
                    write_assignment(space_, how, space_.source.of(target->getSourceRange()).begin,
                                     *target, *value);
                } else {
                    refuse(space_, marker,
                           "cilk_spawn needs a call, an assignment or initialization by "
                           "one, or a block");
                }
            }
            parts_of(*workspace::spelled(e), in);
            return;
        }
        if (llvm::isa<clang::DeclStmt, clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt,
                      clang::GotoStmt, clang::NullStmt>(s)) {
            refuse(space_, marker,
                   "cilk_spawn needs a call, an assignment or initialization by one, or a "
                   "block");
            return;
        }
        in.note_spawn();
        check_closed(space_, s, "a spawned block", false);
        activation &self = new_activation(nullptr);
        invocations_.note_waiting_end(&s);
        statement(&s, self);
        space_.edits.replace(marker, marker + word_length,
                             in.frame + ".spawn_block([&] {" + beginning_of(space_, self));
        space_.edits.close(end_of_statement(space_, s), depth_, end_of(space_, self) + " });");
    }

    // `sync;`, `x = cilk_spawn f(a);`, or an expression without Cilk of its own.
    void expression_statement(const clang::Expr &e, activation &in) {
        const clang::Expr *spelled = workspace::spelled(&e);
        if (marker_at(space_.source, *spelled) == "_Cilk_sync") {
            sync(space_.source.offset(spelled->getBeginLoc()), in);
            return;
        }
        const auto [target, value] = assignment_in(e);
        const spawned_value spawned =
            value == nullptr ? spawned_value() : spawned_in(space_, *value);
        if (spawned.call == nullptr || llvm::isa<clang::ParenExpr>(value->IgnoreImplicit())) {
            expression(&e, &in);
            return;
        }
        if (!is_whole(space_, spawned))
            return;
        write_assignment(space_, manner(e, in), space_.source.offset(e.getBeginLoc()), *target,
                         *spawned.call);
        expression(target, &in);
        parts_of(*workspace::spelled(spawned.call), in);
    }

    // What is in a spawned call: its arguments may have lambdas with Cilk of their own.
    void parts_of(const clang::Expr &call, activation &in) {
        for (const clang::Stmt *child : call.children())
            if (const auto *e = llvm::dyn_cast_or_null<clang::Expr>(child))
                expression(e, &in);
    }

    void sync(unsigned marker, activation &in) {
        space_.met.insert(marker);
        in.note_sync();
        const std::string end = invocations_.end_at(marker);
        space_.later.push_back([this, marker, end, &in] {
            const activation *const waiting = in.waiting();
            if (!end.empty()) {
                space_.edits.replace(marker, marker + sync_length,
                                     end + (in.spawns ? "; " + in.frame + ".sync()" : ""));
                return;
            }
            space_.edits.replace(marker, marker + sync_length,
                                 waiting == nullptr ? "(void)0   " : waiting->frame + ".sync()");
        });
    }

    void declaration_statement(const clang::DeclStmt &s, activation &in) {
        for (const clang::Decl *one : s.decls()) {
            const auto *variable = dyn_cast<clang::VarDecl>(one);
            const clang::Expr *init = variable == nullptr ? nullptr : variable->getInit();
            const spawned_value spawned =
                init == nullptr ? spawned_value() : spawned_in(space_, *init);
            if (spawned.call == nullptr && init != nullptr) {
                expression(init, &in);
            } else if (spawned.call == nullptr) {
                declaration(*one);
            } else if (is_whole(space_, spawned)) {
                if (!s.isSingleDecl())
                    refuse(space_, spawned.marker,
                           "cilk_spawn in a declaration of more than one variable: declare "
                           "this one by itself");
                else if (variable->getInitStyle() != clang::VarDecl::CInit)
                    refuse(space_, spawned.marker, std::string(spawn_in_expression));
                else
                    write_initialization(space_, manner(s, in),
                                         space_.source.of(s.getSourceRange()), *variable,
                                         *spawned.call);
                parts_of(*workspace::spelled(spawned.call), in);
            }
        }
    }

    // As Cilk Plus does it: a try block has children of its own, and where it spawns or syncs,
    // those of before are waited for first. No handler runs beside the children of before.
    void try_block(const clang::CXXTryStmt &s, activation &in) {
        activation &self = new_activation(&in);
        const clang::CompoundStmt &block = *s.getTryBlock();
        const int depth = depth_;
        statement(&block, self);
        const bool waits_first = self.spawns || self.has_inner || self.syncs;
        if (self.spawns)
            wrap(block, beginning_of(space_, self), end_of(space_, self));
        if (waits_first) {
            const unsigned begin = space_.source.offset(s.getTryLoc());
            const unsigned end = end_of_statement(space_, s);
            space_.later.push_back([this, begin, end, depth, &in] {
                const activation *const waiting = in.waiting();
                if (waiting == nullptr)
                    return;
                space_.edits.open(begin, depth, "{ " + waiting->frame + ".sync(); ");
                space_.edits.close(end, depth, " }");
            });
        }
        for (unsigned i = 0; i < s.getNumHandlers(); ++i)
            handler(*llvm::cast<clang::CompoundStmt>(s.getHandler(i)->getHandlerBlock()), in,
                    !waits_first);
    }

    // A handler's children end before the exception object that it has caught.
    void handler(const clang::CompoundStmt &block, activation &in, bool waits_first) {
        if (waits_first) {
            const unsigned begin = space_.source.offset(block.getLBracLoc()) + 1;
            space_.later.push_back([this, begin, depth = depth_, &in] {
                if (const activation *const waiting = in.waiting())
                    space_.edits.open(begin, depth, " " + waiting->frame + ".sync();");
            });
        }
        activation &self = new_activation(&in);
        ++depth_;
        statement(&block, self);
        if (self.spawns)
            wrap(block, beginning_of(space_, self), end_of(space_, self));
        --depth_;
    }

    // What has no Cilk in it still changes, in an activation that spawns.
    void plain(const clang::Stmt &s, activation &in) {
        if (llvm::isa<clang::LambdaExpr>(s))
            return;
        if (const auto *returned = dyn_cast<clang::ReturnStmt>(&s)) {
            move_result(space_, function_, returned->getRetValue());
            sync_before_result(space_, *function_, *returned, depth_ + 1, in);
        }
        for (const clang::Stmt *child : s.children()) {
            const auto *caught = llvm::dyn_cast_or_null<clang::CXXCatchStmt>(child);
            if (caught != nullptr)
                handler(*llvm::cast<clang::CompoundStmt>(caught->getHandlerBlock()), in, true);
            else if (child != nullptr)
                plain(*child, in);
        }
    }

    void scope(unsigned marker, const clang::Stmt &s, activation &in) {
        activation &self = new_activation(&in);
        self.is_scope = true;
        invocations_.note_waiting_end(&s);
        statement(&s, self);
        const std::string begin = beginning_of(space_, self);
        space_.edits.replace(marker, marker + word_length, begin.empty() ? "" : "{" + begin);
        if (!begin.empty())
            space_.edits.close(end_of_statement(space_, s), depth_, end_of(space_, self) + "}");
    }

    // ---- loops

    void parallel_loop(unsigned marker, const clang::Stmt &s) {
        const auto *loop = dyn_cast<clang::ForStmt>(&s);
        const auto *range = dyn_cast<clang::CXXForRangeStmt>(&s);
        if (loop == nullptr && range == nullptr) {
            refuse(space_, marker, "cilk_for needs a header in parentheses, as for has");
            return;
        }
        const clang::Stmt *body = loop != nullptr ? loop->getBody() : range->getBody();
        check_closed(space_, *body, "the body of a cilk_for", true);
        activation &self = new_activation(nullptr);
        with_runtime_.insert(function_);
        invocations_.note_waiting_end(body);
        statement(body, self);
        const std::string begin = beginning_of(space_, self) + " do {";
        const std::string end =
            "} while (0);" + end_of(space_, self) + (loop != nullptr ? " }};" : " });");
        if (loop != nullptr) {
            for (const clang::Expr *part : {loop->getCond(), loop->getInc()})
                if (part != nullptr)
                    expression(part, nullptr);
            if (const auto *first = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit()))
                for (const clang::Decl *one : first->decls())
                    declaration(*one);
            if (!write_loop_head(space_, uses_.of(function_), marker, *loop, begin))
                return;
        } else if (range->getInit() != nullptr) {
            refuse(space_, marker,
                   "cilk_for over a range has no initialisation: declare the variable "
                   "before the loop");
            return;
        } else if (space_.source
                       .text()[space_.source.of(range->getRangeInit()->getSourceRange()).begin] ==
                   '{') {
            refuse(space_, marker,
                   "cilk_for over a list in braces: declare the list before the loop");
            return;
        } else {
            expression(range->getRangeInit(), nullptr);
            write_range_head(space_, uses_.of(function_), marker, *range, begin);
        }
        space_.edits.close(end_of_statement(space_, *body), depth_, end);
    }

    // ---- expressions

    // Nothing in it may spawn or sync but lambdas.
    void expression(const clang::Stmt *s, activation *in) {
        if (s == nullptr || s->getBeginLoc().isInvalid() ||
            !space_.has_word(space_.source.of(s->getSourceRange()))) {
            return;
        }
        if (const auto *function = dyn_cast<clang::LambdaExpr>(s)) {
            lambda(*function, in);
            return;
        }
        const unsigned begin = space_.source.offset(s->getBeginLoc());
        const std::string marker = marker_at(space_.source, *s);
        if (marker == "_Cilk_spawn") {
            refuse(space_, begin, std::string(spawn_in_expression));
        } else if (marker == "_Cilk_sync") {
            refuse(space_, begin, "cilk_sync is a statement of its own");
        } else if (const auto *block = dyn_cast<clang::StmtExpr>(s)) {
            refuse(space_, begin,
                   "cilk_spawn or cilk_sync in a statement expression: a function cannot go "
                   "on in the middle of one");
            meet_all(space_, *block);
            return;
        }
        for (const clang::Stmt *child : s->children())
            expression(child, in);
    }

    void lambda(const clang::LambdaExpr &function, activation *in) {
        // Two nodes of a tree may have one lambda: as it was written, and as it is converted.
        if (!lambdas_.insert(space_.source.offset(function.getBeginLoc())).second)
            return;
        for (const clang::Expr *captured : function.capture_inits())
            expression(captured, in);
        activation &self = new_activation(nullptr);
        const in_function here(*this, *function.getCallOperator());
        ++depth_;
        invocations_.note_waiting_end(function.getBody());
        statement(function.getBody(), self);
        if (self.spawns || self.has_inner) {
            const entry_text entry = entry_of_lambda(space_, *function.getCallOperator(),
                                                     function.hasExplicitResultType());
            wrap(*function.getCompoundStmtBody(), entry.begin + beginning_of(space_, self),
                 end_of(space_, self) + entry.end);
        }
        --depth_;
    }

    static constexpr unsigned word_length = sizeof "_Cilk_spawn" - 1; // and of `_Cilk_scope`
    static constexpr unsigned sync_length = sizeof "_Cilk_sync" - 1;

    workspace &space_;
    std::deque<activation> activations_; // their addresses stay
    std::set<unsigned> lambdas_;
    invocations invocations_;
    int depth_ = 0;
    const clang::FunctionDecl *function_ = nullptr;
    std::set<const clang::FunctionDecl *> with_runtime_; // they call it without a frame
    uses_by_function uses_;
};

} // namespace

void translate_all(workspace &space) {
    cxx_walk(space).run();
}

} // namespace saguaro::cilkc
