#include "core/run/inspect/ValueRun.h"
#include "core/ir/module/Diagnostics.h"
#include "core/run/Specialize.h"
#include "core/run/inspect/HostWork.h"
#include "core/run/inspect/RunArguments.h"
#include "core/run/reference/Reference.h"
#include <chrono>

using namespace mlir;

namespace fuselage {

/// The function to call for a value.
static llvm::Expected<func::FuncOp> entryOf(ModuleOp module, Operation *place, const std::string &name) {
  auto around = dyn_cast<func::FuncOp>(place);
  if (!around)
    around = place->getParentOfType<func::FuncOp>();
  if (name.empty() && around && around.isPublic() && !around.isExternal())
    return around;
  return pickFunction(module, name);
}

/// A value that is itself what nobody wrote, rather than computed of such.
static std::string whyMeaningless(func::FuncOp function, const std::string &meaningless) {
  std::optional<UnwrittenRead> read = findUnwrittenRead(function);
  if (!read || !isa<func::ReturnOp>(read->reader))
    return meaningless;
  std::string place = formatPosition(positionOf(read->memory));
  return "nothing has been written to it yet: it is a part of the '" + read->memory->getName().getStringRef().str() +
         "'" + (place.empty() ? "" : " at " + place);
}

/// Leaves the last result, what it depends on, and the arguments that are used.
static llvm::BitVector keepLastResult(func::FuncOp function) {
  Operation *terminator = function.getBody().front().getTerminator();
  Value last = terminator->getOperands().back();
  terminator->setOperands(last);
  function.setType(FunctionType::get(function.getContext(), function.getArgumentTypes(), last.getType()));
  function.removeResAttrsAttr();
  eraseUnused(function);
  llvm::BitVector unused(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    unused[argument.getArgNumber()] = argument.use_empty();
  (void)function.eraseArguments(unused);
  return unused.flip();
}

/// The ops of a function but for its terminator and what computes single elements.
static unsigned countOps(func::FuncOp function) {
  unsigned count = 0;
  for (Block &block : function.getBody())
    count += llvm::range_size(block.without_terminator());
  return count;
}

llvm::Expected<ComputedValue> computeValue(ModuleOp module, ValueUse use, const ValueOptions &options) {
  auto start = std::chrono::steady_clock::now();
  auto entry = entryOf(module, use.value.getParentBlock()->getParentOp(), options.function);
  if (!entry)
    return entry.takeError();
  ComputedValue computed;
  computed.function = entry->getName().str();
  auto program = programOf(*entry, use);
  if (!program)
    return program.takeError();
  computed.which = program->which;
  auto arguments = RunArguments::prepare(*entry, options);
  if (!arguments)
    return arguments.takeError();
  auto sliced = arguments->specialized(program->module->lookupSymbol<func::FuncOp>(computed.function));
  if (!sliced)
    return sliced.takeError();
  auto function = (*sliced)->lookupSymbol<func::FuncOp>(computed.function);
  llvm::BitVector used = keepLastResult(function);
  computed.ops = countOps(function);
  computed.flops = flopsOf(function);
  if (options.mostFlops >= 0 && (computed.flops < 0 || computed.flops > options.mostFlops))
    return computed;
  auto inputs = arguments->make(used);
  if (!inputs)
    return inputs.takeError();
  computed.inputs = arguments->describe(*inputs, used);
  std::vector<HostTensor> tensors;
  for (auto [index, input] : llvm::enumerate(*inputs))
    if (used[index])
      tensors.push_back(input.tensor);
  auto results = callOnHost(function, tensors, options);
  if (!results)
    return results.takeError();
  if (!results->meaningless.empty())
    return fail(whyMeaningless(function, results->meaningless));
  computed.tensor = std::move(results->outputs.front());
  computed.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return computed;
}

} // namespace fuselage
