#include "core/stepping/tool/ToolStep.h"
#include "core/ir/ops/ValueNames.h"
#include "core/stepping/tool/ToolProcess.h"
#include "llvm/Support/MemoryBuffer.h"
#include <csignal>

namespace fuselage {

llvm::Expected<ReadResult> runToolStep(Session &session, mlir::ModuleOp module, const ToolCommand &command,
                                       const ToolStepOptions &options) {
  auto folder = ToolFolder::make();
  if (!folder)
    return folder.takeError();
  std::string input = (*folder)->file("input.mlir");
  {
    std::error_code problem;
    llvm::raw_fd_ostream stream(input, problem);
    if (!problem) // with places, so that ops are known again behind the tool
      module->print(stream, withValueNames(mlir::OpPrintingFlags().enableDebugInfo().assumeVerified()));
    stream << '\n';
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
    return fail("what " + command.program() + " printed cannot be read: " + failure.message, std::move(failure.diagnostics));
  }
  return std::move(*read);
}

} // namespace fuselage
