#include "app/gui/help/HelpController.h"
#include "app/gui/pipeline/PipelineController.h"
#include <QApplication>
#include <QMessageBox>
#include <QTextBlock>
#include <QTextBrowser>

using namespace Qt::StringLiterals;

namespace fuselage {

HelpController::HelpController(Shell &shell, PipelineController &pipeline) : Controller(shell), pipeline_(pipeline) {
  QAction *shortcuts = command(tr("&Shortcuts"), u"help"_s, {QKeySequence(Qt::Key_F1)});
  QAction *schedules = command(tr("S&chedules in Ten Minutes"));
  QAction *steps = command(tr("&What the Steps Teach"));
  QAction *passes = command(tr("&Passes"));
  QAction *forms = command(tr("&Normal Forms"));
  QAction *compilers = command(tr("&Other Compilers"));
  QAction *about = command(tr("&About Fuselage"));
  about->setMenuRole(QAction::AboutRole);
  on(shortcuts, [this] { show(HelpDialog::Shortcuts); });
  on(schedules, [this] { show(HelpDialog::Schedules); });
  on(steps, [this] { show(HelpDialog::Steps); });
  on(passes, [this] { show(HelpDialog::Passes); });
  on(forms, [this] {
    requestForms();
    show(HelpDialog::Forms);
  });
  on(compilers, [this] { show(HelpDialog::Compilers); });
  on(about, [this] { showAbout(); });
  shell.menus().add(Place::HelpPages, {shortcuts, schedules, steps, passes, forms, compilers});
  shell.menus().add(Place::HelpAbout, {about});
}

void HelpController::show(HelpDialog::Page page) {
  pipeline_.requestCatalog();
  if (!dialog_)
    dialog_ = new HelpDialog(&shell().window());
  dialog_->setShortcuts(shell().menus().shortcuts());
  dialog_->setSteps(session().steps());
  dialog_->setPasses(pipeline_.catalog().passes);
  dialog_->setForms(forms_);
  dialog_->showPage(page);
  dialog_->show();
  dialog_->raise();
}

/// Scrolls the page in front so that this paragraph is at its top.
static void scrollTo(const HelpDialog &dialog, const QString &paragraph) {
  for (QTextBrowser *page : dialog.findChildren<QTextBrowser *>())
    for (QTextBlock block = page->document()->begin(); page->isVisibleTo(&dialog) && block.isValid(); block = block.next())
      if (block.text() == paragraph) {
        page->moveCursor(QTextCursor::End);
        page->setTextCursor(QTextCursor(block));
        page->ensureCursorVisible();
        return;
      }
}

void HelpController::showPass(const QString &argument) {
  show(HelpDialog::Passes);
  scrollTo(*dialog_, argument);
}

void HelpController::showForm(const QString &name) {
  wantedForm_ = name;
  requestForms();
  show(HelpDialog::Forms);
  scrollTo(*dialog_, name);
}

void HelpController::requestForms() {
  if (!forms_.isEmpty())
    return;
  session().client().call<protocol::FormHelps>(u"forms/help"_s, {}, this, [this](const protocol::FormHelps &help) {
    forms_ = help.forms;
    if (!dialog_)
      return;
    dialog_->setForms(forms_);
    scrollTo(*dialog_, wantedForm_);
  });
}

void HelpController::showAbout() {
  QMessageBox box(&shell().window());
  box.setWindowTitle(tr("About Fuselage"));
  box.setIconPixmap(QIcon(u":/fuselage.svg"_s).pixmap(72, 72));
  box.setText(tr("<h3>Fuselage %1</h3><p>A desktop explorer of tile-and-fuse for MLIR.</p>")
                  .arg(QApplication::applicationVersion()));
  const protocol::Initialized &engine = session().engineInfo();
  box.setInformativeText(tr("Engine %1, MLIR %2, protocol %3\n\nApache License 2.0 with LLVM exceptions")
                             .arg(engine.engine, engine.mlir)
                             .arg(engine.version));
  box.exec();
}

} // namespace fuselage
