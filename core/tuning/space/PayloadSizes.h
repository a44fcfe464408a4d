// Sizes of a payload by name, for knobs that divide them.
#pragma once
#include "core/ir/ops/ArgumentSizes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <functional>
#include <optional>

namespace fuselage::tune {

/// The size that `name` stands for in `function`: "arg0.1", dimension 1 of argument 0, as `--size` spells it;
/// "result0.1"; or "linalg.matmul.2", the trip count of loop 2 of the only op of that name. nullopt: there is none,
/// several ops of the name disagree, or the size is dynamic.
std::optional<int64_t> payloadSize(mlir::func::FuncOp function, llvm::StringRef name);

/// The same for SpaceOptions::sizeNamed; a size that is given goes before what the function says. Both have to outlive
/// what is returned.
std::function<std::optional<int64_t>(llvm::StringRef name)> payloadSizes(mlir::func::FuncOp function,
                                                                         const ArgumentSizes &given);

} // namespace fuselage::tune
