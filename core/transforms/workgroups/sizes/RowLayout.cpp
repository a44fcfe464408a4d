#include "core/transforms/workgroups/sizes/RowLayout.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace fuselage {

/// For four iterations of K, a thread reads 16 bytes for each of its rows and for each of its columns. An operand that
/// other threads have in registers comes by shuffles of 4 bytes, which cost as much.
double costOfProduct(const RowLayout &layout, int64_t columns) {
  double mine = layout.columnsOfThread(columns);
  return std::max(1.0, 4 * (1 / mine + 1 / double(layout.rows)));
}

std::optional<RowLayout> pickRowLayout(int64_t rowCount, llvm::ArrayRef<int64_t> columns) {
  constexpr int64_t mostResults = 128, mostThreads = 256; // of a thread, of a workgroup
  std::optional<RowLayout> best;
  double least = 0;
  for (int64_t rows : {8, 4})
    for (int64_t members : {8, 16, 4}) {
      RowLayout layout{.rows = rows, .members = members, .together = 4, .rowsTogether = 4};
      int64_t results = 0;
      // A single subgroup leaves most of a unit idle.
      double cost = layout.threadsFor(rowCount) > RowLayout::subgroup ? 0 : 1.5;
      for (int64_t count : columns) {
        results += rows * layout.columnsOfThread(count);
        cost += costOfProduct(layout, count);
      }
      bool fits = llvm::all_of(columns, [&](int64_t count) { return layout.divides(rowCount, count); });
      if (!fits || results > mostResults || layout.threadsFor(rowCount) > mostThreads || (best && cost >= least))
        continue;
      best = layout;
      least = cost;
    }
  return best;
}

} // namespace fuselage
