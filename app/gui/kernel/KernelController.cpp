#include "app/gui/kernel/KernelController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/run/DeviceModels.h"
#include "app/gui/run/RunController.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/OpMethods.h"
#include "core/protocol/methods/TextMethods.h"
#include "views/kernel/KernelPanel.h"
#include "views/messages/KernelTypes.h"
#include "views/widgets/StepChip.h"
#include "views/widgets/TargetBox.h"
#include <QDockWidget>
#include <QFileInfo>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace fuselage {

KernelController::KernelController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text,
                                   RunController &run)
    : Controller(shell),
      dock_(shell.docks().add(
          {.name = u"kernel"_s, .title = tr("Kernel"), .shortcut = u"Alt+J"_s, .beside = u"log"_s, .extent = 320},
          panel_.place())),
      steps_(steps), graph_(graph), text_(text), run_(run) {
  connect(&text, &TextController::selectionChanged, this, &KernelController::select);
  connect(&shell.docks().chip(dock_), &StepChip::clicked, this, [this] { steps_.goTo(session().keptSteps()); });
  panel_.tell([this](const KernelPanel &panel) {
    connect(&panel, &KernelPanel::targetChanged, this, &KernelController::refresh);
    connect(&panel, &KernelPanel::placeActivated, this, &KernelController::goTo);
    connect(&panel, &KernelPanel::checkWanted, this, &KernelController::check);
    connect(&panel, &KernelPanel::checkUnwanted, this, &KernelController::stopCheck);
  });
  connect(&session(), &EngineSession::kernelProgress, this, [this](const protocol::KernelProgress &progress) {
    if (checking_ != 0)
      panel_->setCheckProgress(progress.done, progress.total);
  });
  connect(dock_, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible)
      refresh();
  });
}

KernelPanel &KernelController::panel() { return panel_.get(); }

void KernelController::raise() { shell().docks().raise(dock_, 0.5); }

void KernelController::select(int snapshot, NodeId id) {
  snapshot_ = snapshot;
  id_ = id;
  refresh();
}

void KernelController::documentReset() {
  shown_.clear();
  select(0, noNode);
}

void KernelController::engineRecovered(int) {
  shown_.clear();
  asked_ = 0;
  checking_ = 0;
  panel_.tell(u"checking"_s, [](KernelPanel &panel) { panel.setChecking(false); });
  refresh();
}

void KernelController::stepShown(const ShownStep &step) {
  onScreen_ = step.snapshot;
  showWhere();
}

/// Kernels are compiled of the program: the input, or what was fused.
void KernelController::showWhere() {
  StepChip &chip = shell().docks().chip(dock_);
  if (shown_.isEmpty() || session().keptSteps() == onScreen_)
    chip.clear();
  else
    chip.tell(steps_.nameOf(session().keptSteps()), tr("The kernels are of this step. A click shows it"));
}

void KernelController::sessionChanged() { refresh(); }

void KernelController::refresh() {
  if (!dock_->isVisible())
    return;
  offerModels(session(), panel_->target());
  const QString place = id_ == noNode || !session().hasDocument() ? QString() : run_.dispatchPlace(id_);
  if (place.isEmpty()) {
    shown_.clear();
    showWhere();
    if (id_ == noNode)
      panel_->setMessage(tr("No dispatch is selected"),
                         tr("Select an op of a dispatch in the graph to see the code of its kernels."));
    else
      panel_->setMessage(tr("This op is in no dispatch"),
                         tr("Select one that is in a dispatch of the graph. What is not lowered to linalg, as Torch or "
                            "StableHLO, forms none."));
    return;
  }
  if (!isReady())
    return;
  const QString wanted = QStringList{place, QString::number(session().keptSteps()), panel_->target()->language(),
                                     panel_->target()->device(), panel_->chip()}
                             .join(u'\n');
  if (wanted != shown_) {
    shown_ = wanted;
    request();
  }
  showWhere();
  requestPlace();
}

template <class Method> protocol::Request<Method> KernelController::wanted() const {
  const TargetBox &target = *panel_->target();
  protocol::Request<Method> request{.kernels = {.snapshot = session().keptSteps(),
                                                .dispatch = shown_.section(u'\n', 0, 0),
                                                .chip = panel_->chip(),
                                                .device = target.device(),
                                                .sizes = run_.dynamicSizes()}};
  if (target.device().isEmpty())
    request.target = target.language() == "ptx"_L1    ? method::KernelTarget::Ptx
                     : target.language() == "host"_L1 ? method::KernelTarget::Host
                                                      : method::KernelTarget::Spirv;
  return request;
}

void KernelController::check() {
  if (checking_ != 0 || !panel_->hasCode() || !isReady())
    return;
  panel_->setChecking(true);
  const auto finish = [this] {
    checking_ = 0;
    panel_->setChecking(false);
  };
  checking_ = session().client().call<method::CheckKernels>(
      wanted<method::CheckKernels>(), this,
      [this, finish, of = shown_](const protocol::KernelCheck &check) {
        finish();
        if (of == shown_ && panel_->hasCode())
          panel_->setCheck(check);
      },
      [this, finish, of = shown_](const protocol::Error &error) {
        finish();
        if (of == shown_ && panel_->hasCode() && error.code != protocol::Error::EngineGone)
          panel_->setCheckFailed(error.code == protocol::Error::Cancelled ? tr("it was stopped")
                                                                          : error.message.section(u'\n', 0, 4));
      },
      u"kernelCheck"_s);
}

void KernelController::stopCheck() {
  if (checking_ != 0)
    session().client().cancel(checking_);
}

void KernelController::request() {
  panel_->setMessage(tr("Compiling\u2026"), {});
  auto finish = [this, of = shown_] {
    const bool isLast = of == shown_;
    if (isLast)
      asked_ = 0;
    return isLast;
  };
  asked_ = session().client().call<method::ShowKernels>(
      wanted<method::ShowKernels>(), this,
      [this, finish](const protocol::KernelCode &code) {
        if (finish()) {
          panel_->setCode(code);
          requestPlace();
        }
      },
      [this, finish](const protocol::Error &error) {
        if (!finish())
          return;
        if (error.code == protocol::Error::Cancelled || error.code == protocol::Error::EngineGone)
          shown_.clear();
        panel_->setMessage(tr("There is no code"), error.message.section(u'\n', 0, 4));
      },
      u"kernel"_s);
}

/// Marks what comes from the selected op.
void KernelController::requestPlace() {
  if (!panel_->hasCode() || id_ < 0)
    return;
  session().client().call<method::OpDetails>(
      {.snapshot = snapshot_, .id = id_}, this,
      [this, id = id_](const protocol::OpDetails &details) {
        static const QRegularExpression form(u"^(.*):(\\d+):(\\d+)$"_s);
        const QRegularExpressionMatch match = form.match(details.loc);
        if (id == id_)
          panel_->markPlace(match.captured(1), match.captured(2).toLongLong());
      },
      [](const protocol::Error &) {}, u"kernelPlace"_s);
}

void KernelController::goTo(const QString &file, qint64 line) {
  const QString name = QFileInfo(file).fileName();
  const auto say = [this, name, line] {
    shell().tell(tr("From %1:%2, of which nothing is in this step").arg(name).arg(line));
  };
  if (!session().hasDocument() || name != QFileInfo(session().document().path).fileName())
    return say();
  session().client().call<method::OpsFromSource>(
      {.snapshot = text_.snapshot(), .line = line - 1}, this,
      [this, say, of = text_.snapshot()](const protocol::SourceOps &ops) {
        if (of != text_.snapshot() || ops.ids.isEmpty())
          return say();
        text_.point(ops.ids);
      },
      [say](const protocol::Error &) { say(); }, u"kernelSource"_s);
}

void KernelController::saveState(Settings &settings) const {
  Controller::saveState(settings);
  if (!panel_.isMade())
    return; // the settings are what they were
  settings.setText(u"kernelTarget"_s, panel_->target()->language());
  settings.setText(u"kernelDevice"_s, panel_->target()->device());
  settings.setText(u"kernelChip"_s, panel_->chip());
}

void KernelController::restoreState(const Settings &settings) {
  Controller::restoreState(settings);
  panel_.tell(u"target"_s, [chip = settings.text(u"kernelChip"_s), target = settings.text(u"kernelTarget"_s),
                            device = settings.text(u"kernelDevice"_s)](KernelPanel &panel) {
    if (!chip.isEmpty())
      panel.setChip(chip);
    if (!target.isEmpty())
      panel.target()->setLanguage(target);
    panel.target()->setDevice(device);
  });
}

} // namespace fuselage
