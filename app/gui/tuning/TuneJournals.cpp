#include "app/gui/tuning/TuneJournals.h"
#include "app/bridge/EngineSession.h"
#include "app/gui/replies/ViewData.h"
#include <QFileDialog>
#include <QInputDialog>

using namespace Qt::StringLiterals;

namespace fuselage {

TuneJournals::TuneJournals(EngineSession &session, QWidget &window, QObject *parent)
    : QObject(parent), session_(session), window_(window) {}

void TuneJournals::choose(const QString &objective) {
  show(QFileDialog::getOpenFileName(&window_,
                                    tr("Show a journal of trials (cancel: the window's own)"), {},
                                    tr("Journals (*.jsonl);;All files (*)")),
       objective);
}

void TuneJournals::show(const QString &path, const QString &objective) {
  QJsonObject params{{u"objective"_s, objective}};
  if (!path.isEmpty())
    params[u"journal"_s] = path;
  session_.client().call<protocol::TuneJournal>(
      u"tune/journal"_s, params, this,
      [this](const protocol::TuneJournal &journal) { take(journal); },
      [this](const protocol::Error &error) { emit failed(error.message); });
}

/// The trials of one work; of several, the user says which.
void TuneJournals::take(const protocol::TuneJournal &journal) {
  if (journal.works.isEmpty())
    return emit failed(tr("The journal %1 has no trials").arg(journal.path));
  QStringList names;
  for (int i = int(journal.works.size()) - 1; i >= 0; --i) { // the latest first
    const protocol::TuneWork &work = journal.works[i];
    names.append(
        tr("%1: @%2, %3, %4 trials").arg(i + 1).arg(work.dispatch, work.device).arg(work.trials));
  }
  bool isChosen = true;
  const QString name = names.size() == 1
                           ? names.first()
                           : QInputDialog::getItem(&window_, tr("Trials of what?"), journal.path,
                                                   names, 0, false, &isChosen);
  if (!isChosen)
    return;
  const int wanted = int(journal.works.size()) - 1 - int(names.indexOf(name));
  QList<protocol::TuneTrial> trials;
  for (const protocol::TuneTrial &trial : journal.trials)
    if (trial.work == wanted)
      trials.append(trial);
  emit chosen(trials, tr("From the journal %1: %2").arg(journal.path, name));
}

} // namespace fuselage
