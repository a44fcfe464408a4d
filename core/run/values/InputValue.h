// What a run is told to take for an argument.
#pragma once
#include "core/run/values/RandomInputs.h"
#include "llvm/ADT/BitVector.h"
#include <atomic>
#include <map>
#include <optional>

namespace fuselage {

/// An argument and where it came from.
struct InputValue {
  HostTensor tensor{};
  std::string source{}; ///< "random", "zeros", "@x.npy", "5"
  std::string note{};   ///< in words what was made of it

  /// Somebody said what its values are, in a file or of a scalar, so that all that follows from them is intended.
  bool isGiven() const;
};

/// How to make arguments, by name ("arg0"): "random", "integers" (whole numbers from -4 to 4: sums of them are exact in
/// any order), "zeros", "ones", "iota" (0, 1, 2, .. in row-major
/// order), a number or "true" or "false" for all elements, "@x.npy" for a file's. What is not named is
/// taken from `given`, by number, if it is there, else random. Failure: an argument that does not exist, a value that
/// its type does not hold or that the program asserts not to be given, a file that does not fit; the sentence names the
/// argument, its type and what it takes; "cancelled" once that is true. Of arguments that are not `wanted` (null: all
/// are) the tensors stay empty.
llvm::Expected<std::vector<InputValue>> makeInputs(mlir::func::FuncOp function, uint64_t seed,
                                                   const std::map<std::string, std::string> &how,
                                                   std::vector<std::optional<InputValue>> given = {},
                                                   const std::atomic<bool> *cancelled = nullptr,
                                                   const llvm::BitVector *wanted = nullptr);

/// A complaint about the form of "arg0=zeros", or empty.
std::string checkInputForm(llvm::StringRef name, llvm::StringRef how);

} // namespace fuselage
