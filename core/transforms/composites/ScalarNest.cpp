#include "core/transforms/composites/ScalarNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace fuselage {

Value indexConstant(OpBuilder &builder, Location loc, int64_t number) {
  return arith::ConstantIndexOp::create(builder, loc, number);
}

SmallVector<Value> sizeValues(OpBuilder &builder, Location loc, Value tensor) {
  SmallVector<Value> sizes;
  auto type = cast<RankedTensorType>(tensor.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(type.isDynamicDim(dim) ? tensor::DimOp::create(builder, loc, tensor, dim).getResult()
                                           : indexConstant(builder, loc, type.getDimSize(dim)));
  return sizes;
}

SmallVector<Value> scalarNest(OpBuilder &builder, Location loc, ValueRange sizes, ValueRange carried, NestBody body) {
  SmallVector<Value> zeros(sizes.size(), indexConstant(builder, loc, 0)),
      ones(sizes.size(), indexConstant(builder, loc, 1));
  if (sizes.empty())
    return body(builder, loc, {}, carried);
  scf::LoopNest nest =
      scf::buildLoopNest(builder, loc, zeros, sizes, ones, carried,
                         [&](OpBuilder &inner, Location at, ValueRange loops, ValueRange values) -> scf::ValueVector {
                           SmallVector<Value> next = body(inner, at, loops, values);
                           return {next.begin(), next.end()};
                         });
  return llvm::to_vector(nest.results);
}

Value asIndex(OpBuilder &builder, Location loc, Value number) {
  return number.getType().isIndex()
             ? number
             : arith::IndexCastOp::create(builder, loc, builder.getIndexType(), number).getResult();
}

SmallVector<Value> selectAll(OpBuilder &builder, Location loc, Value condition, ValueRange ifTrue, ValueRange ifFalse) {
  SmallVector<Value> selected;
  for (auto [yes, no] : llvm::zip_equal(ifTrue, ifFalse))
    selected.push_back(arith::SelectOp::create(builder, loc, condition, yes, no));
  return selected;
}

} // namespace fuselage
