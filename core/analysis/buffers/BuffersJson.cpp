#include "core/analysis/buffers/BuffersReport.h"

namespace fuselage {
namespace {

llvm::json::Value idOrNull(int64_t id) { return id < 0 ? llvm::json::Value(nullptr) : llvm::json::Value(id); }

llvm::json::Value toJSON(const OperandPlace &place) {
  if (place.op < 0)
    return nullptr;
  return llvm::json::Object{{"op", place.op}, {"operand", place.operand}};
}

llvm::json::Value toJSON(const ConflictPlaces &conflict) {
  if (conflict.write.op < 0 && conflict.definition < 0)
    return nullptr;
  return llvm::json::Object{{"read", toJSON(conflict.read)},
                            {"conflicting_write", toJSON(conflict.write)},
                            {"last_write", llvm::json::Object{{"op", idOrNull(conflict.definition)},
                                                              {"result", idOrNull(conflict.result)},
                                                              {"argument", idOrNull(conflict.argument)}}}};
}

llvm::json::Value reasonToJSON(BufferReason reason) {
  if (reason == BufferReason::None)
    return nullptr;
  return infoOf(reason).code;
}

llvm::json::Object toJSON(const BufferBytes &size) {
  return llvm::json::Object{{"bytes", size.bytes}, {"lower_bound", size.isLowerBound}};
}

llvm::json::Value toJSON(const BufferOperandReport &operand) {
  const OperandDecision &decision = operand.decision;
  return llvm::json::Object{{"op", decision.place.op},
                            {"operand", decision.place.operand},
                            {"value", operand.value},
                            {"type", operand.type},
                            {"in_place", decision.inPlace},
                            {"reads", decision.reads},
                            {"writes", decision.writes},
                            {"reason", reasonToJSON(decision.reason)},
                            {"sentence", infoOf(decision.reason).sentence},
                            {"conflict", toJSON(decision.conflict)},
                            {"buffer", idOrNull(operand.buffer)}};
}

llvm::json::Value toJSON(const BufferReport &buffer) {
  llvm::json::Object json = toJSON(buffer.size);
  json["op"] = buffer.op;
  json["operand"] = idOrNull(buffer.operand);
  json["argument"] = idOrNull(buffer.argument);
  json["kind"] = buffer.kind;
  json["reason"] = reasonToJSON(buffer.reason);
  json["sentence"] = infoOf(buffer.reason).sentence;
  json["function"] = buffer.function;
  json["type"] = buffer.type;
  json["space"] = buffer.space;
  json["first"] = buffer.first;
  json["last"] = buffer.last;
  json["freed"] = buffer.isFreed;
  json["escapes"] = buffer.escapes;
  return json;
}

llvm::json::Value toJSON(const BufferMoveReport &move) {
  llvm::json::Object json = toJSON(move.size);
  json["op"] = move.op;
  json["reason"] = reasonToJSON(move.reason);
  json["sentence"] = infoOf(move.reason).sentence;
  json["remains"] = move.remains;
  return json;
}

llvm::json::Value toJSON(const BufferPeakReport &peak) {
  llvm::json::Object json = toJSON(peak.size);
  json["function"] = peak.function;
  json["space"] = peak.space;
  json["at"] = idOrNull(peak.at);
  return json;
}

template <typename T> llvm::json::Array listToJSON(const std::vector<T> &list) {
  llvm::json::Array json;
  for (const T &entry : list)
    json.push_back(toJSON(entry));
  return json;
}

} // namespace

llvm::json::Value peaksToJSON(const BuffersReport &report) {
  llvm::json::Object peaks;
  for (const auto &[space, size] : report.largestPeaks())
    peaks[space] = toJSON(size);
  return peaks;
}

llvm::json::Value toJSON(const BuffersReport &report, llvm::function_ref<int64_t(OpId)> lineOf) {
  llvm::json::Array ops, problems, eliminated;
  for (const auto &[id, op] : report.ops) {
    llvm::json::Object entry{{"id", id}, {"op", op.name}, {"function", op.function}, {"loc", op.loc}};
    if (lineOf)
      entry["line"] = lineOf(id);
    ops.push_back(std::move(entry));
  }
  for (const BufferProblem &problem : report.problems)
    problems.push_back(
        llvm::json::Object{{"op", idOrNull(problem.op)}, {"message", llvm::json::fixUTF8(problem.message)}});
  for (OpId id : report.eliminated)
    eliminated.push_back(id);
  return llvm::json::Object{{"version", 1},
                            {"has_tensors", report.hasTensors},
                            {"complete", report.isComplete},
                            {"operands", listToJSON(report.operands)},
                            {"buffers", listToJSON(report.buffers)},
                            {"moves", listToJSON(report.moves)},
                            {"memory", listToJSON(report.peaks)},
                            {"peaks", peaksToJSON(report)},
                            {"copied", toJSON(report.copiedBytes())},
                            {"eliminated", std::move(eliminated)},
                            {"problems", std::move(problems)},
                            {"ops", std::move(ops)}};
}

} // namespace fuselage
