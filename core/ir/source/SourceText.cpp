#include "core/ir/source/SourceText.h"
#include "core/inductor/DebugFolder.h"
#include "core/support/Paths.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include <array>
#include <mutex>

using namespace llvm;

namespace fuselage {

/// A diagnostic at byte `offset` of the text.
static Diagnostic problemAt(StringRef text, size_t offset, std::string message) {
  StringRef before = text.take_front(offset);
  size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
  StringRef line = text.substr(lineStart);
  return {.message = std::move(message),
          .line = static_cast<unsigned>(before.count('\n')) + 1,
          .column = static_cast<unsigned>(offset - lineStart) + 1,
          .sourceLine = quotable(line.take_until([](char c) { return c == '\n'; }))};
}

/// The offset after a string literal that starts at `offset`; strings end with their line.
static size_t skipString(StringRef text, size_t offset) {
  for (++offset; offset < text.size() && text[offset] != '\n'; ++offset) {
    if (text[offset] == '"')
      return offset + 1;
    if (text[offset] == '\\')
      ++offset;
  }
  return std::min(offset, text.size());
}

namespace {
/// Open brackets. A closing one also closes what stands unclosed inside of it, so that a stray '<'
/// (a comparison, say) does not add up.
class BracketStack {
public:
  void open(char bracket) {
    stack_.push_back(bracket);
    ++counts_[static_cast<unsigned char>(bracket)];
  }
  void close(char opening) {
    if (counts_[static_cast<unsigned char>(opening)] == 0)
      return;
    char last;
    do {
      last = stack_.pop_back_val();
      --counts_[static_cast<unsigned char>(last)];
    } while (last != opening);
  }
  size_t depth() const { return stack_.size(); }

private:
  SmallVector<char, 128> stack_;
  std::array<unsigned, 256> counts_{};
};
} // namespace

/// The offset of the bracket that nests deeper than kMaxNesting.
static std::optional<size_t> findDeepNesting(StringRef text) {
  BracketStack brackets;
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
    case '"':
      i = skipString(text, i) - 1;
      break;
    case '/':
      if (text.substr(i).starts_with("//"))
        i = std::min(text.find('\n', i), text.size()) - 1;
      break;
    case '(':
    case '[':
    case '{':
    case '<':
      brackets.open(text[i]);
      if (brackets.depth() > kMaxNesting)
        return i;
      break;
    case ')':
      brackets.close('(');
      break;
    case ']':
      brackets.close('[');
      break;
    case '}':
      brackets.close('{');
      break;
    case '>':
      if (i == 0 || text[i - 1] != '-')
        brackets.close('<');
      break;
    default:
      break;
    }
  }
  return std::nullopt;
}

std::optional<Diagnostic> findEncodingProblem(StringRef text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    return problemAt(text, 0, "this is UTF-16 text; save it as UTF-8");
  if (size_t nul = text.find('\0'); nul != StringRef::npos)
    return problemAt(text, nul,
                     "unexpected NUL byte; this is neither MLIR text nor MLIR bytecode (which "
                     "starts with 'ML\\xEFR')");
  return std::nullopt;
}

std::optional<Diagnostic> findSourceProblem(StringRef text) {
  if (std::optional<Diagnostic> problem = findEncodingProblem(text))
    return problem;
  if (std::optional<size_t> deep = findDeepNesting(text))
    return problemAt(text, *deep,
                     "brackets nest deeper than " + std::to_string(kMaxNesting) +
                         " here; flatten the regions, types or attributes around this place");
  return std::nullopt;
}

/// Whether a text holds nothing but blanks and comments.
static bool isBlank(StringRef text) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    line = line.trim();
    if (!line.empty() && !line.starts_with("//"))
      return false;
    text = rest;
  }
  return true;
}

std::vector<SourceSplit> splitSource(StringRef text) {
  std::vector<SourceSplit> splits;
  size_t begin = 0;
  unsigned beginLine = 1, lineNumber = 1;
  auto close = [&](size_t end) {
    StringRef part = text.slice(begin, end);
    if (!isBlank(part))
      splits.push_back({part, beginLine});
  };
  for (size_t lineStart = 0; lineStart < text.size(); ++lineNumber) {
    size_t lineEnd = std::min(text.find('\n', lineStart), text.size());
    if (text.slice(lineStart, lineEnd).trim() == "// -----") {
      close(lineStart);
      begin = std::min(lineEnd + 1, text.size());
      beginLine = lineNumber + 1;
    }
    lineStart = lineEnd + 1;
  }
  close(text.size());
  return splits;
}

StringRef lineOf(StringRef text, unsigned number) {
  for (; number > 1 && !text.empty(); --number)
    text = text.split('\n').second;
  return number == 0 ? StringRef() : text.split('\n').first.rtrim('\r');
}

std::string quotable(StringRef line) {
  constexpr size_t maxLength = 16 << 10;
  return line.size() > maxLength ? "" : line.str();
}

bool isStream(StringRef path) {
  sys::fs::file_status status;
  return path == "-" || (!sys::fs::status(path, status) && sys::fs::exists(status) &&
                         !sys::fs::is_regular_file(status) && !sys::fs::is_directory(status));
}

/// The bytes of a descriptor to its end, or to where it is clear that nobody can read them.
static Expected<std::unique_ptr<MemoryBuffer>> readStream(int descriptor, StringRef name) {
  constexpr size_t most = size_t(512) << 20, chunkBytes = size_t(1) << 20;
  SmallVector<char, 0> bytes;
  for (;;) {
    size_t before = bytes.size();
    bytes.resize_for_overwrite(before + chunkBytes);
    Expected<size_t> count =
        sys::fs::readNativeFile(sys::fs::file_t(descriptor), MutableArrayRef(bytes).drop_front(before));
    if (!count)
      return count.takeError();
    bytes.truncate(before + *count);
    StringRef read(bytes.data(), bytes.size());
    bool isUseless = !read.starts_with("ML\xefR") && read.substr(before).contains('\0');
    if (*count == 0 || isUseless)
      return std::make_unique<SmallVectorMemoryBuffer>(std::move(bytes), name);
    if (bytes.size() > most)
      return fail("it has more than 512 MiB and is no regular file; save it to one first");
  }
}

static Expected<std::unique_ptr<MemoryBuffer>> readStreamAt(StringRef path, StringRef name) {
  if (path == "-")
    return readStream(/*descriptor=*/0, name);
  Expected<sys::fs::file_t> file = sys::fs::openNativeFileForRead(path);
  if (!file)
    return file.takeError();
  auto buffer = readStream(*file, name);
  sys::fs::closeFile(*file);
  return buffer;
}

static Expected<std::unique_ptr<MemoryBuffer>> readBytes(StringRef path, StringRef name) {
  if (isStream(path))
    return readStreamAt(path, name);
  // Volatile: read it now rather than map it, so that a file that shrinks meanwhile cannot hurt.
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/true, /*IsVolatile=*/true);
  if (!buffer)
    return errorCodeToError(buffer.getError());
  return std::move(*buffer);
}

/// A module that says what torch.compile left behind.
static llvm::Expected<SourceFile> loadDebugFolder(StringRef path) {
  auto module = inductor::readDebugPath(path);
  if (!module)
    return module.takeError();
  for (const std::string &file : module->files)
    allowQuoting(file);
  SourceFile file{.name = path.str(), .buffer = MemoryBuffer::getMemBufferCopy(module->text, path), .text = {}};
  file.text = file.buffer->getBuffer();
  file.end = file.text.size();
  file.notes = std::move(module->notes);
  return file;
}

llvm::Expected<SourceFile> loadSource(StringRef path) {
  if (!isStream(path) && inductor::isDebugPath(path))
    return loadDebugFolder(path);
  SourceFile file{.name = path == "-" ? "<stdin>" : path.str(), .buffer = nullptr, .text = {}};
  auto buffer = readBytes(path, file.name);
  if (!buffer) {
    std::string why = takeFailure(buffer.takeError()).message;
    return fail("cannot read '" + shortPath(file.name) + "': " + why,
                {{.message = "cannot read the file: " + why, .file = file.name}});
  }
  allowQuoting(path);
  file.buffer = std::move(*buffer);
  file.text = file.buffer->getBuffer();
  file.end = file.text.size();
  file.text.consume_front("\xef\xbb\xbf"); // a UTF-8 byte order mark
  file.begin = file.end - file.text.size();
  return file;
}

llvm::Expected<SourceFile> loadDetached(StringRef path, const BlobLimits &limits) {
  std::optional<DetachedText> detached = isStream(path) ? std::nullopt : readDetached(path, limits);
  if (!detached)
    return loadSource(path);
  allowQuoting(path);
  SourceFile file{.name = path.str(), .buffer = MemoryBuffer::getMemBufferCopy(detached->text, path), .text = {}};
  file.text = file.buffer->getBuffer();
  file.blobs = std::move(detached->blobs);
  file.begin = detached->markBytes;
  file.end = detached->fileBytes;
  return file;
}

/// A line of a text file, piece by piece, as the file may be large and may shrink meanwhile; empty if it is longer than
/// anybody looks at.
static std::string readLine(const std::string &path, unsigned number) {
  constexpr size_t mostBytes = size_t(1) << 20;
  Expected<sys::fs::file_t> file = sys::fs::openNativeFileForRead(path);
  if (!file) {
    consumeError(file.takeError());
    return "";
  }
  std::string line;
  std::vector<char> buffer(mostBytes);
  unsigned at = 1; // the line that comes next, or goes on
  bool isDone = number == 0, isFirst = true;
  while (!isDone) {
    Expected<size_t> count = sys::fs::readNativeFile(*file, buffer);
    if (!count)
      consumeError(count.takeError());
    if (!count || *count == 0)
      break;
    StringRef bytes(buffer.data(), *count);
    isDone = std::exchange(isFirst, false) && bytes.starts_with("ML\xefR");
    while (!bytes.empty() && !isDone) {
      size_t end = bytes.find('\n');
      if (at == number)
        line += bytes.take_front(end);
      isDone = line.size() >= mostBytes || (at == number && end != StringRef::npos);
      at += end != StringRef::npos;
      bytes = bytes.drop_front(end == StringRef::npos ? bytes.size() : end + 1);
    }
  }
  sys::fs::closeFile(*file);
  return line.size() < mostBytes ? StringRef(line).rtrim('\r').str() : "";
}

namespace {
/// What all sessions of the process have opened.
struct QuotableFiles {
  std::mutex mutex;
  llvm::StringSet<> paths;
};
} // namespace

static QuotableFiles &quotableFiles() {
  static QuotableFiles files;
  return files;
}

void allowQuoting(StringRef path) {
  std::lock_guard lock(quotableFiles().mutex);
  quotableFiles().paths.insert(path);
}

std::string quoteLine(const std::string &path, unsigned number) {
  {
    std::lock_guard lock(quotableFiles().mutex);
    if (!quotableFiles().paths.contains(path))
      return "";
  }
  // A pipe would wait for a second writer.
  if (!sys::fs::is_regular_file(path))
    return "";
  return readLine(path, number);
}

} // namespace fuselage
