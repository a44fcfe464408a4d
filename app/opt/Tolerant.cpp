#include "app/opt/Tolerant.h"
#include "core/dialects/tolerant/UserSpelling.h"
#include "core/ir/Session.h"
#include "core/ir/module/Diagnostics.h"
#include "core/ir/module/RunPipeline.h"
#include "core/ir/reading/ReadReport.h"
#include "core/registration/Registration.h"
#include "core/support/LargeStack.h"
#include "core/support/OutputFile.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage::opt {

static constexpr StringRef kProgram = "fuselage-opt";

namespace {
struct Arguments {
  std::string input = "-", output = "-", pipeline;
  bool emitBytecode = false, generic = false, locations = false, isTolerant = false;
};
} // namespace

static llvm::Error complain(const std::string &what) {
  return fail(what + "; with --tolerant, fuselage-opt takes FILE, -o FILE, --emit-bytecode, "
                     "--mlir-print-op-generic, --mlir-print-debuginfo, --pass-pipeline=P and passes as flags");
}

/// `--canonicalize` and `--some-pass=a=b` as elements of a pipeline.
static llvm::Error addPass(StringRef flag, std::string &pipeline) {
  auto [name, options] = flag.split('=');
  if (!PassInfo::lookup(name) && !PassPipelineInfo::lookup(name))
    return complain("unknown option '--" + flag.str() + "'");
  pipeline += (pipeline.empty() ? "" : ",") + name.str();
  if (!options.empty())
    pipeline += "{" + options.str() + "}";
  return llvm::Error::success();
}

static llvm::Expected<Arguments> parseArguments(llvm::ArrayRef<char *> raw) {
  Arguments arguments;
  std::string passes;
  for (size_t i = 1; i < raw.size(); ++i) {
    StringRef argument = raw[i];
    if (argument == "-o" && i + 1 < raw.size()) {
      arguments.output = raw[++i];
    } else if (!argument.starts_with("-") || argument == "-") {
      arguments.input = argument.str();
    } else {
      argument = argument.ltrim('-');
      if (argument == "tolerant")
        arguments.isTolerant = true;
      else if (argument == "emit-bytecode")
        arguments.emitBytecode = true;
      else if (argument == "mlir-print-op-generic")
        arguments.generic = true;
      else if (argument == "mlir-print-debuginfo")
        arguments.locations = true;
      else if (argument.consume_front("o="))
        arguments.output = argument.str();
      else if (argument.consume_front("pass-pipeline="))
        arguments.pipeline = argument.str();
      else if (llvm::Error error = addPass(argument, passes))
        return error;
    }
  }
  if (!passes.empty() && !arguments.pipeline.empty())
    return complain("--pass-pipeline and passes as flags exclude each other");
  if (!passes.empty())
    arguments.pipeline = "builtin.module(" + passes + ")";
  return arguments;
}

static int report(llvm::Error error, int code) {
  Failure failure = takeFailure(std::move(error));
  printDiagnostics(failure.diagnostics, kProgram);
  if (failure.diagnostics.empty())
    llvm::errs() << kProgram << ": " << failure.message << '\n';
  return code;
}

static llvm::Error runAndPrint(ModuleOp module, const std::string &pipeline) {
  std::vector<Diagnostic> said;
  llvm::Error error = runPipeline(module, pipeline, "the pipeline failed", &said);
  printDiagnostics(said, kProgram);
  return error;
}

std::optional<int> runTolerantly(llvm::ArrayRef<char *> raw) {
  if (!llvm::any_of(raw, [](StringRef argument) { return argument == "--tolerant" || argument == "-tolerant"; }))
    return std::nullopt;
  auto arguments = parseArguments(raw);
  if (!arguments)
    return report(arguments.takeError(), 2);
  Session session(allDialects());
  auto result = session.read(arguments->input);
  if (!result)
    return report(result.takeError(), 1);
  bool hasError = printDiagnostics(withoutLongLists(result->diagnostics), kProgram);
  if (!arguments->pipeline.empty())
    if (llvm::Error error = runAndPrint(*result->module, arguments->pipeline))
      return report(std::move(error), 1);
  std::string text;
  llvm::raw_string_ostream os(text);
  runOnLargeStack([&] {
    if (arguments->emitBytecode) {
      hasError |= failed(writeBytecodeToFile(*result->module, os));
      return;
    }
    OpPrintingFlags flags;
    flags.printGenericOpForm(arguments->generic).enableDebugInfo(arguments->locations);
    result->module->print(os, flags);
    spellAsUsersDo(text, session.context());
    os << '\n';
  });
  if (llvm::Error error = writeOutputFile(arguments->output, text, Content::Bytes))
    return report(std::move(error), 1);
  return hasError ? 1 : 0;
}

} // namespace fuselage::opt
