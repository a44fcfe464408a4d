// Rewrites vectors to scalars, one for each lane.
#pragma once
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace fuselage {

/// Rewrites ops on vectors, in program order, to ops on scalars. The rewritten ops stay until eraseRewritten().
class VectorLanes {
public:
  explicit VectorLanes(mlir::MLIRContext *context) : builder_(context) {}

  /// Returns true if an operand, a result or a block argument of `op` is a vector.
  static bool touches(mlir::Operation *op);
  /// Fails, with an error at the op, for ops that it does not know.
  mlir::LogicalResult rewrite(mlir::Operation *op);
  void eraseRewritten();

private:
  using Lanes = llvm::SmallVector<mlir::Value>;
  /// The indices of a lane in memory, and the condition under which it is accessed.
  struct Place {
    llvm::SmallVector<mlir::Value> indices;
    mlir::Value condition; ///< null: always
  };
  struct Access {
    mlir::Value base, mask;
    mlir::ValueRange indices;
    mlir::VectorType type;
    mlir::AffineMap map;
    llvm::SmallVector<bool> inBounds;
  };

  mlir::LogicalResult compute(mlir::Operation *op);
  mlir::LogicalResult move(mlir::Operation *op);
  mlir::LogicalResult flow(mlir::Operation *op);
  Lanes lanesOf(mlir::Value value);
  void set(mlir::Value result, Lanes lanes);
  void constants(mlir::arith::ConstantOp op);
  void elementwise(mlir::Operation *op);
  void broadcast(mlir::vector::BroadcastOp op);
  mlir::LogicalResult extract(mlir::vector::ExtractOp op);
  mlir::LogicalResult insert(mlir::vector::InsertOp op);
  void slice(mlir::VectorType whole, mlir::ArrayAttr offsets, mlir::VectorType part,
             llvm::function_ref<void(int64_t inWhole, int64_t inPart)> each);
  void mask(mlir::Value result, llvm::function_ref<mlir::Value(unsigned dim)> size);
  void reduce(mlir::vector::ReductionOp op);
  Access accessOf(mlir::VectorTransferOpInterface op);
  Place placeOf(const Access &access, llvm::ArrayRef<int64_t> lane);
  void read(mlir::Value result, const Access &access, mlir::Value padding, mlir::Value otherwise);
  void write(mlir::Value vector, const Access &access);
  mlir::Value index(int64_t value);
  mlir::Value both(mlir::Value a, mlir::Value b);

  mlir::OpBuilder builder_;
  mlir::Location loc_ = builder_.getUnknownLoc();
  llvm::DenseMap<mlir::Value, Lanes> lanes_;
  llvm::SmallVector<mlir::Operation *> rewritten_;
};

} // namespace fuselage
