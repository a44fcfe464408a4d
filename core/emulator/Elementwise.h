// The same operation on each element of vectors.
#pragma once
#include "core/emulator/Program.h"
#include "core/emulator/lanes/LaneKernels.h"

namespace fuselage::emulator {

class Elementwise : public Instruction {
public:
  Elementwise(const LaneOperation &operation, ElementIds result, llvm::ArrayRef<ElementIds> operands);
  void run(Machine &machine) const override;
  llvm::ArrayRef<ElementId> result() const { return result_; }

private:
  LaneOperation operation_;
  ElementIds result_, operands_[3];
  bool isContiguous_; ///< the elements of each lie one after the other
};

} // namespace fuselage::emulator
