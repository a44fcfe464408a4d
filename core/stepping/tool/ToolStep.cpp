#include "core/stepping/tool/ToolStep.h"
#include "core/ir/ops/ValueNames.h"
#include "core/stepping/tool/ToolProcess.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <csignal>

namespace fuselage {

/// Calls `visit` for each attribute of ours on arguments of functions: no other compiler knows them.
static void
forEachOwn(mlir::ModuleOp module,
           llvm::function_ref<void(mlir::FunctionOpInterface, unsigned argument, mlir::NamedAttribute)> visit) {
  module->walk([&](mlir::FunctionOpInterface function) {
    for (unsigned argument = 0; argument < function.getNumArguments(); ++argument)
      for (mlir::NamedAttribute attribute : llvm::SmallVector<mlir::NamedAttribute>(function.getArgAttrs(argument)))
        if (attribute.getName().getValue().starts_with("fuselage."))
          visit(function, argument, attribute);
  });
}

/// Puts them back where the tool has kept a function's arguments.
static void restoreOwn(mlir::ModuleOp before, mlir::ModuleOp after) {
  llvm::StringMap<mlir::FunctionOpInterface> functions;
  after->walk([&](mlir::FunctionOpInterface function) { functions.try_emplace(function.getName(), function); });
  forEachOwn(before, [&](mlir::FunctionOpInterface function, unsigned argument, mlir::NamedAttribute attribute) {
    auto kept = functions.find(function.getName());
    if (kept != functions.end() && kept->second.getNumArguments() == function.getNumArguments())
      kept->second.setArgAttr(argument, attribute.getName(), attribute.getValue());
  });
}

/// The module as text, without attributes that only we know.
static void print(mlir::ModuleOp module, llvm::raw_ostream &os) {
  mlir::OwningOpRef<mlir::ModuleOp> plain = module.clone();
  forEachOwn(*plain, [](mlir::FunctionOpInterface function, unsigned argument, mlir::NamedAttribute attribute) {
    function.removeArgAttr(argument, attribute.getName());
  });
  // With places, so that ops are known again after the tool.
  plain->print(os, withValueNames(mlir::OpPrintingFlags().enableDebugInfo().assumeVerified()));
  os << '\n';
}

llvm::Expected<ReadResult> runToolStep(Session &session, mlir::ModuleOp module, const ToolCommand &command,
                                       const ToolStepOptions &options) {
  auto folder = ToolFolder::make();
  if (!folder)
    return folder.takeError();
  std::string input = (*folder)->file("input.mlir");
  {
    std::error_code problem;
    llvm::raw_fd_ostream stream(input, problem);
    if (!problem)
      print(module, stream);
    stream.close();
    if (problem || stream.has_error()) {
      std::string why = problem ? problem.message() : stream.error().message();
      stream.clear_error();
      return fail("the module cannot be written for " + command.program() + ": " + why);
    }
  }
  ToolProcessOptions process;
  process.path = command.path;
  process.arguments = command.stepArgumentsFor(input);
  process.outputFile = (*folder)->file(command.program() + ".mlir");
  process.errorFile = (*folder)->file("errors");
  process.directory = options.directory;
  process.cancelled = options.cancelled;
  auto end = runTool(process, options.takesSignals);
  if (!end)
    return end.takeError();
  if (!end->isFine()) {
    llvm::Error error = toolFailure(process, *end, command.program());
    folder->reset();
    if (end->signal) // it was held back until nothing of ours was left behind
      std::raise(end->signal);
    return error;
  }
  auto output = llvm::MemoryBuffer::getFile(process.outputFile, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!output)
    return fail("what " + command.program() + " printed cannot be read: " + output.getError().message());
  llvm::StringRef text = (*output)->getBuffer();
  if (text.trim().empty())
    return fail(command.program() + " printed no module on its standard output; leave -o out of the command");
  auto read = session.readText(text, command.program());
  if (!read) {
    Failure failure = takeFailure(read.takeError());
    return fail("what " + command.program() + " printed cannot be read: " + failure.message,
                std::move(failure.diagnostics));
  }
  restoreOwn(module, *read->module);
  return std::move(*read);
}

} // namespace fuselage
