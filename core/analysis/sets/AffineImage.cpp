// Images of sets of points under affine maps.
#include "core/analysis/sets/AffineImage.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "llvm/ADT/SmallBitVector.h"

namespace fuselage {
namespace {

using mlir::AffineExprKind;

/// How often each dimension occurs in an expression.
void countDims(mlir::AffineExpr expr, llvm::SmallVectorImpl<unsigned> &counts) {
  expr.walk([&](mlir::AffineExpr part) {
    if (auto dim = mlir::dyn_cast<mlir::AffineDimExpr>(part))
      ++counts[dim.getPosition()];
  });
}

/// The product of everything that is divided by; 1 for a linear expression.
int64_t divisors(mlir::AffineExpr expr) {
  int64_t product = 1;
  expr.walk([&](mlir::AffineExpr part) {
    if (part.getKind() == AffineExprKind::Mod || part.getKind() == AffineExprKind::FloorDiv ||
        part.getKind() == AffineExprKind::CeilDiv)
      if (auto by = mlir::dyn_cast<mlir::AffineConstantExpr>(mlir::cast<mlir::AffineBinaryOpExpr>(part).getRHS()))
        product *= std::max<int64_t>(by.getValue(), 1);
  });
  return product;
}

/// The values of an expression in which no dimension occurs twice.
Axis evaluate(mlir::AffineExpr expr, const Product &dims, TileEvents &events) {
  if (auto dim = mlir::dyn_cast<mlir::AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto constant = mlir::dyn_cast<mlir::AffineConstantExpr>(expr))
    return Axis::point(constant.getValue());
  auto binary = mlir::cast<mlir::AffineBinaryOpExpr>(expr);
  Axis left = evaluate(binary.getLHS(), dims, events);
  if (expr.getKind() == AffineExprKind::Add)
    return add(left, evaluate(binary.getRHS(), dims, events));
  int64_t by = mlir::cast<mlir::AffineConstantExpr>(binary.getRHS()).getValue();
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    return scale(left, by);
  case AffineExprKind::FloorDiv:
    return floorDiv(left, by, events);
  case AffineExprKind::CeilDiv:
    return floorDiv(add(left, Axis::point(by - 1)), by, events);
  default:
    return modulo(left, by, events);
  }
}

/// Results that share dimensions, directly or through others.
struct Group {
  llvm::SmallVector<unsigned> results;
  llvm::SmallBitVector dims;
  bool isShared = false; ///< a dimension occurs more than once
};

std::vector<Group> groupResults(mlir::AffineMap map) {
  std::vector<Group> groups;
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    llvm::SmallVector<unsigned> counts(map.getNumDims(), 0);
    countDims(expr, counts);
    Group group{.results = {unsigned(index)}, .dims = llvm::SmallBitVector(map.getNumDims()), .isShared = false};
    for (auto [dim, count] : llvm::enumerate(counts)) {
      group.isShared |= count > 1;
      if (count)
        group.dims.set(dim);
    }
    for (size_t i = 0; i < groups.size();) {
      if (!groups[i].dims.anyCommon(group.dims)) {
        ++i;
        continue;
      }
      group.results.append(groups[i].results);
      group.dims |= groups[i].dims;
      group.isShared = true;
      groups.erase(groups.begin() + i);
    }
    groups.push_back(std::move(group));
  }
  for (Group &group : groups)
    llvm::sort(group.results);
  return groups;
}

/// Sorted points, as products: equal last coordinates of neighbouring points make an axis.
std::vector<Product> fromPoints(std::vector<llvm::SmallVector<int64_t, 4>> points, llvm::ArrayRef<Axis> like) {
  llvm::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  std::vector<Product> products;
  size_t rank = like.size();
  for (size_t i = 0; i < points.size();) {
    size_t next = i;
    auto prefix = llvm::ArrayRef(points[i]).drop_back();
    IntSet last;
    while (next < points.size() && llvm::ArrayRef(points[next]).drop_back() == prefix) {
      int64_t from = points[next].back(), to = from + 1;
      for (++next;
           next < points.size() && points[next].back() == to && llvm::ArrayRef(points[next]).drop_back() == prefix;
           ++next)
        ++to;
      last = last.unite(IntSet::interval(from, to));
    }
    Product product(like.begin(), like.end());
    for (size_t axis = 0; axis + 1 < rank; ++axis)
      product[axis].set = IntSet::interval(prefix[axis], prefix[axis] + 1);
    product[rank - 1].set = last;
    products.push_back(std::move(product));
    i = next;
  }
  return products;
}

/// The box around what a group of results takes, where exactness would cost too much.
Product boxOf(mlir::AffineMap map, const Group &group, const Product &dims, llvm::ArrayRef<Axis> like) {
  Product product;
  for (auto [index, result] : llvm::enumerate(group.results)) {
    TileEvents ignored;
    Product hull = hullOf(dims);
    Axis axis = like[index];
    axis.set = evaluate(map.getResult(result), hull, ignored).set.hull().approximate();
    product.push_back(std::move(axis));
  }
  return product;
}

/// Results of one group whose dimensions are shared: for each value of those dimensions, the others
/// are independent.
class SharedImage {
public:
  SharedImage(mlir::AffineMap map, const Group &group, const Product &dims, TileEvents &events)
      : map_(map), group_(group), dims_(dims), events_(events) {}

  std::vector<Product> products() {
    findPivots();
    std::vector<Axis> like = movements();
    int64_t combinations = 1;
    for (unsigned pivot : pivots_)
      combinations *= std::min<int64_t>(dims_[pivot].set.size(), maxPoints + 1);
    if (combinations > maxPoints)
      return {boxOf(map_, group_, dims_, like)};
    Product fixed = dims_;
    std::vector<Product> slices;
    enumerate(0, fixed, like, slices);
    if (isInjective() && slices.size() <= Region::maxPieces)
      return slices;
    std::vector<llvm::SmallVector<int64_t, 4>> points;
    for (const Product &slice : slices)
      if (!listPoints(slice, points))
        return {boxOf(map_, group_, dims_, like)};
    return fromPoints(std::move(points), like);
  }

private:
  static constexpr int64_t maxPoints = 1 << 17;

  /// Dimensions that occur more than once.
  void findPivots() {
    llvm::SmallVector<unsigned> counts(map_.getNumDims(), 0);
    for (unsigned result : group_.results)
      countDims(map_.getResult(result), counts);
    for (auto [dim, count] : llvm::enumerate(counts))
      if (count > 1)
        pivots_.push_back(dim);
  }

  /// How each result moves; without divisions in it, it does so by its coefficients.
  std::vector<Axis> movements() {
    int64_t modulus = 1;
    for (unsigned result : group_.results)
      modulus *= divisors(map_.getResult(result));
    size_t loops = 0;
    unsigned mask = 0;
    for (unsigned dim : group_.dims.set_bits()) {
      if (modulus > 1)
        events_.remainder(dims_[dim], modulus);
      loops = std::max(loops, dims_[dim].shift.size());
      mask |= dims_[dim].loops;
    }
    llvm::SmallVector<int64_t> origin(map_.getNumDims(), 0);
    llvm::SmallVector<int64_t, 4> start = map_.compose(origin);
    std::vector<Axis> axes(group_.results.size());
    for (Axis &axis : axes)
      axis.loops = mask;
    for (size_t loop = 0; loop < loops; ++loop) {
      llvm::SmallVector<int64_t> moved = origin;
      for (unsigned dim : group_.dims.set_bits())
        moved[dim] = dims_[dim].shiftOf(loop);
      llvm::SmallVector<int64_t, 4> values = map_.compose(moved);
      for (auto [axis, result] : llvm::zip_equal(axes, group_.results))
        axis.shift.push_back(values[result] - start[result]);
    }
    return axes;
  }

  void enumerate(size_t pivot, Product &fixed, llvm::ArrayRef<Axis> like, std::vector<Product> &slices) {
    if (pivot == pivots_.size()) {
      TileEvents ignored;
      Product slice(like.begin(), like.end());
      for (auto [index, result] : llvm::enumerate(group_.results))
        slice[index].set = evaluate(map_.getResult(result), fixed, ignored).set;
      slices.push_back(std::move(slice));
      return;
    }
    dims_[pivots_[pivot]].set.forEach([&](int64_t value) {
      fixed[pivots_[pivot]] = Axis::point(value);
      enumerate(pivot + 1, fixed, like, slices);
    });
  }

  /// Whether every pivot can be told from a result that is a multiple of it: then slices are disjoint.
  bool isInjective() const {
    return llvm::all_of(pivots_, [&](unsigned pivot) {
      return llvm::any_of(group_.results, [&](unsigned result) {
        mlir::AffineExpr expr = map_.getResult(result);
        if (auto binary = mlir::dyn_cast<mlir::AffineBinaryOpExpr>(expr);
            binary && expr.getKind() == AffineExprKind::Mul &&
            mlir::cast<mlir::AffineConstantExpr>(binary.getRHS()).getValue() != 0)
          expr = binary.getLHS();
        auto dim = mlir::dyn_cast<mlir::AffineDimExpr>(expr);
        return dim && dim.getPosition() == pivot;
      });
    });
  }

  static bool listPoints(const Product &slice, std::vector<llvm::SmallVector<int64_t, 4>> &points) {
    if (int64_t size = sizeOf(slice); size < 0 || int64_t(points.size()) + size > maxPoints)
      return false;
    llvm::SmallVector<int64_t, 4> point(slice.size(), 0);
    auto recurse = [&](auto &self, size_t axis) -> void {
      if (axis == slice.size()) {
        points.push_back(point);
        return;
      }
      slice[axis].set.forEach([&](int64_t value) {
        point[axis] = value;
        self(self, axis + 1);
      });
    };
    recurse(recurse, 0);
    return true;
  }

  mlir::AffineMap map_;
  const Group &group_;
  const Product &dims_;
  TileEvents &events_;
  llvm::SmallVector<unsigned, 4> pivots_;
};

/// The image of one product: the cross product of what the groups take.
std::vector<Product> imageOf(mlir::AffineMap map, llvm::ArrayRef<Group> groups, const Product &dims,
                             TileEvents &events) {
  std::vector<Product> products{Product(map.getNumResults())};
  for (const Group &group : groups) {
    if (!group.isShared) {
      Axis axis = evaluate(map.getResult(group.results.front()), dims, events);
      for (Product &product : products)
        product[group.results.front()] = axis;
      continue;
    }
    std::vector<Product> parts = SharedImage(map, group, dims, events).products(), next;
    for (const Product &product : products)
      for (const Product &part : parts) {
        next.push_back(product);
        for (auto [axis, result] : llvm::zip_equal(part, group.results))
          next.back()[result] = axis;
      }
    products = std::move(next);
  }
  return products;
}

} // namespace

bool hasKnownImage(mlir::AffineMap map) {
  if (map.getNumSymbols() > 0)
    return false;
  bool ok = true;
  for (mlir::AffineExpr expr : map.getResults())
    expr.walk([&](mlir::AffineExpr part) {
      auto binary = mlir::dyn_cast<mlir::AffineBinaryOpExpr>(part);
      if (!binary || part.getKind() == mlir::AffineExprKind::Add)
        return;
      auto by = mlir::dyn_cast<mlir::AffineConstantExpr>(binary.getRHS());
      ok &= by && (part.getKind() == mlir::AffineExprKind::Mul || by.getValue() > 0);
    });
  return ok;
}

Region imageOf(mlir::AffineMap map, const Region &points, TileEvents &events) {
  Region image;
  std::vector<Group> groups = groupResults(map);
  bool isFirst = true;
  for (const Product &piece : points.pieces) {
    for (Product &product : imageOf(map, groups, piece, events)) {
      // The products of one piece are disjoint.
      if (isFirst && !isEmpty(product))
        image.pieces.push_back(std::move(product));
      else
        image.add(std::move(product), events);
    }
    isFirst = false;
  }
  return image;
}

} // namespace fuselage
