#include "core/schedules/forms/BufferCopies.h"
#include "core/analysis/buffers/Bufferizer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

using namespace mlir;

/// A module with a copy of the function, first, and declarations of what it calls.
static OwningOpRef<ModuleOp> isolate(FunctionOpInterface function) {
  OpBuilder builder(function.getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, function.getLoc());
  builder.setInsertionPointToStart(module->getBody());
  builder.clone(*function);
  SymbolTable symbols(*module);
  function.walk([&](func::CallOp call) {
    if (symbols.lookup(call.getCallee()))
      return;
    auto callee = func::FuncOp::create(call.getLoc(), call.getCallee(), call.getCalleeType());
    callee.setPrivate();
    symbols.insert(callee);
  });
  return module;
}

BufferCopies findBufferCopies(FunctionOpInterface function) {
  BufferCopies result;
  OwningOpRef<ModuleOp> module = isolate(function);
  if (!hasTensors(*module))
    return result;
  if (!isa<func::FuncOp>(function.getOperation())) {
    result.problems = {"it is no func.func"};
    return result;
  }
  std::vector<Operation *> ops{nullptr}; // 0 is the module
  function->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  Bufferization analyzed = analyzeCopy(*module);
  for (const OperandDecision &decision : analyzed.decisions) {
    if ((decision.inPlace && decision.copyTag < 0) || decision.place.op <= 0 || decision.place.op >= OpId(ops.size()))
      continue;
    OpOperand &operand = ops[decision.place.op]->getOpOperand(decision.place.operand);
    result.copies.push_back({&operand, infoOf(decision.reason).sentence.str(), decision.reads || decision.inPlace});
  }
  for (const BufferProblem &problem : analyzed.problems)
    result.problems.push_back(problem.message);
  return result;
}

} // namespace fuselage
