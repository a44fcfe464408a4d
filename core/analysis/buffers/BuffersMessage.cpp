#include "core/analysis/buffers/BuffersReport.h"

namespace fuselage {
namespace {

/// Empty where nothing was made.
std::string codeOf(BufferReason reason) { return reason == BufferReason::None ? "" : infoOf(reason).code.str(); }
std::string sentenceOf(BufferReason reason) { return infoOf(reason).sentence.str(); }

message::BufferOperand<> messageOf(const BufferOperandReport &operand) {
  const OperandDecision &decision = operand.decision;
  return {.place = decision.place,
          .value = operand.value,
          .type = operand.type,
          .inPlace = decision.inPlace,
          .reads = decision.reads,
          .writes = decision.writes,
          .reason = codeOf(decision.reason),
          .sentence = sentenceOf(decision.reason),
          .conflict = decision.conflict,
          .buffer = operand.buffer,
          .group = operand.group};
}

message::Buffer<> messageOf(const BufferReport &buffer) {
  return {.op = buffer.op,
          .operand = buffer.operand,
          .argument = buffer.argument,
          .kind = buffer.kind,
          .reason = codeOf(buffer.reason),
          .sentence = sentenceOf(buffer.reason),
          .function = buffer.function,
          .type = buffer.type,
          .space = buffer.space,
          .size = buffer.size,
          .first = buffer.first,
          .last = buffer.last,
          .freed = buffer.isFreed,
          .escapes = buffer.escapes,
          .group = buffer.group};
}

message::BufferMove<> messageOf(const BufferMoveReport &move) {
  return {.op = move.op,
          .reader = move.reader,
          .writer = move.writer,
          .source = move.source,
          .destination = move.destination,
          .reason = codeOf(move.reason),
          .sentence = sentenceOf(move.reason),
          .size = move.size,
          .remains = move.remains,
          .group = move.group};
}

} // namespace

void nameLayers(BuffersReport &report, llvm::function_ref<std::string(OpId)> layerOf) {
  for (auto &[id, op] : report.ops)
    op.layer = layerOf(id);
}

message::BuffersReport<> messageOf(const BuffersReport &report, llvm::function_ref<int64_t(OpId)> lineOf) {
  message::BuffersReport<> message;
  message.hasTensors = report.hasTensors;
  message.complete = report.isComplete;
  for (const BufferOperandReport &operand : report.operands)
    message.operands.push_back(messageOf(operand));
  for (const BufferReport &buffer : report.buffers)
    message.buffers.push_back(messageOf(buffer));
  for (const BufferMoveReport &move : report.moves)
    message.moves.push_back(messageOf(move));
  message.groups = report.groups;
  message.memory = report.peaks;
  message.peaks = report.largestPeaks();
  for (const auto &[name, size] : report.sizes)
    message.sizes[name] = size;
  message.copied = report.copiedBytes();
  message.eliminated = report.eliminated;
  message.problems = report.problems;
  for (const auto &[id, op] : report.ops)
    message.ops.push_back({.id = id,
                           .name = op.name,
                           .function = op.function,
                           .loc = op.loc,
                           .layer = op.layer,
                           .line = lineOf ? int(lineOf(id)) : -1});
  return message;
}

} // namespace fuselage
