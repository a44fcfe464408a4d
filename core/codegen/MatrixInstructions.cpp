#include "core/codegen/MatrixInstructions.h"
#include "core/transforms/gpu/distribution/MatrixShape.h"
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
  const Stated<std::vector<std::string>> &stated = options.device.matrixShapes;
  std::vector<std::string> shapes;
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

std::string matrixShapesOption(const TargetOptions &options) {
  std::vector<std::string> shapes = matrixShapesOf(options);
  for (std::string &shape : shapes)
    std::replace(shape.begin(), shape.end(), ' ', '_');
  if (shapes.empty())
    return "";
  std::string list = llvm::join(shapes, ",");
  return options.target == KernelTarget::Ptx
             ? " matrix-shapes=" + list
             : " cooperative-shapes=" + list + " subgroup=" + std::to_string(options.device.subgroupSize.value);
}

std::vector<std::string> matrixTypesOf(const TargetOptions &options) {
  std::vector<std::string> types = matrixShapesOf(options);
  for (std::string &type : types)
    type = StringRef(type).split(' ').second.str();
  types.erase(std::unique(types.begin(), types.end()), types.end());
  return types;
}

std::string matrixTypesOption(const TargetOptions &options) {
  std::vector<std::string> types = matrixTypesOf(options);
  return types.empty() ? "" : " matrix-types=" + llvm::join(types, ",");
}

} // namespace fuselage
