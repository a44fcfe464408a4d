// Sizes of a payload by name, for knobs that divide them.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>

namespace fuselage::tune {

/// The size that `name` stands for in `function`: "arg0.1", dimension 1 of argument 0, as `--size` spells it; "result0.1";
/// or "linalg.matmul.2", the trip count of loop 2 of the only op of that name. nullopt: there is none, several ops of the name
/// disagree, or the size is dynamic.
std::optional<int64_t> payloadSize(mlir::func::FuncOp function, llvm::StringRef name);

} // namespace fuselage::tune
