// NumPy's files of one array (.npy), as numpy.lib.format describes them.
#pragma once
#include "core/run/values/HostTensor.h"

namespace fuselage {

/// What stands before the data.
struct NpyHeader {
  char kind = 0;        ///< 'f', 'i', 'u', 'b' (bool) or 'c' (complex)
  unsigned bytes = 0;   ///< of an element
  bool swapped = false; ///< big-endian
  bool fortran = false; ///< the first index runs fastest
  std::vector<int64_t> shape{};
  uint64_t dataOffset = 0;

  std::string typeName() const; ///< "float32", "bool"
  int64_t elementCount() const; ///< saturates
};

/// Reads the header off the front of a file of `fileBytes` bytes. Failure: it is no .npy file, one of
/// another version, of a type that has no counterpart here (objects, records, strings, dates), or it is
/// shorter than its header says.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef front, uint64_t fileBytes);

/// The shape of the array in a regular file. Failure: what is wrong with it.
llvm::Expected<std::vector<int64_t>> readNpyShape(llvm::StringRef path);

/// The array in a regular file as a value of `type`, a static tensor or a scalar. The shape has to agree,
/// and the type to hold the same numbers: float32 for f32, also for narrower floats that NumPy lacks
/// (bf16, f8: they are rounded), bool for i1, int32 or uint32 for i32, int8 for i4, int64 for index.
/// Failure: the path and what is wrong with it.
llvm::Expected<HostTensor> readNpy(llvm::StringRef path, mlir::Type type);

/// What a .npy file holds for this value; floats that NumPy lacks are written as float32, or as float64
/// where they are wider than 32 bits, integers that it lacks as the next wider ones. Failure: integers of
/// more than 64 bits.
llvm::Expected<std::string> npyBytes(const HostTensor &tensor);

/// The NumPy type that an element is written as: "float32"; empty where there is none.
std::string npyTypeName(mlir::Type elementType);

} // namespace fuselage
