#include "views/models/DetailsModel.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"

using namespace Qt::StringLiterals;

namespace fuselage {

DetailsModel::DetailsModel(QObject *parent) : QAbstractItemModel(parent) {}
DetailsModel::~DetailsModel() = default;

DetailsModel::Item *DetailsModel::Item::add(QString childName, QString childValue) {
  auto item = std::make_unique<Item>();
  item->name = std::move(childName);
  item->value = std::move(childValue);
  item->parent = this;
  item->row = int(children.size());
  children.push_back(std::move(item));
  return children.back().get();
}

void DetailsModel::clear() {
  beginResetModel();
  root_.children.clear();
  endResetModel();
}

bool DetailsModel::isEmpty() const { return root_.children.empty(); }

void DetailsModel::setDetails(const protocol::OpDetails &details) {
  beginResetModel();
  root_.children.clear();

  Item *op = root_.add(details.inside > 0 ? tr("Part") : tr("Op"), details.op);
  if (!details.role.isEmpty())
    op->add(tr("Role"), details.role);
  if (!details.detail.isEmpty())
    op->add(tr("Meaning"), details.detail);
  if (!details.iterators.isEmpty())
    op->add(tr("Iterators"), details.iterators);
  if (details.dispatch >= 0)
    op->add(tr("Dispatch"), QString::number(details.dispatch));
  if (details.callsDispatch)
    op->add(tr("Fused in"), tr("the step that formed it"))->isDecision = true;
  if (details.inside > 0)
    op->add(tr("Inside"), counted(details.inside, tr("op"), tr("ops")));
  if (details.first >= 0) {
    const QString range = details.first == details.last ? QString::number(details.first + 1)
                                                        : u"%1\u2013%2"_s.arg(details.first + 1).arg(details.last + 1);
    Item *lines = op->add(tr("Lines"), tr("%1 of the shown step").arg(range));
    lines->op = details.id;
  }
  if (!details.loc.isEmpty())
    op->add(tr("Location"), withoutDirectories(details.loc))->whole = details.loc;

  const bool isFree = details.flops == 0 && details.bytesRead == 0 && details.bytesWritten == 0; // as an argument is
  if (!isFree && (details.flops >= 0 || details.bytesRead >= 0 || details.bytesWritten >= 0)) {
    Item *cost = root_.add(tr("Cost"));
    cost->add(tr("Work"), formatFlops(details.flops));
    const auto bytes = [&](qint64 count) {
      return details.bytesAtMost && count > 0 ? tr("at most %1").arg(formatBytes(count)) : formatBytes(count);
    };
    cost->add(tr("Reads"), bytes(details.bytesRead));
    cost->add(tr("Writes"), bytes(details.bytesWritten));
    const bool isKnown = details.bytesRead >= 0 && details.bytesWritten >= 0;
    if (details.flops > 0 && isKnown && details.bytesRead + details.bytesWritten > 0)
      cost->add(tr("Intensity"),
                (details.bytesAtMost ? tr("at least %1 FLOP/byte") : tr("%1 FLOP/byte"))
                    .arg(formatRate(double(details.flops) / double(details.bytesRead + details.bytesWritten))));
  }
  if (!details.results.isEmpty()) {
    Item *results = root_.add(tr("Results"), QString::number(details.results.size()));
    for (const protocol::OpResult &result : details.results)
      results->add(result.name,
                   result.bytes >= 0 ? u"%1 · %2"_s.arg(result.type, formatBytes(result.bytes)) : result.type);
  }
  if (!details.operands.isEmpty()) {
    Item *operands = root_.add(tr("Operands"), QString::number(details.operands.size()));
    for (const protocol::OpOperand &operand : details.operands) {
      Item *item = operands->add(
          operand.name, operand.group.isEmpty() ? operand.type : u"%1 \u00b7 %2"_s.arg(operand.type, operand.group));
      if (operand.from)
        item->op = *operand.from;
    }
  }
  if (!details.ports.isEmpty())
    addPorts(details);
  if (!details.maps.isEmpty()) {
    Item *maps = root_.add(tr("Indexing maps"), QString::number(details.maps.size()));
    for (qsizetype i = 0; i < details.maps.size(); ++i)
      maps->add(i < details.operands.size() ? details.operands[i].name : QString::number(i), details.maps[i]);
  }
  if (!details.attributes.isEmpty()) {
    Item *attributes = root_.add(tr("Attributes"), QString::number(details.attributes.size()));
    for (const protocol::OpAttribute &attribute : details.attributes)
      attributes->add(attribute.name, attribute.value);
  }
  if (!details.users.isEmpty()) {
    Item *users = root_.add(tr("Users"), QString::number(details.users.size()));
    // Nobody scrolls through more, and a tree of 50,000 rows takes a second to build.
    constexpr qsizetype mostUsers = 1000;
    for (qsizetype i = 0; i < std::min(mostUsers, details.users.size()); ++i)
      addOp(*users, details.users[i], details.userNames.value(i));
    if (details.users.size() > mostUsers)
      users->add(tr("and %1 more").arg(groupedNumber(details.users.size() - mostUsers)));
  }
  if (!details.provenance.isEmpty()) {
    Item *origins = root_.add(tr("Came from"), QString::number(details.provenance.size()));
    for (const protocol::Origin &origin : details.provenance) {
      Item *item = origins->add(origin.name.isEmpty() ? tr("op %1").arg(origin.id) : origin.name,
                                origin.line >= 0 ? tr("line %1 of the opened module").arg(origin.line + 1)
                                                 : tr("the opened module"));
      if (origin.line >= 0)
        item->line = origin.line;
    }
  }
  endResetModel();
}

/// "linalg.matmul %scores" by its value, which is what a reader looks for.
void DetailsModel::addOp(Item &parent, qint64 id, const QString &name) {
  const QString op = name.section(u' ', 0, 0), value = name.section(u' ', 1);
  Item *item = name.isEmpty()    ? parent.add(tr("op %1").arg(id))
               : value.isEmpty() ? parent.add(op)
                                 : parent.add(value, op);
  item->op = id;
}

/// Of what is read through reshapes and casts of weights, the weight itself.
void DetailsModel::addPorts(const protocol::OpDetails &details) {
  qint64 bytes = 0;
  for (const protocol::OpPort &port : details.ports)
    bytes = bytes < 0 || port.bytes < 0 ? -1 : bytes + port.bytes;
  const bool isAll = details.portCount <= details.ports.size();
  const QString count = isAll ? QString::number(details.ports.size())
                              : tr("%1, the first %2").arg(details.portCount).arg(details.ports.size());
  Item *ports = root_.add(tr("Weights and constants"),
                          isAll && bytes > 0 ? u"%1 \u00b7 %2"_s.arg(count, formatBytes(bytes)) : count);
  for (const protocol::OpPort &port : details.ports) {
    const QString size = port.bytes >= 0 ? u" \u00b7 "_s + formatBytes(port.bytes) : QString();
    Item *item = ports->add(port.name, port.type + size + (port.isConstant ? tr(" \u00b7 constant") : QString()));
    item->op = port.id;
  }
}

const DetailsModel::Item *DetailsModel::itemAt(const QModelIndex &index) const {
  return index.isValid() ? static_cast<const Item *>(index.internalPointer()) : &root_;
}

QModelIndex DetailsModel::index(int row, int column, const QModelIndex &parent) const {
  if (!hasIndex(row, column, parent))
    return {};
  return createIndex(row, column, itemAt(parent)->children[size_t(row)].get());
}

QModelIndex DetailsModel::parent(const QModelIndex &child) const {
  if (!child.isValid())
    return {};
  Item *parent = static_cast<Item *>(child.internalPointer())->parent;
  return parent == &root_ ? QModelIndex() : createIndex(parent->row, 0, parent);
}

int DetailsModel::rowCount(const QModelIndex &parent) const {
  return parent.column() > 0 ? 0 : int(itemAt(parent)->children.size());
}

int DetailsModel::columnCount(const QModelIndex &) const { return ColumnCount; }

QVariant DetailsModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid))
    return {};
  const Item &item = *itemAt(index);
  switch (role) {
  case Qt::DisplayRole:
    return index.column() == Name ? item.name : item.value;
  case Qt::ToolTipRole:
    return item.value.isEmpty()
               ? item.name
               : u"%1: %2"_s.arg(item.name, index.siblingAtColumn(Value).data(Qt::EditRole).toString());
  case Qt::EditRole:
    return index.column() == Name ? item.name : item.whole.isEmpty() ? item.value : item.whole;
  case OpRole:
    return item.op;
  case LineRole:
    return item.line;
  case DecisionRole:
    return item.isDecision;
  case SectionRole:
    return item.parent == &root_;
  default:
    return {};
  }
}

QVariant DetailsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
    return {};
  return section == Name ? tr("Name") : tr("Value");
}

} // namespace fuselage
