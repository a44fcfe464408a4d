// fuselage-opt: mlir-opt with our dialects and passes, and --tolerant.
#include "app/opt/Tolerant.h"
#include "core/ir/Session.h"
#include "core/plugins/Plugins.h"
#include "core/registration/Registration.h"
#include "core/support/Error.h"
#include "core/support/process/Process.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

/// What MlirOptMain(argc, argv, ...) does, without its handlers of signals (see prepareProcess()).
static mlir::LogicalResult runAsMlirOpt(int argc, char **argv) {
  mlir::DialectRegistry registry = fuselage::allDialects();
  auto [input, output] =
      mlir::registerAndParseCLIOptions(argc, argv, "Fuselage's modular optimizer driver\n", registry);
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects()) {
    llvm::outs() << "Available Dialects: ";
    llvm::interleave(registry.getDialectNames(), llvm::outs(), ",");
    llvm::outs() << '\n';
    return mlir::success();
  }
  if (config.shouldListPasses()) {
    mlir::printRegisteredPasses();
    return mlir::success();
  }
  if (input == "-" && llvm::sys::Process::FileDescriptorIsDisplayed(/*fd=*/0))
    llvm::errs() << "(processing input from stdin now, hit ctrl-c/ctrl-d to interrupt)\n";
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> source = mlir::openInputFile(input, &message);
  std::unique_ptr<llvm::ToolOutputFile> result = source ? mlir::openOutputFile(output, &message) : nullptr;
  if (!result) {
    llvm::errs() << message << '\n';
    return mlir::failure();
  }
  if (mlir::failed(mlir::MlirOptMain(result->os(), std::move(source), registry, config)))
    return mlir::failure();
  result->keep();
  return mlir::success();
}

/// Says why one of the plugins that the options name cannot be loaded. mlir-opt's own options load them, and may die of
/// one.
static llvm::Error checkPlugins(llvm::ArrayRef<char *> arguments) {
  const mlir::DialectRegistry known = fuselage::allDialects();
  for (size_t i = 1; i < arguments.size(); ++i) {
    auto [name, value] = llvm::StringRef(arguments[i]).split('=');
    std::optional<fuselage::PluginPart> part;
    if (name.ltrim('-') == "load-pass-plugin")
      part = fuselage::PluginPart::Passes;
    else if (name.ltrim('-') == "load-dialect-plugin")
      part = fuselage::PluginPart::Dialects;
    if (!part || !name.starts_with("-"))
      continue;
    if (value.empty() && i + 1 < arguments.size())
      value = arguments[++i];
    if (llvm::Error error = fuselage::checkPlugin({value.str(), *part}, known))
      return error;
  }
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  if (llvm::Error error = fuselage::prepareProcess()) {
    llvm::errs() << "fuselage-opt: " << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  fuselage::registerAllPasses();
  if (llvm::Error error = checkPlugins(llvm::ArrayRef(argv, argc))) {
    llvm::errs() << "fuselage-opt: " << fuselage::takeFailure(std::move(error)).message << '\n';
    return 1;
  }
  if (auto code = fuselage::opt::runTolerantly(llvm::ArrayRef(argv, argc)))
    return *code;
  return mlir::asMainReturnCode(runAsMlirOpt(argc, argv));
}
