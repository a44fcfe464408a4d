#include "app/gui/mesh/MeshModel.h"
#include "views/models/Format.h"

using namespace Qt::StringLiterals;

namespace fuselage {

static QString axesText(const QStringList &axes) { return axes.isEmpty() ? u"\u2013"_s : axes.join(u", "_s); }

static QString shapeText(const protocol::MeshLayout &layout) {
  QStringList sizes;
  for (const auto &dim : layout.dims)
    sizes.append(dim.shard < 0 ? u"?"_s : QString::number(dim.shard));
  return sizes.isEmpty() ? MeshModel::tr("scalar") : sizes.join(u'\u00d7');
}

/// "0: data, 1: model"
static QString splitText(const protocol::MeshLayout &layout) {
  QStringList parts;
  for (qsizetype dim = 0; dim < layout.dims.size(); ++dim)
    if (layout.dims[dim].parts > 1)
      parts.append(u"%1: %2"_s.arg(dim).arg(axesText(layout.dims[dim].axes)));
  return axesText(parts);
}

MeshModel::MeshModel(QObject *parent) : QAbstractTableModel(parent) {}

void MeshModel::setReport(const protocol::MeshReport &report) {
  beginResetModel();
  report_ = report;
  endResetModel();
}

const protocol::MeshValue *MeshModel::valueAt(int row) const {
  return row >= 0 && row < report_.values.size() ? &report_.values[row] : nullptr;
}

const protocol::MeshCollective *MeshModel::collectiveAt(int row) const {
  const qsizetype number = row - report_.values.size();
  return number >= 0 && number < report_.collectives.size() ? &report_.collectives[number] : nullptr;
}

const protocol::MeshLayout *MeshModel::layoutAt(int row) const {
  const protocol::MeshValue *value = valueAt(row);
  return value && value->layout >= 0 ? &report_.layouts[value->layout] : nullptr;
}

int MeshModel::rowOf(qint64 op) const {
  for (int row = 0; row < report_.values.size(); ++row)
    if (report_.values[row].op == op && report_.values[row].place == protocol::MeshPlace::Result)
      return row;
  for (int number = 0; number < report_.collectives.size(); ++number)
    if (report_.collectives[number].op == op)
      return int(report_.values.size()) + number;
  return -1;
}

QString MeshModel::badgeOf(const protocol::MeshCollective &collective) {
  QString text = collective.kind;
  if (!collective.axes.isEmpty())
    text += tr(" over %1").arg(collective.axes.join(u", "_s));
  if (collective.groupSize >= 0)
    text += tr(" of %1").arg(collective.groupSize);
  return collective.moved >= 0 ? tr("%1: %2").arg(text, formatBytes(collective.moved)) : text;
}

QString MeshModel::describeValue(const protocol::MeshValue &value) const {
  if (value.layout < 0)
    return tr("%1 (%2): %3").arg(value.name, value.sharding, value.problem);
  const protocol::MeshLayout &layout = report_.layouts[value.layout];
  QStringList lines{tr("%1: %2, %3").arg(value.name, layout.type, value.sharding)};
  lines.append(tr("A device has %1: %2 of %3.")
                   .arg(shapeText(layout), formatBytes(layout.shardBytes), formatBytes(layout.bytes)));
  for (qsizetype dim = 0; dim < layout.dims.size(); ++dim)
    if (layout.dims[dim].padding > 0)
      lines.append(tr("Dimension %1 does not divide: its last parts are padded by %2 in all.")
                       .arg(dim)
                       .arg(layout.dims[dim].padding));
  if (!layout.replicated.isEmpty())
    lines.append(tr("All devices along %1 have the same.").arg(axesText(layout.replicated)));
  if (!layout.unreduced.isEmpty())
    lines.append(tr("Devices along %1 have summands: it is not reduced yet.").arg(axesText(layout.unreduced)));
  return lines.join(u'\n');
}

QString MeshModel::describeCollective(const protocol::MeshCollective &collective) const {
  QStringList lines{tr("%1 %2: %3").arg(collective.name, collective.opName, badgeOf(collective))};
  if (!collective.problem.isEmpty())
    lines.append(collective.problem);
  QString formula = collective.formula;
  if (formula.contains("{0}"_L1))
    formula.replace("{0}"_L1, formatBytes(collective.bytes));
  if (collective.isAnnotation)
    lines.append(tr("An annotation: the partitioner decides which collective stands here."));
  else
    lines.append(tr("A device sends at most %1, as a ring does it.").arg(formula));
  for (const protocol::FusionMove &move : collective.moves) {
    QString sentence = move.sentence;
    sentence[0] = sentence[0].toUpper();
    lines.append(move.isAllowed && move.bytes > 0
                     ? tr("%1; fusing these saves %2.").arg(sentence, formatBytes(move.bytes))
                     : sentence + u'.');
  }
  return lines.join(u'\n');
}

QString MeshModel::describe(int row) const {
  if (const protocol::MeshValue *value = valueAt(row))
    return describeValue(*value);
  const protocol::MeshCollective *collective = collectiveAt(row);
  return collective ? describeCollective(*collective) : QString();
}

int MeshModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(report_.values.size() + report_.collectives.size());
}

int MeshModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString MeshModel::textOf(const protocol::MeshValue &value, int column) const {
  const protocol::MeshLayout *layout = value.layout < 0 ? nullptr : &report_.layouts[value.layout];
  switch (column) {
  case Name:
    return value.name;
  case What:
    return layout ? layout->type : value.sharding;
  case Over:
    return layout ? splitText(*layout) : tr("not known");
  case PerDevice:
    return layout ? shapeText(*layout) : QString();
  case Bytes:
    return layout && layout->shardBytes >= 0 ? formatBytes(layout->shardBytes) : QString();
  }
  return {};
}

QString MeshModel::textOf(const protocol::MeshCollective &collective, int column) const {
  switch (column) {
  case Name:
    return collective.name;
  case What:
    return collective.reduction.isEmpty() ? collective.kind : u"%1 (%2)"_s.arg(collective.kind, collective.reduction);
  case Over:
    return axesText(collective.axes);
  case PerDevice:
    return collective.groupSize < 0 ? QString() : tr("groups of %1").arg(collective.groupSize);
  case Bytes:
    return collective.moved < 0 ? QString() : tr("sends %1").arg(formatBytes(collective.moved));
  }
  return {};
}

QVariant MeshModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid())
    return {};
  if (role == Qt::ToolTipRole)
    return describe(index.row());
  if (role == Qt::TextAlignmentRole && index.column() == Bytes)
    return int(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole)
    return {};
  if (const protocol::MeshValue *value = valueAt(index.row()))
    return textOf(*value, index.column());
  return textOf(*collectiveAt(index.row()), index.column());
}

QVariant MeshModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
    return {};
  switch (section) {
  case Name:
    return tr("Value");
  case What:
    return tr("Type or Collective");
  case Over:
    return tr("Split or Sent over");
  case PerDevice:
    return tr("A Device Has");
  case Bytes:
    return tr("Bytes");
  }
  return {};
}

} // namespace fuselage
