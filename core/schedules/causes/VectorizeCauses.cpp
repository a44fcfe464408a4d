// Why an op cannot be vectorized. Upstream asks the same (vectorizeOpPrecondition), and answers yes or no.
#include "core/schedules/causes/CauseNotes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace fuselage {
namespace {

std::string textOfMap(AffineMap map) {
  std::string text;
  llvm::raw_string_ostream(text) << map;
  return text;
}

std::string textOfType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// "input 1" or "output 0".
std::string nameOfOperand(linalg::LinalgOp op, OpOperand &operand) {
  unsigned number = operand.getOperandNumber();
  int64_t inputs = op.getNumDpsInputs();
  return op.isDpsInput(&operand) ? "input " + std::to_string(number) : "output " + std::to_string(number - inputs);
}

/// What `sizes` lack as those of `shape`.
bool explainSizes(Operation *op, ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes, CauseNotes &notes) {
  if (sizes.empty()) {
    bool isDynamic = ShapedType::isDynamicShape(shape);
    if (isDynamic)
      notes.at(op, "its sizes are dynamic: give vector_sizes, which are masked where the op is smaller");
    return isDynamic;
  }
  if (sizes.size() != shape.size()) {
    notes.at(op,
             "it has " + Twine(shape.size()) + " dimensions, and vector_sizes has " + Twine(sizes.size()) + " numbers");
    return true;
  }
  for (auto [dimension, size, wanted] : llvm::enumerate(shape, sizes))
    if (!ShapedType::isDynamic(size) && wanted < size) {
      notes.at(op, "dimension " + Twine(dimension) + " has " + Twine(size) + " iterations, more than the vector size " +
                       Twine(wanted) + "; tile it first, or give at least " + Twine(size));
      return true;
    }
  return false;
}

bool explainEmpty(linalg::LinalgOp op, CauseNotes &notes) {
  for (OpOperand &operand : op->getOpOperands())
    if (auto type = dyn_cast<ShapedType>(operand.get().getType());
        type && type.hasRank() && llvm::is_contained(type.getShape(), 0)) {
      notes.at(op,
               nameOfOperand(op, operand) + " is " + textOfType(type) + ", and a vector has no dimension of size 0");
      return true;
    }
  return false;
}

/// Of the ops in the body, the first one that has no form on vectors.
bool explainBody(linalg::LinalgOp op, bool gathers, CauseNotes &notes) {
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
      if (extract.getIndices().size() > 1 && !gathers) {
        notes.at(&inner, "the body's 'tensor.extract' reads by " + Twine(extract.getIndices().size()) +
                             " indices; vectorize_nd_extract makes it a gather");
        return true;
      }
      continue;
    }
    for (Type type :
         llvm::concat<const Type>(llvm::to_vector(inner.getOperandTypes()), llvm::to_vector(inner.getResultTypes())))
      if (!VectorType::isValidElementType(type)) {
        notes.at(&inner, "the body's '" + inner.getName().getStringRef() + "' has a value of type " + textOfType(type) +
                             ", of which there are no vectors");
        return true;
      }
    if (isa<linalg::IndexOp, arith::ConstantOp>(inner) || OpTrait::hasElementwiseMappableTraits(&inner))
      continue;
    notes.at(&inner,
             "the body's '" + inner.getName().getStringRef() + "' has no form on vectors: it is not elementwise");
    return true;
  }
  return false;
}

bool explainMaps(linalg::LinalgOp op, CauseNotes &notes) {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (map.isProjectedPermutation(/*allowZeroInResults=*/true))
      continue;
    notes.at(op, nameOfOperand(op, operand) + " is read at " + textOfMap(map) +
                     ", which is no permutation of loops, some left out; only these become transfers of vectors" +
                     (isa<linalg::GenericOp>(op.getOperation())
                          ? "; a named convolution is vectorized, or take the window apart first"
                          : ""));
    return true;
  }
  return false;
}

/// The outputs that are accumulated over a reduction.
bool explainReductions(linalg::LinalgOp op, CauseNotes &notes) {
  bool reduces = llvm::is_contained(op.getIteratorTypesArray(), utils::IteratorType::reduction);
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    if (map.isPermutation())
      continue;
    std::string output = nameOfOperand(op, init);
    if (!reduces) {
      notes.at(op, output + " is written at " + textOfMap(map) +
                       ", which does not have every loop, and no loop is a reduction");
      return true;
    }
    SmallVector<Operation *> combiners;
    Value reduced = matchReduction(op.getRegionOutputArgs(), init.getOperandNumber() - op.getNumDpsInputs(), combiners);
    if (reduced && combiners.size() == 1 && linalg::getCombinerOpKind(combiners.front()))
      continue;
    const char *kinds = "; vectors are reduced by an addition, a product, a minimum, a maximum, and, or, xor";
    if (reduced && combiners.size() == 1)
      notes.at(combiners.front(),
               "the body combines " + output + " with '" + combiners.front()->getName().getStringRef() + "'" + kinds);
    else
      notes.at(op, output + " is not combined with the value before by one op alone" + kinds);
    return true;
  }
  return false;
}

void explainLinalg(linalg::LinalgOp op, ArrayRef<int64_t> sizes, bool gathers, CauseNotes &notes) {
  if (explainEmpty(op, notes) || explainSizes(op, op.getStaticLoopRanges(), sizes, notes) ||
      explainBody(op, gathers, notes))
    return;
  if (isa<linalg::ConvolutionOpInterface>(op.getOperation())) {
    if (op.getNumLoops() > 5 || !sizes.empty() || op.hasDynamicShape())
      notes.at(
          op,
          "only convolutions and poolings over one dimension are vectorized, of static sizes and without vector_sizes; "
          "tile to windows of one row and use transform.structured.decompose first");
    return;
  }
  if (explainMaps(op, notes) || linalg::isElementwise(op))
    return;
  explainReductions(op, notes);
}

void explainPad(tensor::PadOp pad, ArrayRef<int64_t> sizes, CauseNotes &notes) {
  if (!pad.getConstantPaddingValue())
    return notes.at(pad, "it pads with a value that is computed; only a constant is vectorized");
  if (explainSizes(pad, pad.getResultType().getShape(), sizes, notes))
    return;
  for (OpFoldResult low : pad.getMixedLowPad())
    if (!isConstantIntValue(low, 0))
      return notes.at(
          pad, "it pads at the low end, which a masked read does not do; only padding at the high end is vectorized");
}

} // namespace

void explainVectorize(Operation *op, ArrayRef<int64_t> sizes, bool gathers, CauseNotes &notes) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return explainLinalg(structured, sizes, gathers, notes);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return explainPad(pad, sizes, notes);
  if (auto pack = dyn_cast<linalg::PackOp>(op); pack && pack.getPaddingValue() &&
                                                !getConstantIntValue(pack.getPaddingValue()) &&
                                                !matchPattern(pack.getPaddingValue(), m_Constant()))
    return notes.at(op, "it pads with a value that is computed; only a constant is vectorized");
  if (!linalg::hasVectorizationImpl(op))
    notes.at(op, "'" + op->getName().getStringRef().str() + "' is not vectorized as such; " +
                     (opsInside(op).empty() ? "linalg ops, tensor.pad, pack and unpack are"
                                            : "match the linalg ops in it, or use "
                                              "transform.structured.vectorize_children_and_apply_patterns: it holds " +
                                                  opsInside(op)));
}

} // namespace fuselage
