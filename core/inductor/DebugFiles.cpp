#include "core/inductor/DebugFiles.h"
#include "core/inductor/FusionLog.h"
#include "core/inductor/FxGraph.h"
#include "core/inductor/TraceArtifacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace fuselage::inductor {

static constexpr uint64_t kMostBytes = uint64_t(64) << 20;
static constexpr unsigned kMostEntries = 10'000, kMostLevels = 4;

bool isGraphFileName(StringRef name) {
  static constexpr StringRef known[] = {kGraphAfterPasses,   kGraphBefore,         kRunnable,       kMappings,
                                        "ir_pre_fusion.txt", "ir_post_fusion.txt", "output_code.py"};
  return llvm::is_contained(known, name);
}

static std::unique_ptr<llvm::MemoryBuffer> load(const std::string &file, bool followLinks) {
  fs::file_status status;
  if (fs::status(file, status, followLinks) || status.type() != fs::file_type::regular_file ||
      status.getSize() > kMostBytes)
    return nullptr;
  // Volatile: read it now rather than map it, so that a file that shrinks meanwhile cannot hurt.
  auto buffer = llvm::MemoryBuffer::getFileSlice(file, status.getSize(), /*Offset=*/0, /*IsVolatile=*/true);
  return buffer ? std::move(*buffer) : nullptr;
}

std::unique_ptr<llvm::MemoryBuffer> loadFile(StringRef folder, StringRef name) {
  llvm::SmallString<256> file(folder);
  path::append(file, name);
  return load(file.str().str(), /*followLinks=*/false);
}

std::unique_ptr<llvm::MemoryBuffer> loadNamedFile(StringRef path) { return load(path.str(), /*followLinks=*/true); }

std::string graphFileIn(StringRef folder) {
  for (StringRef name : {kGraphAfterPasses, kGraphBefore}) {
    llvm::SmallString<256> file(folder);
    path::append(file, name);
    fs::file_status status;
    if (!fs::status(file, status, /*follow=*/false) && status.type() == fs::file_type::regular_file)
      return file.str().str();
  }
  return "";
}

/// What stands in a folder; links to folders are none.
static std::vector<std::string> listFolder(StringRef folder, bool wantsFolders) {
  std::vector<std::string> found;
  std::error_code problem;
  unsigned entries = 0;
  for (fs::directory_iterator at(folder, problem, /*follow_symlinks=*/false), end; at != end && !problem;
       at.increment(problem)) {
    if (++entries > kMostEntries)
      break;
    fs::file_status status;
    auto wanted = wantsFolders ? fs::file_type::directory_file : fs::file_type::regular_file;
    if (!fs::status(at->path(), status, /*follow=*/false) && status.type() == wanted)
      found.push_back(at->path());
  }
  // "model__2" before "model__10".
  llvm::sort(found, [](StringRef a, StringRef b) {
    int order = path::filename(a).compare_numeric(path::filename(b));
    return order != 0 ? order < 0 : a < b;
  });
  return found;
}

/// The first lines of a regular file; null: it cannot be read.
static std::unique_ptr<llvm::MemoryBuffer> loadStart(StringRef file) {
  constexpr uint64_t looked = 64 << 10;
  fs::file_status status;
  if (fs::status(file, status) || status.type() != fs::file_type::regular_file)
    return nullptr;
  auto start = llvm::MemoryBuffer::getFileSlice(file, std::min(looked, status.getSize()), /*Offset=*/0,
                                                /*IsVolatile=*/true);
  return start ? std::move(*start) : nullptr;
}

bool startsLikeTrace(StringRef file) {
  auto start = loadStart(file);
  return start && isTorchTrace(start->getBuffer());
}

bool startsLikeGraph(StringRef file) {
  auto start = loadStart(file);
  return start && isFxGraph(start->getBuffer());
}

std::string traceFileIn(StringRef folder) {
  llvm::SmallString<256> inner(folder);
  path::append(inner, "tlparse");
  std::string found;
  for (StringRef place : {folder, StringRef(inner)})
    for (const std::string &file : listFolder(place, /*wantsFolders=*/false)) {
      StringRef name = path::filename(file);
      bool isNamed = name == "raw.log" || (name.starts_with("dedicated_log_torch_trace") && name.ends_with(".log"));
      if (isNamed && startsLikeTrace(file))
        found = file;
    }
  return found;
}

static bool isRun(StringRef folder) { return path::filename(folder).starts_with("run_"); }

/// Whether torch calls a folder around graphs so. Others are not searched: the folder may be somebody's home.
static bool isTorchs(StringRef folder) {
  StringRef name = path::filename(folder);
  return name == "torch_compile_debug" || name == "torchinductor";
}

static void addGraphFolders(StringRef folder, unsigned level, unsigned &otherRuns, std::vector<std::string> &found) {
  constexpr size_t mostGraphs = 256;
  if (found.size() >= mostGraphs)
    return;
  if (!graphFileIn(folder).empty()) {
    found.push_back(folder.str());
    return;
  }
  if (level == 0)
    return;
  std::vector<std::string> inner = listFolder(folder, /*wantsFolders=*/true);
  // The last run that compiled something.
  for (const std::string &run : llvm::reverse(inner)) {
    if (!isRun(run))
      continue;
    if (found.empty())
      addGraphFolders(run, level - 1, otherRuns, found);
    else
      ++otherRuns;
  }
  for (const std::string &other : inner)
    if (!isRun(other) && (isTorchs(other) || !graphFileIn(other).empty()))
      addGraphFolders(other, level - 1, otherRuns, found);
}

std::vector<std::string> findGraphFolders(StringRef path, unsigned &otherRuns) {
  std::vector<std::string> found;
  otherRuns = 0;
  addGraphFolders(path, kMostLevels, otherRuns, found);
  return found;
}

std::vector<std::unique_ptr<llvm::MemoryBuffer>> findFusionLogs(StringRef folder) {
  constexpr size_t mostLogs = 16;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> logs;
  for (const std::string &file : listFolder(folder, /*wantsFolders=*/false)) {
    StringRef name = path::filename(file);
    bool isText = name.ends_with(".txt") || name.ends_with(".log");
    if (!isText || isGraphFileName(name) || logs.size() >= mostLogs)
      continue;
    if (auto buffer = loadFile(folder, name); buffer && hasFusionLines(buffer->getBuffer()))
      logs.push_back(std::move(buffer));
  }
  return logs;
}

} // namespace fuselage::inductor
