// Twins and old ops in text that MLIR printed.
#pragma once
#include "mlir/IR/MLIRContext.h"
#include <string>

namespace fuselage {

/// MLIR prints the name of an op before we are asked, so that an op of the twin dialect "Linalg" reads
/// `Linalg.generic`, and a bare op of old text `std.addf`. Gives them the names that users write
/// (displayName); lines stay where they are.
void spellAsUsersDo(std::string &text, mlir::MLIRContext &context);

} // namespace fuselage
