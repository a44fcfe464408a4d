#include "core/stepping/dumps/DumpLog.h"
#include "core/blobs/ScratchFile.h"
#include "core/inductor/DebugFolder.h"
#include "core/ir/source/SourceText.h"
#include "core/support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cstring>

using llvm::StringRef;

namespace fuselage {

llvm::Expected<std::shared_ptr<const llvm::MemoryBuffer>> DumpFile::bytes() const {
  std::shared_ptr<llvm::MemoryBuffer> buffer = kept_ ? kept_ : shared_.lock();
  if (!isFile_)
    return buffer;
  uint64_t now = 0;
  std::error_code problem = llvm::sys::fs::file_size(path_, now);
  if (!problem && buffer && now >= buffer->getBufferSize())
    return buffer;
  if (!problem && size_ && now < size_)
    return fail("'" + path_ + "' is shorter than it was when it was opened; open it again",
                {{.message = "the file has shrunk since it was opened; open it again", .file = path_}});
  if (!problem) {
    auto opened = llvm::MemoryBuffer::getFile(path_, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    problem = opened.getError();
    if (!problem)
      buffer = std::move(*opened);
  }
  if (problem)
    return fail("cannot read '" + shortPath(path_) + "': " + problem.message(),
                {{.message = "cannot read the file: " + problem.message(), .file = path_}});
  allowQuoting(path_);
  size_ = std::max<uint64_t>(size_, buffer->getBufferSize());
  shared_ = buffer;
  if (keep_ == Keep::Mapped)
    kept_ = buffer;
  return buffer;
}

void DumpFile::forgetPages() const {
  // MemoryBuffer::dontNeedIfMmap() asks posix_madvise(), which does nothing in glibc.
  std::shared_ptr<llvm::MemoryBuffer> buffer = kept_ ? kept_ : shared_.lock();
  if (buffer && buffer->getBufferKind() == llvm::MemoryBuffer::MemoryBuffer_MMap)
    fuselage::forgetPages({buffer->getBufferStart(), buffer->getBufferSize()});
}

void DumpLog::countRead(uint64_t bytes) {
  constexpr uint64_t mostInMemory = 32 << 20;
  readBytes_ += bytes;
  if (readBytes_ < mostInMemory)
    return;
  readBytes_ = 0;
  for (const std::shared_ptr<DumpFile> &file : files_)
    file->forgetPages();
}

DumpFile::DumpFile(std::unique_ptr<llvm::MemoryBuffer> text)
    : path_(text->getBufferIdentifier().str()), isFile_(false), kept_(std::move(text)) {}

/// Newlines in a text.
static uint32_t countLines(StringRef text) { return std::count(text.begin(), text.end(), '\n'); }

std::shared_ptr<const DumpShape> DumpIndexer::shapeOf(StringRef body) {
  auto &known = known_[{llvm::xxh3_64bits(body), body.size()}];
  if (!known)
    known = std::make_shared<const DumpShape>(scanDump(body, *log_.names_));
  return known;
}

void DumpIndexer::addDump(const DumpHeader &header, StringRef text, DumpRange body, unsigned headerLine) {
  DumpEntry entry;
  entry.side = header.side;
  entry.failed = header.failed;
  entry.omitted = header.omitted;
  entry.pass = header.pass.str();
  entry.argument = header.argument.str();
  entry.options = header.options.str();
  entry.file = log_.files_.size() - 1;
  entry.headerLine = headerLine;
  entry.shape = shapeOf(text.slice(body.begin, body.end));
  const DumpRange &ir = entry.shape->ir;
  entry.ir = {.begin = body.begin + ir.begin,
              .end = body.begin + ir.end,
              .firstLine = body.firstLine + ir.firstLine,
              .lines = ir.lines};
  StringRef top = log_.names_->nameOf(entry.shape->op), symbol = log_.names_->nameOf(entry.shape->symbol);
  entry.op = (header.op.empty() ? top : header.op).str();
  entry.symbol = (header.op.empty() && header.symbol.empty() ? symbol : header.symbol).str();
  entry.wholeModule = !header.op.empty() && (header.op != top || header.symbol != symbol);
  uint32_t endLine = entry.ir.firstLine + entry.ir.lines;
  entry.notes = {.begin = entry.ir.end, .end = body.end, .firstLine = endLine, .lines = body.lines};
  log_.entries_.push_back(std::move(entry));
}

bool DumpIndexer::addLog(std::shared_ptr<DumpFile> file, StringRef text, bool isGrowing) {
  log_.files_.push_back(std::move(file));
  std::optional<DumpHeader> open;
  unsigned openLine = 0;
  DumpRange body{.begin = 0, .end = 0, .firstLine = 1, .lines = 0};
  uint32_t line = 1;
  size_t counted = 0; // newlines before it are in `line`
  auto close = [&](size_t end) {
    body.end = end;
    if (open)
      addDump(*open, text, body, openLine);
    else if (log_.entries_.empty())
      log_.preface_ = body;
    open.reset();
    log_.countRead(body.end - body.begin);
  };
  for (size_t at = 0; at < text.size();) {
    const void *found = memmem(text.data() + at, text.size() - at, kDumpPhrase.data(), kDumpPhrase.size());
    if (!found)
      break;
    at = static_cast<const char *>(found) - text.data();
    // A header's line may have begun with something else that was printed without a line break.
    size_t lineStart = text.take_front(at).rfind('\n') + 1;
    size_t lineEnd = std::min(text.find('\n', at), text.size());
    std::optional<DumpHeader> header = parseDumpHeader(text.slice(lineStart, lineEnd).rtrim('\r'));
    at = lineEnd;
    if (!header)
      continue;
    line += countLines(text.slice(counted, lineStart));
    counted = lineStart;
    close(lineStart);
    if (cancelled_ && cancelled_())
      return false;
    if (!header->ends) {
      open = header;
      openLine = line;
    }
    body.begin = std::min(lineEnd + 1, text.size());
    body.firstLine = line + 1;
  }
  if (!isGrowing)
    close(text.size());
  return true;
}

void DumpIndexer::addFile(std::shared_ptr<DumpFile> file, StringRef text, StringRef name) {
  size_t before = log_.entries_.size();
  if (isDumpLog(text)) {
    addLog(std::move(file), text);
    if (log_.entries_.size() > before)
      return;
  } else {
    log_.files_.push_back(std::move(file));
  }
  DumpHeader header;
  header.pass = header.argument = name;
  addDump(header, text, {.begin = 0, .end = text.size(), .firstLine = 1, .lines = 0}, 1);
}

/// Whether a file has the phrase of a header anywhere. Read piece by piece: most files are modules, and the pages of a
/// large one that is mapped would all count as memory of this process.
static bool hasDumpPhrase(StringRef path) {
  llvm::Expected<llvm::sys::fs::file_t> file = llvm::sys::fs::openNativeFileForRead(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return false;
  }
  constexpr size_t overlap = kDumpPhrase.size() - 1;
  std::vector<char> buffer((1 << 20) + overlap);
  bool isFound = false;
  for (size_t kept = 0; !isFound;) {
    llvm::Expected<size_t> count = llvm::sys::fs::readNativeFile(*file, llvm::MutableArrayRef(buffer).drop_front(kept));
    if (!count)
      llvm::consumeError(count.takeError());
    if (!count || *count == 0)
      break;
    size_t size = kept + *count;
    isFound = memmem(buffer.data(), size, kDumpPhrase.data(), kDumpPhrase.size());
    kept = std::min(size, overlap);
    std::copy(buffer.begin() + size - kept, buffer.begin() + size, buffer.begin());
  }
  llvm::sys::fs::closeFile(*file);
  return isFound;
}

bool DumpLog::isDump(StringRef path) {
  if (llvm::sys::fs::is_directory(path))
    return !inductor::isDebugPath(path);
  if (isStream(path) || !hasDumpPhrase(path))
    return false; // a stream can be read only once
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer && isDumpLog((*buffer)->getBuffer());
}

llvm::Error DumpLog::addLog(std::shared_ptr<DumpFile> file, const Cancelled &cancelled) {
  path_ = file->path();
  auto bytes = file->bytes();
  if (!bytes)
    return bytes.takeError();
  if (!DumpIndexer(*this, cancelled).addLog(file, (*bytes)->getBuffer()))
    return fail("opening '" + path_ + "' was cancelled");
  return checkNotEmpty();
}

llvm::Error DumpLog::checkNotEmpty() const {
  if (!entries_.empty())
    return llvm::Error::success();
  return fail("there is no dump in '" + path_ +
                  "'; print some with --mlir-print-ir-after-all, or with --mlir-print-ir-tree-dir",
              {{.message = "there is no dump in it: no line begins with '// -----// IR Dump'", .file = path_}});
}

llvm::Expected<DumpLog> DumpLog::index(std::unique_ptr<llvm::MemoryBuffer> text, const Cancelled &cancelled) {
  DumpLog log;
  if (llvm::Error error = log.addLog(std::make_shared<DumpFile>(std::move(text)), cancelled))
    return error;
  return log;
}

llvm::Expected<DumpLog> DumpLog::openGrowing(StringRef path, const Cancelled &cancelled) {
  DumpLog log;
  log.path_ = path.str();
  auto file = std::make_shared<DumpFile>(path.str(), DumpFile::Keep::Mapped);
  auto bytes = file->bytes();
  if (!bytes)
    return bytes.takeError();
  if (!DumpIndexer(log, cancelled).addLog(file, (*bytes)->getBuffer(), /*isGrowing=*/true))
    return fail("reading '" + path.str() + "' was cancelled");
  return log;
}

llvm::Expected<DumpLog> DumpLog::open(StringRef path, const Cancelled &cancelled) {
  DumpLog log;
  if (!llvm::sys::fs::is_directory(path)) {
    if (llvm::Error error = log.addLog(std::make_shared<DumpFile>(path.str(), DumpFile::Keep::Mapped), cancelled))
      return error;
    return log;
  }
  log.path_ = path.str();
  if (llvm::Error error = DumpIndexer(log, cancelled).addDirectory(path))
    return error;
  if (llvm::Error error = log.checkNotEmpty())
    return error;
  return log;
}

} // namespace fuselage
