// A form that does not hold, as transform ops and types say it. Internal to core/schedules/ops.
#pragma once
#include "core/schedules/forms/NormalForm.h"
#include "mlir/Dialect/Transform/Utils/DiagnosedSilenceableFailure.h"

namespace fuselage {

using FormCheck = llvm::function_ref<void(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches)>;

/// Checks the function around `op`, or those in it. A silenceable failure at `location` has a note for each of the
/// first breaches; `name` is what the form is called.
mlir::DiagnosedSilenceableFailure checkFunctions(mlir::Operation *op, mlir::Location location, llvm::StringRef name,
                                                 FormCheck check);

} // namespace fuselage
