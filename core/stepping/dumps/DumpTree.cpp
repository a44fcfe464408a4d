// Directories of dumps.
#include "core/stepping/dumps/DumpLog.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace fuselage {
namespace {

/// Beyond so many, a folder is somebody's whole disk.
constexpr size_t kMostEntries = 200'000;

/// A file of a tree. --mlir-print-ir-tree-dir names files `0_1_canonicalize.mlir`: one number for each
/// op around the pass's op and one for that op, each counting what had run on it by then. Compared
/// number by number, a shorter row first, they give the order of the passes: a pass on a module comes
/// before the ones that ran on its functions after it. Functions beside each other run in parallel;
/// they are ordered by their path.
struct TreeFile {
  std::vector<uint64_t> numbers;
  std::string pass; ///< the file's name without numbers and ending
  std::string path;

  bool operator<(const TreeFile &other) const {
    if (numbers != other.numbers)
      return numbers < other.numbers;
    return path < other.path;
  }
};

/// Whether a file may hold IR as text.
bool isIrFile(StringRef path) {
  StringRef ending = llvm::sys::path::extension(path);
  return ending == ".mlir" || ending == ".ll" || ending == ".log" || ending == ".txt";
}

/// "0_1_canonicalize" -> {0, 1}, "canonicalize"; "model.3.flow" -> {3}, "flow"; a name without numbers
/// comes after all that have some.
TreeFile readName(StringRef path) {
  TreeFile file;
  file.path = path.str();
  StringRef name = llvm::sys::path::stem(path);
  StringRef rest = name;
  while (!rest.empty() && llvm::isDigit(rest.front())) {
    StringRef digits = rest.take_while(llvm::isDigit);
    StringRef behind = rest.drop_front(digits.size());
    uint64_t number;
    if (digits.getAsInteger(10, number) ||
        (!behind.empty() && StringRef("_-. ").find(behind.front()) == StringRef::npos))
      break;
    file.numbers.push_back(number);
    rest = behind.empty() ? behind : behind.drop_front();
  }
  if (file.numbers.empty()) {
    // Phases of a compilation: "model.3.flow.mlir".
    for (auto [first, behind] = name.split('.'); !behind.empty(); std::tie(first, behind) = behind.split('.')) {
      auto [number, phase] = behind.split('.');
      uint64_t value;
      if (number.getAsInteger(10, value))
        continue;
      file.numbers.push_back(value);
      rest = phase;
      break;
    }
  }
  if (file.numbers.empty())
    file.numbers.push_back(UINT64_MAX);
  file.pass = rest.empty() ? name.str() : rest.str();
  return file;
}

} // namespace

llvm::Error DumpIndexer::addDirectory(StringRef path) {
  std::vector<TreeFile> files;
  std::error_code problem;
  namespace fs = llvm::sys::fs;
  // A link to a folder may lead anywhere, and is not followed.
  size_t seen = 0;
  for (fs::recursive_directory_iterator at(path, problem, /*follow_symlinks=*/false), end; at != end && !problem;
       at.increment(problem)) {
    if (++seen > kMostEntries)
      return fail("'" + path.str() + "' holds more than " + std::to_string(kMostEntries) +
                  " files and folders; name the folder that the dumps are in");
    if (cancelled_ && cancelled_())
      return fail("opening '" + path.str() + "' was cancelled");
    if (isIrFile(at->path()) && fs::is_regular_file(at->path()))
      files.push_back(readName(at->path()));
  }
  if (problem)
    return fail("cannot list '" + path.str() + "': " + problem.message());
  llvm::sort(files);
  for (const TreeFile &tree : files) {
    if (cancelled_ && cancelled_())
      return fail("opening '" + path.str() + "' was cancelled");
    auto file = std::make_shared<DumpFile>(tree.path, DumpFile::Keep::WhileUsed);
    auto bytes = file->bytes();
    if (!bytes)
      return bytes.takeError();
    addFile(std::move(file), (*bytes)->getBuffer(), tree.pass);
  }
  return llvm::Error::success();
}

} // namespace fuselage
