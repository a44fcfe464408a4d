#include "core/transforms/foreign/PortableLoops.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace fuselage {

/// Offsets, sizes or strides with other values in them.
static SmallVector<OpFoldResult> mapped(const IRMapping &mapping, ArrayRef<OpFoldResult> list) {
  SmallVector<OpFoldResult> values;
  for (OpFoldResult value : list)
    values.push_back(isa<Value>(value) ? OpFoldResult(mapping.lookupOrDefault(cast<Value>(value))) : value);
  return values;
}

LogicalResult forallToLoops(RewriterBase &rewriter, scf::ForallOp forall) {
  SmallVector<tensor::ParallelInsertSliceOp> writes;
  for (Operation &op : *forall.getTerminator().getBody()) {
    auto write = dyn_cast<tensor::ParallelInsertSliceOp>(op);
    if (!write)
      return failure();
    writes.push_back(write);
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(forall);
  Location loc = forall.getLoc();
  SmallVector<Value> low = forall.getLowerBound(rewriter), high = forall.getUpperBound(rewriter),
                     step = forall.getStep(rewriter);
  scf::LoopNest nest =
      scf::buildLoopNest(rewriter, loc, low, high, step, forall.getOutputs(),
                         [&](OpBuilder &builder, Location, ValueRange loops, ValueRange carried) -> scf::ValueVector {
                           IRMapping mapping;
                           mapping.map(forall.getInductionVars(), loops);
                           mapping.map(forall.getRegionIterArgs(), carried);
                           for (Operation &op : forall.getBody()->without_terminator())
                             builder.clone(op, mapping);
                           scf::ValueVector next(carried.begin(), carried.end());
                           for (tensor::ParallelInsertSliceOp write : writes) {
                             auto argument = cast<BlockArgument>(write.getDest());
                             Value &into = next[argument.getArgNumber() - forall.getRank()];
                             into = tensor::InsertSliceOp::create(
                                 builder, write.getLoc(), mapping.lookupOrDefault(write.getSource()), into,
                                 mapped(mapping, write.getMixedOffsets()), mapped(mapping, write.getMixedSizes()),
                                 mapped(mapping, write.getMixedStrides()));
                           }
                           return next;
                         });
  if (std::optional<ArrayAttr> gpu = forall.getMapping(); gpu && !nest.loops.empty())
    nest.loops.front()->setAttr(kForallAttr, *gpu);
  rewriter.replaceOp(forall, nest.results);
  return success();
}

/// The loops of a perfect nest, which hand nothing on but what the innermost writes.
static SmallVector<scf::ForOp> perfectNest(scf::ForOp outermost, size_t depth) {
  SmallVector<scf::ForOp> nest{outermost};
  while (nest.size() < depth) {
    scf::ForOp loop = nest.back();
    auto inner = dyn_cast<scf::ForOp>(&loop.getBody()->front());
    if (!inner || inner->getNextNode() != loop.getBody()->getTerminator() ||
        !llvm::equal(inner.getInitArgs(), loop.getRegionIterArgs()) ||
        !llvm::equal(loop.getBody()->getTerminator()->getOperands(), inner.getResults()))
      return {};
    nest.push_back(inner);
  }
  return nest;
}

LogicalResult loopsToForall(RewriterBase &rewriter, scf::ForOp outermost) {
  auto gpu = outermost->getAttrOfType<ArrayAttr>(kForallAttr);
  SmallVector<scf::ForOp> nest = gpu && !gpu.empty() ? perfectNest(outermost, gpu.size()) : SmallVector<scf::ForOp>();
  if (nest.empty() || !llvm::all_of(gpu, llvm::IsaPred<DeviceMappingAttrInterface>))
    return failure();
  scf::ForOp innermost = nest.back();
  SmallVector<OpFoldResult> low, high, step;
  for (scf::ForOp loop : nest) {
    // Bounds that come from inside of the nest would have no place before it.
    for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
      if (!bound.getType().isIndex() || outermost->isProperAncestor(bound.getParentBlock()->getParentOp()))
        return failure();
    low.push_back(getAsOpFoldResult(loop.getLowerBound()));
    high.push_back(getAsOpFoldResult(loop.getUpperBound()));
    step.push_back(getAsOpFoldResult(loop.getStep()));
  }
  SmallVector<tensor::InsertSliceOp> writes;
  for (auto [carried, next] : llvm::zip_equal(innermost.getRegionIterArgs(), innermost.getYieldedValues())) {
    auto write = next.getDefiningOp<tensor::InsertSliceOp>();
    bool isOnly = write && write->getBlock() == innermost.getBody() && write.getDest() == carried && next.hasOneUse() &&
                  llvm::all_of(carried.getUsers(),
                               [&](Operation *user) { return user == write || isa<tensor::ExtractSliceOp>(user); });
    if (!isOnly)
      return failure();
    writes.push_back(write);
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(outermost);
  auto forall = scf::ForallOp::create(rewriter, outermost.getLoc(), low, high, step, outermost.getInitArgs(), gpu);
  IRMapping mapping;
  for (auto [loop, variable] : llvm::zip_equal(nest, forall.getInductionVars()))
    mapping.map(loop.getInductionVar(), variable);
  mapping.map(innermost.getRegionIterArgs(), forall.getRegionIterArgs());
  rewriter.setInsertionPoint(forall.getTerminator());
  for (Operation &op : innermost.getBody()->without_terminator())
    if (!llvm::is_contained(writes, &op))
      rewriter.clone(op, mapping);
  rewriter.setInsertionPointToStart(forall.getTerminator().getBody());
  for (auto [write, argument] : llvm::zip_equal(writes, forall.getRegionIterArgs()))
    tensor::ParallelInsertSliceOp::create(rewriter, write.getLoc(), mapping.lookupOrDefault(write.getSource()),
                                          argument, mapped(mapping, write.getMixedOffsets()),
                                          mapped(mapping, write.getMixedSizes()),
                                          mapped(mapping, write.getMixedStrides()));
  rewriter.replaceOp(outermost, forall.getResults());
  return success();
}

} // namespace fuselage
