#include "app/gui/shell/Shell.h"
#include "app/gui/shell/Drafts.h"
#include "app/gui/shell/ListKeys.h"
#include "app/gui/shell/Mnemonics.h"
#include "app/gui/shell/Settings.h"
#include "views/widgets/ExportNotice.h"
#include "views/widgets/StatusBar.h"
#include <QApplication>
#include <QMainWindow>
#include <QStatusBar>

using namespace Qt::StringLiterals;

namespace fuselage {

Shell::Shell(QMainWindow &window, EngineSession &session, Settings &settings)
    : window_(window), session_(session), settings_(settings), menus_(new Menus(window)),
      docks_(new Docks(window, *menus_->panels())), centre_(new Centre(session)), exportNotice_(new ExportNotice) {
  qApp->installEventFilter(new ListKeys(this));
  connect(centre_, &Centre::tabChosen, this, &Shell::showView);
  connect(docks_, &Docks::left, centre_, [this] { centre_->currentView()->setFocus(); });
}

void Shell::arrange() {
  menus_->build();
  centre_->arrange();
  window_.setCentralWidget(centre_);
  docks_->arrange();
  window_.setStatusBar(new StatusBar);
  window_.statusBar()->addPermanentWidget(exportNotice_);
  for (QWidget *widget : std::as_const(status_))
    window_.statusBar()->addPermanentWidget(widget);
  shortcuts_ = new Shortcuts(*menus_, window_, settings_, this);
  connect(docks_, &Docks::panelMade, this, [this](const QWidget *panel) {
    shortcuts_->addTips(*panel);
    makeMnemonicsUnique(window_);
  });
}

Shell::~Shell() {
  if (!claimedTab_.isEmpty())
    settings_.drafts().releaseTab(claimedTab_);
}

const QString &Shell::draftTab() {
  if (draftTab_.isEmpty())
    draftTab_ = claimedTab_ = settings_.drafts().claimTab();
  return draftTab_;
}

void Shell::tell(const QString &message) { window_.statusBar()->showMessage(message, 6000); }

void Shell::tellExported(const QString &path, const QString &note) {
  window_.statusBar()->clearMessage();
  exportNotice_->show(path, note);
  emit errorOver(u"export"_s);
}

void Shell::showView(View view) {
  if (docks_->isMaximized() && centre_->isHidden())
    docks_->endMaximized();
  centre_->showView(view);
  // The steps keep the keyboard while one walks through them.
  if (!docks_->keepKeyboard())
    centre_->currentView()->setFocus();
}

} // namespace fuselage
