// The weights of a model: function arguments that a file of parameters fills in.
#pragma once
#include "mlir/IR/Value.h"
#include <string>

namespace fuselage {

/// On a function's argument: the name that its exporter gave to a weight, "scope::key", or "key" where there
/// is no scope, as a string attribute.
inline constexpr llvm::StringLiteral kParameterAttr = "fuselage.parameter";

/// "model::encoder.layer.3.output.dense.weight" as the attribute has it; empty if the value is no weight.
std::string parameterAddress(mlir::Value value);
/// The key without its scope: "encoder.layer.3.output.dense.weight".
std::string parameterName(mlir::Value value);
bool isParameter(mlir::Value value);

} // namespace fuselage
