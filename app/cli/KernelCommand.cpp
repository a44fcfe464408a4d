#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "app/cli/Input.h"
#include "app/cli/TunedOption.h"
#include "core/codegen/Targets.h"
#include "core/kernels/KernelCheck.h"
#include "core/kernels/KernelText.h"
#include "core/protocol/json/JsonTextWriter.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/registration/Registration.h"
#include "core/run/SingleDispatch.h"
#include "core/run/Specialize.h"
#include "core/runtime/device/Device.h"
#include "core/support/JsonText.h"
#include "core/support/OutputFile.h"
#include "core/support/ResultErrors.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::cli {

namespace {
struct KernelArguments {
  std::string function, dispatch, device, targetDevice, target = "spirv", chip = "sm_90", stage, format = "text",
                                                        output = "-", tuned;
  ArgumentSizes sizes;
  uint64_t seed = 1, operations = 2000;
  bool bare = false, places = false, checkRaces = false, tf32 = false;
  std::optional<DeviceInfo> info{};                ///< of a device that is here
  std::unique_ptr<tune::TunedDispatches> tuning{}; ///< what was found for it
};
} // namespace

/// The program, with its remarks on stderr.
static llvm::Expected<RunProgram> programOf(mlir::ModuleOp module, const KernelArguments &wanted) {
  std::vector<Diagnostic> remarks;
  auto program = formKernelProgram(module, wanted.function, wanted.sizes, remarks);
  if (program)
    for (const Diagnostic &remark : remarks)
      llvm::errs() << formatDiagnostic(remark) << '\n';
  return program;
}

/// Where something was found for the dispatch on the device, that is what its kernels are made with.
static void applyTuning(mlir::func::FuncOp dispatch, const KernelArguments &wanted) {
  if (wanted.tuning && wanted.info && wanted.tuning->apply(dispatch, *wanted.info))
    llvm::errs() << "remark: @" << dispatch.getName() << " has the sizes that were tuned on " << wanted.info->name
                 << ": '" << wanted.tuning->source() << "'; --tuned none leaves them to the pipeline\n";
}

static llvm::Expected<std::string> report(mlir::ModuleOp module, const KernelArguments &wanted,
                                          const KernelCodeOptions &how) {
  auto program = programOf(module, wanted);
  if (!program)
    return program.takeError();
  auto dispatch = findDispatch(*program, wanted.dispatch);
  if (!dispatch)
    return dispatch.takeError();
  setActivity("compiling @" + dispatch->getName().str());
  applyTuning(*dispatch, wanted);
  auto code = kernelCode(*dispatch, how);
  if (!code)
    return code.takeError();
  if (wanted.format == "json") {
    if (wanted.stage != "all")
      llvm::erase_if(code->listings,
                     [&](const message::KernelListing<> &listing) { return listing.stage != wanted.stage; });
    return message::jsonText(*code);
  }
  if (wanted.bare) {
    std::string text = bareListings(*code, wanted.stage);
    return text.empty() ? fail("there is no listing of that stage: " + llvm::join(code->missing, "; "))
                        : llvm::Expected<std::string>(text);
  }
  return formatKernelFacts(*code) + (wanted.stage == "none" ? "" : formatListings(*code, wanted.stage, wanted.places));
}

/// Those that are asked for; all where none is.
static llvm::Expected<std::vector<mlir::func::FuncOp>> chosenDispatches(const RunProgram &program,
                                                                        const std::string &wanted) {
  if (wanted.empty())
    return std::vector<mlir::func::FuncOp>(program.dispatches.begin(), program.dispatches.end());
  auto dispatch = findDispatch(program, wanted);
  if (!dispatch)
    return dispatch.takeError();
  return std::vector<mlir::func::FuncOp>{*dispatch};
}

static llvm::Expected<std::vector<message::KernelCheck<>>>
checkAll(mlir::ModuleOp module, const KernelArguments &wanted, KernelCheckOptions how) {
  std::vector<message::KernelCheck<>> checks;
  auto add = [&](llvm::Expected<message::KernelCheck<>> check) -> llvm::Error {
    if (!check)
      return check.takeError();
    checks.push_back(std::move(*check));
    return llvm::Error::success();
  };
  auto function = pickFunction(module, wanted.function);
  if (!function)
    return function.takeError();
  if (wanted.dispatch.empty() && launchesKernels(*function)) {
    if (llvm::Error error = add(checkWrittenKernels(*function, how)))
      return error;
    return checks;
  }
  auto program = programOf(module, wanted);
  if (!program)
    return program.takeError();
  auto dispatches = chosenDispatches(*program, wanted.dispatch);
  if (!dispatches)
    return dispatches.takeError();
  for (mlir::func::FuncOp dispatch : *dispatches) {
    std::string what = "checking @" + dispatch.getName().str();
    setActivity(what);
    how.progress = [&](unsigned done, unsigned total) { showRun(done, total, what); };
    applyTuning(dispatch, wanted);
    if (llvm::Error error = add(checkKernels(*program, dispatch, how)))
      return error;
  }
  return checks;
}

/// Prints what was found; the exit code says whether there is anything.
static llvm::Expected<int> reportChecks(mlir::ModuleOp module, const KernelArguments &wanted,
                                        const KernelCodeOptions &code) {
  auto checks = checkAll(module, wanted, {.code = code, .seed = wanted.seed, .budget = wanted.operations * 1'000'000});
  if (!checks)
    return checks.takeError();
  std::string text;
  llvm::json::Array all;
  bool isOk = true;
  for (const message::KernelCheck<> &check : *checks) {
    isOk &= check.ok;
    if (wanted.format == "json")
      all.push_back(llvm::json::Value(message::encode(check)));
    else
      text += formatKernelCheck(check);
  }
  if (wanted.format == "json")
    text = jsonText(std::move(all));
  if (llvm::Error error = writeOutputFile(wanted.output, text))
    return error;
  return isOk ? ExitOk : ExitInputError;
}

static KernelForm formOf(llvm::StringRef target) {
  return target == "ptx" ? KernelForm::Ptx : target == "host" ? KernelForm::Host : KernelForm::Spirv;
}

/// Of a device instead of what a target has at least.
static llvm::Error useDevice(KernelArguments &wanted, KernelCodeOptions &how) {
  if (!wanted.targetDevice.empty())
    return how.setKnownDevice(wanted.targetDevice);
  const std::string &name = wanted.device;
  if (name.empty())
    return llvm::Error::success();
  auto device = openDevice(name);
  if (!device)
    return device.takeError();
  how.setTarget((*device)->targetOptions());
  wanted.info = (*device)->info();
  return llvm::Error::success();
}

int kernelCommand(Arguments arguments) {
  KernelArguments wanted;
  Options options(
      "kernel", "FILE",
      "Prints the code of a dispatch's kernels at one stage, from linalg to the target, and the facts on each kernel: "
      "threads, workgroup memory, instructions by class and bytes of global memory per thread, and for NVIDIA "
      "registers, spills and occupancy by ptxas. Each value says how it was obtained. Nothing runs. SPIR-V is "
      "disassembled by spirv-dis and translated to GLSL by spirv-cross, SASS is disassembled by nvdisasm or cuobjdump, "
      "if they are installed.\n\nWith --check-races the kernels run on an emulated GPU. FILE may also contain kernels "
      "of your own (gpu.launch, or gpu.func with gpu.launch_func).");
  options.text("dispatch", "N|NAME|PLACE", "the dispatch: its number, its name, or file:line:col of its root op",
               wanted.dispatch);
  options.choice("target", {"spirv", "ptx", "host"}, "the target (default: spirv)", wanted.target);
  options.text("device", "D", "compile for this device, see 'fuselage devices', instead of --target", wanted.device);
  options.text("target-device", "D",
               "compile for this device, which this machine need not have: a name such as h100, or a file",
               wanted.targetDevice);
  declareTuned(options, wanted.tuned,
               "with --device: the tuning library; its sizes for exactly this device and driver are used");
  options.text("chip", "SM", "ptx: the chip, such as sm_80, sm_90 or sm_120 (default: sm_90)", wanted.chip);
  options.flag("tf32", "ptx: compute f32 products with tf32 matrix instructions, which have 10 bits of mantissa",
               wanted.tf32);
  options.choice("stage", {"linalg", "mapped", "spirv", "glsl", "llvm", "ptx", "sass", "asm", "all", "none"},
                 "the stage to print (default: that of the target: spirv, ptx or asm); none: only the facts",
                 wanted.stage);
  options.flag("places", "print the place in FILE that each line comes from, if known", wanted.places);
  options.flag("check-races",
               "instead of printing code, run the kernels of the dispatch, or of all, thread by thread on an emulated "
               "GPU; exit code 1 for races, accesses out of bounds, uninitialized reads and missed barriers",
               wanted.checkRaces);
  options.number("seed", "the seed of the inputs and sampled workgroups of a check (default: 1)", wanted.seed, 0,
                 UINT32_MAX);
  options.number("operations",
                 "the limit of a check for one dispatch, in millions of thread operations, about a millisecond each; "
                 "beyond it, only some workgroups run (default: 2000)",
                 wanted.operations, 1, 1'000'000);
  options.flag("bare", "print only the code, for example for an assembler", wanted.bare);
  options.text("function", "NAME", "the function (default: the first public one)", wanted.function);
  options.sizes("the size of a dynamic dimension; may be repeated", wanted.sizes);
  options.choice("format", {"text", "json"},
                 "text, or one JSON object with a place for each run of lines (default: text)", wanted.format);
  options.text("output", "OUT", "where to write; - is standard output (default)", wanted.output, 'o');
  declarePlugins(options);
  options.example("fuselage kernel samples/matmul_transpose_bias.mlir --dispatch 1");
  options.example(
      "fuselage kernel samples/matmul_transpose_bias.mlir --dispatch 1 --target ptx --chip sm_80 --stage sass");
  options.example("fuselage kernel samples/softmax.mlir --dispatch 0 --target ptx --bare -o softmax.ptx");
  options.example("fuselage kernel samples/softmax.mlir --dispatch 0 --target host --stage mapped --places");
  options.example("fuselage kernel samples/softmax.mlir --target ptx --chip sm_80 --check-races");
  if (auto code = options.parse(arguments))
    return *code;
  if (!wanted.device.empty() && !wanted.targetDevice.empty())
    return usageError("kernel", "'--device' and '--target-device' exclude each other");
  KernelCodeOptions how{.form = formOf(wanted.target), .chip = wanted.chip, .tf32 = wanted.tf32};
  if (llvm::Error error = useDevice(wanted, how))
    return reportFailure(std::move(error));
  if (wanted.info) {
    auto tuning = openTuned(wanted.tuned);
    if (!tuning)
      return reportFailure(tuning.takeError());
    wanted.tuning = std::move(*tuning);
  }
  KernelForm form = how.form;
  if (wanted.stage.empty())
    wanted.stage = wanted.format == "json" ? "all" : nativeStage(form).str();
  if (wanted.stage != "all" && wanted.stage != "none" && !hasStage(form, wanted.stage))
    return usageError("kernel",
                      "there is no stage '" + wanted.stage + "' on the way to " + kernelFormNames[unsigned(form)]);
  if (wanted.bare && (wanted.places || wanted.format == "json" || wanted.stage == "none"))
    return usageError("kernel",
                      "'--bare' prints code alone, and so excludes '--places', '--stage none' and '--format json'");

  Session session(allDialects());
  int exitCode = ExitOk;
  auto input = openModule(session, options.positional(), exitCode);
  if (!input)
    return reportFailure(input.takeError());
  if (wanted.checkRaces) {
    auto code = reportChecks(*input->module, wanted, how);
    if (!code)
      return reportFailure(code.takeError());
    return *code != ExitOk ? *code : exitCode;
  }
  auto text = report(*input->module, wanted, how);
  if (!text)
    return reportFailure(text.takeError());
  if (llvm::Error error = writeOutputFile(wanted.output, *text))
    return reportFailure(std::move(error));
  return exitCode;
}

} // namespace fuselage::cli
