#include "core/transforms/gpu/distribution/EpilogueBatches.h"
#include "core/transforms/bufferize/BufferPlacement.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/DenseSet.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {
namespace {

/// Registers that a value takes.
int64_t registersOf(Type type) {
  return type.isIntOrFloat() ? std::max<int64_t>(type.getIntOrFloatBitWidth() / 32, 1) : 1;
}

/// Whether an input of `op` has an element for each of its iterations.
bool isByPoint(linalg::LinalgOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  return llvm::all_of(llvm::seq<unsigned>(0, op.getNumLoops()),
                      [&](unsigned loop) { return ranges[loop] == 1 || map.isFunctionOfDim(loop); });
}

bool isRead(linalg::LinalgOp op, OpOperand &operand) {
  return isa<MemRefType>(operand.get().getType()) && op.payloadUsesValueFromOperand(&operand);
}

/// The most registers that values of the body take between two of its ops, but those that come from elsewhere.
int64_t registersOfBody(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  constexpr int64_t ofFunction = 8; // polynomials, their argument's parts, a choice
  llvm::DenseMap<Operation *, int64_t> order;
  int64_t number = 0, most = 1;
  for (Operation &inner : *body)
    order[&inner] = number++;
  auto lastUse = [&](Value value) {
    int64_t last = -1;
    for (Operation *user : value.getUsers())
      last = std::max(last, order.lookup(body->findAncestorOpInBlock(*user)));
    return last;
  };
  SmallVector<std::pair<int64_t, int64_t>> live; // last use, registers
  for (BlockArgument argument : body->getArguments())
    live.emplace_back(lastUse(argument), registersOf(argument.getType()));
  for (Operation &inner : *body) {
    int64_t at = order[&inner], sum = inner.getName().getDialectNamespace() == "math" ? ofFunction : 0;
    for (auto [last, registers] : live)
      sum += last >= at ? registers : 0;
    most = std::max(most, sum);
    for (Value result : inner.getResults())
      live.emplace_back(lastUse(result), registersOf(result.getType()));
  }
  return most;
}

} // namespace

EpilogueBatches::EpilogueBatches(RewriterBase &rewriter, linalg::LinalgOp op, ArrayRef<linalg::LinalgOp> epilogue,
                                 ArrayRef<SmallVector<Value>> points)
    : size_(points.size()) {
  // What is stored at once: 16 bytes, or 8 of bytes.
  const bool isBytes =
      !epilogue.empty() &&
      getElementTypeOrSelf(linalg::LinalgOp(epilogue.back())->getOperands().back().getType()).isInteger(8);
  const size_t least = isBytes ? 8 : 4;
  constexpr int64_t registers = 128,
                    addresses = 24; // what a thread has at least (see BoundRegisters.cpp), and keeps for addresses
  const int64_t left = registers - addresses - int64_t(points.size() * op.getNumDpsInits());
  if (epilogue.empty() || points.size() % least != 0)
    return;
  // Where nothing comes from memory for each result, there is nothing to wait for.
  bool reads = llvm::any_of(epilogue, [](linalg::LinalgOp each) {
    return llvm::count_if(each.getDpsInputOperands(),
                          [&](OpOperand *input) { return isRead(each, *input) && isByPoint(each, *input); }) > 1;
  });
  int64_t each = 1;
  for (linalg::LinalgOp next : epilogue)
    each = std::max(each, registersOfBody(next));
  size_ = least;
  while (reads && points.size() % (2 * size_) == 0 && int64_t(2 * size_) * each <= left)
    size_ *= 2;
  share(rewriter, op, epilogue, points);
}

void EpilogueBatches::share(RewriterBase &rewriter, linalg::LinalgOp op, ArrayRef<linalg::LinalgOp> epilogue,
                            ArrayRef<SmallVector<Value>> points) {
  llvm::DenseSet<Value> written;
  auto addWritten = [&](linalg::LinalgOp writer) {
    for (Value init : writer.getDpsInits())
      written.insert(rootBuffer(init));
  };
  addWritten(op);
  llvm::for_each(epilogue, addWritten);
  for (linalg::LinalgOp each : epilogue)
    for (OpOperand *input : each.getDpsInputOperands()) {
      if (!isRead(each, *input) || isByPoint(each, *input) || written.contains(rootBuffer(input->get())))
        continue;
      for (const SmallVector<Value> &point : points) {
        auto indices = affine::expandAffineMap(rewriter, each.getLoc(), each.getMatchingIndexingMap(input), point);
        shared_[input].push_back(memref::LoadOp::create(rewriter, each.getLoc(), input->get(), *indices));
      }
    }
}

Value EpilogueBatches::shared(OpOperand &operand, size_t point) const {
  auto found = shared_.find(&operand);
  return found == shared_.end() ? Value() : found->second[point];
}

} // namespace fuselage
