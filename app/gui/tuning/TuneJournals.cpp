#include "app/gui/tuning/TuneJournals.h"
#include "app/bridge/EngineSession.h"
#include "app/gui/replies/ViewData.h"
#include "views/common/Numbers.h"
#include <QFileDialog>
#include <QInputDialog>

using namespace Qt::StringLiterals;

namespace fuselage {

TuneJournals::TuneJournals(EngineSession &session, QWidget &window, QObject *parent)
    : QObject(parent), session_(session), window_(window) {}

void TuneJournals::choose(const QString &objective) {
  const QString path = QFileDialog::getOpenFileName(&window_, tr("Show a journal of trials"), {},
                                                    tr("Journals (*.jsonl);;All files (*)"));
  if (!path.isEmpty())
    show(path, objective);
}

void TuneJournals::show(const QString &path, const QString &objective) {
  stop();
  work_ = {};
  work_.objective = objective == "min"_L1 ? method::TuneObjective::Min : method::TuneObjective::Median;
  if (!path.isEmpty())
    work_.journal = path;
  ask(0, 0, [this](const protocol::TuneJournal &journal) {
    if (journal.works.isEmpty())
      return emit failed(tr("The journal %1 has no trials").arg(journal.path));
    const int work = chooseWork(journal);
    if (work < 0)
      return;
    work_.work = work;
    name_ =
        tr("From the journal %1: @%2, %3").arg(journal.path, journal.works[work].dispatch, journal.works[work].device);
    if (journal.unreadable > 0)
      name_ += tr(" (%1 no trials that this version knows)")
                   .arg(counted(journal.unreadable, tr("line is"), tr("lines are")));
    emit begun();
    askPage(0);
  });
}

void TuneJournals::stop() {
  if (const quint64 asked = std::exchange(asked_, 0)) {
    session_.client().cancel(asked);
    session_.client().forget(asked);
  }
}

void TuneJournals::ask(int from, int count, std::function<void(const protocol::TuneJournal &)> take) {
  protocol::Request<method::ReadJournal> request = work_;
  request.from = from;
  request.count = count;
  asked_ = session_.client().call<method::ReadJournal>(
      request, this,
      [this, take = std::move(take)](const protocol::TuneJournal &journal) {
        asked_ = 0;
        take(journal);
      },
      [this](const protocol::Error &error) {
        asked_ = 0;
        emit failed(error.message);
      });
}

int TuneJournals::chooseWork(const protocol::TuneJournal &journal) {
  QStringList names;
  for (int i = int(journal.works.size()) - 1; i >= 0; --i) { // the latest first
    const protocol::TuneWork &work = journal.works[i];
    names.append(tr("%1: @%2, %3, %4 trials").arg(i + 1).arg(work.dispatch, work.device, groupedNumber(work.trials)));
  }
  bool isChosen = true;
  const QString name = names.size() == 1 ? names.first()
                                         : QInputDialog::getItem(&window_, tr("Which trials?"), journal.path, names, 0,
                                                                 false, &isChosen);
  return isChosen ? int(journal.works.size()) - 1 - int(names.indexOf(name)) : -1;
}

void TuneJournals::askPage(int from) {
  ask(from, pageSize, [this, from](const protocol::TuneJournal &journal) {
    const int read = from + int(journal.trials.size());
    const bool isAll = read >= journal.matching || journal.trials.isEmpty();
    emit arrived(
        journal.trials,
        isAll ? tr("%1, %2").arg(name_, counted(read, tr("trial"), tr("trials")))
              : tr("%1, %2 of %3 trials \u2026").arg(name_, groupedNumber(read), groupedNumber(journal.matching)));
    if (!isAll)
      askPage(read);
  });
}

} // namespace fuselage
