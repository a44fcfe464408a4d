#include "core/transforms/gpu/WorkgroupAttributions.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace fuselage {

void allocateWorkgroupAttributions(gpu::GPUFuncOp kernel) {
  Block &entry = kernel.getBody().front();
  const unsigned first = kernel.getFunctionType().getNumInputs(), count = kernel.getNumWorkgroupAttributions();
  if (count == 0)
    return;
  auto builder = OpBuilder::atBlockBegin(&entry);
  for (unsigned number = first; number < first + count; ++number) {
    BlockArgument buffer = entry.getArgument(number);
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (!type || !type.hasStaticShape())
      return; // nobody writes such
    buffer.replaceAllUsesWith(memref::AllocOp::create(builder, kernel.getLoc(), type));
  }
  entry.eraseArguments(first, count);
  kernel->setAttr(gpu::GPUFuncOp::getNumWorkgroupAttributionsAttrName(), builder.getI64IntegerAttr(0));
  kernel->removeAttr("workgroup_attrib_attrs");
}

} // namespace fuselage
