#include "app/gui/search/LocatorController.h"
#include "app/gui/buffers/BuffersController.h"
#include "app/gui/fusion/FusionController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/help/HelpController.h"
#include "app/gui/pipeline/PipelineController.h"
#include "app/gui/search/FrontView.h"
#include "app/gui/search/HistoryController.h"
#include "app/gui/search/SearchController.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/BufferMethods.h"
#include "core/protocol/methods/FusionMethods.h"
#include "core/protocol/methods/ScheduleMethods.h"
#include "core/protocol/methods/SearchMethods.h"
#include "views/common/Numbers.h"
#include "views/locator/LocatorPopup.h"
#include "views/text/TextView.h"
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Long enough to pass a row by, short enough to feel at once.
static constexpr int previewPauseMs = 110;
/// What the window knows is shown without the engine's part after this.
static constexpr int lateMs = 60;
/// Names are got ready when nobody asked for anything else for so long.
static constexpr int idleMs = 700;
static constexpr int mostOfAKind = 60, mostRecent = 12;

LocatorController::LocatorController(Shell &shell, const Places &places)
    : Controller(shell), places_(places), popup_(new LocatorPopup(&shell.window())),
      open_(command(tr("Go to An&ything…"), u"search"_s, {QKeySequence(u"Ctrl+K"_s)})) {
  open_->setToolTip(tr("Ops, values, layers, steps, commands, settings, help: by their name (Ctrl+K)"));
  on(open_, [this] { open(); });
  open_->setIconText(tr("Go to…"));
  shell.menus().add(Place::BarFind, {open_});
  QAction *commands = command(tr("&Commands…"), {}, {QKeySequence(u"Ctrl+Shift+P"_s)});
  on(commands, [this] { open(u">"_s); });
  shell.menus().add(Place::ViewFind, {open_, commands});
  for (QTimer *timer : {&previewTimer_, &lateTimer_, &prepareTimer_})
    timer->setSingleShot(true);
  connect(popup_, &LocatorPopup::typed, this, &LocatorController::search);
  connect(popup_, &LocatorPopup::accepted, this, &LocatorController::accept);
  connect(popup_, &LocatorPopup::cancelled, this, &LocatorController::goBack);
  connect(popup_, &LocatorPopup::left, this, [this] {
    previewTimer_.stop();
    start_.reset();
    places_.navigation.endPeeking(/*goesBack=*/false);
  });
  connect(popup_, &LocatorPopup::moved, this, [this](const LocatorEntry &entry) {
    wanted_ = entry;
    previewTimer_.start(previewPauseMs);
  });
  connect(&previewTimer_, &QTimer::timeout, this, [this] {
    if (wanted_)
      preview(*std::exchange(wanted_, std::nullopt));
  });
  connect(&lateTimer_, &QTimer::timeout, this, [this] {
    publish(false, session().state() == EngineSession::State::Recording
                       ? tr("The engine is recording; names in the IR appear when it has finished")
                       : tr("Searching the IR…"));
  });
  connect(&prepareTimer_, &QTimer::timeout, this, &LocatorController::prepare);
}

void LocatorController::open(const QString &typed) {
  places_.pipeline.requestCatalog();
  requestHelp();
  if (!start_ && session().hasDocument()) {
    start_ = {places_.navigation.current(),
              frontView(shell().centre()).value_or(View::Graph),
              places_.steps.currentRow(),
              {}};
    places_.graph.saveDocument(start_->looks);
  }
  hasMoved_ = false;
  collect();
  prepare();
  popup_->open(typed);
}

void LocatorController::collect() {
  using namespace locator_sources;
  QList<QMenu *> menus;
  for (const QAction *action : shell().window().menuBar()->actions())
    if (action->menu())
      menus.append(action->menu());
  known_ = commands(menus);
  if (session().hasDocument())
    known_ += steps(places_.steps.model());
  if (places_.graph.scenes().shownSnapshot() == places_.text.snapshot())
    known_ += parts(places_.graph.outline());
  known_ += passes(places_.pipeline.catalog());
  for (LocatorEntry &entry : known_)
    entry.makeSearchable();
  known_ += help_;
}

void LocatorController::requestHelp() {
  if (std::exchange(hasHelp_, true))
    return;
  const auto add = [this](QList<LocatorEntry> entries) {
    for (LocatorEntry &entry : entries)
      entry.makeSearchable();
    help_ += entries;
    known_ += entries;
  };
  const auto failed = [this](const protocol::Error &) { hasHelp_ = false; }; // the next time, then
  const auto ask = [this, add, failed]<class Method>(HelpKind kind) {
    session().client().call<Method, protocol::ReasonHelps>(
        {}, this, [add, kind](const protocol::ReasonHelps &help) { add(locator_sources::reasons(kind, help.reasons)); },
        failed);
  };
  help_.clear();
  add(locator_sources::terms());
  ask.operator()<method::FusionHelp>(HelpKind::FusionReason);
  ask.operator()<method::BufferHelp>(HelpKind::BufferReason);
  session().client().call<method::FormHelp>(
      {}, this, [add](const protocol::FormHelps &help) { add(locator_sources::forms(help.forms)); }, failed);
}

void LocatorController::graphShown(int) { prepareTimer_.start(idleMs); }

void LocatorController::prepare() {
  prepareTimer_.stop();
  if (!isReady() || preparing_ > 0)
    return;
  places_.pipeline.requestCatalog();
  requestHelp();
  preparing_ = session().client().call<method::PrepareSearch>(
      {.snapshot = places_.text.snapshot()}, this, [this](const protocol::Nothing &) { preparing_ = 0; },
      [this](const protocol::Error &) { preparing_ = 0; });
}

void LocatorController::search(const QString &typed) {
  sinceTyped_.start();
  query_ = LocatorQuery::parse(typed);
  found_.clear();
  isComplete_ = false;
  const bool needsEngine =
      session().hasDocument() && !query_.isEmpty() && query_.sign != u'>' && query_.sign != u'#' && query_.sign != u'?';
  if (!needsEngine)
    return publish(true, {});
  lateTimer_.start(lateMs);
  ask(query_);
}

void LocatorController::ask(const LocatorQuery &query) {
  protocol::Request<method::FindNames> request{
      .snapshot = places_.text.snapshot(), .text = query.text, .limit = mostOfAKind};
  const QList<QPair<LocatorKind, QString>> names{{LocatorKind::Symbol, u"symbol"_s},
                                                 {LocatorKind::Weight, u"weight"_s},
                                                 {LocatorKind::Op, u"op"_s},
                                                 {LocatorKind::Value, u"value"_s}};
  for (const auto &[kind, name] : names)
    if (query.wants(kind))
      request.kinds.append(name);
  // "12" alone is no place, unless it is asked for as one.
  if (query.sign == u':' || (query.sign.isNull() && query.text.contains(u':')))
    request.kinds.append(u"location"_s);
  session().client().call<method::FindNames>(
      request, this,
      [this, query](const protocol::SearchHits &hits) {
        if (query != query_)
          return;
        for (const protocol::SearchHit &hit : hits.hits)
          found_.append(locator_sources::entryOf(hit, hits.snapshot));
        QStringList counts;
        for (auto total = hits.totals.begin(); total != hits.totals.end(); ++total)
          if (total.value() > mostOfAKind)
            counts.append(tr("%1 of %2 %3s").arg(mostOfAKind).arg(groupedNumber(total.value()), total.key()));
        publish(true, counts.isEmpty() ? QString() : tr("Shown: %1").arg(counts.join(u", "_s)));
      },
      [this, query](const protocol::Error &error) {
        if (query == query_)
          publish(true, error.code == protocol::Error::Cancelled ? QString() : error.message);
      },
      u"locator"_s);
}

/// Nothing is typed: what was used last, and what can be typed.
QList<LocatorEntry> LocatorController::atRest() const {
  QList<LocatorEntry> entries;
  const auto add = [&entries](LocatorEntry entry) {
    entry.rank = NameRank::Exact;
    if (std::none_of(entries.begin(), entries.end(),
                     [&entry](const LocatorEntry &other) { return other.key() == entry.key(); }))
      entries.append(entry);
  };
  for (const LocatorEntry &entry : recent_) {
    if (!entry.action) {
      add(entry);
      continue;
    }
    for (const LocatorEntry &now : known_) // whether it can be used now is another matter
      if (now.action == entry.action)
        add(now);
  }
  for (const QString &name : recentCommands_)
    for (const LocatorEntry &entry : known_)
      if (entry.action && entry.name == name && entries.size() < mostRecent)
        add(entry);
  return entries + locator_sources::prefixes();
}

QList<LocatorEntry> LocatorController::textEntries() const {
  if (!session().hasDocument() || query_.isEmpty() || !query_.sign.isNull())
    return {};
  LocatorEntry find{.kind = LocatorKind::Text,
                    .name = tr("Find “%1” in the IR").arg(query_.text),
                    .detail = tr("every place, as text")};
  LocatorEntry history{.kind = LocatorKind::History,
                       .name = tr("“%1” across the steps").arg(query_.text),
                       .detail = tr("which introduced, changed or removed it")};
  find.rank = history.rank = NameRank::Scattered;
  return {find, history};
}

QList<LocatorEntry> LocatorController::lineEntries() const {
  bool isNumber = false;
  const int line = query_.text.toInt(&isNumber);
  const TextSource *source = places_.text.view().source();
  if (query_.sign != u':' || !isNumber || !source || line < 1 || line > source->lineCount())
    return {};
  LocatorEntry entry{.kind = LocatorKind::Line, .name = tr("Line %1 of the shown step").arg(groupedNumber(line))};
  entry.detail = source->line(line - 1).value_or(QString()).trimmed();
  entry.rank = NameRank::Exact;
  entry.snapshot = places_.text.snapshot();
  entry.line = line - 1;
  return {entry};
}

void LocatorController::publish(bool isComplete, const QString &note) {
  lateTimer_.stop();
  QString below = note;
  if (query_.isEmpty() && query_.sign.isNull()) {
    popup_->setEntries(atRest());
    below = tr("Up and Down show where a row leads, Return goes there, Esc goes back");
  } else {
    QList<LocatorEntry> entries =
        locator_sources::matching(known_, query_, query_.sign.isNull() ? mostOfAKind : LocatorModel::most);
    entries += found_ + lineEntries() + textEntries();
    popup_->setEntries(LocatorModel::sorted(entries));
    if (below.isEmpty())
      below = entries.isEmpty() ? tr("No match") : counted(popup_->model().rowCount(), tr("result"), tr("results"));
  }
  popup_->setNote(below);
  if (isComplete && !isComplete_) {
    isComplete_ = true;
    emit completed(sinceTyped_.elapsed());
  }
}

void LocatorController::preview(const LocatorEntry &entry) {
  if (!popup_->isVisible())
    return;
  hasMoved_ = true;
  goTo(entry, false);
}

void LocatorController::accept(const LocatorEntry &entry) {
  previewTimer_.stop();
  lateTimer_.stop();
  start_.reset();
  remember(entry);
  popup_->close();
  if (entry.action)
    entry.action->trigger();
  else if (entry.kind == LocatorKind::Help && HelpKind(entry.row) == HelpKind::FusionReason)
    places_.fusion.explain(entry.name);
  else if (entry.kind == LocatorKind::Help && HelpKind(entry.row) == HelpKind::BufferReason)
    places_.buffers.explain(entry.name);
  else if (entry.kind == LocatorKind::Help && HelpKind(entry.row) == HelpKind::Term)
    places_.help.showTerm(entry.name);
  else if (entry.kind == LocatorKind::Help)
    places_.help.showForm(entry.name);
  else if (entry.kind == LocatorKind::Pass)
    places_.help.showPass(entry.name);
  else if (entry.kind == LocatorKind::Text)
    places_.search.findInText(query_.text);
  else if (entry.kind == LocatorKind::History)
    places_.history.followText(query_.text);
  else
    goTo(entry, true);
  places_.navigation.endPeeking(/*goesBack=*/false);
}

void LocatorController::goTo(const LocatorEntry &entry, bool stay) {
  popup_->setHeld(true);
  NavigationController &navigation = places_.navigation;
  const auto go = [&](const Spot &spot) { stay ? navigation.goTo(spot) : navigation.peekAt(spot); };
  switch (entry.kind) {
  case LocatorKind::Step:
    go({.snapshot = places_.steps.model().snapshotAt(entry.row)});
    break;
  case LocatorKind::Part:
    places_.graph.goToPart(entry.row);
    break;
  case LocatorKind::Dispatch:
    go({.snapshot = places_.text.snapshot(), .op = entry.op});
    break;
  case LocatorKind::Line:
    go({.snapshot = entry.snapshot, .line = entry.line, .view = stay ? std::optional(View::Text) : std::nullopt});
    break;
  case LocatorKind::Symbol:
  case LocatorKind::Weight:
  case LocatorKind::Op:
  case LocatorKind::Value:
  case LocatorKind::Location:
    go({.snapshot = entry.snapshot, .op = entry.op, .line = entry.line});
    break;
  default:
    break;
  }
  popup_->setHeld(false);
  if (popup_->isVisible())
    popup_->edit()->setFocus();
}

void LocatorController::goBack() {
  previewTimer_.stop();
  lateTimer_.stop();
  popup_->close();
  const std::optional<Start> start = std::exchange(start_, std::nullopt);
  if (!start || !hasMoved_)
    return places_.navigation.endPeeking(/*goesBack=*/false);
  shell().showView(start->view);
  places_.steps.select(start->row);
  places_.navigation.endPeeking(/*goesBack=*/true);
  if (start->spot.op == noNode)
    places_.text.select(noNode, false);
  places_.graph.restoreDocument(start->looks); // the part that was on screen
}

void LocatorController::remember(const LocatorEntry &entry) {
  if (entry.kind == LocatorKind::Text || entry.kind == LocatorKind::History || entry.kind == LocatorKind::Line)
    return;
  if (entry.action) {
    recentCommands_.removeAll(entry.name);
    recentCommands_.prepend(entry.name);
    recentCommands_ = recentCommands_.first(std::min<qsizetype>(recentCommands_.size(), mostRecent));
  }
  recent_.removeIf([&entry](const LocatorEntry &other) { return other.key() == entry.key(); });
  recent_.prepend(entry);
  recent_ = recent_.first(std::min<qsizetype>(recent_.size(), mostRecent));
}

/// Places in a document that is gone lead nowhere.
void LocatorController::documentReset() {
  start_.reset();
  prepareTimer_.stop();
  recent_.removeIf([](const LocatorEntry &entry) {
    return !entry.action && entry.kind != LocatorKind::Help && entry.kind != LocatorKind::Pass;
  });
}

void LocatorController::stepsReplaced(int) { documentReset(); }

/// Names of a snapshot that is not looked at any more are not worth waiting for.
void LocatorController::stepShown(const ShownStep &) {
  prepareTimer_.stop();
  if (preparing_ > 0)
    session().client().cancel(std::exchange(preparing_, 0));
}

void LocatorController::saveState(Settings &settings) const {
  Controller::saveState(settings);
  settings.setText(u"recentCommands"_s, recentCommands_.join(u'\n'));
}

void LocatorController::restoreState(const Settings &settings) {
  Controller::restoreState(settings);
  recentCommands_ = settings.text(u"recentCommands"_s).split(u'\n', Qt::SkipEmptyParts);
}

} // namespace fuselage
