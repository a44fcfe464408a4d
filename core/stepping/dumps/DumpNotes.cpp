#include "core/stepping/dumps/DumpNotes.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <optional>

using llvm::StringRef;

namespace fuselage {
namespace {

/// What is kept of the lines between two dumps.
constexpr size_t maxDiagnostics = 100, maxLinesOfRemark = 20, maxLineLength = 400;

/// "a.mlir:7:10: error: message", "loc("a.mlir":7:10): error: message", "error: message".
std::optional<Diagnostic> parseDiagnostic(StringRef line) {
  using Severity = Diagnostic::Severity;
  static constexpr std::pair<StringRef, Severity> words[] = {{"error: ", Severity::Error},
                                                             {"warning: ", Severity::Warning},
                                                             {"remark: ", Severity::Remark},
                                                             {"note: ", Severity::Note}};
  for (auto [word, severity] : words) {
    size_t at = line.find(word);
    if (at == StringRef::npos || (at > 0 && !line.take_front(at).ends_with(": ")))
      continue;
    Diagnostic diagnostic;
    diagnostic.severity = severity;
    diagnostic.message = line.substr(at + word.size()).take_front(maxLineLength).str();
    StringRef place = line.take_front(at).rtrim(": ");
    if (place.consume_front("loc("))
      place.consume_back(")");
    auto [rest, column] = place.rsplit(':');
    auto [file, number] = rest.rsplit(':');
    if (number.getAsInteger(10, diagnostic.line) || column.getAsInteger(10, diagnostic.column)) {
      diagnostic.line = diagnostic.column = 0;
      file = place;
    }
    diagnostic.file = file.trim('"').str();
    return diagnostic;
  }
  return std::nullopt;
}

class NoteReader {
public:
  NoteReader(unsigned firstLine, StringRef path) : line_(firstLine), path_(path) {}

  void add(StringRef line) {
    if (line.trim().empty()) {
      endRemark();
      inExcerpt_ = false;
    } else if (std::optional<Diagnostic> diagnostic = parseDiagnostic(line)) {
      addDiagnostic(std::move(*diagnostic));
    } else if (!inExcerpt_) {
      addToRemark(line);
    }
    ++line_;
  }
  std::vector<Diagnostic> take() {
    endRemark();
    return std::move(diagnostics_);
  }

private:
  void addDiagnostic(Diagnostic diagnostic) {
    endRemark();
    // The line that it is about, the caret and an op that was printed follow it.
    inExcerpt_ = true;
    std::vector<Diagnostic> *list = &diagnostics_;
    if (diagnostic.severity == Diagnostic::Severity::Note && !diagnostics_.empty())
      list = &diagnostics_.back().notes;
    if (list->size() < maxDiagnostics)
      list->push_back(std::move(diagnostic));
  }

  void addToRemark(StringRef line) {
    if (remarkLines_ == 0) {
      remark_ = {.severity = Diagnostic::Severity::Remark, .file = path_.str(), .line = line_, .column = 1};
    }
    if (++remarkLines_ > maxLinesOfRemark)
      return;
    remark_.message += remark_.message.empty() ? "" : "\n";
    remark_.message += line.take_front(maxLineLength).str();
  }

  void endRemark() {
    if (remarkLines_ == 0)
      return;
    if (remarkLines_ > maxLinesOfRemark)
      remark_.message += "\n... and " + std::to_string(remarkLines_ - maxLinesOfRemark) + " more lines";
    if (diagnostics_.size() < maxDiagnostics)
      diagnostics_.push_back(std::move(remark_));
    remarkLines_ = 0;
  }

  unsigned line_;
  StringRef path_;
  std::vector<Diagnostic> diagnostics_;
  Diagnostic remark_;
  size_t remarkLines_ = 0;
  bool inExcerpt_ = false;
};

} // namespace

std::vector<Diagnostic> readNotes(StringRef text, unsigned firstLine, StringRef path) {
  constexpr size_t maxText = 1 << 20; // beyond, nobody reads it
  NoteReader reader(firstLine, path);
  for (StringRef rest = text.take_front(maxText); !rest.empty();) {
    auto [line, behind] = rest.split('\n');
    reader.add(line.rtrim('\r'));
    rest = behind;
  }
  return reader.take();
}

} // namespace fuselage
