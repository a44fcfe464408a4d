#include "views/models/NotesModel.h"

using namespace Qt::StringLiterals;

namespace fuselage {

using protocol::NoteState;

static protocol::NotePlace unknownPlace() {
  protocol::NotePlace place;
  place.state = NoteState::Found;
  return place;
}

NotesModel::NotesModel(QObject *parent) : TableModel({{tr("About")}, {tr("Note")}, {tr("Where")}}, parent) {}

void NotesModel::setNotes(const QList<protocol::Note> &notes) {
  beginResetModel();
  notes_ = notes;
  places_ = QList<protocol::NotePlace>(notes.size(), unknownPlace());
  endResetModel();
}

void NotesModel::add(const protocol::Note &note) {
  beginInsertRows({}, int(notes_.size()), int(notes_.size()));
  notes_.append(note);
  places_.append(unknownPlace());
  endInsertRows();
}

void NotesModel::remove(int row) {
  beginRemoveRows({}, row, row);
  notes_.removeAt(row);
  places_.removeAt(row);
  endRemoveRows();
}

void NotesModel::setPlaces(const QList<protocol::NotePlace> &places) {
  if (places.size() != notes_.size())
    return;
  places_ = places;
  if (!places_.isEmpty())
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void NotesModel::setText(int row, const QString &text) {
  if (notes_[row].text == text)
    return;
  notes_[row].text = text;
  emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
  emit textEdited(row);
}

int NotesModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(notes_.size()); }

QString NotesModel::where(int row) const {
  const protocol::Note &note = notes_[row];
  const protocol::NotePlace &place = places_[row];
  const QString step = note.step.pass.isEmpty() ? tr("input") : note.step.name;
  switch (place.state) {
  case NoteState::Lost:
    return tr("lost, was in line %1").arg(note.op.line);
  case NoteState::NoStep:
    return tr("%1, not recorded").arg(step);
  case NoteState::Unsure:
    return tr("%1, line %2, perhaps").arg(step).arg(place.line + 1);
  case NoteState::Found:
  case NoteState::Moved:
    break;
  }
  return note.kind == protocol::NoteKind::Step || place.line < 0 ? step
                                                                 : tr("%1, line %2").arg(step).arg(place.line + 1);
}

QString NotesModel::toolTip(int row) const {
  const protocol::Note &note = notes_[row];
  QStringList lines{note.label.toHtmlEscaped()};
  if (!note.text.isEmpty())
    lines.append(note.text.toHtmlEscaped().replace(u'\n', u"<br>"_s));
  if (!places_[row].how.isEmpty())
    lines.append(u"<i>%1</i>"_s.arg(places_[row].how.toHtmlEscaped()));
  return u"<p>%1</p>"_s.arg(lines.join(u"</p><p>"_s));
}

QVariant NotesModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid())
    return {};
  const protocol::Note &note = notes_[index.row()];
  switch (role) {
  case Qt::DisplayRole:
    return index.column() == About  ? note.label
           : index.column() == Text ? note.text.section(u'\n', 0, 0)
                                    : where(index.row());
  case Qt::EditRole:
    return index.column() == Text ? QVariant(note.text) : QVariant();
  case Qt::ToolTipRole:
    return toolTip(index.row());
  case Qt::AccessibleDescriptionRole:
    return places_[index.row()].how;
  case StateRole:
    return int(places_[index.row()].state);
  case KindRole:
    return int(note.kind);
  default:
    return {};
  }
}

bool NotesModel::setData(const QModelIndex &index, const QVariant &value, int role) {
  if (role != Qt::EditRole || index.column() != Text)
    return false;
  setText(index.row(), value.toString());
  return true;
}

Qt::ItemFlags NotesModel::flags(const QModelIndex &index) const {
  return TableModel::flags(index) | (index.column() == Text ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

NotesFilter::NotesFilter(QObject *parent) : QSortFilterProxyModel(parent) {
  setSortCaseSensitivity(Qt::CaseInsensitive);
}

void NotesFilter::setWords(const QString &words) {
  words_ = words.split(u' ', Qt::SkipEmptyParts);
  invalidateFilter();
}

bool NotesFilter::filterAcceptsRow(int row, const QModelIndex &parent) const {
  QString text;
  for (int column = 0; column < sourceModel()->columnCount(); ++column) {
    const QModelIndex cell = sourceModel()->index(row, column, parent);
    text += (column == NotesModel::Text ? cell.data(Qt::EditRole) : cell.data()).toString() + u'\n';
  }
  for (const QString &word : words_)
    if (!text.contains(word, Qt::CaseInsensitive))
      return false;
  return true;
}

} // namespace fuselage
