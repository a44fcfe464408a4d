// The names that the user's text gives to values, kept for all that is printed.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OperationSupport.h"

namespace fuselage {

/// Puts the names that `source` gives to results and block arguments into their locations, as NameLocs
/// around the places that they have in the file `fileName`: "%q_mm = linalg.matmul ..." is "q_mm" from then
/// on, in every later form of the op. Numbers, and "%arg0", are left to the printer, which gives the same.
/// Of dispatch regions, the location holds the dispatch's own name; it is kept if the text has one of that form.
void keepValueNames(mlir::ModuleOp module, llvm::StringRef source, llvm::StringRef fileName);

/// Passes make helpers (an index, a slice, a loop's counter) with the location of what they are for, and so with its
/// name. Leaves a name to the ops that may be the value: "%q_mm" is the tile that is computed, not the first
/// affine.apply.
void leaveNamesToValues(mlir::ModuleOp module);

/// Makes the printer use kept names; where two values would have the same, it adds a number to one. For
/// every AsmState and every print whose names somebody sees.
mlir::OpPrintingFlags withValueNames(mlir::OpPrintingFlags flags = mlir::OpPrintingFlags().assumeVerified());

/// The place that a kept name was put around; the location itself if there is none.
mlir::Location placeOf(mlir::Location location);

} // namespace fuselage
