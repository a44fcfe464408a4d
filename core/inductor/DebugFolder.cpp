#include "core/inductor/DebugFolder.h"
#include "core/inductor/DebugFiles.h"
#include "core/inductor/ModuleText.h"
#include "core/inductor/TraceArtifacts.h"
#include "core/support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <list>

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace fuselage::inductor {
namespace {

/// Releases of torch whose files were looked at when this was written.
constexpr unsigned kMajor = 2, kFirstMinor = 9, kLastMinor = 15;

/// "2.9.1" of the line "# torch version: 2.9.1" that fx_graph_runnable.py has; empty: none.
std::string torchVersion(StringRef runnable) {
  constexpr StringRef mark = "# torch version: ";
  size_t at = runnable.find(mark);
  if (at == StringRef::npos)
    return "";
  StringRef version = runnable.substr(at + mark.size()).take_until([](char c) { return c == '\n' || c == '\r'; });
  return version.take_front(40).trim().str();
}

bool isKnownVersion(StringRef version) {
  auto [major, rest] = version.split('.');
  unsigned a = 0, b = 0;
  return !major.getAsInteger(10, a) && !rest.split('.').first.getAsInteger(10, b) && a == kMajor && b >= kFirstMinor &&
         b <= kLastMinor;
}

std::string knownVersions() {
  auto text = [](unsigned minor) { return std::to_string(kMajor) + "." + std::to_string(minor); };
  return text(kFirstMinor) + " to " + text(kLastMinor);
}

/// Reads the graphs one after the other.
class FolderReader {
public:
  explicit FolderReader(StringRef opened) : opened_(opened) {}
  llvm::Expected<DebugModule> read();

private:
  llvm::Error readFolder();
  llvm::Error readTrace(StringRef file);
  llvm::Error readGraph(StringRef folder, StringRef file);
  void takeKernels(StringRef mappings, CompiledGraph &graph);
  void readVersion(StringRef folder);
  void readLogs(StringRef folder);
  void readLogsAbove(StringRef folder);
  void giveLogs();
  void warn(std::string message, StringRef file);
  llvm::Expected<DebugModule> write();

  StringRef opened_;
  std::vector<CompiledGraph> graphs_;
  std::list<FusionRound> rounds_;
  llvm::StringSet<> logFolders_;
  std::string version_;
  DebugModule module_;
};

void FolderReader::warn(std::string message, StringRef file) {
  module_.notes.push_back(
      {.severity = Diagnostic::Severity::Warning, .message = std::move(message), .file = file.str()});
}

void FolderReader::readVersion(StringRef folder) {
  if (!version_.empty())
    return;
  if (auto runnable = loadFile(folder, kRunnable))
    version_ = torchVersion(runnable->getBuffer());
}

/// Lines are those of the log that the graph is a part of.
static void moveLines(FxGraph &graph, unsigned by) {
  for (FxFunction &function : graph.functions)
    for (std::vector<FxNode> *nodes : {&function.inputs, &function.nodes})
      for (FxNode &node : *nodes)
        node.line += by;
  for (Diagnostic &note : graph.notes)
    note.line += by;
}

/// `mappings` is empty if there are none.
void FolderReader::takeKernels(StringRef mappings, CompiledGraph &graph) {
  if (mappings.empty())
    return warn("which kernels compute these ops is not known: there is no " + kMappings.str() +
                    " with the graph; torch writes it since 2.9 with TORCH_COMPILE_DEBUG=1",
                graph.file);
  auto kernels = readProvenance(mappings);
  if (!kernels)
    return warn("the kernels in " + kMappings.str() + " cannot be read: " + takeFailure(kernels.takeError()).message,
                graph.file);
  graph.kernels = std::move(*kernels);
  if (graph.kernels.empty())
    warn(kMappings.str() + " names no kernels", graph.file);
}

llvm::Error FolderReader::readGraph(StringRef folder, StringRef file) {
  auto buffer = loadNamedFile(file);
  if (!buffer)
    return fail("cannot read '" + shortPath(file) + "': it is no regular file of at most 64 MiB");
  auto graph = readFxGraph(buffer->getBuffer());
  if (!graph)
    return fail("cannot read the graph in '" + shortPath(file) + "': " + takeFailure(graph.takeError()).message);
  CompiledGraph compiled{
      .name = path::filename(folder).str(), .file = file.str(), .graph = std::move(*graph), .kernels = {}, .log = {}};
  if (compiled.name.empty() || compiled.name == ".")
    compiled.name = "graph";
  readVersion(folder);
  auto mappings = loadFile(folder, kMappings);
  takeKernels(mappings ? mappings->getBuffer() : StringRef(), compiled);
  module_.files.push_back(compiled.file);
  graphs_.push_back(std::move(compiled));
  return llvm::Error::success();
}

void FolderReader::readLogs(StringRef folder) {
  if (!logFolders_.insert(folder).second)
    return;
  for (const auto &log : findFusionLogs(folder))
    for (FusionRound &round : readFusionLog(log->getBuffer()))
      rounds_.push_back(std::move(round));
}

/// Users put the log beside a graph, or into a folder of torch's above it.
void FolderReader::readLogsAbove(StringRef folder) {
  readLogs(folder);
  for (StringRef above = path::parent_path(folder); !above.empty(); above = path::parent_path(above)) {
    StringRef name = path::filename(above);
    if (name != "torchinductor" && name != "torch_compile_debug" && !name.starts_with("run_"))
      return;
    readLogs(above);
  }
}

/// Rounds of the log come in the order of the graphs; one belongs to a graph whose nodes it names.
void FolderReader::giveLogs() {
  auto next = rounds_.begin();
  for (CompiledGraph &graph : graphs_) {
    llvm::StringSet<> names;
    for (const FxNode &node : graph.graph.functions.front().nodes)
      names.insert(node.name);
    auto isOfGraph = [&](const FusionRound &round) {
      return llvm::all_of(round.origins, [&](const auto &entry) {
        return llvm::all_of(entry.second, [&](const std::string &origin) { return names.contains(origin); });
      });
    };
    auto found = std::find_if(next, rounds_.end(), isOfGraph);
    if (found == rounds_.end())
      continue;
    graph.log = &*found;
    next = std::next(found);
  }
}

llvm::Expected<DebugModule> FolderReader::write() {
  std::string writer = "TorchInductor";
  if (!version_.empty())
    writer += " of torch " + version_;
  if (version_.empty())
    warn("the version of torch is not known: nothing that names it is there, such as " + kRunnable.str() +
             "; read as that of " + knownVersions(),
         opened_);
  else if (!isKnownVersion(version_))
    warn("torch " + version_ + " wrote these files; the versions that are known are " + knownVersions() +
             ", and others may be read wrongly",
         opened_);
  ModuleText text(writer);
  for (const CompiledGraph &graph : graphs_)
    if (llvm::Error error = text.add(graph))
      return std::move(error);
  module_.text = text.take();
  llvm::append_range(module_.notes, text.takeNotes());
  return std::move(module_);
}

/// All graphs of a log of TORCH_TRACE.
llvm::Error FolderReader::readTrace(StringRef file) {
  auto buffer = loadNamedFile(file);
  if (!buffer)
    return fail("cannot read '" + shortPath(file) + "': it is no regular file of at most 64 MiB");
  TraceArtifacts trace = readTorchTrace(buffer->getBuffer());
  version_ = trace.version;
  module_.files.push_back(file.str());
  for (const TracedGraph &traced : trace.graphs) {
    auto graph = readFxGraph(traced.text);
    if (!graph)
      return fail("cannot read the graph of " + traced.name + " in '" + shortPath(file) +
                  "': " + takeFailure(graph.takeError()).message);
    moveLines(*graph, traced.firstLine - 1);
    graphs_.push_back(
        {.name = traced.name, .file = file.str(), .graph = std::move(*graph), .kernels = {}, .log = nullptr});
    takeKernels(traced.mappings, graphs_.back());
  }
  if (graphs_.empty())
    return fail("there is no graph of Inductor in the trace '" + shortPath(file) + "': no inductor_post_grad_graph");
  return llvm::Error::success();
}

llvm::Error FolderReader::readFolder() {
  unsigned otherRuns = 0;
  for (const std::string &folder : findGraphFolders(opened_, otherRuns))
    if (llvm::Error error = readGraph(folder, graphFileIn(folder)))
      return error;
  if (std::string trace = graphs_.empty() ? traceFileIn(opened_) : ""; !trace.empty())
    if (llvm::Error error = readTrace(trace))
      return error;
  if (graphs_.empty())
    return fail("there is no graph of Inductor in '" + shortPath(opened_) + "': no " + kGraphAfterPasses.str());
  if (otherRuns > 0)
    warn(std::to_string(otherRuns) + " earlier runs in it are left out; open the folder of one to see it", opened_);
  readLogs(opened_);
  return llvm::Error::success();
}

llvm::Expected<DebugModule> FolderReader::read() {
  if (fs::is_directory(opened_)) {
    if (llvm::Error error = readFolder())
      return std::move(error);
  } else if (startsLikeTrace(opened_)) {
    if (llvm::Error error = readTrace(opened_))
      return std::move(error);
  } else {
    StringRef folder = path::parent_path(opened_), name = path::filename(opened_);
    std::string graph = isGraphFileName(name) ? graphFileIn(folder.empty() ? "." : folder) : "";
    bool isGraph = graph.empty() || name == kGraphBefore;
    if (llvm::Error error = readGraph(folder.empty() ? "." : folder, isGraph ? opened_ : StringRef(graph)))
      return std::move(error);
  }
  for (const std::string &file : std::vector<std::string>(module_.files))
    readLogsAbove(path::parent_path(file));
  giveLogs();
  return write();
}

} // namespace

bool isDebugPath(StringRef opened) {
  if (fs::is_directory(opened)) {
    unsigned otherRuns = 0;
    return !findGraphFolders(opened, otherRuns).empty() || !traceFileIn(opened).empty();
  }
  StringRef folder = path::parent_path(opened);
  if (isGraphFileName(path::filename(opened)) && !graphFileIn(folder.empty() ? "." : folder).empty())
    return true;
  bool isPython = opened.ends_with(".py") || opened.ends_with(".txt");
  return (isPython && startsLikeGraph(opened)) || (opened.ends_with(".log") && startsLikeTrace(opened));
}

llvm::Expected<DebugModule> readDebugPath(StringRef opened) { return FolderReader(opened).read(); }

} // namespace fuselage::inductor
