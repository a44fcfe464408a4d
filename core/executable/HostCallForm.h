// How machine code of the host is called.
#pragma once
#include "core/executable/HostLimits.h"
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace fuselage {

/// A size that only the call knows.
inline constexpr int64_t kUnknownSize = std::numeric_limits<int64_t>::min();

/// A value that a function takes or gives.
struct HostValueForm {
  enum class Kind {
    Scalar,
    Complex, ///< two numbers, each of half the bytes
    Tensor,  ///< a pointer to the descriptor of a ranked memref
    Unknown, ///< none of these: nothing can be passed
  };
  Kind kind = Kind::Unknown;
  unsigned elementBytes = 0;    ///< in host memory
  std::vector<int64_t> shape{}; ///< of a tensor

  bool isTensor() const { return kind == Kind::Tensor; }
};

struct HostFunctionForm {
  std::vector<HostValueForm> arguments, results;
};

/// Of an object: its functions by the names that the module gave them.
struct HostCallForm {
  std::map<std::string, HostFunctionForm, std::less<>> functions;
  unsigned threads = 1; ///< that its work was cut for, the caller's among them
  HostLimits limits{};  ///< of one call
};

} // namespace fuselage
