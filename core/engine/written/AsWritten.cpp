#include "core/engine/written/AsWritten.h"
#include "core/engine/Document.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using llvm::StringRef;

namespace fuselage {

llvm::Expected<std::shared_ptr<AsWritten>> AsWritten::of(Document &document, unsigned snapshot) {
  const unsigned basis = document.snapshot(snapshot)->isDump() ? snapshot : 0;
  std::shared_ptr<AsWritten> &known = document.extension<AsWritten>();
  if (!known || known->basis_ != basis || known->of_.lock() != document.snapshot(basis)) {
    auto made = make(document, basis);
    if (!made)
      return made.takeError();
    known = std::move(*made);
  } else if (!known->isDump_ && !known->isPrinted_) {
    if (auto file = document.file().text(); !file)
      return file.takeError();
  }
  if (llvm::Error error = known->attach())
    return error;
  if (known->starts_.empty())
    known->breakLines();
  return known;
}

llvm::Expected<std::shared_ptr<AsWritten>> AsWritten::make(Document &document, unsigned basis) {
  const std::shared_ptr<const Snapshot> &snapshot = document.snapshot(basis);
  const OpenedFile &source = document.file();
  std::shared_ptr<AsWritten> made(new AsWritten(basis, source.name()));
  made->of_ = snapshot;
  made->isDump_ = snapshot->isDump();
  if (made->isDump_) {
    const std::vector<DumpPiece> &pieces = snapshot->dump().pieces();
    made->file_ = pieces.empty() ? document.path() : pieces.front().file->path();
    for (const DumpPiece &piece : pieces)
      made->parts_.push_back(
          {.file = piece.file, .begin = piece.range.begin, .end = piece.range.end, .firstLine = piece.range.firstLine});
    return made;
  }
  if (source.isBytecode()) {
    made->isPrinted_ = true;
    std::shared_ptr<DumpFile> printed = printedText(document, basis);
    made->parts_.push_back({.file = printed, .begin = 0, .end = StringRef::npos, .firstLine = 1});
    return made;
  }
  auto file = source.text();
  if (!file)
    return file.takeError();
  made->parts_.push_back({.file = *file, .begin = source.begin(), .end = source.end(), .firstLine = 1});
  return made;
}

std::shared_ptr<DumpFile> AsWritten::printedText(Document &document, unsigned basis) {
  return std::make_shared<DumpFile>(
      llvm::MemoryBuffer::getMemBufferCopy(document.lines(basis).text(), document.file().name()));
}

llvm::Error AsWritten::attach() {
  for (Part &part : parts_) {
    auto bytes = part.file->bytes();
    if (!bytes)
      return bytes.takeError();
    part.bytes = std::move(*bytes);
    part.text = part.bytes->getBuffer().slice(part.begin, part.end);
  }
  return llvm::Error::success();
}

void AsWritten::breakLines() {
  for (Part &part : parts_) {
    part.firstRow = starts_.size();
    for (size_t at = 0; at < part.text.size(); at = part.text.find('\n', at) + 1) {
      starts_.push_back(at);
      if (part.text.find('\n', at) == StringRef::npos)
        break;
    }
    part.file->forgetPages(); // few lines are ever looked at
  }
}

const AsWritten::Part &AsWritten::partOf(unsigned row) const {
  return *std::prev(llvm::upper_bound(parts_, row, [](unsigned at, const Part &part) { return at < part.firstRow; }));
}

StringRef AsWritten::line(unsigned row) const {
  StringRef rest = partOf(row).text.drop_front(starts_[row]);
  return rest.take_front(rest.find('\n')).rtrim('\r');
}

std::vector<std::pair<unsigned, unsigned>> AsWritten::runs() const {
  std::vector<std::pair<unsigned, unsigned>> runs;
  for (const Part &part : parts_)
    runs.emplace_back(part.firstRow, part.firstLine);
  return runs;
}

WrittenOps *AsWritten::ops(Document &document) {
  if (ops_)
    return &*ops_;
  auto index = document.index(basis_);
  if (!index) {
    llvm::consumeError(index.takeError());
    return nullptr;
  }
  ops_.emplace(parts_.front().text, document.file().name(), **index);
  parts_.front().file->forgetPages();
  return &*ops_;
}

OpId AsWritten::opAt(Document &document, unsigned row) {
  if (isDump_ || isPrinted_)
    return document.printed(basis_).opAt(row);
  WrittenOps *known = ops(document);
  return known ? known->opAt(row) : -1;
}

std::optional<LineRange> AsWritten::linesOf(Document &document, OpId id) {
  if (isDump_ || isPrinted_)
    return document.printed(basis_).linesOf(id);
  WrittenOps *known = ops(document);
  return known ? known->linesOf(id) : std::nullopt;
}

} // namespace fuselage
