#include "app/gui/baselines/KeptRun.h"
#include "views/models/Format.h"
#include <QCoreApplication>
#include <QJsonArray>
#include <QLocale>

using namespace Qt::StringLiterals;

namespace fuselage {

static QString tr(const char *text) { return QCoreApplication::translate("fuselage::KeptRun", text); }

QString KeptRun::title() const {
  const bool isToday = when.date() == QDate::currentDate();
  const QString time =
      isToday ? QLocale().toString(when.time(), QLocale::ShortFormat) : QLocale().toString(when, QLocale::ShortFormat);
  const QString ran = tr("%1 on %2, %3").arg(of, QString::fromStdString(run.device), time);
  return isBaseline() ? tr("%1: %2").arg(name, ran) : ran;
}

KeptRun keptRun(const protocol::RunReport &report) {
  KeptRun kept;
  kept.when = QDateTime::currentDateTime();
  kept.run = timedRun(report, [](const QString &text) { return text.toStdString(); });
  return kept;
}

static QJsonValue textOf(const std::string &text) { return QString::fromStdString(text); }

QJsonObject toJson(const KeptRun &run) {
  QJsonArray dispatches;
  for (const TimedDispatch &dispatch : run.run.dispatches) {
    QJsonArray parts;
    for (const std::string &part : dispatch.parts)
      parts.append(textOf(part));
    dispatches.append(QJsonObject{{u"place"_s, textOf(dispatch.place)},
                                  {u"name"_s, textOf(dispatch.name)},
                                  {u"host"_s, dispatch.onHost},
                                  {u"once"_s, dispatch.once},
                                  {u"group"_s, dispatch.group},
                                  {u"parts"_s, parts},
                                  {u"us"_s, QJsonArray{dispatch.us.median, dispatch.us.low, dispatch.us.high}}});
  }
  return {{u"name"_s, run.name},
          {u"of"_s, run.of},
          {u"program"_s, run.program},
          {u"file"_s, run.file},
          {u"when"_s, run.when.toString(Qt::ISODate)},
          {u"device"_s, textOf(run.run.device)},
          {u"function"_s, textOf(run.run.function)},
          {u"clock"_s, textOf(run.run.clock)},
          {u"caches"_s, textOf(run.run.caches)},
          {u"inputs"_s, textOf(run.run.inputs)},
          {u"ok"_s, run.run.isOk},
          {u"launches"_s, qint64(run.run.launches)},
          {u"dispatches"_s, dispatches}};
}

KeptRun keptRunOf(const QJsonObject &json) {
  const auto text = [&json](const char *key) { return json[QLatin1StringView(key)].toString(); };
  KeptRun kept{.name = text("name"),
               .of = text("of"),
               .program = text("program"),
               .file = text("file"),
               .when = QDateTime::fromString(text("when"), Qt::ISODate),
               .run = {.device = text("device").toStdString(),
                       .function = text("function").toStdString(),
                       .clock = text("clock").toStdString(),
                       .caches = text("caches").toStdString(),
                       .inputs = text("inputs").toStdString(),
                       .isOk = json["ok"_L1].toBool(),
                       .launches = json["launches"_L1].toInteger(),
                       .dispatches = {}}};
  for (const QJsonValue value : json["dispatches"_L1].toArray()) {
    const QJsonObject dispatch = value.toObject();
    const QJsonArray us = dispatch["us"_L1].toArray();
    kept.run.dispatches.push_back({.place = dispatch["place"_L1].toString().toStdString(),
                                   .name = dispatch["name"_L1].toString().toStdString(),
                                   .onHost = dispatch["host"_L1].toBool(),
                                   .once = dispatch["once"_L1].toBool(),
                                   .group = dispatch["group"_L1].toInt(-1),
                                   .us = {us.at(0).toDouble(-1), us.at(1).toDouble(-1), us.at(2).toDouble(-1)}});
    for (const QJsonValue part : dispatch["parts"_L1].toArray())
      kept.run.dispatches.back().parts.push_back(part.toString().toStdString());
  }
  return kept;
}

RunDifferences differencesOf(const KeptRun &before, const KeptRun &after) {
  return differencesOf(before.run, after.run, before.file == after.file ? DifferencesBy::Places : DifferencesBy::Names);
}

QString rangeText(const TimeRange &us) {
  return us.isKnown() ? tr("%1 (%2 to %3)")
                            .arg(formatMicroseconds(us.median), formatMicroseconds(us.low), formatMicroseconds(us.high))
                      : u"\u2014"_s;
}

} // namespace fuselage
