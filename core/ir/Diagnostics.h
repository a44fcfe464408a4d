// Diagnostics on the terminal. Session.h has how they are collected and formatted.
#pragma once
#include "core/support/Error.h"
#include "llvm/ADT/ArrayRef.h"

namespace fuselage {

/// Prints diagnostics with carets on stderr, the first few hundred of them, and how many more there are,
/// in the name of `program`; true if there is an Error among all.
bool printDiagnostics(llvm::ArrayRef<Diagnostic> diagnostics, llvm::StringRef program = "fuselage");

} // namespace fuselage
