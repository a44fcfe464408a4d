#include "app/gui/graph/NumberTable.h"
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr double none = std::numeric_limits<double>::quiet_NaN();
static QString tr(const char *text) { return QCoreApplication::translate("NumberTable", text); }

/// Fields of a line; those in quotes may have separators and doubled quotes in them.
static QStringList fieldsOf(const QString &line, QChar separator) {
  QStringList fields{QString()};
  bool isQuoted = false;
  for (qsizetype i = 0; i < line.size(); ++i) {
    if (line[i] == u'"') {
      if (isQuoted && i + 1 < line.size() && line[i + 1] == u'"')
        fields.last() += line[i++];
      else
        isQuoted = !isQuoted;
    } else if (line[i] == separator && !isQuoted) {
      fields.append(QString());
    } else {
      fields.last() += line[i];
    }
  }
  for (QString &field : fields)
    field = field.trimmed();
  return fields;
}

static double numberOf(const QString &text) {
  bool isNumber = false;
  const double number = text.toDouble(&isNumber);
  return isNumber ? number : none;
}

static NumberTable readCsv(const QString &text) {
  NumberTable table;
  const QStringList lines = text.split(u'\n', Qt::SkipEmptyParts);
  if (lines.isEmpty())
    return {.columns = {}, .rows = {}, .problem = tr("the file is empty")};
  const QString &first = lines.first();
  const QChar separator = first.contains(u'\t') ? u'\t' : first.count(u';') > first.count(u',') ? u';' : u',';
  const QStringList head = fieldsOf(first, separator);
  if (head.size() < 2)
    return {.columns = {},
            .rows = {},
            .problem = tr("line 1 has one column; write a key and a number, separated by a comma")};
  const bool isHead = std::isnan(numberOf(head[1]));
  for (qsizetype column = 1; column < head.size(); ++column)
    table.columns.append(isHead ? head[column] : tr("column %1").arg(column));
  for (qsizetype line = isHead ? 1 : 0; line < lines.size(); ++line) {
    const QStringList fields = fieldsOf(lines[line], separator);
    NumberTable::Row row{.key = fields.first(), .values = {}};
    for (qsizetype column = 0; column < table.columns.size(); ++column)
      row.values.append(numberOf(fields.value(column + 1)));
    if (!row.key.isEmpty())
      table.rows.append(row);
  }
  return table;
}

static void addRow(NumberTable &table, const QString &key, const QJsonObject &values) {
  NumberTable::Row row{.key = key, .values = QList<double>(table.columns.size(), none)};
  for (auto value = values.begin(); value != values.end(); ++value) {
    if (!value->isDouble())
      continue;
    qsizetype column = table.columns.indexOf(value.key());
    if (column < 0) {
      column = table.columns.size();
      table.columns.append(value.key());
    }
    while (row.values.size() <= column)
      row.values.append(none);
    row.values[column] = value->toDouble();
  }
  table.rows.append(row);
}

static NumberTable readObject(QJsonObject object) {
  // {"main_graph": {"results": {..}}}: Model Explorer, which may have several graphs.
  for (const QJsonValue graph : QJsonObject(object))
    if (graph.toObject().contains("results"_L1))
      object = graph.toObject();
  if (object.value("results"_L1).isObject())
    object = object.value("results"_L1).toObject();
  NumberTable table;
  for (auto value = object.begin(); value != object.end(); ++value)
    addRow(table, value.key(), value->isDouble() ? QJsonObject{{u"value"_s, *value}} : value->toObject());
  return table;
}

static NumberTable readJson(const QByteArray &text) {
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(text, &error);
  if (document.isNull())
    return {.columns = {},
            .rows = {},
            .problem = tr("not JSON: %1, at byte %2").arg(error.errorString()).arg(error.offset)};
  if (document.isObject())
    return readObject(document.object());
  NumberTable table;
  for (const QJsonValue item : document.array()) {
    const QJsonObject object = item.toObject();
    for (const auto &name : {"op"_L1, "loc"_L1, "key"_L1, "id"_L1})
      if (object.value(name).isString()) {
        addRow(table, object.value(name).toString(), object);
        break;
      }
  }
  return table;
}

NumberTable NumberTable::read(const QByteArray &text) {
  const QByteArray begin = text.trimmed().left(1);
  NumberTable table = begin == "{" || begin == "[" ? readJson(text) : readCsv(QString::fromUtf8(text));
  if (table.problem.isEmpty() && (table.columns.isEmpty() || table.rows.isEmpty()))
    table.problem = tr("there is no row with a key and a number");
  for (Row &row : table.rows)
    while (row.values.size() < table.columns.size())
      row.values.append(none);
  return table;
}

} // namespace fuselage
