#include "views/models/ProblemsModel.h"
#include <QFileInfo>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Internal id of the first level; a note carries the id of its diagnostic.
static constexpr quintptr topLevel = 0;

QString formatLocation(const protocol::Diagnostic &diagnostic, bool wholePath) {
  if (diagnostic.file.isEmpty())
    return diagnostic.line > 0 ? u"%1:%2"_s.arg(diagnostic.line).arg(diagnostic.column) : QString();
  const QString file = wholePath ? diagnostic.file : QFileInfo(diagnostic.file).fileName();
  return diagnostic.line > 0 ? u"%1:%2:%3"_s.arg(file).arg(diagnostic.line).arg(diagnostic.column) : file;
}

void ProblemsModel::setDiagnostics(const QString &source, const QList<protocol::Diagnostic> &diagnostics, int step) {
  clear(source);
  if (diagnostics.isEmpty())
    return;
  beginInsertRows({}, 0, int(diagnostics.size()) - 1);
  QList<Item> items;
  for (const protocol::Diagnostic &diagnostic : diagnostics)
    items.append({source, diagnostic, step, nextId_++});
  items_ = items + items_;
  endInsertRows();
}

void ProblemsModel::add(const QString &source, const protocol::Diagnostic &diagnostic, int step) {
  const int row = int(items_.size());
  beginInsertRows({}, row, row);
  items_.append({source, diagnostic, step, nextId_++});
  endInsertRows();
}

void ProblemsModel::clear(const QString &source) {
  for (int row = int(items_.size()) - 1; row >= 0; --row) {
    if (items_[row].source != source)
      continue;
    beginRemoveRows({}, row, row);
    items_.removeAt(row);
    endRemoveRows();
  }
}

void ProblemsModel::clearAll() {
  if (items_.isEmpty())
    return;
  beginRemoveRows({}, 0, int(items_.size()) - 1);
  items_.clear();
  endRemoveRows();
}

int ProblemsModel::errorCount() const {
  return int(std::count_if(items_.begin(), items_.end(),
                           [](const Item &item) { return item.diagnostic.severity == "error"_L1; }));
}

int ProblemsModel::warningCount() const {
  return int(std::count_if(items_.begin(), items_.end(),
                           [](const Item &item) { return item.diagnostic.severity == "warning"_L1; }));
}

int ProblemsModel::rowOf(quintptr id) const {
  const auto it = std::find_if(items_.begin(), items_.end(), [id](const Item &item) { return item.id == id; });
  return int(it - items_.begin());
}

static void appendText(const protocol::Diagnostic &diagnostic, QString &text) {
  const QString location = formatLocation(diagnostic, true);
  text += location.isEmpty() ? QString() : location + u": "_s;
  text += diagnostic.severity + u": "_s + diagnostic.message + u'\n';
  for (const protocol::Diagnostic &note : diagnostic.notes)
    appendText(note, text);
}

QString ProblemsModel::toText() const {
  QString text;
  for (const Item &item : items_)
    appendText(item.diagnostic, text);
  return text;
}

QModelIndex ProblemsModel::index(int row, int column, const QModelIndex &parent) const {
  if (!hasIndex(row, column, parent))
    return {};
  return createIndex(row, column, parent.isValid() ? items_[parent.row()].id : topLevel);
}

QModelIndex ProblemsModel::parent(const QModelIndex &child) const {
  if (!child.isValid() || child.internalId() == topLevel)
    return {};
  return createIndex(rowOf(child.internalId()), 0, topLevel);
}

int ProblemsModel::rowCount(const QModelIndex &parent) const {
  if (!parent.isValid())
    return int(items_.size());
  if (parent.column() != 0 || parent.internalId() != topLevel)
    return 0;
  return int(items_[parent.row()].diagnostic.notes.size());
}

int ProblemsModel::columnCount(const QModelIndex &) const { return ColumnCount; }

const protocol::Diagnostic *ProblemsModel::diagnosticAt(const QModelIndex &index) const {
  if (index.internalId() == topLevel)
    return &items_[index.row()].diagnostic;
  return &items_[rowOf(index.internalId())].diagnostic.notes[index.row()];
}

QVariant ProblemsModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid))
    return {};
  const protocol::Diagnostic &diagnostic = *diagnosticAt(index);
  const bool isTop = index.internalId() == topLevel;
  const int top = isTop ? index.row() : rowOf(index.internalId());
  switch (role) {
  case Qt::DisplayRole:
    return index.column() == Message ? diagnostic.message : formatLocation(diagnostic, false);
  case Qt::ToolTipRole: {
    QString text;
    appendText(diagnostic, text);
    return text.trimmed();
  }
  case Qt::AccessibleTextRole:
    return index.column() == Message ? u"%1: %2"_s.arg(diagnostic.severity, diagnostic.message)
                                     : formatLocation(diagnostic, false);
  case SeverityRole:
    return isTop ? diagnostic.severity : u"note"_s;
  case FileRole:
    return diagnostic.file;
  case LineRole:
    return diagnostic.line;
  case ColumnRole:
    return diagnostic.column;
  case OpRole:
    return diagnostic.op;
  case OpLineRole:
    return diagnostic.opLine;
  case StepRole:
    return items_[top].step;
  default:
    return {};
  }
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
    return {};
  return section == Message ? tr("Message") : tr("Location");
}

} // namespace fuselage
