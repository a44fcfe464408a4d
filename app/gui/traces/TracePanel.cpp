#include "app/gui/traces/TracePanel.h"
#include "views/charts/TraceTimeline.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include "views/widgets/Tables.h"
#include <QFileInfo>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

TracePanel::TracePanel(QWidget *parent)
    : QWidget(parent), sorted_(this), table_(makeTable(&sorted_, tr("Events of the trace by name"))),
      timeline_(new TraceTimeline(this)), filter_(new QLineEdit(this)), about_(new QLabel(this)) {
  sorted_.setSourceModel(&model_);
  sorted_.setSortRole(TraceModel::SortRole);
  sorted_.setFilterCaseSensitivity(Qt::CaseInsensitive);
  sorted_.setFilterKeyColumn(TraceModel::Name);
  table_->sortByColumn(TraceModel::Total, Qt::DescendingOrder);
  fitColumns(table_, {5, 0, 0, 0, 0, 0});
  auto *open = new QPushButton(lineIcon(u"open"_s), tr("Open &Trace\u2026"), this);
  filter_->setPlaceholderText(tr("Filter names"));
  filter_->setAccessibleName(tr("Filter the names of events"));
  filter_->setClearButtonEnabled(true);
  filter_->setMaximumWidth(260);
  about_->setTextFormat(Qt::PlainText);
  about_->setWordWrap(true);
  auto *hint = new EmptyHint(table_, tr("No trace"),
                             tr("Open what --trace of a command, mlir-opt --profile-actions-to or another tool has "
                                "written in the Trace Event Format."));
  hint->watchFilter(filter_);
  auto *bar = new QHBoxLayout;
  bar->setContentsMargins(6, 4, 6, 0);
  bar->addWidget(open);
  bar->addWidget(filter_);
  bar->addWidget(about_, 1);
  auto *parts = new QSplitter(Qt::Horizontal, this);
  parts->addWidget(table_);
  parts->addWidget(timeline_);
  parts->setSizes({1, 1});
  parts->setStretchFactor(0, 1);
  parts->setStretchFactor(1, 1);
  parts->setChildrenCollapsible(false);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addLayout(bar);
  layout->addWidget(parts, 1);
  connect(open, &QPushButton::clicked, this, &TracePanel::openRequested);
  connect(filter_, &QLineEdit::textChanged, &sorted_, &QSortFilterProxyModel::setFilterFixedString);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TracePanel::selectionChanged);
  connect(table_, &QTableView::activated, this, [this](const QModelIndex &index) {
    if (const int step = model_.row(sorted_.mapToSource(index).row()).step; step >= 0)
      emit stepRequested(step);
  });
  connect(timeline_, &TraceTimeline::pieceActivated, this, [this](const QString &name, int step) {
    select(name);
    if (step >= 0)
      emit stepRequested(step);
  });
}

/// What of the file is not shown, if anything is not.
static QStringList gapsOf(const protocol::TraceSummary &trace) {
  QStringList gaps;
  if (!trace.cut.isEmpty())
    gaps.append(trace.cut);
  if (trace.skipped > 0)
    gaps.append(TracePanel::tr("%1 without a time left out").arg(counted(trace.skipped, u"event"_s, u"events"_s)));
  if (trace.unfinished > 0)
    gaps.append(TracePanel::tr("%1 without an end").arg(counted(trace.unfinished, u"event"_s, u"events"_s)));
  if (trace.moreRows > 0)
    gaps.append(TracePanel::tr("%1 more names").arg(trace.moreRows));
  return gaps;
}

void TracePanel::setTrace(const protocol::TraceSummary &trace) {
  model_.setRows(trace.rows);
  const QStringList parts{QFileInfo(trace.path).fileName(), counted(trace.events, tr("event"), tr("events")),
                          counted(trace.threads.size(), tr("thread"), tr("threads")),
                          formatMicroseconds(trace.durationUs)};
  about_->setText((parts + gapsOf(trace)).join(u" \u00b7 "_s));
  about_->setToolTip(trace.path);
  timeline_->setTrace(trace.durationUs, trace.threads);
}

void TracePanel::setMessage(const QString &message) { about_->setText(message); }
QString TracePanel::message() const { return about_->text(); }

bool TracePanel::select(const QString &name) {
  const int row = model_.rowOf(name);
  if (row < 0)
    return false;
  const QModelIndex index = sorted_.mapFromSource(model_.index(row, TraceModel::Name));
  if (index.isValid()) {
    table_->setCurrentIndex(index);
    table_->scrollTo(index);
  } else {
    timeline_->setCurrentName(name);
  }
  return true;
}

void TracePanel::selectionChanged() {
  const QModelIndex index = sorted_.mapToSource(table_->currentIndex());
  timeline_->setCurrentName(index.isValid() ? model_.row(index.row()).name : QString());
}

} // namespace fuselage
