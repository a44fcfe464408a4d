// Baselines of a program that is killed.
#include "app/gui/baselines/BaselinesController.h"
#include "tests/views/window/programs/Program.h"
#include "views/panels/RunPanel.h"
#include <QSignalSpy>

using namespace fuselage;
using namespace Qt::StringLiterals;

/// What the second process does before it is killed.
class Act : public QObject {
  Q_OBJECT
public:
  explicit Act(const QString &folder) : folder_(folder) {}

private slots:
  void keepsARun() {
    Program program(folder_, {folder_ + u"/m.mlir"_s});
    auto &run = program.get<RunController>();
    run.panel().setBaselines(false);
    run.panel().setRepeat(1);
    QSignalSpy ran(&run, &RunController::ran);
    run.runOn(u"host"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!ran.isEmpty(), patience);
    auto &baselines = program.get<BaselinesController>();
    baselines.keep(baselines.runs()[0], u"before"_s);
    die();
  }

private:
  QString folder_;
};

class WindowKeptTest : public QObject {
  Q_OBJECT
private slots:
  void aBaselineOutlivesAKill() {
    QTemporaryDir folder;
    QVERIFY(QFile::copy(sample(u"softmax.mlir"_s), folder.filePath(u"m.mlir"_s)));
    QVERIFY(isKilledIn(u"keepsARun"_s, folder.path()));
    Program program(folder.path());
    const QList<KeptRun> &runs = program.get<BaselinesController>().runs();
    QTRY_COMPARE_WITH_TIMEOUT(runs.size(), 1, patience);
    QCOMPARE(runs[0].name, u"before"_s);
    QVERIFY(!runs[0].run.dispatches.empty());
    QVERIFY(runs[0].run.total().median > 0);
  }
};

WINDOW_PROGRAMS_MAIN(WindowKeptTest, Act)
#include "WindowKeptTest.moc"
