// SPDX-License-Identifier: MIT
// Which statements after a spawn can be a closure.
#include "cxx/straight.hpp"

#include "cxx/reducer_types.hpp"
#include "cxx/statements.hpp"
#include "cxx/type_names.hpp"
#include "cxx/variable_uses.hpp"
#include "cxx/workspace.hpp"
#include "parse/markers.hpp"
#include "parse/syntax.hpp"
#include "tokens/literals.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <string>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

class straight_block {
public:
    straight_block(const workspace &space, const variable_uses &uses,
                   const clang::CompoundStmt &block, bool waits)
        : space_(space), uses_(uses), all_(block.body_begin(), block.body_end()),
          brace_(space.source.offset(block.getRBracLoc())), waits_(waits),
          has_handlers_(contains_a<clang::CXXTryStmt>(space.body)) {}

    std::map<const clang::Stmt *, straight_piece> run() {
        std::map<const clang::Stmt *, straight_piece> found;
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (is_sync(space_, *all_[i]))
                find_pieces(i, found);
        if (waits_ && !all_.empty())
            find_pieces(all_.size(), found);
        return found;
    }

private:
    bool has_word(const clang::Stmt &s) const {
        return space_.has_word(space_.source.of(s.getSourceRange()));
    }

    bool is_spawned(const clang::Expr &e) const { return spawned_in(space_, e).call != nullptr; }

    // A spawned call whose arguments have no Cilk of their own, and whose result goes nowhere, to
    // an existing variable, or to a new one that needs no constructor.
    bool is_spawn(const clang::Stmt &s) const {
        if (annotation_of(s) == "cilk spawn")
            return llvm::isa<clang::Expr>(annotated(s));
        if (const auto *declared = dyn_cast<clang::DeclStmt>(&s)) {
            const auto *variable = declared->isSingleDecl()
                                       ? dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                                       : nullptr;
            return variable != nullptr && can_move(*variable) && variable->getInit() != nullptr &&
                   is_spawned(*variable->getInit());
        }
        const auto *e = dyn_cast<clang::Expr>(&s);
        if (e == nullptr)
            return false;
        const clang::Expr *spelled = workspace::spelled(e);
        if (const auto *pair = dyn_cast<clang::BinaryOperator>(spelled))
            return pair->getOpcode() == clang::BO_Assign && is_spawned(*pair->getRHS());
        const auto *call = dyn_cast<clang::CXXOperatorCallExpr>(spelled);
        return call != nullptr && call->getOperator() == clang::OO_Equal &&
               call->getNumArgs() == 2 && is_spawned(*call->getArg(1));
    }

    // From the sync, or from the block's end, backwards, as far as all can be closures. Each spawn
    // doubles the code of what follows it, which the owner and a thief run: so there is a limit.
    void find_pieces(std::size_t sync, std::map<const clang::Stmt *, straight_piece> &found) const {
        constexpr std::size_t most = 4;
        std::vector<straight_piece> pieces; // the innermost first
        for (std::size_t i = sync; i-- > 0 && pieces.size() < most;) {
            if (is_spawn(*all_[i])) {
                if (!add_piece(i, sync, pieces))
                    break;
            } else if (has_word(*all_[i]) || leaves(all_[i], false, false)) {
                break;
            }
        }
        if (pieces.empty() || (pieces.size() == 1 && pieces.front().spawn == all_[sync - 1]))
            return;
        for (straight_piece &one : pieces) {
            one.is_inner = &one != &pieces.back();
            if (one.is_inner)
                one.declarations.clear();
            found.emplace(one.spawn, std::move(one));
        }
    }

    // The piece that begins with this spawn, around the ones that are found. False: some variable
    // cannot be declared before it, or it assigns what another child assigns.
    bool add_piece(std::size_t spawn, std::size_t sync, std::vector<straight_piece> &pieces) const {
        straight_piece piece{};
        piece.spawn = all_[spawn];
        piece.has_sync = sync < all_.size();
        piece.end = piece.has_sync ? space_.source.offset(all_[sync]->getBeginLoc()) : brace_;
        piece.of_child = target_of_spawn(*all_[spawn]);
        for (std::size_t i = spawn + 1; i < sync; ++i) {
            if (is_spawn(*all_[i]) && leaves(all_[i], false, false))
                return false;
            const auto *declared = dyn_cast<clang::DeclStmt>(all_[i]);
            if (declared == nullptr)
                continue;
            const auto *variable = declared->isSingleDecl()
                                       ? dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                                       : nullptr;
            if (variable == nullptr || !can_move(*variable) ||
                is_hidden_in(*variable->getDeclContext(), variable->getType()) ||
                !space_.type_text(variable->getType()))
                return false;
            (is_spawn(*declared) ? piece.spawned : piece.declarations).push_back(declared);
        }
        const auto assigns_the_same = [&](const straight_piece &other) {
            return piece.of_child != nullptr &&
                   (other.of_child == piece.of_child || other.of_rest == piece.of_child);
        };
        if (hides_names(piece) || std::any_of(pieces.begin(), pieces.end(), assigns_the_same))
            return false;
        if (pieces.empty())
            find_last_value(*all_[sync - 1], piece);
        else
            piece.last = pieces.front().last;
        pieces.push_back(std::move(piece));
        return true;
    }

    // The variable that `x = cilk_spawn f();` and the like assign, if it may be assigned at the
    // sync.
    const clang::VarDecl *target_of_spawn(const clang::Stmt &s) const {
        const clang::VarDecl *target = nullptr;
        if (const auto *declared = dyn_cast<clang::DeclStmt>(&s)) {
            target = llvm::cast<clang::VarDecl>(declared->getSingleDecl());
        } else if (const auto *e = dyn_cast<clang::Expr>(
                       llvm::isa<clang::AttributedStmt>(s) ? &annotated(s) : &s)) {
            const auto *pair = dyn_cast<clang::BinaryOperator>(workspace::spelled(e));
            target = pair == nullptr ? nullptr : assigned_variable(*pair);
        }
        return target != nullptr && waits_for_sync(*target, s) ? target : nullptr;
    }

    void find_last_value(const clang::Stmt &last, straight_piece &piece) const {
        if (&last == piece.spawn)
            return;
        const clang::VarDecl *target = nullptr;
        const clang::Expr *value = nullptr;
        if (const auto *declared = dyn_cast<clang::DeclStmt>(&last)) {
            target = dyn_cast<clang::VarDecl>(declared->getSingleDecl());
            value = target == nullptr ? nullptr : target->getInit();
        } else if (const auto *e = dyn_cast<clang::Expr>(&last)) {
            if (const auto *pair = dyn_cast<clang::BinaryOperator>(e->IgnoreImplicit())) {
                target = assigned_variable(*pair);
                value = pair->getRHS();
            }
        }
        if (target == nullptr || value == nullptr || !waits_for_sync(*target, last) ||
            is_hidden_in(*target->getDeclContext(), target->getType()) ||
            !space_.type_text(target->getType()))
            return;
        piece.of_rest = target;
        piece.last = &last;
        piece.last_value = value;
    }

    static const clang::VarDecl *assigned_variable(const clang::BinaryOperator &pair) {
        const auto *name = pair.getOpcode() == clang::BO_Assign
                               ? dyn_cast<clang::DeclRefExpr>(pair.getLHS())
                               : nullptr;
        return name == nullptr ? nullptr : dyn_cast<clang::VarDecl>(name->getDecl());
    }

    // Whether an assignment or declaration of the variable in a piece may be done at its sync. A
    // handler could tell of a variable from before: an exception may leave the piece in between.
    bool waits_for_sync(const clang::VarDecl &variable, const clang::Stmt &at) const {
        return uses_.is_private(variable) && !variable.getType().isConstQualified() &&
               (llvm::isa<clang::DeclStmt>(at) || !has_handlers_);
    }

    // Whether it may be declared before, and assigned where it was initialised.
    static bool can_move(const clang::VarDecl &variable) {
        const clang::QualType type = variable.getType();
        return !type->isDependentType() && !type.isConstQualified() &&
               !type.isVolatileQualified() && type->isScalarType() && !is_hyperobject(type) &&
               variable.isLocalVarDecl() && variable.hasLocalStorage() && !variable.hasAttrs() &&
               (variable.getInit() == nullptr || variable.getInitStyle() == clang::VarDecl::CInit);
    }

    // What takes memory of its function, or marks a place in it.
    static bool needs_its_function(const clang::Stmt &s) {
        const auto *call = dyn_cast<clang::CallExpr>(&s);
        const clang::FunctionDecl *callee = call == nullptr ? nullptr : call->getDirectCallee();
        const std::string name = callee == nullptr ? "" : callee->getNameAsString();
        return name.find("alloca") != std::string::npos || name.find("setjmp") != std::string::npos;
    }

    // A jump out, or a place that one could lead to; or a handler, which must wait for the child.
    static bool leaves(const clang::Stmt *s, bool breaks, bool continues) {
        if (s == nullptr || llvm::isa<clang::LambdaExpr>(s))
            return false;
        if (llvm::isa<clang::ReturnStmt, clang::GotoStmt, clang::IndirectGotoStmt, clang::LabelStmt,
                      clang::CoroutineSuspendExpr, clang::CoreturnStmt, clang::GCCAsmStmt,
                      clang::StmtExpr, clang::CXXTryStmt>(s) ||
            needs_its_function(*s) || (llvm::isa<clang::BreakStmt>(s) && !breaks) ||
            (llvm::isa<clang::SwitchCase>(s) && !breaks) ||
            (llvm::isa<clang::ContinueStmt>(s) && !continues)) {
            return true;
        }
        const bool loops =
            llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
        const bool switches = llvm::isa<clang::SwitchStmt>(s);
        return std::any_of(s->child_begin(), s->child_end(), [&](const clang::Stmt *child) {
            return leaves(child, breaks || loops || switches, continues || loops);
        });
    }

    // Whether a variable that would be declared before has the name of anything that is named in
    // the piece before its declaration: of a member, a type, another variable.
    bool hides_names(const straight_piece &piece) const {
        const unsigned begin = space_.source.offset(piece.spawn->getBeginLoc());
        const auto hides = [&](const clang::DeclStmt *declared) {
            const auto &variable = *llvm::cast<clang::VarDecl>(declared->getSingleDecl());
            const unsigned end = space_.source.offset(variable.getLocation());
            return has_name(space_.source.text().substr(begin, end - begin),
                            variable.getNameAsString());
        };
        return std::any_of(piece.declarations.begin(), piece.declarations.end(), hides) ||
               std::any_of(piece.spawned.begin(), piece.spawned.end(), hides);
    }

    static bool has_name(std::string_view text, const std::string &name) {
        for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
            const std::size_t end = at + name.size();
            if ((at == 0 || !is_part_of_name(text[at - 1])) &&
                (end == text.size() || !is_part_of_name(text[end])))
                return true;
        }
        return false;
    }

    const workspace &space_;
    const variable_uses &uses_;
    const std::vector<const clang::Stmt *> all_;
    const unsigned brace_;
    const bool waits_;
    const bool has_handlers_;
};

} // namespace

std::map<const clang::Stmt *, straight_piece> straight_pieces(const workspace &space,
                                                              const variable_uses &uses,
                                                              const clang::CompoundStmt &block,
                                                              bool waits) {
    return straight_block(space, uses, block, waits).run();
}

bool is_sync(const workspace &space, const clang::Stmt &s) {
    const auto *e = dyn_cast<clang::Expr>(&s);
    return e != nullptr && marker_at(space.source, *workspace::spelled(e)) == "_Cilk_sync";
}

} // namespace saguaro::cilkc
