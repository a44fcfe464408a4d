#include "core/ir/reading/Cycles.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace fuselage {
namespace {

/// A use of a value by an op, or by one inside it, that does not come after the value's definition.
struct EarlyUse {
  OpOperand *use;
  Operation *user, *definition; ///< ops of the same region
};

/// The ops of a region that lead from `start` back to it, by the strongly connected components of
/// definitions and uses.
class Components {
public:
  explicit Components(Region &region) : region_(region) {
    for (Operation &op : region.getOps())
      if (!numbers_.contains(&op))
        visit(&op);
  }
  bool areOne(Operation *a, Operation *b) const { return components_.lookup(a) == components_.lookup(b); }

private:
  struct Frame {
    Operation *op;
    SmallVector<Operation *> users;
  };

  SmallVector<Operation *> usersOf(Operation *op) {
    SmallVector<Operation *> users;
    for (Operation *user : op->getUsers())
      if (Operation *inRegion = region_.findAncestorOpInRegion(*user))
        users.push_back(inRegion);
    return users;
  }

  void open(Operation *op) {
    numbers_[op] = lowest_[op] = ++count_;
    open_.push_back(op);
    isOpen_.insert(op);
    frames_.push_back({op, usersOf(op)});
  }

  /// Tarjan's algorithm, with a stack of its own.
  void visit(Operation *start) {
    open(start);
    while (!frames_.empty()) {
      Operation *op = frames_.back().op;
      if (frames_.back().users.empty()) {
        close(op);
        frames_.pop_back();
        if (!frames_.empty())
          lower(frames_.back().op, lowest_[op]);
        continue;
      }
      Operation *user = frames_.back().users.pop_back_val();
      if (!numbers_.contains(user))
        open(user);
      else if (isOpen_.contains(user))
        lower(op, numbers_[user]);
    }
  }

  void lower(Operation *op, unsigned number) { lowest_[op] = std::min(lowest_[op], number); }

  void close(Operation *op) {
    if (lowest_[op] != numbers_[op])
      return;
    for (Operation *member = nullptr; member != op;) {
      member = open_.pop_back_val();
      isOpen_.erase(member);
      components_[member] = numbers_[op];
    }
  }

  Region &region_;
  unsigned count_ = 0;
  llvm::DenseMap<Operation *, unsigned> numbers_, lowest_, components_;
  llvm::DenseSet<Operation *> isOpen_;
  SmallVector<Operation *> open_;
  std::vector<Frame> frames_;
};

/// The uses in a module that do not come after their definitions, by region.
llvm::MapVector<Region *, SmallVector<EarlyUse>> earlyUses(ModuleOp module) {
  llvm::MapVector<Region *, SmallVector<EarlyUse>> found;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (OpOperand &use : op->getOpOperands()) {
      Operation *definition = use.get().getDefiningOp();
      Region *region = definition ? definition->getParentRegion() : nullptr;
      Operation *user = region ? region->findAncestorOpInRegion(*op) : nullptr;
      bool isLater = user && (user->getBlock() != definition->getBlock() ? region->getBlocks().size() > 1
                                                                         : !definition->isBeforeInBlock(user));
      if (isLater)
        found[region].push_back({&use, user, definition});
    }
  });
  return found;
}

/// What the user calls a value.
std::string nameOf(Value value) {
  auto named = dyn_cast<NameLoc>(value.getLoc());
  return named ? "%" + named.getName().str() : std::string();
}

Value undefinedLike(Region &region, Value value) {
  OpBuilder builder = OpBuilder::atBlockBegin(&region.front());
  OperationState state(value.getLoc(), kUndefinedOp);
  state.addAttribute("name", builder.getStringAttr(nameOf(value)));
  state.addTypes(value.getType());
  return builder.create(state)->getResult(0);
}

fuselage::Diagnostic complaint(const EarlyUse &early) {
  SourcePosition position = positionOf(early.use->getOwner()->getLoc());
  std::string value = nameOf(early.use->get());
  std::string how = early.user == early.definition
                        ? "'" + displayName(early.user) + "' uses its own result"
                        : "'" + displayName(early.user) + "' uses what is computed of its own result";
  // A dialect that nobody here knows may have graphs, of which that is no mistake.
  bool isForeign = !early.user->getParentOp()->isRegistered();
  return {.severity = isForeign ? fuselage::Diagnostic::Severity::Warning : fuselage::Diagnostic::Severity::Error,
          .message = how + (value.empty() ? "" : ", " + value) + "; the use is read as an undefined value",
          .file = position.file,
          .line = position.line,
          .column = position.column};
}

} // namespace

std::vector<fuselage::Diagnostic> breakCycles(ModuleOp module) {
  std::vector<fuselage::Diagnostic> said;
  for (auto &[region, uses] : earlyUses(module)) {
    Components components(*region);
    llvm::DenseMap<Value, Value> undefined;
    for (const EarlyUse &early : uses) {
      if (!components.areOne(early.user, early.definition))
        continue;
      said.push_back(complaint(early));
      Value &value = undefined[early.use->get()];
      if (!value)
        value = undefinedLike(*region, early.use->get());
      early.use->set(value);
    }
  }
  return said;
}

} // namespace fuselage
