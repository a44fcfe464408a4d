// Why a transform of loops, or a pass, does not take an op.
#include "core/ir/module/PassCatalog.h"
#include "core/schedules/causes/CauseNotes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace fuselage {

void explainLoop(Operation *op, CauseNotes &notes) {
  if (isa<LoopLikeOpInterface>(op))
    return;
  std::string inside = isa<TilingInterface>(op) ? "" : opsInside(op), advice;
  if (isa<TilingInterface>(op))
    advice = "; tile it first: the loops are the further results of transform.structured.tile_using_for and "
             "tile_using_forall";
  else if (!inside.empty())
    advice = "; it holds " + inside;
  notes.at(op, nameWithLine(op) + " is no loop" + advice);
}

void explainNest(Operation *op, CauseNotes &notes) {
  explainLoop(op, notes);
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return;
  auto ops = loop.getBody()->without_terminator();
  if (!llvm::hasSingleElement(ops) || !isa<scf::ForOp>(*ops.begin()))
    notes.at(op, "the body of " + nameWithLine(op) +
                     " is not one loop alone; give the outermost loop of a perfect nest of two or more");
}

void explainPeel(Operation *op, CauseNotes &notes) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return explainLoop(op, notes);
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                         upper = getConstantIntValue(loop.getUpperBound()), step = getConstantIntValue(loop.getStep());
  if (lower && upper && step && *step > 0 && (*upper - *lower) % *step == 0)
    notes.at(op, "the steps of " + nameWithLine(op) + " are all whole: from " + Twine(*lower) + " to " + Twine(*upper) +
                     " by " + Twine(*step) + " nothing is left to peel off");
}

void explainProducer(Operation *op, int64_t number, CauseNotes &notes) {
  if (number >= op->getNumOperands())
    notes.at(op, nameWithLine(op) + " has " + Twine(op->getNumOperands()) + " operands, and none of number " +
                     Twine(number));
  else if (auto argument = dyn_cast<BlockArgument>(op->getOperand(number)))
    notes.at(op, "operand " + Twine(number) + " of " + nameWithLine(op) + " is argument " +
                     Twine(argument.getArgNumber()) + " of " + nameWithLine(argument.getOwner()->getParentOp()) +
                     ", which no op computes");
}

/// The only kind of op that the pass `name` runs on, if that is not `op`; empty: it runs on `op`.
static std::string otherOpOfPass(StringRef name, Operation *op) {
  const PassInfo *info = PassInfo::lookup(name);
  StringRef anchor = op->getName().getStringRef();
  OpPassManager manager(anchor, OpPassManager::Nesting::Implicit);
  if (!info || failed(info->addToPipeline(manager, "", [](const Twine &) { return failure(); })))
    return "";
  std::string text; // func.func(builtin.module(one-shot-bufferize{..})), or func.func(canonicalize{..})
  llvm::raw_string_ostream os(text);
  manager.printAsTextualPipeline(os);
  StringRef inner = text;
  if (!inner.consume_front(anchor) || !inner.consume_front("("))
    return "";
  StringRef first = inner.take_until([](char c) { return c == '(' || c == '{' || c == ')'; });
  return inner.drop_front(first.size()).starts_with("(") ? first.str() : "";
}

void explainPass(StringRef name, Operation *op, CauseNotes &notes) {
  if (!PassInfo::lookup(name) && !PassPipelineInfo::lookup(name)) {
    std::vector<std::string> names;
    for (const CatalogEntry &entry : listRegisteredPasses())
      names.push_back(entry.argument);
    std::vector<std::string> near = nearestNames(name, names);
    if (!near.empty())
      notes.at(UnknownLoc::get(op->getContext()),
               "there is no pass '" + name + "'; near it are " + llvm::join(near, ", "));
    return;
  }
  if (std::string on = otherOpOfPass(name, op); !on.empty())
    return notes.at(op, "'" + name + "' runs on '" + on + "', and the handle is to " + nameWithLine(op));
  if (!op->hasTrait<OpTrait::IsIsolatedFromAbove>())
    notes.at(op, nameWithLine(op) +
                     " uses values from outside of it, so that no pass runs on it; use the function around it: "
                     "transform.get_parent_op {isolated_from_above}");
}

} // namespace fuselage
