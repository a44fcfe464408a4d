// while, if, case; tuples and what hands on its operands.
#include "core/transforms/stablehlo/HloLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {
namespace {

/// The types that all results have become.
std::optional<SmallVector<Type>> convertedResults(HloCall &call) {
  SmallVector<Type> types;
  return failed(call.types.convertTypes(call.op->getResultTypes(), types)) ? std::nullopt : std::optional(types);
}

/// Regions are ones of one block; `args` is whether they have the op's operands as arguments.
bool hasBlocks(HloCall &call, bool args) {
  for (Region &region : call.op->getRegions()) {
    if (!region.hasOneBlock() || region.front().empty() || !HloOp::isHlo(&region.front().back()) ||
        HloOp(&region.front().back()).name() != "return")
      return false;
    if (args ? TypeRange(region.getArgumentTypes()) != TypeRange(call.op->getOperandTypes())
             : region.getNumArguments() != 0)
      return false;
  }
  return true;
}

/// The body becomes the region of another op; its end becomes that of the op when it is converted.
LogicalResult moveRegion(HloCall &call, Region &from, Region &to) {
  call.builder.inlineRegionBefore(from, to, to.end());
  return success(succeeded(call.builder.convertRegionTypes(&to, call.types)));
}

HloResults lowerWhile(HloCall &call) {
  auto types = convertedResults(call);
  if (!types || call.op->getNumRegions() != 2 || !hasBlocks(call, true) ||
      TypeRange(call.op->getOperandTypes()) != TypeRange(call.op->getResultTypes()))
    return call.refuse("its regions are not a condition and a body of one block each");
  auto loop = scf::WhileOp::create(call.builder, call.loc, *types, call.operands);
  if (failed(moveRegion(call, call.op->getRegion(0), loop.getBefore())) ||
      failed(moveRegion(call, call.op->getRegion(1), loop.getAfter())))
    return call.refuse("its types cannot be converted");
  return llvm::to_vector(ValueRange(loop.getResults()));
}

HloResults lowerIf(HloCall &call) {
  auto types = convertedResults(call);
  if (!types || call.operands.size() != 1 || call.op->getNumRegions() != 2 || !hasBlocks(call, false))
    return call.refuse("its branches are not of one block each");
  Value condition = scalarOf(call.builder, call.loc, call.operands[0]);
  auto branch = scf::IfOp::create(call.builder, call.loc, *types, condition, /*addThenBlock=*/false,
                                  /*addElseBlock=*/false);
  call.builder.inlineRegionBefore(call.op->getRegion(0), branch.getThenRegion(), branch.getThenRegion().end());
  call.builder.inlineRegionBefore(call.op->getRegion(1), branch.getElseRegion(), branch.getElseRegion().end());
  return llvm::to_vector(ValueRange(branch.getResults()));
}

/// A chain of scf.if. An index beyond the branches takes the last one.
HloResults lowerCase(HloCall &call) {
  auto types = convertedResults(call);
  unsigned branches = call.op->getNumRegions();
  if (!types || call.operands.size() != 1 || branches == 0 || !hasBlocks(call, false))
    return call.refuse("its branches are not of one block each");
  Value number = scalarOf(call.builder, call.loc, call.operands[0]);
  if (branches == 1) { // nothing is left to choose
    auto always = scf::ExecuteRegionOp::create(call.builder, call.loc, *types);
    call.builder.inlineRegionBefore(call.op->getRegion(0), always.getRegion(), always.getRegion().end());
    return llvm::to_vector(ValueRange(always.getResults()));
  }
  OpBuilder::InsertionGuard guard(call.builder);
  SmallVector<Value> results;
  for (unsigned at = 0; at + 1 < branches; ++at) {
    Value own = arith::ConstantOp::create(call.builder, call.loc, call.builder.getIntegerAttr(number.getType(), at));
    Value isIt = arith::CmpIOp::create(call.builder, call.loc, arith::CmpIPredicate::eq, number, own);
    auto choice = scf::IfOp::create(call.builder, call.loc, *types, isIt, /*addThenBlock=*/false,
                                    /*addElseBlock=*/false);
    if (results.empty())
      results = llvm::to_vector(ValueRange(choice.getResults()));
    else
      scf::YieldOp::create(call.builder, call.loc, choice.getResults());
    call.builder.inlineRegionBefore(call.op->getRegion(at), choice.getThenRegion(), choice.getThenRegion().end());
    Region &otherwise = choice.getElseRegion();
    if (at + 2 == branches)
      call.builder.inlineRegionBefore(call.op->getRegion(at + 1), otherwise, otherwise.end());
    else
      call.builder.createBlock(&otherwise);
  }
  return results;
}

/// The end of a region that has been moved already.
HloResults lowerReturn(HloCall &call) {
  Operation *parent = call.op->getParentOp();
  if (auto loop = dyn_cast<scf::WhileOp>(parent); loop && call.op->getParentRegion() == &loop.getBefore()) {
    if (call.operands.size() != 1)
      return call.refuse("it does not give one condition");
    Value condition = scalarOf(call.builder, call.loc, call.operands[0]);
    scf::ConditionOp::create(call.builder, call.loc, condition, loop.getBefore().getArguments());
    return SmallVector<Value>();
  }
  if (!isa<scf::WhileOp, scf::IfOp, scf::ExecuteRegionOp>(parent))
    return call.refuse("what it belongs to stays");
  scf::YieldOp::create(call.builder, call.loc, call.operands);
  return SmallVector<Value>();
}

HloResults passOperands(HloCall &call) { return call.operands; }

HloResults lowerTupleElement(HloCall &call) {
  auto index = call.op.integer({"index", "value"});
  auto tuple = dyn_cast<TupleType>(call.op->getOperand(0).getType());
  if (!tuple || !index || *index < 0 || *index >= int64_t(tuple.size()))
    return call.refuse("its index is not one of its tuple");
  SmallVector<Type> before, own;
  if (failed(call.types.convertTypes(tuple.getTypes().take_front(*index), before)) ||
      failed(call.types.convertType(tuple.getType(*index), own)) || before.size() + own.size() > call.operands.size())
    return call.refuse("its types cannot be converted");
  return llvm::to_vector(ValueRange(call.operands).slice(before.size(), own.size()));
}

/// Calls that mean something to a compiler for several devices, and nothing on one.
HloResults lowerCustomCall(HloCall &call) {
  std::string target = call.op.callTarget();
  bool isIdentity = llvm::is_contained({"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape",
                                        "annotate_device_placement", "LayoutConstraint", "xla.sdy.FuncResultSharding"},
                                       target);
  if (isIdentity && call.op->getNumOperands() == 1 && call.op->getNumResults() == 1 &&
      call.op->getOperand(0).getType() == call.op->getResult(0).getType())
    return call.operands;
  if (target == "shape_assertion" && call.op->getNumResults() == 0)
    return SmallVector<Value>();
  return call.refuse("nothing here knows the function '" + target + "'");
}

} // namespace

void addControlFlowLowerings(HloLowerings &lowerings) {
  lowerings["after_all"] = [](HloCall &) { return HloResults(SmallVector<Value>()); };
  lowerings["case"] = lowerCase;
  lowerings["create_token"] = [](HloCall &) { return HloResults(SmallVector<Value>()); };
  lowerings["custom_call"] = lowerCustomCall;
  lowerings["get_tuple_element"] = lowerTupleElement;
  lowerings["if"] = lowerIf;
  lowerings["optimization_barrier"] = passOperands;
  lowerings["return"] = lowerReturn;
  lowerings["tuple"] = passOperands;
  lowerings["while"] = lowerWhile;
}

} // namespace fuselage
