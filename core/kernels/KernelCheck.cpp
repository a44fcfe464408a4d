#include "core/kernels/KernelCheck.h"
#include "core/emulator/Emulator.h"
#include "core/ir/module/PrintedModule.h"
#include "core/ir/module/RunPipeline.h"
#include "core/kernels/KernelForms.h"
#include "core/run/DispatchChecker.h"
#include "core/run/reference/Reference.h"
#include "core/run/values/RandomInputs.h"
#include "core/run/values/RoundingErrors.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace mlir;

namespace fuselage {
namespace {

using emulator::EmulatedArgument;
using emulator::Emulation;
using emulator::EmulationOptions;

/// Names of the places of ops, in the source and in the printed module.
class Places {
public:
  explicit Places(ModuleOp module) : printed_(module) {
    OpId id = 0;
    module->walk<WalkOrder::PreOrder>([&](Operation *op) { numbers_[op] = id++; });
  }
  message::KernelFindingPlace<> of(const emulator::FindingPlace &place) const {
    message::KernelFindingPlace<> found;
    if (!place.op)
      return found;
    found.op = place.op->getName().getStringRef().str();
    found.loc = formatPosition(positionOf(place.op->getLoc()));
    found.workgroup = place.workgroup;
    found.thread = place.thread;
    if (auto number = numbers_.find(place.op); number != numbers_.end() && number->second < printed_.opCount()) {
      unsigned line = printed_.linesOf(number->second).first;
      found.line = line + 1;
      found.text = printed_.line(line).trim().str();
    }
    return found;
  }

private:
  PrintedModule printed_;
  llvm::DenseMap<Operation *, OpId> numbers_;
};

std::string inRow(ArrayRef<int64_t> numbers) {
  return llvm::join(llvm::map_range(numbers, [](int64_t number) { return std::to_string(number); }), ", ");
}

/// "thread 33 (1, 1, 0)" where there are more dimensions than one.
std::string nameOf(const char *what, int64_t number, const std::array<int64_t, 3> &sizes) {
  std::string name = llvm::formatv("{0} {1}", what, number);
  if (number < 0 || sizes[0] <= 0 || sizes[1] <= 0 || (sizes[1] == 1 && sizes[2] == 1))
    return name;
  return name + " (" + inRow({number % sizes[0], number / sizes[0] % sizes[1], number / sizes[0] / sizes[1]}) + ")";
}

std::string sentenceOf(const emulator::Finding &finding) {
  auto threadOf = [&](const emulator::FindingPlace &place) {
    std::string thread = nameOf("thread", place.thread, finding.block);
    return thread + " of " + nameOf("workgroup", place.workgroup, finding.grid);
  };
  std::string text;
  if (finding.first.thread >= 0)
    text = threadOf(finding.first);
  if (finding.second.op)
    text += " and " + threadOf(finding.second);
  if (!finding.buffer.empty())
    text += (text.empty() ? "" : ", at ") + finding.buffer +
            (finding.index.empty() ? "" : "[" + inRow(finding.index) + "]");
  if (!finding.detail.empty())
    text += ": " + finding.detail;
  return text;
}

message::KernelFinding<> messageOf(const emulator::Finding &finding, const Places &places) {
  message::KernelFinding<> message;
  message.kind = nameOf(finding.kind).str();
  message.message = sentenceOf(finding);
  message.first = places.of(finding.first);
  message.second = places.of(finding.second);
  message.buffer = finding.buffer;
  message.index.assign(finding.index.begin(), finding.index.end());
  message.count = int64_t(finding.count);
  return message;
}

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number), text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0)
      text += ',';
    text += digits[i];
  }
  return text;
}

/// Fills in what a run gave.
void describe(message::KernelCheck<> &check, const Emulation &emulation, ModuleOp module) {
  Places places(module);
  for (const emulator::EmulatedLaunch &launch : emulation.launches) {
    message::CheckedLaunch<> one;
    one.name = launch.name;
    one.grid.assign(launch.grid.begin(), launch.grid.end());
    one.block.assign(launch.block.begin(), launch.block.end());
    one.workgroupsRun = launch.workgroupsRun;
    one.workgroups = launch.workgroups;
    size_t number = check.launches.size();
    if (launch.isStopped)
      check.notes.push_back("launch " + std::to_string(number) +
                            ": its first workgroup did not come to its end within the operations that it was given");
    else if (launch.workgroupsRun != launch.workgroups)
      check.notes.push_back(
          "launch " + std::to_string(number) + ": " + grouped(launch.workgroupsRun) + " of " +
          grouped(launch.workgroups) +
          " workgroups were run, the first, the last and some by the seed, as all would take too long");
    check.launches.push_back(std::move(one));
  }
  for (const emulator::Finding &finding : emulation.findings)
    check.findings.push_back(messageOf(finding, places));
  if (emulation.droppedFindings != 0)
    check.notes.push_back(grouped(emulation.droppedFindings) + " further findings at other ops are not shown");
  check.accesses = int64_t(emulation.accesses);
  check.barriers = int64_t(emulation.barriers);
}

void summarize(message::KernelCheck<> &check, const Emulation &emulation, bool isRight) {
  int64_t run = 0, all = 0, threads = 0;
  bool isStopped =
      llvm::any_of(emulation.launches, [](const emulator::EmulatedLaunch &launch) { return launch.isStopped; });
  for (const auto &launch : check.launches) {
    run += launch.workgroupsRun;
    all += launch.workgroups;
    threads += launch.workgroupsRun * launch.block[0] * launch.block[1] * launch.block[2];
  }
  check.ok = check.findings.empty() && isRight && !isStopped;
  std::string found = check.findings.empty() ? (!isRight    ? "the results are wrong"
                                                : isStopped ? "nothing was found, but not all was run"
                                                            : "ok")
                                             : std::to_string(check.findings.size()) +
                                                   (check.findings.size() == 1 ? " finding" : " findings");
  check.summary = found + ": " + (run == all ? grouped(all) : grouped(run) + " of " + grouped(all)) +
                  (all == 1 ? " workgroup" : " workgroups") + " with " + grouped(threads) + " threads emulated, " +
                  grouped(check.accesses) + " accesses to memory checked, " + grouped(check.barriers) +
                  " barriers passed";
  if (check.compared != 0)
    check.summary += llvm::formatv("; {0} of {1} elements compared with the host, max abs error {2:e2}",
                                   grouped(check.compared), grouped(check.elements), check.maxAbsError);
}

/// Loops and accesses of the affine dialect become those of scf and memref; maps alone stay as they are.
llvm::Error lowerAffine(ModuleOp module) {
  bool needs = module
                   .walk([](Operation *op) {
                     bool isMap = isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(op);
                     return !isMap && isa_and_nonnull<affine::AffineDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                                                               : WalkResult::advance();
                   })
                   .wasInterrupted();
  return needs ? runPipeline(module, "builtin.module(affine-expand-index-ops,lower-affine)") : llvm::Error::success();
}

/// Runs a dispatch's mapped module, and compares.
class DispatchCheck {
public:
  DispatchCheck(const RunProgram &program, func::FuncOp dispatch, const KernelCheckOptions &options)
      : dispatch_(dispatch), plain_(program.plainOf(dispatch)), options_(options) {}

  llvm::Expected<message::KernelCheck<>> run() {
    auto target = targetOptionsOf(options_.code);
    if (!target)
      return target.takeError();
    isTf32_ = target->tf32;
    check_.dispatch = dispatch_.getName().str();
    if (auto index = dispatch_->getAttrOfType<IntegerAttr>(kDispatchAttr))
      check_.index = index.getInt();
    if (Operation *root = findDispatchRoot(dispatch_))
      check_.loc = formatPosition(positionOf(root->getLoc()));
    check_.target = kernelFormNames[unsigned(options_.code.form)];
    check_.chip = target->target == KernelTarget::Ptx ? target->chip : "";
    if (llvm::Error error = compile(*target))
      return error;
    if (llvm::Error error = makeValues())
      return error;
    EmulationOptions how{.subgroupSize = subgroupSizeOf(*target),
                         .seed = options_.seed,
                         .budget = options_.budget,
                         .cancelled = options_.code.cancelled,
                         .progress = options_.progress};
    if (llvm::Error error = lowerAffine(*forms_.mapped))
      return error;
    func::FuncOp mapped = *forms_.mapped->getOps<func::FuncOp>().begin();
    auto emulation = emulator::emulate(mapped, arguments_, how);
    if (!emulation)
      return emulation.takeError();
    describe(check_, *emulation, *forms_.mapped);
    auto isRight = compare(*emulation);
    if (!isRight)
      return isRight.takeError();
    summarize(check_, *emulation, *isRight);
    return std::move(check_);
  }

private:
  static unsigned subgroupSizeOf(const TargetOptions &target) {
    return target.target == KernelTarget::Ptx || target.device.subgroupSize.value <= 0
               ? 32
               : unsigned(target.device.subgroupSize.value);
  }

  llvm::Error compile(const TargetOptions &target) {
    DiagnosticCapture capture(*dispatch_.getContext());
    // LLVM takes longer for large kernels than they run here, and they are emulated as they are mapped.
    forms_.mappedIsEnough = target.target == KernelTarget::Ptx;
    auto compiled = compileDispatch(dispatch_, target, &forms_);
    if (!compiled)
      return compiled.takeError();
    for (const Diagnostic &said : capture.take())
      check_.notes.push_back(said.message);
    return llvm::Error::success();
  }

  llvm::Error makeValues() {
    auto inputs = randomArguments(plain_, options_.seed);
    if (!inputs)
      return inputs.takeError();
    inputs_ = std::move(*inputs);
    for (auto [number, input] : llvm::enumerate(inputs_))
      arguments_.push_back({"argument " + std::to_string(number), input.data(), input.byteCount(), true});
    for (auto [number, type] : llvm::enumerate(plain_.getResultTypes())) {
      auto output = HostTensor::create(type);
      if (!output)
        return output.takeError();
      outputs_.push_back(*output);
      arguments_.push_back({"result " + std::to_string(number), output->data(), output->byteCount(), false});
    }
    return llvm::Error::success();
  }

  llvm::Expected<std::vector<HostTensor>> computeReference() {
    HostPieces pieces(*plain_.getContext(), {.compile = {.checks = false}, .cancelled = options_.code.cancelled});
    auto chain = HostChain::plan(plain_, pieces);
    if (!chain)
      return chain.takeError();
    pieces.compile();
    if (llvm::Error error = (*chain)->checkCompiled())
      return error;
    auto results = callTwice(**chain, inputs_, options_.code.cancelled);
    if (!results)
      return results.takeError();
    if (!results->meaningless.empty())
      return fail(results->meaningless);
    return std::move(results->outputs);
  }

  /// Elements that no workgroup was run for are as expected.
  llvm::Expected<bool> compare(const Emulation &emulation) {
    for (const HostTensor &output : outputs_)
      check_.elements += output.elementCount();
    if (emulation.dependsOnSkipped) {
      check_.notes.push_back(
          "nothing is compared with the host: a launch reads what workgroups that were not run would have written");
      return true;
    }
    auto expected = computeReference();
    if (!expected) {
      check_.notes.push_back("nothing is compared with the host: " + takeFailure(expected.takeError()).message);
      return true;
    }
    std::vector<ErrorBound> bounds = errorBoundsOf(plain_, holdInfinities(inputs_), isTf32_);
    bool isRight = true;
    check_.maxAbsError = 0;
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const std::vector<bool> &written = emulation.written[inputs_.size() + i];
      unsigned bytes = hostElementBytes(outputs_[i].elementType());
      for (size_t at = 0; at < written.size(); ++at)
        if (!written[at])
          std::memcpy(outputs_[i].data() + at * bytes, (*expected)[i].data() + at * bytes, bytes);
      int64_t count = llvm::count(written, true);
      if (emulation.isWhole && count != outputs_[i].elementCount()) {
        isRight = false;
        check_.notes.push_back("result " + std::to_string(i) + ": " + grouped(outputs_[i].elementCount() - count) +
                               " elements are not written by any thread");
      }
      Comparison compared = compareTensors(outputs_[i], (*expected)[i], bounds[i]);
      if (compared.verdict == CheckVerdict::NotComparable) {
        check_.notes.push_back("result " + std::to_string(i) + " is not comparable: " + compared.why);
        continue;
      }
      check_.compared += count;
      check_.maxAbsError = std::max(check_.maxAbsError, compared.maxAbsError);
      if (compared.verdict == CheckVerdict::Wrong) {
        isRight = false;
        check_.notes.push_back("result " + std::to_string(i) + ": " + compared.why);
      }
    }
    return isRight;
  }

  func::FuncOp dispatch_, plain_;
  const KernelCheckOptions &options_;
  bool isTf32_ = false;
  CapturedForms forms_;
  std::vector<HostTensor> inputs_, outputs_;
  std::vector<EmulatedArgument> arguments_;
  message::KernelCheck<> check_;
};

} // namespace

llvm::Expected<message::KernelCheck<>> checkKernels(const RunProgram &program, func::FuncOp dispatch,
                                                    const KernelCheckOptions &options) {
  if (options.code.form == KernelForm::Host)
    return fail("the host has no threads that share memory: check the kernels for 'ptx' or 'spirv'");
  return DispatchCheck(program, dispatch, options).run();
}

bool launchesKernels(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        return isa<gpu::LaunchOp, gpu::LaunchFuncOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

llvm::Expected<message::KernelCheck<>> checkWrittenKernels(func::FuncOp function, const KernelCheckOptions &options) {
  message::KernelCheck<> check;
  check.dispatch = function.getName().str();
  check.loc = formatPosition(positionOf(function.getLoc()));
  check.target = kernelFormNames[unsigned(options.code.form)];
  OwningOpRef<ModuleOp> module(cast<ModuleOp>(function->getParentOfType<ModuleOp>()->clone()));
  if (llvm::Error error = lowerAffine(*module))
    return error;
  function = module->lookupSymbol<func::FuncOp>(function.getName());
  std::vector<HostTensor> values;
  std::vector<EmulatedArgument> arguments;
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto buffer = dyn_cast<MemRefType>(type);
    auto value = randomTensor(buffer ? Type(RankedTensorType::get(buffer.getShape(), buffer.getElementType())) : type,
                              options.seed, number);
    if (!value)
      return value.takeError();
    values.push_back(*value);
    arguments.push_back({"argument " + std::to_string(number), value->data(), value->byteCount(), true});
  }
  EmulationOptions how{.seed = options.seed,
                       .budget = options.budget,
                       .cancelled = options.code.cancelled,
                       .progress = options.progress};
  auto emulation = emulator::emulate(function, arguments, how);
  if (!emulation)
    return emulation.takeError();
  describe(check, *emulation, *module);
  check.notes.push_back("arguments hold random numbers; there is no reference to compare results with");
  summarize(check, *emulation, true);
  return check;
}

std::string formatKernelCheck(const message::KernelCheck<> &check) {
  std::string text = "@" + check.dispatch + ": " + check.summary + "\n";
  for (const message::KernelFinding<> &finding : check.findings) {
    text += "\n" + finding.kind + (finding.count > 1 ? " (" + grouped(uint64_t(finding.count)) + " times)" : "") +
            ": " + finding.message + "\n";
    for (const auto *place : {&finding.first, &finding.second})
      if (!place->op.empty())
        text += "  " + (place->loc.empty() ? "mapped" : place->loc) + " (mapped:" + std::to_string(place->line) +
                "): " + place->text + "\n";
  }
  if (!check.notes.empty())
    text += "\n";
  for (const std::string &note : check.notes)
    text += "note: " + note + "\n";
  return text;
}

} // namespace fuselage
