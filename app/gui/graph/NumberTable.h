// Numbers about ops from a file of the user's own.
#pragma once
#include <QByteArray>
#include <QList>
#include <QStringList>

namespace fuselage {

struct NumberTable {
  struct Row {
    QString key;          ///< an op, a value, a part of the model, or a location
    QList<double> values; ///< by column; NaN: none
  };
  QStringList columns;
  QList<Row> rows;
  QString problem; ///< empty: it was read

  /// CSV (separated by commas, semicolons or tabs, the key in the first column, names in the first line), or JSON:
  /// {"%q": 1.5}, {"%q": {"time": 1.5}}, [{"op": "%q", "time": 1.5}] with "op", "loc", "key" or "id" as the key, or the
  /// node data of Model Explorer.
  static NumberTable read(const QByteArray &text);
};

} // namespace fuselage
