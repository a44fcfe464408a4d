// Writes one tile of planned loops: straight code on vectors, with loops for the reductions.
#pragma once
#include "core/codegen/host/kernels/LoopPlan.h"
#include "core/codegen/host/kernels/VectorBody.h"

namespace fuselage {

/// All tiles of one function. Values of one tile are by row, vector and output, in this order.
class TileEmitter {
public:
  TileEmitter(const LoopKernel &kernel, const LoopPlan &plan, mlir::OpBuilder &builder, const mlir::IRMapping &around);

  /// At the builder's place: `height` rows of `width` elements from a point of the box on.
  void emit(llvm::ArrayRef<mlir::Value> at, int64_t height, int64_t width);

private:
  struct Point {
    int64_t row = 0, vector = 0;
  };
  using Values = llvm::SmallVector<mlir::Value>;

  unsigned outputs() const { return kernel_.operands.size() - kernel_.inputs; }
  mlir::Value index(int64_t value);
  Values placeOf(unsigned operand, Point point);
  int64_t lanesAt(Point point) const;
  mlir::Value maskOf(int64_t lanes);
  mlir::Value memoryOf(unsigned operand) const { return memories_[operand]; }
  mlir::Value narrow(mlir::Value value, unsigned operand);
  mlir::Value widen(mlir::Value value, unsigned operand);
  mlir::Value load(unsigned operand, Point point);
  mlir::Value loadLanes(unsigned operand, Point point);
  mlir::Value loadVector(unsigned operand, mlir::ValueRange place, int64_t elements);
  mlir::Value loadStrided(unsigned operand, Point point);
  void loadTransposed(unsigned operand);
  void store(unsigned output, Point point, mlir::Value value);
  mlir::Value loopIndex(unsigned loop, Point point);
  Values body(Point point, llvm::ArrayRef<mlir::Value> sums);
  Values startOf(Point point);
  Values oneStep(llvm::ArrayRef<mlir::Value> sums);
  Values reduce(llvm::ArrayRef<unsigned> loops, Values sums);
  Values reduceLanes(Values sums);
  Values reductionLoop(unsigned loop, int64_t from, int64_t to, int64_t step, Values sums,
                       llvm::function_ref<Values(Values)> body);
  void storeCombined(Values sums);

  const LoopKernel &kernel_;
  const LoopPlan &plan_;
  mlir::OpBuilder &builder_;
  const mlir::IRMapping &around_;
  VectorBody bodies_;
  mlir::Location loc_;
  Values memories_; ///< by operand; bytes where elements are smaller
  Values at_;
  int64_t height_ = 1, width_ = 1;
  int64_t vectors_ = 1; ///< of the tile, the last one perhaps in part
  llvm::DenseMap<std::tuple<unsigned, int64_t, int64_t>, mlir::Value> loaded_; ///< at one step of the reductions
};

} // namespace fuselage
