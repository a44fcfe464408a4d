// The ops that remarks are about, and lists of remarks.
#pragma once
#include "core/protocol/Remarks.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuselage {

/// Fills in where each remark belongs, and sorts: by pass, name, then by op; those without a place last in their group.
/// A remark belongs to the outermost op that comes from its file, line and column: by any place in the op's location,
/// those of names, fused ones and calls included. If none does, to the first op of its line, else to the function of
/// its name. Files agree if one's path ends with the other's. `lineOf`: the line of an op on screen, from 1.
void placeRemarks(mlir::ModuleOp module, llvm::function_ref<int(int64_t op)> lineOf, message::Remarks<> &remarks);

/// A table for people: the remarks under their pass and name, then those that were not placed, with the reason.
std::string formatRemarks(const message::Remarks<> &remarks);

} // namespace fuselage
