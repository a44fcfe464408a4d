// Owns the MLIRContext; opens files; captures what MLIR says.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include <memory>

namespace fuselage {

/// Every upstream dialect, extension, interface model and translation that we rely on, plus ours.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Every upstream pass and ours, once per process (call before parsing a pipeline).
void registerAllPasses();

/// What was opened, and what there is to say about it.
struct ReadResult {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Errors: what was skipped (gaps), values nobody defines. Warnings: ops that were read as another
  /// MLIR version's or as an unknown dialect's. All with file:line:col in the user's file.
  std::vector<Diagnostic> diagnostics;
  unsigned tolerated = 0; ///< ops read by the universal parser
  unsigned gaps = 0;      ///< pieces of text that became a gap
};

/// One MLIRContext with all dialects registered, and the files opened in it. Not thread-safe:
/// one thread at a time owns it. Multithreading inside the context is off, so that passes run in a
/// fixed order.
class Session {
public:
  Session();
  ~Session();
  mlir::MLIRContext &context() { return *context_; }

  /// Opens `path` ('-' is stdin): MLIR text, bytecode, or text split by `// -----`.
  /// A split file becomes one outer module with a nested module per split (see `splitModules`).
  /// Unregistered ops are accepted in generic form. The result verifies. Nesting deeper than
  /// MLIR's parser survives, empty files, truncated bytecode and so on are a Failure whose
  /// diagnostics have file:line:col.
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> open(llvm::StringRef path);

  /// The same for a text or bytecode in memory, reported under the name `bufferName`.
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> parse(llvm::StringRef source,
                                                          llvm::StringRef bufferName);

  /// Opens what open() opens, and all that users hold beside it: unknown dialects in custom assembly,
  /// text of other MLIR versions, files with a broken op in them (TolerantReader.h says how). A file
  /// that open() accepts gives the same module. Failure: nothing in it could be read; the
  /// diagnostics are those of the file as it stands.
  llvm::Expected<ReadResult> read(llvm::StringRef path);
  llvm::Expected<ReadResult> readText(llvm::StringRef source, llvm::StringRef bufferName);

private:
  std::unique_ptr<mlir::MLIRContext> context_;
};

/// The modules that passes run on: the nested ones of a split file, else the module itself.
llvm::SmallVector<mlir::ModuleOp> splitModules(mlir::ModuleOp module);

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
/// "file:line:col", or empty where the line is unknown.
std::string formatPosition(const SourcePosition &position);

/// The diagnostic with the source line and a caret under the column, as compilers print it.
/// Falls back to formatDiagnostic where the file cannot be read, or was not opened by this process.
std::string formatWithCaret(const Diagnostic &diagnostic);

} // namespace fuselage
