// What is wrong with a kernel, found while it ran.
#pragma once
#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"
#include <array>
#include <string>
#include <vector>

namespace fuselage::emulator {

enum class FindingKind {
  WriteWrite,       ///< two threads write one place, with nothing in between that orders them
  ReadWrite,        ///< one reads, another one writes
  OutOfBounds,      ///< outside of the buffer
  OutOfView,        ///< inside of the buffer, but outside of a dimension of the view that is indexed
  Uninitialised,    ///< nobody has written what is read
  PendingCopy,      ///< touches what an asynchronous copy, which was not waited for, writes
  DivergentBarrier, ///< not all threads of the workgroup reach it
  InactiveLane,     ///< an operation of a subgroup takes the value of a thread that does not take part
  Misaligned,       ///< an address that the instruction does not take
  DivisionByZero,   ///< or the least number by -1
};
/// "write-write race": the same for programs and people.
llvm::StringRef nameOf(FindingKind kind);

/// What one thread did. Of its workgroup and within it, numbers in a row, x first.
struct FindingPlace {
  mlir::Operation *op = nullptr;
  int64_t thread = -1, workgroup = -1; ///< -1: not of a single one
};

struct Finding {
  FindingKind kind;
  FindingPlace first, second{}; ///< `second` has no op where only one is involved
  std::string buffer{};
  std::vector<int64_t> index{}; ///< of the element in the buffer; empty: unknown
  std::string detail{};         ///< "the values are equal", "dimension 1 has 32 elements"
  std::array<int64_t, 3> grid{}, block{};
  uint64_t count = 1;
};

/// Findings of the same kind at the same pair of ops are one, and counted.
class Findings {
public:
  /// Whether such a finding is new; if not it is counted.
  bool isNew(FindingKind kind, mlir::Operation *first, mlir::Operation *second);
  void add(Finding finding);
  bool empty() const { return found_.empty(); }
  /// In the order in which they were found.
  std::vector<Finding> take();
  /// Different ones beyond the first 200 are not kept.
  uint64_t dropped() const { return dropped_; }

private:
  using Key = std::pair<unsigned, std::pair<mlir::Operation *, mlir::Operation *>>;
  llvm::MapVector<Key, Finding> found_;
  uint64_t dropped_ = 0;
};

} // namespace fuselage::emulator
