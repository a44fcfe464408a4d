// Which form a transform expects, and which it leaves.
#pragma once
#include "core/schedules/forms/FormSet.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

namespace fuselage {

/// What a transform has to do with forms.
struct FormRule {
  llvm::StringRef op; ///< its name
  std::vector<llvm::StringRef>
      required; ///< of the functions around its targets, which it fails on else or does nothing to
  /// Forms that the functions which its first operand holds are in after it.
  std::vector<llvm::StringRef> leaves;
  /// Forms that hold after it of every function around its operands if they held before.
  std::vector<llvm::StringRef> keeps;
};

/// The rules of MLIR's transforms and of ours. A transform with a rule changes nothing but the functions around its
/// operands and what is in them; of others that change the payload nobody knows anything after them.
const std::vector<FormRule> &formRules();
/// Null: it has none.
const FormRule *formRule(llvm::StringRef op);

/// The forms that `op` expects of the functions around the payload of its first operand: from a table of MLIR's ops and
/// ours, or, of an include, from the attribute `fuselage.requires = "LoopForm"` of the named sequence.
std::vector<const NormalForm *> requiredForms(mlir::transform::TransformOpInterface op, const FormSet &forms);

/// What the op's first operand holds, where that is a handle to ops.
llvm::SmallVector<mlir::Operation *> targetsOf(mlir::transform::TransformOpInterface op,
                                               const mlir::transform::TransformState &state);

/// The functions around, or in, or that are, the payload of the op's first operand, each once.
std::vector<mlir::FunctionOpInterface> functionsAround(mlir::transform::TransformOpInterface op,
                                                       const mlir::transform::TransformState &state);
/// The same of all operands.
std::vector<mlir::FunctionOpInterface> functionsOfOperands(mlir::transform::TransformOpInterface op,
                                                           const mlir::transform::TransformState &state);
/// The functions with a body in `root`, in program order.
std::vector<mlir::FunctionOpInterface> functionsIn(mlir::Operation *root);

} // namespace fuselage
