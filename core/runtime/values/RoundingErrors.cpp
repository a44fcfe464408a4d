#include "core/runtime/values/RoundingErrors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

using namespace mlir;

namespace fuselage {

/// The float type that an element consists of; null for integers.
static FloatType floatOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto complex = llvm::dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  return llvm::dyn_cast<FloatType>(element);
}

double unitRoundoff(Type elementType) {
  FloatType type = floatOf(elementType);
  return type ? std::ldexp(1.0, -int(llvm::APFloat::semanticsPrecision(type.getFloatSemantics()))) : 0;
}

/// What devices may take for zero below.
static double smallestNormal(Type type) {
  FloatType format = floatOf(type);
  if (!format)
    return 0;
  llvm::APFloat smallest = llvm::APFloat::getSmallestNormalized(format.getFloatSemantics());
  bool inexact = false;
  smallest.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return smallest.convertToDouble();
}

/// True if a constant has an infinite element.
static bool holdsInfinity(Operation *op) {
  Attribute value;
  if (!matchPattern(op, m_Constant(&value)))
    return false;
  if (auto number = llvm::dyn_cast<FloatAttr>(value))
    return number.getValue().isInfinity();
  auto dense = llvm::dyn_cast<DenseFPElementsAttr>(value);
  if (!dense)
    return false;
  if (dense.isSplat())
    return dense.getSplatValue<llvm::APFloat>().isInfinity();
  return llvm::any_of(dense.getValues<llvm::APFloat>(), [](const llvm::APFloat &number) { return number.isInfinity(); });
}

/// Ops whose result is one of their operands, or has all its digits.
static bool isExact(Operation *op) {
  return llvm::isa<arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
                   arith::SelectOp, arith::ExtFOp, arith::BitcastOp, arith::ConstantOp, math::AbsFOp,
                   math::CopySignOp, math::FloorOp, math::CeilOp, math::RoundOp, math::RoundEvenOp, math::TruncOp>(op);
}

/// As how many ops in a row an op counts.
static double roundingsOf(Operation *op) {
  constexpr double function = 64; // 8 units in the last place, squared
  if (auto softmax = llvm::dyn_cast<linalg::SoftmaxOp>(op)) {
    int64_t length = softmax.getInputOperandType().getDimSize(softmax.getDimension());
    return function + (ShapedType::isDynamic(length) ? 1024 : length);
  }
  StringRef name = op->getName().getStringRef(), dialect = op->getName().getDialectNamespace();
  if (llvm::is_contained({"complex.re", "complex.im", "complex.create", "complex.constant", "complex.neg"}, name))
    return 0;
  if (dialect == "math" || dialect == "complex")
    return isExact(op) ? 0 : function;
  if (llvm::isa<arith::DivFOp, arith::RemFOp>(op))
    return 9; // devices give 2.5 units in the last place
  return (dialect == "arith" || dialect == "vector") && !isExact(op) ? 1 : 0;
}

namespace {

/// What is known of a value.
struct State {
  double variance = 0; ///< the sum of u^2 over the roundings on the longest way to it
  double smallest = 0;
  bool infinite = false; ///< it may be an infinity that the program wrote

  State mergedWith(const State &other) const {
    return {std::max(variance, other.variance), std::max(smallest, other.smallest), infinite || other.infinite};
  }
};

/// Follows the ops of a function in order, once each.
class Follower {
public:
  std::vector<State> follow(func::FuncOp function, ArrayRef<bool> infiniteArguments) {
    for (auto [index, argument] : llvm::enumerate(function.getArguments()))
      states_[argument].infinite = index < infiniteArguments.size() && infiniteArguments[index];
    visitRegion(function.getBody());
    std::vector<State> results(function.getNumResults());
    function.walk([&](func::ReturnOp op) {
      for (auto [result, operand] : llvm::zip(results, op.getOperands()))
        result = result.mergedWith(states_.lookup(operand));
    });
    return results;
  }

private:
  void visitRegion(Region &region) {
    State all; // what branches may pass on
    for (Block &block : region) {
      if (!block.isEntryBlock())
        for (BlockArgument argument : block.getArguments())
          states_[argument] = all;
      for (Operation &op : block) {
        visit(&op);
        for (Value result : op.getResults())
          all = all.mergedWith(states_.lookup(result));
      }
    }
  }

  /// What an op reads, from within its regions too.
  State inputsOf(Operation *op) {
    State inputs;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        inputs = inputs.mergedWith(states_.lookup(operand)); // values inside have no state yet
    });
    return inputs;
  }

  void visit(Operation *op) {
    if (auto call = llvm::dyn_cast<func::CallOp>(op))
      return visitCall(call);
    if (op->getNumRegions() != 0)
      return visitRegions(op);
    State state;
    for (Value operand : op->getOperands())
      state = state.mergedWith(states_.lookup(operand));
    double roundings = roundingsOf(op);
    // exp(-inf) is 0, and so on: a function's infinity is its own.
    state.infinite = (state.infinite && roundings < 9) || holdsInfinity(op);
    for (Value result : op->getResults()) {
      State own = state;
      double u = unitRoundoff(result.getType());
      own.variance += roundings * u * u;
      own.smallest = std::max(own.smallest, smallestNormal(result.getType()));
      states_[result] = own;
    }
  }

  /// How often the body's ops follow each other; -1: they do not, and results are what the body ends with.
  static double tripsOf(Operation *op) {
    constexpr double unknown = 1024;
    if (auto structured = llvm::dyn_cast<linalg::LinalgOp>(op)) {
      double trips = 1;
      for (auto [range, iterator] : llvm::zip(structured.getStaticLoopRanges(), structured.getIteratorTypesArray()))
        if (iterator == utils::IteratorType::reduction)
          trips *= ShapedType::isDynamic(range) ? unknown : std::max<int64_t>(range, 1);
      return trips;
    }
    if (auto loop = llvm::dyn_cast<scf::ForOp>(op)) {
      std::optional<llvm::APInt> trips = loop.getStaticTripCount();
      return trips ? double(trips->getLimitedValue()) : unknown;
    }
    return llvm::isa<scf::WhileOp>(op) ? unknown : 1;
  }

  void visitRegions(Operation *op) {
    State base = inputsOf(op);
    auto structured = llvm::dyn_cast<linalg::LinalgOp>(op);
    bool reduces = structured ? structured.getNumReductionLoops() != 0 : llvm::isa<LoopLikeOpInterface>(op);
    for (Region &region : op->getRegions()) {
      for (BlockArgument argument : region.getArguments()) {
        State state = base;
        if (structured && argument.getArgNumber() < op->getNumOperands())
          state.infinite = states_.lookup(op->getOperand(argument.getArgNumber())).infinite;
        states_[argument] = state;
      }
      visitRegion(region);
    }
    // scf.forall and the like end with no values: the worst that is inside stands for all.
    State inside = base;
    op->walk([&](Operation *inner) {
      if (inner != op)
        for (Value result : inner->getResults())
          inside = inside.mergedWith(states_.lookup(result));
    });
    for (OpResult result : op->getResults()) {
      State end;
      bool ends = op->getNumRegions() != 0;
      for (Region &region : op->getRegions()) {
        Operation *terminator = region.empty() || region.back().empty() ? nullptr : &region.back().back();
        if (terminator && terminator->getNumOperands() == op->getNumResults())
          end = end.mergedWith(states_.lookup(terminator->getOperand(result.getResultNumber())));
        else
          ends = false;
      }
      if (!ends)
        end = inside;
      end.variance = base.variance + tripsOf(op) * std::max(0.0, end.variance - base.variance);
      if (tf32_ && structured && reduces && multipliesF32(op))
        end.variance += 2 * tf32Cut * tf32Cut; // both factors; what is cut off of each product is cut off of their sum
      end.smallest = std::max({end.smallest, base.smallest, smallestNormal(result.getType())});
      end.infinite &= !reduces; // the neutral element of a maximum is no result
      states_[result] = end;
    }
  }

  void visitCall(func::CallOp call) {
    State base;
    for (Value operand : call.getOperands())
      base = base.mergedWith(states_.lookup(operand));
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    std::vector<State> own(call.getNumResults());
    if (callee && !callee.isExternal()) {
      auto [known, fresh] = callees_.try_emplace(callee, own); // recursion finds the empty entry
      if (fresh) {
        std::vector<State> followed = Follower(callees_, tf32_).follow(callee, {});
        callees_[callee] = followed;
      }
      own = callees_[callee];
    }
    for (auto [result, state] : llvm::zip(call.getResults(), own)) {
      State whole = state.mergedWith(base);
      whole.variance = base.variance + state.variance;
      states_[result] = whole;
    }
  }

  static constexpr double tf32Cut = 0x1p-10; ///< the 13 bits that are left out
  static bool multipliesF32(Operation *op) {
    return op->walk([](arith::MulFOp product) {
               return product.getType().isF32() ? WalkResult::interrupt() : WalkResult::advance();
             }).wasInterrupted();
  }

  using Callees = llvm::DenseMap<Operation *, std::vector<State>>;
  Callees ownCallees_;
  Callees &callees_;
  llvm::DenseMap<Value, State> states_;
  bool tf32_;

public:
  explicit Follower(bool tf32) : callees_(ownCallees_), tf32_(tf32) {}
  Follower(Callees &callees, bool tf32) : callees_(callees), tf32_(tf32) {}
};

} // namespace

std::vector<ErrorBound> errorBoundsOf(func::FuncOp function, ArrayRef<bool> infiniteArguments, bool tf32) {
  constexpr double lambda = 10, most = 0.5;
  std::vector<ErrorBound> bounds;
  for (const State &state : Follower(tf32).follow(function, infiniteArguments))
    bounds.push_back({.relative = std::min(most, lambda * std::sqrt(state.variance)),
                      .smallest = state.smallest,
                      .infinitiesIntended = state.infinite});
  return bounds;
}

} // namespace fuselage
