// Bookmarks and notes as a table: what each is about, its words, and where that is now.
#pragma once
#include "views/messages/NoteTypes.h"
#include "views/models/TableModel.h"
#include <QSortFilterProxyModel>

namespace fuselage {

class NotesModel : public TableModel {
  Q_OBJECT
public:
  enum Column { About, Text, Where, ColumnCount };
  enum Role {
    StateRole = Qt::UserRole, ///< a protocol::NoteState
    KindRole,                 ///< a protocol::NoteKind
  };

  explicit NotesModel(QObject *parent = nullptr);

  void setNotes(const QList<protocol::Note> &notes);
  void add(const protocol::Note &note);
  void remove(int row);
  /// Where they are, in the order of the rows; of another number they are of other notes, and nothing changes.
  void setPlaces(const QList<protocol::NotePlace> &places);
  /// By the user; emits textEdited().
  void setText(int row, const QString &text);
  const QList<protocol::Note> &notes() const { return notes_; }
  /// One that nobody looked for yet has no snapshot and is Found.
  const protocol::NotePlace &place(int row) const { return places_[row]; }

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;
  Qt::ItemFlags flags(const QModelIndex &index) const override;

signals:
  void textEdited(int row);

private:
  QString where(int row) const;
  QString toolTip(int row) const;

  QList<protocol::Note> notes_;
  QList<protocol::NotePlace> places_;
};

/// By words in any column.
class NotesFilter : public QSortFilterProxyModel {
  Q_OBJECT
public:
  explicit NotesFilter(QObject *parent = nullptr);
  void setWords(const QString &words);

protected:
  bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
  QStringList words_;
};

} // namespace fuselage
