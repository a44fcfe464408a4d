// The documents that an editor has open, and what is known of them.
#pragma once
#include "core/lsp/facts/DocumentFacts.h"
#include "core/lsp/text/NameScopes.h"
#include "llvm/ADT/StringMap.h"
#include <memory>
#include <optional>

namespace fuselage::lsp {

struct OpenDocument {
  std::string uri, path; ///< path: what locations call it; of a document that is no file, the URI
  int64_t version = 0;
  TextBuffer text;
  std::optional<DocumentFacts> facts; ///< of the text as it stands; nullopt: not known yet

  /// Found when they are asked for, once for each text.
  const NameScopes &names() const;
  void change(std::optional<Range> range, llvm::StringRef text, Encoding encoding);

private:
  mutable std::optional<NameScopes> names_;
};

/// "/a b.mlir" of "file:///a%20b.mlir"; other URIs stay as they are.
std::string pathOfUri(llvm::StringRef uri);
std::string uriOfPath(llvm::StringRef path);

} // namespace fuselage::lsp
