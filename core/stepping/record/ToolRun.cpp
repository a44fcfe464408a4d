#include "core/stepping/record/ToolRun.h"
#include "core/ir/source/SourceText.h"
#include "core/stepping/record/DumpTimeline.h"
#include "core/support/Paths.h"
#include "core/support/ShellWords.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <csignal>

using llvm::StringRef;

namespace fuselage {

/// Stands in the log before FILE itself; no pass is called so.
static constexpr llvm::StringLiteral inputMark = "fuselage-tool-input";

/// Whether a text is one module, printed as MLIR prints it, so that its dump is recognised.
static bool isOneModule(StringRef text) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    StringRef word = line.ltrim();
    if (word.starts_with("module") || word.starts_with("\"builtin.module\""))
      return !rest.contains("\n// -----");
    if (!word.trim().empty() && !word.starts_with("//") && !word.starts_with("#") && !word.starts_with("!"))
      return false;
    text = rest;
  }
  return false;
}

/// A path that no program takes for an option.
static std::string operandOf(StringRef file) { return file.starts_with("-") ? "./" + file.str() : file.str(); }

llvm::Expected<std::shared_ptr<ToolRun>> ToolRun::prepare(ToolCommand command, StringRef file, StringRef directory) {
  auto folder = ToolFolder::make();
  if (!folder)
    return folder.takeError();
  std::string operand = operandOf(file);
  if (isStream(file)) {
    auto source = loadSource(file);
    if (!source)
      return source.takeError();
    operand = (*folder)->file("input.mlir");
    std::error_code problem;
    llvm::raw_fd_ostream(operand, problem) << source->buffer->getBuffer();
    if (problem)
      return fail("cannot write '" + operand + "': " + problem.message());
  } else if (!llvm::sys::fs::exists(operand)) {
    return fail("cannot open '" + shortPath(file) + "': no such file");
  }
  std::shared_ptr<ToolRun> run(new ToolRun(std::move(command), std::move(*folder)));
  ToolProcessOptions &process = run->process_;
  process.path = run->command_.path;
  process.arguments = run->command_.argumentsFor(operand, /*dumps=*/true);
  for (StringRef variable : run->command_.family->environment)
    process.environment.push_back(variable.str());
  process.directory = directory.str();
  process.outputFile = run->folder_->file("output");
  process.errorFile = run->folder_->file(run->command_.program() + ".log");
  run->beginLog(operand);
  return run;
}

void ToolRun::beginLog(StringRef file) const {
  constexpr uint64_t large = 64 << 20;
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer || (*buffer)->getBufferSize() > large || !isOneModule((*buffer)->getBuffer()))
    return;
  std::error_code problem;
  llvm::raw_fd_ostream log(process_.errorFile, problem);
  if (!problem)
    log << "// -----// IR Dump After " << inputMark << " (" << inputMark << ") //----- //\n"
        << (*buffer)->getBuffer() << "\n";
}

ToolRun::~ToolRun() {
  stopped_ = true;
  if (watcher_.joinable())
    watcher_.join();
}

void ToolRun::finish(llvm::Expected<ToolEnd> end) {
  std::lock_guard guard(mutex_);
  if (end)
    end_ = *end;
  else
    unstarted_ = takeFailure(end.takeError());
  running_ = false;
}

llvm::Expected<ToolEnd> ToolRun::run(const std::atomic<bool> *cancelled, std::function<void(uint64_t)> proceed,
                                     bool takesSignals) {
  running_ = true;
  process_.cancelled = cancelled;
  process_.proceed = [this, proceed = std::move(proceed)](uint64_t bytes) {
    bytes_ = bytes;
    if (proceed)
      proceed(bytes);
  };
  auto end = runTool(process_, takesSignals);
  if (!end)
    return end.takeError();
  finish(*end);
  return *end;
}

void ToolRun::start() {
  running_ = true;
  process_.cancelled = &stopped_;
  process_.proceed = [this](uint64_t bytes) { bytes_ = bytes; };
  watcher_ = std::thread([this] { finish(runTool(process_)); });
}

std::string ToolRun::commandLine() const { return joinShellWords(process_.arguments); }

std::optional<Failure> ToolRun::failure() const {
  std::lock_guard guard(mutex_);
  if (unstarted_)
    return unstarted_;
  if (!end_ || end_->isFine())
    return std::nullopt;
  return takeFailure(toolFailure(process_, *end_, command_.program()));
}

/// The only pass of its input is gone from the steps: it is snapshot 0.
static void dropInputMark(Recording &recording) {
  if (recording.steps.empty() || recording.steps.front().pass != inputMark)
    return;
  std::vector<Diagnostic> said = std::move(recording.steps.front().diagnostics);
  recording.steps.erase(recording.steps.begin());
  recording.notes.insert(recording.notes.begin(), said.begin(), said.end());
}

llvm::Error ToolRun::noDumps() const {
  std::string why = command_.program() + " printed no IR after its passes";
  if (command_.choosesDumps())
    return fail(why + " on its standard error; the command itself chooses what is printed");
  return fail(why +
              "; give the option that makes it dump in the command, or its output is one step of a pipeline: "
              "--pipeline 'tool(" +
              joinShellWords(command_.words) + ")'");
}

llvm::Expected<Recording> ToolRun::read(Session &session, const DumpLog::Cancelled &cancelled) const {
  bool isOver = !running_;
  std::string folder = command_.dumpFolder();
  if (!folder.empty() && llvm::sys::path::is_relative(folder) && !process_.directory.empty())
    folder = process_.directory + "/" + folder;
  if (isOver && !folder.empty() && llvm::sys::fs::is_directory(folder))
    return openTimeline(session, folder, cancelled);
  if (!llvm::sys::fs::exists(process_.errorFile)) // nothing yet
    return isOver ? noDumps() : fail(command_.program() + " has not begun yet");
  auto log =
      isOver ? DumpLog::open(process_.errorFile, cancelled) : DumpLog::openGrowing(process_.errorFile, cancelled);
  std::optional<Failure> failed = failure();
  if (!log && isOver && !(cancelled && cancelled())) {
    llvm::consumeError(log.takeError());
    return failed ? fail(failed->message) : noDumps();
  }
  if (!log)
    return log.takeError();
  Recording recording = readTimeline(session, std::move(*log));
  dropInputMark(recording);
  if (isOver && recording.steps.empty())
    return failed ? fail(failed->message) : noDumps();
  if (failed)
    recording.notes.push_back({.message = failed->message});
  return recording;
}

} // namespace fuselage
