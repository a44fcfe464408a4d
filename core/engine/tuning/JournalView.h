// A journal of trials as clients see it, kept while it grows.
#pragma once
#include "core/protocol/Tuning.h"
#include "core/tuning/journal/Journal.h"
#include "core/tuning/search/Tuner.h"
#include <functional>

namespace fuselage {

/// Which trials of a journal are wanted.
struct TrialFilter {
  int work = -1;      ///< of this one; -1: of all
  std::string status; ///< "ok"; empty: of any
  std::string text;   ///< in a value as "rows=16", a reason or a worker; empty: any
};

/// A journal, read once: a look at more of it reads what was appended since, and makes messages of no more than it is
/// asked for.
class JournalView {
public:
  /// Failure: it cannot be read, or there is none.
  static llvm::Expected<std::unique_ptr<JournalView>> open(const std::string &path, tune::Objective objective);
  /// Of that journal, which was not replaced since.
  bool isOf(const std::string &path, tune::Objective objective) const;
  /// Reads what is new.
  llvm::Error refresh();

  /// All works, and `count` of the rows that pass the filter, from number `from` of these on.
  message::TuneJournal<> page(const TrialFilter &filter, size_t from, size_t count) const;
  /// Those that pass.
  std::vector<const tune::Trial *> trials(const TrialFilter &filter) const;

private:
  JournalView(tune::Journal journal, tune::Objective objective) : journal_(std::move(journal)), objective_(objective) {}
  /// What is known of a trial beside what its line says.
  struct Row {
    int work, number; ///< among those of the work, from 1
    bool isBest;
  };
  void add(const tune::Trial &trial);
  bool passes(size_t row, const TrialFilter &filter) const;
  message::TuneTrial<> messageOf(size_t row) const;

  tune::Journal journal_;
  tune::Objective objective_;
  std::vector<message::TuneWork<>> works_;
  std::map<std::vector<std::string>, int> numbers_; ///< of works
  std::vector<double> bests_;                       ///< by work
  std::vector<Row> rows_;                           ///< of the journal's trials
};

} // namespace fuselage
