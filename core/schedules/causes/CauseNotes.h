// What the files of this folder share.
#pragma once
#include "core/ir/module/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/Twine.h"

namespace fuselage {

/// Collects notes.
class CauseNotes {
public:
  void at(mlir::Operation *op, const llvm::Twine &message) { at(op->getLoc(), message); }
  void at(mlir::Location location, const llvm::Twine &message) {
    SourcePosition place = positionOf(location);
    notes_.push_back({.severity = Diagnostic::Severity::Note,
                      .message = message.str(),
                      .file = place.file,
                      .line = place.line,
                      .column = place.column});
  }
  bool empty() const { return notes_.empty(); }
  std::vector<Diagnostic> take() { return std::move(notes_); }

private:
  std::vector<Diagnostic> notes_;
};

/// "'linalg.matmul' (line 4)"
std::string nameWithLine(mlir::Operation *op);
/// "2 scf.for, 1 func.func": the ops inside of `root`, the most frequent first, constants and terminators left out.
std::string opsInside(mlir::Operation *root);

/// Why `op` cannot be vectorized; `sizes` are the vector's, empty where none are given.
void explainVectorize(mlir::Operation *op, llvm::ArrayRef<int64_t> sizes, bool gathers, CauseNotes &notes);
/// Why `producer` cannot be computed inside of `loop`.
void explainFuseInto(mlir::Operation *producer, mlir::Operation *loop, CauseNotes &notes);
/// That `op` has no loops to tile, where that is so.
void explainNoLoops(mlir::Operation *op, CauseNotes &notes);
/// Why `order` is no order of the loops of `op`.
void explainOrder(mlir::Operation *op, llvm::ArrayRef<int64_t> order, CauseNotes &notes);
/// That `op` has no loop of number `dimension`.
void explainDimension(mlir::Operation *op, int64_t dimension, CauseNotes &notes);
/// Why the reduction of `op` is not split into `factor` parts.
void explainSplitReduction(mlir::Operation *op, int64_t factor, CauseNotes &notes);
/// Why the operands of `op` are not padded with so many `values`.
void explainPadding(mlir::Operation *op, size_t values, CauseNotes &notes);
/// Why the operands of `op` are not copied into buffers of their own.
void explainPromote(mlir::Operation *op, CauseNotes &notes);
/// That `op` is no loop, where that is so.
void explainLoop(mlir::Operation *op, CauseNotes &notes);
/// Why `op` is no perfect nest of loops.
void explainNest(mlir::Operation *op, CauseNotes &notes);
/// Why no iteration of `op` is peeled off.
void explainPeel(mlir::Operation *op, CauseNotes &notes);
/// Why no op computes operand `number` of `op`.
void explainProducer(mlir::Operation *op, int64_t number, CauseNotes &notes);
/// Why the pass or pipeline `name` does not run on `op`.
void explainPass(llvm::StringRef name, mlir::Operation *op, CauseNotes &notes);

} // namespace fuselage
