// fuselage reduce: the smallest module and pipeline that still show a fault.
#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "app/cli/Input.h"
#include "app/cli/bisect/ReduceOutput.h"
#include "core/ir/module/Splits.h"
#include "core/registration/Registration.h"
#include "core/stepping/pipeline/PipelineParts.h"
#include "core/transforms/foreign/NormalizeForeign.h"

namespace fuselage::cli {

namespace {
struct ReduceWords {
  ReduceArguments arguments;
  FaultArguments fault{.draws = 2};
  std::string pipeline, target = "spirv";
  uint64_t seconds = 10, cuts = 5000;
};
} // namespace

static Options reduceOptions(ReduceWords &wanted) {
  Options options(
      "reduce", "FILE",
      std::string(
          "Cuts a module and a pipeline down to the smallest that still show a fault: a pass that crashes, does not "
          "come to its end, fails, or leaves IR that does not verify; a program that computes something else after the "
          "passes, by runs on random inputs; a fusion that is lost, more bytes or more time; or IR that a command "
          "calls bad. Passes run in a copy of the process. Functions, ops, arguments, results, sizes, ranks, element "
          "types, constants and attributes are cut, passes before the last one, their options and patterns. A cut is "
          "taken if the module verifies and shows the same: kind, pass, signal, message and place of a fault, a "
          "difference of results that is not one of rounding, or the same answer of whoever judges. Ctrl-C ends the "
          "search, and the best so far is written.\n\n") +
          kPredicateHelp +
          " Before the last pass, the IR has to be good. Without --pipeline, the command judges the module itself.\n\n"
          "--as report writes Markdown with the module, the commands for both sides and versions; --as lit writes a "
          "test for lit, which passes as long as a pass fails so, and fails as long as results are wrong or IR is "
          "judged to be bad.\n\n"
          "Exit codes: 0 it is as small as it gets, or all cuts that it may try are tried; 1 nothing is wrong, or it "
          "cannot be told; 130 it was stopped by Ctrl-C.");
  options.text("pipeline", "P", "the passes, or default for the default pipeline", wanted.pipeline);
  options.choice("target", {"spirv", "ptx"}, "the target of the default pipeline (default: spirv)", wanted.target);
  declareFault(options, wanted.fault);
  options.choice("as", {"file", "report", "lit"}, "a module with comments, a bug report, or a test (default: file)",
                 wanted.arguments.as);
  options.text("output", "OUT", "where to write; - is standard output (default)", wanted.arguments.output, 'o');
  options.number("timeout", "seconds of processor time after which passes are taken to hang (default: 10)",
                 wanted.seconds, 1, 100'000);
  options.number("cuts", "to try at most (default: 5000)", wanted.cuts, 1, 10'000'000);
  declarePlugins(options);
  options.example("fuselage reduce model.mlir --pipeline canonicalize,cse,my-pass --load-pass-plugin=libmine.so");
  options.example("fuselage reduce model.mlir --pipeline my-pass --as report -o bug.md");
  options.example(
      "fuselage reduce model.mlir --pipeline inline --predicate 'python3 check.py {}' --as lit -o bug.mlir");
  options.example("fuselage reduce model.mlir --pipeline default --lost-fusion %scores,%probs");
  return options;
}

/// The passes of the default pipeline, and what stands beside it: which they are depends on the module.
static llvm::Expected<std::vector<PassUnit>> recordPasses(Session &session, mlir::ModuleOp module,
                                                          const ReduceWords &wanted) {
  setActivity("recording the default pipeline");
  RecordOptions options;
  options.pipeline = wanted.pipeline;
  options.target = wanted.target;
  options.cancelled = &stopOnCtrlC();
  auto careful = recordCarefully(session, module, options, unsigned(wanted.seconds));
  if (!careful)
    return careful.takeError();
  return passesOf(careful->recording, careful->recording.steps.size(), session.context());
}

/// The passes of the pipeline, and before them the one that makes other compilers' modules ours, as in recordings.
static llvm::Expected<std::vector<PassUnit>> readPasses(Session &session, mlir::ModuleOp module,
                                                        const ReduceWords &wanted) {
  if (wanted.pipeline.empty())
    return std::vector<PassUnit>();
  auto parts = splitPipeline(wanted.pipeline);
  if (!parts)
    return parts.takeError();
  auto has = [&](PipelinePart::Kind kind) {
    return llvm::any_of(*parts, [kind](const PipelinePart &part) { return part.kind == kind; });
  };
  if (has(PipelinePart::Kind::Tool))
    return fail("only passes can be reduced, not another compiler: reduce what that leaves, which 'fuselage step' "
                "writes");
  if (has(PipelinePart::Kind::Default))
    return recordPasses(session, module, wanted);
  auto passes = parsePipeline(wanted.pipeline, session.context());
  if (!passes || passes->empty() || passes->front().pass == kNormalizationPass ||
      !llvm::any_of(splitModules(module), hasForeignForms))
    return passes;
  auto normalization = parsePipeline(kNormalizationPass, session.context());
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
  if (std::string complaint = completeFault(wanted.fault); !complaint.empty())
    return usageError("reduce", complaint);
  if (wanted.pipeline.empty() && wanted.fault.blame.predicate.empty())
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
  auto passes = readPasses(session, module, wanted);
  if (!passes)
    return reportFailure(passes.takeError());
  takeFault(wanted.fault.blame, arguments.reduce.symptom);
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
