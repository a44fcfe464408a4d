// MLIR's diagnostics as ours, for who gets them without a DiagnosticCapture.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/Diagnostics.h"

namespace fuselage {

/// With its notes; a message of many megabytes is cut in its middle.
Diagnostic convertDiagnostic(const mlir::Diagnostic &diagnostic);

} // namespace fuselage
