#include "core/ir/layers/EqualLayers.h"
#include "core/ir/layers/EqualOps.h"
#include "core/ir/layers/PeriodicRuns.h"
#include "core/ir/ops/Parameters.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace fuselage {

//===-- Values from outside ---------------------------------------------------------------------===//

/// What an op and the ops in it read from outside of it, in order.
static SmallVector<Value> readFromOutside(Operation *op) {
  SmallVector<Value> values(op->getOperands());
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!op->isProperAncestor(operand.getParentBlock()->getParentOp()) &&
            operand.getParentBlock()->getParentOp() != op)
          values.push_back(operand);
    });
  return values;
}

/// Attributes of an argument that count: all but the name of the weight.
static bool haveEqualAttributes(func::FuncOp function, BlockArgument one, BlockArgument other) {
  auto attributesOf = [&](BlockArgument argument) {
    NamedAttrList list(function.getArgAttrDict(argument.getArgNumber()));
    list.erase(kParameterAttr);
    return list.getDictionary(function.getContext());
  };
  return attributesOf(one) == attributesOf(other);
}

//===-- Runs ------------------------------------------------------------------------------------===//

std::optional<LayerPlace> EqualLayers::placeOf(Operation *op) const {
  auto found = index_.find(op);
  if (found == index_.end())
    return std::nullopt;
  return LayerPlace{found->second / period_, found->second % period_};
}

Value EqualLayers::shifted(Value value, long layers) const {
  auto moved = [&](size_t layer) { return static_cast<size_t>(static_cast<long>(layer) + layers); };
  if (auto leaf = leaves_.find(value); leaf != leaves_.end()) {
    auto [part, layer] = leaf->second;
    return moved(layer) < count_ ? leavesByPart_[part][moved(layer)] : Value();
  }
  std::optional<LayerPlace> place = value.getDefiningOp() ? placeOf(value.getDefiningOp()) : std::nullopt;
  if (!place)
    return value;
  if (moved(place->layer) >= count_)
    return {};
  return op({moved(place->layer), place->offset})->getResult(cast<OpResult>(value).getResultNumber());
}

class EqualLayersFinder {
public:
  explicit EqualLayersFinder(func::FuncOp function) : function_(function), block_(function.front()) {}
  std::vector<EqualLayers> find(size_t leastCount);

private:
  void numberOps();
  bool isLeafOf(Value value, const EqualLayers &layers, size_t layer) const;
  bool areWiredAlike(Value before, Value value, size_t layer, EqualLayers &layers);
  bool isLikeTheOneBefore(size_t layer, EqualLayers &layers);
  EqualLayers slice(const PeriodicRun &run, size_t first, size_t count) const;
  EqualLayers layersOf(const PeriodicRun &run);

  func::FuncOp function_;
  Block &block_;
  std::vector<Operation *> sequence_;
  std::vector<uint32_t> numbers_;
};

void EqualLayersFinder::numberOps() {
  EqualOps equal;
  for (Operation &op : block_.without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>())
      continue;
    sequence_.push_back(&op);
    numbers_.push_back(equal.of(&op));
  }
}

EqualLayers EqualLayersFinder::slice(const PeriodicRun &run, size_t first, size_t count) const {
  EqualLayers layers;
  layers.period_ = run.period;
  layers.count_ = count;
  auto begin = sequence_.begin() + static_cast<ptrdiff_t>(run.start + first * run.period);
  layers.ops_.assign(begin, begin + static_cast<ptrdiff_t>(count * run.period));
  for (auto [index, op] : llvm::enumerate(layers.ops_))
    layers.index_[op] = index;
  return layers;
}

/// Whether only this layer reads a value from outside of the layers.
bool EqualLayersFinder::isLeafOf(Value value, const EqualLayers &layers, size_t layer) const {
  Operation *constant = value.getDefiningOp();
  if (constant && !constant->hasTrait<OpTrait::ConstantLike>())
    return false;
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    std::optional<LayerPlace> place = layers.placeOf(block_.findAncestorOpInBlock(*user));
    return place && place->layer == layer;
  });
}

/// Whether `value`, which `layer` reads, plays the part that `before` plays in the layer before it.
bool EqualLayersFinder::areWiredAlike(Value before, Value value, size_t layer, EqualLayers &layers) {
  auto placeOf = [&](Value each) { return each.getDefiningOp() ? layers.placeOf(each.getDefiningOp()) : std::nullopt; };
  std::optional<LayerPlace> from = placeOf(before), to = placeOf(value);
  if (before == value)
    return !to || to->layer < 2; // what all read, perhaps of the first layers
  if (!from && to && to->layer == 0)
    return true; // what comes before the first layer plays the part of a layer before it
  if (from || to) {
    bool isAlike = from && to && from->layer + 1 == to->layer && from->offset == to->offset &&
                   cast<OpResult>(before).getResultNumber() == cast<OpResult>(value).getResultNumber();
    if (isAlike)
      layers.reach_ = std::max(layers.reach_, layer - to->layer);
    return isAlike;
  }
  if (before.getType() != value.getType() || !isLeafOf(before, layers, layer - 1) || !isLeafOf(value, layers, layer))
    return false;
  auto argument = dyn_cast<BlockArgument>(before), other = dyn_cast<BlockArgument>(value);
  bool areArguments = argument && other && haveEqualAttributes(function_, argument, other);
  bool areConstants = !argument && !other && areEqualOps(before.getDefiningOp(), value.getDefiningOp());
  if (!areArguments && !areConstants)
    return false;
  auto part = layers.leaves_.find(before);
  if (part == layers.leaves_.end()) {
    part = layers.leaves_.try_emplace(before, layers.leavesByPart_.size(), layer - 1).first;
    layers.leavesByPart_.emplace_back(layers.count_)[layer - 1] = before;
  }
  size_t number = part->second.first;
  auto [entry, isNew] = layers.leaves_.try_emplace(value, number, layer);
  layers.leavesByPart_[number][layer] = value;
  return isNew || entry->second == std::pair(number, layer);
}

bool EqualLayersFinder::isLikeTheOneBefore(size_t layer, EqualLayers &layers) {
  for (size_t offset = 0; offset < layers.period(); ++offset) {
    SmallVector<Value> before = readFromOutside(layers.op({layer - 1, offset})),
                       values = readFromOutside(layers.op({layer, offset}));
    if (before.size() != values.size() || !llvm::all_of(llvm::zip(before, values), [&](auto pair) {
          return areWiredAlike(std::get<0>(pair), std::get<1>(pair), layer, layers);
        }))
      return false;
  }
  return true;
}

/// The most layers in a row of a run that are wired alike, each of them but the first like the one before.
EqualLayers EqualLayersFinder::layersOf(const PeriodicRun &run) {
  size_t count = run.length / run.period, first = 0;
  std::pair<size_t, size_t> best{0, 0}; // first, count
  EqualLayers all = slice(run, 0, count);
  for (size_t layer = 1; layer <= count; ++layer) {
    if (layer < count && isLikeTheOneBefore(layer, all))
      continue;
    if (layer - first > best.second)
      best = {first, layer - first};
    first = layer;
  }
  // Once more, for these alone: what lies in other layers of the run is outside now.
  EqualLayers layers = slice(run, best.first, best.second);
  for (size_t layer = 1; layer < layers.count(); ++layer)
    if (!isLikeTheOneBefore(layer, layers))
      layers.count_ = 0;
  return layers;
}

std::vector<EqualLayers> EqualLayersFinder::find(size_t leastCount) {
  numberOps();
  std::vector<PeriodicRun> runs = findPeriodicRuns(numbers_);
  llvm::erase_if(runs, [&](const PeriodicRun &run) { return run.length / run.period < leastCount; });
  llvm::stable_sort(runs, [](const PeriodicRun &a, const PeriodicRun &b) { return a.length > b.length; });
  std::vector<EqualLayers> found;
  llvm::DenseSet<Operation *> taken;
  for (const PeriodicRun &run : runs) {
    EqualLayers layers = layersOf(run);
    if (layers.count() < leastCount || llvm::any_of(layers.ops_, [&](Operation *op) { return taken.contains(op); }))
      continue;
    taken.insert_range(layers.ops_);
    found.push_back(std::move(layers));
  }
  return found;
}

std::vector<EqualLayers> findEqualLayers(func::FuncOp function, size_t leastCount) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return {};
  return EqualLayersFinder(function).find(leastCount);
}

} // namespace fuselage
