#include "core/tuning/dispatch/RequestedDispatch.h"
#include "core/codegen/Codegen.h"
#include "core/codegen/Targets.h"
#include "core/codegen/host/Isolate.h"
#include "core/device/HostProcessor.h"
#include "core/dialects/device/DeviceAttr.h"
#include "core/ir/module/RunPipeline.h"
#include "core/transforms/dispatch/DispatchBody.h"

using namespace mlir;

namespace fuselage::tune {

/// Steps of codegenSteps() that follow sizes on tensors.
static constexpr size_t kTilingSteps = 3;

llvm::Expected<RequestedDispatch> runRequested(func::FuncOp dispatch, const RequestedSizes &sizes,
                                               const DeviceModel &device) {
  RequestedDispatch made;
  made.before = isolateFunction(dispatch);
  auto copy = made.before->lookupSymbol<func::FuncOp>(dispatch.getName());
  if (!copy)
    return fail("@" + dispatch.getName().str() + " cannot be copied");
  if (!copy->hasAttr(kDispatchAttr))
    copy->setAttr(kDispatchAttr, Builder(copy.getContext()).getIndexAttr(0));
  bool isHost = fuselage::isHost(device);
  if (isHost)
    made.after = made.before->clone();
  if (!requestSizes(isHost ? made.after->lookupSymbol<func::FuncOp>(dispatch.getName()) : copy, sizes))
    return fail("@" + dispatch.getName().str() + " does not take these sizes");
  if (isHost) {
    made.title = "Ask for sizes";
    return made;
  }
  auto target = targetFor(device);
  if (!target)
    return target.takeError();
  made.after = made.before->clone();
  setDevice(*made.after, kernelDevice(*target));
  std::vector<PipelineStep> steps = codegenSteps(*target);
  for (const PipelineStep &step : llvm::ArrayRef(steps).take_front(kTilingSteps)) {
    if (llvm::Error error = runPipeline(*made.after, step.pipeline, "'" + step.title + "' failed"))
      return error;
    made.title += (made.title.empty() ? "" : ", ") + step.title;
  }
  (*made.after)->removeAttr(kDeviceAttr);
  return made;
}

} // namespace fuselage::tune
