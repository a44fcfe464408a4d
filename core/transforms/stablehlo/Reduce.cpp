// reduce: linalg.reduce where its body is one op, linalg.generic with any body and any number of inputs elsewhere.
#include "core/transforms/stablehlo/HloLowering.h"
#include "core/transforms/stablehlo/HloReducer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Accumulators of the result's types, filled with the initial values.
SmallVector<Value> accumulators(HloCall &call, const HloReducer &reducer, ArrayRef<int64_t> kept) {
  SmallVector<Value> filled;
  for (unsigned at = 0; at < reducer.size(); ++at) {
    RankedTensorType type = call.resultType(at);
    SmallVector<Value> sizes;
    for (auto [dim, from] : llvm::enumerate(kept))
      if (type.isDynamicDim(dim))
        sizes.push_back(tensor::DimOp::create(call.builder, call.loc, reducer.inputs[at], from));
    filled.push_back(filledTensor(call.builder, call.loc, type, reducer.initials[at], sizes));
  }
  return filled;
}

SmallVector<Value> asGeneric(HloCall &call, const HloReducer &reducer, ArrayRef<int64_t> kept, int64_t rank,
                             std::string &why) {
  SmallVector<Value> outputs = accumulators(call, reducer, kept);
  SmallVector<AffineExpr> exprs;
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::reduction);
  for (int64_t dim : kept) {
    exprs.push_back(call.builder.getAffineDimExpr(dim));
    loops[dim] = utils::IteratorType::parallel;
  }
  SmallVector<AffineMap> maps(reducer.size(), call.builder.getMultiDimIdentityMap(rank));
  maps.append(reducer.size(), AffineMap::get(rank, 0, exprs, call.builder.getContext()));
  auto generic = linalg::GenericOp::create(
      call.builder, call.loc, ValueRange(outputs).getTypes(), reducer.inputs, outputs, maps, loops,
      [&](OpBuilder &inner, Location loc, ValueRange args) {
        auto results =
            reducer.combine(inner, loc, args.drop_front(reducer.size()), args.take_front(reducer.size()), why);
        linalg::YieldOp::create(inner, loc, results ? ValueRange(*results) : args.drop_front(reducer.size()));
      });
  return SmallVector<Value>(generic.getResults());
}

SmallVector<Value> asNamed(HloCall &call, const HloReducer &reducer, ArrayRef<int64_t> kept, ArrayRef<int64_t> reduced,
                           std::string &why) {
  SmallVector<Value> outputs = accumulators(call, reducer, kept);
  auto op = linalg::ReduceOp::create(call.builder, call.loc, reducer.inputs, outputs, reduced,
                                     [&](OpBuilder &inner, Location loc, ValueRange args) {
                                       auto results = reducer.combine(inner, loc, args[1], args[0], why);
                                       linalg::YieldOp::create(inner, loc, results ? results->front() : args[1]);
                                     });
  return SmallVector<Value>(op->getResults());
}

HloResults lowerReduce(HloCall &call) {
  std::optional<HloReducer> reducer = HloReducer::of(call);
  if (!reducer)
    return failure();
  auto dims = call.op.integers({"dimensions"});
  int64_t rank = cast<RankedTensorType>(reducer->inputs[0].getType()).getRank();
  if (!dims || llvm::any_of(*dims, [&](int64_t dim) { return dim < 0 || dim >= rank; }))
    return call.refuse("its dimensions are not those of its inputs");
  SmallVector<int64_t> kept, reduced(*dims);
  llvm::sort(reduced);
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(reduced, dim))
      kept.push_back(dim);
  for (unsigned at = 0; at < reducer->size(); ++at)
    if (call.resultType(at).getRank() != int64_t(kept.size()) ||
        call.resultType(at).getElementType() != reducer->accumulator(at))
      return call.refuse("its results do not fit its dimensions");
  bool isSimple = reducer->size() == 1 && !reducer->simple().empty() && !reduced.empty() &&
                  call.operandType(0).getElementType() == reducer->accumulator(0);
  std::string why;
  SmallVector<Value> results =
      isSimple ? asNamed(call, *reducer, kept, reduced, why) : asGeneric(call, *reducer, kept, rank, why);
  if (!why.empty())
    return call.refuse(why);
  return results;
}

} // namespace

void addReduceLowerings(HloLowerings &lowerings) { lowerings["reduce"] = lowerReduce; }

} // namespace fuselage
