// Why an op cannot be tiled, padded, packed or reordered as a schedule wants.
#include "core/schedules/causes/CauseNotes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace fuselage {

static std::string list(ArrayRef<int64_t> numbers) {
  return "[" + llvm::join(llvm::map_range(numbers, [](int64_t number) { return std::to_string(number); }), ", ") + "]";
}

void explainNoLoops(Operation *op, CauseNotes &notes) {
  if (isa<TilingInterface>(op))
    return;
  std::string inside = opsInside(op);
  notes.at(op, nameWithLine(op) + " has no loops of its own to tile" +
                   (inside.empty() ? "" : "; match the ops in it: " + inside));
}

void explainOrder(Operation *op, ArrayRef<int64_t> order, CauseNotes &notes) {
  auto tiled = dyn_cast<TilingInterface>(op);
  if (order.empty() || !tiled)
    return;
  size_t loops = tiled.getLoopIteratorTypes().size();
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, order.size())))
    notes.at(op, "interchange = " + list(order) + " is no permutation: it has to have each of 0 to " +
                     Twine(order.size() - 1) + " once");
  else if (order.size() > loops)
    notes.at(op, "interchange = " + list(order) + " is of " + Twine(order.size()) + " loops, and " + nameWithLine(op) +
                     " has " + Twine(loops));
}

void explainSplitReduction(Operation *op, int64_t factor, CauseNotes &notes) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return notes.at(op, nameWithLine(op) + " is no linalg op");
  SmallVector<unsigned> dimensions;
  structured.getReductionDims(dimensions);
  if (dimensions.size() != 1)
    return notes.at(op, nameWithLine(op) + " has " + Twine(dimensions.size()) +
                            " reduction loops, and exactly one is split");
  int64_t size = structured.getStaticLoopRanges()[dimensions.front()];
  if (ShapedType::isDynamic(size))
    return notes.at(op, "the reduction loop d" + Twine(dimensions.front()) +
                            " has a dynamic size, of which it is not known that " + Twine(factor) + " divides it");
  if (factor > 0 && size % factor != 0)
    notes.at(op, "split_factor = " + Twine(factor) + " does not divide the " + Twine(size) +
                     " iterations of the reduction loop d" + Twine(dimensions.front()));
}

void explainDimension(Operation *op, int64_t dimension, CauseNotes &notes) {
  auto tiled = dyn_cast<TilingInterface>(op);
  if (!tiled)
    return explainNoLoops(op, notes);
  int64_t loops = tiled.getLoopIteratorTypes().size();
  if (dimension >= loops)
    notes.at(op, nameWithLine(op) + " has " + Twine(loops) + " loops, 0 to " + Twine(loops - 1) +
                     ", and none of number " + Twine(dimension));
}

void explainPadding(Operation *op, size_t values, CauseNotes &notes) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return explainNoLoops(op, notes);
  if (values != 0 && values < op->getNumOperands())
    notes.at(op, "padding_values has " + Twine(values) + " values, and " + nameWithLine(op) + " has " +
                     Twine(op->getNumOperands()) + " operands");
  if (!structured.hasPureTensorSemantics())
    notes.at(op, nameWithLine(op) + " works on buffers; only tensors are padded");
}

void explainPromote(Operation *op, CauseNotes &notes) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return explainNoLoops(op, notes);
  if (!structured.hasPureBufferSemantics())
    return notes.at(op, nameWithLine(op) +
                            " works on tensors; promote copies tiles of buffers, after bufferization. Of tensors, use "
                            "transform.structured.promote_tensor");
  if (llvm::none_of(op->getOperands(), [](Value operand) {
        Operation *definition = operand.getDefiningOp();
        return definition && definition->getName().getStringRef() == "memref.subview";
      }))
    notes.at(op, "no operand of " + nameWithLine(op) + " is a memref.subview; tile it first");
}

} // namespace fuselage
