// Accesses whose bounds depend on a mask, on a list of places, or on what a cast says.
#pragma once
#include "mlir/IR/Builders.h"

namespace fuselage {

/// Puts what must hold before `op`, if it is a masked load or store, a gather or scatter, a
/// masked transfer, or a memref.reinterpret_cast, and hands it to `assertThat` with what is wrong
/// otherwise. A lane that the mask leaves out may be anywhere. A cast may reach what the allocation
/// that it goes back to holds.
void checkAccess(mlir::OpBuilder &builder, mlir::Operation *op,
                 llvm::function_ref<void(mlir::Value holds, llvm::StringRef otherwise)> assertThat);

} // namespace fuselage
