#include "core/codegen/MatrixInstructions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>

using llvm::StringRef;

namespace fuselage {

unsigned capabilityOf(const std::string &chip) {
  StringRef name = chip;
  unsigned number = 0;
  return name.consume_front("sm_") && !name.consumeInteger(10, number) ? number : 0;
}

std::vector<std::string> matrixShapesOf(unsigned capability) {
  // Source: PTX ISA, mma.sync.
  if (capability < 80)
    return {};
  return {"m16n8k16 f16", "m16n8k16 bf16", "m16n8k8 tf32", "m16n8k32 s8"};
}

std::vector<std::string> matrixShapesOf(const TargetOptions &options) {
  if (options.target != KernelTarget::Ptx)
    return {};
  const Stated<std::vector<std::string>> &stated = options.device.matrixShapes;
  std::vector<std::string> shapes;
  for (const std::string &shape : matrixShapesOf(capabilityOf(options.chip)))
    if ((!stated.isKnown() || std::find(stated.value.begin(), stated.value.end(), shape) != stated.value.end()) &&
        (options.tf32 || !StringRef(shape).ends_with(" tf32")))
      shapes.push_back(shape);
  return shapes;
}

std::string matrixShapesOption(const TargetOptions &options) {
  std::vector<std::string> shapes = matrixShapesOf(options);
  for (std::string &shape : shapes)
    std::replace(shape.begin(), shape.end(), ' ', '_');
  return shapes.empty() ? "" : " matrix-shapes=" + llvm::join(shapes, ",");
}

std::string matrixTypesOption(const TargetOptions &options) {
  std::vector<std::string> types = matrixShapesOf(options);
  for (std::string &type : types)
    type = StringRef(type).split(' ').second.str();
  return types.empty() ? "" : " matrix-types=" + llvm::join(types, ",");
}

} // namespace fuselage
