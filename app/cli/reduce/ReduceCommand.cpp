// fuselage reduce: the smallest module and pipeline that still show a fault.
#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "app/cli/Input.h"
#include "app/cli/reduce/ReduceOutput.h"
#include "core/ir/module/Splits.h"
#include "core/registration/Registration.h"
#include "core/stepping/pipeline/PipelineParts.h"
#include "core/transforms/foreign/NormalizeForeign.h"

namespace fuselage::cli {

namespace {
struct ReduceWords {
  ReduceArguments arguments;
  std::string pipeline;
  uint64_t draws = 2, seconds = 10, cuts = 5000;
};
} // namespace

static Options reduceOptions(ReduceWords &wanted) {
  Options options(
      "reduce", "FILE",
      "Cuts a module and a pipeline down to the smallest that still show a fault: a pass that crashes, does not come "
      "to "
      "its end, fails, or leaves IR that does not verify; a program that computes something else after the passes, by "
      "runs on the host on random inputs; or IR that a command calls bad. Passes run in a copy of the process. "
      "Functions, ops, arguments, results, sizes, element types, constants and attributes are cut, passes before the "
      "last one, their options and patterns. A cut is taken if the module verifies and shows the same: kind, pass, "
      "signal, message and place of a fault, a difference of results that is not one of rounding, or the same answer "
      "of "
      "the command. Ctrl-C ends the search, and the best so far is written.\n\n"
      "--predicate judges by a command: it gets the IR after the passes as a file, by {} or as its last word, and ends "
      "with 0 where all is good, 125 where it cannot tell, and anything else where it is not. No shell runs. Before "
      "the "
      "last pass, the IR has to be good. Without --pipeline, the command judges the module itself.\n\n"
      "--as report writes Markdown with the module, the commands for both sides and versions; --as lit writes a test "
      "for lit, which passes as long as a pass fails so, and fails as long as results are wrong.\n\n"
      "Exit codes: 0 it is as small as it gets, or all cuts that it may try are tried; 1 nothing is wrong, or it "
      "cannot "
      "be told; 130 it was stopped by Ctrl-C.");
  SymptomOptions &symptom = wanted.arguments.reduce.symptom;
  options.text("pipeline", "P", "the passes", wanted.pipeline);
  options.text("predicate", "COMMAND", "who says whether IR is good", symptom.predicate);
  options.choice("as", {"file", "report", "lit"}, "a module with comments, a bug report, or a test (default: file)",
                 wanted.arguments.as);
  options.text("output", "OUT", "where to write; - is standard output (default)", wanted.arguments.output, 'o');
  options.text("function", "NAME", "the function to run (default: the first public one with a body)",
               symptom.check.function);
  options.sizes("of arguments that are dynamic", symptom.check.sizes);
  options.inputs("", symptom.check.inputs);
  options.number("draws", "inputs to try (default: 2)", wanted.draws, 1, 100);
  options.number("seed", "of the first of them (default: 1)", symptom.check.seed, 0, uint64_t(1) << 32);
  options.number("timeout", "seconds of processor time after which passes are taken to hang (default: 10)",
                 wanted.seconds, 1, 100'000);
  options.number("cuts", "to try at most (default: 5000)", wanted.cuts, 1, 10'000'000);
  declarePlugins(options);
  options.example("fuselage reduce model.mlir --pipeline canonicalize,cse,my-pass --load-pass-plugin=libmine.so");
  options.example("fuselage reduce model.mlir --pipeline my-pass --as report -o bug.md");
  options.example(
      "fuselage reduce model.mlir --pipeline inline --predicate 'python3 check.py {}' --as lit -o bug.mlir");
  return options;
}

/// The passes of the pipeline, and before them the one that makes other compilers' modules ours, as in recordings.
static llvm::Expected<std::vector<PassUnit>> readPasses(mlir::ModuleOp module, const std::string &pipeline) {
  if (pipeline.empty())
    return std::vector<PassUnit>();
  auto parts = splitPipeline(pipeline);
  if (!parts)
    return parts.takeError();
  if (llvm::any_of(*parts, [](const PipelinePart &part) { return part.kind != PipelinePart::Kind::Passes; }))
    return fail(
        "only passes can be reduced, not another compiler or the default pipeline: find the step with 'fuselage "
        "bisect FILE --reduce OUT', which reduces it alone");
  mlir::MLIRContext &context = *module.getContext();
  auto passes = parsePipeline(pipeline, context);
  if (!passes || passes->empty() || passes->front().pass == kNormalizationPass ||
      !llvm::any_of(splitModules(module), hasForeignForms))
    return passes;
  auto normalization = parsePipeline(kNormalizationPass, context);
  if (!normalization)
    return normalization.takeError();
  passes->insert(passes->begin(), normalization->begin(), normalization->end());
  return passes;
}

int reduceCommand(Arguments words) {
  ReduceWords wanted;
  Options options = reduceOptions(wanted);
  if (auto code = options.parse(words))
    return *code;
  ReduceArguments &arguments = wanted.arguments;
  if (wanted.pipeline.empty() && arguments.reduce.symptom.predicate.empty())
    return usageError("reduce", "say what is wrong: --pipeline names the passes, --predicate a command that judges");
  const std::string &path = options.positional();
  int exitCode = ExitOk;
  Session session(allDialects());
  auto input = openInput(session, path, exitCode, Form::AsWritten);
  if (!input)
    return reportFailure(input.takeError());
  if (input->log)
    return usageError("reduce", "'" + path + "' is a log of passes; give the module that they ran on");
  mlir::ModuleOp module = *input->module.module;
  auto passes = readPasses(module, wanted.pipeline);
  if (!passes)
    return reportFailure(passes.takeError());
  arguments.reduce.symptom.draws = unsigned(wanted.draws);
  arguments.reduce.symptom.limits.seconds = unsigned(wanted.seconds);
  arguments.reduce.mostCuts = unsigned(wanted.cuts);
  arguments.reproducer.input = path == "-" ? "standard input" : path;
  arguments.reproducer.plugins = pluginOptions(words);
  if (llvm::Error error = reduceAndWrite(module, std::move(*passes), arguments, exitCode))
    return reportFailure(std::move(error));
  endWorker(exitCode);
  return exitCode;
}

} // namespace fuselage::cli
