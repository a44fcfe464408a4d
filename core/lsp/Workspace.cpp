#include "core/lsp/Workspace.h"
#include "core/lsp/features/Features.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <chrono>

namespace fuselage::lsp {

namespace fs = llvm::sys::fs;
using llvm::StringRef;
using llvm::json::Array;

void Workspace::setFolders(const llvm::json::Value &params) {
  const llvm::json::Object *object = params.getAsObject();
  auto add = [&](StringRef uri) {
    if (uri.starts_with("file://"))
      folders_.push_back(pathOfUri(uri));
  };
  if (const Array *folders = object ? object->getArray("workspaceFolders") : nullptr)
    for (const llvm::json::Value &folder : *folders)
      add(textIn(folder, "uri"));
  else
    add(textIn(params, "rootUri"));
}

static OpenDocument readDocument(StringRef path, Encoding encoding) {
  OpenDocument document;
  document.path = path.str();
  document.uri = uriOfPath(path);
  if (auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false))
    document.text = TextBuffer((*buffer)->getBuffer().str(), encoding);
  return document;
}

Array Workspace::symbols(StringRef query, const llvm::StringMap<OpenDocument> &open, Encoding encoding) const {
  constexpr unsigned mostFiles = 2000, mostSymbols = 500;
  constexpr uint64_t mostBytes = 4 << 20;
  Array found;
  for (const auto &document : open)
    appendWorkspaceSymbols(document.second, query, found);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  unsigned files = 0;
  for (const std::string &folder : folders_) {
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error, /*follow_symlinks=*/false), last; at != last && !error;
         at.increment(error)) {
      if (found.size() >= mostSymbols || files >= mostFiles || std::chrono::steady_clock::now() > end)
        break;
      auto status = at->status();
      if (llvm::sys::path::extension(at->path()) != ".mlir" || !status ||
          status->type() != fs::file_type::regular_file || status->getSize() > mostBytes)
        continue;
      OpenDocument document = readDocument(at->path(), encoding);
      ++files;
      if (!open.count(document.uri))
        appendWorkspaceSymbols(document, query, found);
    }
  }
  while (found.size() > mostSymbols)
    found.pop_back();
  return found;
}

} // namespace fuselage::lsp
