// Reads text with the universal parser alone, as the tests of it want.
#pragma once
#include "core/dialects/flow/Flow.h"
#include "core/dialects/tolerant/TolerantDialect.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/registration/Registration.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace fuselage {

/// Every word before a dot, and then some: tolerant dialects cost little.
inline std::vector<std::string> namespacesIn(llvm::StringRef text) {
  std::vector<std::string> names;
  for (size_t i = 0; i < text.size(); ++i) {
    size_t begin = i;
    while (i < text.size() && (llvm::isAlnum(text[i]) || text[i] == '_'))
      ++i;
    if (i > begin && i < text.size() && (text[i] == '.' || text[i] == '<') && llvm::isAlpha(text[begin]))
      names.push_back(text.slice(begin, i).str());
  }
  llvm::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// A context in which every namespace of a text is known.
class TolerantReading {
public:
  TolerantReading() {
    mlir::DialectRegistry registry;
    mlir::registerAllDialects(registry);
    registry.insert<flow::FlowDialect>();
    context_ = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
    context_->allowUnregisteredDialects();
  }
  mlir::MLIRContext &context() { return *context_; }

  /// Null if it does not parse or verify; `errors` then says why.
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    loadTolerantDialects(context(), namespacesIn(text));
    errors.clear();
    mlir::ScopedDiagnosticHandler handler(&context(), [&](mlir::Diagnostic &diagnostic) {
      llvm::raw_string_ostream(errors) << diagnostic.getLocation() << ": " << diagnostic << "\n";
      return mlir::success();
    });
    return mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context()));
  }

  static std::string print(mlir::Operation *op) {
    std::string text;
    llvm::raw_string_ostream os(text);
    op->print(os);
    return text;
  }

  std::string errors;

private:
  std::unique_ptr<mlir::MLIRContext> context_;
};

/// The first op of that name (as the user writes it), at any depth; null if there is none.
inline mlir::Operation *findOp(mlir::Operation *root, llvm::StringRef name) {
  mlir::Operation *found = nullptr;
  root->walk([&](mlir::Operation *op) {
    if (!found && displayName(op) == name)
      found = op;
  });
  return found;
}

} // namespace fuselage
