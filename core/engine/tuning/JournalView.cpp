#include "core/engine/tuning/JournalView.h"
#include "core/tuning/search/TrialMessage.h"
#include <limits>

namespace fuselage {

llvm::Expected<std::unique_ptr<JournalView>> JournalView::open(const std::string &path,
                                                               tune::Objective objective) {
  auto journal = tune::Journal::read(path);
  if (!journal)
    return journal.takeError();
  std::unique_ptr<JournalView> view(new JournalView(std::move(*journal), objective));
  for (const tune::Trial &trial : view->journal_.trials())
    view->add(trial);
  return view;
}

bool JournalView::isOf(const std::string &path, tune::Objective objective) const {
  return journal_.path() == path && objective_ == objective && journal_.isSame();
}

llvm::Error JournalView::refresh() {
  if (llvm::Error error = journal_.refresh())
    return error;
  while (rows_.size() < journal_.trials().size())
    add(journal_.trials()[rows_.size()]);
  return llvm::Error::success();
}

void JournalView::add(const tune::Trial &trial) {
  const tune::TrialKey &key = trial.key;
  auto [number, isNew] = numbers_.try_emplace(
      {key.module, key.dispatch, key.schedule, key.device, key.driver, key.version}, works_.size());
  if (isNew) {
    works_.push_back({.module = key.module,
                      .dispatch = key.dispatch,
                      .schedule = key.schedule,
                      .device = key.device,
                      .driver = key.driver,
                      .version = key.version});
    bests_.push_back(std::numeric_limits<double>::infinity());
  }
  message::TuneTrial<> row = tune::messageOf(trial, objective_);
  row.work = number->second;
  row.number = ++works_[row.work].trials;
  row.seconds = trial.seconds;
  double &best = bests_[row.work];
  row.isBest = trial.status == tune::TrialStatus::Ok && row.relative > 0 && row.relative < best;
  if (row.isBest)
    best = row.relative;
  rows_.push_back(std::move(row));
}

bool JournalView::passes(size_t row, const TrialFilter &filter) const {
  const message::TuneTrial<> &trial = rows_[row];
  if ((filter.work >= 0 && trial.work != filter.work) ||
      (!filter.status.empty() && trial.status != filter.status))
    return false;
  if (filter.text.empty() || trial.why.find(filter.text) != std::string::npos ||
      journal_.trials()[row].worker.find(filter.text) != std::string::npos)
    return true;
  return llvm::any_of(trial.parameters, [&](const auto &each) {
    return (each.first + "=" + each.second).find(filter.text) != std::string::npos;
  });
}

message::TuneJournal<> JournalView::page(const TrialFilter &filter, size_t from,
                                         size_t count) const {
  message::TuneJournal<> page{.path = journal_.path(),
                              .works = works_,
                              .unreadable = static_cast<int>(journal_.unreadable())};
  size_t matching = 0;
  for (size_t row = 0; row < rows_.size(); ++row)
    if (passes(row, filter)) {
      if (matching >= from && matching - from < count)
        page.trials.push_back(rows_[row]);
      ++matching;
    }
  page.matching = static_cast<int64_t>(matching);
  return page;
}

std::vector<const tune::Trial *> JournalView::trials(const TrialFilter &filter) const {
  std::vector<const tune::Trial *> found;
  for (size_t row = 0; row < rows_.size(); ++row)
    if (passes(row, filter))
      found.push_back(&journal_.trials()[row]);
  return found;
}

} // namespace fuselage
