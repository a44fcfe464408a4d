// Portable artifacts of StableHLO: bytecode of VHLO, and bytecode of StableHLO's and CHLO's own.
#pragma once
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace fuselage {

/// Whether a bytecode file has types, attributes or properties in the encoding of VHLO, StableHLO or CHLO.
bool isPortable(llvm::StringRef bytecode);

/// The same module as bytecode that has none of them: ops of VHLO are upgraded to StableHLO, whose properties are
/// attributes, and whose attributes are text. Reads in a context of its own, with the dialects of `context`; to be
/// called in a copy of the process, as MLIR's reader trusts what it reads. Failure: what cannot be read, who wrote it,
/// and what to do.
llvm::Expected<std::string> upgradePortable(mlir::MLIRContext &context, llvm::StringRef bytecode, llvm::StringRef name);

} // namespace fuselage
