// Files of the folders that an editor has open.
#pragma once
#include "core/lsp/documents/Documents.h"
#include "llvm/Support/JSON.h"

namespace fuselage::lsp {

class Workspace {
public:
  /// `workspaceFolders`, or `rootUri`, of the parameters of `initialize`.
  void setFolders(const llvm::json::Value &params);
  /// Symbols of the open documents, and of .mlir files in the folders: at most 2000 files of 4 MiB each, looked at for
  /// at most a second, and at most 500 symbols.
  llvm::json::Array symbols(llvm::StringRef query, const llvm::StringMap<OpenDocument> &open, Encoding encoding) const;

private:
  std::vector<std::string> folders_;
};

} // namespace fuselage::lsp
