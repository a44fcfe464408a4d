#include "core/ir/module/Diagnostics.h"
#include "core/dialects/tolerant/TolerantDialect.h"
#include "core/ir/module/ConvertDiagnostic.h"
#include "core/ir/source/SourceText.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace fuselage {

SourcePosition positionOf(Location loc) {
  auto position = loc->findInstanceOf<FileLineColRange>();
  if (!position)
    return {};
  return {position.getFilename().str(), position.getStartLine(), position.getStartColumn()};
}

SourcePosition positionOf(Operation *op) {
  SourcePosition position = positionOf(op->getLoc());
  for (Operation *around = op->getParentOp(); position.line == 0 && around; around = around->getParentOp()) {
    if (around->hasTrait<OpTrait::SymbolTable>())
      break;
    position = positionOf(around->getLoc());
  }
  return position;
}

std::string formatPosition(const SourcePosition &position) {
  if (position.line == 0)
    return "";
  return position.file + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

static Diagnostic::Severity convertSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return Diagnostic::Severity::Error;
  case DiagnosticSeverity::Warning:
    return Diagnostic::Severity::Warning;
  case DiagnosticSeverity::Remark:
    return Diagnostic::Severity::Remark;
  case DiagnosticSeverity::Note:
    return Diagnostic::Severity::Note;
  }
  return Diagnostic::Severity::Error;
}

/// A message may quote a name of many megabytes.
static std::string clipMessage(std::string message) {
  constexpr size_t maxLength = 4000;
  if (message.size() <= maxLength)
    return message;
  return message.substr(0, maxLength / 2) + " ... " + message.substr(message.size() - maxLength / 2);
}

Diagnostic convertDiagnostic(const mlir::Diagnostic &diagnostic) {
  SourcePosition position = positionOf(diagnostic.getLocation());
  Diagnostic result{.severity = convertSeverity(diagnostic.getSeverity()),
                    .message = withWrittenNames(*diagnostic.getLocation().getContext(), clipMessage(diagnostic.str())),
                    .file = std::move(position.file),
                    .line = position.line,
                    .column = position.column};
  for (const mlir::Diagnostic &note : diagnostic.getNotes())
    result.notes.push_back(convertDiagnostic(note));
  return result;
}

struct DiagnosticCapture::State {
  explicit State(MLIRContext &context)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          sawError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
          if (diagnostics.size() < maxKept)
            diagnostics.push_back(convertDiagnostic(diagnostic));
          return success();
        }) {}
  /// A damaged file can have one for each of its lines.
  static constexpr size_t maxKept = 20000;
  std::vector<Diagnostic> diagnostics;
  bool sawError = false;
  ScopedDiagnosticHandler handler;
};

DiagnosticCapture::DiagnosticCapture(MLIRContext &context) : state_(std::make_unique<State>(context)) {}
DiagnosticCapture::~DiagnosticCapture() = default;
std::vector<Diagnostic> DiagnosticCapture::take() { return std::exchange(state_->diagnostics, {}); }
bool DiagnosticCapture::sawError() const { return state_->sawError; }

/// A window of a long line around the caret, as two lines of text: source and caret.
static std::string drawCaret(llvm::StringRef line, unsigned column) {
  constexpr size_t maxWidth = 160, lead = 100;
  size_t caret = std::min<size_t>(column - 1, line.size());
  std::string source, marker;
  size_t begin = 0;
  if (line.size() > maxWidth && caret > lead) {
    begin = caret - lead;
    source = "...";
    marker = "   ";
  }
  llvm::StringRef shown = line.substr(begin, maxWidth);
  for (char c : shown)
    source += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? ' ' : c;
  if (begin + shown.size() < line.size())
    source += "...";
  for (char c : shown.take_front(caret - begin)) {
    // Tabs stay tabs; a multi-byte UTF-8 character takes one column.
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80)
      marker += c == '\t' ? '\t' : ' ';
  }
  return source + '\n' + marker + '^';
}

/// The diagnostic's source line, from the file if need be.
static std::string findSourceLine(const Diagnostic &diagnostic) {
  if (!diagnostic.sourceLine.empty())
    return diagnostic.sourceLine;
  if (diagnostic.file.empty() || !diagnostic.line || !diagnostic.column)
    return "";
  return quoteLine(diagnostic.file, diagnostic.line);
}

std::string formatWithCaret(const Diagnostic &diagnostic) {
  Diagnostic head = diagnostic;
  head.notes.clear();
  std::string text = formatDiagnostic(head);
  std::string line = findSourceLine(diagnostic);
  if (!line.empty() && diagnostic.column)
    text += '\n' + drawCaret(line, diagnostic.column);
  for (const Diagnostic &note : diagnostic.notes)
    text += '\n' + formatWithCaret(note);
  return text;
}

bool printDiagnostics(llvm::ArrayRef<Diagnostic> diagnostics, llvm::StringRef program) {
  constexpr size_t maxPrinted = 200; // nobody reads more, and a damaged file can have 100,000
  std::vector<const Diagnostic *> order;
  for (const Diagnostic &diagnostic : diagnostics)
    order.push_back(&diagnostic);
  llvm::stable_sort(order, [](const Diagnostic *a, const Diagnostic *b) {
    return a->severity == Diagnostic::Severity::Error && b->severity != a->severity;
  });
  for (const Diagnostic *diagnostic : llvm::ArrayRef(order).take_front(maxPrinted))
    llvm::errs() << formatWithCaret(*diagnostic) << '\n';
  if (diagnostics.size() > maxPrinted)
    llvm::errs() << program << ": " << diagnostics.size() - maxPrinted << " more diagnostics are not shown\n";
  return llvm::any_of(diagnostics,
                      [](const Diagnostic &diagnostic) { return diagnostic.severity == Diagnostic::Severity::Error; });
}

} // namespace fuselage
