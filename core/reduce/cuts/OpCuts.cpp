// Single ops, at any depth.
#include "core/reduce/cuts/Cuts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Ops in functions and the like that do not end a block.
std::vector<Operation *> innerOpsOf(ModuleOp module, llvm::function_ref<bool(Operation *)> isWanted) {
  std::vector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    const bool isInner = op != module && !isa<ModuleOp, SymbolOpInterface, FunctionOpInterface>(op) &&
                         !op->hasTrait<OpTrait::IsTerminator>();
    if (isInner && isWanted(op))
      ops.push_back(op);
  });
  return ops;
}

Value operandLike(Operation *op, Type type) {
  for (Value operand : op->getOperands())
    if (operand.getType() == type)
      return operand;
  return {};
}

Value blockArgumentLike(Operation *op, Type type) {
  for (Block *block = op->getBlock(); block;) {
    for (BlockArgument argument : block->getArguments())
      if (argument.getType() == type)
        return argument;
    Operation *parent = block->getParentOp();
    if (!parent || parent->hasTrait<OpTrait::IsIsolatedFromAbove>())
      return {};
    block = parent->getBlock();
  }
  return {};
}

/// 1, of every element: 0 would be a divisor of nothing.
TypedAttr oneOf(Type type, Builder &builder) {
  if (isa<FloatType>(type))
    return builder.getFloatAttr(type, 1.0);
  if (type.isIntOrIndex())
    return builder.getIntegerAttr(type, 1);
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape() || !isa<RankedTensorType, VectorType>(type))
    return {};
  TypedAttr element = oneOf(shaped.getElementType(), builder);
  return element ? DenseElementsAttr::get(shaped, Attribute(element)) : TypedAttr();
}

Value constantLike(Operation *op, Type type) {
  OpBuilder builder(op);
  TypedAttr one = op->hasTrait<OpTrait::ConstantLike>() ? TypedAttr() : oneOf(type, builder);
  return one ? arith::ConstantOp::create(builder, op->getLoc(), one).getResult() : Value();
}

/// Replaces the results of an op and erases it; false: there is nothing like one of them.
bool substitute(Operation *op, Substitute how) {
  std::vector<Value> values;
  for (Value result : op->getResults()) {
    Value value;
    if (result.use_empty())
      value = result;
    else if (how == Substitute::Operand)
      value = operandLike(op, result.getType());
    else if (how == Substitute::BlockArgument)
      value = blockArgumentLike(op, result.getType());
    else
      value = constantLike(op, result.getType());
    if (!value)
      return false;
    values.push_back(value);
  }
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
    if (value != result)
      result.replaceAllUsesWith(value);
  op->erase();
  return true;
}

const char *nameOf(Substitute how) {
  switch (how) {
  case Substitute::Operand:
    return "ops become operands";
  case Substitute::BlockArgument:
    return "ops become block arguments";
  case Substitute::Constant:
    return "ops become constants";
  }
  return "";
}

/// The values that an op gives to the arguments of a region: operands of the same types, in order, or constants.
bool replaceArguments(Operation *op, Block &block) {
  for (BlockArgument argument : block.getArguments()) {
    if (argument.use_empty())
      continue;
    Value value;
    // Initial values stand at the end of the operands, as the arguments for them do.
    const unsigned fromEnd = block.getNumArguments() - argument.getArgNumber();
    if (fromEnd <= op->getNumOperands())
      value = op->getOperand(op->getNumOperands() - fromEnd);
    if (!value || value.getType() != argument.getType())
      value = operandLike(op, argument.getType());
    if (!value)
      value = constantLike(op, argument.getType());
    if (!value)
      return false;
    argument.replaceAllUsesWith(value);
  }
  return true;
}

/// Moves the ops of the first region with one block before its op, which is erased.
bool unwrap(Operation *op) {
  for (Region &region : op->getRegions()) {
    if (!llvm::hasSingleElement(region) || region.front().empty())
      continue;
    Block &block = region.front();
    if (!replaceArguments(op, block))
      return false;
    Operation *last = block.back().hasTrait<OpTrait::IsTerminator>() ? &block.back() : nullptr;
    for (auto [index, result] : llvm::enumerate(op->getResults())) {
      if (result.use_empty())
        continue;
      Value value;
      if (last && index < last->getNumOperands() && last->getOperand(index).getType() == result.getType())
        value = last->getOperand(index);
      else
        value = operandLike(op, result.getType());
      if (!value)
        return false;
      result.replaceAllUsesWith(value);
    }
    if (last)
      last->erase();
    op->getBlock()->getOperations().splice(op->getIterator(), block.getOperations());
    op->erase();
    return true;
  }
  return false;
}

bool hasRegion(Operation *op) {
  return llvm::any_of(op->getRegions(), [](Region &region) { return llvm::hasSingleElement(region); });
}

/// A cut of ops that are wanted, one by one, the last ones first: what is in an op comes before the op.
PlacedCut opCut(std::string name, bool (*isWanted)(Operation *), std::function<bool(Operation *)> cut) {
  return {std::move(name), [isWanted](ModuleOp module) { return unsigned(innerOpsOf(module, isWanted).size()); },
          [isWanted, cut](ModuleOp module, const llvm::BitVector &places) {
            std::vector<Operation *> ops = innerOpsOf(module, isWanted);
            bool changed = false;
            for (int place = places.find_last(); place >= 0; place = places.find_prev(unsigned(place)))
              changed |= cut(ops[unsigned(place)]);
            return changed;
          }};
}

bool any(Operation *) { return true; }

/// Those of the dialects that are loaded.
RewritePatternSet reductionPatterns(MLIRContext *context) {
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    if (auto *interface = dialect->getRegisteredInterface<DialectReductionPatternInterface>())
      interface->populateReductionPatterns(patterns);
  return patterns;
}

bool applyReductionPatterns(ModuleOp module, const llvm::BitVector &places) {
  std::vector<Operation *> all = innerOpsOf(module, any), chosen;
  for (unsigned place : places.set_bits())
    chosen.push_back(all[place]);
  bool changed = false;
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps).enableFolding(false);
  (void)applyOpPatternsGreedily(chosen, reductionPatterns(module.getContext()), config, &changed);
  return changed;
}

} // namespace

PlacedCut substituteCut(Substitute how) {
  return opCut(nameOf(how), any, [how](Operation *op) { return substitute(op, how); });
}

PlacedCut unwrapCut() { return opCut("regions are unwrapped", hasRegion, unwrap); }

PlacedCut dialectCut() {
  auto count = [](ModuleOp module) -> unsigned {
    RewritePatternSet patterns = reductionPatterns(module.getContext());
    return patterns.getNativePatterns().empty() ? 0 : innerOpsOf(module, any).size();
  };
  return {"patterns of dialects", count, applyReductionPatterns};
}

} // namespace fuselage
