// How the threads of a subgroup share a tile of whole rows.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>

namespace fuselage {

/// A group of `members` neighbouring threads shares a row; each thread has elements of `rows` rows. Along a row, the
/// members take runs of `together` elements in turn. Along a column, the groups take runs of `rowsTogether` rows in
/// turn.
struct RowLayout {
  int64_t rows = 0, members = 0, together = 0, rowsTogether = 1;
  static constexpr int64_t subgroup = 32;

  int64_t groups() const { return subgroup / members; }
  int64_t rowsOfSubgroup() const { return rows * groups(); }
  int64_t columnsOfBlock() const { return members * together; }
  int64_t columnsOfThread(int64_t columns) const { return columns / members; }
  int64_t threadsFor(int64_t rowCount) const { return rowCount / rowsOfSubgroup() * subgroup; }
  bool divides(int64_t rowCount, int64_t columns) const {
    return rowCount % rowsOfSubgroup() == 0 && columns % columnsOfBlock() == 0;
  }
};

/// The layout of results of matrix instructions (see MatrixShape.h).
constexpr RowLayout rowsOfMatrices{.rows = 2, .members = 4, .together = 2, .rowsTogether = 1};
/// Upper bound for N of all products by matrix instructions in one kernel, added up. A thread holds N / 2 accumulators
/// (2 rows of N / 4 columns): 144 at this bound.
constexpr int64_t mostColumnsOfMatrices = 288;

/// Returns the cheapest layout (see costOfProduct) for products without matrix instructions, each with `rowCount` rows
/// and one of these numbers of columns. All share one layout; their results fit in registers. Returns nullopt if no
/// layout divides them.
std::optional<RowLayout> pickRowLayout(int64_t rowCount, llvm::ArrayRef<int64_t> columns);

/// Time of one multiply-add in a product with `columns` columns, relative to the peak. 1: limited by arithmetic, which
/// allows a read of 16 bytes of workgroup memory per 16 multiply-adds. Larger: limited by those reads.
double costOfProduct(const RowLayout &layout, int64_t columns);

} // namespace fuselage
