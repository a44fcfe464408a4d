#include "core/ir/SourceText.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <array>

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

/// The offset behind a string literal that starts at `offset`; strings end with their line.
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

llvm::Expected<SourceFile> loadSource(StringRef path) {
  // Volatile: read it now rather than map it, so that a file that shrinks meanwhile cannot hurt.
  auto buffer = path == "-" ? MemoryBuffer::getSTDIN()
                            : MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/true,
                                                    /*IsVolatile=*/true);
  SourceFile file{.name = path == "-" ? "<stdin>" : path.str(), .buffer = nullptr, .text = {}};
  if (!buffer)
    return fail("cannot read '" + file.name + "': " + buffer.getError().message(),
                {{.message = "cannot read the file: " + buffer.getError().message(), .file = file.name}});
  file.buffer = std::move(*buffer);
  file.text = file.buffer->getBuffer();
  file.text.consume_front("\xef\xbb\xbf"); // a UTF-8 byte order mark
  return file;
}

} // namespace fuselage
