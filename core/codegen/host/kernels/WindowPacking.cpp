#include "core/codegen/host/kernels/WindowPacking.h"
#include "core/codegen/host/kernels/VectorBody.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

namespace {
struct Term {
  unsigned loop;
  int64_t step;
};
using Terms = SmallVector<Term, 2>; ///< a sum of loops, each times a step
} // namespace

/// False where an expression is anything but such a sum.
static bool addTerms(AffineExpr expr, int64_t factor, Terms &terms) {
  if (auto dim = llvm::dyn_cast<AffineDimExpr>(expr))
    return terms.push_back({dim.getPosition(), factor}), true;
  if (auto constant = llvm::dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() == 0;
  auto binary = llvm::dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (expr.getKind() == AffineExprKind::Add)
    return addTerms(binary.getLHS(), factor, terms) && addTerms(binary.getRHS(), factor, terms);
  auto times = llvm::dyn_cast<AffineConstantExpr>(binary.getRHS());
  return expr.getKind() == AffineExprKind::Mul && times && addTerms(binary.getLHS(), factor * times.getValue(), terms);
}

/// Those of each dimension of an operand: at most one loop that runs beside others in each, no loop twice.
static std::optional<SmallVector<Terms>> windowsOf(const LoopKernel &kernel, unsigned operand) {
  SmallVector<Terms> windows;
  llvm::SmallDenseSet<unsigned> seen;
  for (AffineExpr result : kernel.maps[operand].getResults()) {
    Terms &terms = windows.emplace_back();
    if (!addTerms(result, 1, terms) ||
        llvm::count_if(terms, [&](Term term) { return kernel.isParallel(term.loop); }) > 1)
      return std::nullopt;
    for (Term term : terms)
      if (term.step < 1 || !seen.insert(term.loop).second)
        return std::nullopt;
  }
  return windows;
}

static bool isWindow(ArrayRef<Term> terms) {
  return terms.size() > 1 || (terms.size() == 1 && terms.front().step != 1);
}

/// Whether a dimension becomes one of its own for each loop.
static bool isSplit(const LoopKernel &kernel, ArrayRef<Term> terms, bool isLast) {
  bool strided = llvm::any_of(terms, [&](Term term) { return kernel.isParallel(term.loop) && term.step != 1; });
  return isWindow(terms) && (isLast || strided);
}

std::optional<unsigned> windowsToPack(const LoopKernel &kernel, const HostTarget &target) {
  constexpr int64_t often = 64;
  constexpr double full = 0.9;
  std::optional<unsigned> written = kernel.denseLoop(kernel.inputs);
  int64_t lanes = lanesOf(kernel, target);
  if (!kernel.reduces() || lanes < 2 || !written || !kernel.isParallel(*written) ||
      !kernel.body->getOps<linalg::IndexOp>().empty())
    return std::nullopt;
  int64_t range = kernel.ranges[*written];
  if (double(range) / llvm::alignTo(range, lanes) > full)
    return std::nullopt;
  for (unsigned input = 0; input < kernel.inputs; ++input) {
    auto windows = windowsOf(kernel, input);
    if (windows && !windows->empty() && isWindow(windows->back()) &&
        kernel.maps[input].getResults().back().isFunctionOfDim(*written) && kernel.reuse(input) >= often &&
        hasVectors(kernel.operands[input].getType()))
      return input;
  }
  return std::nullopt;
}

PackedOperand packWindows(OpBuilder &builder, const LoopKernel &kernel, unsigned input) {
  MLIRContext *context = builder.getContext();
  SmallVector<Terms> windows = *windowsOf(kernel, input);
  Value source = kernel.operands[input];
  auto type = llvm::cast<MemRefType>(source.getType());
  SmallVector<int64_t> ranges; // The copy's loops are the dimensions of what it fills.
  SmallVector<AffineExpr> places, from(windows.size(), getAffineConstantExpr(0, context));
  auto addLoop = [&](int64_t range, AffineExpr place) {
    ranges.push_back(range);
    places.push_back(place);
    return getAffineDimExpr(ranges.size() - 1, context);
  };
  auto addTerm = [&](unsigned dim, Term term) {
    from[dim] = from[dim] + addLoop(kernel.ranges[term.loop], getAffineDimExpr(term.loop, context)) * term.step;
  };
  size_t last = windows.size() - 1;
  auto isSplitAt = [&](size_t dim) { return isSplit(kernel, windows[dim], dim == last); };
  bool hasTaps = false;
  for (size_t dim = 0; dim < windows.size(); ++dim) {
    if (isWindow(windows[dim]) && !hasTaps) {
      hasTaps = true;
      for (size_t tapped = dim; tapped < windows.size(); ++tapped)
        for (Term term : windows[tapped])
          if (isSplitAt(tapped) && !kernel.isParallel(term.loop))
            addTerm(tapped, term);
    }
    if (!isSplitAt(dim)) {
      int64_t extent = 1;
      for (Term term : windows[dim])
        extent += (kernel.ranges[term.loop] - 1) * term.step;
      from[dim] = addLoop(extent, kernel.maps[input].getResult(dim));
      continue;
    }
    for (Term term : windows[dim])
      if (kernel.isParallel(term.loop))
        addTerm(dim, term);
  }
  PackedOperand packed{.memory = {},
                       .allocated = {},
                       .map = AffineMap::get(kernel.ranges.size(), 0, places, context),
                       .copy = {.loc = kernel.loc,
                                .body = nullptr,
                                .operands = {},
                                .maps = {},
                                .ranges = {},
                                .iterators = {},
                                .packedWidth = 0,
                                .starts = {}},
                       .pattern = nullptr};
  packed.memory = memref::AllocOp::create(builder, kernel.loc, MemRefType::get(ranges, type.getElementType()),
                                          builder.getI64IntegerAttr(64));
  packed.allocated = packed.memory;
  describeCopy(builder, packed, source, AffineMap::get(ranges.size(), 0, from, context),
               AffineMap::getMultiDimIdentityMap(ranges.size(), context), ranges);
  return packed;
}

} // namespace fuselage
