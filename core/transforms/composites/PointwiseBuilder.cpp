#include "core/transforms/composites/PointwiseBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {

bool PointwiseBuilder::learn(const Indexed &operand) {
  auto type = cast<RankedTensorType>(operand.tensor.getType());
  for (auto [position, dim] : llvm::enumerate(operand.dims)) {
    int64_t extent = type.getDimSize(position);
    std::optional<int64_t> known = sizes_[dim] ? getConstantIntValue(sizes_[dim]) : std::nullopt;
    if (known && !ShapedType::isDynamic(extent) && *known != extent)
      return false;
    if (!ShapedType::isDynamic(extent))
      sizes_[dim] = builder_.getIndexAttr(extent);
    else if (!sizes_[dim])
      sizes_[dim] = tensor::getMixedSize(builder_, loc_, operand.tensor, position);
  }
  return true;
}

Value PointwiseBuilder::empty(ArrayRef<unsigned> dims, Type element) {
  SmallVector<OpFoldResult> sizes;
  for (unsigned dim : dims)
    sizes.push_back(sizes_[dim]);
  return tensor::EmptyOp::create(builder_, loc_, sizes, element);
}

Indexed PointwiseBuilder::map(ArrayRef<Indexed> inputs, ArrayRef<unsigned> dims, Type element, Body body) {
  return generic(inputs, {empty(dims, element), llvm::to_vector(dims)}, body);
}

Indexed PointwiseBuilder::reduce(ArrayRef<Indexed> inputs, ArrayRef<unsigned> dims, Value init, Body body) {
  Value filled = linalg::FillOp::create(builder_, loc_, init, empty(dims, init.getType())).getResult(0);
  return generic(inputs, {filled, llvm::to_vector(dims)}, body);
}

Indexed PointwiseBuilder::accumulate(ArrayRef<Indexed> inputs, const Indexed &init, Body body) {
  return generic(inputs, init, body);
}

Indexed PointwiseBuilder::generic(ArrayRef<Indexed> inputs, const Indexed &output, Body body) {
  // Loops are the dimensions that an operand has: the result's in order, then those that are reduced.
  SmallVector<unsigned> loops(output.dims);
  for (const Indexed &input : inputs)
    for (unsigned dim : input.dims)
      if (!llvm::is_contained(loops, dim))
        loops.push_back(dim);
  auto mapOf = [&](const Indexed &operand) {
    SmallVector<AffineExpr> exprs;
    for (unsigned dim : operand.dims)
      exprs.push_back(builder_.getAffineDimExpr(llvm::find(loops, dim) - loops.begin()));
    return AffineMap::get(loops.size(), 0, exprs, builder_.getContext());
  };
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (const Indexed &input : inputs) {
    tensors.push_back(input.tensor);
    maps.push_back(mapOf(input));
  }
  maps.push_back(mapOf(output));
  SmallVector<utils::IteratorType> iterators(loops.size(), utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), output.dims.size(), utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(builder_, loc_, output.tensor.getType(), tensors, output.tensor, maps, iterators,
                                      [&](OpBuilder &inner, Location loc, ValueRange values) {
                                        linalg::YieldOp::create(inner, loc, body(inner, loc, values));
                                      });
  return {op.getResult(0), output.dims};
}

Value convertFloat(OpBuilder &builder, Location loc, Value value, Type to) {
  unsigned from = value.getType().getIntOrFloatBitWidth(), width = to.getIntOrFloatBitWidth();
  if (value.getType() == to)
    return value;
  if (from < width)
    return arith::ExtFOp::create(builder, loc, to, value);
  if (from > width)
    return arith::TruncFOp::create(builder, loc, to, value);
  // f16 and bf16: through f32.
  return arith::TruncFOp::create(builder, loc, to, arith::ExtFOp::create(builder, loc, builder.getF32Type(), value));
}

} // namespace fuselage
