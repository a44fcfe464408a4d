#include "core/schedules/script/UnknownOps.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/module/NearestOp.h"
#include "core/schedules/ops/ScheduleOps.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "llvm/ADT/MapVector.h"

namespace fuselage {

bool walksThrough(mlir::Operation *op) {
  return mlir::isa<mlir::transform::NamedSequenceOp, mlir::transform::SequenceOp, mlir::transform::ForeachOp,
                   mlir::transform::AlternativesOp, mlir::transform::tune::AlternativesOp>(op);
}

/// What reading said of the op, which the universal parser then read, or first of what stands in it; empty: nothing.
static std::string whyNotRead(mlir::Operation *op, llvm::ArrayRef<Diagnostic> said) {
  mlir::Operation *next = op->getNextNode();
  const unsigned line = positionOf(op).line, end = next ? positionOf(next).line : ~0u;
  const std::string start = "read as another version's '" + displayName(op) + "'";
  const Diagnostic *first = nullptr;
  for (const Diagnostic &diagnostic : said) {
    if (unsigned(diagnostic.line) < line || unsigned(diagnostic.line) > end)
      continue;
    if (llvm::StringRef message = diagnostic.message; message.consume_front(start))
      return message.split(": ").second.str();
    if (!first)
      first = &diagnostic;
  }
  return first && unsigned(first->line) < end ? first->message : "";
}

/// Why the interpreter cannot go on at `op`: it is not known, or what stands in it (`inner`) is not.
static std::string whyStopped(mlir::Operation *op, mlir::Operation *inner, llvm::ArrayRef<Diagnostic> said) {
  const std::string name = displayName(op), unknown = displayName(inner);
  if (inner != op)
    return "MLIR has no '" + unknown + "', which stands in this '" + name + "'";
  if (!mlir::RegisteredOperationName::lookup(name, op->getContext()))
    return "MLIR has no '" + name + "'" + suggestOp(name, *op->getContext());
  std::string why = whyNotRead(op, said);
  return why.empty() ? "MLIR does not know what is in this '" + name + "'" : why;
}

void stopAtUnknown(mlir::Operation *script, llvm::ArrayRef<Diagnostic> said) {
  llvm::MapVector<mlir::Operation *, mlir::Operation *> before; // and the op that is not known
  script->walk([&](mlir::Operation *op) {
    mlir::Operation *around = op->getParentOp();
    if (!around || op->hasTrait<mlir::OpTrait::IsTerminator>())
      return;
    if (walksThrough(around) && !mlir::isa<mlir::transform::TransformOpInterface>(op))
      before.insert({op, op});
    if (mlir::isa<mlir::transform::ApplyPatternsOp>(around) &&
        !mlir::isa<mlir::transform::PatternDescriptorOpInterface>(op))
      before.insert({around, op});
    if (mlir::isa<mlir::transform::ApplyConversionPatternsOp>(around) &&
        !mlir::isa<mlir::transform::ConversionPatternDescriptorOpInterface,
                   mlir::transform::TypeConverterBuilderOpInterface>(op))
      before.insert({around, op});
  });
  for (auto [op, inner] : before) {
    if (mlir::isa_and_nonnull<mlir::transform::StopOp>(op->getPrevNode()))
      continue;
    mlir::OpBuilder builder(op);
    mlir::transform::StopOp::create(builder, op->getLoc(), "the schedule ends here: " + whyStopped(op, inner, said));
  }
}

std::vector<Diagnostic> findMistypedMatches(mlir::Operation *script) {
  std::vector<Diagnostic> found;
  script->walk([&](mlir::transform::MatchOp match) {
    if (!match.getOps())
      return;
    for (llvm::StringRef name : match.getOps()->getAsValueRange<mlir::StringAttr>())
      if (std::string meant = suggestOp(name, *script->getContext()); !meant.empty()) {
        SourcePosition at = positionOf(match);
        found.push_back({.severity = Diagnostic::Severity::Warning,
                         .message = "no op is called '" + name.str() + "', so this matches nothing" + meant,
                         .file = at.file,
                         .line = at.line,
                         .column = at.column});
      }
  });
  return found;
}

} // namespace fuselage
