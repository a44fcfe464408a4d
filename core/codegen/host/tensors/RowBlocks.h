// Ops that go over the same rows, one block of rows after the other.
#pragma once
#include "core/codegen/host/kernels/HostTarget.h"
#include "mlir/IR/BuiltinOps.h"
#include <vector>

namespace fuselage {

/// The blocks that ops over the same rows can have.
struct RowBlocks {
  int64_t rows = 0;                   ///< of all blocks together
  int64_t bytesOfRow = 0;             ///< that the ops read and write for one row
  int64_t mostBytes = 0;              ///< of a block: half of the L2 cache
  llvm::SmallVector<int64_t> sizes{}; ///< in rows, ascending: boxes that divide the rows' loops; last `rows`

  bool fits(int64_t size) const { return llvm::is_contained(sizes, size) && size * bytesOfRow <= mostBytes; }
};

/// In place, on tensors: what reads the same rows again, such as the maximum, the sum and the quotient of a softmax,
/// becomes an scf.forall over blocks of rows that a cache of one processor holds, with all of it inside (see
/// tileAndFuse). Rows are the parallel loops that all of the ops have, sums included, so that nothing is computed
/// twice. Products and windows are left alone, and so are ops with requested sizes (TilingConfig::host), but for those
/// that request the rows of a block: theirs have as many if they fit, and no loop is made for all rows. `requested`
/// gets the blocks that each group of ops with such a request can have.
void blockRows(mlir::ModuleOp module, const HostTarget &target, std::vector<RowBlocks> *requested = nullptr);

} // namespace fuselage
