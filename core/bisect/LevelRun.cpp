#include "core/bisect/LevelRun.h"
#include "core/bisect/BufferEntry.h"
#include "core/bisect/DeviceRun.h"
#include "core/bisect/LoweredModule.h"
#include "core/codegen/host/HostLowering.h"
#include "core/emulator/Emulator.h"
#include "core/ir/module/RunPipeline.h"
#include "core/run/Specialize.h"
#include "core/run/reference/HostProgram.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <cstring>

using namespace mlir;

namespace fuselage {
namespace {

constexpr char kTooLongForEmulator[] = "its kernels take too long for the emulator";

/// Whether an op of a kind is anywhere under `root`.
template <typename... Ops> bool has(Operation *root) {
  return root->walk([](Operation *op) { return isa<Ops...>(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

bool launchesKernels(ModuleOp module) { return has<gpu::LaunchOp, gpu::LaunchFuncOp>(module); }

bool hasTensors(Operation *root) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return root
      ->walk([&](Operation *op) {
        return llvm::any_of(op->getResultTypes(), isTensor) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// A failed call: a fault of the program, or of whoever wants to run it.
llvm::Expected<LevelRun> faultOf(std::string message) {
  if (!isStopOnHost(message))
    return fail(std::move(message));
  return LevelRun{.outputs = {}, .fault = std::move(message)};
}

HostLimits limitsFor(const HostReference &reference) {
  // Loops that nobody ordered take longer than those of the reference.
  constexpr unsigned slower = 4;
  HostLimits limits = reference.limits();
  limits.seconds *= slower;
  limits.bytes *= 2;
  return limits;
}

llvm::Expected<LevelRun> callCompiled(const CompiledLevel &compiled, const HostReference &reference) {
  constexpr uint8_t unwritten = 0x7f; // a large number of any type: who reads it does not get what is expected
  auto results =
      measureOnHost(*compiled.code, compiled.function, llvm::map_to_vector(reference.arguments(), hostValueOf),
                    RepeatPlan({.repeat = 1, .warmup = 0}),
                    {.fill = unwritten, .coldCaches = false, .cancelled = reference.options().cancelled});
  if (!results)
    return faultOf(results.takeError().message());
  LevelRun run;
  for (auto [expected, value] : llvm::zip_equal(reference.expected(), results->values))
    run.outputs.push_back(hostTensorOf(expected.type(), value));
  return run;
}

llvm::Expected<CompiledLevel> loaded(llvm::Expected<HostCompilation> compiled, std::string function) {
  if (!compiled)
    return compiled.takeError();
  auto code = HostCode::load(compiled->object, compiled->form);
  if (!code)
    return code.takeError();
  return CompiledLevel{.code = std::move(*code), .function = std::move(function)};
}

llvm::Expected<CompiledLevel> compileOnBuffers(ModuleOp module, const HostReference &reference) {
  auto entry = buildBufferEntry(module, reference.options().function, signatureOf(reference), EntryResults::Returned);
  if (!entry)
    return entry.takeError();
  if (hasTensors(**entry))
    if (llvm::Error error = lowerTensorsToMemRefs(**entry, {}))
      return std::move(error);
  HostCompileOptions options;
  options.limits = limitsFor(reference);
  options.takesLlvm = has<LLVM::LLVMFuncOp>(**entry);
  if (options.takesLlvm)
    useHostAllocator(**entry);
  return loaded(compileMemRefsForHost(**entry, options), kBufferEntry);
}

/// Makes what stands around kernels something that the emulator knows, as one function.
llvm::Error prepareForEmulator(ModuleOp module) {
  bool isNested = false;
  module.walk([&](gpu::LaunchOp launch) { isNested |= has<scf::ForallOp, scf::ParallelOp>(launch); });
  if (isNested)
    return fail("threads of a kernel are still to be mapped");
  std::string passes = "inline,convert-linalg-to-loops,scf-forall-to-for,scf-parallel-for-to-nested-fors";
  if (has<affine::AffineForOp, affine::AffineIfOp, affine::AffineLoadOp, affine::AffineStoreOp,
          affine::AffineParallelOp, affine::AffineDelinearizeIndexOp, affine::AffineLinearizeIndexOp,
          affine::AffineVectorLoadOp, affine::AffineVectorStoreOp>(module))
    passes += ",affine-expand-index-ops,lower-affine";
  return runPipeline(module, "builtin.module(" + passes + ",canonicalize)",
                     "what stands around the kernels cannot be prepared for the emulator");
}

/// "a data race at memref.store: ...".
std::string sentenceOf(const emulator::Finding &finding) {
  std::string text = "a kernel is wrong, by the emulator: " + nameOf(finding.kind).str();
  if (finding.first.op)
    text += " at " + finding.first.op->getName().getStringRef().str();
  return finding.detail.empty() ? text : text + ": " + finding.detail;
}

/// Values of the reference, in memory that kernels may write to.
llvm::Expected<std::vector<HostTensor>> copiesOf(ArrayRef<HostTensor> values, bool filled) {
  std::vector<HostTensor> copies;
  for (const HostTensor &value : values) {
    auto copy = HostTensor::create(value.type());
    if (!copy)
      return copy.takeError();
    if (filled && value.byteCount() != 0)
      std::memcpy(copy->data(), value.data(), value.byteCount());
    copies.push_back(std::move(*copy));
  }
  return copies;
}

/// Runs kernels of a function that prepareForEmulator() has seen. `accesses`: that were checked.
llvm::Expected<LevelRun> runOnEmulator(ModuleOp entry, const HostReference &reference, uint64_t &accesses) {
  auto inputs = copiesOf(reference.arguments(), true), outputs = copiesOf(reference.expected(), false);
  if (!inputs)
    return llvm::joinErrors(inputs.takeError(), outputs ? llvm::Error::success() : outputs.takeError());
  if (!outputs)
    return outputs.takeError();
  std::vector<emulator::EmulatedArgument> arguments;
  for (const HostTensor &value : *inputs)
    arguments.push_back({"an argument", value.data(), value.byteCount(), true});
  for (const HostTensor &value : *outputs)
    arguments.push_back({"a result", value.data(), value.byteCount(), false});
  emulator::EmulationOptions how{.cancelled = reference.options().cancelled};
  how.budget = 30'000'000'000; // half a minute
  auto emulation = emulator::emulate(entry.lookupSymbol<func::FuncOp>(kBufferEntry), arguments, how);
  if (!emulation)
    return emulation.takeError();
  accesses = emulation->accesses;
  LevelRun run{.outputs = std::move(*outputs), .fault = {}};
  if (!emulation->findings.empty())
    run.fault = sentenceOf(emulation->findings.front());
  else if (!emulation->isWhole)
    return fail(kTooLongForEmulator);
  return run;
}

/// Whether the function takes and gives tensors and scalars alone, and its body has no buffers, so that
/// HostReference::check() runs it.
bool isOnTensors(ModuleOp module, StringRef name) {
  auto picked = pickFunction(module, name);
  if (!picked) {
    llvm::consumeError(picked.takeError());
    return false;
  }
  auto isBuffer = [](Type type) { return isa<BaseMemRefType>(type); };
  FunctionType type = picked->getFunctionType();
  if (llvm::any_of(type.getInputs(), isBuffer) || llvm::any_of(type.getResults(), isBuffer))
    return false;
  return !picked
              ->walk([&](Operation *op) {
                return llvm::any_of(op->getResultTypes(), isBuffer) ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

} // namespace

llvm::Expected<CompiledLevel> compileLevel(ModuleOp module, const HostReference &reference) {
  DiagnosticCapture capture(*module.getContext());
  if (launchesKernels(module))
    return fail("the host runs no kernels");
  auto isBuffer = [](Type type) { return isa<BaseMemRefType>(type); };
  auto function = pickFunction(module, reference.options().function);
  if (!function) {
    llvm::consumeError(function.takeError());
  } else if (llvm::none_of(function->getFunctionType().getInputs(), isBuffer) && hasTensors(*function)) {
    auto program = specialize(*function, reference.options().sizes); // the function and what it calls, no more
    if (!program)
      return program.takeError();
    HostCompileOptions options;
    options.limits = limitsFor(reference);
    return loaded(compileForHost(**program, options), reference.options().function);
  }
  return compileOnBuffers(module, reference);
}

llvm::Expected<LevelChecker::Run> LevelChecker::prepareForEmulator(const HostReference &reference) {
  auto entry =
      buildBufferEntry(module_, reference.options().function, signatureOf(reference), EntryResults::InLastArguments);
  if (!entry)
    return entry.takeError();
  if (llvm::Error error = fuselage::prepareForEmulator(**entry))
    return std::move(error);
  auto kept = std::make_shared<OwningOpRef<ModuleOp>>(std::move(*entry));
  return Run([this, kept](const HostReference &values) {
    constexpr uint64_t many = 100'000'000; // some seconds
    uint64_t accesses = 0;
    auto run = runOnEmulator(**kept, values, accesses);
    isSlow_ = accesses > many;
    return run;
  });
}

llvm::Expected<LevelChecker::Run> LevelChecker::prepare(const HostReference &reference) {
  if (launchesKernels(module_) && hasDeviceKernels(module_)) {
    auto dispatch = compileForDevice(module_, reference);
    if (!dispatch)
      return dispatch.takeError();
    dispatch->flops = flops_;
    return Run([kept = std::move(*dispatch)](const HostReference &values) { return runOnDevice(kept, values); });
  }
  if (launchesKernels(module_)) {
    constexpr int64_t many = 6'000'000'000; // half a minute
    if (flops_ > many)
      return fail(kTooLongForEmulator);
    return prepareForEmulator(reference);
  }
  auto compiled = compileLevel(module_, reference);
  if (!compiled)
    return compiled.takeError();
  auto kept = std::make_shared<CompiledLevel>(std::move(*compiled));
  return Run([kept](const HostReference &values) { return callCompiled(*kept, values); });
}

llvm::Expected<LevelCheck> LevelChecker::check(const HostReference &reference) {
  DiagnosticCapture capture(*module_.getContext());
  if (!isOnTensors_)
    isOnTensors_ = isOnTensors(module_, reference.options().function);
  if (*isOnTensors_) {
    auto check = reference.check(module_);
    if (check)
      return LevelCheck{.check = *check};
    Failure failure = takeFailure(check.takeError());
    if (isStopOnHost(failure.message))
      return LevelCheck{.fault = failure.message};
    return llvm::make_error<Failure>(std::move(failure));
  }
  if (!run_) {
    auto prepared = prepare(reference);
    if (!prepared)
      return prepared.takeError();
    run_ = std::move(*prepared);
  }
  auto run = run_(reference);
  if (!run)
    return run.takeError();
  if (!run->fault.empty())
    return LevelCheck{.fault = run->fault};
  auto check = reference.compare(run->outputs);
  if (!check)
    return check.takeError();
  return LevelCheck{.check = *check};
}

} // namespace fuselage
