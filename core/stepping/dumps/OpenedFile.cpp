#include "core/stepping/dumps/OpenedFile.h"
#include "core/ir/source/Artifact.h"
#include "core/support/Paths.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/Support/FileSystem.h"

namespace fuselage {

/// Larger files stay on the disk.
static constexpr uint64_t kMostKept = 32 << 20;

OpenedFile::OpenedFile(const SourceFile &source)
    : name_(source.name), isBytecode_(mlir::isBytecode(source.buffer->getMemBufferRef()) ||
                                      !findEmbeddedBytecode(source.buffer->getBuffer()).empty()),
      isKept_(!source.blobs && source.text.size() <= kMostKept), begin_(source.begin), end_(source.end) {
  if (isBytecode_)
    return;
  if (isKept_) {
    file_ = std::make_shared<DumpFile>(llvm::MemoryBuffer::getMemBufferCopy(source.text, name_));
    begin_ = 0;
    end_ = source.text.size();
    return;
  }
  llvm::sys::fs::file_status status;
  if (isStream(name_) || llvm::sys::fs::status(name_, status))
    return;
  modified_ = status.getLastModificationTime();
  file_ = std::make_shared<DumpFile>(name_, DumpFile::Keep::WhileUsed);
}

llvm::Expected<std::shared_ptr<DumpFile>> OpenedFile::text() const {
  if (isBytecode_)
    return fail("The file is bytecode, which has no text.");
  if (!file_)
    return fail("What came through a pipe is too large to be kept as it was.");
  llvm::sys::fs::file_status status;
  if (isKept_)
    return file_;
  if (llvm::sys::fs::status(name_, status) || status.getLastModificationTime() != modified_ || status.getSize() != end_)
    return fail("'" + shortPath(name_) + "' has changed since it was opened, and was too large to be kept as it was.");
  return file_;
}

} // namespace fuselage
