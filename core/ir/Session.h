// Owns the MLIRContext; opens files.
#pragma once
#include "core/ir/module/Diagnostics.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include <memory>

namespace fuselage {

struct SourceFile;

/// What was opened, and what there is to say about it.
struct ReadResult {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Errors: what was skipped (gaps), values nobody defines. Warnings: ops that were read as another
  /// MLIR version's or as an unknown dialect's. All with file:line:col in the user's file.
  std::vector<Diagnostic> diagnostics;
  unsigned tolerated = 0; ///< ops read by the universal parser
  unsigned gaps = 0;      ///< pieces of text that became a gap
};

/// One MLIRContext, and the files opened in it. Not thread-safe:
/// one thread at a time owns it. Multithreading inside the context is off, so that passes run in a
/// fixed order.
class Session {
public:
  /// With the dialects of `registry` (core/registration has all).
  explicit Session(const mlir::DialectRegistry &registry);
  ~Session();
  mlir::MLIRContext &context() { return *context_; }

  /// Opens `path` ('-' is stdin): MLIR text, bytecode, or text split by `// -----`.
  /// A split file becomes one outer module with a nested module per split (see `splitModules`).
  /// Unregistered ops are accepted in generic form. The result verifies. Nesting deeper than
  /// MLIR's parser survives, empty files, truncated bytecode and so on are a Failure whose
  /// diagnostics have file:line:col.
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> open(llvm::StringRef path);

  /// The same for a text or bytecode in memory, reported under the name `bufferName`.
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> parse(llvm::StringRef source, llvm::StringRef bufferName);

  /// Opens what open() opens, and all that users hold beside it: unknown dialects in custom assembly,
  /// text of other MLIR versions, files with a broken op in them (TolerantReader.h says how). A file
  /// that open() accepts gives the same module. Failure: nothing in it could be read; the
  /// diagnostics are those of the file as it stands.
  llvm::Expected<ReadResult> read(llvm::StringRef path);
  /// The same for a file that is in memory, perhaps without its long hex literals (loadDetached()). Their data then
  /// stays in a scratch file, which is mapped as long as the context lives.
  llvm::Expected<ReadResult> read(const SourceFile &file);
  llvm::Expected<ReadResult> readText(llvm::StringRef source, llvm::StringRef bufferName);

private:
  std::unique_ptr<mlir::MLIRContext> context_;
};

} // namespace fuselage
