#include "core/run/UnmappedFunction.h"
#include "core/codegen/host/Isolate.h"
#include "core/ir/module/Diagnostics.h"
#include "core/run/RunProgram.h"

using namespace mlir;

namespace fuselage {

namespace {

/// The buffers of a dispatch as those of the function around it, which only calls it.
struct Numbering {
  SmallVector<unsigned> numbers{}; ///< of the dispatch's arguments, then its results
  unsigned around = 0;             ///< arguments and results of the function
  unsigned operator()(unsigned number) const {
    return number < numbers.size() ? numbers[number] : number - static_cast<unsigned>(numbers.size()) + around;
  }
};

} // namespace

/// Nullopt: the function does more than to call the dispatch with its arguments and to return all that it makes.
static std::optional<Numbering> numberingOf(func::FuncOp function, func::FuncOp dispatch) {
  Block &body = function.getBody().front();
  auto calls = llvm::to_vector(body.getOps<func::CallOp>());
  // What else stands there may be left over, as the result has to come from the call.
  bool isRest = llvm::all_of(body.without_terminator(),
                             [](Operation &op) { return isa<func::CallOp>(op) || isMemoryEffectFree(&op); });
  if (!isRest || !llvm::hasSingleElement(calls) || calls.front().getCallee() != dispatch.getName())
    return std::nullopt;
  func::CallOp call = calls.front();
  Numbering numbering{.around = function.getNumArguments() + function.getNumResults()};
  for (Value operand : call.getOperands()) {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (!argument)
      return std::nullopt;
    numbering.numbers.push_back(argument.getArgNumber());
  }
  auto returned = body.getTerminator()->getOperands();
  if (returned.size() != call.getNumResults())
    return std::nullopt;
  for (Value result : call.getResults()) {
    auto place = llvm::find(returned, result);
    if (place == returned.end())
      return std::nullopt;
    numbering.numbers.push_back(function.getNumArguments() + (place - returned.begin()));
  }
  return numbering;
}

llvm::Expected<CompiledDispatch> compileUnmapped(func::FuncOp function, const TargetOptions &options) {
  std::string name = function.getName().str();
  std::vector<Diagnostic> said;
  auto program = formRunProgram(isolateFunction(function), name, said);
  if (!program)
    return program.takeError();
  std::optional<Numbering> numbering;
  if (program->dispatches.size() == 1)
    numbering = numberingOf(program->function, program->dispatches.front());
  if (!numbering)
    return fail(
        "@" + name +
        " is on tensors after the schedule, and the default pipeline, which compiles what is one dispatch, makes " +
        (program->dispatches.empty()       ? "none of it"
         : program->dispatches.size() == 1 ? "one and other ops of it"
                                           : std::to_string(program->dispatches.size()) + " of it") +
        ": the schedule has to bufferize it, as "
        "transform.bufferization.one_shot_bufferize does with bufferize_function_boundaries, and to map it");
  auto compiled = compileDispatch(program->dispatches.front(), options);
  if (!compiled)
    return compiled;
  for (CompiledKernel &kernel : compiled->kernels)
    for (unsigned &argument : kernel.arguments)
      argument = (*numbering)(argument);
  compiled->name = name;
  return compiled;
}

} // namespace fuselage
