// Sizes of a payload by name, for knobs that divide them.
#pragma once
#include "core/ir/ops/ArgumentSizes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <functional>
#include <optional>

namespace fuselage::tune {

/// The size with that name in `function`: "arg0.1" is dimension 1 of argument 0, as in `--size`; "result0.1" that of a
/// result; "linalg.matmul.2" the trip count of loop 2 of the only op with that name. Returns nullopt if there is none,
/// several ops with the name differ in it, or it is dynamic.
std::optional<int64_t> payloadSize(mlir::func::FuncOp function, llvm::StringRef name);

/// The same as a function for SpaceOptions::sizeNamed. Sizes in `given` take precedence. Both arguments must outlive
/// the returned function.
std::function<std::optional<int64_t>(llvm::StringRef name)> payloadSizes(mlir::func::FuncOp function,
                                                                         const ArgumentSizes &given);

} // namespace fuselage::tune
