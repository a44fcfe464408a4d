#include "views/models/InputModel.h"
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

QStringList InputModel::sources() { return {u"random"_s, u"zeros"_s, u"ones"_s, u"iota"_s}; }

void InputModel::setInputs(const QList<protocol::RunInput> &inputs) {
  beginResetModel();
  for (const protocol::RunInput &old : std::as_const(inputs_)) {
    const bool isKept = std::any_of(inputs.begin(), inputs.end(), [&](const protocol::RunInput &input) {
      return input.name == old.name && input.type == old.type;
    });
    if (!isKept)
      chosen_.remove(old.name);
  }
  inputs_ = inputs;
  endResetModel();
}

void InputModel::clear() {
  beginResetModel();
  inputs_.clear();
  chosen_.clear();
  endResetModel();
}

QMap<QString, QString> InputModel::chosen() const { return chosen_; }

/// What was chosen; else the file of weights that the last run took it from, or random.
QString InputModel::sourceOf(const protocol::RunInput &input) const {
  const bool isFromFile = !input.parameter.isEmpty() && input.source.startsWith(u'@');
  return chosen_.value(input.name, isFromFile ? input.source : u"random"_s);
}

int InputModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(inputs_.size()); }

InputModel::InputModel(QObject *parent)
    : TableModel({{tr("Argument")}, {tr("Type")}, {tr("Values")}, {tr("What was made of it")}}, parent) {}

QVariant InputModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const protocol::RunInput &input = inputs_[index.row()];
  if (role == Qt::ToolTipRole && index.column() == Source)
    return tr("random, zeros, ones, iota, a number, or @ and the path of a .npy file");
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::EditRole)
    return {};
  switch (index.column()) {
  case Argument:
    return input.parameter.isEmpty() ? input.name : u"%1 %2"_s.arg(input.name, input.parameter);
  case Type:
    return input.type;
  case Source:
    return sourceOf(input);
  case Note: // of the run before: it says nothing of another choice
    return sourceOf(input) == input.source ? input.note
           : input.source.isEmpty()        ? QString() // nothing ran yet
                                           : tr("from the next run on");
  default:
    return {};
  }
}

bool InputModel::setData(const QModelIndex &index, const QVariant &value, int role) {
  if (role != Qt::EditRole || index.column() != Source || !checkIndex(index, CheckIndexOption::IndexIsValid))
    return false;
  const QString source = value.toString().trimmed();
  const QString name = inputs_[index.row()].name;
  if (source.isEmpty() || source == "random"_L1)
    chosen_.remove(name);
  else
    chosen_.insert(name, source);
  emit dataChanged(index, this->index(index.row(), Note));
  return true;
}

Qt::ItemFlags InputModel::flags(const QModelIndex &index) const {
  const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  return index.column() == Source ? flags | Qt::ItemIsEditable : flags;
}

} // namespace fuselage
