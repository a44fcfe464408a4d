// The body of a structured op, on vectors.
#pragma once
#include "core/codegen/host/kernels/HostTarget.h"
#include "core/codegen/host/kernels/LoopKernel.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

namespace fuselage {

/// So many elements fit into a vector; 1 where something in the body is for scalars only.
int64_t lanesOf(const LoopKernel &kernel, const HostTarget &target);

/// Whether memory of the type is read and written as vectors. Less than a byte lies in a byte of its own.
bool hasVectors(mlir::Type type);

/// A value for all lanes: itself where it is a vector already, or where one lane is enough.
mlir::Value spread(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, int64_t lanes);

/// Copies a body. Values that are the same in all lanes stay scalars.
class VectorBody {
public:
  /// `place` gives the value of a loop's index, a vector along the loop of the lanes.
  using Place = llvm::function_ref<mlir::Value(unsigned loop)>;
  /// `fusesHalves`: numbers of f16 are multiplied and added in one, as those of f32 are.
  VectorBody(const LoopKernel &kernel, int64_t lanes, bool fusesHalves)
      : kernel_(kernel), lanes_(lanes), fusesHalves_(fusesHalves) {}

  /// What is yielded for these arguments of the block. `outside` maps what the body uses from around it.
  llvm::SmallVector<mlir::Value> copy(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> arguments, Place place,
                                      const mlir::IRMapping &outside) const;
  /// What the combiner of an output makes of two values.
  mlir::Value combine(mlir::OpBuilder &builder, mlir::Operation *combiner, mlir::Value left, mlir::Value right) const;

private:
  mlir::Value fuseMultiplyAdd(mlir::OpBuilder &builder, mlir::Operation &op, mlir::IRMapping &values) const;

  const LoopKernel &kernel_;
  int64_t lanes_;
  bool fusesHalves_;
};

} // namespace fuselage
