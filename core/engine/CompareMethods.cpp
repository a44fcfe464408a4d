// compare/*.
#include "core/protocol/methods/CompareMethods.h"
#include "core/engine/MethodTable.h"
#include "core/graph/compare/CompareDispatches.h"
#include "core/graph/compare/FusedProgram.h"
#include "core/registration/Registration.h"
#include "core/stepping/record/DumpTimeline.h"
#include "core/stepping/record/ToolRun.h"
#include "core/stepping/report/DispatchStep.h"
#include "core/transforms/foreign/NormalizeForeign.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace fuselage {
namespace {

/// What the snapshot is compared with; it lives as long as the answer is made.
struct Other {
  std::unique_ptr<Session> session{};
  std::shared_ptr<ToolRun> run{};
  std::optional<Recording> log{};
  ReadResult read{};
  mlir::ModuleOp module{};
  std::string name{};
  int step = -1, snapshot = -1;
};

/// The module of a log, at a step or at the last one with dispatches.
llvm::Error takeLog(Other &other, Recording log, int64_t at) {
  other.log = std::move(log);
  const std::vector<Step> &steps = other.log->steps;
  if (at >= int64_t(steps.size()))
    return fail("there is no step " + std::to_string(at) + " in " + other.name);
  if (at < 0) {
    auto found = lastStepWithDispatches(*other.log);
    at = found ? *found : int64_t(steps.size()) - 1;
  }
  auto module = other.log->snapshots[other.log->shown(steps[at])]->parsed();
  if (!module)
    return module.takeError();
  other.module = *module;
  other.step = int(at);
  other.name += ", step " + std::to_string(at) + ": " + steps[at].name;
  return llvm::Error::success();
}

llvm::Error takeFile(Engine &engine, Other &other, const std::string &path, int64_t at) {
  other.session = std::make_unique<Session>(allDialects());
  other.name = llvm::sys::path::filename(llvm::StringRef(path).rtrim('/')).str();
  if (DumpLog::isDump(path)) {
    auto log = openTimeline(*other.session, path, [&] { return engine.cancelled.load(); });
    return log ? takeLog(other, std::move(*log), at) : log.takeError();
  }
  auto read = other.session->read(path);
  if (!read)
    return read.takeError();
  other.read = std::move(*read);
  auto module = normalized(*other.read.module);
  if (!module)
    return module.takeError();
  if (*module)
    other.read.module = std::move(*module);
  other.module = *other.read.module;
  return llvm::Error::success();
}

llvm::Error takeTool(Engine &engine, Other &other, const std::string &line, int64_t at) {
  const Document &document = *engine.current;
  const std::string &source = document.toolSource().empty() ? document.path() : document.toolSource();
  auto command = readToolCommand(line);
  if (!command)
    return command.takeError();
  auto run = ToolRun::prepare(std::move(*command), source, llvm::sys::path::parent_path(source));
  if (!run)
    return run.takeError();
  other.run = std::move(*run);
  other.session = std::make_unique<Session>(allDialects());
  other.name = other.run->command().program();
  auto end = other.run->run(&engine.cancelled, {}, /*takesSignals=*/false);
  if (!end)
    return end.takeError();
  if (std::optional<Failure> failure = other.run->failure())
    return fail(failure->message);
  auto log = other.run->read(*other.session, [&] { return engine.cancelled.load(); });
  return log ? takeLog(other, std::move(*log), at) : log.takeError();
}

/// "a.mlir, step 3: cse", "a.mlir".
std::string nameOf(const Document &document, unsigned snapshot) {
  std::string name = llvm::sys::path::filename(llvm::StringRef(document.path()).rtrim('/')).str();
  const std::vector<Step> &steps = document.recording().steps;
  for (unsigned i = 0; i < steps.size(); ++i)
    if (steps[i].after == int(snapshot) && steps[i].changed)
      return name + ", step " + std::to_string(i) + ": " + steps[i].name;
  return snapshot < Document::kFirstPlace ? name : name + ", beside the steps";
}

/// All that pays, in a copy, where no dispatches are formed.
llvm::Error fuse(Engine &engine, mlir::ModuleOp &module, std::string &name, mlir::OwningOpRef<mlir::ModuleOp> &fused) {
  if (hasDispatches(module))
    return llvm::Error::success();
  auto program = fusedProgram(module, [&](llvm::StringRef) { return !engine.cancelled; });
  if (!program)
    return program.takeError();
  fused = std::move(*program);
  module = *fused;
  name += ", fused";
  return llvm::Error::success();
}

/// Two files of one name are told apart by their folders; one file, by when it was read.
void tellApart(std::string &name, llvm::StringRef path, std::string &other, llvm::StringRef otherPath) {
  if (name != other || otherPath.empty())
    return;
  namespace fs = llvm::sys::path;
  if (bool isSame = false; !llvm::sys::fs::equivalent(path, otherPath, isSame) && isSame) {
    name += ", as opened";
    other += ", on disk";
    return;
  }
  auto folderOf = [](llvm::StringRef of) { return fs::filename(fs::parent_path(of)).str(); };
  name = folderOf(path) + "/" + name;
  other = folderOf(otherPath) + "/" + other;
}

llvm::Expected<message::DispatchComparison<>> compareWith(Engine &engine, Document &document,
                                                          const method::Compare::Request<> &request) {
  unsigned snapshot = request.snapshot;
  if (request.other != -1 && !document.hasSnapshot(request.other))
    return checkRange("other", request.other, -1, int64_t(document.snapshotCount()) - 1);
  if ((request.other >= 0) + !request.path.empty() + !request.tool.empty() != 1)
    return llvm::make_error<RpcError>(RpcCode::InvalidParams, "give one of 'other', 'path' and 'tool'");
  Other other;
  if (request.other >= 0) {
    other.snapshot = int(request.other);
    other.name = nameOf(document, other.snapshot);
  } else if (llvm::Error error = request.path.empty() ? takeTool(engine, other, request.tool, request.at)
                                                      : takeFile(engine, other, request.path, request.at)) {
    return error;
  }
  auto module = document.module(snapshot);
  if (!module)
    return module.takeError();
  // Parsing the second may let the first go.
  std::shared_ptr<const void> held = document.snapshot(snapshot)->holdModule();
  if (other.snapshot >= 0) {
    auto second = document.module(other.snapshot);
    if (!second)
      return second.takeError();
    other.module = *second;
  }
  mlir::ModuleOp first = *module;
  std::string name = nameOf(document, snapshot);
  for (auto [compared, called] : {std::pair(first, name), std::pair(other.module, other.name)})
    if (llvm::Error error = checkComparable(compared, called))
      return error;
  tellApart(name, document.path(), other.name, request.path);
  mlir::OwningOpRef<mlir::ModuleOp> fusedA, fusedB;
  if (request.fuseAll) {
    if (llvm::Error error = fuse(engine, first, name, fusedA))
      return error;
    if (llvm::Error error = fuse(engine, other.module, other.name, fusedB))
      return error;
  }
  DispatchComparison comparison = compareDispatches(first, other.module);
  comparison.a.name = name;
  comparison.a.snapshot = fusedA ? -1 : int(snapshot);
  comparison.b.name = other.name;
  comparison.b.step = other.step;
  comparison.b.snapshot = fusedB ? -1 : other.snapshot;
  return comparison;
}

/// Parsing and fusing cannot be stopped in between. A tool is stopped, and cleaned up after, by who started it.
std::optional<CopiedAnswer> compareInCopy(const method::Compare::Request<> &request) {
  if (!request.tool.empty())
    return std::nullopt;
  return CopiedAnswer{.limits = {.seconds = 600, .bytes = uint64_t(8) << 30}, .doing = "comparing the two"};
}

} // namespace

void addCompareMethods(MethodTable &table) { addMethod<method::Compare, compareWith, compareInCopy>(table); }

} // namespace fuselage
