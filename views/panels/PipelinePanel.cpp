#include "views/panels/PipelinePanel.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include "views/widgets/TargetBox.h"
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QCompleter>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QStringListModel>
#include <QTextBlock>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Letters before a completion is offered unasked.
static constexpr qsizetype lettersToOffer = 2;

static bool isPassCharacter(QChar character) {
  return character.isLetterOrNumber() || character == u'-' || character == u'_' || character == u'.';
}

PipelineEdit::PipelineEdit(QWidget *parent)
    : QPlainTextEdit(parent), completer_(new QCompleter(this)), names_(new QStringListModel(this)) {
  setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  setTabChangesFocus(true);
  setAccessibleName(tr("Pipeline"));
  completer_->setModel(names_);
  completer_->setWidget(this);
  completer_->setFilterMode(Qt::MatchContains);
  // The popup has no say when a command moves the keyboard elsewhere.
  connect(qApp, &QApplication::focusChanged, this, [this](const QWidget *, const QWidget *now) {
    if (now && now != this && now != completer_->popup())
      completer_->popup()->hide();
  });
  completer_->setCaseSensitivity(Qt::CaseInsensitive);
  completer_->setCompletionMode(QCompleter::PopupCompletion);
  connect(completer_, qOverload<const QString &>(&QCompleter::activated), this, &PipelineEdit::complete);
}

void PipelineEdit::setPasses(const QList<protocol::Pass> &passes) {
  QStringList names;
  for (const protocol::Pass &pass : passes)
    names.append(pass.argument);
  names_->setStringList(names);
}

QString PipelineEdit::wordUnderCursor() const {
  const QString line = textCursor().block().text();
  const int end = textCursor().positionInBlock();
  int begin = end;
  while (begin > 0 && isPassCharacter(line[begin - 1]))
    --begin;
  return line.mid(begin, end - begin);
}

QString PipelineEdit::oneLine() const { return toPlainText().simplified(); }

/// Where a place of the text in one line stands in the text as it was typed.
static int typedPlace(const QString &typed, int column) {
  int at = 0;
  bool wasBlank = true; // those at the start are dropped
  for (int i = 0; i < typed.size(); ++i) {
    const bool isBlank = typed[i].isSpace();
    if (!isBlank || !wasBlank) {
      if (at == column)
        return i;
      ++at;
    }
    wasBlank = isBlank;
  }
  return int(typed.size());
}

void PipelineEdit::underline(int column) {
  QList<QTextEdit::ExtraSelection> selections;
  const QString typed = toPlainText();
  if (column >= 0 && !typed.isEmpty()) {
    int begin = std::min(typedPlace(typed, column), int(typed.size()) - 1), end = begin;
    while (end < typed.size() && isPassCharacter(typed[end]))
      ++end;
    QTextEdit::ExtraSelection selection;
    selection.cursor = QTextCursor(document());
    selection.cursor.setPosition(begin);
    selection.cursor.setPosition(std::max(end, begin + 1), QTextCursor::KeepAnchor);
    selection.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    selection.format.setUnderlineColor(signalColours(palette()).error);
    selections.append(selection);
  }
  setExtraSelections(selections);
}

void PipelineEdit::complete(const QString &pass) {
  QTextCursor cursor = textCursor();
  cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, int(wordUnderCursor().size()));
  cursor.insertText(pass);
  setTextCursor(cursor);
}

void PipelineEdit::offer(bool force) {
  const QString word = wordUnderCursor();
  // Those that begin with it come first.
  QStringList names = names_->stringList();
  names.sort();
  std::stable_partition(names.begin(), names.end(),
                        [&](const QString &name) { return name.startsWith(word, Qt::CaseInsensitive); });
  if (names != names_->stringList())
    names_->setStringList(names);
  completer_->setCompletionPrefix(word);
  const bool isComplete = completer_->completionCount() == 1 && completer_->currentCompletion() == word;
  if ((!force && word.size() < lettersToOffer) || completer_->completionCount() == 0 || isComplete) {
    completer_->popup()->hide();
    return;
  }
  completer_->popup()->setCurrentIndex(completer_->completionModel()->index(0, 0));
  QRect place = cursorRect();
  place.setWidth(completer_->popup()->sizeHintForColumn(0) +
                 completer_->popup()->verticalScrollBar()->sizeHint().width() + 8);
  completer_->complete(place);
}

void PipelineEdit::keyPressEvent(QKeyEvent *event) {
  if (completer_->popup()->isVisible()) {
    switch (event->key()) {
    case Qt::Key_Enter:
    case Qt::Key_Return:
    case Qt::Key_Escape:
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
      event->ignore(); // the popup takes them
      return;
    default:
      break;
    }
  }
  const bool control = event->modifiers() & Qt::ControlModifier;
  if (control && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
    emit submitted();
    return;
  }
  const bool asked = control && event->key() == Qt::Key_Space;
  if (!asked)
    QPlainTextEdit::keyPressEvent(event);
  if (asked || (!control && !event->text().isEmpty() && isPassCharacter(event->text().front())) ||
      event->key() == Qt::Key_Backspace)
    offer(asked);
}

PipelinePanel::PipelinePanel(QWidget *parent) : QWidget(parent) {
  preset_ = new QComboBox(this);
  preset_->setAccessibleName(tr("Preset"));
  preset_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  preset_->setMinimumContentsLength(16);
  preset_->addItem(tr("Default pipeline"), QString());
  target_ = new TargetBox({{tr("SPIR-V"), u"spirv"_s}, {tr("PTX"), u"ptx"_s}}, this);
  target_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  target_->setMinimumContentsLength(8);
  target_->setToolTip(tr("What the default pipeline lowers to: kernels for any device of a language, or for one "
                         "device, which need not be present"));
  auto *schedule = new QPushButton(lineIcon(u"open"_s), tr("Record Schedule\u2026"), this);
  schedule->setToolTip(tr("Record a transform-dialect script"));
  record_ = new QPushButton(lineIcon(u"steps"_s), tr("Re&cord"), this);
  record_->setToolTip(tr("Record the pipeline step by step (Ctrl+Return)"));
  edit_ = new PipelineEdit(this);
  edit_->setPlaceholderText(
      tr("Empty: the default pipeline. Or type one, such as\nbuiltin.module(canonicalize,func.func(cse))\n"
         "tool(iree-compile --iree-input-type=torch --compile-to=input),default"));
  origin_ = new QLabel(this);
  origin_->setWordWrap(true);
  origin_->setVisible(false);
  back_ = new QPushButton(lineIcon(u"previous"_s), tr("Back to the log"), this);
  back_->setVisible(false);
  description_ = new QLabel(this);
  description_->setWordWrap(true);
  description_->setVisible(false);
  error_ = new QLabel(this);
  error_->setWordWrap(true);
  error_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  error_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  errorArea_ = new QScrollArea(this);
  errorArea_->setWidget(error_);
  errorArea_->setWidgetResizable(true);
  errorArea_->setFrameShape(QFrame::NoFrame);
  errorArea_->setAccessibleName(tr("What is wrong with the pipeline"));
  errorArea_->setMinimumWidth(220);
  errorArea_->setVisible(false);

  auto *tools = new QHBoxLayout;
  tools->setSpacing(6);
  tools->addWidget(preset_, 1);
  tools->addWidget(target_);
  tools->addWidget(schedule);
  tools->addWidget(record_);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 6, 8, 8);
  layout->setSpacing(6);
  auto *origin = new QHBoxLayout;
  origin->setSpacing(6);
  origin->addWidget(origin_, 1);
  origin->addWidget(back_);
  layout->addLayout(origin);
  layout->addLayout(tools);
  layout->addWidget(description_);
  auto *beside = new QHBoxLayout;
  beside->setSpacing(10);
  beside->addWidget(edit_, 3);
  beside->addWidget(errorArea_, 2);
  layout->addLayout(beside, 1);
  layout->addLayout(buildTool());

  setFocusProxy(edit_);
  connect(preset_, qOverload<int>(&QComboBox::activated), this, &PipelinePanel::choosePreset);
  connect(record_, &QPushButton::clicked, this, [this] { emit recordRequested(request()); });
  connect(edit_, &PipelineEdit::submitted, this, [this] {
    if (record_->isEnabled())
      emit recordRequested(request());
  });
  connect(edit_, &QPlainTextEdit::textChanged, this, [this] {
    setError({});
    schedule_.clear();
  });
  connect(schedule, &QPushButton::clicked, this, &PipelinePanel::scheduleRequested);
  connect(back_, &QPushButton::clicked, this, &PipelinePanel::originRequested);
}

QLayout *PipelinePanel::buildTool() {
  tool_ = new QComboBox(this);
  tool_->setEditable(true);
  tool_->lineEdit()->setAccessibleName(tr("External compiler"));
  tool_->setInsertPolicy(QComboBox::NoInsert);
  tool_->setAccessibleName(tr("Command line of the external compiler"));
  tool_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  tool_->setMinimumContentsLength(16);
  tool_->lineEdit()->setPlaceholderText(tr("iree-compile --compile-to=flow"));
  tool_->setToolTip(tr("Runs on the open file, which replaces {} in the command, or else is its last argument. Words "
                       "are split as in a shell, but no shell runs; relative paths start at the file's folder."));
  runTool_ = new QPushButton(lineIcon(u"run"_s), tr("Run Compiler"), this);
  auto *label = new QLabel(tr("External compi&ler"), this);
  label->setBuddy(tool_);
  auto *row = new QHBoxLayout;
  row->setSpacing(6);
  row->addWidget(label);
  row->addWidget(tool_, 1);
  row->addWidget(runTool_);
  connect(runTool_, &QPushButton::clicked, this, &PipelinePanel::requestTool);
  connect(tool_->lineEdit(), &QLineEdit::returnPressed, this, &PipelinePanel::requestTool);
  connect(tool_, &QComboBox::editTextChanged, this, [this] { setError({}); });
  setToolRunning(false);
  return row;
}

void PipelinePanel::requestTool() {
  if (!runTool_->isEnabled())
    return;
  if (toolRuns_)
    emit toolStopRequested();
  else if (tool_->currentText().trimmed().isEmpty())
    setError(tr("Type the command of a compiler, such as iree-compile --compile-to=flow"));
  else
    emit toolRequested(tool_->currentText().trimmed());
}

void PipelinePanel::setTools(const QList<protocol::Tool> &tools) {
  const QString typed = tool_->currentText();
  tool_->clear();
  for (const protocol::Tool &tool : tools) {
    tool_->addItem(tool.command);
    tool_->setItemData(tool_->count() - 1, tool.path, Qt::ToolTipRole);
  }
  tool_->setEditText(typed);
}

void PipelinePanel::setEnabledToRunTool(bool enabled) { runTool_->setEnabled(enabled); }

void PipelinePanel::setToolRunning(bool running) {
  toolRuns_ = running;
  runTool_->setText(running ? tr("Stop Compiler") : tr("Run Compiler"));
  runTool_->setIcon(lineIcon(running ? u"stop"_s : u"run"_s));
  runTool_->setToolTip(running ? tr("Stop the compiler; the passes so far are kept")
                               : tr("Run this compiler on the opened file and show its passes while it works"));
}

void PipelinePanel::setCatalog(const protocol::Catalog &catalog) {
  edit_->setPasses(catalog.passes);
  if (catalog.presets.isEmpty())
    return;
  preset_->clear();
  for (const protocol::Preset &preset : catalog.presets) {
    preset_->addItem(preset.name, preset.pipeline);
    preset_->setItemData(preset_->count() - 1, preset.description, Qt::ToolTipRole);
  }
}

void PipelinePanel::choosePreset(int index) {
  edit_->setPlainText(preset_->itemData(index).toString());
  const QString description = preset_->itemData(index, Qt::ToolTipRole).toString();
  description_->setText(description);
  description_->setVisible(!description.isEmpty());
}

RecordRequest PipelinePanel::request() const {
  // Line breaks are for the reader; MLIR's parser of pipelines knows none.
  return {.pipeline = schedule_.isEmpty() ? edit_->oneLine() : QString(),
          .schedule = schedule_,
          .target = target_->language(),
          .device = target_->device(),
          .from = -1};
}

void PipelinePanel::setSchedule(const QString &path) {
  edit_->clear();
  schedule_ = path;
  description_->setText(path.isEmpty() ? QString() : tr("Schedule: %1").arg(QFileInfo(path).fileName()));
  description_->setVisible(!path.isEmpty());
}

void PipelinePanel::setOrigin(const QString &text, bool canGoBack) {
  origin_->setText(text);
  origin_->setVisible(!text.isEmpty());
  back_->setVisible(canGoBack);
}

void PipelinePanel::setEnabledToRecord(bool enabled) { record_->setEnabled(enabled); }

void PipelinePanel::setError(const QString &message, const QList<protocol::Diagnostic> &diagnostics) {
  error_->setText(message);
  errorArea_->setVisible(!message.isEmpty());
  QPalette colours = palette();
  colours.setColor(QPalette::WindowText, signalColours(palette()).error);
  error_->setPalette(colours);
  int column = -1;
  for (const protocol::Diagnostic &diagnostic : diagnostics)
    if (diagnostic.line == 1 && diagnostic.column > 0 && column < 0)
      column = diagnostic.column - 1;
  edit_->underline(column);
}

void PipelinePanel::setPipeline(const QString &text) {
  edit_->setPlainText(text);
  schedule_.clear();
}

/// A pass's options with `tile-sizes` set; braces and all.
static QString withSizes(const QString &options, const QString &sizes) {
  static const QRegularExpression had(u"\\btile-sizes=[^\\s}]*\\s*"_s);
  QString others = options.mid(1, options.size() - 2).replace(had, QString()).trimmed();
  return others.isEmpty() ? u"{tile-sizes=%1}"_s.arg(sizes) : u"{tile-sizes=%1 %2}"_s.arg(sizes, others);
}

QString PipelinePanel::withTileSizes(const QString &pipeline, const QString &workgroups, const QString &all) {
  static const QRegularExpression pass(
      u"\\b(fuselage-tile-to-workgroups|fuselage-tile-reductions|fuselage-tile-and-fuse)(\\{[^}]*\\})?"_s);
  QString result;
  qsizetype at = 0;
  for (auto matches = pass.globalMatch(pipeline); matches.hasNext();) {
    const QRegularExpressionMatch match = matches.next();
    const bool isOfWorkgroups = match.captured(1) == "fuselage-tile-to-workgroups"_L1;
    result += pipeline.mid(at, match.capturedStart() - at) + match.captured(1) +
              withSizes(match.captured(2), isOfWorkgroups ? workgroups : all);
    at = match.capturedEnd();
  }
  return at == 0 ? QString() : result + pipeline.mid(at);
}

} // namespace fuselage
