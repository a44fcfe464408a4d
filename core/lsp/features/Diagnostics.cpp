#include "core/lsp/features/Features.h"
#include "core/text/MlirLexer.h"

namespace fuselage::lsp {

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;

/// As LSP numbers them.
enum class Severity { Error = 1, Warning, Information, Hint };

static Severity severityOf(const message::Diagnostic<> &diagnostic) {
  return diagnostic.severity == "error" ? Severity::Error : Severity::Hint;
}

/// The word at the place of a diagnostic; of a place without one, the rest of the line.
static ByteRange wordAt(const OpenDocument &document, int line, int column) {
  ByteRange bytes = document.text.bytesOfLine(line);
  size_t begin = std::min(bytes.end, bytes.begin + std::max(column, 0));
  StringRef rest = StringRef(document.text.text()).slice(begin, bytes.end);
  if (rest.trim().empty())
    return {begin, bytes.end};
  MlirToken token = nextMlirToken(std::string_view(rest.data(), rest.size()), 0);
  if (token.kind == MlirToken::Kind::Blank)
    token.end = rest.size();
  return {begin, begin + token.end};
}

static Array related(const OpenDocument &document, const message::Diagnostic<> &diagnostic) {
  Array notes;
  for (const message::Diagnostic<> &note : diagnostic.notes) {
    bool isHere = note.line > 0 && note.file == document.path;
    ByteRange bytes = isHere ? wordAt(document, note.line - 1, note.column - 1)
                             : wordAt(document, diagnostic.line - 1, diagnostic.column - 1);
    notes.push_back(Object{{"location", Object{{"uri", document.uri}, {"range", document.text.rangeOf(bytes)}}},
                           {"message", note.message}});
  }
  return notes;
}

Array diagnosticsOf(const OpenDocument &document) {
  Array found;
  if (!document.facts)
    return found;
  for (const message::Diagnostic<> &diagnostic : document.facts->diagnostics) {
    ByteRange bytes = wordAt(document, std::max(diagnostic.line - 1, 0), diagnostic.column - 1);
    Object json{{"range", document.text.rangeOf(bytes)},
                {"severity", static_cast<int>(severityOf(diagnostic))},
                {"source", "fuselage"},
                {"message", diagnostic.message}};
    if (!diagnostic.notes.empty())
      json["relatedInformation"] = related(document, diagnostic);
    found.push_back(std::move(json));
  }
  return found;
}

} // namespace fuselage::lsp
