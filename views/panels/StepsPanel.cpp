#include "views/panels/StepsPanel.h"
#include "views/common/Theme.h"
#include "views/models/Format.h"
#include "views/models/ReasonWords.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include <QApplication>
#include <QClipboard>
#include <QCompleter>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStringListModel>
#include <QStyledItemDelegate>
#include <QTextBrowser>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

namespace {
/// Colours a row by what its step did, and leaves the selection's colours alone.
class StepDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const int status = index.data(StepModel::StatusRole).toInt();
    const SignalColours colours = signalColours(option->palette);
    if (status == StepModel::Unchanged)
      option->palette.setColor(QPalette::Text, mutedText(option->palette));
    else if (status == StepModel::Failed || status == StepModel::Crashed)
      option->palette.setColor(QPalette::Text, colours.error);
    else if (status == StepModel::Running)
      option->palette.setColor(QPalette::Text, colours.info);
    else if (index.column() != StepModel::Name)
      option->palette.setColor(QPalette::Text, mutedText(option->palette));
    option->font.setItalic(status == StepModel::Input || status == StepModel::Running);
    if (const QString anchor = anchorOf(index); !anchor.isEmpty())
      option->text.chop(anchor.size() + 2); // paint() writes it in another tone
  }

  void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const QString anchor = anchorOf(index);
    if (anchor.isEmpty())
      return;
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QStyle *style = item.widget ? item.widget->style() : QApplication::style();
    QRect room = style->subElementRect(QStyle::SE_ItemViewItemText, &item, item.widget);
    room.setLeft(room.left() + item.fontMetrics.horizontalAdvance(item.text) + 14);
    if (room.width() < 12)
      return;
    painter->save();
    painter->setFont(item.font);
    const QColor text =
        item.palette.color(item.state & QStyle::State_Selected ? QPalette::HighlightedText : QPalette::Text);
    painter->setPen(mix(
        text, item.palette.color(item.state & QStyle::State_Selected ? QPalette::Highlight : QPalette::Base), 0.66));
    painter->drawText(room, Qt::AlignVCenter, item.fontMetrics.elidedText(anchor, Qt::ElideRight, room.width()));
    painter->restore();
  }

  static QString anchorOf(const QModelIndex &index) {
    return index.column() == StepModel::Name ? index.data(StepModel::AnchorRole).toString() : QString();
  }

  QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override {
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    size.setHeight(option.fontMetrics.height() + 9);
    return size;
  }
};

/// Completes the last word of the filter.
class WordCompleter : public QCompleter {
public:
  WordCompleter(QAbstractItemModel *words, QObject *parent) : QCompleter(words, parent) {
    setCaseSensitivity(Qt::CaseInsensitive);
    setMaxVisibleItems(10);
  }
  QStringList splitPath(const QString &path) const override { return {path.section(u' ', -1)}; }
  QString pathFromIndex(const QModelIndex &index) const override {
    const auto *edit = qobject_cast<const QLineEdit *>(widget());
    const QString before = edit ? edit->text().section(u' ', 0, -2) : QString();
    return (before.isEmpty() ? QString() : before + u' ') + QCompleter::pathFromIndex(index);
  }
};
} // namespace

/// As wide as the largest number, which is in none of the rows that a header looks at.
static void fitNumbers(QTreeView &list, int steps) {
  const QString most = QString::number(std::max(steps, 9));
  const int margins = 2 * (list.style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, &list) + 1) +
                      list.fontMetrics().averageCharWidth();
  list.header()->resizeSection(StepModel::Index, list.fontMetrics().horizontalAdvance(most) + margins);
}

StepsPanel::StepsPanel(StepModel *model, QWidget *parent) : QWidget(parent), model_(model), filter_(this) {
  filter_.setSourceModel(model_);
  filterEdit_ = new QLineEdit(this);
  filterEdit_->setPlaceholderText(tr("Filter: words, @function, op:linalg.matmul, dispatch:matmul"));
  filterEdit_->setToolTip(
      tr("Words of the name, pass or pipeline; @main: passes that ran on that function; op:linalg.matmul: "
         "steps in whose diff that op is; dispatch:matmul_8x8: steps that changed ops of that dispatch. All of them "
         "have to hold."));
  completions_ = new QStringListModel(this);
  pause_ = new QTimer(this);
  filterEdit_->setClearButtonEnabled(true);
  filterEdit_->setAccessibleName(tr("Filter steps by name"));
  filterEdit_->addAction(lineIcon(u"filter"_s), QLineEdit::LeadingPosition);
  hide_ = new QToolButton(this);
  hide_->setIcon(lineIcon(u"hide"_s));
  hide_->setCheckable(true);
  hide_->setAutoRaise(true);
  hide_->setToolTip(tr("Hide steps that changed nothing"));
  hide_->setAccessibleName(tr("Hide unchanged steps"));

  list_ = new QTreeView(this);
  list_->setModel(&filter_);
  list_->setItemDelegate(new StepDelegate(list_));
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAllColumnsShowFocus(true);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setSelectionMode(QAbstractItemView::SingleSelection);
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  list_->setTextElideMode(Qt::ElideRight);
  list_->setAccessibleName(tr("Steps"));
  list_->setAccessibleDescription(tr("Recorded steps; j and k move"));
  list_->installEventFilter(this);
  QHeaderView *header = list_->header();
  header->setStretchLastSection(false);
  header->setMinimumSectionSize(24);
  header->setSectionResizeMode(StepModel::Index, QHeaderView::Fixed);
  const auto fit = [this] { fitNumbers(*list_, model_->rowCount()); };
  connect(model_, &QAbstractItemModel::modelReset, list_, fit);
  connect(model_, &QAbstractItemModel::rowsInserted, list_, fit);
  fit();
  header->setSectionResizeMode(StepModel::Name, QHeaderView::Stretch);
  header->setSectionResizeMode(StepModel::Time, QHeaderView::ResizeToContents);
  header->setSectionResizeMode(StepModel::Delta, QHeaderView::ResizeToContents);
  auto *hint =
      new EmptyHint(list_, tr("No steps yet"), tr("Open a module: its default pipeline is recorded step by step."));
  hint->watchFilter(filterEdit_);

  noMatch_ = new QLabel(tr("No step matches. Clear the filter to see all of them."), this);
  noMatch_->setWordWrap(true);
  noMatch_->setContentsMargins(10, 4, 10, 4);
  noMatch_->setVisible(false);
  for (auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(&filter_, signal, this, &StepsPanel::showMatches);
  connect(&filter_, &QAbstractItemModel::modelReset, this, &StepsPanel::showMatches);

  teaching_ = new QTextBrowser(this);
  teaching_->setFrameShape(QFrame::NoFrame);
  teaching_->setOpenLinks(false);
  teaching_->document()->setDocumentMargin(10);
  teaching_->setAccessibleName(tr("What the step does"));
  teaching_->setPlaceholderText(tr("Select a step to read what it does, why, and what to look at."));

  progress_ = new QProgressBar(this);
  progress_->setTextVisible(false);
  progress_->setMaximumHeight(3);
  progress_->setVisible(false);
  progress_->setAccessibleName(tr("Recording progress"));

  offer_ = new QWidget(this);
  offer_->setVisible(false);
  offerText_ = new QLabel(offer_);
  offerText_->setWordWrap(true);
  offerButton_ = new QPushButton(tr("Record the Steps"), offer_);
  connect(offerButton_, &QPushButton::clicked, this, &StepsPanel::offerAccepted);
  auto *offer = new QVBoxLayout(offer_);
  offer->addWidget(offerText_);
  offer->addWidget(offerButton_, 0, Qt::AlignLeft);

  auto *tools = new QHBoxLayout;
  tools->setContentsMargins(6, 6, 6, 6);
  tools->setSpacing(4);
  tools->addWidget(filterEdit_);
  tools->addWidget(hide_);
  auto *splitter = new QSplitter(Qt::Vertical, this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(list_);
  splitter->addWidget(teaching_);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  splitter->setSizes({380, 240});
  setMinimumWidth(190);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(tools);
  layout->addWidget(offer_);
  layout->addWidget(progress_);
  layout->addWidget(noMatch_);
  layout->addWidget(splitter, 1);

  setFocusProxy(list_);
  auto *completer = new WordCompleter(completions_, this);
  filterEdit_->setCompleter(completer);
  constexpr int typingPauseMs = 250;
  pause_->setSingleShot(true);
  pause_->setInterval(typingPauseMs);
  connect(filterEdit_, &QLineEdit::textEdited, this, &StepsPanel::completeFilter);
  connect(filterEdit_, &QLineEdit::textChanged, this, &StepsPanel::applyFilter);
  connect(pause_, &QTimer::timeout, this, [this] { requestTouched(); });
  connect(filterEdit_, &QLineEdit::returnPressed, list_, qOverload<>(&QWidget::setFocus));
  connect(hide_, &QToolButton::toggled, this, [this](bool hide) {
    filter_.setHideUnchanged(hide);
    emit hideUnchangedChanged(hide);
  });
  connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &current) {
    removedOps_.clear();
    showTeaching();
    if (current.isValid())
      emit rowSelected(filter_.mapToSource(current).row());
  });
  connect(teaching_, &QTextBrowser::anchorClicked, this, [this](const QUrl &url) {
    if (url.scheme() == "why"_L1)
      emit reasonRequested(url.toString().mid(4));
    else if (url.scheme() == "problem"_L1)
      goToProblem(url.path().toInt());
    else if (url.scheme() == "reproducer"_L1)
      emit crashReproducerRequested();
  });
  connect(list_, &QWidget::customContextMenuRequested, this, &StepsPanel::showMenu);
  for (auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(model_, signal, this, &StepsPanel::showTimes);
  connect(model_, &QAbstractItemModel::modelReset, this, &StepsPanel::showTimes);
}

void StepsPanel::applyFilter() {
  filter_.setWords(filterEdit_->text());
  showMatches();
  filter_.touchedNames().isEmpty() ? pause_->stop() : pause_->start();
}

/// The document stays in the list, whatever the filter says.
void StepsPanel::showMatches() {
  noMatch_->setVisible(!filterEdit_->text().trimmed().isEmpty() && filter_.rowCount() <= 1 && model_->rowCount() > 1);
}

void StepsPanel::setTouched(const QString &name, const QSet<int> &steps) {
  filter_.setTouched(name, steps);
  requestTouched();
}

/// One after the other: the engine answers the latest question.
void StepsPanel::requestTouched() {
  if (const QString name = filter_.unknownName(); !name.isEmpty())
    emit touchedRequested(name);
}

/// Only words with a sign in front of them are completed: they cannot be guessed.
void StepsPanel::completeFilter() {
  const QString word = filterEdit_->text().section(u' ', -1);
  const bool hasSign =
      word.startsWith(u'@') || word.startsWith("op:"_L1) || word.startsWith(StepFilter::dispatchSign());
  completions_->setStringList(hasSign ? StepFilter::completions(model_->steps(), dispatches_) : QStringList());
}

/// Nobody measured the passes of a log, and where there is little room, names come first.
void StepsPanel::showTimes() {
  const bool isNarrow = width() < 46 * fontMetrics().averageCharWidth();
  list_->setColumnHidden(StepModel::Time, isNarrow || (model_->rowCount() > 1 && !model_->hasTimes()));
}

void StepsPanel::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  showTimes();
}

void StepsPanel::setOffer(const QString &why) {
  offerText_->setText(why);
  offer_->setVisible(!why.isEmpty());
}

int StepsPanel::currentRow() const { return filter_.mapToSource(list_->currentIndex()).row(); }

void StepsPanel::setCurrentRow(int row) {
  const QModelIndex source = model_->index(row, 0);
  if (!source.isValid())
    return;
  if (!filter_.mapFromSource(source).isValid()) {
    filterEdit_->clear();
    hide_->setChecked(false);
  }
  const QModelIndex index = filter_.mapFromSource(source);
  list_->setCurrentIndex(index);
  list_->scrollTo(index);
}

QModelIndex StepsPanel::indexAt(int rows) const {
  const QModelIndex current = list_->currentIndex();
  const QModelIndex next = filter_.index(current.isValid() ? current.row() + rows : 0, 0);
  return next.data(StepModel::StatusRole).toInt() == StepModel::Running ? QModelIndex() : next;
}

int StepsPanel::rowAt(int rows) const { return filter_.mapToSource(indexAt(rows)).row(); }

void StepsPanel::move(int rows) {
  const QModelIndex next = indexAt(rows);
  if (!next.isValid())
    return;
  list_->setCurrentIndex(next);
  list_->scrollTo(next);
}

void StepsPanel::setHideUnchanged(bool hide) { hide_->setChecked(hide); }

void StepsPanel::setProgress(int done, int total) {
  progress_->setVisible(total > 0);
  progress_->setRange(0, std::max(1, total));
  progress_->setValue(done);
}

void StepsPanel::setRemovedOps(const QStringList &ops) {
  removedOps_ = ops;
  showTeaching();
}

/// To the op that the diagnostic of this number lies on.
void StepsPanel::goToProblem(int number) {
  const protocol::Step *step = model_->stepAt(currentRow());
  if (step && number >= 0 && number < step->diagnostics.size())
    emit opRequested(step->index, step->diagnostics[number].op, step->diagnostics[number].opLine);
}

void StepsPanel::showTeaching() {
  if (const CrashedStep *crashed = model_->crashedAt(currentRow()))
    return showCrashedStep(*crashed);
  const protocol::Step *step = model_->stepAt(currentRow());
  if (!step) {
    teaching_->setHtml(
        currentRow() == 0
            ? tr("<h4>The opened module</h4><p>Press <b>J</b> for the next step, <b>K</b> for the previous one.</p>")
            : QString());
    return;
  }
  if (!step->scope.isEmpty() || !step->origin.isEmpty())
    showDumpedStep(*step);
  else
    showRecordedStep(*step);
}

/// What it did before the crash is not known; how it got there is.
void StepsPanel::showCrashedStep(const CrashedStep &step) {
  QString html = u"<h4>%1</h4>"_s.arg(step.name.toHtmlEscaped());
  html += tr("<p><b>This step crashed</b> (%1). Its input is shown. <a href='reproducer:'>Save Reproducer…</a></p>")
              .arg(step.reason.toHtmlEscaped());
  QString stack;
  for (const QString &frame : step.stack)
    stack += frame.toHtmlEscaped() + u"<br>"_s;
  html += stack.isEmpty()
              ? tr("<p>It left no stack trace.</p>")
              : tr("<p><b>Stack trace</b>, the innermost frame first</p>") + u"<p><code>%1</code></p>"_s.arg(stack);
  html += u"<p style='color:%1'><code>%2</code></p>"_s.arg(mutedText(palette()).name(), step.pipeline.toHtmlEscaped());
  teaching_->setHtml(html);
}

/// The diagnostics of a step; those that lie on an op lead there.
static QString describeProblems(const protocol::Step &step, const QString &place, const QColor &error) {
  QString html;
  for (qsizetype i = 0; i < step.diagnostics.size(); ++i) {
    const protocol::Diagnostic &problem = step.diagnostics[i];
    QString text = problem.message.toHtmlEscaped();
    if (problem.severity == "error"_L1)
      text = u"<span style='color:%1'>%2</span>"_s.arg(error.name(), text);
    html += u"<p>%1: %2"_s.arg(problem.severity.toHtmlEscaped(), text);
    if (problem.op >= 0)
      html += u" <a href='problem:%1'>%2</a>"_s.arg(i).arg(place.arg(problem.opLine + 1));
    for (const protocol::Diagnostic &note : problem.notes)
      html += u"<br>%1: %2"_s.arg(note.severity.toHtmlEscaped(), note.message.toHtmlEscaped());
    html += u"</p>"_s;
  }
  return html;
}

/// A pass that a log tells of.
void StepsPanel::showDumpedStep(const protocol::Step &step) {
  const QString muted = mutedText(palette()).name();
  QString html = u"<h4>%1</h4>"_s.arg(step.name.toHtmlEscaped());
  html += step.scope.isEmpty() ? tr("<p>On the whole module</p>")
                               : tr("<p>On <code>%1</code></p>").arg(step.scope.toHtmlEscaped());
  if (step.failed)
    html += step.diagnostics.isEmpty() ? tr("<p><b>The pass failed.</b> The log does not say why.</p>")
                                       : tr("<p><b>The pass failed.</b></p>");
  html += describeProblems(step, tr("line %1 of the dump"), signalColours(palette()).error);
  if (const QString delta = describeDelta(step.opDelta, 12); !delta.isEmpty())
    html += tr("<p><b>Ops:</b> %1</p>").arg(delta.toHtmlEscaped());
  if (!removedOps_.isEmpty())
    html += tr("<p><b>Removed:</b> %1</p>").arg(removedOps_.join(u", "_s).toHtmlEscaped());
  if (step.before < 0)
    html += tr("<p>The IR before this pass is not in the log.</p>");
  else if (step.after < 0)
    html += tr("<p>The IR after this pass is not in the log; its input is shown.</p>");
  else if (!step.changed && !step.failed)
    html += tr("<p>This pass changed nothing here.</p>");
  html += u"<p style='color:%1'><code>%2</code><br>%3</p>"_s.arg(muted, step.pipeline.toHtmlEscaped(),
                                                                 step.origin.toHtmlEscaped());
  teaching_->setHtml(html);
}

/// What a step of a fusion was for, and its proof.
static QString describeFusion(const protocol::StepFusion &fusion) {
  QString html;
  if (!fusion.reason.isEmpty())
    html += StepsPanel::tr("<p><b>Resolves</b> <a href='why:%1' title='%1'>%2</a></p>")
                .arg(fusion.reason.toHtmlEscaped(), reasonWords(fusion.reason).toHtmlEscaped());
  html += StepsPanel::tr("<p><b>Dispatches:</b> %1</p>").arg(fusion.dispatches);
  if (!fusion.checked)
    return html + StepsPanel::tr("<p>Result not verified: %1.</p>").arg(fusion.note.toHtmlEscaped());
  const QString errors = StepsPanel::tr("max abs error %1, max rel error %2")
                             .arg(formatError(fusion.maxAbsError), formatError(fusion.maxRelError));
  return html + (fusion.ok ? StepsPanel::tr("<p><b>Checked</b> on the host with random inputs: %1.</p>")
                           : StepsPanel::tr("<p><b>WRONG</b> on the host with random inputs: %1.</p>"))
                    .arg(errors);
}

void StepsPanel::showRecordedStep(const protocol::Step &step) {
  const QString muted = mutedText(palette()).name();
  QString html = u"<h4>%1</h4>"_s.arg(step.name.toHtmlEscaped());
  if (step.failed)
    html += tr("<p><b>The step failed.</b> Its input is shown.</p>");
  html += describeProblems(step, tr("line %1 of the step's input"), signalColours(palette()).error);
  if (step.fusion)
    html += describeFusion(*step.fusion);
  const QString teaches = step.teaches.trimmed();
  for (const QString &paragraph : teaches.split(u"\n\n"_s, Qt::SkipEmptyParts))
    html += u"<p>%1</p>"_s.arg(paragraph.simplified().toHtmlEscaped());
  if (const QString delta = describeDelta(step.opDelta, 12); !delta.isEmpty())
    html += tr("<p><b>Ops:</b> %1</p>").arg(delta.toHtmlEscaped());
  if (!removedOps_.isEmpty())
    html += tr("<p><b>Removed:</b> %1</p>").arg(removedOps_.join(u", "_s).toHtmlEscaped());
  if (!step.changed && !step.failed)
    html += tr("<p>This step changed nothing here.</p>");
  html += u"<p style='color:%1'><code>%2</code><br>%3</p>"_s.arg(muted, step.pipeline.toHtmlEscaped(),
                                                                 formatMilliseconds(step.milliseconds));
  teaching_->setHtml(html);
}

void StepsPanel::showMenu(const QPoint &position) {
  const QModelIndex index = list_->indexAt(position);
  const int row = index.isValid() ? filter_.mapToSource(index).row() : -1;
  const protocol::Step *step = model_->stepAt(row);
  if (!step)
    return;
  QMenu menu(this);
  if (recordsFrom_)
    menu.addAction(lineIcon(u"steps"_s), tr("Record From Here"), this, [this, row] { emit recordFromRequested(row); });
  menu.addAction(lineIcon(u"copy"_s), tr("Copy Pipeline of This Step"), this,
                 [pipeline = step->pipeline] { QApplication::clipboard()->setText(pipeline); });
  menu.addAction(lineIcon(u"save"_s), tr("Save Reproducer\u2026"), this,
                 [this, number = step->index] { emit reproducerRequested(number); });
  menu.exec(list_->viewport()->mapToGlobal(position));
}

bool StepsPanel::eventFilter(QObject *watched, QEvent *event) {
  if (watched == list_ && event->type() == QEvent::KeyPress) {
    const auto *key = static_cast<QKeyEvent *>(event);
    // QTreeView would start a keyboard search.
    if (key->modifiers() == Qt::NoModifier && (key->key() == Qt::Key_J || key->key() == Qt::Key_K)) {
      move(key->key() == Qt::Key_J ? 1 : -1);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

} // namespace fuselage
