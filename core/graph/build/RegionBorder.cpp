#include "core/graph/build/RegionBorder.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace fuselage {

/// Results that the inserts at the end of a scf.forall make.
static void yieldInserts(scf::ForallOp forall, GraphCluster &cluster, llvm::function_ref<OpId(Operation *)> idOf) {
  for (Operation &insert : forall.getTerminator().getYieldingOps())
    if (auto slice = dyn_cast<tensor::ParallelInsertSliceOp>(insert))
      if (auto argument = dyn_cast<BlockArgument>(slice.getDest()))
        if (argument.getOwner() == forall.getBody() && argument.getArgNumber() >= forall.getRank())
          cluster.yields[argument.getArgNumber() - forall.getRank()] = {idOf(&insert), 0};
}

/// flow.dispatch.workgroups yields nothing: result i is what the kernel stores into the i-th of the
/// bindings that it writes.
static void yieldStores(Block &body, GraphCluster &cluster, llvm::function_ref<OpId(Operation *)> idOf) {
  std::map<unsigned, OpId> stores; // by block argument
  body.walk([&](Operation *op) {
    DecodedOp store = decode(op);
    auto argument = store.role == OpRole::TileStore ? dyn_cast<BlockArgument>(store.tile.source) : BlockArgument();
    if (argument && argument.getOwner() == &body)
      stores[argument.getArgNumber()] = idOf(op);
  });
  if (stores.size() != cluster.yields.size())
    return;
  for (auto [yield, store] : llvm::zip_equal(cluster.yields, stores))
    yield = {store.second, 0};
}

/// Operands that become arguments of the body: of a dispatch those after the workload, of a
/// submission all of them. Dimensions, which come last, become none.
static void enterArguments(Operation *op, const DecodedOp &decoded, Block &body, GraphCluster &cluster,
                           llvm::function_ref<GraphValue(Value)> nodeOf) {
  for (unsigned operand = decoded.workload; operand < op->getNumOperands(); ++operand) {
    unsigned number = operand - decoded.workload;
    if (number >= body.getNumArguments())
      break;
    if (GraphValue node = nodeOf(body.getArgument(number)); node.node != noNode)
      cluster.entries[operand] = node.node;
  }
}

void connectBorder(Operation *op, const DecodedOp &decoded, GraphCluster &cluster,
                   llvm::function_ref<GraphValue(Value)> nodeOf, llvm::function_ref<OpId(Operation *)> idOf) {
  if (op->getRegion(0).empty() || !op->getRegion(0).hasOneBlock())
    return;
  bool isDispatch = decoded.role == OpRole::DispatchRegion;
  bool oneBody = op->getNumRegions() == 1 || isDispatch;
  Block &body = op->getRegion(0).front();
  if (oneBody && !body.empty() && op->getNumResults() > 0) {
    Operation *last = &body.back();
    cluster.yields.assign(op->getNumResults(), {});
    if (last->getNumOperands() == op->getNumResults()) {
      for (auto [yield, value] : llvm::zip_equal(cluster.yields, last->getOperands()))
        if (op->getRegion(0).isAncestor(value.getParentRegion()))
          yield = nodeOf(value);
    } else if (auto forall = dyn_cast<scf::ForallOp>(op)) {
      yieldInserts(forall, cluster, idOf);
    } else if (isDispatch) {
      yieldStores(body, cluster, idOf);
    }
  }
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    for (auto [init, argument] : llvm::zip(loop.getInitsMutable(), loop.getRegionIterArgs()))
      if (GraphValue node = nodeOf(argument); node.node != noNode)
        cluster.entries[init.getOperandNumber()] = node.node;
  } else if (isDispatch || decoded.role == OpRole::Submission) {
    enterArguments(op, decoded, body, cluster, nodeOf);
  }
}

} // namespace fuselage
