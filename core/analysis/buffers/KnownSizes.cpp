#include "core/analysis/buffers/KnownSizes.h"
#include "mlir/Analysis/CallGraph.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace fuselage {
namespace {

/// The function that sizes are given for; null: there is none.
FunctionOpInterface sizedFunction(ModuleOp module, StringRef name) {
  FunctionOpInterface found;
  if (size_t inModule = name.rfind("::"); inModule != StringRef::npos)
    name = name.substr(inModule + 2);
  module.walk([&](FunctionOpInterface function) {
    if (function.isExternal() || (name.empty() ? !function.isPublic() : function.getName() != name))
      return WalkResult::advance();
    found = function;
    return WalkResult::interrupt();
  });
  return found;
}

/// Every dynamic dimension of the arguments, with its name.
void eachDimension(FunctionOpInterface function, llvm::function_ref<void(std::string, BlockArgument, int64_t)> see) {
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<ShapedType>(argument.getType());
    for (int64_t dimension = 0; type && type.hasRank() && dimension < type.getRank(); ++dimension)
      if (type.isDynamicDim(dimension))
        see(sizeName(argument.getArgNumber(), dimension), argument, dimension);
  }
}

/// Functions with callers before what they call; those of a recursion are left out.
std::vector<FunctionOpInterface> callersFirst(ModuleOp module) {
  CallGraph graph(module);
  std::vector<FunctionOpInterface> functions;
  for (auto component = llvm::scc_begin(&std::as_const(graph)); !component.isAtEnd(); ++component) {
    if (component.hasCycle())
      continue;
    const CallGraphNode *node = component->front();
    if (!node->isExternal())
      if (auto function = dyn_cast<FunctionOpInterface>(node->getCallableRegion()->getParentOp()))
        functions.push_back(function);
  }
  std::reverse(functions.begin(), functions.end());
  return functions;
}

} // namespace

KnownSizes::KnownSizes(ModuleOp module, StringRef name, const ArgumentSizes &given) {
  FunctionOpInterface function = given.empty() ? FunctionOpInterface() : sizedFunction(module, name);
  if (!function)
    return;
  eachDimension(function, [&](std::string dimension, BlockArgument argument, int64_t number) {
    if (auto size = given.find(dimension); size != given.end() && size->second >= 0)
      given_.insert(*size), sizes_[{argument, number}] = size->second;
  });
  if (!sizes_.empty())
    follow(module);
}

void KnownSizes::follow(ModuleOp module) {
  std::vector<FunctionOpInterface> functions = callersFirst(module);
  llvm::SmallPtrSet<Operation *, 8> acyclic, reached;
  for (FunctionOpInterface function : functions)
    acyclic.insert(function);
  for (const auto &[dimension, size] : sizes_)
    reached.insert(Value(dimension.first).getParentBlock()->getParentOp());
  SymbolTableCollection symbols;
  llvm::DenseSet<Dimension> disputed;
  for (FunctionOpInterface caller : functions) {
    if (!reached.contains(caller))
      continue;
    caller.walk([&](CallOpInterface call) {
      auto callee = dyn_cast_or_null<FunctionOpInterface>(call.resolveCallableInTable(&symbols));
      if (!callee || callee.isExternal() || !acyclic.contains(callee) ||
          callee.getNumArguments() != call.getArgOperands().size())
        return;
      reached.insert(callee);
      eachDimension(callee, [&](const std::string &, BlockArgument argument, int64_t number) {
        Value operand = call.getArgOperands()[argument.getArgNumber()];
        auto type = dyn_cast<ShapedType>(operand.getType());
        std::optional<int64_t> size;
        if (type && type.hasRank() && number < type.getRank())
          size = type.isDynamicDim(number) ? of({operand, number}) : type.getDimSize(number);
        Dimension dimension(argument, number);
        if (disputed.contains(dimension))
          return;
        auto known = sizes_.find(dimension);
        if (size && known == sizes_.end()) {
          sizes_[dimension] = *size;
        } else if (!size || known->second != *size) {
          sizes_.erase(dimension);
          disputed.insert(dimension);
        }
      });
    });
  }
}

std::optional<int64_t> KnownSizes::of(ValueBoundsConstraintSet::Variable size) const {
  if (sizes_.empty())
    return std::nullopt;
  AffineMap map;
  ValueDimList operands;
  auto isKnown = [&](Value value, std::optional<int64_t> dimension, ValueBoundsConstraintSet &) {
    return dimension && sizes_.contains({value, *dimension});
  };
  if (failed(ValueBoundsConstraintSet::computeBound(map, operands, presburger::BoundType::EQ, size, isKnown)) ||
      map.getNumResults() != 1)
    return std::nullopt;
  llvm::SmallVector<Attribute> constants, folded;
  for (const auto &[value, dimension] : operands) {
    auto known = dimension ? sizes_.find({value, *dimension}) : sizes_.end();
    if (known == sizes_.end())
      return std::nullopt;
    constants.push_back(IntegerAttr::get(IndexType::get(map.getContext()), known->second));
  }
  if (failed(map.constantFold(constants, folded)))
    return std::nullopt;
  return cast<IntegerAttr>(folded.front()).getInt();
}

llvm::Error checkSizes(ModuleOp module, StringRef name, const ArgumentSizes &given) {
  if (given.empty())
    return llvm::Error::success();
  FunctionOpInterface function = sizedFunction(module, name);
  if (!function)
    return fail(name.empty() ? "there is no public function with a body to give sizes for; name one with --function"
                             : "there is no function '" + name.str() + "' with a body to give sizes for");
  std::string known;
  ArgumentSizes left = given;
  eachDimension(function, [&](std::string dimension, BlockArgument, int64_t) {
    known += (known.empty() ? "" : ", ") + dimension;
    left.erase(dimension);
  });
  if (left.empty())
    return llvm::Error::success();
  return fail("@" + function.getName().str() + " has no dynamic dimension " + left.begin()->first +
              (known.empty() ? "; none of its sizes is dynamic" : "; it has " + known));
}

} // namespace fuselage
