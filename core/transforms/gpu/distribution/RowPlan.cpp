#include "core/transforms/gpu/distribution/RowPlan.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <numeric>

using namespace mlir;

namespace fuselage {
namespace {

constexpr int64_t kStep = 4; ///< of products that threads add up themselves
constexpr int64_t mostThreads = 256;

class RowPlanner {
public:
  RowPlanner(Operation *root, ArrayRef<MatrixShape> shapes, int64_t maxThreads, bool multipliesRows)
      : root(root), shapes(shapes), maxThreads(maxThreads), multipliesRows(multipliesRows) {}

  std::optional<RowPlan> plan() {
    if ((shapes.empty() && !multipliesRows) || !findBuffers() || !findOps() || !findLayout() ||
        result.threads() > std::min(maxThreads, mostThreads))
      return std::nullopt;
    llvm::DenseSet<Value> defined;
    for (Region &region : root->getRegions())
      for (Block &block : region)
        if (!follow(block, defined))
          return std::nullopt;
    return std::move(result);
  }

private:
  bool isHeld(Value buffer) const { return result.buffers.contains(buffer); }

  /// Tiles that are computed here; copies of what comes from outside have a place in workgroup
  /// memory already.
  bool findBuffers() {
    root->walk([&](memref::AllocOp op) {
      if (!op.getType().getMemorySpace())
        result.buffers.insert(op);
    });
    // What is computed of such a tile, even where that was to be memory: factors are.
    for (size_t known = 0; known != result.buffers.size();) {
      known = result.buffers.size();
      root->walk([&](linalg::LinalgOp op) {
        for (Value init : op.getDpsInits())
          if (init.getDefiningOp<memref::AllocOp>() &&
              llvm::any_of(op.getDpsInputs(), [&](Value input) { return isHeld(input); }))
            result.buffers.insert(init);
      });
    }
    return llvm::all_of(result.buffers, [](Value buffer) {
      auto type = cast<MemRefType>(buffer.getType());
      return type.hasStaticShape() && (type.getRank() == 1 || type.getRank() == 2);
    });
  }

  /// Whether all that touches the buffers is an op that is computed in registers.
  bool findOps() {
    for (Value buffer : result.buffers)
      for (Operation *user : buffer.getUsers()) {
        if (isa<memref::DeallocOp>(user))
          continue;
        if (auto view = dyn_cast<memref::SubViewOp>(user)) {
          if (!addStore(view))
            return false;
          continue;
        }
        auto op = dyn_cast<linalg::LinalgOp>(user);
        if (!op || (!result.ops.contains(op) && !addOp(op)))
          return false;
      }
    return result.rows != 0;
  }

  bool addRows(int64_t rows) {
    if (ShapedType::isDynamic(rows) || (result.rows != 0 && result.rows != rows))
      return false;
    result.rows = rows;
    return true;
  }

  /// How threads share the rows, by who multiplies: matrix instructions, or they themselves.
  bool findLayout() {
    bool isChain = false;
    SmallVector<int64_t> ofMatrices, ofThreads;
    for (auto &[op, row] : result.ops)
      if (row.kind == RowOp::Kind::Product) {
        isChain |= isHeld(op->getOperand(row.product.left));
        (row.tile ? ofMatrices : ofThreads).push_back(row.columns);
      }
    if (!isChain || (!ofMatrices.empty() && !ofThreads.empty()) ||
        std::accumulate(ofMatrices.begin(), ofMatrices.end(), int64_t(0)) > mostColumnsOfMatrices)
      return false;
    std::optional<RowLayout> layout =
        ofThreads.empty() ? std::optional(rowsOfMatrices) : pickRowLayout(result.rows, ofThreads);
    if (!layout)
      return false;
    result.layout = *layout;
    return llvm::all_of(result.ops, [&](const auto &op) { return layout->divides(result.rows, op.second.columns); });
  }

  /// A copy of the last rows of a tile.
  bool addStore(memref::SubViewOp view) {
    linalg::LinalgOp copy;
    for (Operation *user : view->getUsers())
      if (copy || !(copy = dyn_cast<linalg::LinalgOp>(user)))
        return false;
    std::optional<PartialStore> store = copy ? partialStoreOf(copy) : std::nullopt;
    if (!store || store->from != view || cast<MemRefType>(view.getSource().getType()).getRank() != 2 ||
        isHeld(copy.getDpsInits().front()))
      return false;
    RowOp row;
    row.kind = RowOp::Kind::Store;
    row.store = store;
    result.ops[copy] = row;
    return true;
  }

  bool addOp(linalg::LinalgOp op) {
    if (op.getNumDpsInits() != 1 || !op.hasPureBufferSemantics())
      return false;
    RowOp row;
    if (isa<linalg::FillOp>(op)) {
      row.kind = RowOp::Kind::Fill;
      row.columns = op.getNumLoops() == 2 ? op.getStaticLoopRanges()[1] : 0;
      Type element = cast<MemRefType>(op.getDpsInits().front().getType()).getElementType();
      if (op.getDpsInputs().front().getType() != element || op.getNumLoops() > 2 ||
          !addRows(op.getStaticLoopRanges().front()))
        return false;
    } else if (!(op.getNumReductionLoops() == 0
                     ? addElementwise(op, row)
                     : addReduction(op, row) || addMatrixProduct(op, row) || addProduct(op, row))) {
      return false;
    }
    result.ops[op] = row;
    return true;
  }

  /// Reads the held operands of an op of one or two loops: rows, or rows and columns.
  bool findLoops(linalg::LinalgOp op, RowOp &row) {
    if (op.getNumLoops() == 0 || op.getNumLoops() > 2)
      return false;
    std::optional<unsigned> along;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isHeld(operand.get()))
        continue;
      AffineMap map = op.getMatchingIndexingMap(&operand);
      if (!map.isProjectedPermutation() || map.getNumResults() == 0 || (along && *along != map.getDimPosition(0)))
        return false;
      along = map.getDimPosition(0);
    }
    if (!along)
      return false;
    row.row = *along;
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    if (op.getNumLoops() == 2) {
      row.column = 1 - row.row;
      row.columns = ranges[*row.column];
    }
    return !ShapedType::isDynamic(row.columns) && addRows(ranges[row.row]);
  }

  bool addElementwise(linalg::LinalgOp op, RowOp &row) {
    row.kind = RowOp::Kind::Elementwise;
    AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    return findLoops(op, row) && written.isProjectedPermutation() && written.getNumResults() == op.getNumLoops() &&
           (!isHeld(op.getDpsInits().front()) || written.getDimPosition(0) == row.row);
  }

  /// A reduction over the columns, and nothing else.
  bool addReduction(linalg::LinalgOp op, RowOp &row) {
    row.kind = RowOp::Kind::Reduction;
    Block *body = op.getBlock();
    Operation *combiner = body->getTerminator()->getOperand(0).getDefiningOp();
    return op.getNumDpsInputs() == 1 && findLoops(op, row) && row.column && isHeld(op.getDpsInputs().front()) &&
           isHeld(op.getDpsInits().front()) &&
           op.getIteratorTypesArray()[*row.column] == utils::IteratorType::reduction &&
           op.getMatchingIndexingMap(op.getDpsInputOperand(0)).getNumResults() == 2 &&
           op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getNumResults() == 1 && combiner &&
           llvm::hasSingleElement(body->without_terminator()) && combiner->getNumOperands() == 2 &&
           combiner->hasTrait<OpTrait::IsCommutative>() && combiner->getOperand(0) != combiner->getOperand(1) &&
           llvm::all_of(combiner->getOperands(), llvm::IsaPred<BlockArgument>) &&
           llvm::is_contained({16u, 32u}, combiner->getResult(0).getType().getIntOrFloatBitWidth());
  }

  bool addMatrixProduct(linalg::LinalgOp op, RowOp &row) {
    // Whether instructions can compute it: how subgroups share it is the plan's affair.
    std::optional<MatrixTile> tile = pickMatrixTile(op, shapes, mostThreads);
    if (!tile || tile->shape.isOpaque || tile->shape.operandBits() != 16 || tile->products.size() != 1 ||
        tile->rows.size() != 1 || tile->columns.size() != 1 || tile->k.size() != 1 || !isHeld(op.getDpsInits().front()))
      return false;
    row = {.kind = RowOp::Kind::Product,
           .row = tile->rows.front(),
           .column = tile->columns.front(),
           .columns = tile->columnExtent,
           .product = tile->products.front(),
           .k = tile->k.front()};
    if (!takesRows(op, row) || (isHeld(op->getOperand(row.product.left)) && tile->kExtent % tile->shape.k != 0))
      return false;
    tile->partRows = rowsOfMatrices.rowsOfSubgroup();
    tile->partColumns = tile->columnExtent;
    row.tile = tile;
    return addRows(tile->rowExtent);
  }

  /// Whether a product's operands lie as the plan wants them: results by row and column, and so the
  /// left operand, if threads have it; never the right one.
  bool takesRows(linalg::LinalgOp op, const RowOp &row) {
    auto reads = [&](unsigned operand, unsigned first, unsigned second) {
      AffineMap map = op.getMatchingIndexingMap(&op->getOpOperand(operand));
      return map.getNumResults() == 2 && map.getDimPosition(0) == first && map.getDimPosition(1) == second;
    };
    return !isHeld(op->getOperand(row.product.right)) && reads(row.product.result, row.row, *row.column) &&
           (!isHeld(op->getOperand(row.product.left)) || reads(row.product.left, row.row, row.k));
  }

  /// A product of f32 that no instruction computes.
  bool addProduct(linalg::LinalgOp op, RowOp &row) {
    if (!multipliesRows || op.getNumLoops() != 3 || op.getNumReductionLoops() != 1 || op.getNumDpsInputs() != 2 ||
        !op.hasOnlyProjectedPermutations() || op.hasIndexSemantics() || !isHeld(op.getDpsInits().front()) ||
        pickMatrixTile(op, shapes, mostThreads) ||
        !llvm::all_of(op->getOperandTypes(), [](Type type) { return getElementTypeOrSelf(type).isF32(); }))
      return false;
    SmallVector<unsigned> reductionDims;
    op.getReductionDims(reductionDims);
    AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (written.getNumResults() != 2)
      return false;
    row = {.kind = RowOp::Kind::Product,
           .row = written.getDimPosition(0),
           .column = written.getDimPosition(1),
           .columns = op.getStaticLoopRanges()[written.getDimPosition(1)],
           .product = {0, 1, 2},
           .k = reductionDims.front()};
    auto walks = [&](unsigned operand, unsigned outer, unsigned other) {
      AffineMap map = op.getMatchingIndexingMap(&op->getOpOperand(operand));
      return map.getNumResults() == 2 && map.isFunctionOfDim(outer) && !map.isFunctionOfDim(other);
    };
    if (!walks(row.product.left, row.row, *row.column))
      std::swap(row.product.left, row.product.right);
    int64_t k = op.getStaticLoopRanges()[row.k];
    return walks(row.product.left, row.row, *row.column) && walks(row.product.right, *row.column, row.row) &&
           takesRows(op, row) && !ShapedType::isDynamic(row.columns) && k > 0 && k % kStep == 0 &&
           addRows(op.getStaticLoopRanges()[row.row]);
  }

  /// Goes through the ops in their order: whether what is read was written before, on this way.
  bool follow(Block &block, llvm::DenseSet<Value> &defined) {
    for (Operation &op : block) {
      if (auto row = result.ops.find(&op); row != result.ops.end()) {
        if (!followOp(cast<linalg::LinalgOp>(op), row->second, defined))
          return false;
      } else if (op.getNumRegions() != 0 && !isa<linalg::LinalgOp>(op) && !followRegions(op, defined)) {
        return false;
      }
    }
    return true;
  }

  bool followOp(linalg::LinalgOp op, const RowOp &row, llvm::DenseSet<Value> &defined) {
    if (row.store)
      return defined.contains(memref::SubViewOp(row.store->from).getSource());
    for (OpOperand &operand : op->getOpOperands())
      if (isHeld(operand.get()) && (op.isDpsInput(&operand) || op.payloadUsesValueFromOperand(&operand)) &&
          !defined.contains(operand.get()))
        return false;
    defined.insert(op.getDpsInits().front());
    return true;
  }

  /// A loop hands on what was there before it; what a branch changes is lost.
  bool followRegions(Operation &op, llvm::DenseSet<Value> &defined) {
    bool isLoop = isa<scf::ForOp>(op), changes = false, touches = false;
    op.walk([&](linalg::LinalgOp inner) {
      if (!result.ops.contains(inner))
        return;
      touches = true;
      changes |= defined.contains(inner.getDpsInits().front());
    });
    if (!touches)
      return true;
    if (!isLoop && (changes || !isa<scf::IfOp>(op)))
      return false;
    for (Region &region : op.getRegions())
      for (Block &block : region) {
        llvm::DenseSet<Value> inside = defined;
        if (!follow(block, inside))
          return false;
      }
    return true;
  }

  Operation *root;
  ArrayRef<MatrixShape> shapes;
  int64_t maxThreads;
  bool multipliesRows;
  RowPlan result;
};

} // namespace

Accesses RowPlan::inMemory(Accesses accesses) const {
  for (Value buffer : buffers) {
    accesses.reads.erase(buffer);
    accesses.writes.erase(buffer);
  }
  return accesses;
}

SmallVector<Value> RowPlan::carriedThrough(scf::ForOp loop, llvm::function_ref<bool(Value)> isThere) const {
  llvm::SetVector<Value> carried;
  loop.walk([&](linalg::LinalgOp op) {
    if (Value written = op.getDpsInits().empty() ? Value() : op.getDpsInits().front();
        written && buffers.contains(written) && isThere(written))
      carried.insert(written);
  });
  return carried.takeVector();
}

std::optional<RowPlan> planRows(Operation *root, ArrayRef<MatrixShape> shapes, int64_t maxThreads,
                                bool multipliesRows) {
  return RowPlanner(root, shapes, maxThreads, multipliesRows).plan();
}

} // namespace fuselage
