#include "app/bridge/RunTypes.h"
#include "app/bridge/JsonFields.h"
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage::protocol {

/// The engine's name of a verdict; one that does not tell says ok or not.
static RunVerdict verdictOf(const QJsonObject &json, bool isEmpty) {
  const QString name = text(json, "verdict"_L1);
  if (name == "not_comparable"_L1)
    return RunVerdict::NotComparable;
  if (name == "nothing_to_run"_L1 || isEmpty)
    return RunVerdict::NothingToRun;
  const bool isOk = name.isEmpty() ? json.value("ok"_L1).toBool() : name == "ok"_L1;
  return isOk ? RunVerdict::Ok : RunVerdict::Wrong;
}

static void readComparison(const QJsonObject &json, Comparison &out) {
  out.verdict = verdictOf(json, false);
  out.ok = out.verdict == RunVerdict::Ok;
  out.why = text(json, "why"_L1);
  out.maxAbsError = measured(json, "max_abs_error"_L1);
  out.maxRelError = measured(json, "max_rel_error"_L1);
  const QJsonObject tolerance = json.value("tolerance"_L1).toObject();
  out.absolute = measured(tolerance, "absolute"_L1);
  out.relative = measured(tolerance, "relative"_L1);
  out.elements = integer(json, "elements"_L1, -1);
  const QJsonObject nonfinite = json.value("nonfinite"_L1).toObject();
  out.nonfiniteActual = integer(nonfinite, "actual"_L1);
  out.nonfiniteExpected = integer(nonfinite, "expected"_L1);
  out.nonfiniteDiffer = integer(nonfinite, "differ"_L1);
}

static QList<int> extent(const QJsonObject &json, QLatin1String name) {
  QList<int> list;
  for (const qint64 size : integers(json, name))
    list.append(int(size));
  return list;
}

static void decode(const QJsonObject &json, Kernel &out) {
  readComparison(json, out);
  out.onHost = text(json, "kind"_L1) == "host"_L1;
  const QJsonValue dispatch = json.value("dispatch"_L1);
  out.dispatch = dispatch.isDouble() ? QString::number(dispatch.toInteger()) : dispatch.toString();
  out.device = text(json, "device"_L1);
  out.name = text(json, "kernel"_L1);
  out.dispatchIndex = integer(json, "dispatch_index"_L1, -1);
  out.loc = text(json, "loc"_L1);
  out.grid = extent(json, "grid"_L1);
  out.block = extent(json, "block"_L1);
  out.sharedBytes = integer(json, "shared_bytes"_L1, -1);
  out.minUs = real(json, "min_us"_L1, -1);
  out.medianUs = real(json, "median_us"_L1, -1);
  out.p95Us = real(json, "p95_us"_L1, -1);
  out.launches = integer(json, "launches"_L1, -1);
  out.clock = text(json, "clock"_L1);
  out.cold = text(json, "cold"_L1);
  out.gflops = real(json, "gflops"_L1, -1);
  out.gbps = real(json, "gbps"_L1, -1);
  out.gbpsAtMost = json.value("gbps_at_most"_L1).toBool();
}

/// An element as people read it: "nan", "0.1234568", "1 + 2i".
static QString elementText(const QJsonValue &value) {
  if (const QJsonArray parts = value.toArray(); parts.size() == 2)
    return u"%1 + %2i"_s.arg(elementText(parts[0]), elementText(parts[1]));
  if (value.isBool())
    return value.toBool() ? u"true"_s : u"false"_s;
  if (!value.isDouble())
    return value.toString();
  const bool isWhole = value.toVariant().typeId() == QMetaType::LongLong;
  return isWhole ? QString::number(value.toInteger()) : QString::number(value.toDouble(), 'g', 7);
}

/// The size of an element, for a colour; of a complex one its magnitude.
static double elementNumber(const QJsonValue &value) {
  if (const QJsonArray parts = value.toArray(); parts.size() == 2)
    return std::hypot(elementNumber(parts[0]), elementNumber(parts[1]));
  if (value.isDouble())
    return value.toDouble();
  if (value.isBool())
    return value.toBool() ? 1 : 0;
  const QString text = value.toString();
  if (text == "inf"_L1 || text == "-inf"_L1)
    return text == "inf"_L1 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  bool isNumber = false;
  const double number = text.toDouble(&isNumber);
  return isNumber ? number : unknownNumber;
}

static QList<double> elementNumbers(const QJsonObject &json, QLatin1String name) {
  const QJsonArray array = json.value(name).toArray();
  QList<double> list;
  list.reserve(array.size());
  for (const QJsonValue value : array)
    list.append(elementNumber(value));
  return list;
}

static std::optional<HeatSlice> heatOf(const QJsonObject &json) {
  HeatSlice heat{.slice = integers(json, "slice"_L1),
                 .rowDim = small(json, "row_dim"_L1, -1),
                 .columnDim = small(json, "column_dim"_L1, -1),
                 .rows = small(json, "rows"_L1),
                 .columns = small(json, "columns"_L1),
                 .rowExtent = integer(json, "row_extent"_L1),
                 .columnExtent = integer(json, "column_extent"_L1),
                 .rowStep = integer(json, "row_step"_L1, 1),
                 .columnStep = integer(json, "column_step"_L1, 1),
                 .values = elementNumbers(json, "values"_L1),
                 .errors = elementNumbers(json, "errors"_L1)};
  const qsizetype cells = qsizetype(heat.rows) * heat.columns;
  if (heat.rows <= 0 || heat.columns <= 0 || heat.values.size() != cells || heat.errors.size() != cells)
    return std::nullopt;
  return heat;
}

static void decode(const QJsonObject &json, Output &out) {
  readComparison(json, out);
  out.type = text(json, "type"_L1);
  const QJsonObject statistics = json.value("statistics"_L1).toObject();
  out.min = measured(statistics, "min"_L1);
  out.max = measured(statistics, "max"_L1);
  out.mean = measured(statistics, "mean"_L1);
  for (const QJsonValue value : json.value("values"_L1).toArray())
    out.values.append(elementText(value));
  if (const QJsonValue worst = json.value("worst"_L1); worst.isObject())
    out.worst = {.index = integers(worst.toObject(), "index"_L1),
                 .actual = elementText(worst.toObject().value("actual"_L1)),
                 .expected = elementText(worst.toObject().value("expected"_L1))};
  if (const QJsonValue heat = json.value("heat"_L1); heat.isObject())
    out.heat = heatOf(heat.toObject());
}

static void decode(const QJsonObject &json, RunInput &out) {
  out.name = text(json, "name"_L1);
  out.type = text(json, "type"_L1);
  out.source = text(json, "source"_L1);
  out.note = text(json, "note"_L1);
}

void decode(const QJsonObject &json, RunArguments &out) {
  out.function = text(json, "function"_L1);
  out.arguments = objects<RunInput>(json, "arguments"_L1);
}

void decode(const QJsonObject &json, RunReport &out) {
  out.device = text(json, "device"_L1);
  out.function = text(json, "function"_L1);
  out.kernels = objects<Kernel>(json, "kernels"_L1);
  out.verdict = verdictOf(json, out.kernels.isEmpty());
  out.why = text(json, "why"_L1);
  out.sumUs = real(json, "sum_us"_L1, -1);
  out.wallUs = real(json, "wall_us"_L1, -1);
  out.timingNote = text(json, "timing_note"_L1);
  out.inputs = objects<RunInput>(json, "inputs"_L1);
  out.outputs = objects<Output>(json, "outputs"_L1);
  out.remarks = objects<Diagnostic>(json, "remarks"_L1);
}

void decode(const QJsonObject &json, RunProgress &out) {
  out.done = small(json, "done"_L1);
  out.total = small(json, "total"_L1);
  out.what = text(json, "what"_L1);
}

} // namespace fuselage::protocol
