#include "core/runtime/kernels/ForallTasks.h"
#include "core/runtime/kernels/HostCpu.h"
#include "core/runtime/kernels/TaskFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace fuselage {

/// Iterations of each dimension; nullopt where one is not known, or there are none.
static std::optional<SmallVector<int64_t>> tripsOf(scf::ForallOp op) {
  SmallVector<int64_t> trips;
  for (auto [from, to, step] : llvm::zip_equal(op.getMixedLowerBound(), op.getMixedUpperBound(), op.getMixedStep())) {
    auto first = getConstantIntValue(from), end = getConstantIntValue(to), by = getConstantIntValue(step);
    if (!first || !end || !by || *by <= 0 || *end <= *first)
      return std::nullopt;
    trips.push_back(llvm::divideCeil(uint64_t(*end - *first), uint64_t(*by)));
  }
  return trips;
}

std::optional<ParallelCall> outlineForall(scf::ForallOp op, ModuleOp module, StringRef name) {
  auto trips = tripsOf(op);
  if (!trips || op.getNumResults() != 0)
    return std::nullopt;
  Location loc = op.getLoc();
  int64_t count = 1;
  for (int64_t trip : *trips)
    if (llvm::MulOverflow(count, trip, count))
      return std::nullopt;
  OpBuilder builder(op.getContext());
  IRMapping values;
  TaskFunction made = makeTaskFunction(builder, module, name, op.getRegion(), {}, values);
  Block &entry = made.tasks.front();
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto loop = scf::ForOp::create(builder, loc, entry.getArgument(0), entry.getArgument(1), constant(1));
  func::ReturnOp::create(builder, loc);
  builder.setInsertionPointToStart(loop.getBody());
  Value rest = loop.getInductionVar();
  SmallVector<OpFoldResult> from = op.getMixedLowerBound(), step = op.getMixedStep();
  for (unsigned dim = trips->size(); dim-- > 0;) {
    Value number = arith::RemUIOp::create(builder, loc, rest, constant((*trips)[dim]));
    rest = arith::DivUIOp::create(builder, loc, rest, constant((*trips)[dim]));
    Value scaled = arith::MulIOp::create(builder, loc, number, constant(*getConstantIntValue(step[dim])));
    values.map(op.getInductionVar(dim), arith::AddIOp::create(builder, loc, scaled, constant(*getConstantIntValue(from[dim]))));
  }
  for (Operation &each : op.getBody()->without_terminator())
    builder.clone(each, values);
  builder.setInsertionPoint(op);
  func::CallOp::create(builder, loc, made.all, made.arguments);
  op.erase();
  constexpr int64_t portionsOfThread = 8;
  return ParallelCall{.tasks = made.tasks.getName().str(), .all = made.all.getName().str(), .count = count,
                      .portion = std::max<int64_t>(1, count / (hostCpu().threads * portionsOfThread))};
}

} // namespace fuselage
