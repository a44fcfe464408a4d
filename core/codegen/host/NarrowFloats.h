// Floats that no processor computes with.
#pragma once
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringMap.h"

namespace fuselage {

/// The names of the types of 8 bits and fewer that upstream's `arith-emulate-unsupported-floats` takes.
std::vector<std::string> narrowFloatNames(mlir::MLIRContext &context);

/// On scalars: extensions of those types and truncations to them become calls of two functions of ours,
/// which convert by llvm::APFloat. Everything else is left to upstream's emulation.
std::unique_ptr<mlir::Pass> createConvertNarrowFloatsPass();

/// The functions that the pass calls, by name, and those that LLVM calls to narrow to bf16 where the processor cannot.
const llvm::StringMap<void *> &narrowFloatFunctions();

/// roundStrictly() as a pass.
std::unique_ptr<mlir::Pass> createStrictRoundingPass();

} // namespace fuselage
