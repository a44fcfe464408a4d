// How an element of a value is held in a thread's lane, and how it lies in memory.
#pragma once
#include "mlir/IR/Types.h"
#include "llvm/ADT/APFloat.h"
#include <optional>

namespace fuselage::emulator {

/// Integers of up to 64 bits are words with their upper bits clear (index has 64), f64 is a double; narrower floats are
/// held as the float of the same value, and rounded to their own after each operation. In memory each element takes the
/// next power of two of bytes, as in core/run/values/HostTensor.h.
struct ElementForm {
  enum class Kind : uint8_t { Integer, F64, F32, F16, BF16, Narrow };
  Kind kind = Kind::Integer;
  unsigned bits = 64;
  unsigned bytes = 8;
  const llvm::fltSemantics *semantics = nullptr; ///< of floats

  bool isFloat() const { return kind != Kind::Integer; }
  /// Whether a lane takes 8 bytes, where others take 4.
  bool isWide() const { return kind == Kind::Integer || kind == Kind::F64; }
  uint64_t mask() const { return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1; }
};

/// Of a scalar type, or of the elements of a vector or of a subgroup's matrix; nullopt: there is no form of it (complex
/// numbers, integers beyond 64 bits, f80).
std::optional<ElementForm> formOf(mlir::Type type);

/// Elements of a vector, or of a subgroup's matrix that a thread holds; 1 of a scalar; nullopt: nobody knows
/// (scalable), or more than are held (2^12).
std::optional<unsigned> elementCount(mlir::Type type, unsigned subgroupSize = 32);

} // namespace fuselage::emulator
