#include "core/analysis/sets/Region.h"
#include "core/support/CostArithmetic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace fuselage {

bool Axis::moves() const {
  return llvm::any_of(shift, [](int64_t s) { return s != 0; });
}

bool sameShift(const Axis &a, const Axis &b) {
  for (unsigned l = 0; l < std::max(a.shift.size(), b.shift.size()); ++l)
    if (a.shiftOf(l) != b.shiftOf(l))
      return false;
  return true;
}

void TileEvents::cut(const Axis &axis) { cut(axis, Axis()); }

void TileEvents::cut(const Axis &a, const Axis &b) {
  for (unsigned l = 0; l < std::max(a.shift.size(), b.shift.size()); ++l)
    if (a.shiftOf(l) != b.shiftOf(l)) {
      irregular_ |= 1u << l;
      sensitive_ |= 1u << l;
    }
}

bool TileEvents::remainder(const Axis &axis, int64_t modulus) {
  bool divides = true;
  for (auto [l, shift] : llvm::enumerate(axis.shift)) {
    if (shift % modulus == 0)
      continue;
    divides = false;
    if (periods_.size() <= l)
      periods_.resize(l + 1, 1);
    periods_[l] = std::lcm(periods_[l], modulus / std::gcd(shift, modulus));
    periodic_ |= 1u << l;
    sensitive_ |= 1u << l;
  }
  return divides;
}

int64_t sizeOf(const Product &product) {
  if (isEmpty(product))
    return 0;
  int64_t size = 1;
  for (const Axis &axis : product)
    size = times(size, axis.set.size());
  return size;
}

bool isEmpty(const Product &product) {
  return llvm::any_of(product, [](const Axis &axis) { return axis.set.empty(); });
}

Product hullOf(const Product &product) {
  Product hull = product;
  for (Axis &axis : hull)
    axis.set = axis.set.hull();
  return hull;
}

namespace {

enum Relation { Before = 1, After, Equal, Inside, Around, Cut };

/// How `a` lies to `b` along one dimension.
Relation relate(const Axis &a, const Axis &b, TileEvents &events) {
  bool together = sameShift(a, b);
  auto outcome = [&](Relation relation) {
    if (!together) {
      events.note(a, relation);
      events.note(b, relation);
    }
    return relation;
  };
  if (a.set.end() <= b.set.lo())
    return outcome(Before);
  if (b.set.end() <= a.set.lo())
    return outcome(After);
  if (together && a.set == b.set)
    return Equal;
  // An interval around the other's span stays around it between two tiles of which that is true.
  if (together ? b.set.containsAll(a.set) : b.set.isInterval() && b.set.containsAll(a.set))
    return outcome(Inside);
  if (together ? a.set.containsAll(b.set) : a.set.isInterval() && a.set.containsAll(b.set))
    return outcome(Around);
  if (!together)
    events.cut(a, b);
  return a.set.intersect(b.set).empty() ? Before : Cut;
}

struct Relations {
  llvm::SmallVector<Relation, 4> axes; ///< up to the first that tells the products apart
  bool disjoint = false;
  bool areAll(Relation relation) const {
    return llvm::all_of(axes, [&](Relation each) { return each == Equal || each == relation; });
  }
};

Relations relate(const Product &a, const Product &b, TileEvents &events) {
  Relations result;
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    result.axes.push_back(relate(x, y, events));
    if (result.axes.back() == Before || result.axes.back() == After) {
      result.disjoint = true;
      break;
    }
  }
  return result;
}

Axis merged(const Axis &a, const Axis &b) {
  Axis axis{.set = a.set.unite(b.set), .shift = a.shift};
  axis.loops = a.loops | b.loops;
  return axis;
}

/// The only dimension in which two products that move together differ, if there is one.
std::optional<size_t> onlyDifference(const Product &a, const Product &b) {
  std::optional<size_t> where;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!sameShift(a[i], b[i]) || (where && !(a[i].set == b[i].set)))
      return std::nullopt;
    if (!(a[i].set == b[i].set))
      where = i;
  }
  return where;
}

/// Products that make up `a` without `b`, which it overlaps.
llvm::SmallVector<Product, 2> difference(Product a, const Product &b, const Relations &relations, TileEvents &events) {
  llvm::SmallVector<Product, 2> rest;
  for (size_t i = 0; i < a.size(); ++i) {
    if (relations.axes[i] == Equal || relations.axes[i] == Inside)
      continue;
    if (!sameShift(a[i], b[i]))
      events.cut(a[i], b[i]);
    Product outside = a;
    outside[i].set = a[i].set.minus(b[i].set);
    outside[i].loops |= b[i].loops;
    if (!outside[i].set.empty())
      rest.push_back(std::move(outside));
    a[i].set = a[i].set.intersect(b[i].set);
    a[i].loops |= b[i].loops;
  }
  return rest;
}

} // namespace

Region Region::of(Product product) {
  Region region;
  if (!isEmpty(product))
    region.pieces.push_back(std::move(product));
  return region;
}

Region Region::whole(llvm::ArrayRef<int64_t> shape) {
  Product product;
  for (int64_t size : shape)
    product.push_back(Axis::whole(size));
  return of(std::move(product));
}

int64_t Region::size() const {
  int64_t size = 0;
  for (const Product &piece : pieces)
    size = plus(size, sizeOf(piece));
  return size;
}

bool Region::isExact() const {
  return llvm::all_of(pieces, [](const Product &piece) {
    return llvm::all_of(piece, [](const Axis &axis) { return axis.set.isExact(); });
  });
}

unsigned Region::loops() const {
  unsigned loops = 0;
  for (const Product &piece : pieces)
    for (const Axis &axis : piece)
      loops |= axis.loops;
  return loops;
}

bool Region::contains(llvm::ArrayRef<int64_t> point) const {
  return llvm::any_of(pieces, [&](const Product &piece) {
    return llvm::all_of(llvm::zip_equal(piece, point),
                        [](const auto &pair) { return std::get<0>(pair).set.contains(std::get<1>(pair)); });
  });
}

Product Region::hull() const {
  if (pieces.empty())
    return {};
  Product hull = hullOf(pieces.front());
  for (const Product &piece : llvm::drop_begin(pieces))
    for (auto [axis, other] : llvm::zip_equal(hull, piece)) {
      axis = merged(axis, other);
      axis.set = axis.set.hull();
    }
  return hull;
}

void Region::add(Product product, TileEvents &events) {
  llvm::SmallVector<Product, 4> open{std::move(product)};
  while (!open.empty()) {
    Product next = open.pop_back_val();
    bool isPlaced = isEmpty(next);
    for (size_t i = 0; i < pieces.size() && !isPlaced;) {
      // Neighbours along one dimension are one piece.
      if (std::optional<size_t> where = onlyDifference(next, pieces[i])) {
        next[*where] = merged(next[*where], pieces[i][*where]);
        pieces.erase(pieces.begin() + i);
        continue;
      }
      Relations relations = relate(next, pieces[i], events);
      if (relations.disjoint) {
        ++i;
      } else if (relations.areAll(Inside)) {
        isPlaced = true;
      } else if (relations.areAll(Around)) {
        pieces.erase(pieces.begin() + i);
      } else {
        for (Product &rest : difference(next, pieces[i], relations, events))
          open.push_back(std::move(rest));
        isPlaced = true;
      }
    }
    if (!isPlaced)
      pieces.push_back(std::move(next));
    if (pieces.size() + open.size() > maxPieces) {
      pieces.append(open.begin(), open.end());
      return becomeBox(events);
    }
  }
}

/// Gives up: the box around everything, good for this tile only.
void Region::becomeBox(TileEvents &events) {
  Product box = hull();
  for (Axis &axis : box) {
    axis.set = axis.set.approximate();
    events.cut(axis);
  }
  pieces.assign(1, std::move(box));
}

void Region::add(const Region &other, TileEvents &events) {
  for (const Product &piece : other.pieces)
    add(piece, events);
}

void Region::addSlice(const Product &product, TileEvents &events) {
  if (isEmpty(product))
    return;
  Product box = hullOf(product);
  for (const Product &piece : pieces) {
    bool isSame = true;
    for (auto [a, b] : llvm::zip_equal(box, piece)) {
      if (!(a.set == b.set)) {
        isSame = false;
        if (!sameShift(a, b))
          events.cut(a, b); // they may meet at another tile
        continue;
      }
      if (!sameShift(a, b))
        events.cut(a, b);
    }
    if (isSame)
      return;
  }
  pieces.push_back(std::move(box));
}

void Region::subtract(const Product &product, TileEvents &events) {
  llvm::SmallVector<Product, 1> left;
  for (Product &piece : pieces) {
    Relations relations = relate(piece, product, events);
    if (relations.disjoint) {
      left.push_back(std::move(piece));
      continue;
    }
    for (Product &rest : difference(piece, product, relations, events))
      left.push_back(std::move(rest));
  }
  pieces = std::move(left);
}

Region Region::intersect(const Region &other, TileEvents &events) const {
  Region common;
  for (const Product &a : pieces)
    for (const Product &b : other.pieces) {
      if (relate(a, b, events).disjoint)
        continue;
      Product both = a;
      for (auto [x, y] : llvm::zip_equal(both, b)) {
        x.set = x.set.intersect(y.set);
        x.loops |= y.loops;
      }
      if (!isEmpty(both))
        common.pieces.push_back(std::move(both));
    }
  return common;
}

Axis clip(const Axis &axis, int64_t low, int64_t size, TileEvents &events) {
  enum Outcome { Within = 11, Below, Above };
  Axis moved = axis;
  moved.set = axis.set.shifted(-low);
  if (moved.set.empty())
    return moved;
  if (moved.set.lo() >= 0 && moved.set.end() <= size) {
    events.note(axis, Within);
    return moved;
  }
  if (moved.set.end() <= 0 || moved.set.lo() >= size)
    events.note(axis, moved.set.end() <= 0 ? Below : Above);
  else
    events.cut(axis);
  moved.set = moved.set.intersect(IntSet::interval(0, size));
  return moved;
}

Axis everyNth(const Axis &axis, int64_t stride, TileEvents &events) {
  if (stride == 1 || axis.set.empty())
    return axis;
  events.remainder(axis, stride);
  Axis result = axis;
  int64_t first = llvm::divideFloorSigned(axis.set.lo(), stride);
  int64_t last = llvm::divideFloorSigned(axis.set.end(), stride);
  IntSet multiples = IntSet::strided(first * stride, last - first + 1, stride);
  result.set = axis.set.intersect(multiples).floorDiv(stride);
  for (int64_t &shift : result.shift)
    shift /= stride;
  return result;
}

Axis scale(const Axis &axis, int64_t factor) {
  if (factor == 0)
    return axis.set.empty() ? axis : Axis::point(0);
  Axis result = axis;
  result.set = axis.set.scaled(factor);
  for (int64_t &shift : result.shift)
    shift *= factor;
  return result;
}

Axis add(const Axis &a, const Axis &b) {
  Axis sum{.set = a.set.plus(b.set), .shift = a.shift};
  sum.loops = a.loops | b.loops;
  if (sum.shift.size() < b.shift.size())
    sum.shift.resize(b.shift.size(), 0);
  for (auto [l, shift] : llvm::enumerate(b.shift))
    sum.shift[l] += shift;
  return sum;
}

Axis floorDiv(const Axis &axis, int64_t divisor, TileEvents &events) {
  if (divisor == 1)
    return axis;
  events.remainder(axis, divisor);
  Axis result = axis;
  result.set = axis.set.floorDiv(divisor);
  for (int64_t &shift : result.shift)
    shift = llvm::divideFloorSigned(shift, divisor);
  return result;
}

Axis modulo(const Axis &axis, int64_t divisor, TileEvents &events) {
  events.remainder(axis, divisor);
  Axis result = axis;
  result.set = axis.set.modulo(divisor);
  result.shift.clear();
  return result;
}

Axis linearize(llvm::ArrayRef<Axis> axes, llvm::ArrayRef<int64_t> shape) {
  if (axes.empty())
    return Axis::point(0);
  Axis sum = axes.front();
  for (size_t i = 1; i < axes.size(); ++i)
    sum = add(scale(sum, shape[i]), axes[i]);
  return sum;
}

/// Rows of `inner` elements that a set of positions touches, with what it touches in them: products
/// of two axes whose rows differ.
static std::vector<std::pair<IntSet, IntSet>> rowsOf(const IntSet &set, int64_t inner) {
  IntSet rows = set.floorDiv(inner), columns = set.modulo(inner);
  if (rows.size() * columns.size() == set.size())
    return {{rows, columns}};
  std::vector<std::pair<IntSet, IntSet>> pieces;
  auto append = [&](int64_t first, int64_t last, const IntSet &part) {
    if (!pieces.empty() && first == last && pieces.back().first == IntSet::interval(first, first + 1))
      pieces.back().second = pieces.back().second.unite(part);
    else
      pieces.push_back({IntSet::interval(first, last + 1), part});
  };
  set.forEachInterval([&](int64_t begin, int64_t end) {
    int64_t first = llvm::divideFloorSigned(begin, inner), last = llvm::divideFloorSigned(end - 1, inner);
    if (first == last)
      return append(first, first, IntSet::interval(begin - first * inner, end - first * inner));
    bool cutsFirst = begin != first * inner, cutsLast = end != (last + 1) * inner;
    if (cutsFirst)
      append(first, first, IntSet::interval(begin - first * inner, inner));
    if (int64_t from = first + cutsFirst, to = last - cutsLast; from <= to)
      append(from, to, IntSet::interval(0, inner));
    if (cutsLast)
      append(last, last, IntSet::interval(0, end - last * inner));
  });
  return pieces;
}

std::vector<Product> delinearize(const Axis &axis, llvm::ArrayRef<int64_t> shape, TileEvents &events) {
  if (axis.set.empty())
    return {};
  size_t inner = shape.size();
  while (inner > 0 && shape[inner - 1] == 1)
    --inner;
  // What is left of it are units, or one dimension and units before it.
  auto outer = shape.take_front(inner == 0 ? 0 : inner - 1);
  Product units(shape.size(), Axis::point(0));
  if (inner == 0)
    return {units};
  if (llvm::all_of(outer, [](int64_t size) { return size == 1; })) {
    units[inner - 1] = axis;
    return {units};
  }
  int64_t size = shape[inner - 1];
  events.remainder(axis, size);
  std::vector<Product> products;
  for (auto &[rows, columns] : rowsOf(axis.set, size)) {
    Axis row{.set = rows.isExact() && axis.set.isExact() ? rows : rows.approximate(), .shift = axis.shift};
    row.loops = axis.loops;
    for (int64_t &shift : row.shift)
      shift = llvm::divideFloorSigned(shift, size);
    for (Product &outerProduct : delinearize(row, outer, events)) {
      Product product = units;
      llvm::copy(outerProduct, product.begin());
      product[inner - 1] = {.set = columns, .shift = {}};
      product[inner - 1].loops = axis.loops;
      products.push_back(std::move(product));
    }
  }
  return products;
}

} // namespace fuselage
