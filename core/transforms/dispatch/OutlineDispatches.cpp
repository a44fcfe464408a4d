// fuselage-outline-dispatches: every flow.dispatch.region becomes a function and a call.
#include "core/dialects/flow/Flow.h"
#include "core/transforms/dispatch/DispatchNames.h"
#include "core/transforms/dispatch/DispatchPlan.h"
#include "core/transforms/dispatch/DispatchPredicates.h"
#include "core/transforms/dispatch/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {
#define GEN_PASS_DEF_OUTLINEDISPATCHESPASS
#include "core/transforms/dispatch/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

/// Whether an outside value is repeated in the function rather than passed to it.
static bool isClonedInside(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (op->hasTrait<OpTrait::ConstantLike>() && !isa<ShapedType>(value.getType()))
    return true;
  return isa<tensor::EmptyOp>(op) || (isa<arith::ConstantOp>(op) && isCheapProducer(op));
}

/// Clones constants and empties to the front of the region until every captured value is one to
/// pass. Returns those in order of use, tensors first.
static SmallVector<Value> captureValues(OpBuilder &builder, Region &region) {
  for (;;) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(region, captured);
    SmallVector<Value> cloned = llvm::filter_to_vector(captured, [](Value value) { return isClonedInside(value); });
    if (cloned.empty()) {
      SmallVector<Value> values = captured.takeVector();
      llvm::stable_sort(values,
                        [](Value a, Value b) { return isa<ShapedType>(a.getType()) && !isa<ShapedType>(b.getType()); });
      return values;
    }
    // In reverse: what the clones themselves capture is cloned before them the next time.
    for (Value value : llvm::reverse(cloned)) {
      builder.setInsertionPointToStart(&region.front());
      auto result = cast<OpResult>(value);
      Operation *clone = builder.clone(*result.getOwner());
      replaceAllUsesInRegionWith(value, clone->getResult(result.getResultNumber()), region);
    }
  }
}

/// `<function>_dispatch_<number>_<name>`
static std::string outlinedName(flow::DispatchRegionOp dispatch, int64_t number) {
  auto function = dispatch->getParentOfType<FunctionOpInterface>();
  std::string name = function ? function.getName().str() : "module";
  return symbolOf(name + "_dispatch_" + std::to_string(number) + "_" + nameOfDispatch(dispatch));
}

/// Moves the body of `dispatch` into a function before which `builder` stands.
static func::FuncOp createFunction(OpBuilder &builder, flow::DispatchRegionOp dispatch, ValueRange arguments,
                                   int64_t number) {
  auto type = builder.getFunctionType(arguments.getTypes(), dispatch.getResultTypes());
  auto function = func::FuncOp::create(builder, dispatch.getLoc(), outlinedName(dispatch, number), type);
  function.setPrivate();
  function->setAttr(kDispatchAttr, builder.getI64IntegerAttr(number));
  function.getBody().takeBody(dispatch.getBody());
  Block &entry = function.getBody().front();
  for (Value argument : arguments)
    replaceAllUsesInRegionWith(argument, entry.addArgument(argument.getType(), argument.getLoc()), function.getBody());
  Operation *terminator = entry.getTerminator();
  builder.setInsertionPoint(terminator);
  func::ReturnOp::create(builder, terminator->getLoc(), terminator->getOperands());
  terminator->erase();
  return function;
}

/// Outlines one dispatch; the function goes after `previous` in the symbol table.
static Operation *outline(RewriterBase &rewriter, flow::DispatchRegionOp dispatch, int64_t number, SymbolTable &symbols,
                          Operation *previous) {
  OpBuilder builder(dispatch);
  SmallVector<Value> arguments = captureValues(builder, dispatch.getBody());
  // Built detached; SymbolTable::insert makes the name unique.
  OpBuilder detached(dispatch.getContext());
  func::FuncOp function = createFunction(detached, dispatch, arguments, number);
  symbols.insert(function, std::next(Block::iterator(previous)));
  rewriter.setInsertionPoint(dispatch);
  auto call = func::CallOp::create(rewriter, dispatch.getLoc(), function, arguments);
  rewriter.replaceAllUsesWith(dispatch->getResults(), call.getResults());
  rewriter.eraseOp(dispatch);
  return function;
}

void fuselage::outlineDispatches(RewriterBase &rewriter, Operation *root, int64_t first) {
  SmallVector<flow::DispatchRegionOp> dispatches;
  root->walk<WalkOrder::PreOrder>([&](flow::DispatchRegionOp dispatch) { dispatches.push_back(dispatch); });
  SymbolTableCollection symbols;
  llvm::DenseMap<Operation *, Operation *> lastBehind; // op of a symbol table -> last function
  for (auto [number, dispatch] : llvm::enumerate(dispatches)) {
    Operation *table = SymbolTable::getNearestSymbolTable(dispatch);
    Operation *anchor = dispatch;
    while (anchor->getParentOp() != table)
      anchor = anchor->getParentOp();
    Operation *&last = lastBehind.try_emplace(anchor, anchor).first->second;
    last = outline(rewriter, dispatch, first + number, symbols.getSymbolTable(table), last);
  }
}

namespace {

struct OutlineDispatchesPass : fuselage::impl::OutlineDispatchesPassBase<OutlineDispatchesPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    outlineDispatches(rewriter, getOperation());
  }
};

} // namespace
