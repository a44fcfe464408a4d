#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/Input.h"
#include "core/kernels/KernelCode.h"
#include "core/kernels/KernelText.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/registration/Registration.h"
#include "core/runtime/device/Device.h"
#include "core/runtime/run/SingleDispatch.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::cli {

namespace {
struct KernelArguments {
  std::string function, dispatch, device, target = "spirv", chip = "sm_90", stage, format = "text", output = "-";
  ArgumentSizes sizes;
  bool bare = false, places = false, tf32 = false;
};
} // namespace

static llvm::Expected<std::string> report(mlir::ModuleOp module, const KernelArguments &wanted, const KernelCodeOptions &how) {
  std::vector<Diagnostic> remarks;
  auto program = formKernelProgram(module, wanted.function, wanted.sizes, remarks);
  if (!program)
    return program.takeError();
  for (const Diagnostic &remark : remarks)
    llvm::errs() << formatDiagnostic(remark) << '\n';
  auto dispatch = findDispatch(*program, wanted.dispatch);
  if (!dispatch)
    return dispatch.takeError();
  setActivity("compiling @" + dispatch->getName().str());
  auto code = kernelCode(*dispatch, how);
  if (!code)
    return code.takeError();
  if (wanted.format == "json") {
    if (wanted.stage != "all")
      llvm::erase_if(code->listings, [&](const message::KernelListing<> &listing) { return listing.stage != wanted.stage; });
    return llvm::formatv("{0:2}\n", llvm::json::Value(message::encode(*code))).str();
  }
  if (wanted.bare) {
    std::string text = bareListings(*code, wanted.stage);
    return text.empty() ? fail("there is no listing of that stage: " + llvm::join(code->missing, "; ")) : llvm::Expected<std::string>(text);
  }
  return formatKernelFacts(*code) + (wanted.stage == "none" ? "" : formatListings(*code, wanted.stage, wanted.places));
}

static KernelForm formOf(llvm::StringRef target) {
  return target == "ptx" ? KernelForm::Ptx : target == "host" ? KernelForm::Host : KernelForm::Spirv;
}

/// Of a device instead of what a target has at least.
static llvm::Error useDevice(const std::string &name, KernelCodeOptions &how) {
  if (name.empty())
    return llvm::Error::success();
  if (name == "host") {
    how.form = KernelForm::Host;
    return llvm::Error::success();
  }
  auto device = openDevice(name);
  if (!device)
    return device.takeError();
  how.setTarget((*device)->targetOptions());
  return llvm::Error::success();
}

int kernelCommand(Arguments arguments) {
  KernelArguments wanted;
  Options options("kernel", "FILE",
                  "The code of a dispatch's kernels, as it goes into code generation, after mapping, and as the target\n"
                  "takes it, and what is known of each kernel: threads, workgroup memory, instructions by class, bytes of\n"
                  "global memory a thread; for NVIDIA, registers, spills and occupancy too, by ptxas. Every number says\n"
                  "how it was got. Nothing runs. SPIR-V is disassembled by spirv-dis and turned into GLSL by spirv-cross,\n"
                  "SASS by nvdisasm or cuobjdump, where they are installed.");
  options.text("dispatch", "N|NAME|PLACE", "which: its number, its name or file:line:col of its root op", wanted.dispatch);
  options.choice("target", {"spirv", "ptx", "host"}, "what for (default: spirv)", wanted.target);
  options.text("device", "D", "as for that device, see 'fuselage devices', instead of a target", wanted.device);
  options.text("chip", "SM", "of PTX: sm_80, sm_90, sm_120 .. (default: sm_90)", wanted.chip);
  options.flag("tf32", "of PTX: multiply f32 numbers by matrix instructions that take 10 bits of their 23", wanted.tf32);
  options.choice("stage", {"linalg", "mapped", "spirv", "glsl", "llvm", "ptx", "sass", "asm", "all", "none"},
                 "which code to print (default: the target's own: spirv, ptx, asm); none: only what is known", wanted.stage);
  options.flag("places", "with each line, the place in FILE that it comes from, where that is known", wanted.places);
  options.flag("bare", "only the code, such as for an assembler", wanted.bare);
  options.text("function", "NAME", "which function (default: the first public one)", wanted.function);
  options.sizes("the size of a dynamic dimension; may be repeated", wanted.sizes);
  options.choice("format", {"text", "json"}, "text, or one JSON object with a place for each run of lines (default: text)", wanted.format);
  options.text("output", "OUT", "where to write it; - is stdout (default)", wanted.output, 'o');
  options.example("fuselage kernel samples/matmul_transpose_bias.mlir --dispatch 1");
  options.example("fuselage kernel samples/matmul_transpose_bias.mlir --dispatch 1 --target ptx --chip sm_80 --stage sass");
  options.example("fuselage kernel samples/softmax.mlir --dispatch 0 --target ptx --bare -o softmax.ptx");
  options.example("fuselage kernel samples/softmax.mlir --dispatch 0 --target host --stage mapped --places");
  if (auto code = options.parse(arguments))
    return *code;
  KernelCodeOptions how{.form = formOf(wanted.target), .chip = wanted.chip, .tf32 = wanted.tf32};
  if (llvm::Error error = useDevice(wanted.device, how))
    return reportFailure(std::move(error));
  KernelForm form = how.form;
  if (wanted.stage.empty())
    wanted.stage = wanted.format == "json" ? "all" : nativeStage(form).str();
  if (wanted.stage != "all" && wanted.stage != "none" && !hasStage(form, wanted.stage))
    return usageError("kernel", "there is no stage '" + wanted.stage + "' on the way to " + kernelFormNames[unsigned(form)]);
  if (wanted.bare && (wanted.places || wanted.format == "json" || wanted.stage == "none"))
    return usageError("kernel", "'--bare' prints code alone, and so excludes '--places', '--stage none' and '--format json'");

  Session session(allDialects());
  int exitCode = ExitOk;
  auto input = openModule(session, options.positional(), exitCode);
  if (!input)
    return reportFailure(input.takeError());
  auto text = report(*input->module, wanted, how);
  if (!text)
    return reportFailure(text.takeError());
  if (llvm::Error error = writeOutputFile(wanted.output, *text))
    return reportFailure(std::move(error));
  return exitCode;
}

} // namespace fuselage::cli
