// Sets of elements of a tensor, or of points of an iteration domain, exact and without listing them.
#pragma once
#include "core/analysis/sets/IntSet.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace fuselage {

/// How far a set moves, by loop, when that loop goes one step on (a step may be several tiles, see
/// TileTotals.h). Missing entries are 0.
using Shift = llvm::SmallVector<int64_t, 4>;

/// What is touched along one dimension.
struct Axis {
  IntSet set;
  Shift shift;
  unsigned loops = 0; ///< bit l: depends on tile loop l
  static Axis whole(int64_t size) { return {.set = IntSet::interval(0, size), .shift = {}}; }
  static Axis point(int64_t at) { return {.set = IntSet::interval(at, at + 1), .shift = {}}; }
  int64_t shiftOf(unsigned loop) const { return loop < shift.size() ? shift[loop] : 0; }
  bool moves() const;
};
bool sameShift(const Axis &a, const Axis &b);

/// What must not change between two tiles for one set to be the other, shifted. Operations on regions
/// that depend on where a set lies report here: a `note` holds for all tiles between two of which it
/// holds; a set that was cut is only good for its own tile (`cut`); a remainder comes back after
/// some steps (`remainder`).
class TileEvents {
public:
  void note(const Axis &axis, int outcome) {
    if (!axis.moves())
      return;
    sensitive_ |= axis.loops;
    log_.push_back(outcome);
  }
  void cut(const Axis &axis);
  void cut(const Axis &a, const Axis &b);
  /// A division by `modulus`; true if every loop moves the axis by multiples of it.
  bool remainder(const Axis &axis, int64_t modulus);

  unsigned sensitive() const { return sensitive_; } ///< loops that any outcome depends on
  unsigned irregular() const { return irregular_; } ///< loops to go through tile by tile
  int64_t period(unsigned loop) const { return loop < periods_.size() ? periods_[loop] : 1; }
  unsigned periodic() const { return periodic_; }
  llvm::ArrayRef<int> log() const { return log_; }

private:
  llvm::SmallVector<int, 16> log_;
  llvm::SmallVector<int64_t, 4> periods_;
  unsigned sensitive_ = 0, irregular_ = 0, periodic_ = 0;
};

/// The cross product of its axes.
using Product = llvm::SmallVector<Axis, 4>;

/// How many points; -1: too many to be told.
int64_t sizeOf(const Product &product);
bool isEmpty(const Product &product);
/// Every axis replaced by the interval that spans it.
Product hullOf(const Product &product);

/// Disjoint products; of rank 0, one empty product or none. A region of slices (see `addSlice`) is the
/// exception: what its products share, is counted for each.
struct Region {
  llvm::SmallVector<Product, 1> pieces;

  static Region of(Product product);
  static Region whole(llvm::ArrayRef<int64_t> shape);
  bool empty() const { return pieces.empty(); }
  int64_t size() const; ///< -1: too many to be told
  bool isExact() const;
  unsigned loops() const;
  bool contains(llvm::ArrayRef<int64_t> point) const;
  /// The smallest box around it; empty where the region is.
  Product hull() const;

  void add(Product product, TileEvents &events);
  void add(const Region &other, TileEvents &events);
  /// Adds the box around the product unless it is there already.
  void addSlice(const Product &product, TileEvents &events);
  /// Whatever is in `product` goes.
  void subtract(const Product &product, TileEvents &events);
  /// What both have.
  Region intersect(const Region &other, TileEvents &events) const;
  /// More products than this become the box around them, marked as inexact.
  static constexpr size_t maxPieces = 4096;

private:
  void becomeBox(TileEvents &events);
};

/// The axis moved down by `low`, and cut to [0, size).
Axis clip(const Axis &axis, int64_t low, int64_t size, TileEvents &events);
/// The axis' multiples of `stride`, divided by it.
Axis everyNth(const Axis &axis, int64_t stride, TileEvents &events);
Axis scale(const Axis &axis, int64_t factor);
Axis add(const Axis &a, const Axis &b);
Axis floorDiv(const Axis &axis, int64_t divisor, TileEvents &events);
Axis modulo(const Axis &axis, int64_t divisor, TileEvents &events);
/// Positions in row-major order of the points of a product of that shape.
Axis linearize(llvm::ArrayRef<Axis> axes, llvm::ArrayRef<int64_t> shape);
/// The way back; products of shape.size() axes that are disjoint.
std::vector<Product> delinearize(const Axis &axis, llvm::ArrayRef<int64_t> shape, TileEvents &events);

} // namespace fuselage
