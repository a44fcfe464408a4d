// The file of a module, as it was when it was opened.
#pragma once
#include "core/ir/source/SourceText.h"
#include "core/stepping/dumps/DumpLog.h"
#include "llvm/Support/Chrono.h"

namespace fuselage {

/// Its bytes, without a byte order mark: kept while they are few; else read again, as long as the file is the same.
class OpenedFile {
public:
  OpenedFile() = default;
  explicit OpenedFile(const SourceFile &source);

  /// What locations in it call it.
  const std::string &name() const { return name_; }
  /// Bytecode, or a file around some: it has no text of its own.
  bool isBytecode() const { return isBytecode_; }
  /// Failure: there is no text, or not the one that was opened any more.
  llvm::Expected<std::shared_ptr<DumpFile>> text() const;
  /// Of its text in those bytes.
  uint64_t begin() const { return begin_; }
  uint64_t end() const { return end_; }

private:
  std::string name_;
  bool isBytecode_ = false, isKept_ = false;
  uint64_t begin_ = 0, end_ = 0;
  llvm::sys::TimePoint<> modified_;
  std::shared_ptr<DumpFile> file_; ///< null: none, or bytes that are nowhere any more
};

} // namespace fuselage
