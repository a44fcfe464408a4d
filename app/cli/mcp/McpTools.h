// The tools that `fuselage mcp` offers: each is a command of ours on a document, whose answer is made short.
#pragma once
#include "app/cli/mcp/McpDocuments.h"
#include "llvm/Support/JSON.h"
#include <atomic>

namespace fuselage::cli {

/// What a tool works with.
struct McpWork {
  std::string program; ///< of ours
  McpDocuments &documents;
  const std::atomic<bool> &cancelled;
};

struct McpTool {
  const char *name, *description;
  /// Names and JSON schemas of its arguments, as {"type": "string", "description": ..}; those in `required` must be
  /// there.
  llvm::json::Object (*arguments)();
  std::vector<const char *> required;
  /// The text of the answer, which may have many pages. Failure: a sentence for the client.
  llvm::Expected<std::string> (*call)(McpWork &work, const llvm::json::Object &arguments);
};

/// At most 15.
const std::vector<McpTool> &mcpTools();

} // namespace fuselage::cli
