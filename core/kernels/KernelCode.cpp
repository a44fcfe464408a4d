#include "core/kernels/KernelCode.h"
#include "core/codegen/Targets.h"
#include "core/device/NvidiaChips.h"
#include "core/kernels/KernelForms.h"
#include "core/kernels/ListingWriter.h"
#include "core/kernels/Occupancy.h"
#include "core/run/Specialize.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include "core/transforms/workgroups/reductions/PartialResults.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace fuselage {

llvm::Expected<RunProgram> formKernelProgram(ModuleOp module, StringRef function, ArgumentSizes sizes,
                                             std::vector<Diagnostic> &remarks) {
  auto picked = pickFunction(module, function);
  if (!picked)
    return picked.takeError();
  auto sized = specializeWithDefaults(*picked, std::move(sizes), remarks);
  if (!sized)
    return sized.takeError();
  return formRunProgram(std::move(*sized), picked->getName(), remarks);
}

StringRef nativeStage(KernelForm form) { return form == KernelForm::Host ? "asm" : kernelFormNames[unsigned(form)]; }

bool hasStage(KernelForm form, StringRef stage) {
  switch (form) {
  case KernelForm::Spirv:
    return llvm::is_contained({"linalg", "mapped", "spirv", "glsl"}, stage);
  case KernelForm::Ptx:
    return llvm::is_contained({"linalg", "mapped", "llvm", "ptx", "sass"}, stage);
  case KernelForm::Host:
    return llvm::is_contained({"linalg", "llvm", "asm"}, stage);
  }
  return false;
}

StringRef stageExtension(StringRef stage) {
  constexpr std::pair<StringRef, StringRef> extensions[] = {
      {"linalg", ".mlir"}, {"mapped", ".mlir"}, {"spirv", ".spvasm"}, {"glsl", ".comp"},
      {"llvm", ".ll"},     {"ptx", ".ptx"},     {"sass", ".sass"},    {"asm", ".s"}};
  for (auto [known, extension] : extensions)
    if (known == stage)
      return extension;
  return ".txt";
}

llvm::Error noteFailure(message::KernelCode<> &code, StringRef what, llvm::Error error,
                        const KernelCodeOptions &options) {
  if (options.cancelled && options.cancelled->load()) {
    llvm::consumeError(std::move(error));
    return fail("cancelled");
  }
  code.missing.push_back((what + ": " + takeFailure(std::move(error)).message).str());
  return llvm::Error::success();
}

llvm::Expected<TargetOptions> targetOptionsOf(const KernelCodeOptions &options) {
  if (options.target) {
    TargetOptions ofDevice = *options.target;
    ofDevice.tf32 |= options.tf32;
    return ofDevice;
  }
  auto target = targetByName(options.form == KernelForm::Ptx ? "ptx" : "spirv");
  if (!target || target->target != KernelTarget::Ptx)
    return target;
  unsigned capability = 0;
  StringRef number = options.chip;
  if (!number.consume_front("sm_") || number.consumeInteger(10, capability) || capability < 50 || capability > 999 ||
      !(number.empty() || number == "a" || number == "f"))
    return fail("'" + options.chip + "' is no chip of NVIDIA's: such are sm_80, sm_90 and sm_120");
  target->chip = options.chip;
  target->tf32 = options.tf32;
  target->features = ptxFeatureOf(options.chip);
  if (auto chip = chipLimits(options.chip)) {
    const char *source = "CUDA C++ Programming Guide";
    target->device.kind = {DeviceKind::Discrete, source};
    target->device.workgroupBytes = {48 * 1024, source};
    target->device.workgroupBytesOptIn = {int64_t(chip->sharedBytesOfBlock), source};
    target->device.unitWorkgroupBytes = {int64_t(chip->sharedBytes), source};
    target->device.registersPerUnit = {int64_t(chip->registers), source};
    target->device.registersPerThread = {255, source};
    target->device.maxThreads = {1024, source};
  }
  return target;
}

static void addFixedFacts(KernelCodeParts &parts) {
  for (const CompiledKernel &kernel : parts.compiled.kernels) {
    message::KernelUnit<> unit;
    unit.entry = kernel.entry;
    unit.grid.assign(kernel.grid.begin(), kernel.grid.end());
    unit.block.assign(kernel.block.begin(), kernel.block.end());
    uint64_t threads = uint64_t(kernel.block[0]) * kernel.block[1] * kernel.block[2];
    unit.facts.push_back({.key = "threads",
                          .label = "threads a workgroup",
                          .value = std::to_string(threads),
                          .number = double(threads),
                          .how = "as it is launched"});
    unit.facts.push_back({.key = "workgroup_memory",
                          .label = "workgroup memory",
                          .value = std::to_string(kernel.sharedBytes) + " B",
                          .number = double(kernel.sharedBytes),
                          .how = "declared in the kernel, or given by the launch"});
    parts.code.kernels.push_back(std::move(unit));
  }
}

/// Kernels whose workgroups share a reduction.
static void addSharing(KernelCodeParts &parts) {
  std::vector<gpu::LaunchOp> launches;
  (*parts.forms.mapped)->walk([&](gpu::LaunchOp launch) { launches.push_back(launch); });
  if (launches.size() != parts.code.kernels.size())
    return;
  for (auto [launch, unit] : llvm::zip_equal(launches, parts.code.kernels))
    if (auto count = launch->getAttrOfType<IntegerAttr>(kSplitsAttr))
      unit.facts.push_back(
          {.key = "workgroups_of_tile",
           .label = "workgroups that share a tile",
           .value = std::to_string(count.getInt()) + ", a part of its K dimension each",
           .number = double(count.getInt()),
           .how = "chosen where tiles are fewer than multiprocessors; another kernel adds up what they store"});
}

static llvm::Error addDeviceForms(message::KernelCode<> &code, func::FuncOp dispatch,
                                  const KernelCodeOptions &options) {
  auto target = targetOptionsOf(options);
  if (!target)
    return target.takeError();
  if (target->target == KernelTarget::Ptx)
    code.chip = target->chip;
  CapturedForms forms;
  DiagnosticCapture capture(*dispatch.getContext());
  auto compiled = compileDispatch(dispatch, *target, &forms);
  if (!compiled)
    return compiled.takeError();
  for (const Diagnostic &said : capture.take())
    code.missing.push_back(said.message);
  KernelCodeParts parts{code, *compiled, forms, *target, options};
  addFixedFacts(parts);
  addSharing(parts);
  addTraffic(parts);
  addAccessFacts(parts);
  code.listings.push_back(
      listModule(*forms.mapped).take("mapped", "after mapping to workgroups and threads", "", "Fuselage"));
  return options.form == KernelForm::Ptx ? addPtxForms(parts) : addSpirvForms(parts);
}

/// Ops of a structured op's body are made without a place: they come from where that does.
static void placeBodies(Operation *root) {
  root->walk<WalkOrder::PreOrder>([](Operation *op) {
    Operation *parent = op->getParentOp();
    if (parent && positionOf(op->getLoc()).line == 0 && !isa<ModuleOp, func::FuncOp>(parent))
      op->setLoc(parent->getLoc());
  });
}

llvm::Expected<message::KernelCode<>> kernelCode(func::FuncOp dispatch, const KernelCodeOptions &options) {
  message::KernelCode<> code;
  code.dispatch = dispatch.getName().str();
  if (auto index = dispatch->getAttrOfType<IntegerAttr>(kDispatchAttr))
    code.index = index.getInt();
  if (Operation *root = findDispatchRoot(dispatch))
    code.loc = formatPosition(positionOf(root->getLoc()));
  code.target = kernelFormNames[unsigned(options.form)];
  OwningOpRef<ModuleOp> alone = ModuleOp::create(dispatch.getLoc());
  auto copy = dispatch.clone();
  alone->push_back(copy);
  placeBodies(*alone);
  code.listings.push_back(listModule(*alone).take("linalg", "as it goes into code generation", "", "Fuselage"));
  llvm::Error error =
      options.form == KernelForm::Host ? addHostForms(code, dispatch) : addDeviceForms(code, copy, options);
  if (error)
    return error;
  return code;
}

} // namespace fuselage
