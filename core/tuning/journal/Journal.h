// A file of trials that survives crashes of the processes that write it.
#pragma once
#include "core/support/Error.h"
#include "core/tuning/journal/Trial.h"
#include <deque>
#include <set>

namespace fuselage::tune {

/// An append-only text file with one line of JSON per trial.
///  - append() returns when the trial is on the disk. A process that is killed before leaves at most an incomplete last
///    line, which the next writer cuts off.
///  - Several processes may append to one journal; each locks it while it writes (flock).
///  - A full disk is a Failure; earlier lines stay complete.
/// Lines that are not trials, for example of a later version, are counted and kept.
///
/// A folder can be a journal, too: it consists of all files `*.jsonl` in it, and each process writes its own. That
/// needs no locks, which network file systems may lack.
class Journal {
public:
  /// Opens or creates a journal; a folder if `path` is one or ends in '/'. Fails if it cannot be opened or read, or is
  /// neither a regular file nor a folder.
  static llvm::Expected<Journal> open(llvm::StringRef path);
  /// Opens a journal for reading; creates, locks and cuts nothing. Fails as open() does, or if there is no journal.
  static llvm::Expected<Journal> read(llvm::StringRef path);
  Journal(Journal &&other) noexcept;
  Journal &operator=(Journal &&) = delete;
  ~Journal();

  llvm::Error append(const Trial &trial);
  /// Reads the lines that any process appended since the last read. Fails if it cannot be read.
  llvm::Error refresh();
  /// Announces to other processes that this one makes the trial of `key` and `parameters`. The claim ends after
  /// `rules.seconds`, or when this process is known to have ended (ProcessName.h). On file systems with locks, no two
  /// processes make the same trial, and all together make at most `rules.most`. Without locks, in a folder, processes
  /// that claim at the same moment may exceed that.
  struct ClaimRules {
    double seconds = 0;     ///< lifetime of the claim; the clocks of all machines must agree
    size_t most = SIZE_MAX; ///< largest number of trials of `key`, claimed ones included
    bool isAlone = false;   ///< claim only while no other process has a claim for `key`
  };
  enum class Claimed {
    Ours,
    Theirs, ///< another process has claimed it, or, with `isAlone`, any trial of `key`
    Made,   ///< the trial is in the journal
    Full,   ///< made and claimed trials reach `most`; a claim may still end without a trial
    Spent,  ///< made trials reach `most`
  };
  llvm::Expected<Claimed> claim(const TrialKey &key, const std::map<std::string, std::string> &parameters,
                                const ClaimRules &rules);

  /// All trials in the order of the file; in the order of reading for a folder.
  const std::deque<Trial> &trials() const { return trials_; }
  /// The trials of the same work, device, driver and version, whose times are comparable; oldest first.
  std::vector<const Trial *> trialsOf(const TrialKey &key) const;
  /// The trials of the same work on other devices or drivers, as starting points.
  std::vector<const Trial *> trialsElsewhere(const TrialKey &key) const;

  /// Returns true if refresh() can go on where it stopped: no file was replaced or truncated.
  bool isSame() const;

  unsigned unreadable() const { return unreadable_; }
  /// Bytes of an incomplete last line that were cut off.
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

/// Trials as CSV: a header line, then one line per trial; the first columns are the knobs.
std::string toCsv(llvm::ArrayRef<const Trial *> trials);

} // namespace fuselage::tune
