#include "core/stepping/dumps/DumpText.h"
#include "core/stepping/diff/LineNormalizer.h"
#include <algorithm>
#include <optional>

using llvm::StringRef;

namespace fuselage {
namespace {

/// Takes the first line off `text`, without its line end.
StringRef takeLine(StringRef &text) {
  auto [line, rest] = text.split('\n');
  text = rest;
  return line.rtrim('\r');
}

/// The bytes of a piece's lines; they live as long as `bytes`.
llvm::Expected<StringRef> linesOf(const DumpPiece &piece, std::shared_ptr<const llvm::MemoryBuffer> &bytes) {
  auto opened = piece.file->bytes();
  if (!opened)
    return opened.takeError();
  bytes = std::move(*opened);
  return bytes->getBuffer().slice(piece.range.begin, piece.range.end);
}

/// Lines of IR one by one, aliases and blank lines left out: aliases are compared where they are used.
class LooseLines {
public:
  explicit LooseLines(StringRef text) : text_(text), rest_(text) {}

  /// False at the end.
  bool next() {
    while (!rest_.empty()) {
      line_ = takeLine(rest_);
      if (!line_.trim().empty() && !line_.starts_with("#") && !line_.starts_with("!"))
        return true;
    }
    return false;
  }
  StringRef line() const { return line_.ltrim(' '); }
  /// The line as LineNormalizer has it; the text's aliases are looked up once a line may name one.
  StringRef normal() {
    normal_.clear();
    if (line_.contains('#') && !names_)
      names_.emplace(text_);
    (names_ ? *names_ : noNames_).append(line_, normal_);
    return normal_;
  }

private:
  StringRef text_, rest_, line_;
  std::optional<LineNormalizer> names_;
  LineNormalizer noNames_{""};
  std::string normal_;
};

} // namespace

std::string DumpText::path() const {
  if (pieces_.empty())
    return "";
  const std::string &path = pieces_.front().file->path();
  return composed_ ? path + " (composed)" : path;
}

llvm::Expected<std::string> DumpText::shown() const {
  std::string text;
  for (const DumpPiece &piece : pieces_) {
    std::shared_ptr<const llvm::MemoryBuffer> bytes;
    auto lines = linesOf(piece, bytes);
    if (!lines)
      return lines.takeError();
    for (StringRef rest = *lines; !rest.empty();) {
      StringRef line = takeLine(rest).drop_front(piece.strip);
      if (!line.empty())
        text.append(piece.indent, ' ');
      text += line;
      text += '\n';
    }
  }
  return text;
}

llvm::Expected<std::string> DumpText::placed() const {
  if (composed_)
    return shown();
  std::string text;
  unsigned line = 1;
  for (const DumpPiece &piece : pieces_) {
    std::shared_ptr<const llvm::MemoryBuffer> bytes;
    auto lines = linesOf(piece, bytes);
    if (!lines)
      return lines.takeError();
    text.append(piece.range.firstLine - line, '\n');
    text += *lines;
    line = piece.range.firstLine + piece.range.lines;
    if (text.empty() || text.back() != '\n')
      text += '\n';
  }
  return text;
}

std::optional<unsigned> DumpText::shownLine(unsigned line) const {
  if (composed_)
    return line > 0 ? std::optional(line - 1) : std::nullopt;
  unsigned before = 0;
  for (const DumpPiece &piece : pieces_) {
    const DumpRange &range = piece.range;
    if (line >= range.firstLine && line < range.firstLine + range.lines)
      return before + line - range.firstLine;
    before += range.lines;
  }
  return std::nullopt;
}

bool looselyEqual(StringRef a, StringRef b) {
  LooseLines left(a), right(b);
  while (true) {
    bool more = left.next();
    if (more != right.next())
      return false;
    if (!more)
      return true;
    // Most lines are equal letter by letter; an alias may still stand for something else.
    bool same = left.line() == right.line() && !left.line().contains('#');
    if (!same && left.normal() != right.normal())
      return false;
  }
}

} // namespace fuselage
