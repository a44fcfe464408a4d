#include "core/run/inspect/RunArguments.h"
#include "core/ir/ops/Parameters.h"
#include "core/ir/ops/WrittenTypes.h"
#include "core/run/Specialize.h"
#include "core/transforms/bufferize/BuffersAsTensors.h"

using namespace mlir;

namespace fuselage {

/// The module of a function, or, where that is on buffers, one in which it is on tensors.
static llvm::Expected<ModuleOp> tensorsOf(func::FuncOp function, OwningOpRef<ModuleOp> &keeps) {
  if (!isOnBuffers(function))
    return function->getParentOfType<ModuleOp>();
  auto raised = onTensors(function);
  if (!raised)
    return raised.takeError();
  keeps = std::move(raised->module);
  return *keeps;
}

llvm::Expected<RunArguments> RunArguments::prepare(func::FuncOp function, const ValueOptions &options) {
  RunArguments arguments(options);
  arguments.name_ = function.getName().str();
  OwningOpRef<ModuleOp> keeps;
  auto module = tensorsOf(function, keeps);
  if (!module)
    return module.takeError();
  function = module->lookupSymbol<func::FuncOp>(arguments.name_);
  ArgumentSizes sizes = options.sizes;
  sizes.merge(sizesInFiles(function, options.inputs, options.files));
  arguments.sizes_ = withDefaults(function, sizes, options.inputs);
  auto sized = specialize(function, arguments.sizes_);
  if (!sized)
    return sized.takeError();
  arguments.program_ = std::move(*sized);
  return arguments;
}

llvm::Expected<OwningOpRef<ModuleOp>> RunArguments::specialized(func::FuncOp function) const {
  OwningOpRef<ModuleOp> keeps;
  auto module = tensorsOf(function, keeps);
  if (!module)
    return module.takeError();
  return specialize(module->lookupSymbol<func::FuncOp>(name_), sizes_);
}

llvm::Expected<std::vector<InputValue>> RunArguments::make(const llvm::BitVector &wanted) const {
  auto given = readInputFiles(function(), options_.files, &wanted);
  if (!given)
    return given.takeError();
  return makeInputs(function(), options_.seed, options_.inputs, std::move(*given), options_.cancelled, &wanted);
}

std::vector<message::RunInput<>> RunArguments::describe(ArrayRef<InputValue> values,
                                                        const llvm::BitVector &wanted) const {
  std::vector<message::RunInput<>> inputs;
  for (auto [index, value] : llvm::enumerate(values))
    if (wanted[index])
      inputs.push_back({.name = "arg" + std::to_string(index),
                        .parameter = parameterAddress(function().getArgument(index)),
                        .type = textOf(writtenType(function().getArgument(index))),
                        .source = value.source,
                        .note = value.note});
  return inputs;
}

llvm::Expected<ReferenceResults> callOnHost(func::FuncOp function, ArrayRef<HostTensor> arguments,
                                            const ValueOptions &options) {
  HostPieces pieces(*function.getContext(), HostProgramOptions{.compile = {.limits = options.limits, .checks = false},
                                                               .cancelled = options.cancelled});
  auto reference = Reference::plan(function, pieces, options.limits);
  if (!reference)
    return reference.takeError();
  pieces.compile();
  if (options.cancelled && options.cancelled->load())
    return fail("cancelled");
  return reference->run(arguments, options.cancelled);
}

} // namespace fuselage
