#include "core/transforms/workgroups/ImplicitGemm.h"
#include "core/transforms/workgroups/DispatchNormalization.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace fuselage {
namespace {

/// A convolution and how its loops become those of a contraction.
struct Plan {
  linalg::LinalgOp op;
  OpOperand *image = nullptr, *filter = nullptr;
  tensor::PadOp pad;                    ///< the image is what this makes; null: it is from outside
  SmallVector<unsigned> parallel;       ///< the result's loops, outermost first
  unsigned firstMerged = 0, merged = 0; ///< of these, the ones over the image, which become one
  SmallVector<unsigned> k;              ///< reduction loops, in the order that the filter has them
  bool isFlat = false;                  ///< the reduction loops become one
  bool isView = false;                  ///< a filter of one element: the im2col matrix is the image itself, reshaped
  bool kFirst = false;                  ///< K comes before the collapsed image loop in the im2col matrix
  SmallVector<linalg::GenericOp> users; ///< elementwise ops whose loops are collapsed, too, in order
  linalg::GenericOp before;             ///< the one that initialises
  linalg::FillOp fill;                  ///< or this

  SmallVector<ReassociationIndices> reassociation(unsigned rank) const {
    SmallVector<ReassociationIndices> groups;
    for (unsigned dim = 0; dim < rank; ++dim) {
      if (dim > firstMerged && dim < firstMerged + merged)
        groups.back().push_back(dim);
      else
        groups.push_back({int64_t(dim)});
    }
    return groups;
  }
};

std::optional<unsigned> loopOf(AffineExpr expr) {
  auto dim = dyn_cast<AffineDimExpr>(expr);
  return dim ? std::optional<unsigned>(dim.getPosition()) : std::nullopt;
}

/// The result's loops, and which of them index the image: these, and a batch before them.
bool planResult(Plan &plan, const linalg::ConvolutionDimensions &dims) {
  AffineMap output = plan.op.getMatchingIndexingMap(plan.op.getDpsInitOperand(0));
  for (AffineExpr expr : output.getResults()) {
    std::optional<unsigned> loop = loopOf(expr);
    if (!loop)
      return false;
    plan.parallel.push_back(*loop);
  }
  if (plan.parallel.size() != plan.op.getNumParallelLoops())
    return false;
  auto isMerged = [&](unsigned loop) { return llvm::is_contained(dims.outputImage, loop); };
  plan.firstMerged = llvm::find_if(plan.parallel, isMerged) - plan.parallel.begin();
  while (plan.firstMerged + plan.merged < plan.parallel.size() &&
         isMerged(plan.parallel[plan.firstMerged + plan.merged]))
    ++plan.merged;
  if (plan.merged != dims.outputImage.size())
    return false;
  if (plan.firstMerged > 0 && llvm::is_contained(dims.batch, plan.parallel[plan.firstMerged - 1])) {
    --plan.firstMerged;
    ++plan.merged;
  }
  return true;
}

/// Whether each element of the image, which is from outside as it is, goes with one place of the result, in the same
/// order.
bool isImageItself(Plan &plan, const linalg::ConvolutionDimensions &dims) {
  SmallVector<int64_t> ranges = plan.op.getStaticLoopRanges();
  if (plan.pad || llvm::any_of(dims.filterLoop, [&](unsigned loop) { return ranges[loop] != 1; }))
    return false;
  SmallVector<unsigned> loops(ArrayRef(plan.parallel).slice(plan.firstMerged, plan.merged)), found;
  AffineMap image = plan.op.getMatchingIndexingMap(plan.image);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(plan.image->get().getType()).getShape();
  for (auto [expr, size] : llvm::zip_equal(image.getResults(), shape)) {
    auto walked = llvm::find_if(loops, [&, expr = expr](unsigned loop) { return expr.isFunctionOfDim(loop); });
    if (walked == loops.end())
      continue;
    // A stride leaves places out.
    if (ranges[*walked] != size)
      return false;
    found.push_back(*walked);
  }
  // Side by side and innermost, but for the channels, which come next to them.
  int64_t rank = image.getNumResults(), count = loops.size();
  bool hasChannelsLast = loopOf(image.getResult(rank - 1)) == dims.inputChannel.front();
  int64_t first = rank - count - hasChannelsLast;
  if (found != loops || first < !hasChannelsLast ||
      (!hasChannelsLast && loopOf(image.getResult(first - 1)) != dims.inputChannel.front()))
    return false;
  return llvm::all_of(llvm::seq<int64_t>(0, count),
                      [&](int64_t at) { return image.getResult(first + at).isFunctionOfDim(loops[at]); });
}

/// The reduction loops as the filter has them; one where the image's innermost dimension is none of them, so that
/// neighbours in memory are no neighbours along K anyhow.
bool planK(Plan &plan, const linalg::ConvolutionDimensions &dims) {
  AffineMap filter = plan.op.getMatchingIndexingMap(plan.filter);
  SmallVector<utils::IteratorType> iterators = plan.op.getIteratorTypesArray();
  unsigned first = 0;
  for (auto [position, expr] : llvm::enumerate(filter.getResults())) {
    std::optional<unsigned> loop = loopOf(expr);
    if (!loop)
      return false;
    if (iterators[*loop] == utils::IteratorType::parallel)
      continue;
    if (plan.k.empty())
      first = position;
    else if (position != first + plan.k.size())
      return false;
    plan.k.push_back(*loop);
  }
  AffineMap image = plan.op.getMatchingIndexingMap(plan.image);
  std::optional<unsigned> inner = loopOf(image.getResults().back());
  plan.isFlat = !inner || *inner != dims.inputChannel.front() || plan.k.back() != *inner;
  bool hasChannelsLast = inner && *inner == dims.inputChannel.front();
  plan.isView = isImageItself(plan, dims);
  plan.isFlat |= plan.isView;
  plan.kFirst = plan.isFlat && !(plan.isView && hasChannelsLast);
  return plan.k.size() == plan.op.getNumReductionLoops();
}

/// The map without the dimensions of one element, which it indexes by 0.
AffineMap withoutUnits(AffineMap map) {
  SmallVector<AffineExpr> exprs;
  llvm::copy_if(map.getResults(), std::back_inserter(exprs), [](AffineExpr expr) { return expr != 0; });
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), exprs, map.getContext());
}

bool isFromOutside(Value value, Block *body) {
  return !value.getDefiningOp() || value.getDefiningOp()->getBlock() != body;
}

/// Whether an input's dimensions that are indexed by 0 can be dropped: a view of what is from outside.
bool hasOnlyUnitsAtZero(linalg::GenericOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!type)
    return map.getNumResults() == 0;
  bool hasUnits = false;
  for (auto [expr, size] : llvm::zip_equal(map.getResults(), type.getShape()))
    if (expr == 0) {
      if (size != 1)
        return false;
      hasUnits = true;
    }
  return !hasUnits || isFromOutside(operand.get(), op->getBlock());
}

/// True if `op` writes where it loops, and the merged loops lie side by side in all that it reads.
bool canMerge(const Plan &plan, linalg::GenericOp op) {
  if (!op || !op.hasPureTensorSemantics() || op.getNumReductionLoops() != 0 || op.hasIndexSemantics() ||
      op.getNumLoops() != plan.parallel.size() || op.getNumDpsInits() != 1 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return false;
  SmallVector<ReassociationIndices> groups = plan.reassociation(op.getNumLoops());
  llvm::erase_if(groups, [](const ReassociationIndices &group) { return group.size() == 1; });
  if (!llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) { return hasOnlyUnitsAtZero(op, operand); }))
    return false;
  SmallVector<AffineMap> maps = llvm::map_to_vector(op.getIndexingMapsArray(), withoutUnits);
  return llvm::all_of(maps, [](AffineMap map) { return map.isProjectedPermutation(); }) &&
         linalg::areDimSequencesPreserved(maps, groups);
}

/// Elementwise ops that take the result where they write, one after the other, to the end of the dispatch.
bool planFollowers(Plan &plan) {
  Block *body = plan.op->getBlock();
  llvm::SmallPtrSet<Operation *, 4> found{plan.op};
  // What else is computed here would have to be reshaped, which tiles cannot be read through.
  auto takesNothingElse = [&](linalg::GenericOp op) {
    return llvm::all_of(op.getDpsInputs(), [&](Value input) {
      return isFromOutside(input, body) || found.contains(input.getDefiningOp());
    });
  };
  for (Operation *op = plan.op; op; op = op->getNextNode()) {
    if (!found.contains(op))
      continue;
    for (Operation *user : op->getUsers()) {
      if (user == body->getTerminator() || found.contains(user))
        continue;
      auto next = dyn_cast<linalg::GenericOp>(user);
      if (user->getBlock() != body || !canMerge(plan, next) || !takesNothingElse(next))
        return false;
      found.insert(user);
    }
    if (op != plan.op.getOperation())
      plan.users.push_back(cast<linalg::GenericOp>(op));
  }
  return true;
}

bool planInit(Plan &plan) {
  Value init = plan.op.getDpsInits().front();
  if (isFromOutside(init, plan.op->getBlock()))
    return true;
  Operation *producer = init.getDefiningOp();
  if ((plan.fill = dyn_cast<linalg::FillOp>(producer)))
    return true;
  plan.before = dyn_cast<linalg::GenericOp>(producer);
  return producer->hasOneUse() && canMerge(plan, plan.before) &&
         llvm::all_of(plan.before.getDpsInputs(),
                      [&](Value input) { return isFromOutside(input, plan.op->getBlock()); });
}

std::optional<Plan> planOf(linalg::LinalgOp op) {
  FailureOr<linalg::ConvolutionDimensions> dims = linalg::inferConvolutionDims(op);
  if (failed(dims) || !op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.hasIndexSemantics() || !dims->depth.empty() || dims->outputChannel.size() != 1 ||
      dims->inputChannel.size() != 1 || dims->batch.size() > 1 ||
      llvm::any_of(op.getStaticLoopRanges(), [](int64_t range) { return range <= 0; }))
    return std::nullopt;
  Plan plan;
  plan.op = op;
  plan.image = op.getDpsInputOperand(0);
  plan.filter = op.getDpsInputOperand(1);
  plan.pad = plan.image->get().getDefiningOp<tensor::PadOp>();
  if (plan.pad && plan.pad->getBlock() != op->getBlock())
    plan.pad = {};
  Value source = plan.pad ? plan.pad.getSource() : plan.image->get();
  Block *body = op->getBlock();
  bool isPlain =
      isFromOutside(source, body) && isFromOutside(plan.filter->get(), body) && (!plan.pad || canReadPadded(plan.pad));
  if (!isPlain || !planResult(plan, *dims) || !planK(plan, *dims) || !planInit(plan) || !planFollowers(plan))
    return std::nullopt;
  return plan;
}

class Converter {
public:
  Converter(RewriterBase &rewriter, Plan &plan)
      : rewriter(rewriter), plan(plan), loc(plan.op.getLoc()), ranges(plan.op.getStaticLoopRanges()) {}

  void run() {
    groups = plan.reassociation(plan.parallel.size());
    rewriter.setInsertionPoint(plan.op);
    Value init = mergedInit();
    Value columns = pickElements();
    Value filter = plan.filter->get();
    if (plan.isFlat)
      filter = flatFilter(filter);
    Value product = contract(columns, filter, init);
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(plan.op, plan.op->getResult(0).getType(), product, groups);
    for (linalg::GenericOp each : plan.users)
      merge(each);
  }

private:
  /// Reads inputs without the dimensions of one element that are indexed by 0.
  void dropUnits(linalg::GenericOp op) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    for (OpOperand *input : op.getDpsInputOperands()) {
      AffineMap &map = maps[input->getOperandNumber()], kept = withoutUnits(map);
      if (map == kept)
        continue;
      SmallVector<ReassociationIndices> dims(kept.getNumResults());
      size_t next = 0;
      for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
        next += expr != 0;
        if (!dims.empty()) // those in front go with the first one that stays
          dims[next == 0 ? 0 : next - 1].push_back(dim);
      }
      Value view = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), input->get(), dims);
      rewriter.modifyOpInPlace(op, [&] { input->set(view); });
      map = kept;
    }
    rewriter.modifyOpInPlace(op, [&] { op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps)); });
  }

  /// Merges loops of an elementwise op.
  void merge(linalg::GenericOp op) {
    SmallVector<ReassociationIndices> loops = plan.reassociation(op.getNumLoops());
    rewriter.setInsertionPoint(op);
    dropUnits(op);
    FailureOr<linalg::CollapseResult> collapsed = linalg::collapseOpIterationDims(op, loops, rewriter);
    if (succeeded(collapsed))
      rewriter.replaceOp(op, collapsed->results);
  }

  Value mergedInit() {
    if (plan.before)
      merge(plan.before);
    Value init = plan.op.getDpsInits().front();
    auto type = tensor::CollapseShapeOp::inferCollapsedType(cast<RankedTensorType>(init.getType()), groups);
    if (!plan.fill)
      return tensor::CollapseShapeOp::create(rewriter, loc, type, init, groups);
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
    return linalg::FillOp::create(rewriter, plan.fill.getLoc(), plan.fill.value(), empty).result();
  }

  int64_t extentOf(ArrayRef<unsigned> loops) const {
    int64_t extent = 1;
    for (unsigned loop : loops)
      extent *= ranges[loop];
    return extent;
  }
  ArrayRef<unsigned> mergedLoops() const { return ArrayRef(plan.parallel).slice(plan.firstMerged, plan.merged); }

  /// Loops of the convolution for each dimension of the im2col matrix: those over the image, collapsed, and the
  /// reduction loops after them, or before them if the image is contiguous along its loops.
  SmallVector<SmallVector<unsigned>> pickedDims() const {
    SmallVector<SmallVector<unsigned>> dims;
    AffineMap image = plan.op.getMatchingIndexingMap(plan.image);
    for (unsigned position = 0; position < plan.firstMerged; ++position)
      if (image.isFunctionOfDim(plan.parallel[position]))
        dims.push_back({plan.parallel[position]});
    SmallVector<unsigned> merged(mergedLoops());
    if (plan.isFlat) {
      dims.push_back(plan.kFirst ? plan.k : merged);
      dims.push_back(plan.kFirst ? merged : plan.k);
      return dims;
    }
    dims.push_back(merged);
    for (unsigned loop : plan.k)
      dims.push_back({loop});
    return dims;
  }

  /// The image's elements in the order of the contraction's loops.
  Value pickElements() {
    SmallVector<SmallVector<unsigned>> dims = pickedDims();
    if (plan.isView)
      return viewImage(dims);
    SmallVector<int64_t> shape;
    for (ArrayRef<unsigned> loops : dims)
      shape.push_back(extentOf(loops));
    auto type = cast<RankedTensorType>(plan.image->get().getType());
    Value empty = tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
    SmallVector<utils::IteratorType> iterators(shape.size(), utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(rewriter, loc, TypeRange{empty.getType()}, ValueRange{}, ValueRange{empty},
                                             ArrayRef<AffineMap>{rewriter.getMultiDimIdentityMap(shape.size())},
                                             iterators, [&](OpBuilder &builder, Location where, ValueRange) {
                                               linalg::YieldOp::create(builder, where, element(builder, where, dims));
                                             });
    return generic.getResult(0);
  }

  /// The image with the dimensions that belong to one loop of the contraction as one.
  Value viewImage(ArrayRef<SmallVector<unsigned>> dims) {
    SmallVector<ReassociationIndices> groups(dims.size());
    for (auto [position, expr] : llvm::enumerate(plan.op.getMatchingIndexingMap(plan.image).getResults()))
      for (auto [dim, loops] : llvm::enumerate(dims)) {
        // A filter's place, of which there is one, comes with each of the image's.
        bool isOne = llvm::any_of(loops, [&, expr = expr](unsigned loop) {
          return expr.isFunctionOfDim(loop) && (!llvm::is_contained(plan.k, loop) || loopOf(expr) == loop);
        });
        if (isOne)
          groups[dim].push_back(position);
      }
    return tensor::CollapseShapeOp::create(rewriter, loc, plan.image->get(), groups);
  }

  Value element(OpBuilder &builder, Location where, ArrayRef<SmallVector<unsigned>> dims) {
    SmallVector<Value> at(plan.op.getNumLoops());
    Value zero = arith::ConstantIndexOp::create(builder, where, 0);
    std::fill(at.begin(), at.end(), zero); // loops that the image does not depend on
    for (auto [dim, loops] : llvm::enumerate(dims)) {
      Value rest = linalg::IndexOp::create(builder, where, dim);
      for (size_t number = loops.size(); number-- > 0;) {
        Value extent = arith::ConstantIndexOp::create(builder, where, ranges[loops[number]]);
        bool isLast = number == 0;
        at[loops[number]] = isLast ? rest : arith::RemUIOp::create(builder, where, rest, extent).getResult();
        if (!isLast)
          rest = arith::DivUIOp::create(builder, where, rest, extent);
      }
    }
    AffineMap map = plan.op.getMatchingIndexingMap(plan.image);
    SmallVector<Value> indices = *affine::expandAffineMap(builder, where, map, at);
    return plan.pad ? paddedElement(builder, where, plan.pad, indices)
                    : tensor::ExtractOp::create(builder, where, plan.image->get(), indices).getResult();
  }

  Value flatFilter(Value filter) {
    SmallVector<ReassociationIndices> dims;
    for (auto [position, expr] : llvm::enumerate(plan.op.getMatchingIndexingMap(plan.filter).getResults())) {
      unsigned loop = *loopOf(expr);
      if (llvm::is_contained(plan.k, loop) && loop != plan.k.front())
        dims.back().push_back(position);
      else
        dims.push_back({int64_t(position)});
    }
    return tensor::CollapseShapeOp::create(rewriter, loc, filter, dims);
  }

  /// The product, over the result's loops with those over the image merged, and the reduction loops.
  Value contract(Value columns, Value filter, Value init) {
    DenseMap<unsigned, unsigned> loops; // the convolution's to the contraction's
    for (auto [position, group] : llvm::enumerate(groups))
      for (int64_t dim : group)
        loops[plan.parallel[dim]] = position;
    unsigned count = groups.size();
    for (unsigned loop : plan.k) {
      loops[loop] = plan.isFlat && loop != plan.k.front() ? count - 1 : count;
      count += loops[loop] == count;
    }
    MLIRContext *context = rewriter.getContext();
    auto mapOf = [&](ArrayRef<SmallVector<unsigned>> dims) {
      SmallVector<AffineExpr> exprs;
      for (ArrayRef<unsigned> dim : dims)
        exprs.push_back(getAffineDimExpr(loops[dim.front()], context));
      return AffineMap::get(count, 0, exprs, context);
    };
    SmallVector<SmallVector<unsigned>> ofFilter, ofResult;
    for (AffineExpr expr : plan.op.getMatchingIndexingMap(plan.filter).getResults())
      if (unsigned loop = *loopOf(expr); !plan.isFlat || !llvm::is_contained(plan.k, loop) || loop == plan.k.front())
        ofFilter.push_back({loop});
    for (const ReassociationIndices &group : groups)
      ofResult.push_back({plan.parallel[group.front()]});
    SmallVector<utils::IteratorType> iterators(count, utils::IteratorType::reduction);
    std::fill_n(iterators.begin(), groups.size(), utils::IteratorType::parallel);
    // The operand of the result's rows comes first.
    bool imageFirst = plan.firstMerged + plan.merged < plan.parallel.size();
    SmallVector<Value> inputs{columns, filter};
    SmallVector<AffineMap> maps{mapOf(pickedDims()), mapOf(ofFilter), mapOf(ofResult)};
    if (!imageFirst) {
      std::swap(inputs[0], inputs[1]);
      std::swap(maps[0], maps[1]);
    }
    auto generic =
        linalg::GenericOp::create(rewriter, loc, TypeRange{init.getType()}, inputs, ValueRange{init}, maps, iterators,
                                  [&](OpBuilder &builder, Location, ValueRange arguments) {
                                    IRMapping mapping;
                                    Block *body = plan.op.getBlock();
                                    for (auto [number, argument] : llvm::enumerate(body->getArguments()))
                                      mapping.map(argument, arguments[number < 2 && !imageFirst ? 1 - number : number]);
                                    for (Operation &inner : *body)
                                      builder.clone(inner, mapping);
                                  });
    return generic.getResult(0);
  }

  RewriterBase &rewriter;
  Plan &plan;
  Location loc;
  SmallVector<int64_t> ranges;
  SmallVector<ReassociationIndices> groups;
};

/// Reshapes between merged ops go away, and buffers are allocated as they are used.
void foldReshapes(Block &body) {
  MLIRContext *context = body.getParentOp()->getContext();
  RewritePatternSet patterns(context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  (void)applyPatternsGreedily(*body.getParent(), std::move(patterns));
}

} // namespace

void convolutionsToContractions(RewriterBase &rewriter, Block &body) {
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<linalg::LinalgOp> convolutions;
  for (auto op : body.getOps<linalg::LinalgOp>())
    if (op.getNumReductionLoops() != 0)
      convolutions.push_back(op);
  bool changed = false;
  for (linalg::LinalgOp op : convolutions) {
    std::optional<Plan> plan = planOf(op);
    if (!plan)
      continue;
    Converter(rewriter, *plan).run();
    changed = true;
  }
  if (changed)
    foldReshapes(body);
}

} // namespace fuselage
