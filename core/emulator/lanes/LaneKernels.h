// Operations on one element of many threads: loops over arrays.
#pragma once
#include "core/emulator/lanes/ElementForm.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace fuselage::emulator {

/// Arrays of `count` lanes each, of floats, doubles or words by the forms of the operands. Operands that an operation
/// does not have are those of another one.
struct LaneCall {
  void *result;
  const void *a, *b, *c;
  size_t count;
  uint64_t parameter; ///< as laneOperation() gave it
};

/// Computes a result for every lane, for those too whose thread does not take part: nothing traps, whatever the values.
struct LaneOperation {
  void (*run)(const LaneCall &call) = nullptr;
  uint64_t parameter = 0;
  explicit operator bool() const { return run != nullptr; }
};

/// Of an op of arith or math by its name, on operands and a result of these forms; false: there is none.
LaneOperation laneOperation(llvm::StringRef name, llvm::ArrayRef<ElementForm> operands, const ElementForm &result);

LaneOperation floatOperation(llvm::StringRef name, const ElementForm &form);
LaneOperation integerOperation(llvm::StringRef name, const ElementForm &form);
LaneOperation conversion(llvm::StringRef name, const ElementForm &from, const ElementForm &to);
/// By the number of an arith::CmpIPredicate or arith::CmpFPredicate.
LaneOperation comparison(uint64_t predicate, const ElementForm &form);
/// The second operand where the first is true, else the third.
LaneOperation selection(const ElementForm &form);

} // namespace fuselage::emulator
