// The part of ProgramRunner that is not dispatches: trivial ops, and ops compiled for the host.
#include "core/codegen/host/Isolate.h"
#include "core/run/OnePass.h"
#include "core/run/ProgramRunner.h"
#include "core/run/Timing.h"
#include "core/runtime/host/RepeatPlan.h"
#include "core/support/ResultErrors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include <chrono>

using namespace mlir;

namespace fuselage {

llvm::Expected<bool> ProgramRunner::runTrivial(Operation *op, Environment &values) {
  if (!costsNothing(op))
    return false;
  Value result = op->getResult(0);
  Attribute constant;
  if (matchPattern(op, m_Constant(&constant))) {
    auto tensor = HostTensor::fromAttribute(llvm::cast<TypedAttr>(constant));
    if (!tensor)
      return tensor.takeError();
    values[result] = RuntimeValue::onHost(std::move(*tensor));
    return true;
  }
  auto shaped = llvm::cast<RankedTensorType>(result.getType());
  if (llvm::isa<tensor::EmptyOp>(op)) {
    values[result] = RuntimeValue::unspecified(shaped);
    return true;
  }
  auto source = valuesOf(op->getOperand(0), values);
  if (!source)
    return source.takeError();
  Type sized = llvm::isa<tensor::CastOp>(op) ? source->front().type() : shaped;
  values[result] = source->front().reshaped(sized);
  return true;
}

/// The names of the first few kinds of op: "tensor.extract_slice, arith.addi".
static std::string namesOf(ArrayRef<Operation *> group) {
  constexpr size_t most = 4;
  llvm::SetVector<StringRef> names;
  for (Operation *op : group)
    names.insert(op->getName().getStringRef());
  std::string text;
  for (StringRef name : names.getArrayRef().take_front(most))
    text += (text.empty() ? "" : ", ") + name.str();
  return names.size() > most ? text + ", .." : text;
}

llvm::Expected<ProgramRunner::CompiledGroup *> ProgramRunner::compileGroup(ArrayRef<Operation *> group) {
  if (auto known = groups_.find(group.front()); known != groups_.end())
    return known->second.get();
  auto compiled = std::make_unique<CompiledGroup>();
  llvm::SetVector<Value> inputs, outputs;
  bordersOf(group, inputs, outputs);
  // Constants go along: sizes that are known make better code than sizes that are passed.
  SmallVector<Operation *> ops;
  for (Value input : inputs) {
    Operation *definition = input.getDefiningOp();
    if (definition && definition->hasTrait<OpTrait::ConstantLike>() && !llvm::isa<ShapedType>(input.getType()))
      ops.push_back(definition);
    else
      compiled->inputs.push_back(input);
  }
  llvm::append_range(ops, group);
  compiled->outputs.assign(outputs.begin(), outputs.end());
  for (Value value : llvm::concat<Value>(compiled->inputs, compiled->outputs))
    if (!canCross(value.getType())) {
      Operation *definition = value.getDefiningOp();
      SourcePosition position = positionOf(value.getLoc());
      std::string name = definition ? "'" + definition->getName().getStringRef().str() + "'" : "a block argument";
      return fail("the host cannot pass on the result of " + name + ", a " + textOf(value.getType()) +
                      ": between dispatches only ranked tensors and scalars may live",
                  {{.message = "a value of this type lives across a dispatch",
                    .file = position.file,
                    .line = position.line,
                    .column = position.column,
                    .notes = {}}});
    }
  auto start = std::chrono::steady_clock::now();
  OwningOpRef<ModuleOp> module = isolateOps(ops, compiled->inputs, compiled->outputs);
  std::string key = functionKey(module->lookupSymbol<func::FuncOp>("run"));
  compiled->form = groupForms_.try_emplace(key, static_cast<int>(groupForms_.size())).first->second;
  auto program = HostProgram::compile(*module, {.compile = {.limits = options_.host}, .cancelled = options_.cancelled});
  llvm::Error error = program ? (*program)->prepare("run") : program.takeError();
  if (error)
    return error;
  compileUs_ += std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  compiled->program = std::move(*program);
  compiled->names = namesOf(group);
  compiled->loc = formatPosition(positionOf(group.front()->getLoc()));
  for (Operation *op : group)
    if (leadsToDispatch(op)) {
      SourcePosition position = positionOf(op->getLoc());
      remarks_.push_back({.severity = Diagnostic::Severity::Warning,
                          .message = "the dispatches inside '" + op->getName().getStringRef().str() +
                                     "' run on the host together with it",
                          .file = position.file,
                          .line = position.line,
                          .column = position.column,
                          .notes = {}});
    }
  return groups_.try_emplace(group.front(), std::move(compiled)).first->second.get();
}

llvm::Error ProgramRunner::runGroup(Group &group, Environment &values) {
  if (group.empty())
    return llvm::Error::success();
  Operation *first = group.front();
  auto compiled = compileGroup(group);
  group.clear();
  if (!compiled)
    return compiled.takeError();
  auto inputs = valuesOf((*compiled)->inputs, values);
  if (!inputs)
    return inputs.takeError();
  std::vector<HostTensor> arguments;
  for (const RuntimeValue &input : *inputs) {
    auto tensor = input.toHost(&device_);
    if (!tensor)
      return tensor.takeError();
    arguments.push_back(std::move(*tensor));
  }
  auto results =
      (*compiled)->program->measure("run", arguments, RepeatPlan({.repeat = 1, .warmup = observes_ ? 1u : 0u}));
  if (!results)
    return results.takeError();
  overheadUs_ += results->overheadUs;
  if (observes_) {
    KernelReport row;
    row.kind = KernelReport::Kind::Host;
    row.dispatch = (*compiled)->names;
    row.loc = (*compiled)->loc;
    row.form = (*compiled)->form;
    row.device = kHostId;
    setTimes(row, std::move(results->microseconds));
    hostObserver_({first, observed_.insert(first).second}, std::move(row));
  }
  for (auto [output, result] : llvm::zip_equal((*compiled)->outputs, results->values))
    values[output] = RuntimeValue::onHost(std::move(result));
  return llvm::Error::success();
}

} // namespace fuselage
