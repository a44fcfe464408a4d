#include "app/bridge/BufferTypes.h"
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace fuselage::protocol {
namespace {

/// -1 for null.
qint64 number(const QJsonValue &value) { return value.isDouble() ? value.toInteger() : -1; }

BufferBytes bytes(const QJsonObject &json) {
  return {.bytes = number(json["bytes"_L1]), .lowerBound = json["lower_bound"_L1].toBool()};
}

BufferPlace place(const QJsonValue &value) {
  const QJsonObject json = value.toObject();
  return {.op = number(json["op"_L1]), .operand = int(number(json["operand"_L1]))};
}

BufferConflict conflict(const QJsonObject &json) {
  const QJsonObject definition = json["last_write"_L1].toObject();
  return {.read = place(json["read"_L1]),
          .write = place(json["conflicting_write"_L1]),
          .definition = number(definition["op"_L1]),
          .result = int(number(definition["result"_L1])),
          .argument = int(number(definition["argument"_L1]))};
}

BufferOperand operand(const QJsonObject &json) {
  return {.place = place(json),
          .value = json["value"_L1].toString(),
          .type = json["type"_L1].toString(),
          .inPlace = json["in_place"_L1].toBool(),
          .reads = json["reads"_L1].toBool(),
          .writes = json["writes"_L1].toBool(),
          .reason = json["reason"_L1].toString(),
          .sentence = json["sentence"_L1].toString(),
          .conflict = conflict(json["conflict"_L1].toObject()),
          .buffer = int(number(json["buffer"_L1]))};
}

Buffer buffer(const QJsonObject &json) {
  return {.op = number(json["op"_L1]),
          .operand = int(number(json["operand"_L1])),
          .argument = int(number(json["argument"_L1])),
          .kind = json["kind"_L1].toString(),
          .reason = json["reason"_L1].toString(),
          .sentence = json["sentence"_L1].toString(),
          .function = json["function"_L1].toString(),
          .type = json["type"_L1].toString(),
          .space = json["space"_L1].toString(),
          .size = bytes(json),
          .first = number(json["first"_L1]),
          .last = number(json["last"_L1]),
          .freed = json["freed"_L1].toBool(),
          .escapes = json["escapes"_L1].toBool()};
}

BufferMove move(const QJsonObject &json) {
  return {.op = number(json["op"_L1]),
          .reason = json["reason"_L1].toString(),
          .sentence = json["sentence"_L1].toString(),
          .size = bytes(json),
          .remains = json["remains"_L1].toBool()};
}

BufferPeak peak(const QJsonObject &json) {
  return {.function = json["function"_L1].toString(),
          .space = json["space"_L1].toString(),
          .size = bytes(json),
          .at = number(json["at"_L1])};
}

BufferProblem problem(const QJsonObject &json) {
  return {.op = number(json["op"_L1]), .message = json["message"_L1].toString()};
}

template <typename T> QList<T> list(const QJsonValue &value, T (*read)(const QJsonObject &)) {
  QList<T> entries;
  for (const QJsonValue &entry : value.toArray())
    entries.append(read(entry.toObject()));
  return entries;
}

BufferPeaks peaks(const QJsonObject &json) {
  BufferPeaks bySpace;
  for (auto entry = json.begin(); entry != json.end(); ++entry)
    bySpace[entry.key()] = bytes(entry.value().toObject());
  return bySpace;
}

} // namespace

qint64 BuffersReport::nodeOf(const BufferConflict &conflict) const {
  return conflict.argument < 0 ? conflict.definition
                               : arguments.value({conflict.definition, conflict.argument}, conflict.definition);
}

void decode(const QJsonObject &json, BuffersReport &out) {
  out.snapshot = json["snapshot"_L1].toInt(-1);
  out.hasTensors = json["has_tensors"_L1].toBool();
  out.complete = json["complete"_L1].toBool();
  out.operands = list(json["operands"_L1], operand);
  out.buffers = list(json["buffers"_L1], buffer);
  out.moves = list(json["moves"_L1], move);
  out.memory = list(json["memory"_L1], peak);
  out.peaks = peaks(json["peaks"_L1].toObject());
  out.copied = bytes(json["copied"_L1].toObject());
  out.problems = list(json["problems"_L1], problem);
  for (const QJsonValue &value : json["ops"_L1].toArray()) {
    const QJsonObject op = value.toObject();
    out.ops[number(op["id"_L1])] = {.name = op["op"_L1].toString(),
                                    .function = op["function"_L1].toString(),
                                    .line = op["line"_L1].toInt()};
  }
  for (const QJsonValue &value : json["arguments"_L1].toArray()) {
    const QJsonObject argument = value.toObject();
    out.arguments[{number(argument["op"_L1]), argument["argument"_L1].toInt()}] = argument["node"_L1].toInteger();
  }
}

void decode(const QJsonObject &json, SnapshotPeaks &out) {
  out.snapshot = json["snapshot"_L1].toInt(-1);
  out.peaks = peaks(json["peaks"_L1].toObject());
}

} // namespace fuselage::protocol
