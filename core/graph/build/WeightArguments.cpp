#include "core/graph/build/WeightArguments.h"
#include "core/ir/ops/Parameters.h"
#include "core/ir/ops/Payload.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace fuselage {
namespace {

constexpr unsigned manyArguments = 12; ///< fewer are drawn as they are
constexpr unsigned manyReaders = 3;    ///< a weight is read once, or twice where it is tied

/// What a value is made of: constants, one argument, or data of the user.
struct Source {
  enum class Kind { None, One, Flow } kind = Kind::None;
  unsigned argument = 0;
  bool operator==(const Source &) const = default;
};

class WeightFinder {
public:
  explicit WeightFinder(Block &body)
      : body_(body), isInput_(body.getNumArguments(), false), readers_(body.getNumArguments(), 0) {}
  llvm::DenseSet<Value> find();

private:
  Source sourceOf(Value value) const;
  void visit(Operation &op);
  void join(Operation &op, llvm::ArrayRef<std::pair<unsigned, Source>> reads);
  int64_t elementsOf(unsigned argument) const;
  bool isFirstOperandData(Operation &op) const;
  static bool isIndexLike(Type type);

  Block &body_;
  std::vector<bool> isInput_;
  std::vector<unsigned> readers_; // by argument
  llvm::DenseMap<Operation *, Source> sources_;
};

/// Token ids, positions, masks of flags; scalars.
bool WeightFinder::isIndexLike(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return !shaped || !shaped.hasRank() || shaped.getRank() == 0 || shaped.getElementType().isIndex() ||
         shaped.getElementType().isInteger(64) || shaped.getElementType().isInteger(32) ||
         shaped.getElementType().isInteger(1);
}

Source WeightFinder::sourceOf(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == &body_ ? Source{.kind = Source::Kind::One, .argument = argument.getArgNumber()}
                                         : Source{};
  return sources_.lookup(value.getDefiningOp());
}

/// Dynamic sizes are large: data has batches. What another dialect binds says nothing.
int64_t WeightFinder::elementsOf(unsigned argument) const {
  auto shaped = dyn_cast<ShapedType>(body_.getArgument(argument).getType());
  if (!shaped)
    return 1;
  return shaped.hasStaticShape() ? shaped.getNumElements() : INT64_MAX;
}

/// Convolutions and contractions tell the data from the filter.
bool WeightFinder::isFirstOperandData(Operation &op) const {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && (linalg::isaConvolutionOpInterface(linalgOp) || linalg::isaContractionOpInterface(linalgOp));
}

/// An op that more than one source flows into. Where a convolution or a contraction reads arguments alone, the flow of
/// data begins with the first of them; of other ops on arguments alone, the largest one goes on.
void WeightFinder::join(Operation &op, llvm::ArrayRef<std::pair<unsigned, Source>> reads) {
  bool hasFlow = false;
  unsigned largest = reads.front().second.argument;
  for (auto [operand, source] : reads) {
    hasFlow |= source.kind == Source::Kind::Flow || isInput_[source.argument];
    if (source.kind != Source::Kind::One)
      continue;
    ++readers_[source.argument];
    if (elementsOf(source.argument) > elementsOf(largest))
      largest = source.argument;
  }
  sources_[&op] = {.kind = Source::Kind::Flow};
  if (hasFlow)
    return;
  if (isFirstOperandData(op))
    isInput_[reads.front().second.argument] = true;
  else
    sources_[&op] = {.kind = Source::Kind::One, .argument = largest};
}

void WeightFinder::visit(Operation &op) {
  llvm::SmallVector<std::pair<unsigned, Source>, 4> reads; // different ones
  auto add = [&](unsigned operand, Value value) {
    Source source = sourceOf(value);
    bool known = llvm::any_of(reads, [&](const auto &read) { return read.second == source; });
    if (source.kind != Source::Kind::None && !known)
      reads.emplace_back(operand, source);
  };
  for (OpOperand &operand : op.getOpOperands())
    add(operand.getOperandNumber(), operand.get());
  unsigned captured = op.getNumOperands();
  for (Region &region : op.getRegions())
    region.walk([&](Operation *inner) {
      for (Value value : inner->getOperands())
        if (value.getParentBlock() == &body_)
          add(captured, value);
    });
  if (reads.size() == 1)
    sources_[&op] = reads.front().second; // who joins it decides
  else if (!reads.empty())
    join(op, reads);
}

llvm::DenseSet<Value> WeightFinder::find() {
  for (BlockArgument argument : body_.getArguments())
    isInput_[argument.getArgNumber()] = isIndexLike(argument.getType());
  for (Operation &op : body_.without_terminator())
    visit(op);
  llvm::DenseSet<Value> weights;
  bool anyInput = false;
  for (BlockArgument argument : body_.getArguments()) {
    unsigned number = argument.getArgNumber();
    bool isInput = isInput_[number] || readers_[number] >= manyReaders || readers_[number] == 0;
    isInput &= !argument.use_empty(); // counters of training, and what else nobody reads
    anyInput |= isInput;
    if (!isInput)
      weights.insert(argument);
  }
  return anyInput ? weights : llvm::DenseSet<Value>();
}

} // namespace

llvm::DenseSet<Value> findWeightArguments(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || function.isExternal() || function.getNumArguments() < manyArguments)
    return {};
  Block &body = function.getFunctionBody().front();
  if (llvm::any_of(body.getArguments(), [](BlockArgument argument) { return isParameter(argument); }))
    return {};
  return WeightFinder(body).find();
}

} // namespace fuselage
