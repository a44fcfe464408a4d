#include "app/cli/Commands.h"
#include "core/ir/Session.h"
#include "core/stepping/Recording.h"
#include "core/stepping/Report.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::cli {

namespace {
struct StepArguments {
  std::string pipeline, schedule, target = "spirv", format = "text", output = "-", side = "after";
  std::optional<uint64_t> at;
  bool full = false;
};
} // namespace

/// Prints the IR at one side of one step.
static int printStep(const Recording &recording, const StepArguments &wanted) {
  StepSide side = wanted.side == "before" ? StepSide::Before : StepSide::After;
  unsigned elided = 0;
  auto text = stepText(recording, *wanted.at, side, wanted.full, &elided);
  if (!text)
    return reportFailure(text.takeError());
  if (elided > 0)
    llvm::errs() << "note: the data of " << elided << (elided == 1 ? " constant is" : " constants are")
                 << " left out; --full prints it\n";
  if (llvm::Error error = writeOutputFile(wanted.output, *text))
    return reportFailure(std::move(error));
  return ExitOk;
}

/// The first failed step as an error, so that a script notices; success if there is none.
static llvm::Error failedStep(const Recording &recording) {
  for (const Step &step : recording.steps)
    if (step.failed)
      return fail("step '" + step.name + "' failed; every step before it is recorded", step.diagnostics);
  return llvm::Error::success();
}

int stepCommand(Arguments arguments) {
  StepArguments wanted;
  Options options("step", "FILE",
                  "Records a pipeline pass by pass and shows what each step did. Without --pipeline or\n"
                  "--schedule it is the default pipeline: clean up, form dispatches, tile, fuse, promote,\n"
                  "bufferize, map to the GPU, lower.");
  options.text("pipeline", "P", "a textual MLIR pipeline, e.g. 'canonicalize,cse'", wanted.pipeline);
  options.text("schedule", "S.mlir", "a transform-dialect script, a step an op", wanted.schedule);
  options.choice("target", {"spirv", "ptx"}, "what the default pipeline lowers to (default: spirv)", wanted.target);
  options.choice("format", {"text", "json", "html"}, "table, JSON, or a page that steps offline (default: text)", wanted.format);
  options.text("output", "OUT", "where to write; - is stdout (default)", wanted.output, 'o');
  options.custom("at", "N", "print the IR at step N, as the table numbers it", [&](llvm::StringRef value) {
    uint64_t number;
    if (value.getAsInteger(10, number) || number > UINT32_MAX)
      return "takes a step number, not '" + value.str() + "'";
    wanted.at = number;
    return std::string();
  });
  options.choice("side", {"before", "after"}, "which side of step N (default: after)", wanted.side);
  options.flag("full", "with --at: print the data of large constants, too", wanted.full);
  options.example("fuselage step samples/matmul_transpose_bias.mlir");
  options.example("fuselage step model.mlir --pipeline 'builtin.module(canonicalize,cse)' --format json");
  options.example("fuselage step samples/softmax.mlir --format html -o softmax.html");
  options.example("fuselage step samples/softmax.mlir --at 4 --side before");
  if (auto code = options.parse(arguments))
    return *code;
  if (!wanted.pipeline.empty() && !wanted.schedule.empty())
    return usageError("step", "--pipeline and --schedule exclude each other");

  registerAllPasses();
  Session session;
  auto module = session.open(options.positional());
  if (!module)
    return reportFailure(module.takeError());
  RecordOptions recordOptions;
  recordOptions.pipeline = wanted.pipeline;
  recordOptions.schedule = wanted.schedule;
  recordOptions.target = wanted.target;
  auto recording = record(session, **module, recordOptions);
  if (!recording)
    return reportFailure(recording.takeError());
  if (wanted.at)
    return printStep(*recording, wanted);
  auto format = parseReportFormat(wanted.format);
  if (!format)
    return reportFailure(format.takeError());
  if (llvm::Error error = writeReport(*recording, options.positional(), *format, wanted.output))
    return reportFailure(std::move(error));
  if (llvm::Error error = failedStep(*recording))
    return reportFailure(std::move(error));
  return ExitOk;
}

} // namespace fuselage::cli
