// What may stand where somebody writes a transform script.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace fuselage {

struct CompletionItem {
  std::string text; ///< that takes the word's place
  std::string kind; ///< "op", "pattern", "handle", "symbol", "type", "attribute", "keyword", "pass" or "payload"
  std::string detail{};
};

struct CompletionQuery {
  llvm::StringRef text;
  size_t caret = 0;
  mlir::MLIRContext *context = nullptr;
  mlir::ModuleOp payload{};             ///< names of its ops are offered first; null: none
  std::vector<std::string> libraries{}; ///< texts whose sequences can be included
  std::vector<CompletionItem> passes{}; ///< all that are registered
};

struct Completion {
  size_t begin = 0;                  ///< of the word that an item replaces
  std::vector<CompletionItem> items; ///< that have the word in them, those that begin with it first
};

/// Reads no more than what is before the caret, which need not parse.
Completion completeScript(const CompletionQuery &query);

} // namespace fuselage
