// How the threads of a subgroup share tiles of whole rows.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>

namespace fuselage {

/// Each row belongs to `members` neighbouring threads, and each thread has `rows` of them. Along a row a thread has
/// `together` neighbours, and the next ones behind those of all members; down a column `rowsTogether`, and the next
/// ones behind those of all threads of its column.
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

/// As the results of matrix instructions lie (see MatrixShape.h).
constexpr RowLayout rowsOfMatrices{.rows = 2, .members = 4, .together = 2, .rowsTogether = 1};
/// Of all products by such instructions together: a thread has half a register of results for each.
constexpr int64_t mostColumnsOfMatrices = 288;

/// A layout for products that threads multiply and add element by element, each with `rowCount` rows and one of these
/// numbers of columns: the fewest bytes of workgroup memory for each multiplication, pieces of 16 of them, and
/// registers for all results. Nothing where none divides them.
std::optional<RowLayout> pickRowLayout(int64_t rowCount, llvm::ArrayRef<int64_t> columns);

/// How long a multiply-add of a product with so many columns takes in `layout`, by what it reads: 1 where workgroup
/// memory keeps up with the arithmetic, which is 16 of them for 16 bytes.
double costOfProduct(const RowLayout &layout, int64_t columns);

} // namespace fuselage
