#include "core/transforms/gpu/distribution/MatrixTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Registers for accumulators, of the 255 that a thread has: operands, addresses and copies in flight need theirs.
constexpr int64_t mostAccumulators = 64;
/// Several results share what is read of the left operand.
constexpr int64_t mostAccumulatorsOfAll = 96;
/// More subgroups in a workgroup share what is copied, fewer leave room for other workgroups on the multiprocessor.
constexpr int64_t mostThreads = 256;

/// The argument of the body that `value` is, maybe made wider.
BlockArgument argumentOf(Value value, Block *body) {
  if (Operation *op = value.getDefiningOp(); isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp>(op))
    value = op->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == body ? argument : BlockArgument();
}

/// The two sides of an op of one of the two kinds; null values for others.
template <class FloatOp, class IntOp> std::pair<Value, Value> sidesOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<FloatOp, IntOp>(op))
    return {};
  return {op->getOperand(0), op->getOperand(1)};
}

/// The operands of `accumulator + a * b` that the body yields as its result `number`.
std::optional<std::pair<unsigned, unsigned>> factorsOf(linalg::LinalgOp op, unsigned number) {
  Block *body = op.getBlock();
  auto [first, second] = sidesOf<arith::AddFOp, arith::AddIOp>(body->getTerminator()->getOperand(number));
  BlockArgument accumulator = op.getMatchingBlockArgument(op.getDpsInitOperand(number));
  if (second == accumulator)
    std::swap(first, second);
  if (!first || first != accumulator)
    return std::nullopt;
  auto [a, b] = sidesOf<arith::MulFOp, arith::MulIOp>(second);
  BlockArgument left = a ? argumentOf(a, body) : BlockArgument(), right = b ? argumentOf(b, body) : BlockArgument();
  unsigned inputs = op.getNumDpsInputs();
  if (!left || !right || left == right || left.getArgNumber() >= inputs || right.getArgNumber() >= inputs)
    return std::nullopt;
  return std::pair(left.getArgNumber(), right.getArgNumber());
}

/// What the body does besides its products is nothing.
bool hasOnlyProducts(linalg::LinalgOp op) {
  size_t arithmetic = 0;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (isa<arith::ExtFOp, arith::ExtSIOp>(inner))
      continue;
    if (!isa<arith::MulFOp, arith::AddFOp, arith::MulIOp, arith::AddIOp>(inner))
      return false;
    ++arithmetic;
  }
  return arithmetic == 2 * size_t(op.getNumDpsInits());
}

Type elementOf(OpOperand *operand) { return getElementTypeOrSelf(operand->get().getType()); }

/// What the instruction adds up in, for results of a type; null if it cannot.
Type accumulatorOf(const MatrixShape &shape, Type result) {
  if (shape.operand.isInteger(8))
    return result.isInteger(32) ? result : Type();
  if (result.isF32() || (result.isF16() && shape.operand.isF16()))
    return result;
  return result.isBF16() && shape.operand.isBF16() ? Type(Float32Type::get(result.getContext())) : Type();
}

/// Loops by what they walk; false where one fits none of these.
bool classifyLoops(linalg::LinalgOp op, MatrixTile &tile) {
  auto uses = [&](unsigned operand, unsigned loop) {
    return op.getMatchingIndexingMap(&op->getOpOperand(operand)).isFunctionOfDim(loop);
  };
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (unsigned loop = 0; loop < ranges.size(); ++loop) {
    if (ranges[loop] == 1)
      continue;
    if (ranges[loop] <= 0)
      return false;
    const MatrixProduct &first = tile.products.front();
    bool left = uses(first.left, loop), right = uses(first.right, loop);
    for (const MatrixProduct &product : tile.products)
      if (uses(product.left, loop) != left || uses(product.right, loop) != right)
        return false;
    bool isReduction = iterators[loop] == utils::IteratorType::reduction;
    if (isReduction ? !(left && right) : left == right)
      return false;
    (isReduction ? tile.k : left ? tile.rows : tile.columns).push_back(loop);
    (isReduction ? tile.kExtent : left ? tile.rowExtent : tile.columnExtent) *= ranges[loop];
  }
  return true;
}

/// The innermost loop of a result's buffer that makes more than one iteration.
std::optional<unsigned> innermostOf(linalg::LinalgOp op, OpOperand *result) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (AffineExpr expr : llvm::reverse(op.getMatchingIndexingMap(result).getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && ranges[dim.getPosition()] != 1)
      return dim.getPosition();
  return std::nullopt;
}

/// Products of operands with left and right so that neighbours in a row of the result are neighbours in memory.
bool findProducts(linalg::LinalgOp op, MatrixTile &tile) {
  std::optional<unsigned> inner = innermostOf(op, op.getDpsInitOperand(0));
  for (unsigned number = 0; number < op.getNumDpsInits(); ++number) {
    auto factors = factorsOf(op, number);
    if (!factors)
      return false;
    auto [left, right] = *factors;
    if (inner && op.getMatchingIndexingMap(&op->getOpOperand(left)).isFunctionOfDim(*inner))
      std::swap(left, right);
    tile.products.push_back({left, right, op.getDpsInitOperand(number)->getOperandNumber()});
  }
  return !tile.products.empty();
}

/// Cuts the tile into parts: few reads for each product, and registers for all accumulators.
bool cutIntoParts(MatrixTile &tile, int64_t maxThreads) {
  // Sums of f16 numbers take half of that, but the operands of larger parts take the rest.
  int64_t registers = tile.shape.m * tile.shape.n / tile.shape.subgroup, results = tile.products.size();
  double least = 0;
  bool found = false;
  for (int64_t rows = tile.shape.m; rows <= tile.rowExtent; rows += tile.shape.m)
    for (int64_t columns = tile.shape.n; columns <= tile.columnExtent; columns += tile.shape.n) {
      MatrixTile cut = tile;
      cut.partRows = rows;
      cut.partColumns = columns;
      if (tile.rowExtent % rows != 0 || tile.columnExtent % columns != 0 ||
          cut.threads() > std::min(maxThreads, mostThreads) ||
          cut.blocks() * registers * results > (results == 1 ? mostAccumulators : mostAccumulatorsOfAll))
        continue;
      // Reads for each product, and half of that again where less than four subgroups work.
      double cost = double(rows + columns * results) / double(rows * columns * results) * (cut.parts() < 4 ? 1.5 : 1);
      // Two blocks of columns come with one ldmatrix.
      if (columns % 16 != 0)
        cost *= 1.25;
      if (found && cost >= least)
        continue;
      least = cost;
      found = true;
      tile.partRows = rows;
      tile.partColumns = columns;
    }
  return found;
}

/// Whether steps of the instruction cover K. Of 16 bits a half at its end is one step, too, with zeros in
/// front.
bool coversK(const MatrixShape &shape, int64_t k) {
  return k % shape.k == 0 || (!shape.isOpaque && shape.operandBits() == 16 && k > shape.k && k % (shape.k / 2) == 0);
}

/// Whether all matrices can move between memory and registers as a whole.
bool hasWholeMatrices(linalg::LinalgOp op, const MatrixTile &tile) {
  return tile.rows.size() == 1 && tile.columns.size() == 1 && tile.k.size() == 1 &&
         llvm::all_of(tile.products, [&](const MatrixProduct &product) {
           auto result = matrixLayoutOf(op, product.result, tile.rows.front(), tile.columns.front());
           return matrixLayoutOf(op, product.left, tile.rows.front(), tile.k.front()) && result &&
                  !result->isTransposed && matrixLayoutOf(op, product.right, tile.k.front(), tile.columns.front());
         });
}

} // namespace

std::optional<MatrixLayout> matrixLayoutOf(linalg::LinalgOp op, unsigned operand, unsigned row, unsigned column) {
  auto type = dyn_cast<MemRefType>(op->getOperand(operand).getType());
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (!type || failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  int64_t byRow = 0, byColumn = 0;
  for (auto [expr, stride] :
       llvm::zip_equal(op.getMatchingIndexingMap(&op->getOpOperand(operand)).getResults(), strides)) {
    if (ShapedType::isDynamic(stride))
      return std::nullopt;
    byRow = expr.isFunctionOfDim(row) ? stride : byRow;
    byColumn = expr.isFunctionOfDim(column) ? stride : byColumn;
  }
  if (byRow == 0 || byColumn == 0 || (byRow != 1 && byColumn != 1) || strides.back() != 1)
    return std::nullopt;
  return byColumn == 1 ? MatrixLayout{byRow, false} : MatrixLayout{byColumn, true};
}

std::optional<MatrixTile> pickMatrixTile(linalg::LinalgOp op, ArrayRef<MatrixShape> shapes, int64_t maxThreads) {
  if (shapes.empty() || op.getNumReductionLoops() == 0 || op.hasIndexSemantics() ||
      !op.hasOnlyProjectedPermutations() || !hasOnlyProducts(op))
    return std::nullopt;
  MatrixTile tile;
  if (!findProducts(op, tile) || !classifyLoops(op, tile))
    return std::nullopt;
  for (OpOperand *input : op.getDpsInputOperands())
    if (elementOf(input) != elementOf(op.getDpsInputOperand(0)) || !isa<ShapedType>(input->get().getType()))
      return std::nullopt;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (elementOf(&init) != elementOf(op.getDpsInitOperand(0)))
      return std::nullopt;
  for (const MatrixShape &shape : shapes) {
    tile.shape = shape;
    tile.accumulator = accumulatorOf(shape, elementOf(op.getDpsInitOperand(0)));
    if (shape.operand == elementOf(op.getDpsInputOperand(0)) && tile.accumulator && tile.rowExtent % shape.m == 0 &&
        tile.columnExtent % shape.n == 0 && coversK(shape, tile.kExtent) &&
        (!shape.isOpaque || hasWholeMatrices(op, tile)) && cutIntoParts(tile, maxThreads))
      return tile;
  }
  return std::nullopt;
}

} // namespace fuselage
