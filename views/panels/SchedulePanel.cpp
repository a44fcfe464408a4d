#include "views/panels/SchedulePanel.h"
#include "views/text/TextView.h"
#include "views/widgets/Breadcrumb.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include "views/widgets/Tables.h"
#include <QCheckBox>
#include <QDir>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

namespace {
/// What failed, and what is dead, by colour.
class ScheduleDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() == ScheduleModel::Application)
      option->font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (index.data(ScheduleModel::FailedRole).toBool())
      option->palette.setColor(QPalette::Text, signalColours(option->palette).error);
    else if (index.data(ScheduleModel::EndRole).toBool())
      option->palette.setColor(QPalette::Text, mutedText(option->palette));
  }
};

class HandleDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.data(HandleModel::DeadRole).toBool())
      option->palette.setColor(QPalette::Text, mutedText(option->palette));
    if (index.data(HandleModel::PointedAtRole).toBool())
      option->font.setBold(true);
  }
};
} // namespace

SchedulePanel::SchedulePanel(ScheduleModel *steps, HandleModel *handles, QWidget *parent)
    : QWidget(parent), model_(steps), handleModel_(handles) {
  path_ = new QLineEdit(this);
  path_->setPlaceholderText(tr("A transform-dialect script"));
  path_->setAccessibleName(tr("The script to run"));
  auto *choose = new QToolButton(this);
  choose->setText(tr("\u2026"));
  choose->setToolTip(tr("Choose a script"));
  choose->setAccessibleName(tr("Choose a script"));
  normalize_ = new QCheckBox(tr("Normalize"), this);
  normalize_->setToolTip(tr("Where a transform expects a normal form that does not hold, put its normalizer in front"));
  follow_ = new QCheckBox(tr("Follow"), this);
  follow_->setToolTip(tr("Show every place of the schedule in graph, text and diff"));
  follow_->setChecked(true);
  connect(follow_, &QCheckBox::toggled, this, &SchedulePanel::followChanged);
  run_ = new QPushButton(tr("Run the script"), this);
  retry_ = new QPushButton(tr("Normalize and Try Again"), this);
  retry_->setToolTip(tr("Brings the functions into the form that the transform expects, before it is applied"));
  retry_->setVisible(false);
  record_ = new QPushButton(lineIcon(u"steps"_s), tr("Record as Steps"), this);
  record_->setToolTip(tr("Makes the transforms of the script the steps of the list, after the program as it is"));
  record_->setVisible(false);
  connect(record_, &QPushButton::clicked, this, &SchedulePanel::recordRequested);
  summary_ = new QLabel(this);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  summary_->setWordWrap(true);
  summary_->setVisible(false);
  steps_ = makeTable(model_, tr("Steps of the schedule"));
  steps_->setSortingEnabled(false);
  steps_->setItemDelegate(new ScheduleDelegate(steps_));
  fitColumns(steps_, {1, 0, 0, 0});
  hint_ = new EmptyHint(
      steps_, tr("No schedule has run"),
      tr("Choose a transform-dialect script: every application becomes a step, with the handles before it."));
  handles_ = makeTable(handleModel_, tr("Handles at this place"));
  handles_->setSortingEnabled(false);
  handles_->setItemDelegate(new HandleDelegate(handles_));
  fitColumns(handles_, {0, 1, 0});
  new EmptyHint(handles_, tr("No handles"), tr("Nothing is in scope at this place."));
  text_ = new TextView(this);
  text_->setAccessibleName(tr("The payload at this place"));
  text_->setSource(&source_);
  text_->setEmptyText(tr("No payload"), tr("Select a step to see the module before it."));

  auto *tools = new QHBoxLayout;
  tools->setContentsMargins(8, 6, 8, 4);
  tools->setSpacing(6);
  tools->addWidget(path_, 1);
  tools->addWidget(choose);
  tools->addWidget(normalize_);
  tools->addWidget(follow_);
  tools->addWidget(run_);
  continue_ = new QPushButton(tr("Continue"), this);
  continue_->setToolTip(tr("Run, or go on to the next breakpoint (F5); back to the last one: Shift+F5"));
  tools->addWidget(continue_);
  tools->addSpacing(8);
  stepButtons_ = {stepButton(tr("Back"), u"step-back"_s, Qt::SHIFT | Qt::Key_F10, &ScheduleModel::back),
                  stepButton(tr("Over"), u"step-over"_s, Qt::Key_F10, &ScheduleModel::over),
                  stepButton(tr("Into"), u"step-into"_s, Qt::Key_F11, &ScheduleModel::into),
                  stepButton(tr("Out"), u"step-out"_s, Qt::SHIFT | Qt::Key_F11, &ScheduleModel::out)};
  for (QToolButton *button : std::as_const(stepButtons_))
    tools->addWidget(button);
  auto *words = new QHBoxLayout;
  words->setContentsMargins(8, 0, 8, 4);
  words->addWidget(summary_, 1);
  words->addWidget(retry_);
  words->addWidget(record_);

  frames_ = new Breadcrumb(this);
  frames_->setAccessibleName(tr("Call stack of the schedule"));
  frames_->setRootName(tr("The entry of the schedule"));

  auto *splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setChildrenCollapsible(false);
  for (QWidget *part : std::initializer_list<QWidget *>{steps_, handles_, text_})
    splitter->addWidget(part);
  for (const auto &[index, weight] : {std::pair(0, 5), {1, 4}, {2, 5}})
    splitter->setStretchFactor(index, weight);
  splitter->setSizes({500, 400, 500});
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(tools);
  layout->addLayout(words);
  layout->addWidget(frames_);
  layout->addWidget(splitter, 1);
  setFocusProxy(path_);
  QWidget *before = path_;
  for (QWidget *next :
       std::initializer_list<QWidget *>{choose, normalize_, follow_, run_, continue_, stepButtons_[0], stepButtons_[1],
                                        stepButtons_[2], stepButtons_[3], steps_, handles_, text_}) {
    setTabOrder(before, next);
    before = next;
  }
  updateButtons();

  connect(choose, &QToolButton::clicked, this, &SchedulePanel::fileRequested);
  connect(path_, &QLineEdit::textChanged, this, &SchedulePanel::updateButtons);
  connect(path_, &QLineEdit::returnPressed, this, [this] {
    if (run_->isEnabled() && !busy_)
      emit runRequested();
  });
  connect(run_, &QPushButton::clicked, this, [this] { busy_ ? emit cancelRequested() : emit runRequested(); });
  connect(continue_, &QPushButton::clicked, this, [this] { emit continueRequested(false); });
  connect(frames_, &Breadcrumb::activated, this, [this](int part) {
    const QList<ScheduleFrame> frames = model_->frames(position());
    if (part < frames.size())
      setPosition(frames[part].row);
  });
  connect(steps_, &QTableView::doubleClicked, this,
          [this](const QModelIndex &index) { emit stepActivated(index.row()); });
  connect(steps_, &QTableView::activated, this, [this](const QModelIndex &index) { emit stepActivated(index.row()); });
  connect(retry_, &QPushButton::clicked, this, [this] {
    normalize_->setChecked(true);
    emit runRequested();
  });
  connect(steps_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &current) {
    updateButtons();
    updateSummary();
    showFrames();
    if (current.isValid())
      emit positionChanged(current.row());
  });
  connect(handles_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex &current) { showHandle(current.row()); });
  connect(text_, &TextView::lineHovered, handleModel_, &HandleModel::pointAtLine);
  connect(model_, &QAbstractItemModel::modelReset, this, &SchedulePanel::updateButtons);
  connect(model_, &QAbstractItemModel::modelReset, this, &SchedulePanel::showFrames);
}

QToolButton *SchedulePanel::stepButton(const QString &text, const QString &icon, const QKeySequence &key,
                                       int (ScheduleModel::*target)(int) const) {
  auto *action = new QAction(lineIcon(icon), text, this);
  action->setShortcut(key);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  action->setToolTip(u"%1 (%2)"_s.arg(text, key.toString(QKeySequence::NativeText)));
  addAction(action);
  connect(action, &QAction::triggered, this,
          [this, target] { setPosition((model_->*target)(std::max(position(), 0))); });
  auto *button = new QToolButton(this);
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  return button;
}

QList<QAction *> SchedulePanel::stepActions() const {
  QList<QAction *> actions;
  for (const QToolButton *button : stepButtons_)
    actions.append(button->defaultAction());
  return actions;
}

/// F5 reads the module again elsewhere in the window.
static bool isContinue(const QKeyEvent &event) {
  return event.key() == Qt::Key_F5 && !(event.modifiers() & ~Qt::ShiftModifier);
}

bool SchedulePanel::event(QEvent *event) {
  if (event->type() != QEvent::ShortcutOverride || !isContinue(*static_cast<QKeyEvent *>(event)))
    return QWidget::event(event);
  event->accept();
  return true;
}

void SchedulePanel::keyPressEvent(QKeyEvent *event) {
  if (isContinue(*event))
    emit continueRequested(event->modifiers() & Qt::ShiftModifier);
  else
    QWidget::keyPressEvent(event);
}

void SchedulePanel::showFrames() {
  QStringList parts;
  for (const ScheduleFrame &frame : model_->frames(position()))
    parts.append(frame.text);
  frames_->setParts(parts);
}

/// What lies below the folder in which the window was started is shown from there.
void SchedulePanel::setPath(const QString &path) {
  const QString relative = QDir::current().relativeFilePath(path);
  path_->setText(QFileInfo(path).isAbsolute() && QFileInfo::exists(path) && !relative.startsWith(u".."_s) ? relative
                                                                                                          : path);
}

/// Of a file that is there, from the root; others are for the engine, which may run elsewhere.
QString SchedulePanel::path() const {
  const QString text = path_->text().trimmed();
  return !text.isEmpty() && QFileInfo::exists(text) ? QFileInfo(text).absoluteFilePath() : text;
}
bool SchedulePanel::normalizes() const { return normalize_->isChecked(); }
bool SchedulePanel::follows() const { return follow_->isChecked(); }
void SchedulePanel::setFollows(bool follows) { follow_->setChecked(follows); }

void SchedulePanel::setBusy(bool busy) {
  busy_ = busy;
  run_->setText(busy ? tr("Cancel") : tr("Run the script"));
  updateButtons();
}

void SchedulePanel::setRunnable(bool can, bool hasText) {
  canRun_ = can;
  hasText_ = hasText;
  updateButtons();
}

void SchedulePanel::updateButtons() {
  continue_->setEnabled(!busy_ && canRun_ && (hasText_ || !path().isEmpty()));
  run_->setEnabled(busy_ || (canRun_ && (hasText_ || !path().isEmpty())));
  for (QToolButton *button : std::as_const(stepButtons_))
    button->defaultAction()->setEnabled(model_->rowCount() > 0);
}

void SchedulePanel::setHint(const QString &title, const QString &hint) { hint_->setText(title, hint); }

void SchedulePanel::setSummary(const QString &text) {
  said_ = text;
  updateSummary();
}

void SchedulePanel::updateSummary() {
  QStringList lines{said_};
  if (const protocol::ScheduleStep *step = model_->stepAt(position()))
    for (const protocol::Diagnostic &diagnostic : step->diagnostics)
      lines.append(tr("Line %1: %2").arg(step->line).arg(QString(diagnostic.message).section(u'\n', 0, 0)));
  summary_->setText(lines.join(u'\n'));
  summary_->setVisible(!said_.isEmpty());
}

void SchedulePanel::offerNormalizing(bool offers) { retry_->setVisible(offers); }
void SchedulePanel::offerRecording(bool offers) { record_->setVisible(offers); }

int SchedulePanel::position() const { return steps_->currentIndex().isValid() ? steps_->currentIndex().row() : -1; }

void SchedulePanel::setPosition(int row) {
  const QModelIndex index = model_->index(row, 0);
  steps_->setCurrentIndex(index);
  steps_->scrollTo(index);
}

void SchedulePanel::showPosition(const protocol::SchedulePosition &position) {
  const QString selected = handleModel_->handleAt(handles_->currentIndex().row())
                               ? QString(handleModel_->handleAt(handles_->currentIndex().row())->name)
                               : QString();
  const int line = text_->firstVisibleLine();
  source_.setText(position.text);
  text_->highlightLines(-1, -1);
  text_->scrollToLine(std::min(line, source_.lineCount() - 1), false);
  handleModel_->setHandles(position.handles);
  for (int row = 0; row < handleModel_->rowCount(); ++row) // the one that was looked at stays so
    if (!selected.isEmpty() && handleModel_->handleAt(row)->name == selected)
      handles_->setCurrentIndex(handleModel_->index(row, 0));
}

/// The handle's payload lights up: the first op as the current one, the others as marks.
void SchedulePanel::showHandle(int row) {
  const protocol::ScheduleHandle *handle = handleModel_->handleAt(row);
  QList<LineMark> marks;
  text_->highlightLines(-1, -1);
  if (handle && handle->lines.size() >= 2) {
    text_->highlightLines(int(handle->lines[0]), int(handle->lines[1]));
    for (qsizetype i = 0; i + 1 < handle->lines.size(); i += 2)
      marks.append({.line = int(handle->lines[i]), .kind = MarkKind::Subject, .text = handle->name});
    text_->scrollToLine(int(handle->lines[0]));
  }
  std::sort(marks.begin(), marks.end(), [](const LineMark &a, const LineMark &b) { return a.line < b.line; });
  text_->setLineMarks(marks);
  emit handleChosen(row);
}

} // namespace fuselage
