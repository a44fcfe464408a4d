#include "views/panels/FusionPanel.h"
#include "views/common/Marks.h"
#include "views/models/Format.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include "views/widgets/Tables.h"
#include "views/widgets/WrapRow.h"
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QProgressBar>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

namespace {
/// The state of an edge after a stroke of its line in the graph.
class EdgeDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
    if (index.column() != FusionModel::State) {
      QStyledItemDelegate::paint(painter, option, index);
      return;
    }
    QStyleOptionViewItem shifted = option;
    initStyleOption(&shifted, index);
    const QRect mark(option.rect.left() + 4, option.rect.top(), 22, option.rect.height());
    // An empty icon keeps the room that the mark is painted in.
    QPixmap room(22, 1);
    room.fill(Qt::transparent);
    shifted.features |= QStyleOptionViewItem::HasDecoration;
    shifted.decorationSize = QSize(24, 1);
    shifted.icon = QIcon(room);
    shifted.widget->style()->drawControl(QStyle::CE_ItemViewItem, &shifted, painter, shifted.widget);
    const auto kind = FusionMark(index.data(FusionModel::MarkRole).toInt());
    const bool selected = option.state & QStyle::State_Selected;
    const QPen pen = fusionPen(
        kind, selected ? option.palette.color(QPalette::HighlightedText) : Theme::of(option.palette).fusion(kind), 1.8);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(pen);
    painter->drawLine(mark.left(), mark.center().y(), mark.right(), mark.center().y());
    painter->restore();
  }

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() == FusionModel::Unlocks)
      option->palette.setColor(QPalette::Text, mutedText(option->palette));
  }
};
} // namespace

FusionPanel::FusionPanel(FusionModel *model, QWidget *parent)
    : QWidget(parent), model_(model), filter_(this), names_([](qint64) { return QString(); }),
      notes_([](int) { return QStringList(); }) {
  filter_.setSourceModel(model_);
  buildTable();
  evidence_ = new QTextBrowser(this);
  evidence_->setFrameShape(QFrame::NoFrame);
  evidence_->setOpenLinks(false);
  evidence_->document()->setDocumentMargin(10);
  evidence_->setAccessibleName(tr("Why the edge is not fused"));
  evidence_->setPlaceholderText(tr("Select an edge, here or in the graph, to see why it is or is not fused."));
  auto *splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(table_);
  splitter->addWidget(evidence_);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  splitter->setSizes({900, 480});
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(buildTools());
  auto *words = new QHBoxLayout;
  words->setContentsMargins(8, 0, 8, 4);
  words->setSpacing(12);
  words->addWidget(summary_, 3);
  words->addWidget(message_, 2);
  words->addWidget(progress_);
  layout->addLayout(words);
  layout->addWidget(splitter, 1);

  setFocusProxy(table_);
  connect(policy_, &QComboBox::currentTextChanged, this, &FusionPanel::policyChanged);
  connect(filterEdit_, &QLineEdit::textChanged, this, [this](const QString &text) { filter_.setWords(text); });
  connect(filterEdit_, &QLineEdit::returnPressed, table_, qOverload<>(&QWidget::setFocus));
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
    if (!quiet_) {
      place_ = -1;
      picked_ = -1;
    }
    showEvidence();
    if (!quiet_ && currentRow() >= 0)
      emit rowSelected(currentRow());
  });
  connect(table_, &QTableView::activated, this, &FusionPanel::fuseRequested);
  connect(model_, &QAbstractItemModel::modelReset, this, &FusionPanel::showEvidence);
  connect(evidence_, &QTextBrowser::anchorClicked, this, [this](const QUrl &url) {
    const QString target = url.path();
    if (url.scheme() == "op"_L1)
      emit opActivated(target.toLongLong());
    else if (url.scheme() == "place"_L1)
      pickPlace(target.toInt());
    else if (url.scheme() == "each"_L1)
      each_->setChecked(true);
    else if (url.scheme() == "why"_L1)
      emit reasonRequested(url.toString().mid(4));
    else if (url.scheme() == "tried"_L1 || url.scheme() == "patterns"_L1)
      emit patternsRequested(target.toLongLong(), url.scheme() == "tried"_L1);
    else if (url.scheme() == "decided"_L1)
      emit decisionRequested();
    else if (url.scheme() == "apply"_L1)
      emit unlockRequested(target);
  });
}

void FusionPanel::buildTable() {
  table_ = makeTable(&filter_, tr("Missed fusions"));
  table_->setItemDelegate(new EdgeDelegate(table_));
  table_->setContextMenuPolicy(Qt::ActionsContextMenu);
  table_->sortByColumn(FusionModel::Saves, Qt::DescendingOrder);
  fitColumns(table_, {0, 0, 0, 0, 4, 4, 0, 6, 3}); // numbers and states whole; the reason is what one looks for
  hint_ = new EmptyHint(table_, {}, {});
  setHint(tr("No edges"), tr("Open a module: every value between two ops gets a verdict."));
}

QLayout *FusionPanel::buildTools() {
  policy_ = new QComboBox(this);
  policy_->addItems({u"aggressive"_s, u"conservative"_s, u"none"_s});
  policy_->setItemData(0, tr("As fuselage-form-dispatches groups ops today"), Qt::ToolTipRole);
  policy_->setItemData(1, tr("As IREE fused in early 2023"), Qt::ToolTipRole);
  policy_->setItemData(2, tr("Every op is a dispatch of its own"), Qt::ToolTipRole);
  policy_->setAccessibleName(tr("Fusion policy"));
  policy_->setToolTip(tr("What the compiler is willing to fuse"));
  filterEdit_ = new QLineEdit(this);
  filterEdit_->setPlaceholderText(tr("Filter by op, reason or transform"));
  filterEdit_->setClearButtonEnabled(true);
  filterEdit_->setAccessibleName(tr("Filter missed fusions"));
  filterEdit_->addAction(lineIcon(u"filter"_s), QLineEdit::LeadingPosition);
  filterEdit_->setMinimumWidth(250);
  hint_->watchFilter(filterEdit_);
  auto *all = new QCheckBox(tr("Fused, too"), this);
  all->setToolTip(tr("Also list the edges that are fused"));
  connect(all, &QCheckBox::toggled, this, [this](bool shows) { filter_.setShowsFused(shows); });
  each_ = new QCheckBox(tr("Each place"), this);
  each_->setToolTip(tr("One row per edge, even where several are identical"));
  connect(each_, &QCheckBox::toggled, this, [this](bool each) {
    const int row = currentRow();
    model_->setGrouped(!each);
    filter_.invalidate();
    setCurrentRow(row);
  });
  auto *label = new QLabel(tr("P&olicy"));
  label->setBuddy(policy_);
  summary_ = new QLabel(this);
  summary_->setTextInteractionFlags(Qt::TextBrowserInteraction);
  summary_->setAccessibleName(tr("Summary"));
  connect(summary_, &QLabel::linkActivated, this, &FusionPanel::measureRequested);
  summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  message_ = new QLabel(this);
  message_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  message_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  message_->setVisible(false);
  progress_ = new QProgressBar(this);
  progress_->setTextVisible(false);
  progress_->setFixedWidth(120);
  progress_->setMaximumHeight(8);
  progress_->setVisible(false);
  progress_->setAccessibleName(tr("Progress of the fusion"));
  tools_ = new WrapRow;
  tools_->setContentsMargins(8, 6, 8, 4);
  tools_->setSpacing(6);
  tools_->addGroup({label, policy_});
  tools_->addGroup({filterEdit_, all, each_});
  return tools_;
}

void FusionPanel::setCommands(const QList<QAction *> &commands) {
  for (QAction *command : commands) {
    if (!command)
      continue;
    auto *button = new QToolButton(this);
    button->setDefaultAction(command);
    button->setAutoRaise(true);
    button->setToolButtonStyle(command->priority() == QAction::LowPriority ? Qt::ToolButtonIconOnly
                                                                           : Qt::ToolButtonTextBesideIcon);
    button->setAccessibleName(command->text().remove(u'&').remove(u'\u2026'));
    tools_->addWidget(button);
    if (command->priority() != QAction::LowPriority)
      table_->addAction(command);
  }
}

QString FusionPanel::policy() const { return policy_->currentText(); }

void FusionPanel::setPolicy(const QString &policy) {
  if (const int index = policy_->findText(policy); index >= 0)
    policy_->setCurrentIndex(index);
}

void FusionPanel::showSummary(const QString &bandwidth) {
  const protocol::FusionReport &report = model_->report();
  QString text = u"<b>%1</b> \u00b7 "_s.arg(countedDispatches(report.totals.dispatches));
  text += counted(report.totals.missed, tr("missed fusion"), tr("missed fusions"));
  text += tr(" \u00b7 %1 fused").arg(groupedNumber(report.totals.fused()));
  if (report.totals.missedBytes > 0)
    text += tr(" \u00b7 fusing all would save at most %1, %2 %3 (<a href='measure'>measure</a>)")
                .arg(formatBytes(report.totals.missedBytes), formatMicroseconds(report.totals.missedMicroseconds),
                     bandwidth.toHtmlEscaped());
  else if (report.totals.missed > 0 && report.totals.missedBytes == 0)
    text += tr(" \u00b7 none of the missed ones costs anything");
  else if (report.totals.missed > 0)
    text += tr(" \u00b7 what they cost in all is not known");
  summary_->setText(text);
  summary_->setToolTip(tr("What fusing everything that is separate would save, as predicted"));
}

void FusionPanel::clearSummary() {
  summary_->clear();
  summary_->setToolTip({});
}

void FusionPanel::setHint(const QString &title, const QString &hint) {
  hint_->setText(title, hint);
  table_->viewport()->update();
}

void FusionPanel::setMessage(const QString &message, bool isError) {
  const SignalColours colours = signalColours(palette());
  QPalette own = palette();
  own.setColor(QPalette::WindowText, isError ? colours.error : colours.good);
  message_->setPalette(own);
  message_->setText(message);
  message_->setToolTip(message);
  message_->setVisible(!message.isEmpty());
}

QString FusionPanel::message() const { return message_->text(); }

void FusionPanel::setProgress(int done, int total) {
  progress_->setVisible(done >= 0);
  progress_->setRange(0, std::max(0, total));
  progress_->setValue(std::max(0, done));
}

int FusionPanel::tableRow() const {
  const QModelIndex index = table_->currentIndex();
  return index.isValid() ? filter_.mapToSource(index).row() : -1;
}

int FusionPanel::currentRow() const {
  const int row = tableRow();
  return place_ >= 0 && row >= 0 && model_->shownRowOf(place_) == row ? place_ : row;
}

void FusionPanel::setCurrentRow(int row) {
  const QScopedValueRollback quiet(quiet_, true);
  place_ = model_->edgeAt(row) ? row : -1;
  if (place_ < 0) {
    table_->setCurrentIndex({});
    showEvidence();
    return;
  }
  const QModelIndex source = model_->index(model_->shownRowOf(row), 0);
  if (!filter_.mapFromSource(source).isValid())
    filterEdit_->clear();
  const QModelIndex index = filter_.mapFromSource(source);
  table_->setCurrentIndex(index);
  showEvidence();
  if (index.isValid())
    table_->scrollTo(index);
  else // a fused edge, which the table does not list
    evidence_->setHtml(describeRow(row));
}

void FusionPanel::move(int step) {
  const auto groupAt = [&](const QModelIndex &index) {
    return model_->edgeAt(filter_.mapToSource(index).row())->group;
  };
  const QModelIndex current = table_->currentIndex();
  QList<QModelIndex> firsts; // by group, in the order of the table
  QHash<int, qsizetype> groups;
  for (int row = 0; row < filter_.rowCount(); ++row) {
    const QModelIndex index = filter_.index(row, 0);
    if (!groups.contains(groupAt(index))) {
      groups.insert(groupAt(index), firsts.size());
      firsts.append(index);
    }
  }
  const qsizetype next = current.isValid() ? groups.value(groupAt(current)) + step : 0;
  if (next >= 0 && next < firsts.size())
    table_->setCurrentIndex(firsts[next]);
}

void FusionPanel::movePlace(int step) {
  const QList<int> places = model_->placesOf(currentRow());
  const qsizetype next = places.indexOf(currentRow()) + step;
  if (next >= 0 && next < places.size())
    pickPlace(places[next]);
}

void FusionPanel::pickPlace(int row) {
  picked_ = row;
  setCurrentRow(row);
  emit rowSelected(row);
}

bool FusionPanel::isGroupSelected() const {
  const int row = currentRow();
  return !each_->isChecked() && row != picked_ && row == model_->shownRowOf(row) && model_->placesOf(row).size() > 1;
}

void FusionPanel::setNotes(std::function<QStringList(int)> notes) {
  notes_ = std::move(notes);
  showEvidence();
}

QString FusionPanel::describeRow(int row) const {
  const protocol::FusionEdge *edge = model_->edgeAt(row);
  if (!edge)
    return {};
  QString text = describeEdge(*edge, model_->report(), names_, palette()) + describePlaces(row);
  if (!where_.isEmpty() && row == currentRow())
    text += u"<p>%1.</p>"_s.arg(where_.toHtmlEscaped());
  for (const QString &note : notes_(row))
    text += u"<p>%1</p>"_s.arg(note.toHtmlEscaped());
  return text;
}

/// The edges that are the same as that of a row: which one it is, and links to others around it.
QString FusionPanel::describePlaces(int row) const {
  constexpr qsizetype mostLinks = 9;
  const QList<int> places = model_->placesOf(row);
  if (places.size() < 2)
    return {};
  const qsizetype at = places.indexOf(row);
  const qsizetype first =
      std::clamp<qsizetype>(at - mostLinks / 2, 0, std::max<qsizetype>(0, places.size() - mostLinks));
  QStringList links;
  for (qsizetype i = first; i < std::min(first + mostLinks, places.size()); ++i) {
    const QString name = placeText(*model_->edgeAt(places[i])).toHtmlEscaped();
    links.append(i == at ? u"<b>%1</b>"_s.arg(name) : u"<a href='place:%1'>%2</a>"_s.arg(places[i]).arg(name));
  }
  QString text = tr("Place %1 of %2 identical ones: %3")
                     .arg(groupedNumber(at + 1), groupedNumber(places.size()), links.join(u", "_s));
  if (places.size() > mostLinks)
    text += tr(", \u2026 <a href='each:'>list each place</a>");
  return u"<p>%1.</p>"_s.arg(text);
}

void FusionPanel::setWhere(const QString &where) {
  if (where == where_)
    return;
  where_ = where;
  showEvidence();
}

void FusionPanel::showEvidence() { evidence_->setHtml(describeRow(currentRow())); }

void FusionPanel::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    showEvidence();
}

} // namespace fuselage
