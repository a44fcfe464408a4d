// Window and engine are killed at any moment while somebody types, runs and tunes; what was typed and measured is there
// at the next start. FUSELAGE_KILLS sets how often (3), FUSELAGE_SEED which moments.
#include "app/gui/schedule/ScriptController.h"
#include "app/gui/tuning/TuningController.h"
#include "tests/views/window/TuningBench.h"
#include "tests/views/window/programs/Program.h"
#include "views/panels/PipelinePanel.h"
#include "views/panels/RunPanel.h"
#include <QElapsedTimer>
#include <QInputDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPlainTextEdit>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTimer>

namespace {

/// Three products, so that a run has rows before it ends.
const QByteArray payload =
    "func.func @f(%a: tensor<48x48xf32>, %b: tensor<48x48xf32>, %c: tensor<48x48xf32>) -> tensor<48x48xf32> {\n"
    "  %0 = linalg.matmul ins(%a, %b : tensor<48x48xf32>, tensor<48x48xf32>) outs(%c : tensor<48x48xf32>) -> "
    "tensor<48x48xf32>\n"
    "  %1 = linalg.matmul ins(%0, %b : tensor<48x48xf32>, tensor<48x48xf32>) outs(%c : tensor<48x48xf32>) -> "
    "tensor<48x48xf32>\n"
    "  %2 = linalg.matmul ins(%1, %0 : tensor<48x48xf32>, tensor<48x48xf32>) outs(%c : tensor<48x48xf32>) -> "
    "tensor<48x48xf32>\n"
    "  return %2 : tensor<48x48xf32>\n}\n";

/// What was typed or measured that long before the end is kept: a draft is written 150 ms after the first letter, rows
/// of a run 300 ms after the first one.
constexpr qint64 keptWithinMs = 1000;

qint64 now() { return QDateTime::currentMSecsSinceEpoch(); }

/// What failed in a life; its warnings would leave no room for that.
QByteArray complaintOf(QProcess &life) {
  QByteArray text;
  for (const QByteArray &line : life.readAll().split('\n'))
    if (!line.startsWith("QWARN") && !line.startsWith("PASS"))
      text += line + '\n';
  return text;
}

/// What somebody at the window has typed and seen.
struct Held {
  QString script, pipeline;
  int rows = 0, trials = 0;
};

QJsonObject toJson(const Held &held, bool isFirst) {
  return {{u"time"_s, now()},     {u"first"_s, isFirst},     {u"script"_s, held.script}, {u"pipeline"_s, held.pipeline},
          {u"rows"_s, held.rows}, {u"trials"_s, held.trials}};
}

/// The last line of the log that is old enough when the last one was written, and that the window's timers ran often
/// enough after: until then it did its work. Or what the last life began with: that had been kept.
Held heldIn(const QString &log) {
  constexpr qsizetype linesAfter = 12;
  const QList<QByteArray> lines = readFile(log).split('\n');
  qint64 end = 0;
  for (const QByteArray &line : lines)
    end = std::max(end, QJsonDocument::fromJson(line).object()[u"time"_s].toInteger());
  Held held;
  for (qsizetype at = 0; at < lines.size(); ++at) {
    const QJsonObject entry = QJsonDocument::fromJson(lines[at]).object();
    if (entry.isEmpty())
      continue;
    const bool isTooNew = at + linesAfter >= lines.size() || entry[u"time"_s].toInteger() > end - keptWithinMs;
    if (isTooNew && !entry[u"first"_s].toBool()) {
      held.rows = std::min(held.rows, entry[u"rows"_s].toInt()); // a new run begins with none
      continue;
    }
    held = {.script = entry[u"script"_s].toString(),
            .pipeline = entry[u"pipeline"_s].toString(),
            .rows = entry[u"rows"_s].toInt(),
            .trials = std::max(held.trials, entry[u"trials"_s].toInt())};
  }
  return held;
}

} // namespace

/// A life of the window: what was held at the end of the last one is there, and then it goes on until it is killed.
class Act : public QObject {
  Q_OBJECT
public:
  explicit Act(const QString &folder) : folder_(folder) {}

private slots:
  void lives() {
    // Killed while it was opened: who is asked opens it again.
    Settings(settingsIn(folder_)).setPendingDocuments({});
    Program program(folder_, {folder_ + u"/m.mlir"_s});
    program_ = &program;
    if (scripts().path().isEmpty())
      QVERIFY(scripts().open(folder_ + u"/s.mlir"_s));
    check(heldIn(folder_ + u"/log"_s));
    if (QTest::currentTestFailed())
      return;
    QRandomGenerator random(readFile(folder_ + u"/seed"_s).toUInt());
    QTimer log;
    connect(&log, &QTimer::timeout, this, &Act::note);
    log.start(50);
    note();
    while (true)
      act(random);
  }

private:
  ScriptController &scripts() { return program_->get<ScriptController>(); }
  QPlainTextEdit &pipeline() { return *program_->get<PipelineController>().panel().edit(); }

  void check(const Held &held) {
    const QString script = scripts().text().section(u'\n', 0, 0), pipeline = this->pipeline().toPlainText();
    QVERIFY2(script.startsWith(held.script),
             qPrintable(u"'%1', not '%2'; drafts:%3"_s.arg(script.right(20), held.script.right(20), draftsNow())));
    QVERIFY2(pipeline.startsWith(held.pipeline), qPrintable(u"'%1', not '%2'"_s.arg(pipeline, held.pipeline)));
    const int rows = measuredRows();
    QVERIFY2(rows >= held.rows, qPrintable(u"%1 of %2 rows; drafts:%3"_s.arg(rows).arg(held.rows).arg(draftsNow())));
    if (held.trials == 0)
      return;
    auto &tuning = program_->get<TuningController>();
    QTimer asked;
    connect(&asked, &QTimer::timeout, this, &Act::takeMostTrials);
    asked.start(50);
    tuning.showJournal({});
    QTRY_VERIFY_WITH_TIMEOUT(tuning.isSettled(), patience);
    const int trials = tuning.trials().rowCount();
    QVERIFY2(trials >= held.trials, qPrintable(u"%1 of %2 trials"_s.arg(trials).arg(held.trials)));
  }

  /// Where the journal has several schedules, as each text is another, it asks for one.
  static void takeMostTrials() {
    auto *box = qobject_cast<QInputDialog *>(QApplication::activeModalWidget());
    if (!box)
      return;
    static const QRegularExpression trials(u", ([\\d\\s]+) trials"_s, QRegularExpression::UseUnicodePropertiesOption);
    const auto trialsIn = [](const QString &item) { return trials.match(item).captured(1).remove(u' ').toInt(); };
    const QStringList items = box->comboBoxItems();
    box->setTextValue(*std::max_element(items.begin(), items.end(),
                                        [&](const QString &a, const QString &b) { return trialsIn(a) < trialsIn(b); }));
    box->accept();
  }

  /// "schedule of untitled-1: // typed"
  QString draftsNow() {
    QString list;
    QDir folder(program_->shell().settings().drafts().folder());
    for (const QFileInfo &file : folder.entryInfoList({u"*.json"_s}, QDir::Files)) {
      const QJsonObject found = QJsonDocument::fromJson(readFile(file.filePath())).object();
      list += u"\n  %1 of %2, %3: %4"_s.arg(found[u"editor"_s].toString(), found[u"tab"_s].toString(),
                                            file.lastModified().toString(Qt::ISODateWithMs),
                                            found[u"draft"_s][u"text"_s].toString().section(u'\n', 0, 0).right(20));
    }
    return list;
  }

  int measuredRows() {
    const QList<protocol::Kernel> &kernels = program_->get<RunController>().kernels().kernels();
    return int(std::count_if(kernels.begin(), kernels.end(),
                             [](const protocol::Kernel &kernel) { return kernel.medianUs >= 0; }));
  }

  void note() {
    QFile log(folder_ + u"/log"_s);
    const Held held{.script = scripts().text().section(u'\n', 0, 0),
                    .pipeline = pipeline().toPlainText(),
                    .rows = measuredRows(),
                    .trials = program_->get<TuningController>().trials().rowCount()};
    if (!held.script.startsWith(typed_))
      qFatal("the window has '%s', where '%s' was typed", qPrintable(held.script), qPrintable(typed_));
    typed_ = held.script;
    const QByteArray line =
        QJsonDocument(toJson(held, std::exchange(isFirst_, false))).toJson(QJsonDocument::Compact) + '\n';
    if (!log.open(QIODevice::Append) || log.write(line) != line.size())
      qFatal("cannot write into the scratch folder");
  }

  void act(QRandomGenerator &random) {
    switch (random.bounded(8)) {
    case 0:
    case 1:
      type(scripts().edit(), u"// typed "_s, random);
      break;
    case 2:
      type(pipeline(), u"cse,"_s, random);
      break;
    case 3: // one run at a time: the next one begins with no rows
      if (!std::exchange(hasRun_, true))
        program_->get<RunController>().runOn(u"host"_s);
      break;
    case 4:
      program_->get<TuningController>().tuneOn(u"host"_s, 2);
      break;
    case 5:
      QTest::keyClick(&program_->focus(), Qt::Key_J);
      break;
    case 6:
      if (const qint64 engine = program_->shell().session().client().processId(); engine > 0 && random.bounded(2))
        ::kill(pid_t(engine), SIGKILL);
      break;
    default:
      break;
    }
    QTest::qWait(int(random.bounded(400)));
  }

  void type(QPlainTextEdit &edit, const QString &text, QRandomGenerator &random) {
    program_->workspace.activateWindow();
    edit.setFocus();
    edit.moveCursor(QTextCursor::Start);
    edit.moveCursor(QTextCursor::EndOfBlock);
    QTest::keyClicks(&edit, text.first(1 + random.bounded(int(text.size()))));
  }

  QString folder_;
  Program *program_ = nullptr;
  QString typed_; ///< the schedule's first line, which only grows
  bool hasRun_ = false, isFirst_ = true;
};

class WindowKillTest : public QObject {
  Q_OBJECT
private slots:
  void initTestCase() {
    qputenv("XDG_DATA_HOME", folder_.filePath(u"data"_s).toUtf8()); // of the journal
    writeFile(folder_.filePath(u"m.mlir"_s), payload);
    writeFile(folder_.filePath(u"s.mlir"_s), "//\n" + knobs());
  }

  void nothingTypedOrMeasuredIsLost_data() {
    const int kills = qEnvironmentVariableIsSet("FUSELAGE_KILLS") ? qEnvironmentVariableIntValue("FUSELAGE_KILLS") : 3;
    QTest::addColumn<quint32>("seed");
    QRandomGenerator random(qEnvironmentVariableIntValue("FUSELAGE_SEED"));
    for (int life = 1; life <= kills; ++life)
      QTest::addRow("life %d", life) << random.generate();
  }

  /// Each life checks what the one before held when it was killed.
  void nothingTypedOrMeasuredIsLost() {
    QFETCH(quint32, seed);
    writeFile(folder_.filePath(u"seed"_s), QByteArray::number(seed));
    const qsizetype before = readFile(folder_.filePath(u"log"_s)).size();
    QProcess window;
    window.setProcessChannelMode(QProcess::MergedChannels);
    window.start(QCoreApplication::applicationFilePath(), {u"--act"_s, u"lives"_s, folder_.path()});
    // What the last life held was there, where it begins to log.
    const auto goesOn = [&] { return readFile(folder_.filePath(u"log"_s)).size() > before; };
    QTRY_VERIFY2_WITH_TIMEOUT(goesOn() || window.state() == QProcess::NotRunning, "it hangs", patience);
    QVERIFY2(goesOn(), complaintOf(window).constData());
    QRandomGenerator random(seed);
    QTest::qWait(200 + int(random.bounded(4000)));
    QVERIFY2(window.state() == QProcess::Running, complaintOf(window).constData());
    window.kill();
    QVERIFY(window.waitForFinished(patience));
  }

private:
  QTemporaryDir folder_;
};

WINDOW_PROGRAMS_MAIN(WindowKillTest, Act)
#include "WindowKillTest.moc"
