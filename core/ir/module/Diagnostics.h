// Diagnostics: how they are collected, formatted and printed.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>

namespace mlir {
class Operation;
}

namespace fuselage {

/// Collects what MLIR reports on a context while it lives, in order; nothing goes to stderr.
class DiagnosticCapture {
public:
  explicit DiagnosticCapture(mlir::MLIRContext &context);
  ~DiagnosticCapture();
  std::vector<Diagnostic> take();
  bool sawError() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// file:line:col of the first FileLineColLoc inside `loc`; line 0 if there is none.
struct SourcePosition {
  std::string file;
  unsigned line = 0, column = 0;
};
SourcePosition positionOf(mlir::Location loc);
/// Of the op, or of the nearest op around it in its function that has a position: the body of a named linalg op has
/// none.
SourcePosition positionOf(mlir::Operation *op);
/// "file:line:col", or empty where the line is unknown.
std::string formatPosition(const SourcePosition &position);

/// The diagnostic with the source line and a caret under the column, as compilers print it.
/// Falls back to formatDiagnostic where the file cannot be read, or was not opened by this process.
std::string formatWithCaret(const Diagnostic &diagnostic);

/// Prints diagnostics with carets on stderr, errors first, the first few hundred of them, and how many more there are,
/// in the name of `program`; true if there is an Error among all.
bool printDiagnostics(llvm::ArrayRef<Diagnostic> diagnostics, llvm::StringRef program = "fuselage");

} // namespace fuselage
