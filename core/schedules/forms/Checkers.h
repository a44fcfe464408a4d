// The conditions of the built-in forms. Internal to core/schedules/forms.
#pragma once
#include "core/schedules/forms/NormalForm.h"

namespace fuselage {

/// Canonicalization and CSE, to a fixpoint, have nothing to do.
void checkCanonical(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches);
/// Nothing in a loop is the same in every iteration, and loops and slices are as simple as MLIR makes them.
void checkLoops(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches);
/// A scf.for that holds one loop holds nothing else.
void checkPerfectForNests(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches);
/// A scf.forall that holds one loop nest holds nothing beside it, and no scf.for is around a scf.forall.
void checkForallNests(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches);
/// A scf.for or scf.forall that holds one of either holds nothing beside it, and a scf.for hands on what is carried.
void checkLoopNests(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches);
/// Every linalg op is a linalg.generic.
void checkGeneralized(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches);
/// No linalg.generic is what a named op computes.
void checkNamed(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches);
/// No linalg op has a loop of one iteration.
void checkUnitDimFree(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches);
/// Every op on tensors writes into a destination that it is given.
void checkDestinations(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches);
/// Every elementwise linalg op has at most one reader.
void checkSingleUse(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches);
/// One-Shot Bufferize's analysis finds nothing to copy.
void checkInPlace(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches);
/// At most one dispatch is there or would be formed.
void checkOneDispatch(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches);
/// Every outermost scf.forall is mapped to a GPU.
void checkGpuMapped(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches);

} // namespace fuselage
