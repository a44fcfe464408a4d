// Which patterns would apply to an op as it stands, and what each would make of it.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

namespace fuselage {

/// The name of a pattern as the option of a pass: in quotes where it has spaces or commas.
std::string optionText(llvm::StringRef pattern);

/// What is called "fold" among patterns: Operation::fold.
inline constexpr llvm::StringLiteral kFoldPattern = "fold";

/// A pattern that was tried on one op, and on nothing else.
struct PatternOffer {
  std::string pass;                          ///< that has it: "canonicalize"
  std::string pattern;                       ///< its debug name, or kFoldPattern
  std::string reason;                        ///< why it declined; empty: it gave none
  mlir::OwningOpRef<mlir::ModuleOp> after{}; ///< the module with this one rewrite; null: it declined
  std::string problem{};                     ///< why `after` does not verify; empty: it does

  bool applies() const { return bool(after); }
};

/// Makes `passes` those of a text: "builtin.module(...)", or passes by their names, each nested where it can run.
/// Failure: it does not parse.
llvm::Error readPasses(llvm::StringRef text, mlir::PassManager &passes);

/// The op with an OpId; null: there is none.
mlir::Operation *opNumbered(mlir::ModuleOp module, int64_t number);

/// Tries each pattern that greedy drivers and walks of some passes have for ops of this name, the most beneficial of a
/// pass first, and Operation::fold before them where the driver folds. The module stays as it is; each pattern sees it
/// as it is. Patterns of dialect conversions and of PDL are not tried. A pass may keep its patterns to some of the ops
/// by other means, which this does not know of.
/// `op`: its OpId. `only`: the debug name of a pattern, or its short one; tries no other, and stops where it applies.
/// Failure: no such op, the text does not parse, or the linked MLIR does not tell (RewriteWatch::works()).
llvm::Expected<std::vector<PatternOffer>> offersOf(mlir::ModuleOp module, int64_t op, llvm::StringRef passes,
                                                   llvm::StringRef only = {});

/// The module after that one rewrite. Failure: as of offersOf(), or the pattern declined.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> applyPattern(mlir::ModuleOp module, int64_t op,
                                                               llvm::StringRef passes, llvm::StringRef pattern);

} // namespace fuselage
