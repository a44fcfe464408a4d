#include "core/transforms/gpu/distribution/CooperativeEmitter.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <map>

using namespace mlir;

namespace fuselage {

CooperativeEmitter::CooperativeEmitter(RewriterBase &rewriter, linalg::LinalgOp op, const MatrixTile &tile)
    : rewriter_(rewriter), op_(op), tile_(tile), loc_(op.getLoc()) {
  subgroup_ = gpu::SubgroupIdOp::create(rewriter_, loc_, /*upper_bound=*/IntegerAttr());
  Value part = arith::MinUIOp::create(rewriter_, loc_, subgroup_, constant(tile_.parts() - 1)),
        across = constant(tile_.partsAcross());
  Value row = arith::DivUIOp::create(rewriter_, loc_, part, across),
        column = arith::RemUIOp::create(rewriter_, loc_, part, across);
  firstRow_ = arith::MulIOp::create(rewriter_, loc_, row, constant(tile_.partRows));
  firstColumn_ = arith::MulIOp::create(rewriter_, loc_, column, constant(tile_.partColumns));
}

Value CooperativeEmitter::constant(int64_t value) { return arith::ConstantIndexOp::create(rewriter_, loc_, value); }
Value CooperativeEmitter::plus(Value value, int64_t more) {
  return more == 0 ? value : Value(arith::AddIOp::create(rewriter_, loc_, value, constant(more)));
}

Value CooperativeEmitter::hasPart() {
  return arith::CmpIOp::create(rewriter_, loc_, arith::CmpIPredicate::ult, subgroup_, constant(tile_.parts()));
}

SmallVector<Value> CooperativeEmitter::indicesOf(const Matrix &matrix) {
  SmallVector<Value> ivs(op_.getNumLoops(), constant(0));
  ivs[matrix.rowLoop] = matrix.row;
  ivs[matrix.columnLoop] = matrix.column;
  return *affine::expandAffineMap(rewriter_, loc_, op_.getMatchingIndexingMap(&op_->getOpOperand(matrix.operand)), ivs);
}

Value CooperativeEmitter::load(const Matrix &matrix) {
  MatrixLayout layout = *matrixLayoutOf(op_, matrix.operand, matrix.rowLoop, matrix.columnLoop);
  return gpu::SubgroupMmaLoadMatrixOp::create(rewriter_, loc_, matrix.type, op_->getOperand(matrix.operand),
                                              indicesOf(matrix), rewriter_.getIndexAttr(layout.stride),
                                              layout.isTransposed ? rewriter_.getUnitAttr() : UnitAttr());
}

CooperativeEmitter::Matrix CooperativeEmitter::resultOf(const MatrixProduct &product, int64_t row, int64_t column) {
  return {.operand = product.result,
          .rowLoop = tile_.rows.front(),
          .columnLoop = tile_.columns.front(),
          .row = plus(firstRow_, row),
          .column = plus(firstColumn_, column),
          .type = gpu::MMAMatrixType::get({tile_.shape.m, tile_.shape.n}, tile_.accumulator, "COp")};
}

void CooperativeEmitter::eachBlock(llvm::function_ref<void(const MatrixProduct &, int64_t, int64_t)> visit) {
  for (const MatrixProduct &product : tile_.products)
    for (int64_t row = 0; row < tile_.partRows; row += tile_.shape.m)
      for (int64_t column = 0; column < tile_.partColumns; column += tile_.shape.n)
        visit(product, row, column);
}

SmallVector<Value> CooperativeEmitter::start(llvm::function_ref<Value(Value)> valueOf) {
  SmallVector<Value> accumulators;
  eachBlock([&](const MatrixProduct &product, int64_t row, int64_t column) {
    Matrix result = resultOf(product, row, column);
    Value value = valueOf(op_->getOperand(product.result));
    accumulators.push_back(value ? Value(gpu::SubgroupMmaConstantMatrixOp::create(rewriter_, loc_, result.type, value))
                                 : load(result));
  });
  return accumulators;
}

void CooperativeEmitter::store(ValueRange accumulators) {
  size_t next = 0;
  eachBlock([&](const MatrixProduct &product, int64_t row, int64_t column) {
    Matrix result = resultOf(product, row, column);
    int64_t stride = matrixLayoutOf(op_, product.result, result.rowLoop, result.columnLoop)->stride;
    gpu::SubgroupMmaStoreMatrixOp::create(rewriter_, loc_, accumulators[next++], op_->getOperand(product.result),
                                          indicesOf(result), rewriter_.getIndexAttr(stride), UnitAttr());
  });
}

SmallVector<Value> CooperativeEmitter::leftMatrices(unsigned operand, int64_t k) {
  SmallVector<Value> matrices;
  auto type = gpu::MMAMatrixType::get({tile_.shape.m, tile_.shape.k}, tile_.shape.operand, "AOp");
  for (int64_t row = 0; row < tile_.partRows; row += tile_.shape.m)
    matrices.push_back(load({operand, tile_.rows.front(), tile_.k.front(), plus(firstRow_, row), constant(k), type}));
  return matrices;
}

SmallVector<Value> CooperativeEmitter::rightMatrices(unsigned operand, int64_t k) {
  SmallVector<Value> matrices;
  auto type = gpu::MMAMatrixType::get({tile_.shape.k, tile_.shape.n}, tile_.shape.operand, "BOp");
  for (int64_t column = 0; column < tile_.partColumns; column += tile_.shape.n)
    matrices.push_back(
        load({operand, tile_.k.front(), tile_.columns.front(), constant(k), plus(firstColumn_, column), type}));
  return matrices;
}

SmallVector<Value> CooperativeEmitter::multiply(ValueRange accumulators) {
  SmallVector<Value> sums(accumulators);
  for (int64_t k = 0; k < tile_.kExtent; k += tile_.shape.k) {
    std::map<unsigned, SmallVector<Value>> left, right;
    size_t next = 0;
    for (const MatrixProduct &product : tile_.products) {
      if (!left.count(product.left))
        left[product.left] = leftMatrices(product.left, k);
      if (!right.count(product.right))
        right[product.right] = rightMatrices(product.right, k);
      for (Value a : left[product.left])
        for (Value b : right[product.right]) {
          sums[next] = gpu::SubgroupMmaComputeOp::create(rewriter_, loc_, sums[next].getType(), a, b, sums[next],
                                                         UnitAttr(), UnitAttr());
          ++next;
        }
    }
  }
  return sums;
}

} // namespace fuselage
