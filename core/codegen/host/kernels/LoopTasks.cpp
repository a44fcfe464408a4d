#include "core/codegen/host/kernels/LoopTasks.h"
#include "core/codegen/host/kernels/HostTarget.h"
#include "core/codegen/host/kernels/TaskFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace fuselage {

namespace {

/// One dimension of a loop.
struct Dimension {
  int64_t from, step, trips;
};

} // namespace

/// Nullopt where one is not known, or has no iterations.
static std::optional<SmallVector<Dimension>> dimensionsOf(LoopLikeOpInterface loop) {
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(), steps = loop.getLoopSteps();
  if (!lower || !upper || !steps)
    return std::nullopt;
  SmallVector<Dimension> dimensions;
  for (auto [from, to, step] : llvm::zip_equal(*lower, *upper, *steps)) {
    auto first = getConstantIntValue(from), end = getConstantIntValue(to), by = getConstantIntValue(step);
    if (!first || !end || !by || *by <= 0 || *end <= *first)
      return std::nullopt;
    dimensions.push_back({.from = *first,
                          .step = *by,
                          .trips = int64_t(llvm::divideCeil(uint64_t(*end) - uint64_t(*first), uint64_t(*by)))});
  }
  return dimensions;
}

std::optional<ParallelCall> outlineParallelLoop(Operation *op, ModuleOp module, StringRef name, unsigned threads) {
  auto loop = llvm::dyn_cast<LoopLikeOpInterface>(op);
  auto variables = loop && llvm::isa<scf::ForallOp, scf::ParallelOp>(op) ? loop.getLoopInductionVars() : std::nullopt;
  auto dimensions = variables && op->getNumResults() == 0 ? dimensionsOf(loop) : std::nullopt;
  if (!dimensions)
    return std::nullopt;
  Location loc = op->getLoc();
  int64_t count = 1;
  for (const Dimension &dimension : *dimensions)
    if (llvm::MulOverflow(count, dimension.trips, count))
      return std::nullopt;
  OpBuilder builder(op->getContext());
  IRMapping values;
  TaskFunction made = makeTaskFunction(builder, module, name, op->getRegion(0), {}, values);
  Block &entry = made.tasks.front();
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto tasks = scf::ForOp::create(builder, loc, entry.getArgument(0), entry.getArgument(1), constant(1));
  func::ReturnOp::create(builder, loc);
  builder.setInsertionPointToStart(tasks.getBody());
  Value rest = tasks.getInductionVar();
  for (unsigned dim = dimensions->size(); dim-- > 0;) {
    const Dimension &dimension = (*dimensions)[dim];
    Value number = arith::RemUIOp::create(builder, loc, rest, constant(dimension.trips));
    rest = arith::DivUIOp::create(builder, loc, rest, constant(dimension.trips));
    Value scaled = arith::MulIOp::create(builder, loc, number, constant(dimension.step));
    values.map((*variables)[dim], arith::AddIOp::create(builder, loc, scaled, constant(dimension.from)));
  }
  for (Operation &each : op->getRegion(0).front().without_terminator())
    builder.clone(each, values);
  builder.setInsertionPoint(op);
  func::CallOp::create(builder, loc, made.all, made.arguments);
  op->erase();
  constexpr int64_t portionsOfThread = 8;
  return ParallelCall{.tasks = made.tasks.getName().str(),
                      .all = made.all.getName().str(),
                      .count = count,
                      .portion = std::max<int64_t>(1, count / (threads * portionsOfThread))};
}

} // namespace fuselage
