#include "core/transforms/stablehlo/CountedLoops.h"
#include "core/transforms/stablehlo/HloLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace fuselage {
namespace {

/// The argument of a block whose one element a scalar is; null if it is no such element.
BlockArgument elementArgument(Value scalar, Block *block) {
  auto extract = scalar.getDefiningOp<tensor::ExtractOp>();
  auto argument = extract ? dyn_cast<BlockArgument>(extract.getTensor()) : BlockArgument();
  bool isElement = argument && argument.getOwner() == block && extract.getIndices().empty();
  return isElement ? argument : BlockArgument();
}

struct CountedLoop {
  unsigned counter = 0;
  IntegerType type = {};
  Value bound = {}; ///< outside of the loop, or null:
  std::optional<APInt> constantBound = {};
  std::optional<unsigned> boundArgument = {}; ///< carried, and the same in each round
};

/// Whether the body hands on an argument as it is.
bool staysSame(scf::WhileOp loop, unsigned argument) {
  return loop.getYieldOp().getOperand(argument) == loop.getAfterBody()->getArgument(argument);
}

bool countsByOne(scf::WhileOp loop, unsigned counter) {
  auto made = loop.getYieldOp().getOperand(counter).getDefiningOp<tensor::FromElementsOp>();
  auto sum =
      made && made.getElements().size() == 1 ? made.getElements()[0].getDefiningOp<arith::AddIOp>() : arith::AddIOp();
  if (!sum)
    return false;
  for (auto [term, other] : {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())}) {
    BlockArgument argument = elementArgument(term, loop.getAfterBody());
    if (argument && argument.getArgNumber() == counter && matchPattern(other, m_One()))
      return true;
  }
  return false;
}

std::optional<CountedLoop> countedLoop(scf::WhileOp loop) {
  Block *before = loop.getBeforeBody();
  scf::ConditionOp condition = loop.getConditionOp();
  if (!llvm::equal(condition.getArgs(), before->getArguments()) ||
      loop.getAfterBody()->getNumArguments() != before->getNumArguments())
    return std::nullopt;
  auto compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt || compare->getBlock() != before)
    return std::nullopt;
  // The condition has no effects that moving it would lose.
  if (!llvm::all_of(before->without_terminator(), [](Operation &op) {
        return isa<tensor::ExtractOp, arith::ConstantOp, arith::CmpIOp, tensor::FromElementsOp>(op);
      }))
    return std::nullopt;
  BlockArgument counter = elementArgument(compare.getLhs(), before);
  if (!counter || !countsByOne(loop, counter.getArgNumber()))
    return std::nullopt;
  CountedLoop counted{.counter = counter.getArgNumber(), .type = cast<IntegerType>(compare.getLhs().getType())};
  APInt constant;
  if (matchPattern(compare.getRhs(), m_ConstantInt(&constant))) {
    counted.constantBound = constant;
    return counted;
  }
  if (BlockArgument bound = elementArgument(compare.getRhs(), before); bound && staysSame(loop, bound.getArgNumber())) {
    counted.boundArgument = bound.getArgNumber();
    return counted;
  }
  auto extract = compare.getRhs().getDefiningOp<tensor::ExtractOp>();
  Value outer = extract && extract.getIndices().empty() ? extract.getTensor() : compare.getRhs();
  if (outer.getParentRegion()->isAncestor(loop->getParentRegion())) {
    counted.bound = outer;
    return counted;
  }
  return std::nullopt;
}

Value boundOf(OpBuilder &builder, scf::WhileOp loop, const CountedLoop &counted) {
  Location loc = loop.getLoc();
  if (counted.constantBound)
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(counted.type, *counted.constantBound));
  Value bound = counted.boundArgument ? loop.getInits()[*counted.boundArgument] : counted.bound;
  return isa<RankedTensorType>(bound.getType()) ? scalarOf(builder, loc, bound) : bound;
}

void lift(scf::WhileOp loop, const CountedLoop &counted) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Type index = builder.getIndexType();
  Value first = scalarOf(builder, loc, loop.getInits()[counted.counter]), bound = boundOf(builder, loop, counted);
  SmallVector<Value> inits(loop.getInits());
  inits.erase(inits.begin() + counted.counter);
  Value from = arith::IndexCastOp::create(builder, loc, index, first);
  Value to = arith::IndexCastOp::create(builder, loc, index, bound);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Block *body = loop.getAfterBody();
  auto build = [&](OpBuilder &inner, Location at, Value iteration, ValueRange carried) {
    Value number = arith::IndexCastOp::create(inner, at, counted.type, iteration);
    SmallVector<Value> arguments(carried);
    arguments.insert(arguments.begin() + counted.counter, tensorOf(inner, at, number));
    IRMapping mapping;
    mapping.map(body->getArguments(), arguments);
    for (Operation &op : body->without_terminator())
      inner.clone(op, mapping);
    SmallVector<Value> next;
    for (auto [position, value] : llvm::enumerate(body->getTerminator()->getOperands()))
      if (position != counted.counter)
        next.push_back(mapping.lookupOrDefault(value));
    scf::YieldOp::create(inner, at, next);
  };
  auto counting = scf::ForOp::create(builder, loc, from, to, one, inits, build);
  SmallVector<Value> results(counting.getResults());
  Value last = tensorOf(builder, loc, arith::MaxSIOp::create(builder, loc, first, bound));
  results.insert(results.begin() + counted.counter, last);
  loop->replaceAllUsesWith(results);
  loop->erase();
}

} // namespace

void liftCountedLoops(Operation *root) {
  // Inner loops first: an outer one is copied with them.
  SmallVector<scf::WhileOp> loops;
  root->walk([&](scf::WhileOp loop) { loops.push_back(loop); });
  for (scf::WhileOp loop : loops)
    if (std::optional<CountedLoop> counted = countedLoop(loop))
      lift(loop, *counted);
}

} // namespace fuselage
