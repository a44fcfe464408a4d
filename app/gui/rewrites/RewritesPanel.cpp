#include "app/gui/rewrites/RewritesPanel.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Tables.h"
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScopedValueRollback>
#include <QTableView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

RewritesPanel::RewritesPanel(QWidget *parent)
    : QWidget(parent), summary_(new QLabel), about_(new QLabel), filter_(new QLineEdit), tabs_(new QTabWidget) {
  filtered_.setSourceModel(&rewrites_);
  filtered_.setFilterRole(RewriteModel::FilterRole);
  filtered_.setFilterKeyColumn(0);
  filtered_.setFilterCaseSensitivity(Qt::CaseInsensitive);
  sorted_.setSourceModel(&patterns_);
  sorted_.setSortRole(PatternModel::SortRole);
  table_ = makeTable(&filtered_, tr("Rewrites of the step"));
  table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  fitColumns(table_, {0, 3, 0, 0, 4});
  hint_ = new EmptyHint(table_, {}, {});
  hint_->watchFilter(filter_);
  QTableView *patterns = makeTable(&sorted_, tr("Patterns of the step"));
  patterns->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  fitColumns(patterns, {1, 0, 0, 0});
  QTableView *attempts = makeTable(&attempts_, tr("Patterns that were tried on the selected op"));
  attempts->setSortingEnabled(false);
  fitColumns(attempts, {2, 0, 3});
  attemptsHint_ = new EmptyHint(attempts, tr("No op is selected"),
                                tr("Select one in the graph or the text: every pattern that the step tried on it is "
                                   "listed, with the reason that it gave."));
  filter_->setPlaceholderText(tr("Filter: pattern, op, @function"));
  filter_->setClearButtonEnabled(true);
  filter_->setAccessibleName(tr("Filter of the rewrites"));
  summary_->setWordWrap(true);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  about_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  about_->setWordWrap(true);
  const auto page = [](std::initializer_list<QWidget *> rows) {
    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(6, 4, 6, 0);
    layout->setSpacing(4);
    for (QWidget *row : rows)
      layout->addWidget(row, qobject_cast<QTableView *>(row) ? 1 : 0);
    return page;
  };
  tabs_->setDocumentMode(true);
  tabs_->addTab(page({filter_, table_}), tr("Rewrites"));
  tabs_->addTab(page({patterns}), tr("Patterns"));
  tabs_->addTab(page({about_, attempts}), tr("Selected Op"));
  auto *line = new QVBoxLayout;
  line->setContentsMargins(8, 4, 8, 2);
  line->addWidget(summary_);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addLayout(line);
  layout->addWidget(tabs_, 1);
  setFocusProxy(table_);
  connect(filter_, &QLineEdit::textChanged, &filtered_, &QSortFilterProxyModel::setFilterFixedString);
  connect(table_, &QTableView::customContextMenuRequested, this, &RewritesPanel::showMenu);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    if (!isSelecting_ && current() >= 0)
      emit rewriteSelected(current());
  });
  connect(tabs_, &QTabWidget::currentChanged, this, &RewritesPanel::tabShown);
  setMessage(tr("No step is selected"), tr("Select a step: every rewrite that it made is listed here."));
}

QString RewritesPanel::summary() const { return summary_->text(); }

void RewritesPanel::setRewrites(const protocol::StepRewrites &rewrites) {
  const QScopedValueRollback selecting(isSelecting_, true);
  table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  rewrites_.setRewrites(rewrites.rewrites);
  patterns_.setPatterns(rewrites.patterns);
  summary_->setText(rewrites.summary);
  summary_->show();
  hint_->setText(tr("This step rewrote nothing"),
                 tr("The Patterns tab has what it tried; select an op to see why nothing matched."));
  filter_->setEnabled(!rewrites.rewrites.isEmpty());
}

void RewritesPanel::setMessage(const QString &title, const QString &hint) {
  const QScopedValueRollback selecting(isSelecting_, true);
  rewrites_.setRewrites({});
  patterns_.setPatterns({});
  setAttempts({}, {}, {});
  summary_->hide();
  hint_->setText(title, hint);
  filter_->setEnabled(false);
}

void RewritesPanel::setAttempts(const QString &about, const QList<protocol::OpAttempt> &attempts, const QString &why) {
  about_->setText(about);
  about_->setVisible(!about.isEmpty());
  attempts_.setAttempts(attempts);
  if (about.isEmpty())
    attemptsHint_->setText(tr("No op is selected"),
                           why.isEmpty() ? tr("Select one in the graph or the text: every pattern that the step tried "
                                              "on it is listed, with the reason that it gave.")
                                         : why);
  else
    attemptsHint_->setText(tr("No pattern was tried on this op"), why);
}

int RewritesPanel::current() const {
  const QModelIndexList rows = table_->selectionModel()->selectedRows();
  return rows.isEmpty() ? -1 : filtered_.mapToSource(rows.first()).row();
}

void RewritesPanel::setCurrent(int rewrite) {
  const QScopedValueRollback selecting(isSelecting_, true);
  if (rewrite < 0)
    return table_->clearSelection();
  QModelIndex index = filtered_.mapFromSource(rewrites_.index(rewrite, 0));
  if (!index.isValid()) {
    filter_->clear();
    index = filtered_.mapFromSource(rewrites_.index(rewrite, 0));
  }
  table_->setCurrentIndex(index);
  table_->selectRow(index.row());
  table_->scrollTo(index);
}

int RewritesPanel::neighbour(int rows) const {
  const QModelIndexList selected = table_->selectionModel()->selectedRows();
  const int now = !selected.isEmpty() ? selected.first().row() : rows > 0 ? -1 : filtered_.rowCount();
  const QModelIndex next = filtered_.index(now + rows, 0);
  return next.isValid() ? filtered_.mapToSource(next).row() : -1;
}

void RewritesPanel::showMenu(const QPoint &position) {
  const int rewrite = current();
  if (rewrite < 0)
    return;
  const protocol::StepRewrite &row = rewrites_.rewrites()[rewrite];
  const QString &kind = row.kind;
  QMenu menu;
  QAction *skip = menu.addAction(tr("Show the Step &Without This Rewrite"));
  QAction *skipPattern = menu.addAction(tr("Show the Step Without This &Pattern"));
  skip->setEnabled(kind == "pattern"_L1 || kind == "fold"_L1);
  skipPattern->setEnabled(kind == "pattern"_L1);
  menu.addSeparator();
  const auto addBreak = [&](const QString &text, const QString &breakpoint) {
    if (!breakpoint.isEmpty())
      menu.addAction(text.arg(breakpoint))->setData(breakpoint);
  };
  addBreak(tr("&Break at Pattern %1"), row.pattern);
  addBreak(tr("Break at &Op %1"), row.op);
  addBreak(tr("Break at &Function %1"), row.function.isEmpty() ? QString() : u'@' + row.function);
  addBreak(tr("Break at Ops &from %1"), row.source);
  const QAction *chosen = menu.exec(table_->viewport()->mapToGlobal(position));
  if (!chosen)
    return;
  if (const QString breakpoint = chosen->data().toString(); !breakpoint.isEmpty())
    emit breakRequested(breakpoint);
  else
    emit skipRequested(rewrite, chosen == skipPattern);
}

} // namespace fuselage
