#include "app/gui/tuning/TuneKnobs.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/replies/ViewData.h"
#include "app/gui/run/RunController.h"
#include "app/gui/schedule/ScheduleController.h"
#include "app/gui/schedule/ScriptController.h"
#include "app/gui/text/TextController.h"
#include "app/gui/tuning/TuneTiles.h"
#include "views/models/Format.h"
#include "views/tiles/TileCanvas.h"
#include "views/tuning/KnobList.h"
#include "views/tuning/TrialViews.h"
#include "views/tuning/TuningPanel.h"
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int watchingMs = 4;

TuneKnobs::TuneKnobs(Shell &shell, TuningPanel &panel, const TunedViews &views, QObject *parent)
    : QObject(parent), shell_(shell), panel_(panel), views_(views),
      tiles_(new TuneTiles(shell.session(), panel.tile(), views.tiles, this)), draft_(shell, u"knobs"_s),
      place_(shell, this) {
  connect(&watching_, &QTimer::timeout, this, &TuneKnobs::checkShown);
  connect(&views_.text, &TextController::selectionChanged, this, &TuneKnobs::select);
  connect(&panel_.knobs(), &KnobList::valueChosen, this, &TuneKnobs::move);
  select(views_.text.snapshot(), views_.text.selected());
  hintAtSubject();
}

/// The dispatch alone has the same op under another number, and what is selected there says nothing of what is tuned.
void TuneKnobs::select(int snapshot, qint64 id) {
  if (place_.isShown()) {
    returns_ = true;
    return;
  }
  if (returns_ && id == noNode)
    return;
  returns_ = false;
  selectedSnapshot_ = snapshot;
  selected_ = id;
  dispatch_ = id == noNode || !shell_.session().hasDocument() ? QString() : views_.run.dispatchPlace(id);
  emit selected();
}

void TuneKnobs::move(const QString &name, const QString &value) {
  QMap<QString, QString> values = panel_.knobs().values();
  values.insert(name, value);
  moved_.start();
  lastMilliseconds_ = -1;
  watching_.start(watchingMs);
  request(values, name);
}

bool TuneKnobs::isReady() const {
  return shell_.session().state() == EngineSession::State::Ready && shell_.session().hasDocument();
}

std::optional<TuneKnobs::Subject> TuneKnobs::wantedSubject() const {
  const bool isSchedule = panel_.subject() == TuningPanel::Subject::Schedule,
             isAll = panel_.subject() == TuningPanel::Subject::All;
  const EngineSession &session = shell_.session();
  if (!session.hasDocument() || (isSchedule ? views_.scripts.isEmpty() : !isAll && dispatch_.isEmpty()))
    return std::nullopt;
  Subject subject{.device = panel_.device(), .sizes = views_.run.dynamicSizes()};
  if (!isSchedule) {
    subject.snapshot = session.keptSteps();
    subject.all = isAll;
    if (!isAll)
      subject.dispatch = dispatch_;
    return subject;
  }
  subject.snapshot = views_.schedule.startSnapshot();
  subject.path = views_.scripts.path().isEmpty() ? views_.scripts.fileName() : views_.scripts.path();
  subject.text = views_.scripts.text();
  if (hasSchedule())
    subject.fixed = panel_.knobs().fixed();
  return subject;
}

void TuneKnobs::hintAtSubject() {
  if (!shell_.session().hasDocument())
    panel_.knobs().setHint(tr("No module is open"),
                           tr("Open one, and a schedule with knobs, or select a dispatch in the graph."));
  else if (panel_.subject() == TuningPanel::Subject::Schedule)
    panel_.knobs().setHint(tr("No schedule is open"),
                           tr("Open a script with transform.tune.knob in the Schedule panel, such as "
                              "samples/schedules/batch_matmul_knobs.mlir; "
                              "or choose at the top left to tune the selected dispatch, or all of them: "
                              "what the pipeline chooses for each is a space, too."));
  else
    panel_.knobs().setHint(tr("No dispatch is selected"), tr("Select a box of the graph, or an op in one."));
}

void TuneKnobs::refresh(bool isVisible, bool isIdle) {
  const ScriptController &scripts = views_.scripts;
  panel_.setSubjects(scripts.isEmpty() ? QString() : QFileInfo(scripts.fileName()).fileName(),
                     withoutDirectories(dispatch_));
  if (!isVisible || !isIdle)
    return;
  const bool wantsSchedule = panel_.subject() == TuningPanel::Subject::Schedule;
  if (scripts.isEmpty() && !dispatch_.isEmpty() && wantsSchedule) // there is none
    panel_.setSubject(TuningPanel::Subject::Dispatch);
  const std::optional<Subject> wanted = wantedSubject();
  if (!wanted) {
    shown_.reset();
    panel_.setRunnable(false);
    place_.leave();
    return hintAtSubject();
  }
  if (wanted == shown_ || !isReady())
    return;
  // Of the same knobs, they stay where they are: those of a script, or of a dispatch on one device.
  const Subject before = shown_.value_or(Subject());
  const bool isSame = panel_.knobs().hasSpace() && before.text == wanted->text && before.dispatch == wanted->dispatch &&
                      (wanted->text || (shown_ && before.device == wanted->device));
  const QMap<QString, QString> values = isSame ? panel_.knobs().values() : QMap<QString, QString>();
  shown_ = wanted;
  place_.leave();
  panel_.setMessage({}, false);
  if (hasDispatches())
    return showAll();
  if (isSame)
    request(values, {});
  else
    requestKept();
}

/// What the knobs belong to: a script, or a dispatch on a device.
static QString keyOf(const TuneKnobs::Subject &subject) {
  return subject.path.isEmpty() ? subject.dispatch + u" on "_s + subject.device : QString(subject.path);
}

void TuneKnobs::keepValues() {
  QJsonObject values;
  const QMap<QString, QString> set = panel_.knobs().values();
  for (auto it = set.begin(); it != set.end(); ++it)
    values.insert(it.key(), it.value());
  kept_.insert(keyOf(*shown_), values);
  draft_.keep(kept_);
}

QMap<QString, QString> TuneKnobs::keptValues() const {
  QMap<QString, QString> values;
  const QJsonObject kept = kept_[keyOf(*shown_)].toObject();
  for (auto it = kept.begin(); it != kept.end(); ++it)
    values.insert(it.key(), it.value().toString());
  return values;
}

/// A script that has other knobs since begins where the engine lets it.
void TuneKnobs::requestKept() {
  const QMap<QString, QString> values = keptValues();
  if (values.isEmpty())
    return request({}, {});
  asked_ = shell_.session().client().call<method::TuneSpace>(
      {.subject = *shown_, .values = values, .moved = values.firstKey()}, this,
      [this](const protocol::TuneSpace &space) {
        asked_ = 0;
        take(space);
      },
      [this](const protocol::Error &error) {
        if (error.code == protocol::Error::Cancelled) // another one is asked for
          return;
        asked_ = 0;
        request({}, {});
      },
      u"tune/space"_s);
}

void TuneKnobs::restoreDraft(const QString &tab) {
  draft_.leave();
  kept_ = draft_.restore(tab);
  if (!kept_.isEmpty())
    shown_.reset(); // asked for without them, maybe
}

void TuneKnobs::renew() {
  if (!hasDispatches())
    request(panel_.knobs().values(), {});
}

/// Each dispatch has knobs of its own, which are known once it is its turn.
void TuneKnobs::showAll() {
  panel_.setRunnable(isReady());
  panel_.knobs().setHint(tr("All dispatches of the function"),
                         tr("Tune searches sizes for each dispatch, the slowest first and equal ones once. The budget "
                            "is for all together, or for each; about 40 trials per dispatch find most of what there "
                            "is. Faster sizes go to the tuning library, which runs read."));
  tiles_->clear(tr("No dispatch is chosen"), tr("Choose one dispatch at the top left to see its tiles."));
  emit spaceShown();
}

void TuneKnobs::request(const QMap<QString, QString> &values, const QString &moved) {
  if (!shown_)
    return;
  const bool moves = !moved.isEmpty();
  asked_ = shell_.session().client().call<method::TuneSpace>(
      {.subject = *shown_, .values = values, .moved = moved}, this,
      [this, moves](const protocol::TuneSpace &space) {
        asked_ = 0;
        take(space);
        if (moves) {
          keepValues();
          follow();
        } else if (space.tile && panel_.isIdle() && !panel_.hasTrials())
          panel_.trials().setCurrentWidget(&panel_.tile()); // there is nothing else to see yet
      },
      [this](const protocol::Error &error) {
        if (error.code == protocol::Error::Cancelled) // another one is asked for
          return;
        asked_ = 0;
        shown_.reset();
        panel_.setRunnable(false);
        panel_.knobs().setHint(tr("There is nothing to tune"), error.message.section(u'\n', 0, 4));
        emit spaceFailed();
      },
      u"tune/space"_s);
}

void TuneKnobs::take(const protocol::TuneSpace &space) {
  panel_.knobs().setSpace(space, hasSchedule());
  panel_.trials().setKnobs(space.knobs);
  panel_.setRunnable(space.problem.isEmpty() && isReady());
  showTile(space);
  emit spaceShown();
}

void TuneKnobs::showTile(const protocol::TuneSpace &space) {
  if (space.tile && (hasSchedule() || selected_ >= 0))
    tiles_->show(hasSchedule() ? views_.schedule.startSnapshot() : selectedSnapshot_,
                 hasSchedule() ? space.tile->op : selected_, *space.tile, views_.run.dynamicSizes());
  else if (hasSchedule())
    tiles_->clear(tr("The tiles are not known"), tr("Tiles are shown of an op that a transform.structured.match finds "
                                                    "by its name alone, with sizes that follow from the knobs."));
  else if (panel_.device() == "host"_L1)
    tiles_->clear(tr("No tile of the op"),
                  tr("A knob of 0 leaves the choice to the pipeline. If the host collapses several loops into one or "
                     "rewrites the op, a task is no tile of the loops of the op."));
  else
    tiles_->clear(tr("The pipeline chooses the tiles"), tr("Move a knob away from 0, and its tiles are shown here."));
}

void TuneKnobs::checkShown() {
  const bool awaitsPlace = panel_.follows() && !(views_.schedule.isSettled() && stepAsked_ == 0 &&
                                                 views_.graph.isSettled() && views_.text.isSettled());
  if (asked_ != 0 || !tiles_->isSettled() || awaitsPlace)
    return;
  watching_.stop();
  lastMilliseconds_ = double(moved_.nsecsElapsed()) / 1e6;
}

void TuneKnobs::set(const QMap<QString, QString> &values) {
  if (!hasDispatches()) // each dispatch has knobs of its own
    request(values, values.isEmpty() ? QString() : values.firstKey());
}

void TuneKnobs::follow() {
  if (!panel_.follows() || !panel_.isVisible() || !panel_.isIdle())
    return;
  if (hasSchedule())
    views_.schedule.runWithKnobs(panel_.knobs().values());
  else if (shown_ && !shown_->dispatch.isEmpty() && panel_.knobs().hasSpace())
    showStep();
}

void TuneKnobs::showStep() {
  stepAsked_ = shell_.session().client().call<method::TuneStep>(
      {.subject = *shown_, .values = panel_.knobs().values()}, this,
      [this, subject = shown_](const protocol::TuneStep &step) {
        stepAsked_ = 0;
        if (subject == shown_ && panel_.follows())
          place_.show(step.snapshot, step.before, step.title, tr("Tuning: the dispatch alone, with these knobs"));
      },
      [this](const protocol::Error &error) {
        if (error.code == protocol::Error::Cancelled) // another one is asked for
          return;
        stepAsked_ = 0;
        if (error.code != protocol::Error::EngineGone)
          panel_.setMessage(
              tr("The dispatch cannot be shown with these knobs: %1").arg(error.message.section(u'\n', 0, 2)), true);
      },
      u"tune/step"_s);
}

bool TuneKnobs::isSettled() const { return asked_ == 0 && stepAsked_ == 0 && tiles_->isSettled(); }

void TuneKnobs::opened() {
  place_.forgetDocument();
  dispatch_.clear();
  returns_ = false;
  engineDied();
  hintAtSubject();
}

void TuneKnobs::engineDied() {
  watching_.stop();
  asked_ = stepAsked_ = 0;
  shown_.reset();
  place_.leave();
}

} // namespace fuselage
