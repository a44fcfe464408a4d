// Nothing that was typed is lost with a program that is killed.
#include "app/gui/notes/NotesController.h"
#include "app/gui/schedule/ScriptController.h"
#include "app/gui/shell/Draft.h"
#include "app/gui/tuning/TuningController.h"
#include "tests/views/window/TuningBench.h"
#include "tests/views/window/programs/Program.h"
#include "views/panels/NotesPanel.h"
#include "views/panels/PipelinePanel.h"
#include "views/widgets/Banner.h"
#include <QDir>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTimer>
#include <sys/resource.h>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {

constexpr auto typed = "typed"_L1;

/// What was typed is in a file.
void awaitDraft(Program &program, const QByteArray &words) {
  const QString folder = program.settings.drafts().folder();
  const auto hasWords = [&] {
    for (const QString &file : QDir(folder).entryList({u"*.json"_s}))
      if (readFile(folder + u'/' + file).contains(words))
        return true;
    return false;
  };
  QTRY_VERIFY_WITH_TIMEOUT(hasWords(), patience);
}

qsizetype draftFiles(const QString &folder) { return QDir(folder + u"/drafts"_s).entryList({u"*.json"_s}).size(); }

void type(Program &program, QWidget &widget, const QString &text) {
  program.workspace.activateWindow();
  widget.setFocus();
  QTest::keyClicks(&widget, text);
}

/// Answers the next question with a button.
void answer(QMessageBox::StandardButton button) {
  QTimer::singleShot(0, qApp, [button] {
    auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
    if (!box)
      return answer(button);
    QTest::mouseClick(box->button(button), Qt::LeftButton);
  });
}

} // namespace

/// What the second process does before it is killed.
class Act : public QObject {
  Q_OBJECT
public:
  explicit Act(const QString &folder) : folder_(folder) {}

private slots:
  void typesASchedule() {
    Program program(folder_, {folder_ + u"/m.mlir"_s});
    auto &scripts = program.get<ScriptController>();
    QVERIFY(scripts.open(folder_ + u"/s.mlir"_s));
    scripts.showEditor();
    type(program, scripts.edit(), u"// typed "_s);
    awaitDraft(program, "// typed");
    die();
  }
  void typesAnUntitledSchedule() {
    Program program(folder_);
    auto &scripts = program.get<ScriptController>();
    QVERIFY(scripts.newScript());
    type(program, scripts.edit(), u"// typed "_s);
    awaitDraft(program, "// typed");
    die();
  }
  void typesAPipeline() {
    Program program(folder_, {folder_ + u"/m.mlir"_s});
    auto &pipeline = program.get<PipelineController>();
    pipeline.editAction()->trigger();
    type(program, *pipeline.panel().edit(), u"builtin.module(typed"_s);
    awaitDraft(program, "module(typed");
    die();
  }
  void typesANote() {
    Program program(folder_, {folder_ + u"/m.mlir"_s});
    auto &notes = program.get<NotesController>();
    notes.editAction()->trigger();
    program.rest();
    QCOMPARE(notes.model().rowCount(), 1);
    // The engine, which writes the file, hangs; what is typed now gets no further than to the draft.
    ::kill(pid_t(program.shell().session().client().processId()), SIGSTOP);
    type(program, *notes.panel().editor(), u"typed words"_s);
    awaitDraft(program, "typed words");
    ::kill(pid_t(program.shell().session().client().processId()), SIGKILL);
    die();
  }
  void setsKnobs() {
    Program program(folder_, {folder_ + u"/m.mlir"_s});
    QVERIFY(program.get<ScriptController>().open(folder_ + u"/s.mlir"_s));
    auto &tuning = program.get<TuningController>();
    tuning.raise();
    QTRY_VERIFY_WITH_TIMEOUT(tuning.panel().knobs().hasSpace(), patience);
    KnobRow &row = *tuning.panel().knobs().row(u"rows"_s);
    row.slider()->setFocus();
    QTest::keyClick(row.slider(), Qt::Key_Right);
    QTRY_VERIFY_WITH_TIMEOUT(draftFiles(folder_) > 0 && program.workspace.current().isSettled(), patience);
    QCOMPARE(tuning.panel().knobs().values().value(u"rows"_s), u"24"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!Settings(settingsIn(folder_)).text(u"schedule"_s).isEmpty(), patience);
    die();
  }
  void goesOn() {
    Program program(folder_, {folder_ + u"/m.mlir"_s});
    auto &steps = program.get<StepsController>();
    QTest::keyClick(&program.focus(), Qt::Key_J);
    QTest::keyClick(&program.focus(), Qt::Key_J);
    QTest::keyClick(&program.focus(), Qt::Key_3, Qt::ControlModifier);
    program.rest();
    QCOMPARE(steps.currentRow(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(Settings(settingsIn(folder_)).documentState(folder_ + u"/m.mlir"_s)["row"_L1].toInt(), 2,
                              patience);
    die();
  }

private:
  QString folder_;
};

class WindowDraftsTest : public QObject {
  Q_OBJECT
private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    QFile::copy(sample(u"softmax.mlir"_s), folder_->filePath(u"m.mlir"_s));
    writeFile(folder_->filePath(u"s.mlir"_s), script_);
  }

  void aScheduleComesBack() {
    const QString path = folder_->filePath(u"s.mlir"_s);
    QVERIFY(isKilledIn(u"typesASchedule"_s, folder_->path()));
    QCOMPARE(readFile(path), script_);
    {
      Program again(folder_->path());
      auto &scripts = again.get<ScriptController>();
      QCOMPARE(scripts.text(), u"// typed "_s + QString::fromUtf8(script_));
      QCOMPARE(scripts.path(), path);
      QVERIFY(scripts.edit().isModified());
      // Undo leads to the file, and Save makes the draft void.
      scripts.edit().undo();
      QCOMPARE(scripts.text(), QString::fromUtf8(script_));
      scripts.edit().redo();
      scripts.showEditor();
      QTest::keyClick(&scripts.edit(), Qt::Key_S, Qt::ControlModifier);
      QCOMPARE(readFile(path), "// typed " + script_);
      QVERIFY(again.settings.drafts().flush());
      QCOMPARE(draftFiles(folder_->path()), 0);
      QVERIFY(again.workspace.close());
    }
    Program third(folder_->path());
    QVERIFY(!third.get<ScriptController>().edit().isModified());
  }

  void aDiscardedScheduleDoesNotComeBack() {
    QVERIFY(isKilledIn(u"typesASchedule"_s, folder_->path()));
    {
      Program again(folder_->path());
      QVERIFY(again.get<ScriptController>().edit().isModified());
      answer(QMessageBox::Discard);
      QVERIFY(again.workspace.close());
    }
    QCOMPARE(draftFiles(folder_->path()), 0);
    Program third(folder_->path());
    QVERIFY(!third.get<ScriptController>().text().contains(typed));
  }

  /// It is not written over what another program wrote meanwhile, unless the user says so.
  void aDraftDoesNotReplaceAFileThatChanged() {
    const QString path = folder_->filePath(u"s.mlir"_s);
    QVERIFY(isKilledIn(u"typesASchedule"_s, folder_->path()));
    writeFile(path, "// of another\n" + script_);
    Program again(folder_->path());
    auto &scripts = again.get<ScriptController>();
    QVERIFY(scripts.text().startsWith("// typed "_L1));
    QVERIFY(scripts.differsFromDisk());
    answer(QMessageBox::Cancel);
    QVERIFY(!scripts.save());
    QCOMPARE(readFile(path), "// of another\n" + script_);
    // The file's text is an edit that can be undone.
    scripts.takeFromDisk();
    QVERIFY(scripts.text().startsWith("// of another"_L1));
    QVERIFY(!scripts.edit().isModified());
    scripts.edit().undo();
    QVERIFY(scripts.text().startsWith("// typed "_L1));
    QVERIFY(scripts.save());
    QCOMPARE(readFile(path), "// typed " + script_);
  }

  void anUntitledScheduleComesBackInATabOfItsOwn() {
    QVERIFY(isKilledIn(u"typesAnUntitledSchedule"_s, folder_->path()));
    QVERIFY(isKilledIn(u"typesAPipeline"_s, folder_->path())); // with a document, and a draft beside it
    Program again(folder_->path());
    QCOMPARE(again.workspace.tabCount(), 2);
    for (int tab = 0; tab < 2; ++tab, again.workspace.step(1)) {
      again.rest();
      const bool isEmpty = again.workspace.current().isEmpty();
      QCOMPARE(again.get<ScriptController>().text().contains(typed), isEmpty);
      QCOMPARE(again.get<PipelineController>().panel().edit()->toPlainText().contains(typed), !isEmpty);
    }
  }

  /// Where an editor has something of its own, what was kept for the document waits until that is done.
  void twoDraftsDoNotReplaceEachOther() {
    QVERIFY(isKilledIn(u"typesASchedule"_s, folder_->path()));
    Settings(settingsIn(folder_->path())).setOpenDocuments({});
    Program again(folder_->path());
    auto &scripts = again.get<ScriptController>();
    QVERIFY(scripts.newScript());
    type(again, scripts.edit(), u"// other "_s);
    again.workspace.open(folder_->filePath(u"m.mlir"_s));
    again.rest();
    QVERIFY(scripts.text().contains(u"// other"_s));
    QVERIFY(again.settings.drafts().flush());
    QCOMPARE(draftFiles(folder_->path()), 2);
    answer(QMessageBox::Discard);
    QVERIFY(scripts.newScript());
    QVERIFY(scripts.text().startsWith("// typed "_L1));
  }

  void aPipelineComesBack() {
    QVERIFY(isKilledIn(u"typesAPipeline"_s, folder_->path()));
    Program again(folder_->path());
    QPlainTextEdit &edit = *again.get<PipelineController>().panel().edit();
    QCOMPARE(edit.toPlainText(), u"builtin.module(typed"_s);
    // Until the editor is empty.
    edit.setFocus();
    QTest::keyClick(&edit, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(&edit, Qt::Key_Delete);
    QVERIFY(again.settings.drafts().flush());
    QCOMPARE(draftFiles(folder_->path()), 0);
  }

  void aNoteComesBack() {
    QVERIFY(isKilledIn(u"typesANote"_s, folder_->path()));
    const QString file = folder_->filePath(u"m.mlir.fuselage"_s);
    QVERIFY(QFile::exists(file) && !readFile(file).contains("typed words"));
    Program again(folder_->path());
    auto &notes = again.get<NotesController>();
    QTRY_COMPARE_WITH_TIMEOUT(notes.model().rowCount(), 1, patience);
    QCOMPARE(notes.model().notes()[0].text, u"typed words"_s);
    QTRY_VERIFY_WITH_TIMEOUT(readFile(file).contains("typed words"), patience);
    QTRY_COMPARE_WITH_TIMEOUT((again.settings.drafts().flush(), draftFiles(folder_->path())), 0, patience);
  }

  void aNoteThatChangedOnDiskKeepsBothTexts() {
    QVERIFY(isKilledIn(u"typesANote"_s, folder_->path()));
    const QString file = folder_->filePath(u"m.mlir.fuselage"_s);
    const QByteArray saved = readFile(file), empty = "\"text\": \"\"";
    QVERIFY2(saved.contains(empty), saved.constData());
    writeFile(file, QByteArray(saved).replace(empty, "\"text\": \"of another\""));
    Program again(folder_->path());
    auto &notes = again.get<NotesController>();
    QTRY_COMPARE_WITH_TIMEOUT(notes.model().rowCount(), 1, patience);
    QCOMPARE(notes.model().notes()[0].text, u"of another\n\ntyped words"_s);
    QVERIFY(again.shell().banner().text().contains(u"changed on disk"_s));
  }

  void knobsComeBack() {
    writeFile(folder_->filePath(u"m.mlir"_s), product);
    writeFile(folder_->filePath(u"s.mlir"_s), knobs());
    QVERIFY(isKilledIn(u"setsKnobs"_s, folder_->path()));
    Program again(folder_->path());
    // With the script and the panel, which were open.
    QCOMPARE(again.get<ScriptController>().path(), folder_->filePath(u"s.mlir"_s));
    auto &tuning = again.get<TuningController>();
    QTRY_VERIFY_WITH_TIMEOUT(tuning.panel().isVisible() && tuning.panel().knobs().hasSpace(), patience);
    again.rest();
    QCOMPARE(tuning.panel().knobs().values().value(u"rows"_s), u"24"_s);
  }

  void knobsOfAnotherScriptBeginAnew() {
    writeFile(folder_->filePath(u"m.mlir"_s), product);
    writeFile(folder_->filePath(u"s.mlir"_s), knobs());
    QVERIFY(isKilledIn(u"setsKnobs"_s, folder_->path()));
    writeFile(folder_->filePath(u"s.mlir"_s), knobs().replace("%rows", "%lines").replace("\"rows\"", "\"lines\""));
    Program again(folder_->path());
    QVERIFY(again.get<ScriptController>().open(folder_->filePath(u"s.mlir"_s)));
    auto &tuning = again.get<TuningController>();
    tuning.raise();
    QTRY_VERIFY_WITH_TIMEOUT(tuning.panel().knobs().hasSpace(), patience);
    QCOMPARE(tuning.panel().knobs().values().value(u"lines"_s), u"16"_s);
  }

  void whereTheUserWasComesBack() {
    QVERIFY(isKilledIn(u"goesOn"_s, folder_->path()));
    Program again(folder_->path());
    QCOMPARE(again.get<StepsController>().currentRow(), 2);
    QCOMPARE(again.shell().centre().shownView(), View::Diff);
  }

  /// Said once, and the text stays where it is; as soon as it works again, it is kept.
  void aFolderThatCannotBeWrittenIsSaidOnce() {
    const QString blocked = writeFile(folder_->filePath(u"drafts"_s), "no folder");
    Program program(folder_->path(), {folder_->filePath(u"m.mlir"_s)});
    QSignalSpy failed(&program.settings.drafts(), &Drafts::failed);
    auto &scripts = program.get<ScriptController>();
    QVERIFY(scripts.newScript());
    type(program, scripts.edit(), u"// typed "_s);
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patience);
    QVERIFY(program.shell().banner().isVisible());
    QVERIFY2(program.shell().banner().text().contains(u"cannot be kept"_s),
             qPrintable(program.shell().banner().text()));
    type(program, scripts.edit(), u"more "_s);
    QVERIFY(!program.settings.drafts().flush());
    QCOMPARE(failed.size(), 1);
    QVERIFY(scripts.text().contains(u"// typed more"_s));
    QVERIFY(QFile::remove(blocked));
    QVERIFY(program.settings.drafts().flush());
    QCOMPARE(draftFiles(folder_->path()), 1);
  }

  /// The last draft stays whole where the next one has no room.
  void aFullDiskLeavesTheLastDraft() {
    Drafts drafts(folder_->filePath(u"drafts"_s));
    QSignalSpy failed(&drafts, &Drafts::failed);
    const Drafts::Name name{u"schedule"_s, u"/m.mlir"_s};
    drafts.keep(name, {{u"text"_s, u"first"_s}});
    QVERIFY(drafts.flush());
    const auto handler = ::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{.rlim_cur = 8, .rlim_max = before.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
    drafts.keep(name, {{u"text"_s, u"second"_s}});
    const bool isWritten = drafts.flush();
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
    ::signal(SIGXFSZ, handler);
    QVERIFY(!isWritten);
    QCOMPARE(failed.size(), 1);
    QCOMPARE(drafts.find(name)["text"_L1].toString(), u"second"_s);
    QCOMPARE(Drafts(drafts.folder()).find(name)["text"_L1].toString(), u"first"_s);
    QVERIFY(drafts.flush());
    QCOMPARE(Drafts(drafts.folder()).find(name)["text"_L1].toString(), u"second"_s);
  }

private:
  std::unique_ptr<QTemporaryDir> folder_;
  const QByteArray script_ = ScriptController::skeleton().toUtf8();
};

WINDOW_PROGRAMS_MAIN(WindowDraftsTest, Act)
#include "WindowDraftsTest.moc"
