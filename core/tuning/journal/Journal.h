// Trials in a file that outlives whoever writes it.
#pragma once
#include "core/support/Error.h"
#include "core/tuning/journal/Trial.h"
#include <deque>
#include <set>

namespace fuselage::tune {

/// A text file with a line of JSON for each trial, which is only appended to.
///  - A trial is written at once, and is on the disk when `append` returns. Killed before that, a process leaves at
///  most a piece of a last line, which whoever writes next cuts off.
///  - Several processes may append to one journal: each locks it while it writes (flock).
///  - A full disk is a Failure; what was recorded before stays whole.
/// Lines that are none of a trial, such as those of a later version, are counted and left alone.
///
/// A folder is a journal, too: all files `*.jsonl` in it together, of which each process writes one of its own. That
/// needs no lock, and so is what suits file systems between machines that have none.
class Journal {
public:
  /// Opens `path`, or creates it; a folder where it is one, or its name ends in '/'. Failure: it cannot be opened or
  /// read, or is neither a regular file nor a folder.
  static llvm::Expected<Journal> open(llvm::StringRef path);
  /// What is there, to look at: nothing is made, locked or cut. Failure: as of open, or there is none.
  static llvm::Expected<Journal> read(llvm::StringRef path);
  Journal(Journal &&other) noexcept;
  Journal &operator=(Journal &&) = delete;
  ~Journal();

  llvm::Error append(const Trial &trial);
  /// Reads what was appended since the last time, by whomever. Failure: it cannot be read.
  llvm::Error refresh();
  /// Tells other processes that this one makes the trial of `key` and `parameters`. After `rules.seconds`, or once this
  /// process is known to have ended (ProcessName.h), it is anybody's again. Two processes never make the same trial,
  /// nor all together more than `rules.most`, where the file system has locks; without them, in a folder, they may if
  /// they begin at the same moment.
  struct ClaimRules {
    double seconds = 0;     ///< by clocks that agree
    size_t most = SIZE_MAX; ///< trials of `key`, those that are claimed among them
    bool isAlone = false;   ///< and only while nobody else is at any of them
  };
  enum class Claimed {
    Ours,
    Theirs, ///< another process is at it, or, where this one would be alone, at some
    Made,   ///< it was made already
    Full,   ///< with what others are at there are enough: one of these may come to nothing
    Spent,  ///< enough were made
  };
  llvm::Expected<Claimed> claim(const TrialKey &key, const std::map<std::string, std::string> &parameters,
                                const ClaimRules &rules);

  /// All of them, in the order of the file; those of a folder as they were read.
  const std::deque<Trial> &trials() const { return trials_; }
  /// Of the same work, device, driver and version, oldest first: what results may be compared with.
  std::vector<const Trial *> trialsOf(const TrialKey &key) const;
  /// Of the same work elsewhere: a start at best.
  std::vector<const Trial *> trialsElsewhere(const TrialKey &key) const;

  /// What refresh() goes on with is what was read: no file was replaced or made shorter.
  bool isSame() const;

  unsigned unreadable() const { return unreadable_; }
  /// Bytes of a torn last line that were cut off.
  uint64_t cut() const { return cut_; }
  const std::string &path() const { return path_; }

private:
  struct File {
    std::string path;
    int file = -1;
    uint64_t read = 0; ///< bytes that `trials_` are of
  };
  explicit Journal(std::string path) : path_(std::move(path)) {}
  llvm::Error failure(llvm::StringRef what, int error) const;
  llvm::Error openFile();
  llvm::Error openFolder();
  llvm::Error findFiles();
  llvm::Error makeOwnFile();
  llvm::Error refuseOtherText();
  llvm::Error cutTornLine();
  llvm::Error refresh(File &file);
  void readLine(llvm::StringRef line);
  llvm::Error writeLine(llvm::StringRef line, bool isTrial);
  File *own();
  struct Claim {
    std::string by;
    uint64_t until = 0;
  };
  bool isOfAnother(const Claim &claim) const;

  std::string path_;
  bool isFolder_ = false, isOnlyRead_ = false;
  std::vector<File> files_;             ///< of a folder all that are known, else the one
  std::string ownPath_;                 ///< of a folder's file that this process writes; empty: none yet
  int lock_ = -1;                       ///< what is locked; in a folder a file of its own
  std::deque<Trial> trials_;            ///< which stay where they are
  std::set<std::string> made_;          ///< what trials there are, see idOf
  std::map<std::string, Claim> claims_; ///< the same, of those that somebody is at
  unsigned unreadable_ = 0;
  uint64_t cut_ = 0;
};

/// A line of a CSV for each trial, below a line with the names of columns: the knobs first.
std::string toCsv(llvm::ArrayRef<const Trial *> trials);

} // namespace fuselage::tune
