// The copies and buffers that a report tells of are those that the bufferization pass makes.
#include "core/analysis/buffers/BuffersReport.h"
#include "core/analysis/buffers/OpTags.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/transforms/bufferize/BufferizationOptions.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "tests/support/Draws.h"
#include "tests/support/RandomTensors.h"
#include <gtest/gtest.h>

using namespace mlir;

namespace fuselage::test {
namespace {

/// By op of the source: how many buffers and copies were made for it.
struct Made {
  std::map<OpId, int> buffers, copies;
  bool operator==(const Made &) const = default;
};

std::ostream &operator<<(std::ostream &os, const Made &made) {
  for (auto [name, counts] : {std::pair("buffers", made.buffers), std::pair("copies", made.copies)}) {
    os << name << ":";
    for (auto [op, count] : counts)
      os << " " << op << " x" << count;
    os << "; ";
  }
  return os;
}

/// What the pass does; nothing where it refuses the module.
std::optional<Made> bufferizeByPass(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  tagOps(*copy);
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  std::string oneShot = llvm::StringRef(oneShotBufferize).drop_back().str() + " allow-unknown-ops=true}";
  EXPECT_TRUE(succeeded(parsePassPipeline(bufferPreparation + ("," + oneShot), passes)));
  if (failed(passes.run(*copy)))
    return std::nullopt;
  Made made;
  copy->walk([&](Operation *op) {
    if (isa<memref::AllocOp>(op))
      ++made.buffers[tagOf(op)];
    if (isa<memref::CopyOp>(op))
      ++made.copies[tagOf(op)];
  });
  return made;
}

Made madeOf(const BuffersReport &report) {
  Made made;
  for (const BufferReport &buffer : report.buffers)
    if (buffer.kind == "alloc" || buffer.kind == "copy") {
      ++made.buffers[buffer.op];
      if (buffer.kind == "copy" && buffer.operand >= 0)
        ++made.copies[buffer.op];
    }
  for (const BufferMoveReport &move : report.moves)
    ++made.copies[move.op];
  return made;
}

/// What is out of place has a reason and the ops of its conflict.
void checkReasons(const BuffersReport &report) {
  for (const BufferOperandReport &operand : report.operands) {
    const OperandDecision &decision = operand.decision;
    EXPECT_EQ(decision.inPlace && decision.reason != BufferReason::LoopYield, decision.reason == BufferReason::None);
    if (decision.inPlace)
      continue;
    EXPECT_GE(decision.conflict.write.op, 0);
    EXPECT_GE(decision.conflict.definition, 0);
    EXPECT_EQ(decision.reason == BufferReason::ReadAfterWrite && decision.conflict.read.op < 0, false);
  }
}

TEST(Copies, AreThoseOfThePass) {
  int checked = 0, copies = 0;
  for (unsigned seed = 0; seed < 100 && !testing::Test::HasFailure(); ++seed) {
    std::mt19937 random = randomOf(seed, 11);
    std::string source = randomTensorProgram({.ops = int(3 + random() % 14)}, random);
    SCOPED_TRACE(source);
    Session session(allDialects());
    auto module = session.parse(source, "random.mlir");
    ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
    DiagnosticCapture capture(session.context());
    auto report = reportBuffers(**module, {});
    ASSERT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError());
    std::optional<Made> byPass = bufferizeByPass(**module);
    EXPECT_EQ(report->isComplete, byPass.has_value());
    if (!byPass || !report->isComplete)
      continue;
    ++checked;
    EXPECT_EQ(madeOf(*report), *byPass);
    for (auto [op, count] : byPass->copies)
      copies += count;
    checkReasons(*report);
  }
  EXPECT_GT(checked, 60);
  EXPECT_GT(copies, 120);
}

TEST(Copies, LeaveTheModuleAsItIs) {
  std::mt19937 random(1);
  Session session(allDialects());
  auto module = session.parse(randomTensorProgram({}, random), "random.mlir");
  ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
  std::string before = PrintedModule(**module).text();
  ASSERT_TRUE(static_cast<bool>(reportBuffers(**module, {})));
  EXPECT_EQ(PrintedModule(**module).text(), before);
}

} // namespace
} // namespace fuselage::test
