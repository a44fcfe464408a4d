#include "core/notes/NotedOps.h"
#include "core/ir/module/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {
namespace {

constexpr size_t mostNeighbours = 16; // operands and users that are told apart
constexpr size_t mostTypeText = 500;

std::string keptName(Location location) {
  auto named = dyn_cast<NameLoc>(location);
  return named ? named.getName().str() : std::string();
}

std::string symbolOf(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  return name ? name.str() : std::string();
}

/// What the user calls it.
std::string nameOf(Operation *op) {
  std::string symbol = symbolOf(op);
  return symbol.empty() ? keptName(op->getLoc()) : symbol;
}

std::string nameOf(Value value) {
  std::string name = keptName(value.getLoc());
  if (!name.empty())
    return "%" + name;
  if (Operation *op = value.getDefiningOp())
    return op->getName().getStringRef().str();
  return "argument " + std::to_string(cast<BlockArgument>(value).getArgNumber());
}

template <class Types> std::string textOf(Types types) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (Type type : types) {
    if (!text.empty())
      os << ", ";
    os << type;
    if (text.size() > mostTypeText)
      break;
  }
  text.resize(std::min(text.size(), mostTypeText));
  return llvm::json::fixUTF8(text);
}

template <class Values> std::vector<std::string> usersOf(Values values) {
  std::vector<std::string> users;
  for (Value value : values)
    for (Operation *user : value.getUsers())
      if (users.size() < 4 * mostNeighbours)
        users.push_back(user->getName().getStringRef().str());
  llvm::sort(users);
  users.resize(std::min(users.size(), mostNeighbours));
  return users;
}

std::string opName(Operation *op) { return op ? op->getName().getStringRef().str() : std::string(); }

} // namespace

NotedOps::NotedOps(ModuleOp module) {
  llvm::DenseMap<Operation *, unsigned> paths; // by op with a symbol: the path of what is inside
  functionNumber("");
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    OpId id = ops_.size();
    ops_.push_back(op);
    unsigned around = 0;
    for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
      if (auto it = paths.find(parent); it != paths.end()) {
        around = it->second;
        break;
      }
    functionOf_.push_back(around);
    if (std::string symbol = symbolOf(op); !symbol.empty() && op->getNumRegions() > 0) {
      unsigned inside = functionNumber(functions_[around] + (around ? "/@" : "@") + symbol);
      paths[op] = inside;
    }
    auto &named = *byName_.try_emplace(op->getName().getStringRef()).first;
    named.second.push_back(id);
    std::vector<OpId> &group = groups_[{around, &named}];
    ordinals_.push_back(group.size());
    group.push_back(id);
    if (std::string name = nameOf(op); !name.empty())
      byValueName_[name].push_back(id);
  });
  described_.resize(ops_.size());
}

unsigned NotedOps::functionNumber(const std::string &path) {
  auto [it, isNew] = functionNumbers_.try_emplace(path, functions_.size());
  if (isNew)
    functions_.push_back(path);
  return it->second;
}

llvm::ArrayRef<OpId> NotedOps::group(llvm::StringRef op, llvm::StringRef function) const {
  auto name = byName_.find(op);
  auto number = functionNumbers_.find(function);
  if (name == byName_.end() || number == functionNumbers_.end())
    return {};
  auto it = groups_.find({number->second, &*name});
  return it == groups_.end() ? llvm::ArrayRef<OpId>() : llvm::ArrayRef<OpId>(it->second);
}

std::pair<int, int> NotedOps::ordinalOf(OpId id) const {
  return {static_cast<int>(ordinals_[id]),
          static_cast<int>(group(ops_[id]->getName().getStringRef(), functions_[functionOf_[id]]).size())};
}

const message::OpAnchor<> &NotedOps::described(OpId id) const {
  std::unique_ptr<message::OpAnchor<>> &known = described_[id];
  if (known)
    return *known;
  Operation *op = ops_[id];
  known = std::make_unique<message::OpAnchor<>>();
  known->function = functions_[functionOf_[id]];
  known->op = opName(op);
  known->name = nameOf(op);
  known->types = textOf(op->getResultTypes());
  for (Value operand : op->getOperands().take_front(mostNeighbours))
    known->operands.push_back(nameOf(operand));
  known->users = usersOf(op->getResults());
  if (op->getBlock()) {
    known->above = opName(op->getPrevNode());
    known->below = opName(op->getNextNode());
  }
  SourcePosition place = positionOf(op->getLoc());
  known->line = place.line;
  known->column = place.column;
  return *known;
}

message::OpAnchor<> NotedOps::describe(NotedOp noted) const {
  if (noted.argument < 0) {
    message::OpAnchor<> anchor = described(noted.op);
    std::tie(anchor.ordinal, anchor.alike) = ordinalOf(noted.op);
    return anchor;
  }
  Operation *function = ops_[noted.op];
  BlockArgument argument = function->getRegion(0).getArgument(noted.argument);
  message::OpAnchor<> anchor;
  std::string around = functions_[functionOf_[noted.op]];
  anchor.function = around + (around.empty() ? "@" : "/@") + symbolOf(function);
  anchor.op = "argument";
  anchor.name = keptName(argument.getLoc());
  anchor.types = textOf(TypeRange(argument.getType()));
  anchor.users = usersOf(ValueRange(argument));
  anchor.ordinal = noted.argument;
  anchor.alike = function->getRegion(0).getNumArguments();
  SourcePosition place = positionOf(argument.getLoc());
  anchor.line = place.line;
  anchor.column = place.column;
  return anchor;
}

} // namespace fuselage
