#include "app/gui/help/HelpController.h"
#include "app/gui/pipeline/PipelineController.h"
#include "app/gui/shell/Docks.h"
#include "app/gui/shell/Settings.h"
#include "core/protocol/methods/ScheduleMethods.h"
#include "views/text/TextView.h"
#include "views/widgets/help/TermLinks.h"
#include <QApplication>
#include <QDockWidget>
#include <QMessageBox>

using namespace Qt::StringLiterals;

namespace fuselage {

HelpController::HelpController(Shell &shell, PipelineController &pipeline) : Controller(shell), pipeline_(pipeline) {
  QAction *panel = command(tr("&This Panel"), u"help"_s, {QKeySequence(Qt::Key_F1)});
  QAction *shortcuts = command(tr("&Shortcuts"), {}, {QKeySequence(u"Ctrl+F1"_s)});
  QAction *fusion = command(tr("&Fusion in Ten Minutes"));
  QAction *tiles = command(tr("T&iles in Ten Minutes"));
  QAction *schedules = command(tr("S&chedules in Ten Minutes"));
  QAction *tuning = command(tr("T&uning in Ten Minutes"));
  QAction *models = command(tr("&Your Own Model"));
  QAction *files = command(tr("Files an&d Safety"));
  QAction *exactness = command(tr("How &Exact Results Are"));
  QAction *lessons = command(tr("Writing a Lesson"));
  QAction *steps = command(tr("&What the Steps Teach"));
  QAction *passes = command(tr("&Passes"));
  QAction *forms = command(tr("&Normal Forms"));
  QAction *compilers = command(tr("External &Compilers"));
  QAction *inductor = command(tr("Inducto&r's Decisions"));
  QAction *xla = command(tr("Dumps of &XLA"));
  QAction *editors = command(tr("Ed&itors"));
  QAction *mcp = command(tr("C&hats"));
  QAction *remote = command(tr("Other Machines"));
  QAction *pullRequests = command(tr("Fusion in Pull Requests"));
  QAction *remarks = command(tr("Remarks of Compilers"));
  QAction *modelExplorer = command(tr("Model Explorer"));
  QAction *commandLine = command(tr("Co&mmand Line"));
  QAction *glossary = command(tr("G&lossary"));
  QAction *about = command(tr("&About Fuselage"));
  about->setMenuRole(QAction::AboutRole);
  on(panel, [this] { showPanel(); });
  on(shortcuts, [this] { show(HelpDialog::Shortcuts); });
  on(fusion, [this] { show(HelpDialog::Fusion); });
  on(tiles, [this] { show(HelpDialog::Tiles); });
  on(schedules, [this] { show(HelpDialog::Schedules); });
  on(tuning, [this] { show(HelpDialog::Tuning); });
  on(models, [this] { show(HelpDialog::Models); });
  on(files, [this] { show(HelpDialog::Files); });
  on(exactness, [this] { show(HelpDialog::Exactness); });
  on(lessons, [this] { show(HelpDialog::Lessons); });
  on(steps, [this] { show(HelpDialog::Steps); });
  on(passes, [this] { show(HelpDialog::Passes); });
  on(forms, [this] { show(HelpDialog::Forms); });
  on(compilers, [this] { show(HelpDialog::Compilers); });
  on(inductor, [this] { show(HelpDialog::Inductor); });
  on(xla, [this] { show(HelpDialog::Xla); });
  on(editors, [this] { show(HelpDialog::Editors); });
  on(mcp, [this] { show(HelpDialog::Mcp); });
  on(remote, [this] { show(HelpDialog::Remote); });
  on(pullRequests, [this] { show(HelpDialog::PullRequests); });
  on(remarks, [this] { show(HelpDialog::Remarks); });
  on(modelExplorer, [this] { show(HelpDialog::ModelExplorer); });
  on(commandLine, [this] { show(HelpDialog::CommandLine); });
  on(glossary, [this] { show(HelpDialog::Glossary); });
  on(about, [this] { showAbout(); });
  connect(&pipeline, &PipelineController::catalogArrived, this, [this] {
    if (dialog_)
      dialog_->setPasses(pipeline_.catalog().passes);
  });
  connect(&settings(), &Settings::shortcutsChanged, this, [this] {
    if (dialog_)
      dialog_->setShortcuts(this->shell().menus().shortcuts());
  });
  shell.menus().add(Place::HelpPages,
                    {panel,  fusion,       tiles,   schedules,     tuning,    shortcuts, steps,       passes,
                     forms,  models,       files,   compilers,     inductor,  xla,       editors,     mcp,
                     remote, pullRequests, remarks, modelExplorer, exactness, lessons,   commandLine, glossary});
  shell.menus().add(Place::HelpAbout, {about});
}

void HelpController::show(HelpDialog::Page page) {
  pipeline_.requestCatalog();
  requestForms();
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

/// Of what has the keyboard.
void HelpController::showPanel() {
  QWidget *focus = QApplication::focusWidget(); // the dialog takes it
  const QDockWidget *dock = shell().docks().around(focus);
  show(HelpDialog::Panels);
  if (dock)
    return dialog_->showPage(HelpDialog::Panels, dock->windowTitle());
  switch (shell().centre().shownView()) {
  case View::Graph:
    return dialog_->showPage(HelpDialog::Panels, focus && qobject_cast<TextView *>(focus) ? u"IR"_s : u"Graph"_s);
  case View::Text:
    return dialog_->showPage(HelpDialog::Panels, u"IR"_s);
  case View::Diff:
    return dialog_->showPage(HelpDialog::Panels, u"Diff"_s);
  case View::Schedule:
    return dialog_->showPage(HelpDialog::Panels, u"Schedule (editor)"_s);
  }
}

void HelpController::showPass(const QString &argument) {
  show(HelpDialog::Passes);
  dialog_->showPage(HelpDialog::Passes, argument);
}

void HelpController::showForm(const QString &name) {
  wantedForm_ = name;
  show(HelpDialog::Forms);
  dialog_->showPage(HelpDialog::Forms, name);
}

void HelpController::showTerm(const QString &word) {
  show(HelpDialog::Glossary);
  if (const GlossaryEntry *entry = helpGlossary().find(word.toStdString()))
    dialog_->showPage(HelpDialog::Glossary, QString::fromStdString(entry->name));
}

void HelpController::requestForms() {
  if (!forms_.isEmpty())
    return;
  session().client().call<method::FormHelp>({}, this, [this](const protocol::FormHelps &help) {
    forms_ = help.forms;
    if (!dialog_)
      return;
    dialog_->setForms(forms_);
    if (!wantedForm_.isEmpty())
      dialog_->showPage(HelpDialog::Forms, std::exchange(wantedForm_, {}));
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
