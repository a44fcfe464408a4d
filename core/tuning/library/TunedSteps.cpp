#include "core/tuning/library/TunedSteps.h"
#include "core/run/RunProgram.h"
#include "core/runtime/device/Device.h"
#include "core/support/ResultErrors.h"
#include "core/transforms/attention/AttentionSizes.h"
#include "core/transforms/workgroups/KernelPlan.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage::tune {

/// Returns the pass that requests the sizes of dispatch `number`, which are on its shaping op or its attention.
static std::string passText(unsigned number, mlir::func::FuncOp dispatch) {
  auto attention = attentionIn(dispatch);
  mlir::linalg::LinalgOp shaping = attention ? nullptr : shapingOp(dispatch);
  mlir::Operation *op = attention ? attention->op.getOperation() : shaping.getOperation();
  llvm::SmallVector<int64_t> loops = attention ? attention->op.getStaticLoopRanges() : shaping.getStaticLoopRanges();
  auto list = [](llvm::StringRef name, llvm::ArrayRef<int64_t> sizes) {
    std::string text = sizes.empty() ? "" : " " + name.str() + "=";
    for (auto [index, size] : llvm::enumerate(sizes))
      text += (index ? "," : "") + std::to_string(size);
    return text;
  };
  TilingConfig config = readTilingConfig(op);
  return "fuselage-request-sizes{dispatch=" + std::to_string(number) + list("loops", loops) +
         list("workgroup", config.workgroup) + list("reduction", config.reduction) + list("split", config.split) + "}";
}

static TunedSteps stepsOf(const Device &device, const TunedDispatches &tuned, llvm::ArrayRef<std::string> passes,
                          size_t total) {
  const DeviceInfo &info = device.info();
  std::string where = info.name + (info.driver.empty() ? "" : ", driver " + info.driver);
  std::string many = std::to_string(passes.size()) + " of " + std::to_string(total) +
                     (total == 1 ? " dispatch has" : " dispatches have");
  return {
      .target = device.targetOptions(),
      .step = {.title = "Request tuned sizes",
               .pipeline = "builtin.module(" + llvm::join(passes, ",") + ")",
               .teaches =
                   many +
                   " sizes here that were measured to be faster than those that the next steps would choose, on " +
                   where +
                   ", the target device of this recording. An attribute on the op that shapes the kernel requests "
                   "them, and the next steps use it. Look at fuselage.tiling: workgroup is the tile of a workgroup per "
                   "loop, reduction the serial steps of its reduction; for attention they are queries and keys."},
      .note = many + " the sizes that were tuned on " + where + ": '" + tuned.source() +
              "'; kernels are for that device; --tuned none leaves both to the pipeline"};
}

std::optional<TunedSteps> tunedSteps(mlir::ModuleOp module, const TunedDispatches &tuned, llvm::StringRef target) {
  llvm::StringRef kind = target == "ptx" ? "cuda:" : "vulkan:";
  std::vector<DeviceInfo> devices = tuned.isEmpty() ? std::vector<DeviceInfo>() : listDevices();
  llvm::erase_if(devices, [&](const DeviceInfo &device) {
    return !llvm::StringRef(device.id).starts_with(kind) || !tuned.knows(device);
  });
  auto functions = module.getOps<mlir::func::FuncOp>();
  if (devices.empty() || functions.empty())
    return std::nullopt;
  std::vector<Diagnostic> remarks;
  auto program =
      formRunProgram(mlir::OwningOpRef<mlir::ModuleOp>(module.clone()), (*functions.begin()).getName(), remarks);
  if (!program) {
    llvm::consumeError(program.takeError());
    return std::nullopt;
  }
  for (const DeviceInfo &info : devices) {
    std::vector<std::string> passes;
    for (auto [number, dispatch] : llvm::enumerate(program->dispatches))
      if (tuned.apply(dispatch, info))
        passes.push_back(passText(number, dispatch));
    if (passes.empty())
      continue;
    auto device = openDevice(info.id);
    if (device)
      return stepsOf(**device, tuned, passes, program->dispatches.size());
    llvm::consumeError(device.takeError());
  }
  return std::nullopt;
}

} // namespace fuselage::tune
