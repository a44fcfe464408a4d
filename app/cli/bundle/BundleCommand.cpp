#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "app/cli/Input.h"
#include "core/codegen/Targets.h"
#include "core/registration/Registration.h"
#include "core/run/bundles/BundleRun.h"
#include "core/run/progress/RunProgress.h"
#include "core/runtime/device/Device.h"
#include "core/support/ResultErrors.h"
#include "core/support/StandardOutput.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::cli {

/// Of a device that is here, or of one that is named or described by a file.
static llvm::Error setTarget(BundleOptions &options, const std::string &device, const std::string &targetDevice) {
  if (!targetDevice.empty()) {
    auto target = targetNamed(targetDevice);
    if (!target)
      return target.takeError();
    options.target = std::move(*target);
    options.targetName = options.target.device.name.empty() ? targetDevice : options.target.device.name;
    return llvm::Error::success();
  }
  auto opened = openDevice(device.empty() ? kHostId : device);
  if (!opened)
    return llvmError(opened.takeError());
  options.target = (*opened)->targetOptions();
  options.targetName = (*opened)->info().name;
  return llvm::Error::success();
}

int bundleCommand(Arguments arguments) {
  RunOptions run;
  BundleOptions wanted;
  std::string device, targetDevice;
  uint64_t seconds = 0, mebibytes = 0;
  Options options("bundle", "FILE",
                  "Writes the kernels of every dispatch for a device, with inputs and expected results, to a folder "
                  "that fuselage-launch runs, times and checks on another machine without MLIR. The program runs on "
                  "the host here, which gives each dispatch its inputs; the device need not be here. Dispatches that "
                  "cannot be compiled for the device are left out and named.");
  options.text("device", "D", "a device of this machine, see 'fuselage devices' (default: host)", device);
  options.text("target-device", "D",
               "compile for this device, which this machine need not have: a name such as h100, or a file",
               targetDevice);
  options.text("output", "DIR", "the folder to write: an empty or a new one, or a bundle to replace", wanted.folder,
               'o');
  declareRunInputs(options, run);
  options.text("function", "NAME", "the function to bundle (default: the first public one)", run.function);
  options.text("dispatch", "N|NAME|PLACE",
               "only this dispatch, on inputs of its own: its number, its name, or file:line:col of its root op",
               run.dispatch);
  options.sizes("the size of a dynamic dimension (default: that of a given file, otherwise chosen); may be repeated",
                run.sizes);
  options.number("time-limit", "seconds of CPU time for each program on the host (default: by its size)", seconds, 1,
                 1000000);
  options.number("memory-limit", "MiB for each program on the host (default: by its size)", mebibytes, 1, 1 << 30);
  declarePlugins(options);
  options.example("fuselage bundle samples/softmax.mlir --target-device h100 -o softmax-h100");
  options.example("fuselage bundle samples/bert_attention.mlir --device vulkan:0 -o attention");
  if (auto code = options.parse(arguments))
    return *code;
  if (wanted.folder.empty())
    return usageError("bundle", "the folder to write is missing; give '-o DIR'");
  if (!device.empty() && !targetDevice.empty())
    return usageError("bundle", "'--device' and '--target-device' exclude each other");
  run.host = {.seconds = static_cast<unsigned>(seconds), .bytes = mebibytes << 20};
  run.progress = [](const RunProgress &progress) {
    setActivity(progress.what + " (" + std::to_string(progress.done) + " of " + std::to_string(progress.total) + ")");
  };
  wanted.source = options.positional();
  if (llvm::Error error = setTarget(wanted, device, targetDevice))
    return reportFailure(std::move(error));
  Session session(allDialects());
  int exitCode = ExitOk;
  auto module = openModule(session, options.positional(), exitCode);
  if (!module)
    return reportFailure(module.takeError());
  auto manifest = bundleModule(session, *module->module, run, wanted);
  if (!manifest)
    return reportFailure(manifest.takeError());
  for (const bundle::Omission &omission : manifest->omissions)
    llvm::errs() << "warning: @" << omission.dispatch << " is not in the bundle: " << omission.why << '\n';
  results() << manifest->dispatches.size() << (manifest->dispatches.size() == 1 ? " dispatch" : " dispatches")
            << " of @" << manifest->function << " for " << manifest->device << " in '" << wanted.folder
            << "': run fuselage-launch there\n";
  return exitCode;
}

} // namespace fuselage::cli
