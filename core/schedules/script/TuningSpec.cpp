#include "core/schedules/script/TuningSpec.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {

using mlir::transform::ForeachMatchOp;
using mlir::transform::NamedSequenceOp;

bool isSpecEntry(NamedSequenceOp sequence) { return sequence->hasAttr("iree_codegen.tuning_spec_entrypoint"); }

static Diagnostic noteAt(mlir::Operation *op, std::string message) {
  SourcePosition place = positionOf(op->getLoc());
  return {.severity = Diagnostic::Severity::Note,
          .message = std::move(message),
          .file = place.file,
          .line = place.line,
          .column = place.column};
}

/// The configurations that a matcher yields, as they are written, cut after some length.
static std::string configurationOf(mlir::Operation *matcher) {
  std::string text;
  llvm::raw_string_ostream os(text);
  matcher->walk(
      [&](mlir::transform::ParamConstantOp constant) { os << (text.empty() ? "" : ", ") << constant.getValue(); });
  constexpr size_t most = 200;
  return text.size() > most ? text.substr(0, most) + ".." : text;
}

std::optional<Diagnostic> describeTuningSpec(mlir::Operation *entry, llvm::StringRef path) {
  auto sequence = mlir::dyn_cast<NamedSequenceOp>(entry);
  if (!sequence || !isSpecEntry(sequence))
    return std::nullopt;
  Diagnostic spec = noteAt(entry, "");
  spec.severity = Diagnostic::Severity::Remark;
  size_t tried = 0;
  entry->walk([&](ForeachMatchOp match) {
    for (auto [matcher, action] : llvm::zip_equal(match.getMatchers().getAsRange<mlir::SymbolRefAttr>(),
                                                  match.getActions().getAsRange<mlir::SymbolRefAttr>())) {
      ++tried;
      mlir::Operation *found = mlir::SymbolTable::lookupNearestSymbolFrom(match, matcher);
      std::string configuration = found ? configurationOf(found) : "";
      spec.notes.push_back(
          noteAt(found ? found : match.getOperation(), "what @" + matcher.getLeafReference().str() +
                                                           " matches goes to @" + action.getLeafReference().str() +
                                                           (configuration.empty() ? "" : " with " + configuration)));
    }
  });
  spec.message =
      "this is a tuning spec of IREE: @" + sequence.getSymName().str() + " tries " + std::to_string(tried) +
      (tried == 1 ? " matcher" : " matchers, the first that fits,") +
      " on each op and attaches a configuration that only IREE reads; 'iree-compile --iree-codegen-tuning-spec-path=" +
      path.str() + "' applies it, and here it runs up to the first op that is IREE's alone";
  return spec;
}

} // namespace fuselage
