// Operands, buffers and moves that are the same but for where they are make a group: exactly those, with their bytes.
#include "core/analysis/buffers/BuffersReport.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "tests/support/Draws.h"
#include "tests/support/LayeredModel.h"
#include "tests/support/RandomTensors.h"
#include <gtest/gtest.h>
#include <set>

namespace fuselage::test {
namespace {

BuffersReport reportOn(const std::string &source) {
  Session session(allDialects());
  auto module = session.parse(source, "model.mlir");
  EXPECT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError()) << source;
  auto report = reportBuffers(**module, {});
  EXPECT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError()) << source;
  return std::move(*report);
}

/// What the flat list says of an operand, a buffer or a move, but for where it is.
std::string rowOf(const BuffersReport &report, const BufferOperandReport &operand) {
  const OperandDecision &decision = operand.decision;
  std::string text = report.ops.at(decision.place.op).name + std::to_string(decision.place.operand) + operand.type +
                     std::to_string(decision.inPlace) + std::to_string(int(decision.reason));
  return operand.buffer < 0 ? text : text + formatBytes(report.buffers[operand.buffer].size);
}
std::string rowOf(const BuffersReport &report, const BufferReport &buffer) {
  return report.ops.at(buffer.op).name + std::to_string(buffer.operand) + buffer.kind + buffer.type + buffer.space +
         formatBytes(buffer.size) + std::to_string(int(buffer.reason)) + std::to_string(buffer.isFreed);
}
std::string rowOf(const BuffersReport &report, const BufferMoveReport &move) {
  return report.ops.at(move.op).name + formatBytes(move.size) + std::to_string(int(move.reason)) +
         std::to_string(move.remains);
}

int64_t bytesOf(const BuffersReport &report, const BufferOperandReport &operand) {
  return operand.buffer < 0 ? 0 : report.buffers[operand.buffer].size.bytes;
}
int64_t bytesOf(const BuffersReport &, const BufferReport &buffer) { return buffer.size.bytes; }
int64_t bytesOf(const BuffersReport &, const BufferMoveReport &move) { return move.size.bytes; }

/// Each row of one list is in one group, the one that it names; what a group stands for agrees, and adds up.
template <class Row>
void checkList(const BuffersReport &report, const std::vector<Row> &rows, std::vector<int64_t> BufferGroupReport::*list,
               const std::string &source) {
  std::multiset<int64_t> listed;
  for (auto [number, group] : llvm::enumerate(report.groups)) {
    int64_t bytes = 0;
    for (int64_t index : group.*list) {
      const Row &row = rows.at(index);
      EXPECT_EQ(row.group, int(number)) << source;
      EXPECT_EQ(rowOf(report, row), rowOf(report, rows[(group.*list).front()])) << source;
      bytes += bytesOf(report, row);
      listed.insert(index);
    }
    if (!(group.*list).empty())
      EXPECT_EQ(group.size.bytes, bytes) << source;
  }
  EXPECT_EQ(listed.size(), rows.size()) << source;
  EXPECT_EQ(std::set<int64_t>(listed.begin(), listed.end()).size(), listed.size()) << source;
}

void checkGroups(const BuffersReport &report, const std::string &source) {
  checkList(report, report.operands, &BufferGroupReport::operands, source);
  checkList(report, report.buffers, &BufferGroupReport::buffers, source);
  checkList(report, report.moves, &BufferGroupReport::moves, source);
  int64_t previous = INT64_MAX;
  for (const BufferGroupReport &group : report.groups) {
    EXPECT_EQ((group.operands.empty() ? 0 : 1) + (group.buffers.empty() ? 0 : 1) + (group.moves.empty() ? 0 : 1), 1);
    EXPECT_LE(group.size.bytes, previous);
    previous = group.size.bytes;
  }
}

/// In the copy of the process that tries it.
TEST(BuffersReports, EndWhereTheyAreCancelled) {
  Session session(allDialects());
  auto module = session.parse(layeredModel({.layers = 2}), "model.mlir");
  ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
  std::atomic<bool> cancelled = false;
  BuffersOptions options;
  options.cancelled = &cancelled;
  auto whole = reportBuffers(**module, options);
  ASSERT_TRUE(static_cast<bool>(whole)) << llvm::toString(whole.takeError());
  EXPECT_FALSE(whole->operands.empty());
  cancelled = true;
  auto report = reportBuffers(**module, options);
  ASSERT_FALSE(static_cast<bool>(report));
  EXPECT_EQ(takeFailure(report.takeError()).message, "the report on buffers was cancelled");
}

TEST(BufferGroups, ExpandToTheFlatListOnRandomPrograms) {
  size_t rows = 0, groups = 0;
  for (unsigned draw = 0; draw < draws(500) && !testing::Test::HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 53);
    std::string source = draw % 4 == 0 ? layeredModel({.layers = 2 + draw % 5, .also = draw % 32})
                                       : randomTensorProgram({.ops = 2 + int(random() % 12)}, random);
    BuffersReport report = reportOn(source);
    checkGroups(report, source);
    rows += report.operands.size() + report.buffers.size() + report.moves.size();
    groups += report.groups.size();
  }
  EXPECT_LT(groups, rows);
}

/// Layers add places, not rows.
TEST(BufferGroups, OfAModelAreThoseOfFewLayers) {
  BuffersReport few = reportOn(layeredModel({.layers = 6, .also = 31})),
                many = reportOn(layeredModel({.layers = 18, .also = 31}));
  checkGroups(many, "18 layers");
  EXPECT_EQ(few.groups.size(), many.groups.size());
  EXPECT_GT(many.operands.size(), 2 * few.operands.size());

  auto placeOf = [](OpId op) { return Diagnostic{.line = unsigned(op) + 1}; };
  std::string grouped = formatBuffers(many, placeOf), flat = formatBuffers(many, placeOf, /*flat=*/true);
  EXPECT_NE(grouped.find(" x18 "), std::string::npos) << grouped;
  EXPECT_EQ(flat.find("times"), std::string::npos) << flat;
  EXPECT_LT(2 * grouped.size(), flat.size());
}

} // namespace
} // namespace fuselage::test
