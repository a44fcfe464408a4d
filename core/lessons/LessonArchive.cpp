#include "core/lessons/LessonArchive.h"
#include "core/support/Confine.h"
#include "core/support/Error.h"
#include "core/support/LazyLibrary.h"
#include "core/support/OutputFile.h"
#include "core/support/TrialRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <archive.h>
#include <archive_entry.h>
#include <vector>

namespace fuselage {
namespace {

#define FUSELAGE_ARCHIVE(use)                                                                                          \
  use(archive_entry_filetype);                                                                                         \
  use(archive_entry_hardlink);                                                                                         \
  use(archive_entry_pathname);                                                                                         \
  use(archive_error_string);                                                                                           \
  use(archive_read_data);                                                                                              \
  use(archive_read_new);                                                                                               \
  use(archive_read_next_header);                                                                                       \
  use(archive_read_open_memory);                                                                                       \
  use(archive_read_support_format_zip);

/// The functions of libarchive that are used here.
struct Archives {
#define FUSELAGE_MEMBER(name) decltype(&::name) name = nullptr
  FUSELAGE_ARCHIVE(FUSELAGE_MEMBER)
#undef FUSELAGE_MEMBER
  bool isThere = true;

  Archives() {
    const LazyLibrary library(FUSELAGE_LIBARCHIVE_SONAME);
#define FUSELAGE_FIND(name) isThere &= library.find(#name, name)
    FUSELAGE_ARCHIVE(FUSELAGE_FIND)
#undef FUSELAGE_FIND
  }
};
#undef FUSELAGE_ARCHIVE

struct Unpacked {
  std::string name, bytes;
};
} // namespace

/// Names that mean the same on every system. False also: it leads out of the folder.
static bool isPlainName(llvm::StringRef name) {
  if (name.empty() || name.size() > 200)
    return false;
  for (llvm::StringRef part : llvm::split(name, '/')) {
    const bool isPlain =
        llvm::all_of(part, [](char c) { return llvm::isAlnum(c) || llvm::StringRef(" ._-").contains(c); });
    if (!isPlain || part.empty() || part.front() == '.' || part.front() == ' ')
      return false;
  }
  return true;
}

/// In the copy. Returns what is wrong; empty: `files` has all.
static std::string readFiles(const Archives &archives, llvm::StringRef zip, std::vector<Unpacked> &files) {
  archive *reader = archives.archive_read_new(); // the copy ends with it
  archives.archive_read_support_format_zip(reader);
  if (archives.archive_read_open_memory(reader, zip.data(), zip.size()) != ARCHIVE_OK)
    return "it is no zip file";
  uint64_t total = 0;
  archive_entry *entry = nullptr;
  for (unsigned entries = 0;; ++entries) {
    const int status = archives.archive_read_next_header(reader, &entry);
    if (status == ARCHIVE_EOF)
      return "";
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
      return "it is no zip file that can be read";
    if (entries == LessonArchiveLimits::mostFiles)
      return "it has more than " + std::to_string(LessonArchiveLimits::mostFiles) + " files";
    const char *written = archives.archive_entry_pathname(entry);
    const llvm::StringRef name = written ? written : "";
    const auto type = archives.archive_entry_filetype(entry);
    if (!isPlainName(type == AE_IFDIR ? name.rtrim('/') : name))
      return "'" + name.str() + "' is no name of a file in a lesson";
    if (type == AE_IFDIR)
      continue;
    if (type != AE_IFREG || archives.archive_entry_hardlink(entry))
      return "'" + name.str() + "' is no ordinary file, but perhaps a link";
    Unpacked file{name.str(), {}};
    std::vector<char> chunk(64 << 10);
    for (la_ssize_t count = 1; count > 0;) {
      count = archives.archive_read_data(reader, chunk.data(), chunk.size());
      if (count < 0)
        return "'" + file.name + "' is encrypted or damaged";
      total += static_cast<uint64_t>(count);
      if (total > LessonArchiveLimits::mostBytes)
        return "its files have more than " + std::to_string(LessonArchiveLimits::mostBytes >> 20) + " MiB";
      file.bytes.append(chunk.data(), static_cast<size_t>(count));
    }
    files.push_back(std::move(file));
  }
}

/// Length and text, as taken by takeText.
static void putText(llvm::raw_ostream &out, llvm::StringRef text) { out << text.size() << ' ' << text; }

/// False: the copy wrote something else.
static bool takeText(llvm::StringRef &from, std::string &text) {
  size_t size = 0;
  if (from.consumeInteger(10, size) || !from.consume_front(" ") || from.size() < size)
    return false;
  text = from.take_front(size).str();
  from = from.drop_front(size);
  return true;
}

static llvm::Expected<std::vector<Unpacked>> readInCopy(llvm::StringRef zip) {
  static const Archives archives; // the copy can load nothing
  if (!archives.isThere)
    return fail("libarchive is missing, which reads zip files: apt install libarchive13");
  const auto work = [&](int pipe) {
    confineToComputing({&pipe, 1});
    std::vector<Unpacked> files;
    const std::string problem = readFiles(archives, zip, files);
    llvm::raw_fd_ostream out(pipe, /*shouldClose=*/false);
    putText(out, problem);
    for (const Unpacked &file : files) {
      putText(out, file.name);
      putText(out, file.bytes);
    }
  };
  auto copy = runForked({.seconds = 10, .bytes = uint64_t(256) << 20}, work);
  if (!copy)
    return fail("no process can be made to read it");
  if (copy->death)
    return fail("reading it " + *copy->death);
  llvm::StringRef rest = copy->output;
  std::string problem;
  std::vector<Unpacked> files;
  bool isWhole = takeText(rest, problem);
  if (isWhole && !problem.empty())
    return fail(problem);
  while (isWhole && !rest.empty()) {
    Unpacked &file = files.emplace_back();
    isWhole = takeText(rest, file.name) && takeText(rest, file.bytes) && isPlainName(file.name);
  }
  if (!isWhole)
    return fail("it is damaged");
  return files;
}

/// "lesson/" where that has the lesson.md; nullopt: there is none, or there are several.
static std::optional<std::string> folderOfLesson(llvm::ArrayRef<Unpacked> files) {
  std::optional<std::string> found;
  for (const Unpacked &file : files)
    if (llvm::sys::path::filename(file.name) == "lesson.md") {
      if (found)
        return std::nullopt;
      found = llvm::StringRef(file.name).drop_back(llvm::StringRef("lesson.md").size()).str();
    }
  return found;
}

static llvm::Error writeFiles(llvm::ArrayRef<Unpacked> files, llvm::StringRef prefix, llvm::StringRef folder) {
  namespace fs = llvm::sys::fs;
  fs::remove_directories(folder);
  for (const Unpacked &file : files) {
    llvm::StringRef name = file.name;
    if (!name.consume_front(prefix))
      continue;
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, name);
    if (std::error_code error = fs::create_directories(llvm::sys::path::parent_path(path)))
      return fail("'" + path.str().str() + "' cannot be written: " + error.message());
    if (llvm::Error error = writeOutputFile(path, file.bytes, Content::Bytes))
      return error;
  }
  return llvm::Error::success();
}

bool isLessonArchive(llvm::StringRef path) { return llvm::sys::path::extension(path).equals_insensitive(".zip"); }

llvm::Error unpackLesson(llvm::StringRef path, llvm::StringRef folder) {
  const auto failed = [&](const std::string &why) { return fail("'" + path.str() + "' is no lesson: " + why); };
  uint64_t size = 0;
  if (std::error_code error = llvm::sys::fs::file_size(path, size))
    return fail("'" + path.str() + "' cannot be read: " + error.message());
  if (size > LessonArchiveLimits::mostBytes)
    return failed("it has more than " + std::to_string(LessonArchiveLimits::mostBytes >> 20) + " MiB");
  auto zip = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!zip)
    return fail("'" + path.str() + "' cannot be read: " + zip.getError().message());
  auto files = readInCopy((*zip)->getBuffer());
  if (!files)
    return failed(takeFailure(files.takeError()).message);
  std::optional<std::string> prefix = folderOfLesson(*files);
  if (!prefix)
    return failed("it has no lesson.md, or more than one");
  return writeFiles(*files, *prefix, folder);
}

} // namespace fuselage
