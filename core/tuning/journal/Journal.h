// Trials in a file that outlives whoever writes it.
#pragma once
#include "core/support/Error.h"
#include "core/tuning/journal/Trial.h"

namespace fuselage::tune {

/// A text file with a line of JSON for each trial, which is only appended to.
///  - A trial is written at once, and is on the disk when `append` returns. Killed before that, a process leaves at most a piece of a
///  last line,
///    which whoever writes next cuts off.
///  - Several processes may append to one journal: each locks it while it writes (flock).
///  - A full disk is a Failure; what was recorded before stays whole.
/// Lines that are none of a trial, such as those of a later version, are counted and left alone.
class Journal {
public:
  /// Opens `path`, or creates it. Failure: it cannot be opened or read, or is no regular file.
  static llvm::Expected<Journal> open(llvm::StringRef path);
  Journal(Journal &&other) noexcept;
  Journal &operator=(Journal &&) = delete;
  ~Journal();

  llvm::Error append(const Trial &trial);
  /// Reads what was appended since the last time, by whomever. Failure: it cannot be read.
  llvm::Error refresh();

  /// All of them, in the order of the file.
  const std::vector<Trial> &trials() const { return trials_; }
  /// Of the same work, device, driver and version, oldest first: what results may be compared with.
  std::vector<const Trial *> trialsOf(const TrialKey &key) const;
  /// Of the same work elsewhere: a start at best.
  std::vector<const Trial *> trialsElsewhere(const TrialKey &key) const;

  unsigned unreadable() const { return unreadable_; }
  /// Bytes of a torn last line that were cut off.
  uint64_t cut() const { return cut_; }
  const std::string &path() const { return path_; }

private:
  Journal(std::string path, int file) : path_(std::move(path)), file_(file) {}
  llvm::Error failure(llvm::StringRef what, int error) const;
  llvm::Error cutTornLine();
  llvm::Error writeLine(llvm::StringRef line);

  std::string path_;
  int file_ = -1;
  uint64_t read_ = 0; ///< bytes that `trials_` are of
  std::vector<Trial> trials_;
  unsigned unreadable_ = 0;
  uint64_t cut_ = 0;
};

/// A line of a CSV for each trial, below a line with the names of columns: the knobs first.
std::string toCsv(llvm::ArrayRef<const Trial *> trials);

} // namespace fuselage::tune
