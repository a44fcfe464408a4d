#include "app/gui/schedule/ScriptController.h"
#include "app/gui/shell/Settings.h"
#include "core/protocol/methods/ScheduleMethods.h"
#include "views/editor/ScriptEditor.h"
#include <QCryptographicHash>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QSaveFile>
#include <QScopedValueRollback>

using namespace Qt::StringLiterals;

namespace fuselage {

/// A script that is larger was not written by hand.
static constexpr qint64 mostBytes = 4 << 20;
/// Long enough to type on, short enough to feel at once.
static constexpr int typingPauseMs = 150;

static QByteArray hashOf(const QByteArray &bytes) { return QCryptographicHash::hash(bytes, QCryptographicHash::Sha1); }

static QString read(const QString &path, QString &why) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) {
    why = file.errorString();
    return {};
  }
  const QByteArray bytes = file.read(mostBytes + 1);
  if (bytes.size() > mostBytes)
    why = ScriptController::tr("it has more than 4 MiB");
  else if (bytes.contains('\0'))
    why = ScriptController::tr("it is not text");
  else if (QString::fromUtf8(bytes).toUtf8() != bytes) // saving would change it
    why = ScriptController::tr("it is not in UTF-8");
  return why.isEmpty() ? QString::fromUtf8(bytes) : QString();
}

ScriptController::ScriptController(Shell &shell)
    : Controller(shell), editor_(new ScriptEditor), edit_(editor_->edit()), draft_(shell, u"schedule"_s) {
  editor_->setObjectName("script"_L1);
  shell.centre().setView(View::Schedule, editor_);
  addCommands();
  connect(editor_, &ScriptEditor::newRequested, this, [this] { newScript(); });
  connect(editor_, &ScriptEditor::openRequested, this, &ScriptController::chooseFile);
  connect(editor_, &ScriptEditor::saveRequested, this, &ScriptController::save);
  connect(editor_, &ScriptEditor::reloadRequested, this, &ScriptController::reload);
  pause_.setSingleShot(true);
  pause_.setInterval(typingPauseMs);
  connect(&pause_, &QTimer::timeout, this, &ScriptController::check);
  connect(edit_, &QPlainTextEdit::textChanged, this, &ScriptController::textChanged);
  connect(edit_->document(), &QTextDocument::modificationChanged, this, &ScriptController::keepDraft);
  connect(edit_, &ScriptEdit::completionRequested, this, &ScriptController::complete);
  connect(&settings(), &Settings::textZoomChanged, edit_, &ScriptEdit::setZoom);
  edit_->setZoom(settings().textZoom());
  take({}, {});
}

void ScriptController::addCommands() {
  QAction *make = command(tr("&New Schedule"), {}, {QKeySequence(QKeySequence::New)});
  QAction *open = command(tr("Open Sche&dule…"), {}, {QKeySequence(u"Ctrl+Alt+O"_s)});
  QAction *save = command(tr("&Save Schedule"), {}, {QKeySequence(QKeySequence::Save)});
  QAction *saveAs = command(tr("Save Schedule &As…"));
  QAction *entry = command(tr("Schedule Entr&y…"));
  on(make, [this] { newScript(); });
  on(open, [this] { chooseFile(); });
  on(save, [this] { this->save(); });
  on(saveAs, [this] { this->saveAs(); });
  on(entry, [this] { chooseEntry(); });
  shell().menus().add(Place::FileSchedule, {make, open, save, saveAs, entry});
  const QString script = tr("In the schedule");
  shell().menus().addKeys({
      {script, tr("Complete the word at the caret"), {QKeySequence(u"Ctrl+Space"_s)}},
      {script, tr("Comment or uncomment lines"), {QKeySequence(u"Ctrl+/"_s)}},
      {script, tr("Indent and unindent"), {QKeySequence(Qt::Key_Tab), QKeySequence(Qt::SHIFT | Qt::Key_Tab)}},
  });
}

QString ScriptController::fileName() const { return path_.isEmpty() ? tr("untitled.mlir") : path_; }

QString ScriptController::skeleton(const QString &body) {
  return u"module attributes {transform.with_named_sequence} {\n"
         "  transform.named_sequence @__transform_main(%root: !transform.any_op) {\n"_s +
         body + u"    transform.yield\n  }\n}\n"_s;
}

void ScriptController::take(const QString &text, const QString &path) {
  if (!path_.isEmpty())
    breakpoints_[path_] = edit_->breakpoints();
  path_ = path;
  disk_ = path.isEmpty() ? QByteArray() : hashOf(text.toUtf8());
  entry_.clear();
  problems_.clear();
  runProblems_.clear();
  verdict_.clear();
  known_ = text;
  isChecked_ = false;
  pause_.start();
  {
    const QScopedValueRollback taking(isTaking_, true);
    edit_->openText(text);
  }
  showProblems();
  for (const int line : breakpoints_.value(path))
    edit_->toggleBreakpoint(line);
  editor_->setName(path.isEmpty() ? tr("Untitled") : QFileInfo(path).fileName(), path);
  emit scriptChanged();
  draftDone();
}

method::ScriptOptions<protocol::QtTypes> ScriptController::options() const {
  method::ScriptOptions<protocol::QtTypes> options;
  for (const QString &word : entry_.split(u' ', Qt::SkipEmptyParts)) {
    const qsizetype equals = word.indexOf(u'=');
    if (equals < 0)
      options.entry = word;
    else
      options.arguments.insert(word.left(equals), word.mid(equals + 1));
  }
  return options;
}

void ScriptController::setEntry(const QString &text) {
  entry_ = text.simplified();
  keepDraft();
  isChecked_ = false;
  check();
}

void ScriptController::chooseEntry() {
  bool isChosen = false;
  const QString text =
      QInputDialog::getText(editor_, tr("Schedule Entry"),
                            tr("The named sequence to begin at, and what its arguments beside the module are,\n"
                               "such as: codegen mm=linalg.matmul size=32"),
                            QLineEdit::Normal, entry_, &isChosen);
  if (isChosen)
    setEntry(text);
}

void ScriptController::textChanged() {
  if (text() == known_) // highlighting is a change, too
    return;
  known_ = text();
  isChecked_ = false;
  runProblems_.clear();
  pause_.start();
  keepDraft();
}

void ScriptController::keepDraft() {
  if (isTaking_)
    return;
  if (edit_->isModified())
    draft_.keep({{u"path"_s, path_},
                 {u"text"_s, text()},
                 {u"disk"_s, QString::fromLatin1(disk_.toHex())},
                 {u"entry"_s, entry_}});
  else
    draft_.keep({});
}

/// Saved or thrown away: one that had to wait for that comes back.
void ScriptController::draftDone() {
  keepDraft();
  if (isDrafting_)
    restoreDraft(shell().draftTab());
}

/// The file's text is the one before it, so that Undo leads there.
void ScriptController::restoreDraft(const QString &tab) {
  isDrafting_ = true;
  const QJsonObject draft = draft_.restore(tab);
  if (draft.isEmpty())
    return;
  const QString path = draft["path"_L1].toString(), typed = draft["text"_L1].toString();
  QString why;
  const QString onDisk = path.isEmpty() ? QString() : read(path, why);
  isDrafting_ = false; // this is not another one
  take(onDisk, path);
  isDrafting_ = true;
  disk_ = QByteArray::fromHex(draft["disk"_L1].toString().toLatin1());
  edit_->replaceText(typed);
  edit_->document()->setModified(true); // also where the file has become the same
  setEntry(draft["entry"_L1].toString());
  keepDraft();
  emit scriptChanged();
  shell().tell(path.isEmpty() ? tr("Your unsaved schedule is back")
                              : tr("Your unsaved changes to %1 are back").arg(QFileInfo(path).fileName()));
}

void ScriptController::opened(const protocol::Document &) {
  isChecked_ = false; // the engine has another context
  pause_.start();
}

void ScriptController::sessionChanged() {
  if (isReady() && !isChecked_)
    pause_.start();
}

void ScriptController::engineDied(const CrashReport &) { isChecked_ = false; }

void ScriptController::check() {
  if (!isReady() || isChecked_)
    return; // sessionChanged() comes back to it
  isChecked_ = true;
  if (text().trimmed().isEmpty())
    return showCheck({.ok = true, .problem = {}, .diagnostics = {}});
  session().client().call<method::CheckSchedule>(
      {.path = fileName(), .text = text(), .options = options()}, this,
      [this, asked = text()](const protocol::ScheduleCheck &check) {
        if (asked == text()) // else the next answer is on its way
          showCheck(check);
      },
      [this](const protocol::Error &error) {
        if (error.code == protocol::Error::Refused)
          showCheck({.ok = false, .problem = error.message, .diagnostics = {}});
      },
      u"editor"_s);
}

void ScriptController::complete(int line, int column) {
  if (!isReady())
    return;
  session().client().call<method::CompleteScript>(
      {.script = {.path = fileName(), .text = text()}, .line = line, .column = column}, this,
      [this, line, column, asked = text()](const protocol::ScriptCompletion &completion) {
        if (edit_->currentLine() == line && edit_->byteColumn() == column && asked == text() && edit_->hasFocus())
          edit_->offer(completion.items, completion.column);
      },
      {}, u"editor"_s);
}

void ScriptController::showCheck(const protocol::ScheduleCheck &check) {
  problems_.clear();
  for (protocol::Diagnostic diagnostic : check.diagnostics) {
    if (diagnostic.file != fileName() && diagnostic.line > 0) { // a library's
      diagnostic.message = u"%1:%2: %3"_s.arg(diagnostic.file).arg(diagnostic.line).arg(diagnostic.message);
      diagnostic.line = 0;
    }
    problems_.append(diagnostic);
  }
  if (!check.ok && problems_.isEmpty())
    problems_.append({.severity = u"error"_s, .message = check.problem, .file = {}, .notes = {}});
  verdict_ = edit_->document()->isEmpty() ? QString()
             : !check.ok                  ? tr("It cannot be run")
             : hasErrors()                ? tr("It will fail")
             : problems_.isEmpty()        ? tr("It can be run")
                                          : tr("It can be run, with warnings");
  showProblems();
}

void ScriptController::setRunProblems(const QList<protocol::Diagnostic> &problems) {
  runProblems_ = problems;
  showProblems();
}

void ScriptController::showProblems() {
  QList<protocol::Diagnostic> problems = problems_ + runProblems_;
  editor_->setProblems(problems, verdict_);
  for (protocol::Diagnostic &problem : problems)
    if (problem.file.isEmpty() && problem.line > 0)
      problem.file = fileName();
  emit problemsChanged(problems);
}

bool ScriptController::hasErrors() const {
  const QList<protocol::Diagnostic> problems = problems_ + runProblems_;
  return std::any_of(problems.begin(), problems.end(),
                     [](const protocol::Diagnostic &problem) { return problem.severity == "error"_L1; });
}

bool ScriptController::showLine(const QString &file, int line) {
  if (file != fileName() || edit_->document()->isEmpty())
    return false;
  showEditor();
  edit_->goToLine(line);
  edit_->setFocus();
  return true;
}

/// Asks where there is something to lose.
bool ScriptController::mayDrop() {
  if (!edit_->isModified())
    return true;
  const auto answer = QMessageBox::warning(&shell().window(), tr("Schedule"),
                                           tr("Save the changes to %1?").arg(QFileInfo(fileName()).fileName()),
                                           QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
  if (answer == QMessageBox::Discard)
    draft_.keep({});
  return answer == QMessageBox::Save ? save() : answer == QMessageBox::Discard;
}

bool ScriptController::newScript(const QString &text) {
  if (!mayDrop())
    return false;
  take(text.isEmpty() ? skeleton() : text, {});
  showEditor();
  if (text.isEmpty())
    edit_->goToLine(2, INT_MAX);
  edit_->setFocus();
  return true;
}

bool ScriptController::open(const QString &path, QString *why) {
  QString problem;
  const QString absolute = QFileInfo(path).absoluteFilePath(), text = read(absolute, problem);
  if (why)
    *why = problem;
  if (!problem.isEmpty()) {
    if (!why)
      emit shell().errorReported(u"schedule"_s, tr("%1 cannot be edited").arg(path),
                                 {.code = 0, .message = problem, .diagnostics = {}});
    return false;
  }
  if (!mayDrop())
    return false;
  take(text, absolute);
  return true;
}

void ScriptController::chooseFile() {
  const QString path = QFileDialog::getOpenFileName(&shell().window(), tr("Open a schedule"), path_,
                                                    tr("Transform scripts (*.mlir);;All files (*)"));
  if (!path.isEmpty() && open(path))
    showEditor();
}

void ScriptController::reload() {
  if (!path_.isEmpty())
    open(path_);
}

bool ScriptController::write(const QString &path) {
  QSaveFile file(path);
  const QByteArray bytes = text().toUtf8();
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.flush() || !file.commit()) {
    emit shell().errorReported(u"schedule"_s, tr("%1 cannot be written").arg(path),
                               {.code = 0, .message = file.errorString(), .diagnostics = {}});
    return false;
  }
  path_ = QFileInfo(path).absoluteFilePath();
  disk_ = hashOf(bytes);
  edit_->setUnmodified();
  editor_->setName(QFileInfo(path).fileName(), path_);
  shell().tell(tr("Saved %1").arg(path_));
  emit saved(path_);
  emit scriptChanged();
  draftDone();
  return true;
}

bool ScriptController::differsFromDisk() const {
  QFile file(path_);
  return !path_.isEmpty() && file.open(QIODevice::ReadOnly) && hashOf(file.readAll()) != disk_;
}

bool ScriptController::isAsOnDisk() const { return !path_.isEmpty() && hashOf(text().toUtf8()) == disk_; }

/// Another program may have written to it since.
bool ScriptController::mayOverwrite() {
  if (!differsFromDisk())
    return true;
  QMessageBox box(QMessageBox::Warning, tr("Schedule"),
                  tr("%1 changed on disk after you opened it. Overwrite it?").arg(QFileInfo(path_).fileName()),
                  QMessageBox::Cancel, &shell().window());
  box.setInformativeText(tr("Overwriting replaces what another program wrote."));
  const QPushButton *overwrite = box.addButton(tr("&Overwrite"), QMessageBox::DestructiveRole);
  box.setDefaultButton(QMessageBox::Cancel);
  box.exec();
  return box.clickedButton() == overwrite;
}

void ScriptController::takeFromDisk() {
  QString why;
  const QString onDisk = read(path_, why);
  if (!why.isEmpty()) {
    emit shell().errorReported(u"schedule"_s, tr("%1 cannot be read").arg(path_),
                               {.code = 0, .message = why, .diagnostics = {}});
    return;
  }
  const bool wasModified = edit_->isModified();
  edit_->replaceText(onDisk);
  disk_ = hashOf(onDisk.toUtf8());
  edit_->setUnmodified();
  keepDraft();
  shell().tell(wasModified ? tr("Reloaded %1; Undo brings your text back").arg(QFileInfo(path_).fileName())
                           : tr("Reloaded %1").arg(QFileInfo(path_).fileName()));
}

void ScriptController::keepOverDisk() {
  QFile file(path_);
  disk_ = file.open(QIODevice::ReadOnly) ? hashOf(file.readAll()) : QByteArray();
  edit_->document()->setModified(true); // the file has another text
  keepDraft();
}

bool ScriptController::save() { return path_.isEmpty() ? saveAs() : mayOverwrite() && write(path_); }

bool ScriptController::saveAs() {
  const QString path = QFileDialog::getSaveFileName(&shell().window(), tr("Save the schedule"), fileName(),
                                                    tr("Transform scripts (*.mlir);;All files (*)"));
  return !path.isEmpty() && write(path);
}

} // namespace fuselage
