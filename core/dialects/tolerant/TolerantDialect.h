// Dialects that we only read: any op, attribute and type of theirs parses, and prints as written.
#pragma once
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace fuselage {

/// Loads a tolerant dialect for every namespace in `namespaces` that no loaded dialect has. Ops of
/// such a dialect stay unregistered (the verifier assumes any trait of them); their custom assembly
/// is read by the universal parser (UniversalParser.h), their attributes are kept as text after an
/// attribute that also serves as memory space and device mapping, their types are OpaqueType.
/// The namespace "flow" is ours: there the registered ops stay, and all others are tolerated.
void loadTolerantDialects(mlir::MLIRContext &context, llvm::ArrayRef<std::string> namespaces);

/// Whether it is one of StableHLO's: "stablehlo", "chlo", "mhlo". Nothing here defines them, and the normalization
/// lowers their ops.
bool isHloDialect(llvm::StringRef dialectNamespace);

/// Every upstream dialect has a tolerant twin, which reads the ops of other MLIR versions: the same
/// name with an upper-case first letter ("Linalg" for "linalg"), so that columns do not move.
std::string twinNamespace(llvm::StringRef dialectNamespace);

/// A message of MLIR's in which quoted ops of twins have the names that the user wrote: 'linalg.add' for 'Linalg.add'.
std::string withWrittenNames(mlir::MLIRContext &context, std::string message);

} // namespace fuselage
