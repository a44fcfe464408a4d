#include "core/codegen/MatrixInstructions.h"
#include "core/device/NvidiaChips.h"
#include "core/transforms/gpu/distribution/MatrixShape.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>

using llvm::StringRef;

namespace fuselage {

std::vector<std::string> matrixShapesOf(const TargetOptions &options) {
  const Stated<std::vector<std::string>> &stated = options.device.matrixShapes;
  std::vector<std::string> shapes;
  if (options.target == KernelTarget::Host)
    return shapes;
  if (options.target == KernelTarget::Spirv) {
    for (const std::string &shape : stated.value)
      if (isCooperativeShape(shape, options.device.subgroupSize.value) && !options.device.isSoftware())
        shapes.push_back(shape);
    return shapes;
  }
  for (const std::string &shape : matrixShapesOf(capabilityOf(options.chip)))
    if ((!stated.isKnown() || std::find(stated.value.begin(), stated.value.end(), shape) != stated.value.end()) &&
        (options.tf32 || !StringRef(shape).ends_with(" tf32")))
      shapes.push_back(shape);
  return shapes;
}

} // namespace fuselage
