// The text of a snapshot as somebody wrote it: the user's file, or a dump as it stands in its log.
#pragma once
#include "core/engine/written/WrittenOps.h"
#include "core/stepping/record/Snapshot.h"

namespace fuselage {

class Document;

/// A dump has its own text; all that was made here has that of the first snapshot, by the locations of its ops. The
/// bytes are those that the log or the opened file has anyway; beside them it is known where lines begin. Bytecode has
/// no text: the first snapshot is printed for it.
class AsWritten {
public:
  /// With its bytes, valid until the next call. Failure, in a sentence for people: there is no such text.
  static llvm::Expected<std::shared_ptr<AsWritten>> of(Document &document, unsigned snapshot);

  /// Whose text it is, `snapshot` itself or the first one.
  unsigned basis() const { return basis_; }
  const std::string &file() const { return file_; }
  unsigned lineCount() const { return starts_.size(); }
  llvm::StringRef line(unsigned row) const;
  /// (row, its line in the file, from 1): where numbers do not go on.
  std::vector<std::pair<unsigned, unsigned>> runs() const;

  /// The innermost op of the basis on a row; -1: none.
  OpId opAt(Document &document, unsigned row);
  std::optional<LineRange> linesOf(Document &document, OpId id);

private:
  struct Part {
    std::shared_ptr<DumpFile> file;
    uint64_t begin, end;
    unsigned firstLine, firstRow = 0;
    std::shared_ptr<const llvm::MemoryBuffer> bytes{};
    llvm::StringRef text{};
  };
  AsWritten(unsigned basis, std::string file) : basis_(basis), file_(std::move(file)) {}
  static llvm::Expected<std::shared_ptr<AsWritten>> make(Document &document, unsigned basis);
  static std::shared_ptr<DumpFile> printedText(Document &document, unsigned basis);
  llvm::Error attach();
  void breakLines();
  const Part &partOf(unsigned row) const;
  WrittenOps *ops(Document &document);

  unsigned basis_;
  std::string file_;
  bool isDump_ = false, isPrinted_ = false; ///< its lines are those of the basis
  std::weak_ptr<const Snapshot> of_;
  std::vector<Part> parts_;
  std::vector<uint64_t> starts_;  ///< of rows, each in its part
  std::optional<WrittenOps> ops_; ///< of a file
};

} // namespace fuselage
