#include "core/run/ProgramRunner.h"
#include "core/run/OnePass.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <chrono>

using namespace mlir;

namespace fuselage {

/// The function that a call names.
static func::FuncOp calleeOf(func::CallOp call) {
  return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
}

/// True if running `op` launches a dispatch, directly or through calls.
bool ProgramRunner::leadsToDispatch(Operation *op) {
  auto [known, fresh] = leadsToDispatch_.try_emplace(op, false); // false ends recursion
  if (!fresh)
    return known->second;
  bool leads = op->walk([&](func::CallOp call) {
                   func::FuncOp callee = calleeOf(call);
                   return callee && (isDispatch(callee) || leadsToDispatch(callee)) ? WalkResult::interrupt()
                                                                                    : WalkResult::advance();
                 }).wasInterrupted();
  leadsToDispatch_[op] = leads;
  return leads;
}

/// True if the walk can go into `op`.
static bool canFollow(Operation *op) {
  if (auto call = llvm::dyn_cast<func::CallOp>(op)) {
    func::FuncOp callee = calleeOf(call);
    return callee && !callee.isExternal();
  }
  return llvm::isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::ExecuteRegionOp>(op);
}

llvm::Expected<ProgramRunner::Values> ProgramRunner::valuesOf(ValueRange operands, const Environment &values) {
  Values found;
  for (Value operand : operands) {
    auto value = values.find(operand);
    if (value == values.end())
      return fail("a value of type " + textOf(operand.getType()) + " is used on the host before it is computed");
    found.push_back(value->second);
  }
  return found;
}

llvm::Expected<int64_t> ProgramRunner::integerOf(Value value, const Environment &values) {
  auto found = valuesOf(value, values);
  if (!found)
    return found.takeError();
  auto tensor = found->front().toHost(&device_);
  if (!tensor)
    return tensor.takeError();
  return tensor->integerAt(0);
}

llvm::Expected<std::vector<RuntimeValue>> ProgramRunner::run(func::FuncOp function,
                                                             std::vector<RuntimeValue> arguments) {
  Environment values;
  if (observes_)
    fixed_ = fixedValues(function);
  auto results = runRegion(function.getBody(), std::move(arguments), values);
  if (observes_ && keeps_)
    for (auto &[value, known] : values)
      if (fixed_.contains(value) && isTakenByOthers(value))
        kept_.try_emplace(value, known);
  return results;
}

bool ProgramRunner::isKept(Operation *op, Environment &values) {
  if (observes_ || op->getNumResults() == 0 || !fixed_.contains(op->getResult(0)))
    return false;
  for (Value result : op->getResults())
    if (isTakenByOthers(result) && !kept_.count(result))
      return false;
  for (Value result : op->getResults())
    if (auto kept = kept_.find(result); kept != kept_.end())
      values[result] = kept->second;
  return true;
}

llvm::Expected<double> ProgramRunner::timeOnePass(func::FuncOp function, std::vector<RuntimeValue> arguments) {
  observes_ = false;
  dispatches_.setMode(DispatchRunner::Mode::Once);
  overheadUs_ = 0;
  auto start = std::chrono::steady_clock::now();
  auto results = run(function, std::move(arguments));
  if (!results)
    return results.takeError();
  for (const RuntimeValue &result : *results)
    if (auto tensor = result.toHost(&device_); !tensor)
      return tensor.takeError();
  std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - start;
  return std::max(wall.count() - overheadUs_, 0.0);
}

llvm::Expected<ProgramRunner::Values> ProgramRunner::runRegion(Region &region, Values arguments, Environment &values) {
  Block *block = &region.front();
  while (true) {
    if (block->getNumArguments() != arguments.size())
      return fail("a block takes " + std::to_string(block->getNumArguments()) + " values, but " +
                  std::to_string(arguments.size()) + " are passed");
    for (auto [argument, value] : llvm::zip_equal(block->getArguments(), arguments))
      values[argument] = value;
    arguments.clear();
    if (llvm::Error error = runBlock(*block, values))
      return error;
    Operation *terminator = block->getTerminator();
    ValueRange passed = terminator->getOperands();
    Block *next = nullptr;
    if (auto branch = llvm::dyn_cast<cf::BranchOp>(terminator)) {
      next = branch.getDest();
      passed = branch.getDestOperands();
    } else if (auto branch = llvm::dyn_cast<cf::CondBranchOp>(terminator)) {
      auto condition = integerOf(branch.getCondition(), values);
      if (!condition)
        return condition.takeError();
      next = *condition ? branch.getTrueDest() : branch.getFalseDest();
      passed = *condition ? branch.getTrueDestOperands() : branch.getFalseDestOperands();
    } else if (terminator->getNumSuccessors() != 0) {
      return fail("the host cannot follow the branch '" + terminator->getName().getStringRef().str() +
                  "' around dispatches");
    }
    auto results = valuesOf(passed, values);
    if (!results || !next)
      return results;
    arguments = std::move(*results);
    block = next;
  }
}

/// For each op of the block, the values defined in the block that nothing after it uses.
static llvm::DenseMap<Operation *, SmallVector<Value>> lastUses(Block &block) {
  llvm::DenseMap<Operation *, SmallVector<Value>> dying;
  auto add = [&](Value value, Operation *definition) {
    Operation *last = definition;
    for (Operation *user : value.getUsers()) {
      Operation *inBlock = block.findAncestorOpInBlock(*user);
      if (!inBlock) // used in another block of the region: kept
        return;
      if (!last || last->isBeforeInBlock(inBlock))
        last = inBlock;
    }
    if (last)
      dying[last].push_back(value);
  };
  for (BlockArgument argument : block.getArguments())
    add(argument, nullptr);
  for (Operation &op : block)
    for (Value result : op.getResults())
      add(result, &op);
  return dying;
}

/// Whether an op takes a value that runs in each pass: all but dispatches that are fixed themselves.
bool ProgramRunner::isTakenByOthers(Value value) const {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    auto call = llvm::dyn_cast<func::CallOp>(user);
    return !call || !isDispatch(calleeOf(call)) || call.getNumResults() == 0 || !fixed_.contains(call.getResult(0));
  });
}

llvm::Error ProgramRunner::runBlock(Block &block, Environment &values) {
  auto dying = lastUses(block);
  Group group;
  SmallVector<Value> dead; // once the group that may use them has run
  auto flush = [&]() -> llvm::Error {
    llvm::Error error = runGroup(group, values);
    for (Value value : dead) {
      auto known = values.find(value);
      if (known == values.end())
        continue;
      if (observes_ && keeps_ && fixed_.contains(value) && isTakenByOthers(value))
        kept_.try_emplace(value, known->second);
      values.erase(known);
    }
    dead.clear();
    return error;
  };
  for (Operation &op : block.without_terminator()) {
    if (cancelled())
      return fail("cancelled");
    bool follow = leadsToDispatch(&op) && canFollow(&op);
    bool dependsOnGroup = llvm::any_of(op.getOperands(), [&](Value operand) {
      return operand.getDefiningOp() && llvm::is_contained(group, operand.getDefiningOp());
    });
    bool done = false;
    if (!follow && !dependsOnGroup) {
      auto trivial = runTrivial(&op, values);
      if (!trivial)
        return trivial.takeError();
      done = *trivial;
    }
    if (follow) {
      if (llvm::Error error = flush())
        return error;
      if (!isKept(&op, values))
        if (llvm::Error error = runOp(&op, values))
          return error;
    } else if (!done) {
      group.push_back(&op);
    }
    if (auto found = dying.find(&op); found != dying.end())
      llvm::append_range(dead, found->second);
    if (group.empty())
      if (llvm::Error error = flush())
        return error;
  }
  return flush();
}

llvm::Error ProgramRunner::runOp(Operation *op, Environment &values) {
  if (auto call = llvm::dyn_cast<func::CallOp>(op))
    return runCall(call, values);
  return runStructured(op, values);
}

llvm::Error ProgramRunner::runCall(func::CallOp call, Environment &values) {
  func::FuncOp callee = calleeOf(call);
  if (isDispatch(callee))
    return runDispatch(call, callee, values);
  auto arguments = valuesOf(call.getOperands(), values);
  if (!arguments)
    return arguments.takeError();
  Environment inner;
  auto results = runRegion(callee.getBody(), std::move(*arguments), inner);
  if (!results)
    return results.takeError();
  for (auto [result, value] : llvm::zip_equal(call.getResults(), *results))
    values[result] = value;
  return llvm::Error::success();
}

llvm::Error ProgramRunner::runDispatch(func::CallOp call, func::FuncOp dispatch, Environment &values) {
  auto arguments = valuesOf(call.getOperands(), values);
  if (!arguments)
    return arguments.takeError();
  RowPlace place{call, observes_ && observed_.insert(call).second};
  if (observes_)
    dispatches_.setMode(place.isFirst ? DispatchRunner::Mode::Timed : DispatchRunner::Mode::Again);
  auto run = dispatches_.run(dispatch, *arguments);
  if (!run)
    return run.takeError();
  overheadUs_ += run->overheadUs;
  for (auto [result, value] : llvm::zip_equal(call.getResults(), run->results))
    values[result] = value;
  for (KernelReport &row : run->reports)
    row.once = call->getNumResults() != 0 && fixed_.contains(call->getResult(0));
  return observes_ ? observer_(place, dispatch, *arguments, *run) : llvm::Error::success();
}

llvm::Error ProgramRunner::runStructured(Operation *op, Environment &values) {
  if (llvm::isa<scf::ForOp>(op))
    return runFor(op, values);
  if (llvm::isa<scf::WhileOp>(op))
    return runWhile(op, values);
  Region *region = &op->getRegion(0);
  if (auto branch = llvm::dyn_cast<scf::IfOp>(op)) {
    auto condition = integerOf(branch.getCondition(), values);
    if (!condition)
      return condition.takeError();
    region = *condition ? &branch.getThenRegion() : &branch.getElseRegion();
  }
  if (region->empty())
    return llvm::Error::success();
  auto results = runRegion(*region, {}, values);
  if (!results)
    return results.takeError();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), *results))
    values[result] = value;
  return llvm::Error::success();
}

llvm::Error ProgramRunner::runFor(Operation *op, Environment &values) {
  auto loop = llvm::cast<scf::ForOp>(op);
  int64_t bounds[3];
  for (auto [bound, value] : llvm::zip_equal(bounds, ValueRange(op->getOperands().take_front(3)))) {
    auto number = integerOf(value, values);
    if (!number)
      return number.takeError();
    bound = *number;
  }
  auto carried = valuesOf(loop.getInitArgs(), values);
  if (!carried)
    return carried.takeError();
  if (bounds[2] <= 0)
    return fail("an scf.for around dispatches has the step " + std::to_string(bounds[2]));
  for (int64_t i = bounds[0]; i < bounds[1]; i += bounds[2]) {
    if (cancelled())
      return fail("cancelled");
    auto induction = HostTensor::create(loop.getInductionVar().getType());
    if (!induction)
      return induction.takeError();
    induction->setInteger(0, i);
    carried->insert(carried->begin(), RuntimeValue::onHost(*induction));
    auto next = runRegion(loop.getRegion(), std::move(*carried), values);
    if (!next)
      return next.takeError();
    carried = std::move(next);
  }
  for (auto [result, value] : llvm::zip_equal(op->getResults(), *carried))
    values[result] = value;
  return llvm::Error::success();
}

llvm::Error ProgramRunner::runWhile(Operation *op, Environment &values) {
  auto loop = llvm::cast<scf::WhileOp>(op);
  auto carried = valuesOf(loop.getInits(), values);
  if (!carried)
    return carried.takeError();
  while (true) {
    if (cancelled())
      return fail("cancelled");
    auto before = runRegion(loop.getBefore(), std::move(*carried), values);
    if (!before)
      return before.takeError();
    // scf.condition passes the condition first.
    auto condition = before->front().toHost(&device_);
    if (!condition)
      return condition.takeError();
    before->erase(before->begin());
    if (condition->integerAt(0) == 0) {
      for (auto [result, value] : llvm::zip_equal(op->getResults(), *before))
        values[result] = value;
      return llvm::Error::success();
    }
    auto after = runRegion(loop.getAfter(), std::move(*before), values);
    if (!after)
      return after.takeError();
    carried = std::move(after);
  }
}

} // namespace fuselage
