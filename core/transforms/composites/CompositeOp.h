// Ops that stand for a small program, of dialects that are only read: iree_linalg_ext and tm_tensor.
#pragma once
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace fuselage {

/// A view of such an op, in the form that the universal parser keeps (TolerantOp.h) or in MLIR's generic one.
class CompositeOp {
public:
  explicit CompositeOp(mlir::Operation *op) : op_(op) {}

  mlir::Operation *operator->() const { return op_; }
  mlir::Location loc() const { return op_->getLoc(); }
  /// "attention" of "iree_linalg_ext.attention" and "tm_tensor.attention"; empty for ops of other dialects.
  std::string name() const;

  /// What it reads and what it starts from, as `ins(...)` and `outs(...)` say, or the number of its results.
  mlir::ValueRange inputs() const;
  mlir::ValueRange outputs() const;
  /// Whether inputs and outputs, whose number is given, are ranked tensors, and each result has the type of its output.
  bool isOnTensors(unsigned inputs, unsigned outputs) const;

  /// Empty if the op has none, or they are not affine maps.
  llvm::SmallVector<mlir::AffineMap> indexingMaps() const;
  std::optional<int64_t> integer(llvm::StringRef attribute) const;
  std::optional<bool> boolean(llvm::StringRef attribute) const;
  llvm::SmallVector<int64_t> integers(llvm::StringRef attribute) const;

  /// The one block of the one region; null if there are others.
  mlir::Block *body() const;
  /// Whether every op of the body but its end is one that upstream defines.
  bool hasKnownBody() const;
  /// Copies the body with these values as its arguments. Returns what it yields.
  llvm::SmallVector<mlir::Value> inlineBody(mlir::OpBuilder &builder, mlir::ValueRange arguments) const;

private:
  mlir::Operation *op_;
};

/// What stands for an op's results; empty where the op is not as expected.
using Decomposition = llvm::SmallVector<mlir::Value>;

/// A family of composite ops, one file each. They build at `builder` and leave the op as it is.
Decomposition decomposeAttention(mlir::OpBuilder &builder, CompositeOp op);
Decomposition decomposeOnlineAttention(mlir::OpBuilder &builder, CompositeOp op);
Decomposition decomposeCustomOp(mlir::OpBuilder &builder, CompositeOp op);
Decomposition decomposeArgCompare(mlir::OpBuilder &builder, CompositeOp op);
Decomposition decomposeQuantize(mlir::OpBuilder &builder, CompositeOp op);
Decomposition decomposeDequantize(mlir::OpBuilder &builder, CompositeOp op);
Decomposition decomposeFft(mlir::OpBuilder &builder, CompositeOp op);
Decomposition decomposeScan(mlir::OpBuilder &builder, CompositeOp op);
Decomposition decomposeScatter(mlir::OpBuilder &builder, CompositeOp op);
Decomposition decomposeGather(mlir::OpBuilder &builder, CompositeOp op);
Decomposition decomposeSort(mlir::OpBuilder &builder, CompositeOp op);
Decomposition decomposeTopK(mlir::OpBuilder &builder, CompositeOp op);

} // namespace fuselage
