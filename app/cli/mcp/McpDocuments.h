// The modules that a client of MCP works on, and the folders that it may reach.
#pragma once
#include "core/support/Error.h"
#include <map>
#include <vector>

namespace fuselage::cli {

/// A module in a file of its own, in a folder that ends with the process: what a tool makes never changes the file that
/// was opened.
struct McpDocument {
  std::string id;     ///< "d1"
  std::string path;   ///< of the copy
  std::string origin; ///< "bert.mlir", "d1 after fuse --all"
};

class McpDocuments {
public:
  /// `folders`: what may be read and written below. Failure: one is no folder, or there is no place for copies.
  static llvm::Expected<McpDocuments> create(std::vector<std::string> folders);
  ~McpDocuments();
  McpDocuments(McpDocuments &&other) = default;

  /// A file below the folders, or one of those in it where `path` is relative. Links lead out of no folder. Failure: it
  /// is elsewhere, or not there.
  llvm::Expected<std::string> readable(llvm::StringRef path) const;
  /// A file below the folders that is not there yet, or may be replaced.
  llvm::Expected<std::string> writable(llvm::StringRef path, bool replaces) const;

  llvm::Expected<McpDocument> add(llvm::StringRef text, llvm::StringRef name, llvm::StringRef origin);
  llvm::Expected<McpDocument> find(llvm::StringRef id) const;
  /// A file beside the copies, such as a schedule.
  llvm::Expected<std::string> scratchFile(llvm::StringRef name, llvm::StringRef text) const;
  const std::vector<std::string> &folders() const { return folders_; }

private:
  McpDocuments() = default;
  bool isInside(llvm::StringRef realPath) const;

  std::vector<std::string> folders_; ///< as the system names them
  std::string scratch_;
  std::map<std::string, McpDocument> documents_;
};

} // namespace fuselage::cli
