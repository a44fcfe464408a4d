#include "core/ir/layers/ShortFunction.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace fuselage {

size_t countAllOps(Operation *op) {
  size_t count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

/// The runs in which `op` of the entry block is an op of a layer; null: in none.
const EqualLayers *ShortFunction::layersOf(Operation *op, LayerPlace &place) const {
  for (const EqualLayers &run : runs_)
    if (std::optional<LayerPlace> found = run.placeOf(op)) {
      place = *found;
      return &run;
    }
  return nullptr;
}

bool ShortFunction::canBeShort() const {
  for (const EqualLayers &run : runs_) {
    // What the last layers read of those before them is taken from as many layers before what is left out.
    if (run.reach() > few_.first)
      return false;
    for (size_t layer = countFirst(run); isLeftOut(run, layer); ++layer)
      for (size_t offset = 0; offset < run.period(); ++offset)
        for (Operation *user : run.op({layer, offset})->getUsers())
          if (!run.placeOf(topOf(user)) && !isa<func::ReturnOp>(user))
            return false;
  }
  return true;
}

void ShortFunction::build() {
  OpBuilder builder(function_.getContext());
  copy_ = cast<func::FuncOp>(function_->cloneWithoutRegions());
  Block *block = copy_->addEntryBlock();
  for (auto [from, to] : llvm::zip_equal(function_.getArguments(), block->getArguments())) {
    to.setLoc(from.getLoc());
    mapping_.map(from, to);
  }
  builder.setInsertionPointToStart(block);
  SmallVector<unsigned> results;
  for (Operation &op : function_.front()) {
    LayerPlace place;
    const EqualLayers *run = layersOf(&op, place);
    if (run && isLeftOut(*run, place.layer)) {
      // The last of them have twins that are left, for the layers after them to read.
      for (Value result : op.getResults())
        if (Value twin = run->shifted(result, -leftOut(*run)); twin && mapping_.contains(twin))
          mapping_.map(result, mapping_.lookup(twin));
    } else if (auto end = dyn_cast<func::ReturnOp>(op)) {
      SmallVector<Value> operands;
      for (auto [index, operand] : llvm::enumerate(end.getOperands())) {
        LayerPlace origin;
        const EqualLayers *from = operand.getDefiningOp() ? layersOf(operand.getDefiningOp(), origin) : nullptr;
        if (from && isLeftOut(*from, origin.layer))
          continue;
        operands.push_back(mapping_.lookup(operand));
        results.push_back(index);
      }
      mapping_.map(&op, func::ReturnOp::create(builder, op.getLoc(), operands).getOperation());
    } else {
      builder.clone(op, mapping_);
    }
  }
  if (results.size() < function_.getNumResults()) {
    llvm::BitVector gone(function_.getNumResults(), true);
    for (unsigned result : results)
      gone.reset(result);
    (void)copy_->eraseResults(gone);
  }
}

std::optional<ShortFunction> ShortFunction::of(func::FuncOp function, FewLayers few) {
  ShortFunction result(function, few);
  result.runs_ = findEqualLayers(function, few.first + few.last + 1);
  if (result.runs_.empty() || !result.canBeShort())
    return std::nullopt;
  result.build();
  return result;
}

OwningOpRef<func::FuncOp> ShortFunction::withLonger(size_t run) const {
  // What can be left out of the copy that there is, can be left out of one that has more.
  ShortFunction other(function_, few_);
  other.runs_ = runs_;
  other.longer_ = run;
  other.build();
  return std::move(other.copy_);
}

//===-- Edges that stand for others ---------------------------------------------------------------===//

/// The same op of another layer, which may be nested in one of the entry block; the op itself if it is in no layer.
Operation *ShortFunction::moved(const EqualLayers &layers, Operation *op, long by) const {
  Operation *top = topOf(op);
  std::optional<LayerPlace> place = top ? layers.placeOf(top) : std::nullopt;
  if (!place)
    return op;
  size_t layer = static_cast<size_t>(static_cast<long>(place->layer) + by);
  if (layer >= layers.count())
    return nullptr;
  Operation *other = layers.op({layer, place->offset});
  if (op == top)
    return other;
  size_t number = 0;
  top->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (inner == op)
      return WalkResult::interrupt();
    ++number;
    return WalkResult::advance();
  });
  Operation *twin = nullptr;
  other->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    twin = inner;
    return number-- == 0 ? WalkResult::interrupt() : WalkResult::advance();
  });
  return twin;
}

ShortFunction::Edge ShortFunction::moved(const EqualLayers &layers, Edge edge, long by) const {
  return {.from = moved(layers, edge.from, by), .to = moved(layers, edge.to, by)};
}

std::optional<ShortFunction::Edge> ShortFunction::copyOf(Edge edge) const {
  LayerPlace place;
  Operation *top = edge.from ? topOf(edge.from) : nullptr;
  const EqualLayers *layers = top ? layersOf(top, place) : nullptr;
  if (layers && isLeftOut(*layers, place.layer)) // the copy of `to`, if any, reads this one's twin
    edge.from = moved(*layers, edge.from, -leftOut(*layers));
  Edge copies{.from = mapping_.lookupOrNull(edge.from), .to = mapping_.lookupOrNull(edge.to)};
  return copies.from && copies.to ? std::optional(copies) : std::nullopt;
}

ShortFunction::Edge ShortFunction::speakerOf(Edge edge) const {
  LayerPlace place;
  const EqualLayers *layers = layersOf(topOf(edge.to), place);
  if (!layers || !isLeftOut(*layers, place.layer))
    return edge;
  return moved(*layers, edge, static_cast<long>(kSpeaker) - static_cast<long>(place.layer));
}

std::optional<ShortFunction::Edge> ShortFunction::witnessOf(Edge edge) const {
  LayerPlace place;
  const EqualLayers *layers = layersOf(topOf(edge.to), place);
  if (!layers || place.layer != kSpeaker)
    return std::nullopt;
  return moved(*layers, edge, static_cast<long>(kWitness) - static_cast<long>(kSpeaker));
}

} // namespace fuselage
