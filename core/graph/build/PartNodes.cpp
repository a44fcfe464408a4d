#include "core/graph/build/PartNodes.h"
#include "core/graph/build/ModuleParts.h"
#include "core/graph/build/OpLabel.h"
#include "core/graph/build/WeightArguments.h"
#include "core/ir/ops/Parameters.h"
#include "core/ir/ops/Payload.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {

MutableArrayRef<Region> shownRegions(Operation *op, const DecodedOp &decoded) {
  auto isEmpty = [](Region &region) { return region.empty(); };
  if (hasPayloadRegion(op) || llvm::all_of(op->getRegions(), isEmpty))
    return {};
  // The second region of a dispatch only counts workgroups.
  return decoded.role == OpRole::DispatchRegion ? op->getRegions().take_front() : op->getRegions();
}

SmallVector<BlockArgument> shownArguments(Block &block) {
  bool all = block.isEntryBlock() && isFunctionLike(block.getParentOp());
  return llvm::to_vector(llvm::make_filter_range(block.getArguments(),
                                                 [&](BlockArgument argument) { return all || !argument.use_empty(); }));
}

/// How many nodes a function has, or somewhat more: arrays that grow take up to twice the memory.
static size_t countNodes(Operation *function) {
  size_t count = 0;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    ++count;
    if (hasPayloadRegion(op))
      return WalkResult::skip();
    for (Region &region : op->getRegions())
      count += region.getNumArguments();
    return WalkResult::advance();
  });
  return count;
}

void PartNodes::make(Part &part) {
  const size_t most = part.loose.size() + (part.isFunction ? countNodes(part.holder) : 0);
  part.nodes.reserve(most);
  part.sources.reserve(most);
  for (Operation *op : part.loose)
    make(op, part);
  if (!part.isFunction)
    return;
  llvm::DenseSet<Value> weights = findWeightArguments(part.holder);
  weightArguments_.insert(weights.begin(), weights.end());
  for (Region &region : part.holder->getRegions())
    make(region, part);
}

void PartNodes::make(Region &region, Part &part) {
  for (Block &block : region) {
    for (BlockArgument argument : shownArguments(block)) {
      part.nodes.push_back(argumentNode(argument));
      part.sources.emplace_back(Value(argument));
    }
    for (Operation &op : block)
      make(&op, part);
  }
}

void PartNodes::make(Operation *op, Part &part) {
  if (stopped())
    return;
  DecodedOp decoded = decode(op);
  part.nodes.push_back(opNodes_.of(op, ids_.lookup(op), decoded));
  part.sources.emplace_back(op);
  for (Region &region : shownRegions(op, decoded))
    make(region, part);
}

GraphNode PartNodes::argumentNode(BlockArgument argument) {
  GraphNode node;
  node.id = nextArgument_--;
  node.op = "argument";
  node.kind = NodeKind::Argument;
  node.types = {names_.nameOf(argument.getType())};
  node.loc = locationName(argument.getLoc());
  node.parameter = asUtf8(parameterName(argument));
  return node;
}

namespace {

/// Adds what a thread finds in the text; texts that are equal are one in each thread.
class NodeDetails {
public:
  NodeDetails(GraphNames &names, const PrintedModule *printed) : names_(names), printed_(printed) {}

  void addTo(GraphNode &node, Operation *op) {
    node.lines = printed_->linesOf(node.id);
    node.loc = locationName(op->getLoc());
    for (Value result : op->getResults())
      node.results.push_back(names_.nameOf(result));
    node.iterators = texts_.of(iteratorsOf(op));
    for (AffineMap map : indexingMapsOf(op))
      node.maps.push_back(nameOf(map));
  }

private:
  const SharedText &nameOf(AffineMap map) {
    auto [entry, isNew] = maps_.try_emplace(map);
    if (isNew) {
      std::string text;
      llvm::raw_string_ostream(text) << map;
      entry->second = std::move(text);
    }
    return entry->second;
  }

  GraphNames &names_;
  const PrintedModule *printed_;
  SharedTexts texts_;
  llvm::DenseMap<AffineMap, SharedText> maps_;
};

} // namespace

void PartNodes::addDetails(MutableArrayRef<Part> parts, const PrintedModule *printed, bool first) const {
  constexpr size_t taken = 64;
  if (!printed && !first) // arguments alone are soon named
    return;
  NodeDetails details(names_, printed);
  auto nameArgument = [&](GraphNode &node, Value argument) {
    std::string name = names_.nameOf(argument);
    if (Operation *parent = cast<BlockArgument>(argument).getOwner()->getParentOp(); parent && printed) {
      unsigned line = printed->linesOf(ids_.lookup(parent)).first;
      node.lines = {line, line};
    }
    if (node.parameter.empty() && weightArguments_.contains(argument))
      node.parameter = llvm::StringRef(name).drop_front();
    node.results = {name};
    node.label = std::move(name);
  };
  size_t number = 0; // over all parts
  for (Part &part : parts)
    for (auto [node, source] : llvm::zip_equal(part.nodes, part.sources)) {
      if (stopped())
        return;
      if (printed && (number++ / taken % 2 == 0) != first)
        continue;
      if (auto *op = dyn_cast<Operation *>(source); op && printed)
        details.addTo(node, op);
      else if (!op)
        nameArgument(node, cast<Value>(source));
    }
}

} // namespace fuselage
