// fuselage-cse-dispatches: common subexpressions of a function with many dispatches.
#include "core/dialects/flow/Flow.h"
#include "core/transforms/dispatch/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/RegionUtils.h"
#include <map>

namespace fuselage {
#define GEN_PASS_DEF_CSEDISPATCHESPASS
#include "core/transforms/dispatch/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

static constexpr llvm::StringLiteral kReadsAttr = "fuselage.reads";

/// Gives dispatches that read the same values from outside the same number. An attribute counts in an op's hash.
static void numberByReads(Operation *function) {
  std::map<SmallVector<void *>, int64_t> numbers;
  Builder builder(function->getContext());
  function->walk([&](flow::DispatchRegionOp dispatch) {
    SetVector<Value> values;
    getUsedValuesDefinedAbove(dispatch->getRegions(), values);
    auto key = llvm::map_to_vector(values, [](Value value) { return value.getAsOpaquePointer(); });
    int64_t number = numbers.try_emplace(std::move(key), static_cast<int64_t>(numbers.size())).first->second;
    dispatch->setAttr(kReadsAttr, builder.getI64IntegerAttr(number));
  });
}

namespace {
struct CseDispatchesPass : fuselage::impl::CseDispatchesPassBase<CseDispatchesPass> {
  void runOnOperation() override {
    Operation *function = getOperation();
    IRRewriter rewriter(&getContext());
    // Dispatches that come to read the same values have other numbers the next time.
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      numberByReads(function);
      eliminateCommonSubExpressions(rewriter, getAnalysis<DominanceInfo>(), function, &isChanged);
    }
    function->walk([](flow::DispatchRegionOp dispatch) { dispatch->removeAttr(kReadsAttr); });
  }
};
} // namespace
