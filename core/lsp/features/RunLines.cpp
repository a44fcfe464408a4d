// RUN lines: their passes as a lens, and what these do as a hover.
#include "core/lsp/text/RunLines.h"
#include "core/lsp/features/Features.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage::lsp {

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

/// "run canonicalize,cse", and what is left out.
static std::string titleOf(const RunLine &run) {
  constexpr size_t most = 80;
  std::string title = "run " + run.pipeline.substr(0, most) + (run.pipeline.size() > most ? ".." : "");
  return run.unknown.empty() ? title : title + " (without " + llvm::join(run.unknown, ", ") + ")";
}

void appendRunLenses(const OpenDocument &document, Array &lenses) {
  for (const RunLine &run : findRunLines(document.text))
    lenses.push_back(
        Object{{"range", document.text.rangeOf(document.text.bytesOfLine(run.first))},
               {"command", commandObject(titleOf(run), "fuselage.step", Array{document.uri, run.pipeline})}});
}

static StringRef descriptionOf(StringRef name) {
  if (const mlir::PassInfo *pass = mlir::PassInfo::lookup(name))
    return pass->getPassDescription();
  const mlir::PassPipelineInfo *pipeline = mlir::PassPipelineInfo::lookup(name);
  return pipeline ? pipeline->getPassDescription() : StringRef();
}

std::optional<Value> hoverOfRunLine(const OpenDocument &document, Position position) {
  if (!document.text.line(position.line).ltrim().starts_with("//"))
    return std::nullopt; // most hovers are on ops
  std::string text;
  Range range;
  for (const RunLine &run : findRunLines(document.text)) {
    if (position.line < run.first || position.line > run.last)
      continue;
    text += "```\n" + run.pipeline + "\n```\n";
    for (const std::string &pass : run.passes)
      text += "- `" + pass + "`: " + descriptionOf(pass).str() + "\n";
    for (const std::string &unknown : run.unknown)
      text += "- `" + unknown + "` is neither a pass nor an option that is known here\n";
    range =
        document.text.rangeOf({document.text.bytesOfLine(run.first).begin, document.text.bytesOfLine(run.last).end});
  }
  if (text.empty())
    return std::nullopt;
  return Object{{"contents", Object{{"kind", "markdown"}, {"value", llvm::json::fixUTF8(text)}}}, {"range", range}};
}

} // namespace fuselage::lsp
