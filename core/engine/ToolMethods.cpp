// tool/*.
#include "core/engine/DocumentMessage.h"
#include "core/engine/Engine.h"
#include "core/engine/StepMessages.h"
#include "core/stepping/record/ToolRun.h"
#include "llvm/Support/Path.h"
#include <thread>

namespace fuselage {
namespace {

llvm::Expected<llvm::json::Value> listTools(Engine &, Params &) {
  message::Tools<> message;
  for (const FoundTool &tool : findTools())
    message.tools.push_back({.program = tool.program, .path = tool.path, .command = tool.command});
  return message::encode(message);
}

/// Waits for a moment: a tool that is wrong is mostly so at once, and then there is nothing to open.
void awaitFirst(const ToolRun &run, const std::atomic<bool> &cancelled) {
  using namespace std::chrono_literals;
  for (auto left = 400ms; left > 0ms && run.isRunning() && !cancelled; left -= 20ms)
    std::this_thread::sleep_for(20ms);
}

llvm::Expected<llvm::json::Value> start(Engine &engine, Params &params) {
  std::string path = params.string("path"), line = params.string("command");
  if (llvm::Error error = params.check())
    return error;
  auto command = readToolCommand(line);
  if (!command)
    return command.takeError();
  auto run = ToolRun::prepare(std::move(*command), path, llvm::sys::path::parent_path(path));
  if (!run)
    return run.takeError();
  (*run)->start();
  awaitFirst(**run, engine.cancelled);
  if (engine.cancelled)
    return fail("cancelled");
  auto document = Document::open(*run, path, line, &engine.cancelled);
  if (!document)
    return document.takeError();
  engine.current = std::move(*document);
  return message::encode(documentMessage(*engine.current));
}

/// The document, if it is a tool's log.
llvm::Expected<Document *> toolDocument(Engine &engine) {
  auto document = engine.document();
  if (document && !(*document)->toolRun())
    return fail("no compiler was started on what is open");
  return document;
}

llvm::Expected<llvm::json::Value> poll(Engine &engine, Params &) {
  auto document = toolDocument(engine);
  if (!document)
    return document.takeError();
  const ToolRun &run = *(*document)->toolRun();
  message::ToolProgress<> progress;
  progress.running = run.isRunning();
  progress.bytes = int64_t(run.logBytes());
  auto first = (*document)->grow(&engine.cancelled);
  if (!first)
    progress.problem = takeFailure(first.takeError()).message;
  const std::vector<Step> &steps = (*document)->opened().steps;
  progress.first = first ? static_cast<int>(*first) : static_cast<int>(steps.size());
  for (unsigned i = progress.first; i < steps.size(); ++i)
    progress.steps.push_back(messageOf(steps[i], i));
  if (std::optional<Failure> failure = run.failure(); failure && !progress.running && progress.problem.empty())
    progress.problem = failure->message;
  return message::encode(progress);
}

llvm::Expected<llvm::json::Value> stop(Engine &engine, Params &) {
  auto document = toolDocument(engine);
  if (!document)
    return document.takeError();
  (*document)->toolRun()->stop();
  return message::encode(message::Nothing<>());
}

} // namespace

void addToolMethods(MethodTable &table) {
  table["tool/list"] = listTools;
  table["tool/start"] = start;
  table["tool/poll"] = poll;
  table["tool/stop"] = stop;
}

} // namespace fuselage
