// The repeated conflict test agrees with upstream's, on random programs.
#include "core/analysis/buffers/ConflictFinder.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/transforms/bufferize/BufferizationOptions.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tests/support/Draws.h"
#include "tests/support/RandomTensors.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::bufferization;

namespace fuselage::test {
namespace {

struct Counts {
  unsigned inPlace = 0, outOfPlace = 0;
};

/// Asks upstream and the finder about every operand, in upstream's order.
void compare(func::FuncOp function, const OneShotAnalysisState &upstream, OneShotAnalysisState &replay,
             ConflictFinder &finder, Counts &counts) {
  DominanceInfo dominance(function);
  std::vector<Operation *> ops;
  function.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<TensorType>(operand.get().getType()))
        continue;
      auto bufferizable = dyn_cast<BufferizableOpInterface>(op);
      bool isFree = !bufferizable || !bufferizable.mustBufferizeInPlace(operand, replay);
      bool inPlace = upstream.isInPlace(operand);
      if (isFree) {
        EXPECT_EQ(!finder.find(operand, dominance).has_value(), inPlace)
            << "operand " << operand.getOperandNumber() << " of " << op->getName().getStringRef().str();
        ++(inPlace ? counts.inPlace : counts.outOfPlace);
      }
      if (inPlace)
        finder.bufferizeInPlace(operand);
      else
        finder.bufferizeOutOfPlace(operand);
    }
}

TEST(ConflictFinder, AgreesWithUpstream) {
  Counts counts;
  for (unsigned seed = 0; seed < draws(200) && !testing::Test::HasFailure(); ++seed) {
    std::mt19937 random = randomOf(seed, 3);
    std::string source = randomTensorProgram({.ops = int(3 + random() % 14), .calls = false}, random);
    SCOPED_TRACE(source);
    Session session(allDialects());
    session.context().loadDialect<BufferizationDialect>();
    auto module = session.parse(source, "random.mlir");
    ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
    OneShotBufferizationOptions options = oneShotOptions();
    OneShotAnalysisState upstream(**module, options), replay(**module, options);
    DiagnosticCapture capture(session.context());
    if (failed(analyzeModuleOp(**module, upstream)))
      continue; // upstream refuses some, such as yields of what it cannot copy
    ConflictFinder finder(**module, replay);
    for (func::FuncOp function : (*module)->getOps<func::FuncOp>())
      compare(function, upstream, replay, finder, counts);
  }
  EXPECT_GT(counts.inPlace, 500u);
  EXPECT_GT(counts.outOfPlace, 250u);
}

} // namespace
} // namespace fuselage::test
