#include "core/engine/tuning/JournalView.h"
#include "core/tuning/search/TrialMessage.h"
#include <limits>

namespace fuselage {

llvm::Expected<std::unique_ptr<JournalView>> JournalView::open(const std::string &path, tune::Objective objective) {
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
  double relative = tune::messageOf(trial, objective_).relative;
  double &best = bests_[number->second];
  bool isBest = trial.status == tune::TrialStatus::Ok && relative > 0 && relative < best;
  if (isBest)
    best = relative;
  rows_.push_back({.work = number->second, .number = ++works_[number->second].trials, .isBest = isBest});
}

message::TuneTrial<> JournalView::messageOf(size_t row) const {
  const tune::Trial &trial = journal_.trials()[row];
  message::TuneTrial<> message = tune::messageOf(trial, objective_);
  message.work = rows_[row].work;
  message.number = rows_[row].number;
  message.seconds = trial.seconds;
  message.isBest = rows_[row].isBest;
  return message;
}

bool JournalView::passes(size_t row, const TrialFilter &filter) const {
  const tune::Trial &trial = journal_.trials()[row];
  if ((filter.work >= 0 && rows_[row].work != filter.work) ||
      (!filter.status.empty() && tune::nameOf(trial.status) != filter.status))
    return false;
  if (filter.text.empty() || trial.why.find(filter.text) != std::string::npos ||
      trial.oneThread.find(filter.text) != std::string::npos || trial.worker.find(filter.text) != std::string::npos)
    return true;
  return llvm::any_of(trial.parameters, [&](const auto &each) {
    return (each.first + "=" + each.second).find(filter.text) != std::string::npos;
  });
}

message::TuneJournal<> JournalView::page(const TrialFilter &filter, size_t from, size_t count) const {
  message::TuneJournal<> page{
      .path = journal_.path(), .works = works_, .unreadable = static_cast<int>(journal_.unreadable())};
  size_t matching = 0;
  for (size_t row = 0; row < rows_.size(); ++row)
    if (passes(row, filter)) {
      if (matching >= from && matching - from < count)
        page.trials.push_back(messageOf(row));
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
