// What a function is run on: an argument a row, and where its values come from.
#pragma once
#include "views/messages/RunTypes.h"
#include "views/models/TableModel.h"
#include <QMap>

namespace fuselage {

/// The source can be edited: "random", "zeros", "ones", "iota", a number, or "@" and the path of a .npy file.
class InputModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Argument, Type, Source, Note, ColumnCount };

  explicit InputModel(QObject *parent = nullptr);
  /// Sources that somebody chose stay with arguments of the same name and type.
  void setInputs(const QList<protocol::RunInput> &inputs);
  /// Another document: nothing is kept.
  void clear();
  /// By argument, what was chosen; random ones are left out.
  QMap<QString, QString> chosen() const;
  static QStringList sources();

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;
  Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
  QString sourceOf(const protocol::RunInput &input) const;

  QList<protocol::RunInput> inputs_;
  QMap<QString, QString> chosen_; ///< by argument
};

} // namespace fuselage
