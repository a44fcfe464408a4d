#include "app/gui/engine/EngineController.h"
#include "app/gui/engine/OpenProgress.h"
#include "app/gui/export/ExportController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/log/LogController.h"
#include "app/gui/plugins/PluginsController.h"
#include "app/gui/shell/CrashText.h"
#include "app/gui/shell/Settings.h"
#include "views/common/Numbers.h"
#include "views/widgets/Banner.h"
#include <QFileInfo>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QToolButton>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

EngineController::EngineController(Shell &shell, GraphController &graph, LogController &log, ExportController &exports,
                                   PluginsController &plugins)
    : Controller(shell), opening_(new OpenProgress(session(), graph.scenes(), graph.view())), log_(log),
      exports_(exports), plugins_(plugins), label_(new QLabel), progress_(new QProgressBar),
      cancelButton_(new QToolButton), cancel_(command(tr("&Cancel"), u"stop"_s, {QKeySequence(u"Ctrl+."_s)})),
      graph_(graph) {
  addCommands();
  buildStatus();
  followProgress(session());
  connect(opening_, &OpenProgress::activeChanged, this, &EngineController::showBusy);
  connect(&session(), &EngineSession::gaveUp, this, &EngineController::gaveUp);
  connect(&graph.scenes(), &GraphScenes::shown, this, [this](int snapshot) {
    // A step that crashed stays in the list until another one runs.
    if (snapshot != crashSnapshot_ && !(this->session().lastCrash() && this->session().lastCrash()->step))
      forgetCrash();
  });
}

void EngineController::addCommands() {
  QAction *restart = command(tr("Restart &Engine"));
  QAction *choose = command(tr("Engine &Command…"));
  cancel_->setEnabled(false);
  on(cancel_, [this] { opening_->isActive() ? opening_->cancel() : session().cancel(); });
  on(restart, [this] { session().start(); });
  on(choose, [this] { chooseCommand(); });
  shell().menus().add(Place::RunCancel, {cancel_});
  shell().menus().add(Place::RunEngine, {restart, choose});
  shell().addPreference(
      {.section = tr("Engine"),
       .name = tr("Engine command"),
       .hint = tr("The command line that starts the engine, such as ssh host fuselage serve; empty: the "
                  "engine of this installation. The engine starts again when it changes."),
       .kind = Preference::Kind::Text,
       .value = [this] { return settings().engineCommand(); },
       .set = [this](const QString &command) { useCommand(command); }});
  cancel_->setPriority(QAction::LowPriority);
  shell().menus().add(Place::BarCancel, {cancel_});
}

void EngineController::buildStatus() {
  progress_->setTextVisible(false);
  progress_->setFixedSize(110, 8);
  progress_->setVisible(false);
  progress_->setAccessibleName(tr("Progress"));
  cancelButton_->setDefaultAction(cancel_);
  cancelButton_->setAutoRaise(true);
  cancelButton_->setIconSize(QSize(14, 14));
  cancelButton_->setVisible(false);
  shell().addStatus(StatusPlace::Engine, label_);
  shell().addStatus(StatusPlace::Progress, progress_);
  shell().addStatus(StatusPlace::Cancel, cancelButton_);
}

void EngineController::followProgress(EngineSession &session) {
  const auto show = [this](qint64 done, qint64 total) {
    progress_->setRange(0, int(total));
    progress_->setValue(int(done));
  };
  connect(&session, &EngineSession::stepStarted, this,
          [show](const protocol::StepStarted &step) { show(step.index, step.total); });
  connect(&session, &EngineSession::runProgress, this,
          [show](const protocol::RunProgress &run) { show(run.done, run.total); });
  connect(&session, &EngineSession::recorded, this, [this](const protocol::Recording &recording) {
    if (!recording.failed)
      forgetCrash();
  });
  connect(&session, &EngineSession::runFinished, this, &EngineController::forgetCrash);
  connect(&session, &EngineSession::fused, this, &EngineController::forgetCrash);
  connect(&session, &EngineSession::historyMoved, this, &EngineController::forgetCrash);
  connect(&session, &EngineSession::opened, this, &EngineController::forgetCrash);
  connect(&session, &EngineSession::fuseProgress, this,
          [show](const protocol::FuseProgress &fuse) { show(fuse.done, fuse.total); });
}

void EngineController::sessionChanged() {
  label_->setText(tr("Engine: %1").arg(EngineSession::stateText(session().state())));
  label_->setToolTip(session().command().join(u' '));
  showBusy();
  if (session().state() == EngineSession::State::Ready) // it may have been started by the menu
    hideBanner(std::exchange(gaveUpText_, {}));
}

void EngineController::showBusy() {
  const bool isBusy = session().isBusy() || opening_->isActive();
  cancel_->setEnabled(isBusy);
  cancelButton_->setVisible(isBusy);
  progress_->setVisible(isBusy);
  if (isBusy)
    progress_->setRange(0, 0);
}

void EngineController::chooseCommand() {
  bool accepted = false;
  const QString command = QInputDialog::getText(&shell().window(), tr("Engine command"),
                                                tr("Command line that starts the engine, such as\n"
                                                   "ssh host fuselage serve\n\n"
                                                   "Empty: the engine of this installation."),
                                                QLineEdit::Normal, settings().engineCommand(), &accepted);
  if (!accepted)
    return;
  useCommand(command);
}

void EngineController::useCommand(const QString &command) {
  settings().setEngineCommand(command);
  settings().setEngineOfStart({});
  session().setPlace({}, settings().engineOfStart());
  session().start();
}

static Banner::Kind kindOf(const CrashReport &report) {
  return report.cancelled ? Banner::Kind::Info : Banner::Kind::Error;
}

/// With the plugin that it died in.
QString EngineController::textOf(const CrashReport &report) const {
  const QString text = crashText(report);
  const protocol::Plugin *plugin = report.cancelled ? nullptr : plugins_.blamed(report);
  return plugin ? tr("%1, in the plugin %2 (%3)").arg(text, plugin->name, QFileInfo(plugin->path).fileName()) : text;
}

/// A plugin of the user's list; one of the command line cannot be switched off here.
void EngineController::offerToDisable(const QString &plugin) {
  if (plugins_.isInList(plugin))
    shell().banner().addButton(tr("Disable the Plugin"), this, [this, plugin] {
      shell().banner().hide();
      plugins_.disable(plugin);
    });
}

void EngineController::engineDied(const CrashReport &report) {
  if (report.cancelled && report.wasRunning) // the Run panel says what came of it
    return;
  const protocol::Plugin *plugin = report.cancelled ? nullptr : plugins_.blamed(report);
  crashPlugin_ = plugin ? plugin->path : QString();
  crash_ = textOf(report);
  shell().banner().showMessage(kindOf(report), tr("%1 — restarting\u2026").arg(crash_));
}

void EngineController::engineRecovered(int steps) {
  const std::optional<CrashReport> &report = session().lastCrash();
  if (crash_.isEmpty() || !report)
    return;
  Banner &banner = shell().banner();
  const QString back =
      steps > 0 ? tr("restarted with %1").arg(counted(steps, tr("step"), tr("steps"))) : tr("restarted");
  bannerText_ = tr("%1 — %2").arg(crash_, back);
  crashSnapshot_ = graph_.scenes().snapshot();
  banner.showMessage(kindOf(*report), bannerText_);
  if (report->step)
    banner.addButton(tr("Save Reproducer\u2026"), this, [this] { exports_.saveCrashReproducer(); });
  if (!crashPlugin_.isEmpty())
    offerToDisable(crashPlugin_);
  banner.addButton(tr("Details"), this, [this] { log_.raise(); });
  crash_.clear();
}

void EngineController::forgetCrash() {
  if (!crash_.isEmpty())
    return; // it is not back yet
  hideBanner(std::exchange(bannerText_, {}));
  emit shell().errorOver(u"engine"_s);
}

/// Where it is still there.
void EngineController::hideBanner(const QString &text) {
  if (!text.isEmpty() && shell().banner().text() == text)
    shell().banner().hide();
}

void EngineController::gaveUp(const QString &reason) {
  Banner &banner = shell().banner();
  gaveUpText_ = tr("The engine is not running: %1").arg(reason);
  banner.showMessage(Banner::Kind::Error, gaveUpText_);
  banner.addButton(tr("Start Again"), this, [this] {
    shell().banner().hide();
    session().start();
  });
  if (!session().arguments().isEmpty())
    banner.addButton(tr("Start Without Plugins"), this, [this] {
      shell().banner().hide();
      plugins_.startWithout();
    });
  banner.addButton(tr("Engine Command…"), this, [this] { chooseCommand(); });
}

} // namespace fuselage
