// Opening large files: their long hex literals do not go through MLIR's parser.
#include "core/dialects/tolerant/BlobScope.h"
#include "core/ir/Session.h"
#include "core/ir/module/Blobs.h"
#include "core/ir/source/SourceText.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {
namespace {

/// From the columns of a text with placeholders to those of its file.
class ColumnMover {
public:
  ColumnMover(StringRef file, const TextBlobs &blobs) : file_(file), blobs_(blobs) {}

  void move(ModuleOp module) const;
  void move(std::vector<fuselage::Diagnostic> &diagnostics) const;

private:
  bool isMoved(StringRef file, unsigned line, unsigned column) const {
    const TextBlob *first = blobs_.firstOn(line);
    return first && first->column < column && file == file_;
  }
  bool isMoved(Location location) const;

  StringRef file_;
  const TextBlobs &blobs_;
};

bool ColumnMover::isMoved(Location location) const {
  auto found = location->walk([&](Location inner) {
    auto place = dyn_cast<FileLineColRange>(inner);
    bool moves = place && isMoved(place.getFilename(), place.getStartLine(), place.getStartColumn());
    return moves ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

void ColumnMover::move(ModuleOp module) const {
  auto isAnyMoved = [&](Operation *op) {
    if (isMoved(op->getLoc()))
      return true;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (isMoved(argument.getLoc()))
            return true;
    return false;
  };
  WalkResult found =
      module->walk([&](Operation *op) { return isAnyMoved(op) ? WalkResult::interrupt() : WalkResult::advance(); });
  if (!found.wasInterrupted())
    return; // mostly the literal is the last thing on its line that has a location
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](FileLineColRange place) -> LocationAttr {
    if (place.getFilename() != file_)
      return place;
    if (isa<FileLineColLoc>(place))
      return FileLineColLoc::get(place.getFilename(), place.getStartLine(),
                                 blobs_.columnInFile(place.getStartLine(), place.getStartColumn()));
    return FileLineColRange::get(place.getFilename(), place.getStartLine(),
                                 blobs_.columnInFile(place.getStartLine(), place.getStartColumn()), place.getEndLine(),
                                 blobs_.columnInFile(place.getEndLine(), place.getEndColumn()));
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/false, /*replaceLocs=*/true, /*replaceTypes=*/false);
}

/// The literals of a line as they are quoted.
static std::string shortened(StringRef line) {
  std::string text;
  for (;;) {
    size_t at = line.find(TextBlobs::kPlaceholder);
    text += line.take_front(at);
    if (at == StringRef::npos)
      return text;
    text += "dense<\"0x...\">";
    line = line.drop_front(at);
    line = line.drop_front(std::min(line.find('>'), line.size() - 1) + 1);
  }
}

/// A line with a placeholder is not what the user wrote; before the first, columns are the same.
void ColumnMover::move(std::vector<fuselage::Diagnostic> &diagnostics) const {
  for (fuselage::Diagnostic &diagnostic : diagnostics) {
    move(diagnostic.notes);
    if (diagnostic.file != file_ || !blobs_.firstOn(diagnostic.line))
      continue;
    bool isMovedHere = isMoved(diagnostic.file, diagnostic.line, diagnostic.column);
    diagnostic.sourceLine = isMovedHere ? "" : shortened(diagnostic.sourceLine);
    diagnostic.column = blobs_.columnInFile(diagnostic.line, diagnostic.column);
  }
}

} // namespace

/// Nothing: a literal is where MLIR's parser did not read it, or something is wrong with the text.
static std::optional<ReadResult> readDetached(Session &session, const SourceFile &file) {
  MLIRContext &context = session.context();
  BlobScope scope(context, file.blobs);
  auto read = session.readText(file.text, file.name);
  if (!read) {
    llvm::consumeError(read.takeError());
    return std::nullopt;
  }
  if (!scope.isAllIn(*read->module))
    return std::nullopt;
  for (const TextBlob &literal : file.blobs->literals()) {
    knowBlob(context, file.blobs->bytesOf(literal), literal.checksum);
    forgetPages(file.blobs->bytesOf(literal)); // of which a little was looked at
  }
  ColumnMover mover(file.name, *file.blobs);
  mover.move(*read->module);
  mover.move(read->diagnostics);
  return std::move(*read);
}

llvm::Expected<ReadResult> Session::read(const SourceFile &file) {
  if (!file.blobs) {
    auto read = readText(file.text, file.name);
    if (read)
      llvm::append_range(read->diagnostics, file.notes);
    return read;
  }
  if (std::optional<ReadResult> read = readDetached(*this, file))
    return std::move(*read);
  // The text as it is written takes more memory, and tells exactly what is wrong with it.
  auto whole = loadSource(file.name);
  if (!whole)
    return whole.takeError();
  return readText(whole->text, whole->name);
}

} // namespace fuselage
