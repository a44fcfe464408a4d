// The index of a pass-by-pass log: which pass printed what, where.
#pragma once
#include "core/stepping/dumps/DumpHeader.h"
#include "core/stepping/dumps/DumpScan.h"
#include "core/support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <functional>
#include <memory>

namespace fuselage {

/// A file with dumps in it. A log stays mapped; the files of a tree are read when looked at.
class DumpFile {
public:
  enum class Keep { Mapped, WhileUsed };
  DumpFile(std::string path, Keep keep) : path_(std::move(path)), keep_(keep) {}
  /// A text in memory.
  explicit DumpFile(std::unique_ptr<llvm::MemoryBuffer> text);

  const std::string &path() const { return path_; }
  /// The bytes of the file, as long as somebody holds them. Failure: it cannot be read, or it is
  /// shorter than it was when it was indexed: what was mapped is gone then.
  llvm::Expected<std::shared_ptr<const llvm::MemoryBuffer>> bytes() const;
  /// Gives the memory of a mapped file back; whoever reads the bytes next brings them in again.
  void forgetPages() const;

private:
  std::string path_;
  Keep keep_ = Keep::Mapped;
  bool isFile_ = true;
  mutable std::shared_ptr<llvm::MemoryBuffer> kept_;
  mutable std::weak_ptr<llvm::MemoryBuffer> shared_;
  mutable uint64_t size_ = 0;
};

/// One dump.
struct DumpEntry {
  DumpHeader::Side side = DumpHeader::Side::After;
  bool failed = false, omitted = false;
  std::string pass, argument, options;    ///< see DumpHeader
  std::string op, symbol;                 ///< what the pass ran on: the header's word, else the dump's top op
  bool wholeModule = false;               ///< the dump shows more than that: the module around it
  unsigned file = 0;                      ///< in DumpLog::files
  unsigned headerLine = 1;                ///< from 1
  DumpRange ir;                           ///< in the file; empty if there is none
  DumpRange notes;                        ///< other tools' lines after the IR, up to the next header
  std::shared_ptr<const DumpShape> shape; ///< never null
};

/// The index of a log or of a tree of dumps. Linear in the text, which is read once, and small
/// beside it: texts that did not change share what is known of them.
class DumpLog {
public:
  /// Called now and then while a large log is indexed; returning true stops it with a Failure.
  using Cancelled = std::function<bool()>;

  /// A file of dumps, or a directory as --mlir-print-ir-tree-dir writes it, or
  /// one of .mlir files that are the phases of a compilation in the order of their numbers.
  /// Failure: it cannot be read, or there is no dump in it.
  static llvm::Expected<DumpLog> open(llvm::StringRef path, const Cancelled &cancelled = {});
  /// The same for a file that somebody still writes: the last dump may not be whole and is left out. No dump at all is
  /// no Failure here.
  static llvm::Expected<DumpLog> openGrowing(llvm::StringRef path, const Cancelled &cancelled = {});
  /// The same for a text in memory, which is kept.
  static llvm::Expected<DumpLog> index(std::unique_ptr<llvm::MemoryBuffer> text, const Cancelled &cancelled = {});
  /// Whether open() would find dumps: a directory, or a text that isDumpLog(). False for what cannot
  /// be read.
  static bool isDump(llvm::StringRef path);

  const std::string &path() const { return path_; }
  const std::vector<DumpEntry> &entries() const { return entries_; }
  const std::vector<std::shared_ptr<DumpFile>> &files() const { return files_; }
  /// A log that is read from front to back need not be in memory as a whole: called between the dumps,
  /// with the bytes that were read since.
  void countRead(uint64_t bytes);
  /// The lines before the first header.
  const DumpRange &preface() const { return preface_; }
  DumpNames &names() { return *names_; }

private:
  friend class DumpIndexer;
  llvm::Error addLog(std::shared_ptr<DumpFile> file, const Cancelled &cancelled);
  llvm::Error checkNotEmpty() const;
  std::string path_;
  std::vector<DumpEntry> entries_;
  std::vector<std::shared_ptr<DumpFile>> files_;
  DumpRange preface_;
  uint64_t readBytes_ = 0; // since pages were forgotten
  std::unique_ptr<DumpNames> names_ = std::make_unique<DumpNames>();
};

/// Adds files to a DumpLog. Internal to core/stepping.
class DumpIndexer {
public:
  DumpIndexer(DumpLog &log, const DumpLog::Cancelled &cancelled) : log_(log), cancelled_(cancelled) {}

  /// Every dump in the text of a file, of one that still grows all but the last. False: cancelled.
  bool addLog(std::shared_ptr<DumpFile> file, llvm::StringRef text, bool isGrowing = false);
  /// A file that holds one dump, with a header or without; `name` is the pass where there is none.
  void addFile(std::shared_ptr<DumpFile> file, llvm::StringRef text, llvm::StringRef name);
  /// The dumps below a directory, in the order in which they were written.
  llvm::Error addDirectory(llvm::StringRef path);

private:
  void addDump(const DumpHeader &header, llvm::StringRef text, DumpRange body, unsigned headerLine);
  std::shared_ptr<const DumpShape> shapeOf(llvm::StringRef body);

  DumpLog &log_;
  const DumpLog::Cancelled &cancelled_;
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, std::shared_ptr<const DumpShape>> known_; // by hash, size
};

} // namespace fuselage
