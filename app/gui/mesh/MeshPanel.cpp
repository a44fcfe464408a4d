#include "app/gui/mesh/MeshPanel.h"
#include "app/gui/mesh/MeshView.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Tables.h"
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

MeshPanel::MeshPanel(MeshModel *model, QWidget *parent) : QWidget(parent), model_(model) {
  table_ = makeTable(model, tr("Values on the mesh, and collectives"));
  table_->setSortingEnabled(false);
  table_->setTextElideMode(Qt::ElideMiddle);
  hint_ = new EmptyHint(table_, tr("No mesh"), tr("Open a module with sdy.mesh, shard.grid or mhlo.sharding."));
  view_ = new MeshView;
  details_ = new QLabel;
  details_->setTextFormat(Qt::PlainText); // names are somebody else's
  details_->setWordWrap(true);
  details_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  details_->setContentsMargins(10, 0, 10, 6);
  details_->setAccessibleName(tr("How the value lies on the mesh"));
  auto *page = new QWidget;
  auto *pageLayout = new QVBoxLayout(page);
  pageLayout->setContentsMargins(0, 0, 0, 0);
  pageLayout->addWidget(view_, 0, Qt::AlignLeft | Qt::AlignTop);
  pageLayout->addWidget(details_);
  pageLayout->addStretch(1);
  auto *scroll = new QScrollArea;
  scroll->setWidget(page);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setMinimumHeight(120); // a row of devices
  scroll->setAccessibleName(tr("Mesh"));
  auto *splitter = new QSplitter(Qt::Horizontal, this);
  splitter->addWidget(table_);
  splitter->addWidget(scroll);
  splitter->setStretchFactor(0, 1);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({600, 600}); // halves, whatever the hints of both are
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->addWidget(splitter);
  setFocusProxy(table_);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &index) {
    showRow(index.isValid() ? index.row() : -1);
    if (index.isValid() && !isSelecting_)
      emit rowSelected(index.row());
  });
}

void MeshPanel::showReport() {
  hint_->setText(tr("No mesh"), tr("This step says nothing of meshes: it has no sdy.mesh, shard.grid, mhlo.sharding or "
                                   "collective."));
  table_->resizeColumnsToContents();
  showRow(-1);
}

void MeshPanel::setMessage(const QString &title, const QString &hint) {
  model_->setReport({});
  hint_->setText(title, hint);
  showRow(-1);
}

void MeshPanel::setCurrentRow(int row) {
  const QScopedValueRollback selecting(isSelecting_, true);
  if (row < 0)
    return table_->clearSelection();
  table_->selectRow(row);
  table_->scrollTo(model_->index(row, 0));
}

int MeshPanel::currentRow() const {
  const QModelIndex current = table_->currentIndex();
  return current.isValid() ? current.row() : -1;
}

QString MeshPanel::details() const { return details_->text(); }

/// By place, the number of its group: devices that differ along the axes alone exchange data. Empty: not known.
static std::vector<int64_t> groupsOf(const protocol::MeshGrid &grid, const QStringList &axes) {
  const auto isOfGrid = [&](const QString &name) {
    return std::any_of(grid.axes.begin(), grid.axes.end(), [&](const auto &axis) { return axis.name == name; });
  };
  if (axes.isEmpty() || !std::all_of(axes.begin(), axes.end(), isOfGrid))
    return {};
  std::vector<int64_t> groups(size_t(grid.devices.size()), 0);
  qint64 stride = grid.devices.size();
  for (const auto &axis : grid.axes) {
    stride /= axis.size;
    if (axes.contains(axis.name))
      continue;
    for (size_t place = 0; place < groups.size(); ++place)
      groups[place] = groups[place] * axis.size + qint64(place) / stride % axis.size;
  }
  return groups;
}

/// The mesh of a row, with the parts of its value; of no row the first mesh.
static picture::MeshSubject subjectOf(const MeshModel &model, int row) {
  const protocol::MeshReport &report = model.report();
  const protocol::MeshLayout *layout = model.layoutAt(row);
  const protocol::MeshCollective *collective = model.collectiveAt(row);
  const int mesh = layout ? layout->mesh : collective && collective->mesh >= 0 ? collective->mesh : 0;
  if (mesh >= report.meshes.size())
    return {};
  const protocol::MeshGrid &grid = report.meshes[mesh];
  picture::MeshSubject subject{.title = grid.name.isEmpty() ? MeshPanel::tr("Mesh").toStdString()
                                                            : '@' + grid.name.toStdString(),
                               .axes = {},
                               .devices = {grid.devices.begin(), grid.devices.end()}};
  for (const auto &axis : grid.axes)
    subject.axes.push_back({axis.name.toStdString(), axis.size});
  if (collective && mesh == collective->mesh)
    subject.parts = groupsOf(grid, collective->axes);
  if (!layout)
    return subject;
  subject.title = model.valueAt(row)->name.toStdString() + " on " + subject.title;
  subject.parts.assign(layout->places.begin(), layout->places.end());
  for (qsizetype place = 0; place < grid.devices.size(); ++place) {
    QStringList ranges;
    for (const auto &dim : layout->dims) {
      const qsizetype part = dim.places[place];
      ranges.append(part < dim.begins.size() ? u"%1:%2"_s.arg(dim.begins[part]).arg(dim.ends[part]) : u"?"_s);
    }
    subject.ranges.push_back('[' + ranges.join(u", "_s).toStdString() + ']');
  }
  return subject;
}

void MeshPanel::showRow(int row) {
  view_->setSubject(subjectOf(*model_, row));
  details_->setText(model_->describe(row));
  details_->setVisible(!details_->text().isEmpty());
}

} // namespace fuselage
