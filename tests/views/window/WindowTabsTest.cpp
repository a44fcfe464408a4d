// Documents in tabs, what is remembered of them, and the page before anything is open.
#include "app/gui/compare/CompareController.h"
#include "app/gui/navigation/NavigationController.h"
#include "app/gui/pipeline/PipelineController.h"
#include "app/gui/workspace/Workspace.h"
#include "tests/views/window/WindowBench.h"
#include "views/common/Theme.h"
#include "views/graph/GraphView.h"
#include "views/panels/ComparePanel.h"
#include "views/panels/PipelinePanel.h"
#include "views/start/StartCard.h"
#include "views/start/Welcome.h"
#include "views/widgets/Banner.h"
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QPushButton>
#include <QStatusBar>
#include <QTabBar>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {

/// A program with its settings, which may be started again.
struct Program {
  Workspace workspace;
  static std::unique_ptr<EngineSession> startSession(const QString & = {}) {
    auto session = std::make_unique<EngineSession>(engineOfTests());
    session->start();
    return session;
  }
  /// Its engine ends as soon as it is told something.
  static std::unique_ptr<EngineSession> startDeadly(const QString & = {}) {
    auto session = std::make_unique<EngineSession>(QStringList{u"/bin/sh"_s, u"-c"_s, u"read line; kill -SEGV $$"_s});
    session->start();
    return session;
  }
  explicit Program(Settings &settings, const QStringList &files = {}, Workspace::MakeSession makeSession = startSession)
      : workspace(settings, std::move(makeSession), addFeaturesOfTab) {
    workspace.restore(files);
    workspace.show();
  }
  void rest() { QTRY_VERIFY_WITH_TIMEOUT(workspace.current().isSettled(), patience); }
  void open(const QString &path) {
    workspace.open(path);
    rest();
  }
  StepsController &steps() { return workspace.current().controller<StepsController>(); }
  TextController &text() { return workspace.current().controller<TextController>(); }
  QTabBar &bar() { return *workspace.findChild<QTabBar *>(u"documents"_s); }
};

struct Scratch {
  QTemporaryDir folder;
  Settings settings{folder.filePath(u"settings.ini"_s)};
};

} // namespace

class WindowTabsTest : public QObject {
  Q_OBJECT
private slots:
  void anotherCompilerGetsATabOfItsOwn() {
    Scratch scratch;
    const QString tool = scratch.folder.filePath(u"one-opt"_s), mine = scratch.folder.filePath(u"mine.mlir"_s);
    QFile script(tool), module(mine);
    QVERIFY(script.open(QIODevice::WriteOnly) && module.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\necho '// -----// IR Dump After one (one) //----- //' >&2\ncat \"$1\" >&2\n");
    script.close();
    script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    module.write("func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n  return %a : tensor<4xf32>\n}\n");
    module.close();
    Program program(scratch.settings, {mine});
    program.rest();
    auto &first = program.workspace.current().controller<PipelineController>();
    first.editAction()->trigger();
    auto *box = first.panel().toolBox();
    box->setEditText(tool);
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(program.workspace.tabCount(), 2, patience);
    QCOMPARE(program.workspace.currentIndex(), 1);
    auto &window = program.workspace.current();
    QTRY_VERIFY_WITH_TIMEOUT(
        window.shell().session().document().source == mine && !window.shell().session().isToolRunning(), patience);
    // The document stays, and once more runs where the compiler is shown.
    QCOMPARE(program.workspace.windowOf(0)->shell().session().document().path, mine);
    QVERIFY(program.workspace.windowOf(0)->shell().session().document().tool.isEmpty());
    QTest::mouseClick(window.controller<PipelineController>().panel().toolButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!window.shell().session().isBusy() && !window.shell().session().isToolRunning(), patience);
    QCOMPARE(program.workspace.tabCount(), 2);
  }

  void equalNamesShowTheirFolders() {
    Scratch scratch;
    const auto copy = [&](const QString &folder, const QString &name) {
      const QString path = scratch.folder.filePath(folder + u'/' + name);
      QDir(scratch.folder.path()).mkpath(folder);
      QFile::copy(sample(u"softmax.mlir"_s), path);
      return path;
    };
    Program program(scratch.settings, {copy(u"one/model"_s, u"same.mlir"_s)});
    program.rest();
    QCOMPARE(program.bar().tabText(0), u"same.mlir"_s);
    program.open(copy(u"two/model"_s, u"same.mlir"_s));
    program.open(copy(u"two/model"_s, u"other.mlir"_s));
    QCOMPARE(program.bar().tabText(0), u"one/model/same.mlir"_s);
    QCOMPARE(program.bar().tabText(1), u"two/model/same.mlir"_s);
    QCOMPARE(program.bar().tabText(2), u"other.mlir"_s);
    QCOMPARE(program.bar().elideMode(), Qt::ElideNone); // many tabs are scrolled
    QVERIFY(program.bar().usesScrollButtons());
  }

  void picturesFollowTheTheme() {
    QImage picture(60, 40, QImage::Format_RGB32);
    picture.fill(Qt::white);
    picture.setPixelColor(30, 20, QColor(20, 40, 160));
    StartCard card(StartCard::Shape::Upright, u"sample"_s, {});
    card.setPalette(Theme::light().palette());
    card.setPicture(picture);
    QCOMPARE(card.shownPicture(), picture);
    card.setPalette(Theme::night().palette());
    QVERIFY(qGray(card.shownPicture().pixel(0, 0)) < 60);
    const QColor blue = card.shownPicture().pixelColor(30, 20);
    QVERIFY(blue.blue() > blue.red() && blue.blue() > blue.green() && blue.lightness() > 120);
    card.setPalette(Theme::light().palette());
    QCOMPARE(card.shownPicture(), picture);
  }

  void aSecondFileGetsATabOfItsOwn() {
    Scratch scratch;
    Program program(scratch.settings, {sample(u"softmax.mlir"_s)});
    program.rest();
    QCOMPARE(program.workspace.tabCount(), 1);
    QVERIFY(!program.bar().isVisible());
    program.steps().select(2);
    program.open(sample(u"mlp_gelu.mlir"_s));
    QCOMPARE(program.workspace.tabCount(), 2);
    QVERIFY(program.bar().isVisible());
    QVERIFY(program.workspace.windowTitle().contains(u"mlp_gelu"_s));
    // The first is as it was left.
    program.open(sample(u"softmax.mlir"_s));
    QCOMPARE(program.workspace.tabCount(), 2);
    QCOMPARE(program.workspace.currentIndex(), 0);
    QCOMPARE(program.steps().currentRow(), 2);
    QVERIFY(program.workspace.windowTitle().contains(u"softmax"_s));
  }

  void documentsOfOtherTabsAreComparedWith() {
    Scratch scratch;
    Program program(scratch.settings, {sample(u"softmax.mlir"_s)});
    program.rest();
    const auto box = [&]() -> QComboBox & {
      return *program.workspace.current().controller<CompareController>().panel().withBox();
    };
    const QString words = u"%1, of another tab"_s;
    QVERIFY(box().findText(words.arg(u"softmax.mlir"_s)) < 0);
    program.open(sample(u"mlp_gelu.mlir"_s));
    QVERIFY(box().findText(words.arg(u"softmax.mlir"_s)) > 0);
    QVERIFY(box().findText(words.arg(u"mlp_gelu.mlir"_s)) < 0);
    // The first tab knows the second, too, and compares with its file.
    program.open(sample(u"softmax.mlir"_s));
    const int other = box().findText(words.arg(u"mlp_gelu.mlir"_s));
    QVERIFY(other > 0);
    auto &compare = program.workspace.current().controller<CompareController>();
    box().setCurrentIndex(other);
    compare.panel().compareButton()->click();
    program.rest();
    QVERIFY(compare.model().rowCount() > 0);
    // Closed, it is offered no more.
    QVERIFY(program.workspace.closeTab(1));
    QVERIFY(box().findText(words.arg(u"mlp_gelu.mlir"_s)) < 0);
  }

  void keysGoToTheTabInFront() {
    Scratch scratch;
    Program program(scratch.settings, {sample(u"softmax.mlir"_s), sample(u"mlp_gelu.mlir"_s)});
    program.rest();
    program.workspace.activateWindow();
    QTRY_VERIFY(program.workspace.isActiveWindow());
    MainWindow &second = program.workspace.current();
    QTest::keyClick(program.workspace.focusWidget(), Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(second.shell().centre().shownView(), View::Text);
    QTest::keyClick(program.workspace.focusWidget(), Qt::Key_Tab, Qt::ControlModifier);
    QCOMPARE(program.workspace.currentIndex(), 0);
    program.rest();
    QCOMPARE(program.workspace.current().shell().centre().shownView(), View::Graph);
    QTest::keyClick(program.workspace.focusWidget(), Qt::Key_3, Qt::ControlModifier);
    QCOMPARE(program.workspace.current().shell().centre().shownView(), View::Diff);
    QCOMPARE(second.shell().centre().shownView(), View::Text);
    QTest::keyClick(program.workspace.focusWidget(), Qt::Key_W, Qt::ControlModifier);
    QTRY_COMPARE(program.workspace.tabCount(), 1);
    QCOMPARE(&program.workspace.current(), &second);
  }

  void theLastTabBecomesAnEmptyOne() {
    Scratch scratch;
    Program program(scratch.settings, {sample(u"softmax.mlir"_s)});
    program.rest();
    QVERIFY(program.workspace.closeTab(0));
    QCOMPARE(program.workspace.tabCount(), 1);
    QVERIFY(program.workspace.current().isEmpty());
    QVERIFY(program.workspace.findChild<Welcome *>()->isVisible());
    QVERIFY(scratch.settings.openDocuments().isEmpty());
  }

  void tabsAndWhatTheyShowedAreThereAgain() {
    Scratch scratch;
    {
      Program program(scratch.settings, {sample(u"softmax.mlir"_s), sample(u"mlp_gelu.mlir"_s)});
      program.rest();
      program.steps().select(3);
      program.workspace.current().showView(View::Diff);
      program.rest();
      program.workspace.step(1);
      program.rest();
      program.steps().select(1);
      program.rest();
      QVERIFY(program.workspace.close());
    }
    Program again(scratch.settings);
    QCOMPARE(again.workspace.tabCount(), 2);
    QCOMPARE(again.workspace.currentIndex(), 0);
    QVERIFY(!again.workspace.windowOf(1)); // until it is wanted
    again.rest();
    QCOMPARE(again.steps().currentRow(), 1);
    QCOMPARE(again.workspace.current().shell().centre().shownView(), View::Graph);
    again.workspace.step(1);
    again.rest();
    QCOMPARE(again.steps().currentRow(), 3);
    QCOMPARE(again.workspace.current().shell().centre().shownView(), View::Diff);
  }

  void whatTookTheEngineDownIsNotOpenedAgainByItself() {
    Scratch scratch;
    const QString softmax = sample(u"softmax.mlir"_s);
    {
      Program program(scratch.settings, {softmax}, Program::startDeadly);
      QTRY_COMPARE_WITH_TIMEOUT(program.workspace.current().shell().session().state(), EngineSession::State::Dead,
                                patience);
      QCOMPARE(scratch.settings.pendingDocuments(), QStringList{softmax});
      QVERIFY(program.workspace.close());
    }
    Program again(scratch.settings);
    again.rest();
    QVERIFY(again.workspace.current().isEmpty());
    Banner &banner = again.workspace.current().shell().banner();
    QVERIFY2(banner.text().contains(u"softmax.mlir is not opened automatically"_s), qPrintable(banner.text()));
    QCOMPARE(again.workspace.paths(), QStringList{softmax});
    // The user may.
    banner.findChild<QPushButton *>()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!again.workspace.current().isEmpty(), patience);
    again.rest();
    QTRY_VERIFY_WITH_TIMEOUT(scratch.settings.pendingDocuments().isEmpty(), patience);
    QVERIFY(again.workspace.close());
    Program third(scratch.settings);
    third.rest();
    QVERIFY(!third.workspace.current().isEmpty());
  }

  void whoGoesOnIsNotTakenBack() {
    Scratch scratch;
    {
      Program program(scratch.settings, {sample(u"softmax.mlir"_s)});
      program.rest();
      program.steps().select(4);
      program.rest();
      QVERIFY(program.workspace.close());
    }
    Program again(scratch.settings, {sample(u"softmax.mlir"_s)});
    // As soon as it is open, and before it is recorded.
    connect(&again.workspace.current().shell().session(), &EngineSession::opened, this,
            [&] { QTest::mouseClick(again.workspace.current().statusBar(), Qt::LeftButton); });
    again.rest();
    QCOMPARE(again.steps().currentRow(), 0);
  }

  void theMouseGoesBackInATab() {
    Scratch scratch;
    Program program(scratch.settings, {sample(u"softmax.mlir"_s)});
    program.rest();
    auto &navigation = program.workspace.current().controller<NavigationController>();
    const int first = program.text().snapshot();
    program.steps().select(3);
    program.rest();
    QVERIFY(navigation.goTo({.snapshot = first, .line = 2, .view = {}}));
    program.rest();
    QTest::mouseClick(&program.workspace.current().controller<GraphController>().view(), Qt::BackButton);
    program.rest();
    QCOMPARE(program.steps().currentRow(), 3);
  }

  void theTabInFrontIsFoundAmongThoseThatAreLeft() {
    Scratch scratch;
    const QString gone = scratch.folder.filePath(u"gone.mlir"_s);
    scratch.settings.setOpenDocuments({gone, sample(u"softmax.mlir"_s), sample(u"mlp_gelu.mlir"_s)});
    scratch.settings.setText(u"currentDocument"_s, sample(u"softmax.mlir"_s));
    Program program(scratch.settings);
    program.rest();
    QCOMPARE(program.workspace.tabCount(), 2);
    QVERIFY(program.workspace.windowTitle().contains(u"softmax"_s));
  }

  void aFileThatCannotBeReadKeepsItsTab() {
    Scratch scratch;
    const QString path = scratch.folder.filePath(u"half.mlir"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("this is no MLIR") > 0);
    file.close();
    Program program(scratch.settings, {path});
    QTRY_VERIFY_WITH_TIMEOUT(program.workspace.current().controller<ProblemsController>().model().errorCount() > 0,
                             patience);
    QVERIFY(program.workspace.close());
    QCOMPARE(scratch.settings.openDocuments(), QStringList{path});
  }

  void aFileThatIsGoneIsNotRestored() {
    Scratch scratch;
    const QString path = scratch.folder.filePath(u"mine.mlir"_s);
    QVERIFY(QFile::copy(sample(u"softmax.mlir"_s), path));
    {
      Program program(scratch.settings, {path});
      program.rest();
      QVERIFY(program.workspace.close());
    }
    QVERIFY(QFile::remove(path));
    Program again(scratch.settings);
    QCOMPARE(again.workspace.tabCount(), 1);
    QVERIFY(again.workspace.current().isEmpty());
  }

  void theFirstPageHasSamplesNewsAndHowFilesWereLeft() {
    Scratch scratch;
    {
      Program program(scratch.settings, {sample(u"softmax.mlir"_s)});
      program.rest();
      program.steps().select(2);
      program.workspace.current().showView(View::Diff);
      program.rest();
      QVERIFY(program.workspace.closeTab(0));
      QVERIFY(program.workspace.close());
    }
    Program again(scratch.settings);
    auto *page = again.workspace.findChild<Welcome *>();
    QVERIFY(page && page->isVisible());
    for (const QDockWidget *dock : again.workspace.findChildren<QDockWidget *>())
      QVERIFY2(dock->isHidden(), qPrintable(dock->windowTitle()));
    StartCard *recent = nullptr, *linear = nullptr;
    for (StartCard *card : page->findChildren<StartCard *>()) {
      recent = card->text() == "softmax.mlir"_L1 ? card : recent;
      linear = card->text() == "matmul_transpose_bias"_L1 ? card : linear;
    }
    QVERIFY(recent && linear);
    QVERIFY2(recent->accessibleDescription().contains(u"Diff of step 1"_s),
             qPrintable(recent->accessibleDescription()));
    QVERIFY(page->findChildren<StartCard *>().size() >= 6);
    // A sample is a copy that one may change.
    linear->click();
    again.rest();
    QVERIFY(again.workspace.windowTitle().contains(u"matmul_transpose_bias"_s));
    QVERIFY(QFileInfo(scratch.folder.filePath(u"samples/matmul_transpose_bias.mlir"_s)).isWritable());
    QVERIFY(again.workspace.current().findChild<QDockWidget *>(u"steps"_s)->isVisible());
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowTabsTest)
#include "WindowTabsTest.moc"
