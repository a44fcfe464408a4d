// tool/*.
#include "core/engine/DocumentMessage.h"
#include "core/engine/MethodTable.h"
#include "core/engine/StepMessages.h"
#include "core/protocol/methods/DocumentMethods.h"
#include "core/stepping/record/ToolRun.h"
#include "llvm/Support/Path.h"
#include <thread>

namespace fuselage {
namespace {

llvm::Expected<message::Tools<>> listTools(Engine &, const method::ListTools::Request<> &) {
  message::Tools<> message;
  for (const FoundTool &tool : findTools())
    message.tools.push_back({.program = tool.program, .path = tool.path, .command = tool.command});
  return message;
}

/// Waits for a moment: a tool that is wrong is mostly so at once, and then there is nothing to open.
void awaitFirst(const ToolRun &run, const std::atomic<bool> &cancelled) {
  using namespace std::chrono_literals;
  for (auto left = 400ms; left > 0ms && run.isRunning() && !cancelled; left -= 20ms)
    std::this_thread::sleep_for(20ms);
}

llvm::Expected<message::Document<>> start(Engine &engine, const method::StartTool::Request<> &request) {
  const std::string &path = request.path;
  auto command = readToolCommand(request.command);
  if (!command)
    return command.takeError();
  auto run = ToolRun::prepare(std::move(*command), path, llvm::sys::path::parent_path(path));
  if (!run)
    return run.takeError();
  (*run)->start();
  awaitFirst(**run, engine.cancelled);
  if (engine.cancelled)
    return fail("cancelled");
  auto document = Document::open(*run, path, request.command, &engine.cancelled);
  if (!document)
    return document.takeError();
  engine.current = std::move(*document);
  return documentMessage(*engine.current);
}

llvm::Error noTool() { return fail("no compiler was started on what is open"); }

llvm::Expected<message::ToolProgress<>> poll(Engine &engine, Document &document, const method::PollTool::Request<> &) {
  if (!document.toolRun())
    return noTool();
  const ToolRun &run = *document.toolRun();
  message::ToolProgress<> progress;
  progress.running = run.isRunning();
  progress.bytes = int64_t(run.logBytes());
  auto first = document.grow(&engine.cancelled);
  if (!first)
    progress.problem = takeFailure(first.takeError()).message;
  const std::vector<Step> &steps = document.opened().steps;
  progress.first = first ? static_cast<int>(*first) : static_cast<int>(steps.size());
  for (unsigned i = progress.first; i < steps.size(); ++i)
    progress.steps.push_back(messageOf(steps[i], i));
  if (std::optional<Failure> failure = run.failure(); failure && !progress.running && progress.problem.empty())
    progress.problem = failure->message;
  return progress;
}

llvm::Expected<message::Nothing<>> stop(Engine &, Document &document, const method::StopTool::Request<> &) {
  if (!document.toolRun())
    return noTool();
  document.toolRun()->stop();
  return message::Nothing<>();
}

} // namespace

void addToolMethods(MethodTable &table) {
  addMethod<method::ListTools, listTools>(table);
  addMethod<method::StartTool, start>(table);
  addMethod<method::PollTool, poll>(table);
  addMethod<method::StopTool, stop>(table);
}

} // namespace fuselage
