// Finds the op that a user means.
#pragma once
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace fuselage {

struct FoundOp {
  mlir::Operation *op = nullptr;
  std::vector<std::string> others; ///< what else has this name, as "%3 (linalg.matmul, a.mlir:7:3)"
};

/// Without a name, the last op that can be explored by tiles; else the first that is called `name`, which is, in this
/// order:
/// - an SSA result, `%5` or `5`, as the text is printed; in one function: `@main/%5`;
/// - an SSA result as the source file spells it, `%mm` or `mm`;
/// - a place, `file.mlir:12:8`, `file.mlir:12`, `12` after a colon (`:12`);
/// - the name of a dispatch, formed or planned, `matmul_128x768x768`: its root op;
/// - the name of an op, `linalg.matmul` or `matmul`.
/// Failure: nothing is called so; lists the ops that there are.
llvm::Expected<FoundOp> findTileOp(mlir::ModuleOp module, llvm::StringRef name, mlir::AsmState &names);

/// "%5 (linalg.matmul, a.mlir:7:3)"
std::string describeTileOp(mlir::Operation *op, mlir::AsmState &names);

} // namespace fuselage
