// What One-Shot Bufferize would copy in a function.
#pragma once
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <string>
#include <vector>

namespace fuselage {

/// An operand that is not written in place.
struct BufferCopy {
  mlir::OpOperand *operand;
  std::string why;
  bool isRead; ///< the copy has the operand's elements; else it is a place to write to
};

struct BufferCopies {
  std::vector<BufferCopy> copies;    ///< in program order
  std::vector<std::string> problems; ///< why the function cannot be bufferized
};

/// Asks the analysis about the function alone: other functions are known by their signatures, so that a call is taken
/// to read and write what it is given. Nothing changes.
BufferCopies findBufferCopies(mlir::FunctionOpInterface function);

} // namespace fuselage
