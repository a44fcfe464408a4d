#include "app/gui/hosts/HostsController.h"
#include "app/bridge/StepPrefetch.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/graph/GraphScenes.h"
#include "app/gui/hosts/HostCommand.h"
#include "app/gui/hosts/HostInstall.h"
#include "app/gui/preferences/PreferencesController.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "views/panels/StepsPanel.h"
#include "views/text/TextView.h"
#include "views/widgets/Banner.h"
#include <QActionGroup>
#include <QLabel>
#include <QMenu>
#include <QProgressDialog>

using namespace Qt::StringLiterals;

namespace fuselage {

HostsController::HostsController(Shell &shell, PreferencesController &preferences, StepsController &steps,
                                 GraphController &graph, TextController &text)
    : Controller(shell), preferences_(preferences), steps_(steps),
      prefetch_(new StepPrefetch(session().client(), this)),
      menu_(shell.menus().addMenu(Place::RunEngine, tr("Runs &On"))), choices_(new QActionGroup(this)),
      label_(new QLabel) {
  fillMenu();
  shell.addPreferencePage({.title = tr("Hosts"),
                           .words = tr("remote machines ssh gpu container engine"),
                           .make = [this](QWidget *parent) { return makePage(parent); }});
  shell.addStatus(StatusPlace::Host, label_);
  label_->hide();
  lookAhead(graph, text);
  tick_.setInterval(1000);
  connect(&tick_, &QTimer::timeout, this, &HostsController::showLink);
  connect(&settings(), &Settings::hostsChanged, this, &HostsController::fillMenu);
  connect(&session(), &EngineSession::linkChanged, this, &HostsController::takeLink);
  connect(&session(), &EngineSession::placeChanged, this, &HostsController::fillMenu);
  connect(&session(), &EngineSession::placeChanged, this, &HostsController::followPlace);
  followPlace();
  connect(&session(), &EngineSession::gaveUp, this, [this] {
    if (link_.state == "missing"_L1)
      offerInstall();
    else if (link_.state == "refused"_L1)
      showRefusal();
  });
}

/// What the next step and the previous one will show, as far as it comes of what is shown now.
void HostsController::lookAhead(GraphController &graph, TextController &text) {
  prefetch_->setLines([&text] { return text.view().source() ? text.view().source()->lineCount() : 0; });
  prefetch_->setSelected([this, &graph, &text](const StepPrefetch::Stop &stop) {
    if (text.selected() == noNode)
      return noNode;
    const bool isForth = stop.before == sides_.after;
    return graph.scenes().across(isForth ? Sides{.before = stop.before, .after = stop.after} : sides_, text.selected(),
                                 isForth);
  });
  connect(&graph.scenes(), &GraphScenes::nextKnown, prefetch_, &StepPrefetch::refresh);
  connect(&text, &TextController::selectionMoved, prefetch_, &StepPrefetch::refresh);
}

void HostsController::fillMenu() {
  menu_->clear(); // deletes its actions
  const auto add = [this](const QString &text, const QString &host) {
    QAction *action = menu_->addAction(QString(text).replace(u'&', u"&&"_s));
    action->setCheckable(true);
    action->setChecked(session().place() == host);
    choices_->addAction(action);
    on(action, [this, host] { runOn(host); });
  };
  add(tr("This Computer"), {});
  for (const HostChoice &host : settings().hosts())
    add(host.name, host.name);
  menu_->addSeparator();
  on(menu_->addAction(tr("&Edit Hosts\u2026")), [this] { preferences_.open(tr("Hosts")); });
  if (page_)
    page_->setHosts(settings().hosts());
  sessionChanged();
}

QWidget *HostsController::makePage(QWidget *parent) {
  page_ = new HostsPage(parent);
  page_->setCheck(whyNoHost);
  page_->setHosts(settings().hosts());
  connect(page_, &HostsPage::hostsChosen, &settings(), &Settings::setHosts);
  connect(page_, &HostsPage::testRequested, this, &HostsController::test);
  return page_;
}

void HostsController::test(const QString &command) {
  delete test_;
  test_ = new RemoteAction(u"check"_s, command, this);
  page_->showResult(tr("Asking\u2026"), /*isProblem=*/false);
  connect(test_, &RemoteAction::finished, this, [this](const QJsonObject &answer, const QString &problem) {
    if (page_)
      page_->showResult(problem.isEmpty() ? describeHost(answer) : problem, !problem.isEmpty());
    test_->deleteLater();
  });
}

void HostsController::runOn(const QString &host) {
  // What is being opened has not come to the engine that ends now.
  const QString opening = session().openingPath();
  link_ = {};
  hideBanner();
  if (session().hasDocument())
    settings().setHostOfStart(session().document().path, host);
  useHost(session(), settings(), host);
  session().start();
  if (!opening.isEmpty())
    session().open(opening);
}

void HostsController::engineRecovered(int) {
  if (std::exchange(isInstalled_, false))
    shell().banner().hide();
}

/// Only where each reply takes a round trip.
void HostsController::followPlace() { prefetch_->setOn(!session().place().isEmpty()); }

void HostsController::stepShown(const ShownStep &step) {
  if (step.isPlace || !prefetch_->isOn())
    return;
  if (step.row != row_)
    isForth_ = step.row > std::exchange(row_, step.row);
  sides_ = {.before = step.step ? int(step.step->before) : -1, .after = step.snapshot};
  const auto stopAt = [this](int row) {
    const protocol::Step *led = steps_.model().stepAt(row);
    return StepPrefetch::Stop{.snapshot = steps_.model().snapshotAt(row),
                              .before = led ? int(led->before) : -1,
                              .after = led ? int(led->after) : -1};
  };
  // The next step and the one before, then those that a key held down comes to.
  const int forth = isForth_ ? 1 : -1;
  QList<StepPrefetch::Stop> around;
  for (const int rows : {forth, -forth, 2 * forth, 3 * forth, 4 * forth, -2 * forth})
    if (const int row = steps_.panel().rowAt(rows); row >= 0 && !steps_.model().crashedAt(row))
      around.append(stopAt(row));
  prefetch_->showing(stopAt(step.row), around);
}

void HostsController::saveDocument(QJsonObject &state) const {
  if (!session().place().isEmpty())
    state.insert(u"host"_s, session().place());
}

void HostsController::sessionChanged() {
  if (session().place().isEmpty()) {
    link_ = {};
    hideBanner();
  }
  showLink();
}

void HostsController::takeLink(const protocol::LinkState &link) {
  link_ = link;
  sinceLink_.start();
  showLink();
}

qint64 HostsController::downSeconds() const { return (link_.sinceMs + sinceLink_.elapsed()) / 1000; }

void HostsController::showLink() {
  const QString host = session().place();
  constexpr qint64 patienceSeconds = 10; // a login takes its time
  const bool isDown = !host.isEmpty() && link_.state == "down"_L1;
  const bool isConnecting = !host.isEmpty() && link_.state == "connecting"_L1;
  isDown || isConnecting ? tick_.start() : tick_.stop();
  label_->setVisible(!host.isEmpty());
  label_->setText(isDown                        ? tr("%1: link down").arg(host)
                  : isConnecting                ? tr("%1: connecting").arg(host)
                  : link_.state == "missing"_L1 ? tr("%1: no engine").arg(host)
                  : link_.state == "refused"_L1 ? tr("%1: refused").arg(host)
                                                : tr("On %1").arg(host));
  const QString what = link_.text.isEmpty() ? tr("The engine of this tab runs on %1.").arg(host) : link_.text;
  label_->setToolTip(u"<p>%1</p>"_s.arg(what.toHtmlEscaped())); // it may be what the other machine says
  if (isDown)
    return showBanner(tr("The link to %1 has been down for %2 s; %3. Work goes on there.")
                          .arg(host)
                          .arg(downSeconds())
                          .arg(link_.waiting == 1 ? tr("1 request waits") : tr("%1 requests wait").arg(link_.waiting)));
  if (isConnecting && downSeconds() >= patienceSeconds)
    return showBanner(
        tr("%1 has not answered for %2 s. Its command may wait for a password, which nobody can type here: use "
           "a key or an agent.")
            .arg(host)
            .arg(downSeconds()));
  if (link_.state == "up"_L1 || isConnecting)
    hideBanner();
}

void HostsController::showBanner(const QString &text) {
  Banner &banner = shell().banner();
  if (!bannerText_.isEmpty() && banner.text() != bannerText_)
    return; // there is other news by now
  if (!std::exchange(bannerText_, text).isEmpty())
    return banner.setText(text);
  banner.showMessage(Banner::Kind::Warning, text);
  if (link_.state == "down"_L1)
    banner.addButton(tr("Try Now"), this, [this] { session().client().notify(u"link/retry"_s); });
  banner.addButton(tr("Run on This Computer Instead"), this, [this] { runOn({}); });
}

/// Where it is still there.
void HostsController::hideBanner() {
  const QString text = std::exchange(bannerText_, {});
  if (!text.isEmpty() && shell().banner().text() == text)
    shell().banner().hide();
}

/// In place of what is said of an engine here.
void HostsController::showRefusal() {
  Banner &banner = shell().banner();
  bannerText_ = tr("%1 cannot be reached: %2").arg(session().place(), link_.text);
  banner.showMessage(Banner::Kind::Error, bannerText_);
  banner.addButton(tr("Try Again"), this, [this] { runOn(session().place()); });
  banner.addButton(tr("Edit Hosts\u2026"), this, [this] { preferences_.open(tr("Hosts")); });
  banner.addButton(tr("Run on This Computer Instead"), this, [this] { runOn({}); });
}

RemoteAction *HostsController::copy() const { return copy_; }

/// The banner asks; nothing is copied until the user agrees.
void HostsController::offerInstall() {
  if (copy_)
    return;
  const QString host = session().place();
  Banner &banner = shell().banner();
  bannerText_ =
      tr("%1 has no engine of this version. It can be copied into your cache folder there, with its libraries "
         "(about 140 MB, without root).")
          .arg(host);
  banner.showMessage(Banner::Kind::Info, bannerText_);
  banner.addButton(tr("Copy It There"), this, [this] { install(); });
  banner.addButton(tr("Run on This Computer Instead"), this, [this] { runOn({}); });
}

void HostsController::install() {
  const std::optional<HostChoice> host = findHost(settings(), session().place());
  if (!host || copy_)
    return;
  hideBanner();
  copy_ = new RemoteAction(u"install"_s, host->command, this);
  progress_ =
      new QProgressDialog(tr("Copying the engine to %1\u2026").arg(host->name), tr("Cancel"), 0, 0, &shell().window());
  progress_->setWindowTitle(tr("Copy the Engine"));
  progress_->setMinimumWidth(360);
  progress_->setMinimumDuration(0);
  progress_->setAutoReset(false);
  connect(progress_, &QProgressDialog::canceled, copy_, &RemoteAction::cancel);
  connect(copy_, &RemoteAction::progressed, progress_,
          [dialog = progress_, name = host->name](qint64 sent, qint64 total) {
            constexpr qint64 megabyte = 1'000'000;
            dialog->setLabelText(
                tr("Copying the engine to %1: %2 of %3 MB").arg(name).arg(sent / megabyte).arg(total / megabyte));
            dialog->setMaximum(int(total / megabyte));
            dialog->setValue(int(std::min(sent, total) / megabyte));
          });
  connect(copy_, &RemoteAction::finished, this, &HostsController::installed);
  progress_->show();
}

void HostsController::installed(const QJsonObject &, const QString &problem) {
  if (progress_)
    progress_->deleteLater();
  copy_->deleteLater();
  copy_.clear();
  isInstalled_ = problem.isEmpty();
  if (isInstalled_)
    return runOn(session().place());
  Banner &banner = shell().banner();
  bannerText_ = tr("The engine was not copied to %1: %2").arg(session().place(), problem);
  banner.showMessage(Banner::Kind::Error, bannerText_);
  banner.addButton(tr("Try Again"), this, [this] { install(); });
  banner.addButton(tr("Run on This Computer Instead"), this, [this] { runOn({}); });
}

} // namespace fuselage
