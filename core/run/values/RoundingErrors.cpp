#include "core/run/values/RoundingErrors.h"
#include "core/transforms/attention/TileAttention.h"
#include "core/transforms/workgroups/reductions/WidenAccumulators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>
#include <limits>

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
  return llvm::any_of(dense.getValues<llvm::APFloat>(),
                      [](const llvm::APFloat &number) { return number.isInfinity(); });
}

/// Ops whose result is one of their operands, or has all its digits.
static bool isExact(Operation *op) {
  return llvm::isa<arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
                   arith::SelectOp, arith::ExtFOp, arith::BitcastOp, arith::ConstantOp, math::AbsFOp, math::CopySignOp,
                   math::FloorOp, math::CeilOp, math::RoundOp, math::RoundEvenOp, math::TruncOp>(op);
}

/// What an op adds to the errors of what it reads.
struct OwnErrors {
  double variance = 0,     ///< the square of its error, or of the errors of the ops that it stands for
      bound = 0;           ///< what the error cannot exceed
  bool isFunction = false; ///< errors of its argument may be larger in its result, or be no part of
                           ///< it, as near a zero
  bool isRelative = false; ///< of a function: its own error is a share of its result, however small that is
};

/// Of a function in the type that devices compute it in: 8 units in the last place.
static OwnErrors errorsOfFunction(double u, double narrow) {
  return {.variance = 64 * u * u + narrow * narrow, .bound = 40 * u + narrow, .isFunction = true};
}

/// Of an op whose results are of `type`.
static OwnErrors ownErrorsOf(Operation *op, Type type) {
  double u = unitRoundoff(type), wide = floatOf(type) ? unitRoundoff(accumulatorTypeOf(floatOf(type))) : 0,
         narrow = u == wide ? 0 : u;
  if (auto softmax = llvm::dyn_cast<linalg::SoftmaxOp>(op)) {
    int64_t length = softmax.getInputOperandType().getDimSize(softmax.getDimension());
    OwnErrors own = errorsOfFunction(wide, narrow);
    own.variance += (ShapedType::isDynamic(length) ? 1024 : length) * wide * wide + 3 * narrow * narrow;
    own.bound = std::numeric_limits<double>::infinity();
    return own;
  }
  StringRef name = op->getName().getStringRef(), dialect = op->getName().getDialectNamespace();
  if (isExact(op) ||
      llvm::is_contained({"complex.re", "complex.im", "complex.create", "complex.constant", "complex.neg"}, name))
    return {};
  if (dialect == "math" || dialect == "complex") {
    OwnErrors own = errorsOfFunction(wide, narrow);
    own.isRelative = llvm::isa<math::ExpOp, math::Exp2Op, math::RsqrtOp, math::SqrtOp>(op);
    return own;
  }
  if (llvm::isa<arith::DivFOp, arith::RemFOp>(op)) // devices give 2.5 units in the last place
    return {.variance = 9 * wide * wide + narrow * narrow, .bound = 5 * wide + narrow};
  if (dialect == "arith" || dialect == "vector")
    return {.variance = u * u, .bound = u};
  return {};
}

/// Whether terms of both signs may leave less than their errors.
static bool mayCancel(Operation *op) { return llvm::isa<arith::AddFOp, arith::SubFOp, math::FmaOp>(op); }

namespace {

/// What is known of a value. Errors are in shares of it, but for `spread`.
struct State {
  double variance = 0; ///< the squares of the errors on the longest way to it
  double bound = 0;    ///< what they cannot exceed together
  double spread = 0;   ///< the part of `variance` that may be of larger values than itself: of terms
  double smallest = 0;
  bool infinite = false; ///< it may be an infinity that the program wrote

  State mergedWith(const State &other) const {
    return {std::max(variance, other.variance), std::max(bound, other.bound), std::max(spread, other.spread),
            std::max(smallest, other.smallest), infinite || other.infinite};
  }
  void add(const OwnErrors &own) {
    constexpr double steepness = 10; // exp(x) of a number of this size
    if (own.isFunction && variance > 0)
      bound *= steepness;
    if (own.isFunction)
      spread = own.isRelative ? variance : variance + own.variance;
    variance += own.variance;
    bound += own.bound;
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
    if (mayCancel(op))
      state.spread = state.variance;
    for (Value result : op->getResults()) {
      State whole = state;
      OwnErrors own = ownErrorsOf(op, result.getType());
      // exp(-inf) is 0, and so on: a function's infinity is its own.
      whole.infinite =
          (state.infinite && !own.isFunction && !llvm::isa<arith::DivFOp, arith::RemFOp>(op)) || holdsInfinity(op);
      if (!accumulating_.contains(op))
        whole.add(own);
      whole.smallest = std::max(whole.smallest, smallestNormal(result.getType()));
      states_[result] = whole;
    }
  }

  /// The ops of the body that compute with what it has accumulated so far.
  static SmallVector<Operation *> accumulatingOps(linalg::LinalgOp op) {
    llvm::SmallPtrSet<Value, 8> reached;
    SmallVector<Operation *> ops;
    for (BlockArgument argument : op.getRegionOutputArgs())
      reached.insert(argument);
    for (Operation &inner : op.getBlock()->without_terminator())
      if (llvm::any_of(inner.getOperands(), [&](Value operand) { return reached.contains(operand); })) {
        ops.push_back(&inner);
        reached.insert(inner.result_begin(), inner.result_end());
      }
    return ops;
  }

  /// Of a reduction, whose body has been visited: terms are rounded once each, and accumulated in
  /// the type that devices and the reference do that in; what comes out is rounded to the result's.
  static State accumulated(State term, const State &before, linalg::LinalgOp op, ArrayRef<Operation *> ops,
                           Type result) {
    double trips = tripsOf(op);
    OwnErrors each;
    for (Operation *inner : ops)
      for (Type type : inner->getResultTypes()) {
        OwnErrors own = floatOf(type) ? ownErrorsOf(inner, accumulatorTypeOf(floatOf(type))) : OwnErrors();
        each.variance += own.variance;
        each.bound += own.bound;
      }
    if (each.variance == 0)
      return term;
    bool multiplies =
        llvm::any_of(ops, [](Operation *inner) { return llvm::isa<arith::MulFOp, arith::DivFOp>(inner); });
    double factors = multiplies ? trips : 1; // each has its error
    State whole = term;
    whole.variance = before.variance + factors * std::max(0.0, term.variance - before.variance) +
                     (factors - 1) * before.variance + trips * each.variance;
    whole.bound = factors * term.bound + trips * each.bound;
    whole.spread = whole.variance;
    if (floatOf(result) && accumulatorTypeOf(floatOf(result)) != floatOf(result)) {
      double u = unitRoundoff(result);
      whole.add({.variance = u * u, .bound = u});
    }
    return whole;
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
    SmallVector<Operation *> accumulating =
        structured && reduces ? accumulatingOps(structured) : SmallVector<Operation *>();
    accumulating_.insert(accumulating.begin(), accumulating.end());
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
      if (structured && reduces) {
        end = accumulated(end, base, structured, accumulating, result.getType());
      } else if (double trips = tripsOf(op); trips != 1) {
        end.variance = base.variance + trips * std::max(0.0, end.variance - base.variance);
        end.bound = base.bound + trips * std::max(0.0, end.bound - base.bound);
        end.spread = end.variance;
      }
      if (tf32_ && structured && reduces && multipliesF32(op)) {
        end.variance += 2 * tf32Cut * tf32Cut; // both factors; what is cut off of each product is cut off of their sum
        end.bound += 2 * tf32Cut;
        end.spread = end.variance;
      }
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
      whole.bound = base.bound + state.bound;
      whole.spread = std::max(state.spread > 0 ? base.variance + state.spread : 0.0, base.spread);
      states_[result] = whole;
    }
  }

  static constexpr double tf32Cut = 0x1p-10; ///< the 13 bits that are left out
  static bool multipliesF32(Operation *op) {
    return op
        ->walk([](arith::MulFOp product) {
          return product.getType().isF32() ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  using Callees = llvm::DenseMap<Operation *, std::vector<State>>;
  Callees ownCallees_;
  Callees &callees_;
  llvm::DenseMap<Value, State> states_;
  llvm::DenseSet<Operation *> accumulating_; ///< whose roundings are counted where their loop ends
  bool tf32_;

public:
  explicit Follower(bool tf32) : callees_(ownCallees_), tf32_(tf32) {}
  Follower(Callees &callees, bool tf32) : callees_(callees), tf32_(tf32) {}
};

} // namespace

std::vector<ErrorBound> errorBoundsOf(func::FuncOp function, ArrayRef<bool> infiniteArguments, bool tf32) {
  constexpr double lambda = 10;
  OwningOpRef<ModuleOp> withLoops = copyWithTiledAttention(function);
  std::vector<ErrorBound> bounds;
  for (const State &state : Follower(tf32).follow(function, infiniteArguments))
    bounds.push_back({.relative = std::min(lambda * std::sqrt(state.variance),
                                           2 * state.bound), // each of two computations
                      .ofTypical = lambda * std::sqrt(state.spread),
                      .smallest = state.smallest,
                      .intended = {.infinities = state.infinite}});
  return bounds;
}

void fitBounds(std::vector<ErrorBound> &bounds, bool inputsGiven, bool keepsDenormals) {
  for (ErrorBound &bound : bounds) {
    if (inputsGiven)
      bound.intended = {.infinities = true, .nans = true};
    if (keepsDenormals && bound.relative == 0)
      bound.smallest = 0;
  }
}

} // namespace fuselage
