// Sizes for dynamic dimensions that nobody gave.
#pragma once
#include "core/ir/ops/ArgumentSizes.h"
#include "core/support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

/// Sizes for the dynamic dimensions of `function`'s arguments that `given` lacks. Dimensions that its ops want to be
/// equal get one size: that of a static or given one among them if there is any, else a small one (2 for what looks
/// like a batch, else 32, made a multiple of what it is split by). Empty where they contradict each other: then only
/// the user can tell. `given` may have numbers for arguments that are integers, too ("arg0" -> 16), which may be sizes.
ArgumentSizes defaultSizes(mlir::func::FuncOp function, const ArgumentSizes &given);

/// Failure: the sizes contradict each other or static ones in an op that runs whatever happens, and
/// which. Such a module has no meaning, and upstream's canonicalization crashes on some.
llvm::Error checkSizes(mlir::func::FuncOp function, const ArgumentSizes &sizes);

/// What integer arguments of `function` have to be, by their numbers, since they are sizes of tensors whose shapes are
/// known: 16 for %n in tensor.empty(%n) where that is added to a tensor<16xf32>. Only what holds whenever the function
/// runs.
std::map<unsigned, int64_t> argumentsThatAreSizes(mlir::func::FuncOp function);

/// A sentence that names the sizes that were chosen and says how to give others.
std::string describeChosen(const ArgumentSizes &chosen);

} // namespace fuselage
