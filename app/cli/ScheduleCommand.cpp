#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/Input.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/registration/Registration.h"
#include "core/schedules/report/TraceReport.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::cli {

namespace {
struct ScheduleArguments {
  std::string schedule, format = "text", output = "-";
  std::vector<std::string> libraries;
  std::optional<unsigned> at;
  bool trace = false;
};
} // namespace

/// The payload in the end; the failure of a schedule that failed.
static llvm::Expected<std::string> resultText(const Script &script, const Trace &trace) {
  if (!trace.failed)
    return PrintedModule(*trace.result).text();
  std::vector<Diagnostic> said;
  for (const TraceStep &step : trace.steps)
    if (!step.suppressed)
      said.insert(said.end(), step.diagnostics.begin(), step.diagnostics.end());
  said.insert(said.end(), trace.diagnostics.begin(), trace.diagnostics.end());
  return fail("the schedule '" + script.path + "' failed; --trace shows where", std::move(said));
}

static llvm::Expected<std::string> reportText(const Script &script, const Trace &trace, const ScheduleArguments &wanted) {
  bool isJson = wanted.format == "json";
  auto json = [](llvm::json::Object object) { return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object))).str(); };
  if (wanted.at) {
    if (*wanted.at >= trace.steps.size())
      return fail("there is no step " + std::to_string(*wanted.at) + "; the steps are 0 to " + std::to_string(trace.steps.size() - 1));
    return isJson ? json(message::encode(messageOf(script, trace, *wanted.at))) : formatPosition(script, trace, *wanted.at);
  }
  if (wanted.trace)
    return isJson ? json(message::encode(messageOf(script, trace))) : formatTrace(script, trace);
  return resultText(script, trace);
}

static llvm::Expected<bool> runSchedule(llvm::StringRef path, const ScheduleArguments &wanted, int &exitCode) {
  Session session(allDialects());
  auto input = openModule(session, path, exitCode);
  if (!input)
    return input.takeError();
  auto script = openScript(session, wanted.schedule, wanted.libraries);
  if (!script)
    return script.takeError();
  TraceOptions options;
  if (wanted.at) {
    options.first = *wanted.at;
    options.last = *wanted.at + 1;
  } else if (!wanted.trace) {
    options.last = 0;
  }
  options.beforeStep = [](unsigned step, const ScriptOp &op) {
    setActivity(llvm::formatv("running line {0} of the schedule: {1}", op.line, op.text).str());
    setActiveStep(step);
  };
  auto traced = trace(*script, *input->module, options);
  if (!traced)
    return traced.takeError();
  setActiveStep(std::nullopt);
  auto text = reportText(*script, *traced, wanted);
  if (!text)
    return text.takeError();
  if (llvm::Error error = writeOutputFile(wanted.output, *text))
    return error;
  return traced->failed;
}

int scheduleCommand(Arguments arguments) {
  ScheduleArguments wanted;
  Options options("schedule", "FILE",
                  "Runs a transform-dialect script on a module, and shows what it did. Without --trace or --at, the\n"
                  "module as it is then; with --trace, every application of a transform op, those in loops, includes\n"
                  "and alternatives too, with what failed and was silenced; with --at, the payload and the handles in\n"
                  "front of one of them: what each is mapped to, and which line consumed or invalidated it.\n\n"
                  "The interpreter's expensive checks are on, as in mlir-opt --transform-interpreter.");
  options.text("schedule", "S.mlir", "the script: @__transform_main in a module, or one transform.sequence", wanted.schedule);
  options.custom("library", "L.mlir", "named sequences that the script declares; as often as wanted", [&](llvm::StringRef value) {
    wanted.libraries.push_back(value.str());
    return std::string();
  });
  options.flag("trace", "show every application", wanted.trace);
  options.custom("at", "N", "show payload and handles in front of step N, as --trace numbers it",
                 [&](llvm::StringRef value) { return parseStepNumber(value, wanted.at); });
  options.choice("format", {"text", "json"}, "of --trace and --at (default: text)", wanted.format);
  options.text("output", "OUT", "where to write; - is stdout (default)", wanted.output, 'o');
  options.example("fuselage schedule samples/batch_matmul.mlir --schedule samples/schedules/batch_matmul_gpu.mlir");
  options.example("fuselage schedule model.mlir --schedule tile.mlir --trace");
  options.example("fuselage schedule model.mlir --schedule tile.mlir --at 12");
  if (auto code = options.parse(arguments))
    return *code;
  if (wanted.schedule.empty())
    return usageError("schedule", "needs --schedule S.mlir");
  int exitCode = ExitOk;
  auto failed = runSchedule(options.positional(), wanted, exitCode);
  if (!failed)
    return reportFailure(failed.takeError());
  return *failed ? ExitInputError : exitCode;
}

} // namespace fuselage::cli
